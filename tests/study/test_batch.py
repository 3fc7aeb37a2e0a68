"""Many cases at once: each has the bits that the FMU gives in fmpy, whatever runs beside it."""

import os
import resource
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from mbd_fmu import MbdFmuError, Mechanism, read_model, run_batch, system_of
from mbd_fmu.export import compiler_cache
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.study import library as batch_libraries
from mbd_fmu.validate.runner import Fmu
from tests.chains import chain
from tests.fmu import mechanisms, timed
from tests.suspension import suspension

N = 11  # odd, and no multiple of any number of lanes
STOP, STEP = 0.3, 0.02
RNG = np.random.default_rng(3)
SPECS = {
    "tree": mechanisms.double_pendulum(),
    "equal steps": mechanisms.double_pendulum(solver="rk4"),
    "stiff": mechanisms.double_pendulum(solver="stiff"),
    "flying": mechanisms.flyer(),
    "flying by equal steps": mechanisms.flyer(solver="rk4"),
    "loop": mechanisms.four_bar(),
    "told": mechanisms.told_crank(),
    "timed": timed.timed(),
    "timed by equal steps": timed.timed(solver="rk4"),
    "timed loop": timed.timed_crank(),
    "named outputs": suspension(loop=False),
}
SPECS = {name: spec_of_table(table, name) for name, table in SPECS.items()}
SPECS["kernels"] = chain(20, ("joints", "poses", "reactions"))
IN_LANES = ("tree", "equal steps", "flying", "flying by equal steps", "kernels", "named outputs")
IN_LANES += ("timed", "timed by equal steps")


def some_cases(spec):
    """Every velocity at the start, and a number of the solver, another in each case."""
    table = system_of(spec).table
    declared = {v.name: v.start for v in table.parameters}
    moved = [name for name in declared if "_start" in name and "q_start" not in name][:3]
    found = {name: declared[name] + 0.2 * RNG.normal(size=N) for name in moved}
    if table.told:  # inputs that stay
        found |= {v.name: 0.2 * RNG.normal(size=N) for v in table.inputs[:1]}
    if "span" in declared:
        found["span"] = declared["span"] + 0.01 * RNG.normal(size=N)
    if "solver.step" in declared:
        found["solver.step"] = 10.0 ** RNG.uniform(-3.5, -2, N)
    else:
        found["solver.tolerance"] = 10.0 ** RNG.uniform(-8, -4, N)
    return found


def some_inputs(spec):
    """Inputs that change between communication points, too; what prescribes a motion stays."""
    table = system_of(spec).table
    names = tuple(v.name for v in table.inputs) if not table.told else ()
    time = np.array([0.0, 0.05, 0.1, 0.2])
    return Trajectory(time, names, 0.3 * RNG.normal(size=(4, len(names))))


CASES = {name: (spec, some_cases(spec), some_inputs(spec)) for name, spec in SPECS.items()}


def bits(values):
    return np.ascontiguousarray(values).view(np.int64)


def by_fmpy(path, parameters, result, **more):
    """The same cases, one after the other, in the FMU."""
    with Fmu(path) as fmu:
        for k in range(len(result.values)):
            settings = {name: float(values[k]) for name, values in parameters.items()}
            yield fmu.run(result.time, settings=settings, outputs=result.names, **more).trajectory


@pytest.fixture(params=[False, True], ids=["held", "linear"])
def interpolate(request):
    return request.param


@pytest.mark.parametrize("name", CASES)
def test_every_case_has_the_bits_of_the_fmu(name, fmu_of, interpolate):
    spec, parameters, inputs = CASES[name]
    more = {"inputs": inputs, "interpolate": interpolate}
    found = run_batch(spec, parameters, stop=STOP, step=STEP, **more)
    assert not found.failed
    for k, run in enumerate(by_fmpy(fmu_of(spec), parameters, found, **more)):
        assert np.array_equal(bits(found.values[k]), bits(run.values)), k
    assert len(np.unique(found.values[:, -1], axis=0)) == N  # cases differ, so rows are not mixed


