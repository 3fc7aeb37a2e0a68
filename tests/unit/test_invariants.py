"""Laws of motion, judged on outputs whose faults are known beforehand."""

import numpy as np
import pytest

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.invariants import Invariant, invariants_of

TIME = np.linspace(0.0, 2.0, 201)


def signals(**columns):
    names = tuple(name.replace("__", ".") for name in columns)
    return Trajectory(TIME, names, np.stack([np.broadcast_to(c, 201) for c in columns.values()], 1))


def energies(**faults):
    """A swing between kinetic and potential energy of 2 J."""
    parts = {"kinetic": 1 - np.cos(TIME), "potential": np.cos(TIME), "input_work": 0.0}
    parts = parts | {"dissipated": 0.0} | faults
    return {f"energy__{name}": value for name, value in parts.items()}


def law(result, name):
    (found,) = [i for i in invariants_of(result, 1e-6) if i.name == name]
    return found


def test_what_is_not_put_out_is_not_judged():
    assert invariants_of(signals(pin__q=TIME), 1e-6) == []


def test_an_energy_that_balances_passes_and_one_that_leaks_fails():
    assert law(signals(**energies()), "energy balance").passed
    leak = law(signals(**energies(dissipated=-1e-3 * TIME)), "energy balance")
    # 2 mJ leave over 2 s; kinetic energy moves by 1 - cos 2
    assert leak.worst == pytest.approx(2e-3 / (1 - np.cos(2.0)), rel=1e-9)
    assert not leak.passed


@pytest.mark.parametrize(("error", "passed"), [(1.9e-6, True), (2.1e-6, False)])
def test_an_open_loop_is_held_against_the_size_of_the_mechanism(error, passed):
    """A mass centre that gets two metres away allows two micrometres."""
    result = signals(rod__com__x=TIME, constraint__position_error=error)
    found = law(result, "constraint.position_error")
    assert (found.worst, found.allowed) == (error, pytest.approx(2e-6, rel=1e-12))
    assert found.passed is passed


@pytest.mark.parametrize(("error", "passed"), [(2.9e-6, True), (3.1e-6, False)])
def test_a_loop_that_opens_is_held_against_the_speed_of_the_mechanism(error, passed):
    """A mass centre that moves at 3 m/s allows three micrometres per second."""
    result = signals(rod__com__x=3.0 * TIME - 3.0, constraint__velocity_error=error)
    assert law(result, "constraint.velocity_error").passed is passed


def test_without_positions_a_loop_is_held_against_one_metre():
    result = signals(constraint__position_error=1e-7, constraint__velocity_error=1e-5)
    assert law(result, "constraint.position_error").passed
    assert not law(result, "constraint.velocity_error").passed


def test_a_mechanism_at_rest_has_a_speed_to_hold_errors_against():
    result = signals(rod__com__x=1.0, constraint__velocity_error=1e-7)
    assert law(result, "constraint.velocity_error").allowed == pytest.approx(0.5e-6)  # 1 m in 2 s


@pytest.mark.parametrize("dot", [".", "_"])
def test_every_quaternion_has_length_one(dot):
    names = [f"a{dot}quat{dot}{c}" for c in "wxyz"] + [f"b{dot}quat{dot}{c}" for c in "wxyz"]
    good = np.stack([np.cos(TIME), np.sin(TIME), 0 * TIME, 0 * TIME], axis=1)
    result = Trajectory(TIME, tuple(names), np.hstack([good, good]))
    assert law(result, "length of quaternions").passed
    stretched = Trajectory(TIME, tuple(names), np.hstack([good, (1 + 1e-9) * good]))
    found = law(stretched, "length of quaternions")
    assert found.worst == pytest.approx(1e-9, rel=1e-6)
    assert not found.passed


def test_what_is_no_number_breaks_every_law():
    assert not Invariant("it", np.nan, 1.0, "1", "").passed


def test_a_law_tells_what_is_allowed_and_why():
    broken = Invariant("constraint.position_error", 0.5, 1e-6, "m", "1e-06 of the largest rod")
    assert str(broken) == (
        "constraint.position_error: off by 0.5 m; allowed 1e-06, 1e-06 of the largest rod"
    )
