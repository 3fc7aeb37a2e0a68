"""Time in the FMU: whose clock counts, where it begins, and what asks for it."""

from __future__ import annotations

import fmpy
import fmpy.validation
import numpy as np
import pytest

from mbd_fmu import build_fmu, run_batch, simulate
from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import KERNELS
from mbd_fmu.quantities.functions import FUNCTIONS
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.fmu import mechanisms, timed
from tests.fmu.ctypes_fmu import OK
from tests.fmu.exchange import Exchange, directional

SHAPES = {"tree": timed.timed, "loop": timed.timed_crank}
PUSH = 1.5  # of the drive push cos(4 t)


def drive(t):
    return PUSH * np.cos(4 * t)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("solver", ["dopri5", "rk4", "stiff"])
def test_numpy_and_the_fmu_go_the_same_way(shape, solver, fmu_of):
    table = SHAPES[shape](solver=solver, tolerance=1e-8)
    ours = simulate(spec_of_table(table, "test"), stop=0.3, step=0.03)
    with Fmu(fmu_of(table)) as fmu:
        native = fmu.run(ours.time, tolerance=1e-8).trajectory
    # the stiff method has its Jacobian by differences in NumPy: other steps, the same tolerance
    allowed = 1e-5 if solver == "stiff" else 1e-9
    for name in ours.names:
        size = 1 + np.abs(ours.column(name)).max()
        assert native.column(name) == pytest.approx(ours.column(name), abs=allowed * size), name


@pytest.mark.parametrize("shape", SHAPES)
def test_the_python_fmu_goes_the_same_way(shape, fmu_of):
    table, times = SHAPES[shape](), np.linspace(0, 0.2, 6)
    with Fmu(fmu_of(table)) as fmu:
        native = fmu.run(times, tolerance=1e-6).trajectory
    with Fmu(fmu_of(table, "python")) as fmu:
        python = fmu.run(times, tolerance=1e-6).trajectory
    for name in native.names:
        size = 1 + np.abs(native.column(name)).max()
        assert python.column(name) == pytest.approx(native.column(name), abs=1e-9 * size), name


def test_the_clock_begins_where_the_importer_says(library_of, new):
    it = new(library_of(timed.timed()))
    assert (it.setup(start=2.5), it.enter(), it.leave()) == (OK, OK, OK)
    assert it.one("elbow.tau") == pytest.approx(drive(2.5), abs=1e-15)
    for k in range(3):
        assert it.step(2.5 + 0.1 * k, 0.1) == OK
        assert it.one("elbow.tau") == pytest.approx(drive(2.5 + 0.1 * (k + 1)), abs=1e-14)
        assert it.one("base.r.x") == pytest.approx(0.1 * np.sin(3 * (2.6 + 0.1 * k)), abs=1e-14)


def test_a_loop_is_assembled_where_the_clock_begins(library_of, new):
    it = new(library_of(timed.timed_crank()))
    assert (it.setup(start=0.6), it.enter(), it.leave()) == (OK, OK, OK)
    assert it.one("a.q") == pytest.approx(0.2 * np.sin(1.2) + 0.3, abs=1e-15)
    assert abs(it.one("constraint.position_error")) < 1e-12
    assert it.step(0.6, 0.1) == OK
    assert it.one("a.qd") == pytest.approx(0.4 * np.cos(1.4) + 0.5, abs=1e-14)


def test_a_later_start_in_numpy_is_that_of_the_fmu(library_of, new):
    run = Run(system_of(spec_of_table(timed.timed(), "test")))
    run.time = 2.5
    run.restart()
    it = new(library_of(timed.timed())).start(start=2.5)
    names = [v.name for v in run.system.table.outputs]
    for k in range(3):
        # one road rounds as the other; sines of the C library may differ in the last digit
        assert run.outputs() == pytest.approx(np.array(it.get(names)), rel=1e-10, abs=1e-10)
        run.step(0.1)
        assert it.step(2.5 + 0.1 * k, 0.1) == OK


def test_derivatives_hang_on_the_time_that_an_importer_sets(library_of):
    it = Exchange(library_of(timed.timed())).run()
    x, h = it.x, 1e-5
    seen = []
    for t in (0.4, 0.4 - h, 0.4 + h, 0.4):
        assert it.call("fmi2SetTime", t) == OK
        seen.append((it.derivatives(), it.one("elbow.tau")))
    (one, tau), (_, below), (_, above), (again, _) = seen
    assert np.array_equal(one, again)
    assert tau == pytest.approx(drive(0.4), abs=1e-15)
    assert (above - below) / (2 * h) == pytest.approx(-4 * PUSH * np.sin(1.6), abs=1e-8)
    assert np.abs(seen[1][0] - one).max() > 0.0
    assert np.array_equal(it.x, x)
    it.free()


