"""Steps: closed forms, inputs that ramp, steps that fail, laziness, energy, threads."""

from __future__ import annotations

import itertools
import json
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.export.compile import host_platform
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import AUTO, KERNELS
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.emulators import compile_for
from tests.fmu import mechanisms
from tests.fmu.cases import CASES, Case, written
from tests.fmu.conftest import MakeInstance
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, Library
from tests.fmu.mechanisms import ROTOR_INERTIA

ROOT = Path(__file__).parents[2]
STEP = 0.01
JOINTS = ["shoulder.q", "elbow.q", "shoulder.qd", "elbow.qd"]


def run(instance: Instance, steps: int, length: float = STEP, first: int = 0) -> Instance:
    """Step on with the inputs as they are."""
    for k in range(first, first + steps):
        assert instance.step(k * length, length) == OK, instance.recorder.messages
    return instance


def largest(a: list[float], b: list[float]) -> float:
    return float(np.abs(np.subtract(a, b)).max())


# ---- Closed forms. Both solvers integrate polynomials of this degree without error of their own.


def test_a_constant_torque_turns_a_rotor_by_half_tau_t_squared_over_inertia(rotor, new):
    tau, stop = 0.7, 1.0
    instance = new(rotor).start({"axle.tau": tau})
    run(instance, 100)
    q, qd, qdd = instance.get(["axle.q", "axle.qd", "axle.qdd"])
    assert qdd == pytest.approx(tau / ROTOR_INERTIA, rel=1e-12)
    assert qd == pytest.approx(tau * stop / ROTOR_INERTIA, rel=1e-12)
    assert q == pytest.approx(tau * stop**2 / (2 * ROTOR_INERTIA), rel=1e-12)
    assert instance.one("energy.input_work") == pytest.approx(tau * q, rel=1e-12)
    assert instance.one("energy.kinetic") == pytest.approx(tau * q, rel=1e-12)


@pytest.mark.parametrize("steps", [1, 7])
def test_a_ramp_of_torque_acts_within_the_step(steps, rotor, new):
    # I theta'' = tau + rate t
    tau, rate, stop = 0.4, 3.0, 0.35
    length = stop / steps
    instance = new(rotor).start()
    for k in range(steps):
        assert instance.set({"axle.tau": tau + rate * k * length}) == OK
        assert instance.set_rates({"axle.tau": rate}) == OK
        assert instance.step(k * length, length) == OK
    omega = (tau * stop + rate * stop**2 / 2) / ROTOR_INERTIA
    theta = (tau * stop**2 / 2 + rate * stop**3 / 6) / ROTOR_INERTIA
    assert instance.get(["axle.q", "axle.qd"]) == pytest.approx([theta, omega], rel=1e-12)
    work = instance.one("energy.input_work")
    assert work == pytest.approx(ROTOR_INERTIA * omega**2 / 2, rel=1e-12)


def test_rates_of_inputs_are_used_for_one_step_only(rotor, new):
    tau, rate, length = 0.4, 3.0, 0.1
    instance = new(rotor).start({"axle.tau": tau})
    assert instance.set_rates({"axle.tau": rate}) == OK
    assert instance.step(0.0, length) == OK
    before = instance.one("axle.qd")
    assert instance.set({"axle.tau": tau}) == OK
    assert instance.step(length, length) == OK
    gain = instance.one("axle.qd") - before
    assert gain == pytest.approx(tau * length / ROTOR_INERTIA, rel=1e-12)


def test_the_last_rate_set_before_the_step_counts(rotor, new):
    instance = new(rotor).start()
    for rate in (100.0, 2.0):
        assert instance.set_rates({"axle.tau": rate}) == OK
    assert instance.step(0.0, 1.0) == OK
    assert instance.one("axle.qd") == pytest.approx(2.0 / 2 / ROTOR_INERTIA, rel=1e-12)


def test_rates_set_while_initializing_act_on_the_first_step(rotor, new):
    instance = new(rotor)
    assert (instance.setup(), instance.enter()) == (OK, OK)
    assert instance.set_rates({"axle.tau": 2.0}) == OK
    assert instance.leave() == OK
    assert instance.step(0.0, 1.0) == OK
    assert instance.one("axle.qd") == pytest.approx(2.0 / 2 / ROTOR_INERTIA, rel=1e-12)


