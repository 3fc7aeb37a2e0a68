"""The table of joints against SciPy's rotations, derivatives and units."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.units import UNITS

SEED = 11
PITCH = 0.3  # travel of a helical joint per radian
SKEW = np.array([2.0, -1.0, 2.0]) / 3  # second axis of a universal joint, at no right angle to z
# The constants of a joint; those without any get one that must not matter.
BENT = np.array([0.48, -0.36, 0.8])  # the child's shaft of a bent one, as drawn
CONSTANTS = {"helical": np.array([PITCH]), "universal": SKEW, "constant_velocity": BENT}

BOTH_WAYS = JOINTS | {f"{kind}, reversed": joint.from_child() for kind, joint in JOINTS.items()}
every_type = pytest.mark.parametrize("kind", JOINTS)
every_joint = pytest.mark.parametrize("name", BOTH_WAYS)


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def case(name):
    """Return a joint with any q, v and its constants; the quaternion has length 1."""
    joint = BOTH_WAYS[name]
    rng = np.random.default_rng(SEED)
    q, v = rng.normal(size=len(joint.neutral)), rng.normal(size=len(joint.names.velocities))
    if joint.quaternion:
        q[:4] /= np.linalg.norm(q[:4])
    return joint, q, v, CONSTANTS.get(name.partition(",")[0], np.ones(1))


def rate_of(function, joint, q, v):
    """Return how a function of q changes at the rate of q."""
    h, q_dot = 1e-5, joint.rate(q, v)
    return (function(q + h * q_dot) - function(q - h * q_dot)) / (2 * h)


# Central differences: h^2/6 of truncation and some 1e-16/h of rounding, together below 1e-10.
DIFFERENCES = 1e-9


SIZES = {  # coordinates and freedoms, as any textbook counts them
    "rigid": (0, 0),
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "cylindrical": (2, 2),
    "universal": (2, 2),
    "constant_velocity": (2, 2),
    "spherical": (4, 3),
    "planar": (3, 3),
    "helical": (1, 1),
    "translational": (3, 3),
    "free": (7, 6),
}


def test_joints_have_the_freedoms_of_the_textbook():
    assert {kind: (joint.nq, joint.nv) for kind, joint in JOINTS.items()} == SIZES
    for kind, joint in JOINTS.items():
        assert joint.name == kind
        assert joint.motion.S(np.array(joint.neutral), np.eye(3)[0]).shape == (6, joint.nv)
        assert len(joint.names.positions) == joint.nq


@every_type
def test_every_coordinate_velocity_and_drive_has_a_name_of_its_own(kind):
    joint, q, _, k = case(kind)
    freedoms = joint.motion.S(q, k).shape[1]
    assert len(joint.names.positions) == len(joint.neutral)
    assert (
        len(joint.names.velocities)
        == len(joint.names.accelerations)
        == len(joint.names.drives)
        == freedoms
    )
    parts = (
        *joint.names.positions,
        *joint.names.velocities,
        *joint.names.accelerations,
        *joint.names.drives,
    )
    names = [c.name for c in parts]
    assert len(set(names)) == len(names)


def numbered(name, n):
    return [f"{name}[{i + 1}]" for i in range(n)]


@pytest.mark.parametrize(
    ("kind", "drives"),
    [
        ("rigid", []),
        ("revolute", ["tau"]),
        ("prismatic", ["f"]),
        ("cylindrical", ["tau", "f"]),
        ("helical", ["tau"]),
        ("universal", numbered("tau", 2)),
        ("constant_velocity", numbered("tau", 2)),
        ("planar", ["tau", *numbered("f", 2)]),
        ("translational", numbered("f", 3)),
        ("spherical", numbered("tau", 3)),
        ("free", numbered("tau", 3) + numbered("f", 3)),
    ],
)
def test_drives_are_called_tau_where_they_turn_and_f_where_they_slide(kind, drives):
    assert [c.name for c in JOINTS[kind].names.drives] == drives


@pytest.mark.parametrize(
    ("kind", "positions", "velocities"),
    [
        ("revolute", ["q"], ["qd"]),
        ("planar", numbered("q", 3), numbered("qd", 3)),
        ("translational", numbered("q", 3), numbered("qd", 3)),
        ("spherical", ["q.w", "q.x", "q.y", "q.z"], ["w.x", "w.y", "w.z"]),
    ],
)
def test_coordinates_have_the_names_of_the_design(kind, positions, velocities):
    assert [c.name for c in JOINTS[kind].names.positions] == positions
    assert [c.name for c in JOINTS[kind].names.velocities] == velocities


def exponents(*units):
    """Add the exponents of units; the radian counts as a number."""
    total = Counter()
    for unit in units:
        total.update({base: n for base, n in UNITS[unit][0].items() if base != "rad"})
    return {base: n for base, n in total.items() if n}


@every_type
def test_drive_times_velocity_is_power_and_acceleration_is_velocity_per_second(kind):
    joint = JOINTS[kind]
    for velocity, acceleration, drive in zip(
        joint.names.velocities, joint.names.accelerations, joint.names.drives, strict=True
    ):
        assert exponents(drive.unit, velocity.unit) == UNITS["W"][0]
        assert exponents(acceleration.unit, "s") == exponents(velocity.unit)


@every_joint
def test_in_the_drawn_position_the_two_frames_coincide(name):
    joint, _, _, k = case(name)
    R_FM, p_FM = joint.place(np.array(joint.neutral), k)
    same(R_FM, np.eye(3))
    same(p_FM, np.zeros(3))
    same(joint.turn(np.array(joint.neutral), k), [1, 0, 0, 0])


def turned(*vectors):
    """Return the rotation that turns by vectors one after the other, the last one first."""
    rotation = Rotation.identity()
    for vector in vectors:
        rotation = rotation * Rotation.from_rotvec(vector)
    return rotation.as_matrix()


def bend(g):
    """Return the rotation of a bend: about an axis across z, by the angle of its Gibbs vector."""
    size = np.linalg.norm(g)
    return turned(2 * np.arctan(size) * np.array([*g, 0.0]) / size)


def bent(q):
    """From the bend as drawn, the shortest turn from z to the child's shaft, to one by q more."""
    axis, angle = np.cross(Z, BENT), np.arccos(BENT[2])
    g = np.tan(angle / 2) * axis[:2] / np.linalg.norm(axis)
    same(bend(g) @ Z, BENT)
    return bend(np.tan(np.arctan(g) + q / 2)) @ bend(g).T