@pytest.mark.parametrize("name", CASES)
def test_order_chunks_threads_and_lanes_change_nothing(name, monkeypatch):
    spec, parameters, inputs = CASES[name]
    more = {"inputs": inputs, "stop": STOP, "step": STEP}
    whole = run_batch(spec, parameters, threads=1, **more)
    for threads, chunk in ((1, 1), (3, 2), (2, 5)):
        monkeypatch.setattr("mbd_fmu.study.batch.MOST_IN_CHUNK", chunk)
        parts = run_batch(spec, parameters, threads=threads, **more)
        assert np.array_equal(bits(parts.values), bits(whole.values))
    alone = run_batch(spec, parameters, lanes=False, **more)
    assert np.array_equal(bits(alone.values), bits(whole.values))
    order = RNG.permutation(N)
    mixed = run_batch(spec, {p: v[order] for p, v in parameters.items()}, **more)
    assert np.array_equal(bits(mixed.values), bits(whole.values[order]))
    one = run_batch(spec, {p: v[3] for p, v in parameters.items()}, **more)
    assert np.array_equal(bits(one.values), bits(whole.values[3:4]))


@pytest.mark.parametrize("width", [1, 4, 8])
@pytest.mark.parametrize("name", IN_LANES)
def test_lanes_of_any_width_give_the_same_bits(name, width, monkeypatch):
    spec, parameters, inputs = CASES[name]
    asked = {"inputs": inputs, "interpolate": True, "stop": STOP, "step": STEP}
    alone = run_batch(spec, parameters, lanes=False, **asked)
    if batch_libraries.processor_lanes("zig") < width:
        pytest.skip(f"this processor has no vectors of {width}")
    monkeypatch.setattr(batch_libraries, "processor_lanes", lambda _: width)
    assert batch_libraries.batch_library(system_of(spec)).batch_width() == width
    found = run_batch(spec, parameters, **asked)
    assert np.array_equal(bits(found.values), bits(alone.values))


@pytest.mark.slow  # half a minute to compile; the short version is above
@pytest.mark.parametrize("name", sorted(library()))
def test_every_model_gives_the_same_bits_in_lanes(name):
    system = system_of(read_model(library()[name]))
    if batch_libraries.batch_library(system).batch_width() == 1:
        pytest.skip("runs one by one")
    parameters = {"solver.tolerance": 10.0 ** RNG.uniform(-9, -3, N)}
    asked = {"stop": 1.0, "step": 0.02}
    twins = [run_batch(system, parameters, lanes=lanes, **asked) for lanes in (True, False)]
    assert twins[0].failed == twins[1].failed
    assert twins[0].warnings == twins[1].warnings
    assert np.array_equal(*(bits(twin.values) for twin in twins))


def test_loops_and_stiff_motions_run_one_by_one():
    for name in set(SPECS) - {*IN_LANES}:
        assert batch_libraries.batch_library(system_of(SPECS[name])).batch_width() == 1, name


# ---- What fails, fails alone ----


@pytest.fixture(scope="module")
def falling():
    """Planets about a sun. The fourth one has no speed: it falls into it, the force without end."""
    speed = np.linspace(1.5, 2.2, 9)
    speed[3] = 0.0
    spec = read_model(library()["kepler_orbit"])
    return spec, speed, run_batch(spec, {"flight.v_start.y": speed}, stop=1.0, step=0.02)


def test_a_case_that_fails_in_the_middle_disturbs_nobody(falling, fmu_of):
    spec, speed, found = falling
    assert list(found.failed) == [3]
    assert "step: the motion of flight." in found.failed[3]
    lost = np.isnan(found.values).any(axis=2)
    # It falls from 0.4 m for pi/2 sqrt(d^3 / (2 k)) s; rows up to there are its own.
    fall = np.pi / 2 * np.sqrt(0.4**3 / 2)
    assert np.array_equal(lost[3], found.time > fall)
    assert not lost[[k != 3 for k in range(len(speed))]].any()
    for k, speed_k in enumerate(speed):
        alone = run_batch(spec, {"flight.v_start.y": speed_k}, stop=1.0, step=0.02)
        assert np.array_equal(bits(alone.values[0]), bits(found.values[k]))
        assert alone.failed == ({0: found.failed[3]} if k == 3 else {})
    with Fmu(fmu_of(spec)) as fmu, pytest.raises(MbdFmuError) as refused:
        fmu.run(found.time, settings={"flight.v_start.y": 0.0})
    assert found.failed[3].removeprefix("step") in str(refused.value)