def test_a_ramp_is_the_limit_of_short_steps_with_held_inputs(double_pendulum, new):
    rates, stop = {"shoulder.tau": 20.0, "elbow.tau": -8.0}, 0.2
    ramp = new(double_pendulum).start(tolerance=1e-11)
    assert ramp.set_rates(rates) == OK
    assert ramp.step(0.0, stop) == OK

    def error_of_holding(parts: int) -> float:
        held, length = new(double_pendulum).start(tolerance=1e-11), stop / parts
        for k in range(parts):
            middle = (k + 0.5) * length
            assert held.set({name: rate * middle for name, rate in rates.items()}) == OK
            assert held.step(k * length, length) == OK
        return largest(ramp.get(JOINTS), held.get(JOINTS))

    errors = [error_of_holding(parts) for parts in (1, 500, 1000)]
    assert errors[0] > 0.05
    # held at the middle of each step: an error of second order, here 5e-6 rad/s, quartered by
    # halving the step; what the tolerance of 1e-11 and higher orders add stays far below 5 %
    assert errors[1] < 1e-4
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def test_rates_of_inputs_act_within_the_step_whatever_the_mechanism(case, library, new):
    """One step with a rate, against many short ones with values held at their middle."""
    speed, stop, outputs = 4.0, 0.1, library.names("output")

    def end(parts: int, *, ramp: bool) -> list[float]:
        it, length = new(library).start(tolerance=1e-11), stop / parts
        for k in range(parts):
            told = speed * (k if ramp else k + 0.5) * length
            assert it.set({case.a: told}) == OK
            assert it.set_rates({case.a: speed if ramp else 0.0}) == OK
            assert it.step(k * length, length) == OK
        assert it.set({case.a: 0.0}) == OK  # compare the motion, not what feels the input at once
        return it.get(outputs)

    exact = end(1, ramp=True)
    # held at the middle of each step: an error of second order in the length of the steps
    coarse, fine = (largest(exact, end(parts, ramp=False)) for parts in (1, 100))
    assert coarse > 1e-6
    assert fine < 2e-3 * coarse
    assert largest(exact, end(7, ramp=True)) < 1e-6 * coarse + 1e-9


def test_a_free_body_falls_like_any_other(flyer, new):
    instance = new(flyer).start(tolerance=1e-10)
    (x, y, z), (u, v, w) = (instance.get([f"hull.{s}.{c}" for c in "xyz"]) for s in ("com", "v"))
    run(instance, 100)
    expected = [x + u, y + v, z + w - 9.81 / 2]
    # the solver keeps 1e-10 per internal step; there are some hundred of them
    assert instance.get([f"hull.com.{c}" for c in "xyz"]) == pytest.approx(expected, abs=1e-8)


def test_quaternions_keep_length_one(flyer, new):
    instance = new(flyer).start({"fly.tau[1]": 0.5})
    for k in range(200):
        assert instance.step(k * STEP, STEP) == OK
        for name in ("fly.q", "hull.quat"):
            quaternion = instance.get([f"{name}.{c}" for c in "wxyz"])
            assert math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-15)
    assert abs(instance.one("hull.quat.w")) < 0.9  # it has turned


def test_a_start_quaternion_with_few_digits_counts_by_its_direction(flyer, new):
    longer = run(new(flyer).start({"fly.q_start.w": 1.0078125}), 5)
    unit = run(new(flyer).start(), 5)
    outputs = flyer.names("output")
    assert longer.get(outputs) == unit.get(outputs)


@pytest.mark.parametrize(
    ("w", "text"),
    [(1e6, "has length 1e+06"), (0.0, "has length 0;"), (0.9, "has length 0.9"), (1e200, "inf")],
)
def test_a_start_quaternion_of_another_length_is_refused_by_the_name_of_its_joint(
    w, text, flyer, new
):
    """Not when it is set, for its components come one after the other, but when it is used."""
    instance = new(flyer)
    assert (instance.setup(), instance.enter(), instance.set({"fly.q_start.w": w})) == (OK, OK, OK)
    assert instance.recorder.messages == []
    for status in (instance.try_get(["hull.com.x"]), instance.leave()):
        assert status == ERROR
        said = instance.recorder.texts()[-1]
        assert 'joint "fly"' in said
        assert text in said
    assert instance.set({"fly.q_start.w": 0.8, "fly.q_start.x": -0.6}) == OK
    assert instance.leave() == OK
    assert instance.get(["fly.q.w", "fly.q.x"]) == pytest.approx([0.8, -0.6], abs=1e-15)


