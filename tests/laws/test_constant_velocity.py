"""A bent shaft: what goes in at one end comes out at the other; not so with Cardan's joint."""

import numpy as np
import pytest

from mbd_fmu import Mechanism, simulate, system_of
from mbd_fmu.oracle.run import simulate_absolute

RATE = 3.0  # rad/s
LEAN = np.radians(35.0)
OUT = np.array([0.0, np.sin(LEAN), np.cos(LEAN)])


def shafts(kind, **keys):
    """Two shafts in bearings, at an angle, coupled where their axes meet; nothing slows them."""
    it = Mechanism("shafts", gravity=[0, 0, 0])
    disc = {"shape": "cylinder", "radius": 0.2, "length": 0.05}
    it.body("in", mass=1.0, com=[0, 0, -0.5], inertia=disc)
    it.body("out", mass=1.0, com=list(0.5 * OUT), inertia=disc | {"axis": list(OUT)})
    it.joint("input", "revolute", "ground", "in", point=[0, 0, -0.5], axis=[0, 0, 1], velocity=RATE)
    it.joint("output", "revolute", "ground", "out", point=list(0.5 * OUT), axis=list(OUT))
    it.joint("coupling", kind, "in", "out", point=[0, 0, 0], cut=True, **keys)
    it.output("joints", "poses", "velocities", "reactions", "energy", "quality")
    return it.fmu(tolerance=1e-10)


def run(it, **keys):
    return simulate(system_of(it.spec()), **{"stop": 1.0, "step": 0.05} | keys)


def test_both_shafts_turn_alike_at_every_instant():
    result = run(shafts("constant_velocity", axis=[0, 0, 1], axis2=list(OUT)))
    one, other = result.column("input.q"), result.column("output.q")
    # nothing slows them down, so they go on; 1e-10 per step, some hundred steps
    assert one == pytest.approx(RATE * result.time, abs=1e-8)
    assert other == pytest.approx(one, abs=1e-8)
    assert result.column("output.qd") == pytest.approx(result.column("input.qd"), abs=1e-8)


def test_the_shafts_of_cardan_s_joint_do_not():
    """tan(out) = tan(in) cos(lean), where the cross starts across the plane of both shafts."""
    result = run(shafts("universal", axis=[1, 0, 0], axis2=list(np.cross(OUT, [1, 0, 0]))))
    one, other = result.column("input.q"), result.column("output.q")
    sine, cosine = np.sin(one), np.cos(one)
    expected = np.unwrap(np.arctan2(sine * np.cos(LEAN), cosine))
    assert other == pytest.approx(expected, abs=1e-7)
    assert np.abs(other - one).max() > 0.05


def test_it_bends_about_two_axes_that_go_round_with_the_shafts():
    """In the parent the child's shaft goes round the other way, at the angle they are drawn in."""
    result = run(shafts("constant_velocity", axis=[0, 0, 1], axis2=list(OUT)))
    drawn = np.tan([-LEAN / 2, 0.0])  # z x OUT points along -x
    turn = -result.column("input.q")
    g = np.array([np.cos(turn), np.sin(turn)]) * drawn[0]
    for n, component in enumerate(g, start=1):
        expected = 2 * (np.arctan(component) - np.arctan(drawn[n - 1]))
        assert result.column(f"coupling.q[{n}]") == pytest.approx(expected, abs=1e-7)


def test_it_transmits_the_torque_that_drives_and_energy_balances():
    """Two equal discs share a torque: I dw/dt = T / 2, and half of it goes through the joint."""
    it = shafts("constant_velocity", axis=[0, 0, 1], axis2=list(OUT))
    result = run(it, settings={"input.tau": 0.8})
    inertia = 1.0 * 0.2**2 / 2
    expected = RATE * result.time + 0.8 / (2 * inertia) * result.time**2 / 2
    assert result.column("output.q") == pytest.approx(expected, rel=1e-8)
    kinetic, work = result.column("energy.kinetic"), result.column("energy.input_work")
    assert kinetic - work == pytest.approx(np.full(len(work), kinetic[0]), rel=1e-8)
    torque = np.stack([result.column(f"coupling.torque.{c}") for c in "xyz"], axis=1)
    # along both shafts it is what turns the second disc: T / 2, so it lies along their bisector
    assert torque @ OUT == pytest.approx(np.full(len(torque), 0.4), rel=1e-7)
    assert torque[:, 2] == pytest.approx(np.full(len(torque), 0.4), rel=1e-7)


def arms(*, local=False, reverse=False, closed=False, drive=False):
    """Two arms with a joint that is drawn bent between them; the second may be guided."""
    frame = {"frame": "local"} if local else {}
    it = Mechanism("arms", gravity=[0.3, -9.0, 1.0], **frame).parameter("lean", 0.2)
    box = {"shape": "box", "size": [0.1, 0.2, 0.3]}
    it.body("one", mass=1.0, com=[0, 0, 0.3], inertia=box)
    it.body("other", mass=1.0, com=[0.1, 0, 0.6], inertia=box)
    it.joint("root", "spherical", "ground", "one", point=[0, 0, 0], velocity=[1.0, 0.3, 0.2])
    keys = {"axis": [0, 0.1, 1], "axis2": ["lean", 0.1, 1.0], "point": [0, 0, 0.5]}
    held = {"drive": "motion", "position": [0.3, -0.2]}
    keys |= held if drive else {"stiffness": [3.0, 4.0], "damping": [0.2, 0.1]}
    keys |= {"point2": [0, 0, -0.1], "rpy": [0.2, 0.3, 0.1]} if local else {}
    ends = ("other", "one") if reverse else ("one", "other")
    it.joint("coupling", "constant_velocity", *ends, **keys, cut=closed)
    if closed:
        at = {"point": [0.4, 0.1, 0.5], "axis": [0.3, 1, 0.2]}
        it.joint("wire", "cylindrical", "ground", "other", **at)
    return it.output("joints", "poses", "velocities", "reactions", "energy").fmu(tolerance=1e-9)


@pytest.mark.parametrize("reverse", [False, True], ids=["as declared", "reversed"])
@pytest.mark.parametrize("how", ["local", "closed", "drive"])
def test_drawn_bent_it_does_the_same_on_the_other_road(how, reverse):
    spec = arms(reverse=reverse, **{how: True}).spec()
    run = {"stop": 0.4, "step": 0.05}
    result = simulate(system_of(spec), **run)
    other = simulate_absolute(spec, **run, tolerance=1e-9)
    for name in set(result.names) & set(other.names):
        # 1e-9 per step, on accelerations and reactions of up to a few hundred
        assert result.column(name) == pytest.approx(other.column(name), rel=1e-6, abs=1e-5), name


def test_a_shaft_that_comes_back_is_refused():
    with pytest.raises(Exception, match="axis2: points back along the axis; give the direction"):
        shafts("constant_velocity", axis=[0, 0, 1], axis2=[0, 0.01, -1]).spec()
