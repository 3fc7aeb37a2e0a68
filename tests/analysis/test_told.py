"""Columns become rates: splines reproduce what they can, and columns of rates are taken as said."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.analysis.drivers import drivers_of
from mbd_fmu.analysis.told import DEGREE, told, told_inputs, with_rates
from mbd_fmu.errors import DataError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of

TIME = np.linspace(0.0, 1.0, 41)


def system(kind="revolute", **keys):
    m = Mechanism("m")
    m.body("part", mass=1.0, com=[0.1, 0, 0], inertia=np.diag([1.0, 2.0, 2.5]))
    axis = {"axis": [0, 0, 1]} if kind == "revolute" else {}
    m.joint("j", kind, "ground", "part", point=[0, 0, 0], **axis, **keys)
    return system_of(m.spec())


def driver(name, of):
    return next(d for d in drivers_of(of) if name in d.columns)


def test_a_spline_reproduces_polynomials_of_its_degree():
    powers = np.arange(DEGREE + 1)
    table = Trajectory(TIME, ("j.q",), (TIME[:, None] ** powers).sum(axis=1)[:, None])
    found = told(driver("j.q", system()), table)
    first = sum(k * TIME ** (k - 1) for k in powers[1:])
    second = sum(k * (k - 1) * TIME ** (k - 2) for k in powers[2:])
    # rounding, over the distance of the rows and its square
    assert np.abs(found.rate[:, 0] - first).max() <= 1e-11
    assert np.abs(found.acceleration[:, 0] - second).max() <= 1e-9


def test_columns_of_rates_are_taken_as_they_are():
    names, values = ("j.q", "j.qd", "j.qdd"), np.column_stack([TIME, 7 + 0 * TIME, TIME**2])
    found = told(driver("j.q", system()), Trajectory(TIME, names, values))
    assert np.array_equal(found.rate[:, 0], values[:, 1])
    assert np.array_equal(found.acceleration[:, 0], values[:, 2])
    of_velocity = told(driver("j.q", system()), Trajectory(TIME, names[:2], np.column_stack(
        [TIME, np.sin(TIME)])))  # fmt: skip
    # the error of the spline falls with the sixth power of the distance: (1/40)^5 and less
    assert np.abs(of_velocity.acceleration[:, 0] - np.cos(TIME)).max() <= 1e-8


@pytest.mark.parametrize(("kind", "name"), [("spherical", "j.q.w"), ("free", "j.q.w")])
def test_quaternions_give_the_angular_velocity_of_a_steady_turn_whatever_their_sign(kind, name):
    """About a fixed axis n at rate r: w = r n in both axes; of a point that circles, too."""
    of, n, r = system(kind), np.array([1.0, 2.0, -2.0]) / 3, 1.7
    turns = Rotation.from_rotvec(np.outer(r * TIME, n))
    quat = turns.as_quat(scalar_first=True) * np.where(TIME < 0.5, 1.0, -1.0)[:, None]
    place = turns.apply([0.3, 0.0, 0.1]) if kind == "free" else np.zeros((len(TIME), 0))
    d = driver(name, of)
    found = told(d, Trajectory(TIME, d.columns, np.concatenate([quat, place], axis=1)))
    assert np.abs(found.rate[:, :3] - r * n).max() <= 1e-8  # (1/40)^5
    # of the second derivative it is (1/40)^4 of the sixth, 0.3 r^6 and less: some 1e-6
    assert np.abs(found.acceleration[:, :3]).max() <= 1e-5
    if kind == "free":  # in axes of the child it moves at w x p, and that stays
        assert np.abs(found.rate[:, 3:] - np.cross(r * n, [0.3, 0, 0.1])).max() <= 1e-8
        assert np.abs(found.acceleration[:, 3:]).max() <= 1e-5


def test_too_few_rows_are_refused_with_what_would_do():
    table = Trajectory(TIME[:5], ("j.q",), TIME[:5, None])
    with pytest.raises(DataError, match=r"5 rows are too few for the rates of j\.q.*needs 6"):
        told(driver("j.q", system()), table)


def test_prescribed_motions_get_the_rates_that_are_not_told():
    of = system(drive="motion")
    table = Trajectory(TIME, ("j.q",), np.sin(TIME)[:, None])
    u = with_rates(of, table, told_inputs(of, table, of.nominal_parameters()))
    assert np.abs(u[:, 1] - np.cos(TIME)).max() <= 1e-8
    assert np.abs(u[:, 2] + np.sin(TIME)).max() <= 1e-6
    held = with_rates(of, table, told_inputs(of, Trajectory(TIME, (), np.zeros((41, 0))),
                                             of.nominal_parameters()))  # fmt: skip
    assert not held.any()
