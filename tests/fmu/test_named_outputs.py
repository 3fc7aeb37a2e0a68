"""Outputs that a model names, in FMUs: the same numbers, exact derivatives, exact dependencies."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy.validation import validate_fmu

from mbd_fmu import run_batch
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import AUTO, KERNELS, STRAIGHT
from mbd_fmu.reference.run import Run
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.system.variables import flat_name
from mbd_fmu.validate.runner import Fmu
from tests.conftest import random_state
from tests.fmu.exchange import Exchange, directional, output_rates
from tests.random_loops import named_outputs
from tests.suspension import suspension

QUALITY = "constraint."
TIMES = np.linspace(0.0, 0.1, 6)

pytestmark = pytest.mark.xdist_group("named outputs")  # their FMUs are built by one worker


def outputs_of(library):
    return [name for name in library.names("output") if not name.startswith(QUALITY)]


def some_inputs(names, seed):
    values = np.random.default_rng(seed).uniform(-1, 1, size=len(names))
    return dict(zip(names, values.tolist(), strict=True))


@pytest.fixture(params=[True, False], ids=["loop", "tree"])
def loop(request):
    return request.param


# ---- Numbers


@pytest.mark.parametrize("back_end", [("native", STRAIGHT), ("native", KERNELS), ("python", AUTO)])
def test_fmus_give_the_numbers_of_numpy(loop, back_end, fmu_of):
    table = suspension(loop=loop)
    run = Run(system_of(spec_of_table(table, "test")), {"solver.tolerance": 1e-10})
    inputs = some_inputs([v.name for v in run.system.table.inputs], 1)
    run.u = np.array(list(inputs.values()))
    settings = inputs | {"solver.tolerance": 1e-10}
    with Fmu(fmu_of(table, *back_end)) as fmu:
        found = fmu.run(TIMES, settings=settings).trajectory
    size = np.abs(found.values).max()
    for k, length in enumerate([0.0, *np.diff(TIMES)]):
        if length:
            run.step(length)
        for name, value in named_outputs(run).items():
            if name != f"{QUALITY}rank" and not name.startswith(QUALITY):
                # one algorithm in two languages: rounding, amplified over some steps
                assert abs(found.column(name)[k] - value) < 1e-10 * size, name


def test_many_runs_have_the_bits_of_the_fmu(loop, fmu_of):
    """Every output there is, side by side in lanes where there are any."""
    table, rates = suspension(loop=loop), [40.0, 50.0, 60.0]
    cases = run_batch(spec_of_table(table, "test"), {"k": rates}, stop=0.1, step=0.02)
    with Fmu(fmu_of(table)) as fmu:
        for k, rate in enumerate(rates):
            alone = fmu.run(cases.time, settings={"k": rate}).trajectory
            assert alone.names == cases.names
            assert np.array_equal(alone.values, cases.values[k])


def test_flat_names_are_the_same_outputs(fmu_of):
    structured, flat = suspension(loop=False), suspension(loop=False, naming="flat")
    with Fmu(fmu_of(structured)) as fmu:
        one = fmu.run(TIMES).trajectory
    with Fmu(fmu_of(flat)) as fmu:
        other = fmu.run(TIMES).trajectory
    assert other.names == tuple(flat_name(name) for name in one.names)
    assert np.array_equal(one.values, other.values)


@pytest.mark.parametrize("backend", ["native", "python"])
@pytest.mark.parametrize("naming", ["structured", "flat"])
def test_the_standard_finds_no_fault(loop, backend, naming, fmu_of):
    assert validate_fmu(str(fmu_of(suspension(loop=loop, naming=naming), backend))) == []


# ---- Derivatives


def assert_close(found, expected, names):
    """Central differences of numbers of that size are good for 1e-6 of them."""
    size = 1.0 + np.abs(expected).max()
    for name, a, b in zip(names, found, expected, strict=True):
        assert abs(a - b) <= 1e-6 * size, (name, a, b)


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_derivatives_along_states_and_inputs_are_those_of_differences(loop, code, library_of):
    library, rng = library_of(suspension(loop=loop), code), np.random.default_rng(2)
    it = Exchange(library).run()
    names, inputs = outputs_of(library), library.names("input")
    u = some_inputs(inputs, 2)
    it.set(u)
    x = it.x
    # with constraints along the motion: it stays on them
    d = it.derivatives() if loop else rng.normal(size=it.n)
    e = dict(zip(inputs, rng.normal(size=len(inputs)).tolist(), strict=True))
    found = directional(it, names, dict(zip(it.states, d, strict=True)) | e)
    h, sides = 1e-6 / np.abs(d).max(), []
    for sign in (1.0, -1.0):
        it.x = x + sign * h * d
        it.set({name: u[name] + sign * h * e[name] for name in inputs})
        sides.append(np.array(it.get(names)))
    it.free()
    assert_close(found, (sides[0] - sides[1]) / (2 * h), names)


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_derivatives_along_a_parameter_are_those_of_differences(code, library_of, new):
    library, h = library_of(suspension(), code), 1e-3
    names = outputs_of(library)

    def started(k):
        it = new(library)
        assert not it.setup()
        assert not it.enter()
        assert not it.set({"k": k})
        return it

    found = directional(started(50.0), names, {"k": 1.0})
    sides = [np.array(started(50.0 + s * h).get(names)) for s in (1, -1)]
    assert_close(found, (sides[0] - sides[1]) / (2 * h), names)
    assert found[names.index("twice")] != 0.0


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_second_derivatives_of_positions_in_time_are_exact(loop, code, library_of, new):
    """Of angles, distances and what one body sees of another: differences of the first ones."""
    it, h = new(library_of(suspension(loop=loop), code)).start(), 1e-6
    names = ["gap.length", "camber", "toe", "lean", "steered.roll", "steered.pitch", "coil.length"]
    names += ["carried.r.x", "carried.quat.w", "seen.r.z", "motor.length"]
    second, first = output_rates(it, names, order=2), output_rates(it, names)
    assert not it.step(0.0, h)
    found = (output_rates(it, names) - first) / h
    # one-sided: an error of h times the third derivative
    assert np.abs(found - second).max() < 1e-3 * (1.0 + np.abs(second).max())
    assert output_rates(it, ["gap.rate"])[0] == pytest.approx(second[0], rel=1e-3)


SINGULAR = {
    "angle": [
        {"name": "bend", "parent": "ground", "child": "rod", "axis": [0, 0, 1], "axis2": [0, 0, 1]},
        {
            "name": "signed",
            "parent": "ground",
            "child": "rod",
            "axis": [0, 0, 1],
            "axis2": [0, 0, 1],
        }
        | {"about": [0, 1, 0]},
    ],
    "distance": [
        {"name": "shut", "parent": "ground", "child": "rod"}
        | {"point": [0, 0, -1], "point2": [0, 0, -1]}
    ],
    "magnitude": [{"name": "still", "of": "rod.v"}, {"name": "no_torque", "of": "pin.torque"}],
    "rpy": [{"name": "turn", "body": "rod"}],
}


def test_what_starts_at_zero_has_values_and_derivatives_there(library_of):
    """Parallel axes, points that meet, vectors of length zero: a rod that hangs as drawn."""
    rod = {
        "model": {"name": "rod"},
        "body": [{"name": "rod", "mass": 1, "com": [0, 0, -1], "inertia": np.eye(3).tolist()}],
        "joint": [
            {"name": "pin", "type": "revolute", "parent": "ground", "child": "rod"}
            | {"point": [0, 0, 0], "axis": [0, 1, 0]}
        ],
        "output": [{"groups": ["joints"], **SINGULAR}],
    }
    library = library_of(rod)
    it = Exchange(library).run()
    names = ["bend", "signed", "shut.length", "shut.rate", "still", "no_torque", "turn.pitch"]
    assert np.abs(it.get(names)).max() < 1e-140
    found = dict(zip(names, directional(it, names, {it.states[0]: 1.0}), strict=True))
    assert np.isfinite(list(found.values())).all()
    # signed angles go through zero at their rate; what has a kink there says 0
    assert (found["signed"], found["turn.pitch"], found["bend"]) == pytest.approx((1, 1, 0))
    it.free()


# ---- Dependencies


def felt_by_outputs(system):
    """Which outputs of a tree change when a state, or an input, is moved."""
    plant = plant_of(system, system.nominal_parameters())
    x, u = random_state(system, np.random.default_rng(3))
    by_state = [plant.all_outputs(x + d, u) for d in 1e-3 * np.eye(len(x))]
    by_input = [plant.all_outputs(x, u + d) for d in 1e-3 * np.eye(len(u))]
    before = plant.all_outputs(x, u)[:, None]
    return [np.abs(np.stack(after, axis=1) - before) > 1e-9 for after in (by_state, by_input)]


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_dependencies_are_exact(code):
    """All that changes an output is listed; of what is listed nothing leaves it as it is."""
    system = system_of(spec_of_table(suspension(loop=False, groups=["forces"]), "test"))
    listed, (seen, felt) = symbols_of(system, code), felt_by_outputs(system)
    names = [v.name for v in system.table.outputs]
    on_state, on_input = listed.depends_on_state, listed.depends_on_input
    for k, name in enumerate(names):
        assert not (seen[k] & ~on_state[k]).any(), (name, "feels more states than are listed")
        assert not (felt[k] & ~on_input[k]).any(), (name, "feels more inputs than are listed")
    # accelerations feel all that is coupled: these are what a user may hope to be without loops
    exact = [
        k
        for k, name in enumerate(names)
        if name.split(".")[0]
        in ("gap", "camber", "toe", "steered", "carried", "back", "seen", "coil", "hard", "motor")
        and not name.startswith("seen.a")
    ]
    assert len(exact) > 30
    for k in exact:
        extra = [system.states.names[n] for n in np.flatnonzero(on_state[k] & ~seen[k])]
        assert extra == [], names[k]
        assert not (on_input[k] & ~felt[k]).any(), names[k]


def test_what_lies_between_two_bodies_does_not_feel_what_carries_both():
    system = system_of(spec_of_table(suspension(groups=["forces"]), "test"))
    listed = symbols_of(system).depends_on_state
    names = [v.name for v in system.table.outputs]
    states = system.states.names
    for name in ("camber", "gap.length", "coil.force", "carried.r.x", "steered.yaw", "seen.v.x"):
        felt = {states[n] for n in np.flatnonzero(listed[names.index(name)])}
        assert felt
        assert not any(state.startswith("fly.") for state in felt), name
    felt = {states[n] for n in np.flatnonzero(listed[names.index("attitude.roll")])}
    assert felt == {f"fly.q.{c}" for c in "wxyz"}


def test_an_expression_of_velocities_feels_the_velocity_of_the_base():
    """Galilei speaks of accelerations and forces; not of what is multiplied by a velocity."""
    table = suspension(loop=False, groups=[])
    table["joint"] = table["joint"][1:]
    for joint in table["joint"]:
        joint["parent"] = {"chassis": "ground"}.get(joint["parent"], joint["parent"])
    table["body"] = table["body"][1:]
    del table["force"], table["points"]
    table["base"] = {"motion": "prescribed"}
    expressions = [
        {"name": "power", "value": "arm.v.x*hinge.force.x", "unit": "W"},
        {"name": "told", "value": "base.v.x + hinge.qdd"},
        {"name": "pure", "value": "hinge.force.x + arm.com.x"},
    ]
    table["output"] = [{"groups": [], "expression": expressions}]
    system = system_of(spec_of_table(table, "test"))
    felt = symbols_of(system).depends_on_input
    inputs = [v.name for v in system.table.inputs]
    names = [v.name for v in system.table.outputs]
    column = felt[:, inputs.index("base.v.x")]
    found = {name: bool(column[names.index(name)]) for name in ("power", "told", "pure")}
    assert found == {"power": True, "told": True, "pure": False}
