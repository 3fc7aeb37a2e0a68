"""Every method of a model against Pinocchio, which reads the same robot: fixed, and flying."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

pytest.importorskip("pinocchio", reason="the second engine is not installed")

import pinocchio as pin

from tests.api.robots import ROBOTS, Robot
from tests.formats.link_places import relative

SAME = 1e-10  # relative: rounding over a dozen links, as in tests/formats/test_robots.py


@pytest.fixture(scope="module", params=ROBOTS, ids=lambda robot: robot[0])
def robot(request):
    return Robot(*request.param)


def test_forward_kinematics(robot):
    pin.framesForwardKinematics(robot.model, robot.data, robot.q_there)
    poses = robot.m.forward_kinematics(robot.q)
    assert len(list(robot.bodies)) >= 6
    for name, frame in robot.bodies:
        expected = robot.data.oMf[frame].homogeneous
        assert np.abs(poses[name].matrix - expected).max() <= SAME


def test_jacobian_of_a_point(robot):
    pin.computeJointJacobians(robot.model, robot.data, robot.q_there)
    pin.framesForwardKinematics(robot.model, robot.data, robot.q_there)
    offset = np.array([0.1, -0.2, 0.3])
    for name, frame in robot.bodies:
        own = robot.data.oMf[frame]
        J = pin.getFrameJacobian(
            robot.model, robot.data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        linear, angular = J[:3], J[3:]
        moved = linear - pin.skew(own.rotation @ offset) @ angular
        for point, expected in ((name, linear), ((name, offset), moved)):
            found = robot.m.jacobian(point, robot.q)[:, robot.order]
            assert relative(found, np.vstack([angular, expected])) <= SAME


def test_mass_matrix(robot):
    H = pin.crba(robot.model, robot.data, robot.q_there, pin.Convention.WORLD)
    H = np.triu(H) + np.triu(H, 1).T
    found = robot.m.mass_matrix(robot.q)[np.ix_(robot.order, robot.order)]
    assert relative(found, H) <= SAME


def test_inverse_dynamics(robot):
    expected = pin.rnea(robot.model, robot.data, robot.q_there, robot.v_there, robot.a[robot.order])
    passive = robot.there.passive(robot.v)[robot.order]  # drives come on top of it
    found = robot.m.inverse_dynamics(robot.q, robot.v, robot.a)[robot.order]
    assert relative(found, expected - passive) <= SAME


def test_forward_dynamics(robot):
    force = (robot.tau + robot.there.passive(robot.v))[robot.order]
    expected = pin.aba(robot.model, robot.data, robot.q_there, robot.v_there, force)
    found = robot.m.forward_dynamics(robot.q, robot.v, robot.tau)[robot.order]
    assert relative(found, expected) <= SAME


def test_names_say_what_the_entries_are(robot):
    """A mapping by joints is the array in any order."""
    system = robot.there.system
    q = {j.name: robot.q[s] for j, s in zip(robot.there.joints, system.forest.q, strict=True)}
    v = {j.name: robot.v[s] for j, s in zip(robot.there.joints, system.forest.v, strict=True)}
    backwards = [dict(reversed(given.items())) for given in (q, v)]
    by_name = robot.m.at(*backwards)
    assert np.allclose(by_name.q, robot.q, rtol=0, atol=1e-15)  # quaternions are normalized
    assert np.array_equal(by_name.v, robot.v)
    one = dict(zip(robot.m.coordinates, robot.q, strict=True))
    assert np.array_equal(robot.m.at(one).q, by_name.q)
    assert len(robot.m.velocities) == len(robot.v)


def test_simulation():
    """A short run against Pinocchio's accelerations, integrated by scipy; of angles alone."""
    robot = Robot(*ROBOTS[0])
    n, m = len(robot.q), robot.m
    start = dict(zip((f"{name}_start" for name in m.coordinates), robot.q, strict=True))
    drives = dict(zip(m.inputs, robot.tau, strict=True))

    def rate(_, x):
        q_there, v_there, order = robot.there.there(x[:n], x[n:])
        force = (robot.tau + robot.there.passive(x[n:]))[order]
        a = np.zeros(n)
        a[order] = pin.aba(robot.model, robot.data, q_there, v_there, force)
        return np.concatenate([x[n:], a])

    x = np.concatenate([robot.q, np.zeros(n)])
    expected = solve_ivp(rate, (0, 0.1), x, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
    r = m.simulate(stop=0.1, step=0.05, inputs=drives, parameters=start, tolerance=1e-10)
    found = [r[name][-1] for name in m.coordinates] + [r[f"{name}d"][-1] for name in m.coordinates]
    # the FMU's tolerance per internal step, of which there are some dozens
    assert relative(np.array(found), expected) <= 1e-8