Z = np.array([0.0, 0.0, 1.0])
WHERE = {
    "revolute": lambda q: (turned(q[0] * Z), [0, 0, 0]),
    "prismatic": lambda q: (np.eye(3), [0, 0, q[0]]),
    "cylindrical": lambda q: (turned(q[0] * Z), [0, 0, q[1]]),
    "helical": lambda q: (turned(q[0] * Z), [0, 0, PITCH * q[0]]),
    "universal": lambda q: (turned(q[0] * Z, q[1] * SKEW), [0, 0, 0]),
    "constant_velocity": lambda q: (bent(q), [0, 0, 0]),
    "planar": lambda q: (turned(q[0] * Z), [q[1], q[2], 0]),
    "translational": lambda q: (np.eye(3), q),
    "spherical": lambda q: (Rotation.from_quat(q, scalar_first=True).as_matrix(), [0, 0, 0]),
    "free": lambda q: (Rotation.from_quat(q[:4], scalar_first=True).as_matrix(), q[4:]),
}


@pytest.mark.parametrize("kind", WHERE)
def test_a_joint_places_its_child_where_its_name_says(kind):
    joint, q, _, k = case(kind)
    for found, expected in zip(joint.place(q, k), WHERE[kind](q), strict=True):
        same(found, expected)