def test_the_python_road_refuses_the_same_start_quaternions(fmu_of):
    times = np.array([0.0, 0.01])
    with pytest.raises(DataError, match='joint "fly" has length 2; give one of length 1'):
        Run(system_of(spec_of_table(mechanisms.flyer(), "test")), {"fly.q_start.w": 2.0})
    with Fmu(fmu_of(mechanisms.flyer(), "python")) as fmu:
        with pytest.raises(FmuError):
            fmu.run(times, settings={"fly.q_start.w": 2.0})
        turned = {"fly.q_start.w": 0.8, "fly.q_start.x": -0.6}
        found = fmu.run(times, settings=turned).trajectory
    assert found.column("fly.q.w")[0] == pytest.approx(0.8, abs=1e-12)


# ---- Time


def test_a_step_ends_exactly_where_the_importer_says(library, new):
    instance = new(library).start()
    for k in range(50):
        assert instance.step(k * 0.1, 0.1) == OK
        assert instance.last_time() == k * 0.1 + 0.1


@pytest.mark.parametrize("direction", [-math.inf, math.inf])
def test_a_communication_point_off_by_one_ulp_is_accepted(direction, library, new):
    instance, twin = new(library).start(), new(library).start()
    time = 0.0
    for _ in range(20):
        assert instance.step(math.nextafter(time, direction), STEP) == OK
        assert twin.step(time, STEP) == OK
        time += STEP
    assert instance.everything() == twin.everything()


def test_time_is_the_importer_s_and_never_summed_up(double_pendulum, new):
    instance = new(double_pendulum).start()
    run(instance, 10_000, 0.1)
    assert instance.last_time() == 9_999 * 0.1 + 0.1
    assert abs(sum([0.1] * 10_000) - 1000.0) > 1000 * math.ulp(1000.0)  # as summing would have it


def test_a_step_is_not_taken_twice_late_in_the_day(library, new):
    instance = new(library).start(start=1.7e9)  # seconds since 1970
    assert instance.step(1.7e9, 0.001) == OK
    assert instance.step(1.7e9, 0.001) == ERROR


def test_the_motion_does_not_depend_on_when_it_starts(library, new):
    late, early = new(library).start(start=512.0), new(library).start()
    assert late.step(0.0, 0.125) == ERROR
    for k in range(8):  # binary fractions: both clocks are exact
        assert late.step(512.0 + k / 8, 1 / 8) == OK
        assert early.step(k / 8, 1 / 8) == OK
    assert late.everything() == early.everything()


def test_steps_may_sum_up_to_the_stop_time_with_rounding(library, new):
    instance = new(library).start(stop=0.3)
    time = 0.0
    for _ in range(3):
        assert instance.step(time, 0.1) == OK
        time += 0.1
    assert time > 0.3
    assert instance.step(time, 1e-3) == ERROR


