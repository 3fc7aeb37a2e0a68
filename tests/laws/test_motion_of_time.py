"""Motions that are functions of time: as inputs told in full would lead them, in all roads."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from mbd_fmu import Mechanism, build_fmu, simulate, system_of
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import read_motion_of_time
from mbd_fmu.errors import SpecError
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.oracle.time_functions import motion_levels
from mbd_fmu.quantities.scope import Scope
from mbd_fmu.quantities.table import Table
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu

BOX = {"shape": "box", "size": [0.1, 0.2, 0.3]}
SINE = {"sine": {"amplitude": "A", "frequency": "f"}}


def cart(motion, **fmu):
    """A pendulum of length 0.5 on a cart that is led along x."""
    it = Mechanism("cart").parameter("A", 0.2).parameter("f", 0.9)
    it.body("cart", mass=3.0, com=[0, 0, 0], inertia=BOX)
    it.body("bob", mass=1.0, com=[0, 0, -0.5], inertia=BOX)
    it.joint("rail", "prismatic", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0], **motion)
    own = {"position": 0.3, "drive": "none"}
    it.joint("pin", "revolute", "cart", "bob", point=[0, 0, 0], axis=[0, 1, 0], **own)
    return it.output("joints", "reactions", "energy").fmu(**{"tolerance": 1e-10} | fmu)


def of_time(function):
    return {"drive": "motion", "motion": function}


FORMS = {
    "sine": SINE,
    "expression": {"expression": "A*sin(2*pi*f*time)"},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_pendulum_on_a_led_cart_swings_by_its_equation(form):
    """(m l^2 + I) a'' = -m g l sin a + m l x'' cos a; the time leads the rail along x."""
    result = simulate(cart(of_time(FORMS[form])), stop=1.5, step=0.05)
    w, inertia = 2 * np.pi * 0.9, 0.25 + (0.1**2 + 0.3**2) / 12

    def rate(t, y):
        shove = -0.2 * w * w * np.sin(w * t)
        # the bob hangs along -z; turning about y moves it along -x
        return [y[1], (-9.81 * 0.5 * np.sin(y[0]) + 0.5 * shove * np.cos(y[0])) / inertia]

    options = {"rtol": 1e-12, "atol": 1e-12, "t_eval": result.time, "method": "DOP853"}
    expected = solve_ivp(rate, (0, 1.5), [0.3, 0.0], **options)
    # our tolerance is 1e-10 in each of some hundred steps
    assert result.column("pin.q") == pytest.approx(expected.y[0], abs=1e-7)
    for name, value in (
        ("q", 0.2 * np.sin(w * result.time)),
        ("qd", 0.2 * w * np.cos(w * result.time)),
        ("qdd", -0.2 * w * w * np.sin(w * result.time)),
    ):
        assert result.column(f"rail.{name}") == pytest.approx(value, abs=1e-12)
    total = sum(result.column(f"energy.{n}") for n in ("kinetic", "potential", "dissipated"))
    total = total - result.column("energy.input_work")
    assert total == pytest.approx(np.full(len(total), total[0]), abs=1e-8)


def test_it_is_the_joint_that_inputs_tell_in_full():
    """A parabola is a course that inputs held over a step tell exactly."""
    own = cart(of_time({"polynomial": [0.1, 0.4, -0.3]}))
    told = cart({"drive": "motion", "position": 0.1, "velocity": 0.4})
    time = np.linspace(0, 1.0, 21)
    course = np.stack([0.1 + 0.4 * time - 0.3 * time**2, 0.4 - 0.6 * time, -0.6 + 0 * time], 1)
    inputs = Trajectory(time, ("rail.q", "rail.qd", "rail.qdd"), course)
    one = simulate(own, stop=1.0, step=0.05)
    other = simulate(told, stop=1.0, step=0.05, inputs=inputs)
    for name in other.names:
        # the tolerance of 1e-10 per step
        assert one.column(name) == pytest.approx(other.column(name), abs=1e-7), name
    assert not system_of(own.spec()).table.inputs
    assert {"rail.f", "rail.q", "rail.qd", "rail.qdd"} <= set(one.names)


MOTIONS = {
    "universal": [SINE, "0.3*time**2"],
    "cylindrical": ["A*time", {"polynomial": [0, 0.2, 0.1]}],
    "planar": ["0.1*sin(3*time)", {"table": [[0, 0], [0.3, 0.2], [0.9, -0.1]]}, "0.2*time"],
    "spherical": {"rpy": ["0.4*sin(2*time)", {"polynomial": [0.1, 0.3]}, "0.5*time"]},
    "free": {"position": ["0.1*sin(3*time)", 0, SINE], "rpy": [0.2, "0.3*time", "A*cos(time)"]},
    "translational": [0.1, "0.2*sin(4*time)", "time/5"],
}


def carried(kind, motion=None):
    """A body led in all freedoms of a joint, with a free pendulum on it."""
    it = Mechanism("carried").parameter("A", 0.3).parameter("f", 0.8)
    it.body("led", mass=2.0, com=[0.1, 0, 0.2], inertia=BOX)
    it.body("bob", mass=1.0, com=[0.4, 0.1, 0], inertia=BOX)
    axes = {"axis": [0, 0.6, 0.8]} if JOINTS[kind].has_axis else {}
    axes |= {"axis2": [1, 0, 0]} if kind == "universal" else {}
    it.joint(
        "j", kind, "ground", "led", point=[0, 0, 0.1], **axes, **of_time(motion or MOTIONS[kind])
    )
    it.joint("pin", "spherical", "led", "bob", point=[0.2, 0, 0], drive="none")
    return it.output("joints", "poses", "velocities", "reactions", "energy").fmu(tolerance=1e-9)


@pytest.mark.parametrize("kind", MOTIONS)
def test_every_type_of_joint_follows_alike_in_all_roads(kind, tmp_path):
    spec = carried(kind).spec()
    result = simulate(spec, stop=0.6, step=0.05)
    absolute = simulate_absolute(spec, stop=0.6, step=0.05, tolerance=1e-9)
    with Fmu(build_fmu(spec, tmp_path / "it.fmu").path) as fmu:
        native = fmu.run(result.time, tolerance=1e-9).trajectory
    shared = set(result.names) & set(absolute.names)
    assert {"pin.q.w", "led.quat.x", "energy.input_work", "pin.force.z"} <= shared
    for name in shared:
        size = 1 + np.abs(result.column(name)).max()
        # each road integrates with 1e-9 per step
        assert absolute.column(name) == pytest.approx(result.column(name), abs=1e-5 * size), name
    for name in result.names:
        size = 1 + np.abs(result.column(name)).max()
        assert native.column(name) == pytest.approx(result.column(name), abs=1e-9 * size), name


def test_a_turn_by_roll_pitch_and_yaw_has_the_rates_of_a_rotation():
    data = {"rpy": ["0.4*sin(2*time)", "0.3 + 0.5*time", "time**2"]}
    course = read_motion_of_time(Table("j", {"motion": data}, [], Scope()), "motion", BALL)
    at = course.inputs(BALL.layout, 0.7, {})
    quat, w, alpha = at[:4], at[4:7], at[7:]
    theirs = Rotation.from_euler("xyz", [0.4 * np.sin(1.4), 0.65, 0.49]).as_quat()
    assert quat == pytest.approx(theirs[[3, 0, 1, 2]], abs=1e-14)
    _, _, spins = motion_levels(course, 0.7, {})
    # expressions are differentiated there by differences
    assert np.concatenate([w, alpha]) == pytest.approx(spins.ravel(), abs=1e-9)


BALL = JOINTS["spherical"]


def four_bar(motion):
    it = Mechanism("four_bar")
    a, b, c, d = [0, 0, 0], [0.5, 0, 1], [2.5, 0, 1.5], [2, 0, 0]
    for name, p, q in (("crank", a, b), ("coupler", b, c), ("rocker", c, d)):
        com = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
        it.body(name, mass=1.0, com=com, inertia=BOX)
    ends = (("ground", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("ground", "rocker"))
    for name, pair, p in zip("abcd", ends, (a, b, c, d), strict=True):
        own = motion if name == "a" else {"drive": "none"}
        it.joint(name, "revolute", *pair, point=p, axis=[0, 1, 0], **own)
    return it.output("joints", "reactions", "energy", "quality").fmu(tolerance=1e-9)


def test_a_loop_follows_a_crank_that_the_time_leads(tmp_path):
    """A mechanism without a freedom: positions to the rows, forces as in absolute coordinates."""
    spec = four_bar(of_time({"expression": "0.2*sin(3*time) + 0.4*time"})).spec()
    result = simulate(spec, stop=1.0, step=0.1)
    assert result.column("a.q") == pytest.approx(0.2 * np.sin(3 * result.time) + 0.4 * result.time)
    assert np.abs(result.column("constraint.position_error")).max() < 1e-12
    absolute = simulate_absolute(spec, stop=1.0, step=0.1, tolerance=1e-9)
    with Fmu(build_fmu(spec, tmp_path / "it.fmu").path) as fmu:
        native = fmu.run(result.time, tolerance=1e-9).trajectory
    for name in ("b.q", "d.qd", "c.qdd", "a.tau", "b.force.x", "energy.input_work"):
        size = 1 + np.abs(result.column(name)).max()
        assert absolute.column(name) == pytest.approx(result.column(name), abs=1e-6 * size), name
        assert native.column(name) == pytest.approx(result.column(name), abs=1e-9 * size), name


def test_a_base_that_the_time_leads_carries_all_alike():
    """Shaking the base is shaking the cart that stands on it, at rest on the ground."""
    shaken = cart({"drive": "motion", "position": 0.0})
    shaken.moving_base({"position": [SINE, 0, 0]})
    one = simulate(shaken, stop=0.8, step=0.1)
    other = simulate(cart(of_time(SINE)), stop=0.8, step=0.1)
    # tolerance of the steps
    assert one.column("pin.q") == pytest.approx(other.column("pin.q"), abs=1e-8)
    assert one.column("base.force.x") == pytest.approx(other.column("rail.f"), abs=1e-6)
    assert one.column("base.r.x") == pytest.approx(other.column("rail.q"), abs=1e-14)


def refused(joint=None, base=None):
    it = cart({"drive": "motion"} | (joint or {}))
    if base is not None:
        it.moving_base(base)
    with pytest.raises(SpecError) as caught:
        it.spec()
    return str(caught.value)


def test_what_leads_nowhere_is_refused():
    assert "motion: the joint is not driven by a motion" in refused(
        {"drive": "none", "motion": SINE}
    )
    found = refused({"motion": SINE, "position": 0.1, "velocity": 0.0})
    assert "position: its motion is a function of time, which says where it starts" in found
    assert "velocity: its motion is a function of time" in found
    assert 'motion = { expression = "A*sin(time)" }' in refused({"motion": "A*sin(time)"})
    assert 'motion, expression: no parameter "B" in "B*time"' in refused(
        {"motion": {"expression": "B*time"}}
    )
    found = refused({"motion": {"expression": "A*sqrt(time)"}})
    assert '"A*sqrt(time)" has no finite velocity or acceleration at time = 0; check' in found
    assert "[base], motion: " in refused(base={"rpy": [0, 0, "1/time"]})
    assert "motion: [1, 2] is no list of 1" in refused({"motion": [1, 2]})
    assert '[base], motion: unknown key "turn"' in refused(base={"position": [0, 0, 0], "turn": 1})
    assert "[base], motion: says no motion; give position and rpy" in refused(base={})
    assert "[base], motion, rpy: 3 is no list of 3" in refused(base={"rpy": 3})


def test_one_function_is_not_enough_for_several_coordinates():
    it = carried("universal", SINE)
    with pytest.raises(SpecError, match="is one function, coordinates are 2; give a list of 2"):
        it.spec()


@pytest.mark.parametrize("n", [0.0, 1.0, 2.0, 2.5])
def test_powers_of_time_have_the_derivatives_of_their_exponent(n, tmp_path):
    """n is a parameter: n t^(n-1) is 0 for n = 0, n (n - 1) t^(n-2) for n = 1, also at 0."""
    it = cart(of_time({"expression": "A*time**n"})).parameter("n", n)
    own = simulate(it, stop=0.5, step=0.1)
    with Fmu(build_fmu(it, tmp_path / "cart.fmu").path) as fmu:
        native = fmu.run(own.time).trajectory
    t = own.time[1:]
    levels = {"q": t**n, "qd": n * t ** (n - 1), "qdd": n * (n - 1) * t ** (n - 2)}
    for name, value in levels.items():
        for result in (native, own):
            assert result.column(f"rail.{name}")[1:] == pytest.approx(0.2 * value, abs=1e-14)


def test_a_number_is_a_motion_that_stays():
    result = simulate(cart(of_time(0.25)), stop=0.1, step=0.1)
    assert result.column("rail.q") == pytest.approx(0.25, abs=0)