def test_of_a_case_that_failed_nothing_is_kept_that_needs_all_of_it(falling):
    spec, speed, found = falling
    for keep in ("last", "extremes"):
        short = run_batch(spec, {"flight.v_start.y": speed}, stop=1.0, step=0.02, keep=keep)
        assert short.failed == found.failed
        assert np.isnan(short.values[3]).all()
        assert np.isfinite(np.delete(short.values, 3, axis=0)).all()


def test_equal_steps_that_blow_up_disturb_nobody():
    """rk4 multiplies the motion of so stiff a spring by 1e18 a step, until numbers end."""
    rotor = mechanisms.sprung_rotor() | {"fmu": {"solver": "rk4"}}
    cases = {
        "stiffness": [1.0, 1e12, 2.0, 3.0, 1e12],
        "solver.step": [1e-3, 1e-2, 2e-3, 1e-2, 5e-3],
    }
    more = {"stop": 1.0, "step": 0.05}
    found, alone = (
        run_batch(spec_of_table(rotor, "rotor"), cases, lanes=lanes, **more)
        for lanes in (True, False)
    )
    assert sorted(found.failed) == [1, 4]
    assert found.failed == alone.failed
    assert "solver.step" in found.failed[1]
    assert np.array_equal(bits(found.values), bits(alone.values))


def test_values_that_cannot_be_are_told_case_by_case():
    found = run_batch(
        SPECS["tree"], {"arm_mass": [1.0, 99.0, np.nan, 2.0, -1.0]}, stop=0.1, step=0.05
    )
    assert sorted(found.failed) == [1, 2, 4]
    assert found.failed[1] == "start: arm_mass = 99 is outside 0.1 to 10"
    assert found.failed[2] == "settings: arm_mass = nan; a finite value is needed"
    assert np.isnan(found.values[[1, 2, 4]]).all()
    assert np.isfinite(found.values[[0, 3]]).all()


def test_a_motion_that_is_stiff_is_told_where_it_is():
    """The FMU says so once; so does each case, side by side with others."""
    rotor = mechanisms.sprung_rotor()
    rotor["joint"][0]["damping"] = "damping"
    rotor["parameters"]["damping"] = {"value": 0.0, "unit": "N.m.s/rad", "min": 0}
    cases = {"damping": [0.0, 3e3, 0.1, 3e3]}
    found = run_batch(spec_of_table(rotor, "rotor"), cases, stop=1.0, step=0.5)
    assert not found.failed
    assert sorted(found.warnings) == [1, 3]
    assert all("the motion is stiff" in text for text in found.warnings[1])
    assert found.warnings[1] == found.warnings[3]


# ---- What is kept ----


def test_the_last_outputs_and_extremes_are_those_of_all():
    spec, parameters, _ = CASES["tree"]
    names = ["elbow.q", "shoulder.qd", "energy.kinetic"]
    every = run_batch(spec, parameters, stop=STOP, step=STEP)
    asked = {"stop": STOP, "step": STEP, "outputs": names}
    columns = np.stack([every.column(name) for name in names], axis=2)
    last = run_batch(spec, parameters, keep="last", **asked)
    assert last.time == every.time[-1:]
    assert np.array_equal(bits(last.values), bits(columns[:, -1:]))
    extremes = run_batch(spec, parameters, keep="extremes", **asked)
    assert np.array_equal(extremes.values[:, 0], columns.min(axis=1))
    assert np.array_equal(extremes.values[:, 1], columns.max(axis=1))
    case = every.case(2)
    assert np.array_equal(case.column("elbow.q"), every.column("elbow.q")[2])


