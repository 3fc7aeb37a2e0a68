"""Every method of a model against absolute coordinates, on loops: another road to the same motion.

The oracle has every body free and every joint as rows; only q and v of the tree go over.
"""

import numpy as np
import pytest

from mbd_fmu.api.vectors import acceleration_vector, drive_vector
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.system.system import system_of
from tests.api.loops import Twin

SAME = 1e-9  # relative: two roads through loops of condition 1e3 and less

# a model, what leads it, and how fast
LED = {
    "four_bar": ({"left_pivot": 0.7}, {"left_pivot": 2.0}),
    "slider_crank": ({"bearing": 0.9}, {"bearing": -3.0}),
    "excavator": ({"swing": 0.4, "boom_cylinder": 0.05}, {"swing": 0.5, "boom_cylinder": -0.2}),
    "delta_robot": ({"motor1": 0.2, "motor2": 0.1}, {"motor1": 1.0, "motor3": -2.0}),
}


@pytest.fixture(scope="module", params=sorted(LED))
def twin(request):
    return Twin(request.param, *LED[request.param])


def close(found, expected, size=1.0):
    return np.abs(np.asarray(found) - expected).max(initial=0.0) <= SAME * size


def test_the_rest_follows_and_the_loops_are_closed(twin):
    assert twin.missed <= 1e-9  # metres and sines: rounding of a mechanism of metres
    q, v = LED[twin.m.name]
    for name, value in q.items():
        assert twin.state[f"{name}.q"] == value
    for name, value in v.items():
        assert twin.state[f"{name}.qd"] == value
    assert abs(twin.there["constraint.velocity_error"]) <= 1e-9


def test_forward_kinematics(twin):
    poses = twin.m.forward_kinematics(twin.state.q)
    for name, pose in poses.items():
        assert close(pose.position, twin.vector(f"{name}.r"))
        quat = [twin.there[f"{name}.quat.{c}"] for c in "wxyz"]
        assert close(abs(pose.quaternion @ quat), 1.0)


def test_mass_matrix_gives_the_kinetic_energy(twin):
    H, v = twin.m.mass_matrix(twin.state.q), twin.state.v
    expected = twin.there["energy.kinetic"]
    assert expected > 0
    assert close(v @ H @ v / 2, expected, size=expected)


def test_jacobians_give_velocities(twin):
    v = twin.state.v
    for name, body in twin.m.bodies.items():
        com = vector_of(body.com, twin.m.spec().nominal)
        J = twin.m.jacobian((name, com), twin.state.q)
        size = 1.0 + np.abs(v).max()
        assert close(J @ v, [*twin.vector(f"{name}.w"), *twin.vector(f"{name}.v")], size)


def test_forward_dynamics_with_its_reactions(twin):
    a = twin.m.forward_dynamics(twin.state.q, twin.state.v, twin.tau)
    names = acceleration_vector(system_of(twin.m)).names
    expected = np.array([twin.there[name] for name in names])
    assert close(a, expected, size=1.0 + np.abs(expected).max())
    reactions = twin.state.reactions
    size = 1.0 + max(np.abs(twin.vector(f"{name}.force")).max() for name in reactions)
    for name, reaction in reactions.items():
        assert close(reaction.force, twin.vector(f"{name}.force"), size), name
        assert close(reaction.torque, twin.vector(f"{name}.torque"), size), name
    # what closes the loops has no place in a, but in the outputs
    for name in twin.m.joints:
        if f"{name}.qdd" in twin.m.outputs:
            assert close(
                twin.state[f"{name}.qdd"], twin.there[f"{name}.qdd"], 1.0 + np.abs(a).max()
            )


def test_inverse_dynamics_finds_the_drives(twin):
    names = acceleration_vector(system_of(twin.m)).names
    a = np.array([twin.there[name] for name in names])
    found = twin.m.inverse_dynamics(twin.state.q, twin.state.v, a)
    expected, _ = drive_vector(system_of(twin.m)).read(twin.tau, np.zeros(len(found)))
    size = 1.0 + np.abs(expected).max() + np.abs(twin.m.mass_matrix(twin.state.q) @ a).max()
    assert close(found, expected, size)


def test_accelerations_of_what_leads_are_enough(twin):
    """The rest of a follows, as that of q and v does; and forward of inverse is what was asked."""
    leaders = list(twin.tau) or list(LED[twin.m.name][0])
    a = dict(zip(leaders, (2.0, -1.0, 0.5, 0.3), strict=False))
    if not twin.tau:
        with pytest.raises(MbdFmuError, match="the drives cannot make these accelerations"):
            twin.m.inverse_dynamics(twin.state.q, twin.state.v, a)
        return
    tau = twin.m.inverse_dynamics(twin.state.q, twin.state.v, a)
    found = twin.m.at(twin.state.q, twin.state.v, tau)
    for name, value in a.items():
        assert close(found[f"{name}.qdd"], value, size=10.0)
