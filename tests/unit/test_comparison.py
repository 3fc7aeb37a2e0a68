"""Errors of known perturbations, in units and relative."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.comparison import compare, energy_drift

law = settings(derandomize=True, deadline=None)
TIME = np.linspace(0, 2 * np.pi, 401)  # its points include the extremes of sine and cosine
QUAT = [f"rod.quat.{c}" for c in "wxyz"]


def signals(**columns):
    names = tuple(name.replace("__", ".") for name in columns)
    values = [np.broadcast_to(column, TIME.shape) for column in columns.values()]
    return Trajectory(TIME, names, np.stack(values, axis=1))


def turning(angle):
    """Quaternion of a turn about the axis (0, 3, 4)/5."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    return Trajectory(TIME, tuple(QUAT), np.stack([c, 0 * s, 0.6 * s, 0.8 * s], axis=1))


def flipped(trajectory, where):
    return replace(trajectory, values=np.where(where[:, None], -1, 1) * trajectory.values)


def worst(result, reference):
    return max(error.max_relative for error in compare(result, reference))


def test_a_result_that_is_its_reference_has_no_error():
    reference = signals(pin__q=np.sin(TIME), pin__qd=np.cos(TIME))
    assert [(e.name, e.max, e.rms) for e in compare(reference, reference)] == [
        ("pin.q", 0, 0),
        ("pin.qd", 0, 0),
    ]


@pytest.mark.parametrize("amplitude", [1e-3, 1.0, 1e4])
def test_a_fifth_too_much_amplitude_is_a_tenth_of_the_range(amplitude):
    wave = amplitude * np.sin(TIME)
    (error,) = compare(signals(a=1.2 * wave), signals(a=wave))
    assert error.scale == pytest.approx(2 * amplitude, rel=1e-12)
    assert error.max == pytest.approx(0.2 * amplitude, rel=1e-12)
    assert error.max_relative == pytest.approx(0.1, rel=1e-12)
    # 400 of 401 points cover the period evenly, where sin^2 has the mean 1/2; the last one is 0.
    assert error.rms_relative == pytest.approx(0.1 * np.sqrt(200 / 401), rel=1e-12)


@law
@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_relative_errors_depend_neither_on_the_unit_nor_on_the_zero_point(shift, unit):
    wave, off = np.sin(TIME), np.sin(TIME) + 1e-2 * np.cos(3 * TIME)
    (plain,) = compare(signals(a=off), signals(a=wave))
    (moved,) = compare(signals(a=shift + unit * off), signals(a=shift + unit * wave))
    # A shift of up to 1e6 units costs six digits of sixteen, of an error of 1e-2.
    assert moved.max_relative == pytest.approx(plain.max_relative, rel=1e-7)


def test_each_signal_is_held_against_its_own_range():
    reference = signals(a=np.sin(TIME), b=1e3 * np.sin(TIME))
    result = signals(a=np.sin(TIME) + 0.1, b=1e3 * np.sin(TIME))
    assert [e.max_relative for e in compare(result, reference)] == pytest.approx([0.05, 0])


def test_a_component_that_hardly_moves_is_held_against_its_vector():
    reference = signals(pin__force__x=100 * np.sin(TIME), pin__force__z=1e-12 * np.cos(TIME))
    result = signals(pin__force__x=100 * np.sin(TIME), pin__force__z=-1e-12 * np.cos(TIME))
    x, z = compare(result, reference)
    assert z.scale == x.scale == pytest.approx(200, rel=1e-12)
    assert z.max_relative == pytest.approx(1e-14, rel=1e-12)
    wrong = signals(pin__force__x=100 * np.sin(TIME), pin__force__z=20.0)
    assert worst(wrong, reference) == pytest.approx(0.1, rel=1e-12)


def test_a_component_that_hardly_moves_is_not_held_against_another_vector():
    reference = signals(pin__force__x=100 * np.sin(TIME), pin__torque__z=2.0)
    result = signals(pin__force__x=100 * np.sin(TIME), pin__torque__z=2.2)
    assert worst(result, reference) == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize(("constant", "scale"), [(5.0, 5.0), (-5.0, 5.0), (0.0, 1.0)])
def test_a_constant_is_held_against_its_size_and_a_zero_against_one(constant, scale):
    (error,) = compare(signals(a=constant + 0.1), signals(a=constant))
    assert error.scale == scale
    assert error.max == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize("where", [TIME >= 0, TIME > 3, np.sin(40 * TIME) > 0])
def test_flipping_the_sign_of_a_quaternion_does_not_matter(where):
    reference = turning(3 * np.sin(TIME))
    assert worst(flipped(reference, where), reference) == 0
    assert worst(reference, flipped(reference, where)) == 0


def test_a_wrong_turn_is_an_error_whatever_its_sign():
    reference, result = turning(np.sin(TIME)), turning(1.2 * np.sin(TIME))
    assert worst(flipped(result, TIME >= 0), reference) == worst(result, reference) > 0.1


def test_other_vectors_do_matter_with_their_sign():
    reference = signals(rod__r__x=np.sin(TIME), rod__r__y=np.cos(TIME), rod__r__z=1.0)
    assert worst(flipped(reference, TIME >= 0), reference) == 1


