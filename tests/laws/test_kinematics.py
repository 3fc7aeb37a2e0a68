"""Positions, velocities and accelerations belong together."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree


@pytest.fixture(params=range(6), ids=lambda s: f"seed {s}")
def case(request):
    system = system_of(random_tree(8, request.param))
    tree = plant_of(system, system.nominal_parameters()).tree
    x, _ = random_state(system, np.random.default_rng(request.param))
    nq, nv = system.forest.nq, system.forest.nv
    return tree, x[:nq], x[nq : nq + nv]


def moved(tree, q, v, h):
    """q after a short time h at constant v, to second order."""
    found = q.copy()
    for i, joint in enumerate(tree.joint):
        at, dof = tree.forest.q[i], tree.forest.v[i]
        middle = q[at] + h / 2 * joint.rate(q[at], v[dof])
        found[at] = q[at] + h * joint.rate(middle, v[dof])
        if joint.quaternion:
            found[at][:4] /= np.linalg.norm(found[at][:4])
    return found


def at(tree, q, v):
    return Instant(tree, q, v)


def test_velocity_of_a_mass_centre_is_the_derivative_of_its_position(case):
    tree, q, v = case
    h = 1e-6
    ahead, behind = at(tree, moved(tree, q, v, h), v), at(tree, moved(tree, q, v, -h), v)
    for i, p in enumerate(tree.p_BBcm):
        rate = (ahead.placed.point_W(i, p) - behind.placed.point_W(i, p)) / (2 * h)
        # rounding 1e-16 * size / h, with sizes of some ten metres
        assert np.allclose(at(tree, q, v).point_velocity_W(i, p), rate, atol=2e-8, rtol=1e-7)


def test_angular_velocity_is_the_derivative_of_the_rotation(case):
    tree, q, v = case
    h = 1e-6
    ahead, behind = at(tree, moved(tree, q, v, h), v), at(tree, moved(tree, q, v, -h), v)
    here = at(tree, q, v)
    for i in range(len(tree.parent)):
        turn = Rotation.from_matrix(ahead.placed.R_WB[i] @ behind.placed.R_WB[i].T)
        w_W = here.placed.R_WB[i] @ here.V_B[i][:3]
        assert np.allclose(w_W, turn.as_rotvec() / (2 * h), atol=2e-8, rtol=1e-7)


def test_the_quaternion_of_a_body_is_its_rotation_since_drawn(case):
    """As drawn, the internal axes are what they are; what changes from there is the turn."""
    tree, q, v = case
    drawn = np.concatenate([[], *(r for r in tree.reference)])
    here, before = at(tree, q, v).placed, at(tree, drawn, v).placed
    for i in range(len(tree.parent)):
        w, x, y, z = here.quat_WU[i]
        w0, x0, y0, z0 = before.quat_WU[i]
        turn = Rotation.from_quat([x, y, z, w]) * Rotation.from_quat([x0, y0, z0, w0]).inv()
        assert np.allclose(turn.as_matrix(), here.R_WB[i] @ before.R_WB[i].T, atol=1e-13)


def test_the_sign_of_a_quaternion_stays_continuous_over_many_turns():
    tree = system_of(random_tree(3, 5, types=("revolute",)))
    plant = plant_of(tree, tree.nominal_parameters())
    angles = np.linspace(0, 20, 400)
    quats = np.array(
        [
            at(plant.tree, a * np.array([1.0, -0.7, 0.4]), np.zeros(3)).placed.quat_WU[2]
            for a in angles
        ]
    )
    assert np.all(np.sum(quats[1:] * quats[:-1], axis=1) > 0.9)


TILTED = np.array([0.6, 0.0, 0.8])
CONSTANTS = {"helical": np.array([0.3]), "universal": TILTED, "constant_velocity": TILTED}
JOINTS_BOTH_WAYS = {kind: joint for kind, joint in JOINTS.items() if kind != "rigid"}
JOINTS_BOTH_WAYS |= {f"{kind} reversed": j.from_child() for kind, j in JOINTS_BOTH_WAYS.items()}


@pytest.fixture(params=JOINTS_BOTH_WAYS)
def moving_joint(request):
    """A joint type, a state of it, and a short way ahead and back along its own motion."""
    joint, rng = JOINTS_BOTH_WAYS[request.param], np.random.default_rng(3)
    k = CONSTANTS.get(request.param.split()[0], np.zeros(0))
    q, v = rng.normal(size=len(joint.neutral)), rng.normal(size=len(joint.names.velocities))
    if joint.quaternion:
        q[:4] /= np.linalg.norm(q[:4])
    h = 1e-6
    return joint, k, q, v, [q + s * h * joint.rate(q, v) for s in (1, -1)], h


def test_the_rate_of_joint_coordinates_is_the_motion_the_subspace_says(moving_joint):
    joint, k, q, v, ways, h = moving_joint
    R, _ = joint.place(q, k)
    (R_ahead, p_ahead), (R_behind, p_behind) = (joint.place(way, k) for way in ways)
    V = joint.motion.S(q, k) @ v  # in axes of M
    turn = R.T @ (R_ahead - R_behind) / (2 * h)
    # rounding over h
    assert np.allclose([turn[2, 1], turn[0, 2], turn[1, 0]], V[:3], atol=1e-8)
    assert np.allclose(R.T @ (p_ahead - p_behind) / (2 * h), V[3:], atol=1e-8)


def test_the_bias_of_a_joint_is_the_rate_of_its_subspace(moving_joint):
    joint, k, q, v, ways, h = moving_joint
    ahead, behind = (joint.motion.S(way, k) @ v for way in ways)
    # rounding over h
    assert np.allclose(joint.motion.bias(q, v, k), (ahead - behind) / (2 * h), atol=1e-8)


def test_drives_work_on_their_own_freedom_only(moving_joint):
    joint, k, q, *_ = moving_joint
    S, T = joint.motion.S(q, k), joint.motion.T(q, k)
    assert np.allclose(S.T @ T, np.eye(S.shape[1]), atol=1e-14)


def test_the_turn_of_a_joint_is_its_rotation(moving_joint):
    joint, k, q, *_ = moving_joint
    w, x, y, z = joint.turn(q, k)
    assert np.allclose(
        Rotation.from_quat([x, y, z, w]).as_matrix(), joint.place(q, k)[0], atol=1e-14
    )


def test_a_reversed_joint_leads_back(moving_joint):
    joint, k, q, *_ = moving_joint
    (R, p), (R_back, p_back) = joint.place(q, k), joint.from_child().place(q, k)
    assert np.allclose(R @ R_back, np.eye(3), atol=1e-14)
    assert np.allclose(R @ p_back + p, 0, atol=1e-14)
