"""Constraints that are no joints, in motion: closed forms and a reference of a rolling disc."""

import numpy as np
import pytest
from scipy.special import ellipk

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.oracle.run import AbsoluteRun, simulate_absolute
from tests.cases import case_of, solution_of

BALL = {"shape": "sphere", "radius": 0.1}
G = 9.81
TILT = 0.4  # of inclines
DOWNHILL = [G * np.sin(TILT), 0, -G * np.cos(TILT)]  # x downhill, z across the plane
TIGHT = {"tolerance": 1e-10}


def energy(result):
    return result.column("energy.kinetic") + result.column("energy.potential")


def test_a_mass_on_a_rod_is_a_pendulum():
    """Period 4 sqrt(l / g) K(sin^2(amplitude / 2)); the rod pulls m (g cos + l rate^2)."""
    amplitude, length, mass = 2.0, 0.7, 1.3
    at = np.array([length * np.sin(amplitude), 0, -length * np.cos(amplitude)])
    it = Mechanism("rod").body("bob", mass=mass, com=at, inertia=BALL)
    keys = {"parent": "ground", "child": "bob", "point": [0, 0, 0], "point2": at}
    spec = it.constraint("rod", "distance", **keys).spec()
    period = 4 * np.sqrt(length / G) * ellipk(np.sin(amplitude / 2) ** 2)
    result = simulate_absolute(spec, stop=period, step=period / 40, **TIGHT)

    x, z = result.column("bob.com.x"), result.column("bob.com.z")
    # the tolerance per internal step, some hundred of them
    assert [x[-1], z[-1]] == pytest.approx(at[[0, 2]], abs=1e-7)
    assert np.hypot(x, z) == pytest.approx(length, abs=1e-12)
    speed2 = result.column("bob.v.x") ** 2 + result.column("bob.v.z") ** 2
    pull = mass * (G * -z / length + speed2 / length)
    assert result.column("rod.lambda[1]") == pytest.approx(-pull, rel=1e-9)
    assert np.ptp(energy(result)) < 1e-8


@pytest.mark.parametrize("kind", ["point_on_line", "point_in_plane"])
def test_a_bead_slides_down_an_incline(kind):
    """s = g sin(tilt) t^2 / 2; line and plane carry m g cos(tilt)."""
    axis = {"point_on_line": [1, 0, 0], "point_in_plane": [0, 0, 1]}[kind]
    it = Mechanism("bead", gravity=DOWNHILL).body("bead", mass=2, com=[0, 0, 0], inertia=BALL)
    keys = {"point": [0, 0, 0], "point2": [0, 0, 0], "axis": axis}
    spec = it.constraint("way", kind, parent="ground", child="bead", **keys).spec()
    result = simulate_absolute(spec, stop=1.0, step=0.1, **TIGHT)
    fallen = G * np.sin(TILT) * result.time**2 / 2
    assert result.column("bead.com.x") == pytest.approx(fallen, abs=1e-10)
    # across a line along x, the axes are y and z
    carrying = {"point_on_line": 2, "point_in_plane": 1}[kind]
    assert result.column(f"way.lambda[{carrying}]") == pytest.approx(2 * G * np.cos(TILT))


def test_gears_turn_many_times_and_share_torques():
    """(I_1 + r^2 I_2) q_1'' = tau_1 + r tau_2; the second wheel takes I_2 q_2'' - tau_2."""
    I, ratio, tau = (0.5, 0.2), -2.5, (6.0, 1.0)
    it = Mechanism("gears", gravity=[0, 0, 0])
    for k in range(2):
        at = [float(k), 0, 0]
        it.body(f"wheel{k}", mass=1, com=at, inertia=np.diag([0.3, 0.3, I[k]]))
        it.joint(f"pin{k}", "revolute", "ground", f"wheel{k}", point=at, axis=[0, 0, 1])
    it.constraint("mesh", "gear", joints=["pin0", "pin1"], ratio=ratio, offset=0.4)
    run = AbsoluteRun(it.spec(), 1e-8)
    run.set({"pin0.tau": tau[0], "pin1.tau": tau[1]})
    rate = (tau[0] + ratio * tau[1]) / (I[0] + ratio**2 * I[1])
    start = run.outputs()
    for _ in range(5):
        run.step(1.0)
    found = run.outputs()
    q = start["pin0.q"] + rate * 5**2 / 2
    assert abs(q) > 6 * np.pi
    assert found["pin0.q"] == pytest.approx(q, rel=1e-8)
    assert found["pin1.q"] == pytest.approx(ratio * found["pin0.q"] + 0.4, abs=1e-11)
    assert found["mesh.lambda[1]"] == pytest.approx(I[1] * ratio * rate - tau[1], rel=1e-9)
    assert start["pin0.q"] * ratio + 0.4 == pytest.approx(start["pin1.q"], abs=1e-12)