def test_without_a_stop_time_there_is_no_end(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.step(0.0, 100.0) == OK
    assert instance.step(100.0, 0.1) == OK


def test_other_communication_steps_lead_to_the_same_state(double_pendulum, new):
    torque = {"shoulder.tau": 1.0, "elbow.tau": 0.2}
    lengths = [0.5, 0.003, 0.097, 1e-6, 0.2 - 1e-6, 0.15, 0.05]
    even = run(new(double_pendulum).start(torque, tolerance=1e-10), 100)
    uneven = new(double_pendulum).start(torque, tolerance=1e-10)
    time = 0.0
    for length in lengths:
        assert uneven.step(time, length) == OK
        time += length
    assert time == pytest.approx(1.0, abs=1e-15)
    # 1e-10 per internal step, of which there are some hundred, grows tenfold on the way
    assert largest(even.get(JOINTS), uneven.get(JOINTS)) < 1e-7


# ---- Solver settings


def test_the_importer_s_tolerance_replaces_the_parameter(double_pendulum, new):
    by_experiment = run(new(double_pendulum).start(tolerance=1e-9), 10)
    by_parameter = run(new(double_pendulum).start({"solver.tolerance": 1e-9}), 10)
    assert by_experiment.one("solver.tolerance") == 1e-9
    assert by_experiment.everything() == by_parameter.everything()


def test_a_smaller_tolerance_gives_a_smaller_error(double_pendulum, new):
    exact = run(new(double_pendulum).start(tolerance=1e-13), 1, 2.0).get(JOINTS)
    errors = [
        largest(run(new(double_pendulum).start(tolerance=tolerance), 1, 2.0).get(JOINTS), exact)
        for tolerance in (1e-3, 1e-5, 1e-7, 1e-9)
    ]
    assert all(fine < coarse / 10 for coarse, fine in itertools.pairwise(errors))


def test_rk4_has_order_four_in_its_step(rk4_pendulum, double_pendulum, new):
    exact = run(new(double_pendulum).start(tolerance=1e-13), 1, 0.32).get(JOINTS)
    coarse, fine = (
        largest(run(new(rk4_pendulum).start({"solver.step": h}), 1, 0.32).get(JOINTS), exact)
        for h in (0.004, 0.002)
    )
    # half the step, a sixteenth of the error; the next order adds or takes a share of the step
    assert coarse / fine == pytest.approx(16.0, rel=0.2)


# ---- Steps that fail


def fails_without_a_trace(case: Case, library: Library, new: MakeInstance) -> str:
    """Let a step fail and go on; return what was said."""
    good = {case.a: 0.5, case.b: 0.1, case.drive: 0.0}
    instance, twin = (run(new(library).start(good), 5) for _ in range(2))
    before, state = instance.everything(), written(instance)
    assert instance.set({case.drive: 1e300}) == OK

    assert instance.step(5 * STEP, STEP) == ERROR

    (text,) = instance.recorder.texts()
    assert f"the state is still that at t = {5 * STEP:.17g}" in text
    assert instance.last_time() == 5 * STEP
    assert instance.one(case.drive) == 1e300
    assert instance.set(good) == OK
    assert written(instance) == state
    assert instance.everything() == before
    assert run(instance, 5, first=5).everything() == run(twin, 5, first=5).everything()
    return text


def test_a_step_that_fails_names_a_state_and_leaves_everything_as_it_was(case, library, new):
    text = fails_without_a_trace(case, library, new)
    (name,) = re.findall(r"^fmi2DoStep: the motion of (\S+) cannot be followed", text)
    assert name in library.names("output")


def test_a_step_of_rk4_that_fails_leaves_everything_as_it_was(library_of, new):
    chain = CASES["chain"]
    text = fails_without_a_trace(chain, library_of(mechanisms.chain(solver="rk4")), new)
    assert any(f"motion of {name} cannot" in text for name in JOINTS)


def test_a_step_can_fail_again_and_again(case, library, new):
    instance, twin = (run(new(library).start(), 1) for _ in range(2))
    for _ in range(5):
        assert instance.set({case.drive: -1e250}) == OK
        assert instance.step(STEP, STEP) == ERROR
    assert instance.set({case.drive: 0.0}) == OK
    assert run(instance, 3, first=1).everything() == run(twin, 3, first=1).everything()


def test_after_a_failed_step_an_instance_can_be_terminated_or_reset(case, library, new):
    for ending in ("fmi2Terminate", "fmi2Reset"):
        instance = run(new(library).start(), 1)
        assert instance.set({case.drive: 1e300}) == OK
        assert instance.step(STEP, STEP) == ERROR
        assert instance.call(ending) == OK


def test_a_torque_beyond_all_numbers_is_refused_before_the_step(double_pendulum, new):
    instance = run(new(double_pendulum).start(), 1)
    assert instance.set({"elbow.tau": 1.7e308}) == OK
    assert instance.step(STEP, STEP) == ERROR
    assert instance.try_get(["elbow.qdd"]) == ERROR
    assert all("is not finite" in text for text in instance.recorder.texts())
    assert instance.try_get(["elbow.q", "elbow.qd"]) == OK  # they do not feel it


def test_a_failed_step_blames_the_branch_that_is_driven(two_branches, new):
    instance = run(new(two_branches).start(), 1)
    assert instance.set({"elbow.tau": 1e20}) == OK
    assert instance.step(STEP, STEP) == ERROR
    (text,) = instance.recorder.texts()
    assert "motion of shoulder." in text or "motion of elbow." in text


def test_a_failed_step_names_a_variable_of_the_fmu_also_in_flat_naming(flat_flyer, new):
    instance = run(new(flat_flyer).start(), 1)
    assert instance.set({"fly_tau_2": 1e300}) == OK
    assert instance.step(STEP, STEP) == ERROR
    (text,) = instance.recorder.texts()
    assert any(f"motion of {name} cannot" in text for name in flat_flyer.names("output"))


def test_a_hopeless_step_gives_up_soon_and_an_honest_long_one_survives(library_of, new):
    """A rotor on a spring, of inertia 1/4: at 1e12 Nm/rad its period is some microseconds."""
    library = library_of(mechanisms.sprung_rotor())
    hopeless = new(library).start({"stiffness": 1e12})
    before = hopeless.everything()
    assert hopeless.step(0.0, 1000.0) == ERROR
    text = hopeless.recorder.texts()[-1]
    assert "cannot be followed in reasonable time: after 100000 internal steps" in text
    assert 'solver = "stiff"' in text
    assert hopeless.everything() == before
    honest = new(library).start({"stiffness": 1.0}, tolerance=1e-9)
    assert honest.step(0.0, 1000.0) == OK  # 318 periods, some 20,000 internal steps
    # q = sin(2 t) / 2; errors of 1e-9 per internal step add up
    assert honest.one("axle.q") == pytest.approx(math.sin(2000.0) / 2, abs=1e-3)
    assert hopeless.step(0.0, 1e-5) == OK  # what can be followed goes on


def test_a_failed_step_of_rk4_blames_its_step_and_no_tolerance(rk4_pendulum, new):
    instance = new(rk4_pendulum).start()
    assert instance.set({"shoulder.tau": 1e300}) == OK
    assert instance.step(0.0, STEP) == ERROR
    text = instance.recorder.texts()[-1]
    assert "with steps of solver.step = " in text
    assert "tolerance" not in text


# ---- What could hang or crash runs in a process of its own

_CHILD = """
import json, sys
from pathlib import Path
from tests.fmu.ctypes_fmu import Instance, Library
fmu, folder = map(Path, sys.argv[1:3])
settings, lengths = map(json.loads, sys.argv[3:5])
instance = Instance(Library(fmu, folder)).start(settings)
time, statuses = 0.0, []
for length in lengths:
    statuses.append(instance.step(time, length))
    time += length if statuses[-1] == 0 else 0.0
print(json.dumps([statuses, instance.recorder.texts()]))
"""


def in_child(
    fmu: Path, folder: Path, settings: dict[str, float], lengths: list[float]
) -> tuple[list[int], list[str]]:
    """Return statuses and messages of some steps; a child that dies or hangs is an error."""
    arguments = [str(fmu), str(folder), json.dumps(settings), json.dumps(lengths)]
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *arguments],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
        timeout=5,  # the child needs a tenth of it
    )
    statuses, texts = json.loads(done.stdout)
    return statuses, texts