def test_states_and_their_derivatives_are_outputs_too():
    spec, parameters, _ = CASES["tree"]
    system = system_of(spec)
    names = [v.name for v in system.states.variables]
    assert len(names) == 2 * system.nx
    twins = [run_batch(spec, parameters, outputs=names, stop=STOP, lanes=i) for i in (True, False)]
    assert np.array_equal(*(bits(twin.values) for twin in twins))
    every = run_batch(spec, parameters, stop=STOP)
    state = next(name for name in names if np.ptp(twins[0].column(name)) > 0)
    rate = twins[0].column(f"der({state})")
    # A state and its rate, by differences of second order over 1 ms.
    fine = run_batch(spec, parameters, outputs=[state], stop=STOP, step=1e-3).column(state)
    assert np.allclose(np.gradient(fine, 1e-3, axis=1)[:, 10:-10:10], rate[:, 1:-1], atol=1e-3)
    assert every.names == tuple(v.name for v in system.table.outputs)


# ---- A law ----


def test_pendulums_of_any_length_and_amplitude_swing_as_jacobi_says():
    """From rest at a: q = 2 asin(k sn(K - w t, k^2)), k = sin a/2, w^2 = 3 g / 2 L of a rod."""
    rod = Mechanism("rod").parameter("L", 1.0, unit="m", min=0.1)
    rod.body("rod", mass=2.0, com=[0, 0, "-L/2"], inertia={"shape": "rod", "length": "L"})
    rod.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0], position=0.5)
    length, start = RNG.uniform(0.3, 2.0, 40), RNG.uniform(0.05, 3.0, 40)
    parameters = {"L": length, "pin.q_start": start, "solver.tolerance": 1e-10}
    found = run_batch(rod.spec(), parameters, stop=2.0, step=0.05, outputs=["pin.q"])
    k, w = np.sin(start / 2)[:, None], np.sqrt(1.5 * 9.81 / length)[:, None]
    exact = 2 * np.arcsin(k * ellipj(ellipk(k**2) - w * found.time, k**2)[0])
    # Errors of 1e-10 a step grow along the motion, by some hundreds near the upper rest.
    assert np.abs(found.column("pin.q") - exact).max() < 1e-7


# ---- What is asked wrongly ----


def test_all_that_is_wrong_is_told_at_once():
    with pytest.raises(MbdFmuError) as refused:
        run_batch(
            SPECS["tree"],
            {"arm_mas": 1.0, "arm_mass": [1.0, 2.0], "elbow.qd_start": [1.0], "elbow.tau": [[1]]},
            inputs=Trajectory(np.zeros(1), ("elbow.tau", "elbow.tua"), np.zeros((1, 2))),
            stop=-1.0,
            step=float("nan"),
            outputs=["elbow.qq"],
            keep="most",
            threads=0,
        )
    assert str(refused.value).splitlines() == [
        "batch of double_pendulum: 10 problems",
        '  parameters: no parameter or input "arm_mas"; did you mean "arm_mass"?',
        '  inputs: no input "elbow.tua"; did you mean "elbow.tau"?',
        '  outputs: no output "elbow.qq"; did you mean "elbow.q"?',
        '  "elbow.tau": it stays, by parameters, and moves, by inputs; give it in one of them',
        '  parameters, "elbow.tau": no number and no list of numbers; '
        "give a number, or a list of numbers, one for each case",
        '  parameters, "elbow.qd_start": 1 values, but "arm_mass" has 2; '
        "give one value for each case",
        "  stop: -1 s; give a positive number of seconds",
        "  step: nan s; give a positive number of seconds",
        '  keep: no choice "most"; choose one of: all, last, extremes',
        "  threads: 0; give 1 or more",
    ]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"stop": "1"}, "stop: '1' is no number; give a positive number of seconds"),
        ({"step": [0.1]}, "step: [0.1] is no number; give a positive number of seconds"),
        ({"threads": 1.5}, "threads: 1.5 is no whole number; give 1 or more"),
        ({"threads": "2"}, "threads: '2' is no whole number; give 1 or more"),
        ({"outputs": 5}, "outputs: 5 is no name; give a list of names"),
        ({"parameters": [1, 2]}, "parameters: [1, 2] has no names; give a dict of values by name"),
        ({"parameters": None}, "parameters: None has no names; give a dict of values by name"),
        *(
            ({"parameters": {"arm_mass": value}}, 'parameters, "arm_mass": no number and no list')
            for value in (None, [1.0, None], "1.0", ["1.0"], 1j, [1j], [[1.0], [1.0, 2.0]])
        ),
        ({"inputs": {"elbow.tau": None}}, 'inputs, "elbow.tau": some values are no finite numbers'),
        ({"inputs": 5}, "inputs: int is no table; give numbers, functions or columns by name"),
    ],
    ids=str,
)
def test_what_is_of_another_kind_is_told_as_all_else(asked, said):
    with pytest.raises(MbdFmuError) as refused:
        run_batch(SPECS["tree"], **{"parameters": {}, **asked})
    assert said in str(refused.value)