def test_a_rack_falls_and_turns_its_pinion():
    """(m + I / r^2) s'' = -m g, and the teeth push with m (g + s'')."""
    I, m, r = 0.3, 2.0, 0.25
    it = Mechanism("rack")
    it.body("wheel", mass=1, com=[0, 0, 0], inertia=np.diag([0.2, I, 0.2]))
    it.body("rack", mass=m, com=[r, 0, 0], inertia=BALL)
    it.joint("pin", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 1, 0], drive="none")
    it.joint("way", "prismatic", "ground", "rack", point=[r, 0, 0], axis=[0, 0, 1], drive="none")
    it.constraint("teeth", "rack_pinion", joints=["pin", "way"], radius=r)
    result = simulate_absolute(it.spec(), stop=1.0, step=0.1, **TIGHT)
    fall = -m * G / (m + I / r**2)
    assert result.column("way.q") == pytest.approx(fall * result.time**2 / 2, abs=1e-10)
    assert result.column("pin.q") == pytest.approx(result.column("way.q") / r, abs=1e-11)
    assert result.column("teeth.lambda[1]") == pytest.approx(m * (G + fall), rel=1e-9)


def test_a_skate_on_an_incline_does_not_run_away_downhill():
    """x = g sin(tilt) sin^2(wt) / 2w^2, y = g sin(tilt) (wt - sin(2wt) / 2) / 2w^2.

    Neimark & Fufaev (1972), ch. II: across the fall it travels, down it only swings.
    """
    w = 1.5
    it = Mechanism("skate", gravity=DOWNHILL)
    it.body("skate", mass=2, com=[0, 0, 0], inertia=BALL)
    keys = {"point": [0, 0, 0], "axis": [0, 0, 1], "velocity": [w, 0, 0], "drive": "none"}
    it.joint("ice", "planar", "ground", "skate", **keys)
    it.constraint("blade", "knife_edge", body="skate", point=[0, 0, 0], axis=[0, 1, 0])
    result = simulate_absolute(it.spec(), stop=4.0, step=0.2, **TIGHT)
    t, size = result.time, G * np.sin(TILT) / (2 * w**2)
    # the tolerance per internal step
    assert result.column("skate.com.x") == pytest.approx(size * np.sin(w * t) ** 2, abs=1e-8)
    across = size * (w * t - np.sin(2 * w * t) / 2)
    assert result.column("skate.com.y") == pytest.approx(across, abs=1e-8)
    # the blade carries m v w across, less the slope's pull: l = (-sin, cos)
    speed = G * np.sin(TILT) / w * np.sin(w * t)
    holds = 2 * (speed * w + G * np.sin(TILT) * np.sin(w * t))
    assert result.column("blade.lambda[1]") == pytest.approx(holds, abs=1e-7)


def disc_of(it, name, *, mass, centre, axis, axial, **keys):
    axis = np.array(axis) / np.linalg.norm(axis)
    across = axial / 2
    inertia = across * np.eye(3) + (axial - across) * np.outer(axis, axis)
    it.body(name, mass=mass, com=centre, inertia=inertia, **keys)


def test_an_upright_disc_rolls_down_an_incline():
    """a = g sin(tilt) / (1 + I / m r^2); friction holds it back by I a / r^2."""
    m, r, I = 2.0, 0.3, 0.09
    it = Mechanism("disc", gravity=DOWNHILL)
    disc_of(it, "disc", mass=m, centre=[0, 0, r], axis=[0, 1, 0], axial=I)
    it.constraint("road", "rolling_disc", body="disc", center=[0, 0, r], axis=[0, 1, 0], radius=r)
    result = simulate_absolute(it.spec(), stop=0.5, step=0.05, **TIGHT)
    a = G * np.sin(TILT) / (1 + I / (m * r * r))
    assert result.column("disc.com.x") == pytest.approx(a * result.time**2 / 2, abs=1e-10)
    # an upright disc may fall over, and rounding grows as it may
    assert result.column("road.lambda[1]") == pytest.approx(m * G * np.cos(TILT), rel=1e-7)
    # y x z = x: along is downhill
    assert result.column("road.lambda[2]") == pytest.approx(-I * a / r**2, rel=1e-7)
    assert result.column("road.lambda[3]") == pytest.approx(0, abs=1e-7)