@pytest.mark.parametrize("solver", ["dopri5", "rk4"])
def test_the_very_first_step_may_fail_too(solver, fmu_of, tmp_path):
    fmu = fmu_of(mechanisms.double_pendulum(solver=solver))
    statuses, texts = in_child(fmu, tmp_path, {"elbow.tau": 1e300}, [STEP])
    assert statuses == [ERROR]
    assert "cannot be followed" in texts[0]


@pytest.mark.parametrize("solver", ["dopri5", "rk4"])
def test_a_step_longer_than_the_age_of_the_universe_is_refused(solver, fmu_of, tmp_path):
    fmu = fmu_of(mechanisms.double_pendulum(solver=solver))
    statuses, _ = in_child(fmu, tmp_path, {}, [1e300, STEP])
    assert statuses == [ERROR, OK]


@pytest.mark.parametrize("solver", ["dopri5", "rk4"])
def test_a_mechanism_without_states_can_be_stepped(solver, fmu_of, tmp_path):
    fmu = fmu_of(mechanisms.statue(solver=solver))
    assert in_child(fmu, tmp_path, {}, [STEP, STEP]) == ([OK, OK], [])


# ---- Laziness


def test_only_what_is_asked_for_is_computed(double_pendulum, new):
    instance = run(new(double_pendulum).start(), 1)
    assert instance.debug([b"logEvaluations"]) == OK
    assert instance.set({"elbow.tau": 0.3}) == OK

    def computed(name: str) -> list[str]:
        instance.recorder.messages.clear()
        instance.one(name)
        return [text.split(" at t = ")[0] for text in instance.recorder.texts("logEvaluations")]

    assert computed("elbow.tau") == []
    assert computed("elbow.q") == ["positions"]
    assert computed("lower.com.x") == []  # done already
    assert computed("elbow.qd") == ["velocities"]
    assert computed("energy.kinetic") == ["energies"]
    assert computed("elbow.force.x") == ["derivatives", "reactions"]
    assert computed("elbow.qdd") == ["accelerations"]
    assert computed("elbow.torque.z") == []