def test_steps_of_any_length_see_the_same_time(library_of, new):
    """Internal steps are counted from the importer's clock, not from the last one."""
    library = library_of(timed.timed(tolerance=1e-10))
    ends = []
    for n in (1, 7, 40):
        it = new(library).start(tolerance=1e-10)
        for k in range(n):
            assert it.step(k * 0.4 / n, 0.4 / n) == OK
        ends.append(it.get(["shoulder.q", "elbow.q", "lower.r.z"]))
    assert np.ptp(ends, axis=0).max() < 1e-7  # 1e-10 in each internal step


@pytest.mark.parametrize("shape", SHAPES)
def test_fmpy_finds_nothing_to_say(shape, fmu_of):
    assert fmpy.validation.validate_fmu(str(fmu_of(SHAPES[shape]()))) == []


def test_nothing_of_this_is_an_input_and_what_it_takes_is_put_out(fmu_of):
    description = fmpy.read_model_description(str(fmu_of(timed.timed())))
    kinds = {v.name: v.causality for v in description.modelVariables}
    inputs = {name for name, kind in kinds.items() if kind == "input"}
    assert inputs == {"shoulder.tau"}
    for name in ("base.r.x", "base.quat.w", "base.alpha.z", "base.force.x", "elbow.tau"):
        assert kinds[name] == "output"


def test_kernels_say_what_straight_code_says(fmu_of, tmp_path):
    """The code of large mechanisms, forced upon a small one, has the same time in it."""

    table, times = timed.timed(), np.linspace(0, 0.2, 6)
    path = build_fmu(spec_of_table(table, "test"), tmp_path / "k.fmu", code=KERNELS).path
    runs = []
    for file in (fmu_of(table), path):
        with Fmu(file) as fmu:
            runs.append(fmu.run(times, tolerance=1e-8).trajectory)
    for name in runs[0].names:
        size = 1 + np.abs(runs[0].column(name)).max()
        assert runs[1].column(name) == pytest.approx(runs[0].column(name), abs=1e-7 * size), name


CALLS = {
    **{name: f"{name}(0.3*q + 0.1*time)" for name, f in FUNCTIONS.items() if f.most == 1},
    "sqrt": "sqrt(2 + q)",
    "log": "log(2 + q)",
    "sign": "q*sign(qd - 3)",
    "unit_step": "q*unit_step(time - 0.05)",
    "atan2": "atan2(q, 1 + qd)",
    "min": "min(q, qd, 2*time)",
    "max": "max(q**3, 0.1*qd, -time)",
    "smooth_step": "smooth_step(q + time, -0.5, 2)",
}


def all_functions(**fmu):
    table = mechanisms.rotor(**fmu)
    table["joint"][0] |= {"position": 0.4, "velocity": 0.7, "drive": "none"}
    law = {"name": "law", "type": "joint_law", "joint": "axle"}
    table["force"] = [law | {"effort": " + ".join(CALLS.values())}]
    return table


def test_every_function_says_in_c_and_in_lanes_what_it_says_in_numpy(fmu_of):
    assert CALLS.keys() == FUNCTIONS.keys()
    table = all_functions(tolerance=1e-9)
    spec = spec_of_table(table, "test")
    ours = simulate(spec, stop=0.2, step=0.02)
    with Fmu(fmu_of(table)) as fmu:
        native = fmu.run(ours.time, tolerance=1e-9).trajectory
    for name in ours.names:
        assert native.column(name) == pytest.approx(ours.column(name), abs=1e-10), name
    cases = {"axle.qd_start": 0.7 + 0.05 * np.arange(9)}
    lanes, alone = (
        run_batch(spec, cases, stop=0.2, step=0.02, lanes=lanes) for lanes in (True, False)
    )
    assert np.array_equal(lanes.values.view(np.int64), alone.values.view(np.int64))


def test_every_function_has_its_derivative(library_of):
    it = Exchange(library_of(all_functions())).run()
    assert it.call("fmi2SetTime", 0.3) == OK
    x, h = it.x, 1e-5
    for k, state in enumerate(it.states[:2]):
        found = directional(it, it.rates, {state: 1.0})
        sides = []
        for sign in (1.0, -1.0):
            it.x = x + sign * h * np.eye(it.n)[k]
            sides.append(it.derivatives())
        it.x = x
        # central differences: h^2, and rounding / h
        assert found == pytest.approx((sides[0] - sides[1]) / (2 * h), abs=1e-7)
    it.free()


def test_a_mechanism_without_time_has_none_in_its_code():
    for table, has_time in ((mechanisms.told_crank(), False), (timed.timed_crank(), True)):
        system = system_of(spec_of_table(table, "test"))
        text = model_sources(system, symbols_of(system))["model.c"]
        assert (".has_time = 1" in text) is has_time
        assert ("prescribed_motions" in text) is not has_time  # no tracks: nothing is told