def test_a_leaning_disc_rolls_as_its_reference_does():
    case = case_of("closed_form/rolling_disk")
    theirs = solution_of("closed_form/rolling_disk")
    data, initial = case["parameters"], case["initial"]
    r, lean = data["radius"], np.radians(initial["lean_deg"])
    axis = np.array([0, np.cos(lean), np.sin(lean)])
    up = r * np.array([0, -np.sin(lean), np.cos(lean)])
    w = np.array([0, 0, initial["yaw_rate"]]) + initial["spin_rate"] * axis
    it = Mechanism("disc", gravity=[0, 0, -data["g"]])
    motion = {"velocity": {"linear": np.cross(w, up), "angular": w}}
    keys = {"mass": data["mass"], "axial": data["I_axial"]}
    disc_of(it, "disc", centre=up, axis=axis, **keys, **motion)
    it.constraint("road", "rolling_disc", body="disc", center=up, axis=axis, radius=r)
    step = theirs.time[1] * round(0.1 / theirs.time[1])
    result = simulate_absolute(it.spec(), stop=case["duration"], step=step, tolerance=1e-9)

    rows = [theirs.row_at(t) for t in result.time]
    yaw, lean, x, y, z = (
        theirs.column(key)[rows] for key in ("yaw", "lean", "contact_x", "contact_y", "center_z")
    )
    expected = [x + r * np.sin(lean) * np.sin(yaw), y - r * np.sin(lean) * np.cos(yaw), z]
    for c, wanted in zip("xyz", expected, strict=True):
        # 1e-9 per internal step, over 4 s of a motion that is stable at this speed
        assert result.column(f"disc.com.{c}") == pytest.approx(wanted, abs=1e-7), c
    conserved = case["conserved"]["energy"]
    assert energy(result) == pytest.approx(conserved, rel=1e-8)


def test_a_pair_of_wheels_runs_in_a_circle():
    """No force works: speed and turning stay. The first wheel carries M v w, towards the centre."""
    m, r, I, half, v, w = 1.5, 0.2, 0.03, 0.5, 0.8, 0.6
    it = Mechanism("wheels")
    motion = {"velocity": {"linear": [v, 0, 0], "angular": [0, 0, w]}}
    it.body("axle", mass=4, com=[0, 0, r], inertia=np.diag([0.3, 0.2, 0.4]), **motion)
    for name, y in (("left", half), ("right", -half)):
        disc_of(it, name, mass=m, centre=[0, y, r], axis=[0, 1, 0], axial=I)
        keys = {"point": [0, y, r], "axis": [0, 1, 0], "drive": "none"}
        keys["velocity"] = (v - w * y) / r
        it.joint(f"pin_{name}", "revolute", "axle", name, **keys)
    keys = {"center": [0, half, r], "center2": [0, -half, r], "axis": [0, 1, 0], "radius": r}
    it.constraint("road", "wheel_set", bodies=["left", "right"], **keys)
    result = simulate_absolute(it.spec(), stop=3.0, step=0.25, **TIGHT)
    radius, t = v / w, result.time
    assert result.column("axle.com.x") == pytest.approx(radius * np.sin(w * t), abs=1e-8)
    assert result.column("axle.com.y") == pytest.approx(radius * (1 - np.cos(w * t)), abs=1e-8)
    total = 4 + 2 * m
    # l = n x t points to the left, where the centre is
    assert result.column("road.lambda[5]") == pytest.approx(total * v * w, rel=1e-7)
    weights = result.column("road.lambda[1]") + result.column("road.lambda[2]")
    assert weights == pytest.approx(total * G, rel=1e-9)
    for n in (3, 4):
        assert result.column(f"road.lambda[{n}]") == pytest.approx(0, abs=1e-7)
    assert set(result.column("constraint.rank")) == {2 * 5 + 5.0}
