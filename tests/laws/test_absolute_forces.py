"""Forces between free bodies against closed forms, with numbers of their own."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.oracle.equations import AbsoluteRoad
from mbd_fmu.oracle.run import AbsoluteRun, simulate_absolute
from mbd_fmu.spatial import quaternion_product

BALL = {"shape": "sphere", "radius": 0.3}


def wheel(**keys):
    """A flywheel of 0.5 kg m^2 on a hinge."""
    it = Mechanism("wheel", gravity=[0, 0, 0])
    it.body("wheel", mass=1, com=[0, 0, 0], inertia=np.diag([0.4, 0.4, 0.5]))
    it.joint("pin", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1], **keys)
    return it.spec()


def acceleration(spec):
    return AbsoluteRun(spec, 1e-6).outputs()["pin.qdd"]


def test_laws_in_a_joint():
    at = {"position": 0.7, "velocity": -1.2}
    I = 0.5
    assert acceleration(wheel(**at, stiffness=3, rest=0.2)) == pytest.approx(-3 * 0.5 / I)
    assert acceleration(wheel(**at, damping=2)) == pytest.approx(2 * 1.2 / I)
    slipping = wheel(**at, friction=2, friction_speed=0.8)
    assert acceleration(slipping) == pytest.approx(2 * np.tanh(1.5) / I)
    stops = {"stop_stiffness": 50, "stop_damping": 4, "stop_width": 0.1}
    for key, where, sign in (("upper", 0.5, 1), ("lower", 0.9, -1)):
        x = 0.2  # beyond either
        root = np.hypot(x, 0.1)
        force = -sign * 50 * (x + root) / 2 + 4 * (1 + x / root) / 2 * 1.2
        found = acceleration(wheel(**at, **{key: where}, **stops))
        assert found == pytest.approx(force / I), key


def test_a_torsion_spring_counts_whole_turns():
    """Wound up by 3.5 turns it pulls back by 3.5 turns, and swings as cos(wt)."""
    k, I, start = 2.0, 0.5, 7 * np.pi
    spec = wheel(position=start, stiffness=k, reference=4.0)  # drawn in another turn than zero
    result = simulate_absolute(spec, stop=2.0, step=0.25, tolerance=1e-10)
    swing = start * np.cos(np.sqrt(k / I) * result.time)
    # the tolerance, relative to 22 rad, per internal step
    assert result.column("pin.q") == pytest.approx(swing, abs=1e-6)
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    assert energy == pytest.approx(k * start**2 / 2, rel=1e-8)


def test_the_energy_of_a_stop_is_what_it_takes_to_go_there():
    """By quadrature of its force from far before it."""
    keys = {"upper": 0.5, "stop_stiffness": 50, "stop_width": 0.1}

    def potential(q):
        return AbsoluteRun(wheel(position=q, **keys), 1e-6).outputs()["energy.potential"]

    q = np.linspace(-2.0, 0.8, 20001)
    x = q - 0.5
    work = np.trapezoid(50 * (x + np.hypot(x, 0.1)) / 2, q)
    # the trapezoidal rule: (2.8 / 20000)^2 times the force's slope
    assert potential(0.8) - potential(-2.0) == pytest.approx(work, abs=1e-6)


def test_an_attracted_mass_moves_on_kepler_s_ellipse():
    it = Mechanism("planet", gravity=[0, 0, 0])
    it.body("mass", mass=1, com=[0.4, 0, 0], inertia=BALL, velocity={"linear": [0, 2, 0]})
    keys = {"point": [0, 0, 0], "point2": [0.4, 0, 0], "strength": 1.0}
    it.force("sun", "inverse_square", parent="ground", child="mass", **keys)
    result = simulate_absolute(it.spec(), stop=2 * np.pi, step=np.pi / 4, tolerance=1e-11)
    # back after one period 2 pi sqrt(a^3 / mu), a = mu = 1; errors grow along the orbit
    assert result.column("mass.com.x")[-1] == pytest.approx(0.4, abs=1e-7)
    assert result.column("mass.com.y")[-1] == pytest.approx(0.0, abs=1e-7)
    assert result.column("mass.com.x")[4] == pytest.approx(-1.6, abs=1e-7)
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    assert energy == pytest.approx(-0.5, rel=1e-9)


def test_a_bushing_turned_about_an_axis_pulls_back_by_the_half_angle():
    """theta = 2 sin(phi/2), and energy k theta^2 / 2: torque k sin(phi)."""
    it = Mechanism("mount", gravity=[0, 0, 0])
    it.body("block", mass=2, com=[0, 0, 0], inertia=np.diag([0.3, 0.4, 0.5]))
    keys = {"stiffness": [10, 20, 30, 4, 5, 6], "damping": [1, 2, 3, 0.4, 0.5, 0.6]}
    ends = {"parent": "ground", "child": "block", "point": [0, 0, 0], "point2": [0, 0, 0]}
    it.force("mount", "bushing", **ends, **keys)
    road = AbsoluteRoad(it.spec())
    run = AbsoluteRun(it.spec(), 1e-6)
    phi = 1.1
    turn = np.array([np.cos(phi / 2), 0, 0, np.sin(phi / 2)])
    state = run.state(run.x)
    state.quat[0] = quaternion_product(turn, state.quat[0])
    state.p[0] = [0.1, 0.2, 0.3]
    state.v[0] = [1.0, 0.0, 0.0]
    state.w[0] = [0.0, 0.0, 2.0]
    found = road.solve(state).acceleration[0]
    assert found[:3] * 2 == pytest.approx([-10 * 0.1 - 1, -20 * 0.2, -30 * 0.3])
    assert found[5] * 0.5 == pytest.approx(-6 * np.sin(phi) - 0.6 * 2)


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_wrench_from_outside_acts_at_its_point_and_in_its_axes(axes):
    it = Mechanism("thrown", gravity=[0, 0, 0])
    it.body("block", mass=2, com=[0, 0, 0], inertia=np.diag([0.3, 0.4, 0.5]))
    position = [np.cos(0.4), 0, 0, np.sin(0.4), 0, 0, 0]  # turned by 0.8 about z
    it.joint("flight", "free", "ground", "block", point=[0, 0, 0], position=position)
    it.force("push", "wrench", body="block", point=[0.5, 0, 0], axes=axes)
    run = AbsoluteRun(it.spec(), 1e-6)
    run.set({"push.force.y": 3.0, "push.torque.z": 0.7})
    found = run.moment(run.x).solve().acceleration[0]
    turned = 0.8 if axes == "body" else 0.0
    assert found[:2] == pytest.approx([-1.5 * np.sin(turned), 1.5 * np.cos(turned)])
    lever = 0.5 * (1.0 if axes == "body" else np.cos(0.8))
    assert found[5] == pytest.approx((0.7 + 3 * lever) / 0.5)