def test_inputs_and_outputs_are_said_as_of_a_single_run():
    """Numbers and functions are those of a table; a name is one name."""

    def run(inputs, **how):
        return run_batch(
            SPECS["tree"], {}, inputs=inputs, stop=STOP, step=STEP, outputs="elbow.q", **how
        )

    table = Trajectory(np.zeros(1), ("elbow.tau",), np.ones((1, 1)))
    assert run({"elbow.tau": 1.0}).names == ("elbow.q",)
    assert np.array_equal(run({"elbow.tau": 1.0}).values, run(table).values)
    t = run(None).time
    ramp = Trajectory(t, ("elbow.tau",), t[:, None])
    followed = run({"elbow.tau": lambda t: t}).values
    assert np.array_equal(followed, run(ramp, interpolate=True).values)


def test_no_cases_and_too_many_points_are_refused():
    with pytest.raises(MbdFmuError, match=r'parameters, "arm_mass": no cases'):
        run_batch(SPECS["tree"], {"arm_mass": []})
    with pytest.raises(MbdFmuError, match="communication points"):
        run_batch(SPECS["tree"], {}, stop=1.0, step=1e-9)
    late = Trajectory(np.ones(1), ("elbow.tau",), np.zeros((1, 1)))
    with pytest.raises(MbdFmuError, match="the inputs begin at 1 s"):
        run_batch(SPECS["tree"], {}, inputs=late)


# ---- Libraries ----


def test_a_library_is_made_once(monkeypatch):
    spec = SPECS["tree"]
    first = run_batch(spec, {}, stop=0.1, step=0.1)
    monkeypatch.setattr(batch_libraries, "_LOADED", {})  # as in another process
    monkeypatch.setattr(batch_libraries, "_made", lambda *_: pytest.fail("made again"))
    again = run_batch(spec, {}, stop=0.1, step=0.1)
    assert np.array_equal(bits(first.values), bits(again.values))


def test_only_libraries_that_were_used_last_stay(tmp_path, monkeypatch):
    monkeypatch.setenv(compiler_cache.CHOICE, str(tmp_path))
    keys = [bytes([k]) for k in range(5)]
    for k, key in enumerate(keys):
        compiler_cache.keep_object(key, b"library", compiler_cache.LIBRARIES, 3)
        path = tmp_path / "mbd_fmu_libraries" / key.hex()
        os.utime(path, (k, k))  # each older than the next
        if k == 2:
            assert compiler_cache.kept_object(keys[0], compiler_cache.LIBRARIES) == b"library"
    there = [compiler_cache.kept_object(key, compiler_cache.LIBRARIES) for key in keys]
    assert [found is not None for found in there] == [True, False, False, True, True]


def test_another_mechanism_or_solver_is_another_library():
    spec = SPECS["tree"]
    heavier = replace(spec, gravity=(0.0, 0.0, -20.0))
    looser = replace(spec, fmu=replace(spec.fmu, tolerance=1e-3))
    keys = {batch_libraries._key(system_of(s), "zig") for s in (spec, heavier, looser)}
    assert len(keys) == 3
    assert batch_libraries._key(system_of(spec), "zig") in keys


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss in kB")
def test_memory_does_not_grow_with_cases():
    spec, parameters, _ = CASES["tree"]

    def run(n):
        wide = {name: np.resize(values, n) for name, values in parameters.items()}
        wide["arm_mass"] = np.where(np.arange(n) % 7 == 3, 99.0, 1.0)  # some fail
        return run_batch(spec, wide, stop=0.1, step=0.05, outputs=["elbow.q"], keep="last")

    run(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5):
        assert len(run(2000).failed) == 286
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000