def test_an_input_that_does_not_change_costs_nothing(double_pendulum, new):
    instance = run(new(double_pendulum).start({"elbow.tau": 0.3}), 1)
    instance.everything()
    assert instance.debug([b"logEvaluations"]) == OK
    assert instance.set({"elbow.tau": 0.3}) == OK
    instance.everything()
    assert instance.recorder.messages == []
    assert instance.set({"elbow.tau": 0.4}) == OK
    instance.everything()
    assert instance.recorder.texts()


def test_a_step_reports_what_it_took(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.debug([b"logEvaluations"]) == OK
    assert instance.step(0.0, STEP) == OK
    (text,) = instance.recorder.texts("logEvaluations")
    assert text.startswith("step to t = 0.01")
    assert "evaluations" in text


def test_asking_for_outputs_does_not_disturb_the_motion(double_pendulum, new):
    asked, left_alone = new(double_pendulum).start(), new(double_pendulum).start()
    for k in range(20):
        asked.everything()
        for instance in (asked, left_alone):
            assert instance.set({"elbow.tau": 0.1 * k}) == OK
            assert instance.step(k * STEP, STEP) == OK
        asked.everything()
    assert asked.everything() == left_alone.everything()


# ---- Energy


@pytest.mark.parametrize("name", ["double_pendulum", "rk4_pendulum", "flyer"])
def test_the_books_of_energy_balance(name, request, new):
    library: Library = request.getfixturevalue(name)
    inputs = library.names("input")
    books = [f"energy.{part}" for part in ("kinetic", "potential", "input_work", "dissipated")]
    instance = new(library).start(tolerance=1e-10)

    def balance():
        kinetic, potential, work, dissipated = instance.get(books)
        return kinetic + potential - work + dissipated

    start = balance()
    assert instance.get(books)[2:] == [0.0, 0.0]
    for k in range(200):
        torque = {n: math.sin(0.05 * k + j) for j, n in enumerate(inputs)}
        rates = {n: 5.0 * math.cos(0.05 * k + j) for j, n in enumerate(inputs)}
        assert instance.set(torque) == OK
        assert instance.set_rates(rates) == OK
        assert instance.step(k * STEP, STEP) == OK
        # 1e-10 per internal step of dopri5, h^4 = 1e-12 of rk4, both times hundreds of steps
        assert balance() == pytest.approx(start, abs=1e-7)
    work, dissipated = instance.get(books)[2:]
    assert abs(work) > 0.1
    assert dissipated > 0.01 or "elbow.q" not in library.reference


# ---- Threads


def test_eight_threads_with_their_own_instances_equal_one_after_the_other(double_pendulum):
    workers = 8

    def simulate(n: int, wait=lambda: None) -> bytes:
        instance = Instance(double_pendulum).start({"arm_mass": 1.0 + 0.1 * n})
        wait()
        found = []
        for k in range(200):
            assert instance.set({"elbow.tau": math.sin(0.1 * k + n)}) == OK
            assert instance.step(k * STEP, STEP) == OK
            found.append(instance.everything())
        instance.free()
        return b"".join(found)

    serial = [simulate(n) for n in range(workers)]
    assert len(set(serial)) == workers
    barrier = Barrier(workers)
    with ThreadPoolExecutor(workers) as pool:
        parallel = list(pool.map(lambda n: simulate(n, barrier.wait), range(workers)))
    assert parallel == serial


def test_two_threads_of_two_fmus_do_not_meet(double_pendulum, library_of):
    rotor = library_of(mechanisms.rotor())

    def simulate(library: Library) -> bytes:
        instance = Instance(library).start({library.names("input")[0]: 0.5})
        state = run(instance, 300).everything()
        instance.free()
        return state

    libraries = [double_pendulum, rotor] * 4
    serial = [simulate(library) for library in libraries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(simulate, libraries)) == serial


# ---- The Python back end, without the library around it


def slave_of(table, tmp_path):
    from mbd_fmu.reference.slave import MechanismSlave

    file = tmp_path / "model.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    return type("Slave", (MechanismSlave,), {"model": file})(instance_name="test")


def value_of(slave, name: str) -> float:
    names = [variable.name for variable in slave.table.variables]
    return slave.get_real([names.index(name)])[0]


def test_the_python_slave_takes_the_importer_s_tolerance(tmp_path):
    slave = slave_of(mechanisms.rotor(), tmp_path)
    slave.setup_experiment(0.0, None, 1e-3)
    assert value_of(slave, "solver.tolerance") == 1e-3


def test_the_importer_s_tolerance_is_not_taken_for_a_parameter_of_similar_name(tmp_path):
    table = mechanisms.rotor()
    table["parameters"] = {"solver_tolerance": 7.0}
    table["body"][0]["mass"] = "solver_tolerance"
    slave = slave_of(table, tmp_path)
    slave.setup_experiment(0.0, None, 1e-3)
    assert value_of(slave, "solver_tolerance") == 7.0


def test_the_python_slave_takes_no_step_backwards(tmp_path):
    slave = slave_of(mechanisms.double_pendulum(), tmp_path)
    slave.setup_experiment(0.0)
    slave.exit_initialization_mode()
    before = value_of(slave, "elbow.q")
    try:
        done = slave.do_step(0.0, -STEP)
    except ValueError:
        done = False
    assert not done
    assert value_of(slave, "elbow.q") == before


# ---- Memory


@pytest.mark.parametrize("shape", ["double_pendulum", "four_bar", "disc"])
def test_equal_steps_take_four_evaluations_each(shape, library_of, new):
    """What a bound on the time of a step is made of."""
    it = new(library_of(getattr(mechanisms, shape)(solver="rk4", step=1e-3)))
    assert it.debug([b"logEvaluations"]) == OK
    it.start()
    for n in range(5):
        assert it.step(n * 0.0137, 0.0137) == OK
    steps = [t for t in it.recorder.texts("logEvaluations") if "internal steps" in t]
    assert len(steps) == 5
    assert all(t.endswith(": 14 internal steps, 56 evaluations, 0 Jacobians") for t in steps)


@pytest.mark.skipif(sys.platform != "linux", reason="counts by names of glibc")
@pytest.mark.parametrize(
    ("table", "code"),
    [
        *(pytest.param(case.table, AUTO, id=name) for name, case in CASES.items()),
        pytest.param(mechanisms.double_pendulum(solver="rk4"), AUTO, id="rk4"),
        pytest.param(mechanisms.loop(solver="stiff"), AUTO, id="stiff"),
        pytest.param(mechanisms.chain(), KERNELS, id="kernels"),
        pytest.param(mechanisms.parallelogram(), AUTO, id="singular"),
    ],
)
def test_nothing_is_allocated_while_it_runs(table, code, fmu_of, tmp_path):
    """From initialization on; only a state that is kept takes memory, and not twice.

    The parallelogram passes its singular position within the steps that are taken.
    An instance takes two pieces; where one of them is refused, there is none, and no crash.
    """
    library = Library(fmu_of(table, code=code), tmp_path)
    source = Path(__file__).with_name("allocations.c")
    program = compile_for(host_platform().name, tmp_path, [source])
    inputs = library.names("input")
    numbers = (len(library.variables), library.reference[inputs[0]], len(inputs))
    command = [str(program), str(library.file), library.guid, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert done.stdout == "2 0 1 0\n"