def test_only_the_signals_and_times_of_the_reference_count():
    fine = signals(b=np.cos(TIME), a=np.sin(TIME))
    coarse = Trajectory(TIME[::8], ("a",), np.sin(TIME[::8, None]))
    (error,) = compare(fine, coarse)
    assert (error.name, error.max) == ("a", 0)


def test_a_result_that_is_no_number_has_no_small_error():
    (error,) = compare(signals(a=np.where(TIME > 3, np.nan, 0)), signals(a=0.0))
    assert not error.max_relative <= 1e300


def test_signals_the_result_lacks_are_all_named():
    with pytest.raises(DataError) as caught:
        compare(signals(a=0.0), signals(a=0.0, b=0.0, c=0.0))
    assert str(caught.value) == (
        "the reference has signals the FMU has not: b, c; "
        "rename the columns or add the output group"
    )


def test_a_result_that_ends_before_its_reference_is_refused():
    whole = signals(a=np.sin(TIME))
    half = Trajectory(TIME[:200], ("a",), whole.values[:200])
    with pytest.raises(DataError, match="does not cover the times of the reference"):
        compare(half, whole)


def energies(kinetic=0.0, potential=0.0, input_work=0.0, dissipated=0.0, separator="__"):
    parts = {
        "kinetic": kinetic,
        "potential": potential,
        "input_work": input_work,
        "dissipated": dissipated,
    }
    return signals(**{f"energy{separator}{name}": part for name, part in parts.items()})


@pytest.mark.parametrize("separator", ["__", "_"])
def test_energy_that_only_changes_its_form_does_not_drift(separator):
    # A pendulum swings, is pushed with sin^2 and braked with t.
    result = energies(
        kinetic=np.cos(TIME) ** 2 + np.sin(TIME) ** 2 - TIME,
        potential=np.sin(TIME) ** 2,
        input_work=np.sin(TIME) ** 2,
        dissipated=TIME,
        separator=separator,
    )
    assert_allclose(energy_drift(result), (0, 0), atol=1e-14)


@pytest.mark.parametrize("zero", [0.0, 1000.0])
def test_drift_is_given_in_joule_and_relative_to_the_energy_that_moves(zero):
    result = energies(
        kinetic=4 * np.cos(TIME) ** 2,
        potential=4 * np.sin(TIME) ** 2 + zero,
        dissipated=0.1 * TIME / TIME[-1],
    )
    # Adding 1000 J costs four digits of sixteen.
    assert energy_drift(result) == pytest.approx((0.1, 0.025), rel=1e-10)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("part", ["kinetic", "potential", "input_work", "dissipated"])
def test_no_part_of_the_energy_is_left_out_of_the_balance(part, sign):
    drift, relative = energy_drift(energies(**{part: sign * TIME}))
    assert drift == pytest.approx(2 * np.pi, rel=1e-12)
    assert relative == pytest.approx(1, rel=1e-12)


def test_without_energies_there_is_no_verdict_on_them():
    assert energy_drift(signals(pin__q=0.0, energy__kinetic=1.0)) is None


def test_a_mechanism_at_rest_is_in_balance():
    assert energy_drift(energies(potential=5.0)) == (0, 0)


def test_flat_names_of_quaternions_are_quaternions_too():
    names = tuple(name.replace(".", "_") for name in QUAT)
    reference = replace(turning(np.sin(TIME)), names=names)
    assert worst(flipped(reference, TIME > 3), reference) == 0


def test_a_flip_half_way_does_not_make_the_scale_larger():
    reference, result = turning(0.01 * np.sin(TIME)), turning(0.012 * np.sin(TIME))
    plain = worst(result, reference)
    assert worst(flipped(result, TIME > 3), reference) == pytest.approx(plain, rel=1e-12)
    assert worst(result, flipped(reference, TIME > 3)) == pytest.approx(plain, rel=1e-12)


def test_rounding_of_a_constant_energy_is_no_drift():
    rounding = np.where(TIME > 3, np.spacing(5.0), 0)
    assert energy_drift(energies(potential=5.0 + rounding))[1] < 1e-12


def test_an_energy_that_is_no_number_is_not_in_balance():
    assert not energy_drift(energies(kinetic=np.where(TIME > 3, np.nan, 1)))[1] <= 1e-6


def test_a_vector_that_is_zero_but_for_rounding_is_held_against_one_unit():
    reference = signals(pin__torque__x=1e-13 * np.sin(TIME), pin__torque__y=0.0)
    result = signals(pin__torque__x=0.0, pin__torque__y=0.1)
    assert [e.scale for e in compare(result, reference)] == [1, 1]
    assert worst(result, reference) == pytest.approx(0.1, rel=1e-12)


def test_a_reference_beyond_all_numbers_is_not_met():
    """Its range would be infinite, and every error small beside it."""
    huge = np.where(np.arange(len(TIME)) % 2, 1e308, -1e308)
    assert worst(signals(pin__q=np.sin(TIME)), signals(pin__q=huge)) > 0.5