@every_joint
def test_the_columns_of_S_are_the_motion_at_the_rate_of_q(name):
    joint, q, v, k = case(name)
    R, _ = joint.place(q, k)
    spin = R.T @ rate_of(lambda q: joint.place(q, k)[0], joint, q, v)
    slide = R.T @ rate_of(lambda q: joint.place(q, k)[1], joint, q, v)
    V_M = np.concatenate([[spin[2, 1], spin[0, 2], spin[1, 0]], slide])
    assert_allclose(V_M, joint.motion.S(q, k) @ v, atol=DIFFERENCES)


@every_joint
def test_the_bias_is_what_the_moving_columns_of_S_add(name):
    joint, q, v, k = case(name)
    S_dot = rate_of(lambda q: joint.motion.S(q, k), joint, q, v)
    assert_allclose(joint.motion.bias(q, v, k), S_dot @ v, atol=DIFFERENCES)


@every_joint
def test_a_unit_drive_does_its_work_on_its_own_velocity_only(name):
    joint, q, _, k = case(name)
    S, T = joint.motion.S(q, k), joint.motion.T(q, k)
    assert T.shape == S.shape == (6, len(joint.names.drives))
    same(S.T @ T, np.eye(len(joint.names.drives)))


@every_joint
def test_the_turn_is_the_rotation_that_places_the_child(name):
    joint, q, _, k = case(name)
    same(rotation_matrix(joint.turn(q, k)), joint.place(q, k)[0])


@pytest.mark.parametrize("kind", [kind for kind, joint in JOINTS.items() if joint.quaternion])
def test_the_rate_of_a_quaternion_keeps_its_length(kind):
    joint, q, v, _ = case(kind)
    assert q[:4] @ joint.rate(q, v)[:4] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "helical", "universal", "planar"])
def test_after_a_whole_turn_the_quaternion_has_gone_on_to_its_negative(kind):
    joint, q, _, k = case(kind)
    further = q.copy()
    further[0] += 2 * np.pi
    same(joint.turn(further, k), -joint.turn(q, k))


@every_type
def test_seen_from_its_child_a_joint_places_the_parent(kind):
    joint, q, _, k = case(kind)
    (R_FM, p_FM), (R_MF, p_MF) = joint.place(q, k), joint.from_child().place(q, k)
    same(R_FM @ R_MF, np.eye(3))
    same(p_FM + R_FM @ p_MF, np.zeros(3))


@every_type
def test_reversed_twice_a_joint_is_itself(kind):
    joint, q, v, k = case(kind)
    twice = joint.from_child().from_child()
    for what, arguments in (("S", (q, k)), ("T", (q, k)), ("bias", (q, v, k))):
        same(getattr(twice.motion, what)(*arguments), getattr(joint.motion, what)(*arguments))


PARTS = {
    "R": lambda joint, q, _, k: joint.place(q, k)[0],
    "p": lambda joint, q, _, k: joint.place(q, k)[1],
    "S": lambda joint, q, _, k: joint.motion.S(q, k),
    "bias": lambda joint, q, v, k: joint.motion.bias(q, v, k),
    "T": lambda joint, q, _, k: joint.motion.T(q, k),
    "turn": lambda joint, q, _, k: joint.turn(q, k),
    "rate": lambda joint, q, v, _: joint.rate(q, v),
}


@pytest.mark.parametrize("part", PARTS)
@every_joint
def test_symbols_give_what_numbers_give(name, part, on_symbols):
    joint, *arguments = case(name)

    def function(q, v, k):
        result = PARTS[part](joint, q, v, k)
        assert isinstance(result, np.ndarray)
        # What does not depend on symbols may stay a number; beside one it becomes an object too.
        return np.concatenate([result.ravel(), k])

    same(on_symbols(function, *arguments), function(*arguments))
