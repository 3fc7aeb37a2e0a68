"""The table of joints against SciPy's rotations, derivatives and units."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.export.units import UNITS
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.model.elements import COORDINATES, JOINT_TYPES
from mbd_fmu.spatial import rotation_matrix

SEED = 11
Z = np.array([0.0, 0.0, 1.0])

every_joint = pytest.mark.parametrize("kind", JOINTS)


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def some_motion(kind):
    """Return any q and v of a joint; the quaternion has length 1."""
    joint = JOINTS[kind]
    rng = np.random.default_rng(SEED)
    q, v = rng.normal(size=len(joint.neutral)), rng.normal(size=joint.S.shape[1])
    if joint.quaternion:
        q[:4] /= np.linalg.norm(q[:4])
    return q, v


def test_the_reader_and_the_mechanics_know_the_same_joints():
    sizes = {kind: (len(j.neutral), j.S.shape[1]) for kind, j in JOINTS.items()}
    assert sizes == COORDINATES
    assert set(JOINTS) == set(JOINT_TYPES)


@every_joint
def test_every_coordinate_velocity_and_drive_has_a_name_of_its_own(kind):
    joint = JOINTS[kind]
    freedoms = joint.S.shape[1]
    assert len(joint.positions) == len(joint.neutral)
    assert len(joint.velocities) == len(joint.accelerations) == len(joint.drives) == freedoms
    parts = (*joint.positions, *joint.velocities, *joint.accelerations, *joint.drives)
    names = [c.name for c in parts]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("kind", "drives"),
    [
        ("rigid", []),
        ("revolute", ["tau"]),
        ("prismatic", ["f"]),
        ("free", ["tau[1]", "tau[2]", "tau[3]", "f[1]", "f[2]", "f[3]"]),
    ],
)
def test_drives_are_called_tau_where_they_turn_and_f_where_they_slide(kind, drives):
    assert [c.name for c in JOINTS[kind].drives] == drives


def exponents(*units):
    """Add the exponents of units; the radian counts as a number."""
    total = Counter()
    for unit in units:
        total.update({base: n for base, n in UNITS[unit][0].items() if base != "rad"})
    return {base: n for base, n in total.items() if n}


@every_joint
def test_drive_times_velocity_is_power_and_acceleration_is_velocity_per_second(kind):
    joint = JOINTS[kind]
    for velocity, acceleration, drive in zip(
        joint.velocities, joint.accelerations, joint.drives, strict=True
    ):
        assert exponents(drive.unit, velocity.unit) == UNITS["W"][0]
        assert exponents(acceleration.unit, "s") == exponents(velocity.unit)


@every_joint
def test_in_the_drawn_position_the_two_frames_coincide(kind):
    joint = JOINTS[kind]
    R_FM, p_FM = joint.place(np.array(joint.neutral))
    same(R_FM, np.eye(3))
    same(p_FM, np.zeros(3))
    same(joint.turn(np.array(joint.neutral), Z), [1, 0, 0, 0])


def test_a_revolute_joint_turns_about_z_and_a_prismatic_one_slides_along_it():
    q = np.array([0.7])
    R_FM, p_FM = JOINTS["revolute"].place(q)
    same(R_FM, Rotation.from_rotvec([0, 0, 0.7]).as_matrix())
    same(p_FM, np.zeros(3))
    R_FM, p_FM = JOINTS["prismatic"].place(q)
    same(R_FM, np.eye(3))
    same(p_FM, [0, 0, 0.7])


def test_a_free_joint_places_the_child_by_quaternion_and_position():
    q, _ = some_motion("free")
    R_FM, p_FM = JOINTS["free"].place(q)
    same(R_FM, Rotation.from_quat(q[:4], scalar_first=True).as_matrix())
    same(p_FM, q[4:])


@every_joint
def test_the_columns_of_S_are_the_motion_at_the_rate_of_q(kind):
    joint = JOINTS[kind]
    q, v = some_motion(kind)
    h = 1e-5
    rate = joint.rate(q, v)
    (R, _), ahead, behind = joint.place(q), joint.place(q + h * rate), joint.place(q - h * rate)
    R_dot, p_dot = ((a - b) / (2 * h) for a, b in zip(ahead, behind, strict=True))
    spin = R.T @ R_dot
    V_M = np.concatenate([[spin[2, 1], spin[0, 2], spin[1, 0]], R.T @ p_dot])
    # Central differences: h^2/6 of truncation and some 1e-16/h of rounding, together below 1e-10.
    assert_allclose(V_M, joint.S @ v, atol=1e-9)


def test_the_rate_of_a_free_joint_keeps_the_length_of_its_quaternion():
    q, v = some_motion("free")
    assert q[:4] @ JOINTS["free"].rate(q, v)[:4] == pytest.approx(0, abs=1e-12)


@every_joint
def test_the_turn_about_z_is_the_rotation_that_places_the_child(kind):
    joint = JOINTS[kind]
    q, _ = some_motion(kind)
    same(rotation_matrix(joint.turn(q, Z)), joint.place(q)[0])


def test_a_revolute_joint_turns_about_any_axis_as_scipy_does():
    axis = np.array([2.0, -1.0, 2.0]) / 3
    found = JOINTS["revolute"].turn(np.array([0.7]), axis)
    same(found, Rotation.from_rotvec(0.7 * axis).as_quat(scalar_first=True))


def test_after_a_whole_turn_the_quaternion_has_gone_on_to_its_negative():
    turn = JOINTS["revolute"].turn
    q = np.array([0.7])
    same(turn(q + 2 * np.pi, Z), -turn(q, Z))


ON_SYMBOLS = [
    ("revolute", "place", 0),
    ("prismatic", "place", 1),
    ("free", "place", 0),
    ("free", "place", 1),
    ("revolute", "turn", None),
    ("free", "turn", None),
    ("rigid", "rate", None),
    ("revolute", "rate", None),
    ("prismatic", "rate", None),
    ("free", "rate", None),
]


@pytest.mark.parametrize(("kind", "what", "part"), ON_SYMBOLS)
def test_symbols_give_what_numbers_give(kind, what, part, on_symbols):
    joint = JOINTS[kind]
    q, v = some_motion(kind)
    arguments = {"place": (q,), "turn": (q, np.array([2.0, -1.0, 2.0]) / 3), "rate": (q, v)}[what]

    def function(*arguments):
        result = getattr(joint, what)(*arguments)
        return result if part is None else result[part]

    same(on_symbols(function, *arguments), function(*arguments))


@pytest.mark.parametrize(
    ("kind", "what"), [("rigid", "turn"), ("prismatic", "turn"), ("rigid", "place")]
)
def test_what_does_not_depend_on_the_coordinate_stays_a_number(kind, what):
    q = np.full(len(JOINTS[kind].neutral), None, dtype=object)  # nothing may be done with it
    result = getattr(JOINTS[kind], what)(q, Z) if what == "turn" else JOINTS[kind].place(q)[0]
    assert result.dtype == float
