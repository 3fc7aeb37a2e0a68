"""Closed loops against what can be said by hand: freedoms, forces, staying on the constraints."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.random_loops import named_outputs

G = 9.81
EVERYTHING = ("poses", "velocities", "joints", "reactions", "energy", "quality")
ACROSS = {"axis": [0, 1, 0]}  # hinges of mechanisms in the x-z plane


def bar(mass, a, b):
    """A slender bar from a to b."""
    a, b = np.array(a, dtype=float), np.array(b, dtype=float)
    shape = {"shape": "rod", "length": np.linalg.norm(b - a), "axis": b - a}
    return {"mass": mass, "com": (a + b) / 2, "inertia": shape}


def started(it, **fmu):
    return Run(system_of(it.output(*EVERYTHING).fmu(**fmu).spec()))


def freedoms(run):
    return len(run.system.state_v) - run.assembled.generic_rank.all


def vector(values, name):
    return np.array([values[f"{name}.{c}"] for c in "xyz"])


# --- Freedoms, from the rank ---


def test_a_two_link_arm_has_six_coordinates_rank_four_and_two_freedoms():
    """[002]: every link by x, z and angle; two pins, of five rows each in space."""
    it = Mechanism("arm")
    it.body("upper", **bar(1.0, [0, 0, 0], [1, 0, 0])).body(
        "lower", **bar(1.0, [1, 0, 0], [2, 0, 1])
    )
    for name in ("upper", "lower"):
        it.joint(f"{name}_plane", "planar", "ground", name, point=[0, 0, 0], drive="none", **ACROSS)
    it.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], cut=True, **ACROSS)
    it.joint("elbow", "revolute", "upper", "lower", point=[1, 0, 0], cut=True, **ACROSS)
    run = started(it)
    assert (len(run.system.state_v), len(run.system.rows)) == (6, 10)
    assert named_outputs(run)["constraint.rank"] == 4
    assert freedoms(run) == 2


def crank_slider(*, third="revolute", tilt=0.0, **crank):
    """Crank of 1 m, rod of 2 m and slider along x; ``tilt`` turns the three pins differently."""
    it = Mechanism("crank_slider")
    a, b, c = np.zeros(3), np.array([0.6, 0, 0.8]), np.array([0.6 + np.sqrt(4 - 0.64), 0, 0])
    it.body("crank", **bar(1.0, a, b)).body("rod", **bar(2.0, b, c))
    it.body("slider", mass=3.0, com=c, inertia={"shape": "box", "size": [0.2, 0.2, 0.2]})
    axes = [[tilt, 1, 0], [0, 1, 2 * tilt], [-tilt, 1, tilt]]
    it.joint("A", "revolute", "ground", "crank", point=a, axis=axes[0], **crank)
    it.joint("B", "revolute", "crank", "rod", point=b, axis=axes[1])
    keys = {"axis": axes[2]} if third == "revolute" else {}
    it.joint("C", third, "rod", "slider", point=c, **keys)
    it.joint("guide", "prismatic", "ground", "slider", point=c, axis=[1, 0, 0])
    return it


@pytest.mark.parametrize(
    ("keys", "expected"), [({}, 1), ({"third": "spherical"}, 1), ({"tilt": 0.3}, 0)]
)
def test_a_crank_slider_moves_unless_its_pins_point_in_different_directions(keys, expected):
    """[003]: three pins; one of them a ball, and the rod's spin is no freedom of theirs; askew."""
    run = started(crank_slider(**keys))
    assert freedoms(run) == expected
    # counted, it would be something else: redundant rows there are in two of the three
    counted = len(run.system.state_v) - len(run.system.rows)
    assert counted == (0 if "third" in keys else -2)


def test_a_crank_slider_that_cannot_move_stands_still_under_its_weight():
    run = started(crank_slider(tilt=0.3))
    before = named_outputs(run)
    run.step(0.1)
    after = named_outputs(run)
    for name in ("A.q", "B.q", "C.q", "guide.q"):
        assert after[name] == pytest.approx(before[name], abs=1e-12)
    weight = sum(after[f"{joint}.force.z"] for joint in ("A", "guide"))
    assert weight == pytest.approx(6.0 * G, rel=1e-9)


def test_a_crank_slider_follows_its_formula():
    """x = cos + sqrt(4 - sin^2) for rods of 1 and 2, with the crank at a constant rate."""
    run = started(crank_slider(drive="motion", velocity=6.0), tolerance=1e-9)
    first = np.arctan2(0.8, 0.6)

    def travel(t):
        angle = first - 6.0 * t  # turning about y takes z to x
        return np.cos(angle) + np.sqrt(4 - np.sin(angle) ** 2)

    h, start = 1e-5, named_outputs(run)
    begun = start["energy.kinetic"] + start["energy.potential"]
    for n in range(5):
        t, values = 0.05 * n, named_outputs(run)
        # the slider is where it must be to the tolerance of the projection
        assert values["guide.q"] == pytest.approx(travel(t) - travel(0), abs=1e-11)
        rate = (travel(t + h) - travel(t - h)) / (2 * h)
        assert values["guide.qd"] == pytest.approx(rate, abs=1e-7)  # h^2 and rounding over h
        bend = (travel(t + h) - 2 * travel(t) + travel(t - h)) / h**2
        assert values["guide.qdd"] == pytest.approx(bend, abs=1e-4)  # rounding over h^2
        stored = values["energy.kinetic"] + values["energy.potential"]
        # what the motion takes goes into the bodies; the solver's tolerance
        assert values["energy.input_work"] == pytest.approx(stored - begun, abs=1e-5)
        run.step(0.05)


@pytest.mark.parametrize(
    ("mass", "radius"),
    [
        (1e-2, 1e-2),
        (1e-3, 1e-4),
    ],
)
def test_a_speck_beside_the_loop_changes_no_rank(mass, radius):
    """It spins on a bar, and is in no row."""
    it = four_bar(velocity=3.0)
    it.body("speck", mass=mass, com=B, inertia={"shape": "sphere", "radius": radius})
    it.joint("spin", "revolute", "crank", "speck", point=B, **ACROSS)
    run = started(it)
    assert (run.assembled.generic_rank.all, freedoms(run)) == (2, 2)
    assert named_outputs(run)["a.qd"] == pytest.approx(3.0, abs=1e-12)


# --- Forces ---


def bead(**keys):
    """A mass of 2 kg free in the x-z plane, 1.5 m below the centre of a circular guide."""
    it = Mechanism("bead", **keys)
    it.body("bead", mass=2.0, com=[0, 0, -1.5], inertia={"shape": "sphere", "radius": 0.01})
    it.joint(
        "plane",
        "planar",
        "ground",
        "bead",
        point=[0, 0, -1.5],
        drive="none",
        axis2=[1, 0, 0],
        velocity=[0, 3.0, 0],
        **ACROSS,
    )
    ends = {"point": [0, 0, 0], "point2": [0, 0, -1.5]}
    it.constraint("guide", "distance", parent="ground", child="bead", **ends)
    return it


def test_the_multiplier_of_a_circular_guide_is_the_normal_force():
    """[002]: N = m v^2 / r + m g cos, inward; and v^2 = v_0^2 - 2 g r (1 - cos)."""
    run = started(bead(), tolerance=1e-10)
    for _ in range(5):
        values = named_outputs(run)
        r, v = vector(values, "bead.com"), vector(values, "bead.v")
        cosine = -r[2] / 1.5
        assert v @ v == pytest.approx(9.0 - 2 * G * 1.5 * (1 - cosine), abs=1e-7)
        normal = 2.0 * (v @ v) / 1.5 + 2.0 * G * cosine
        assert values["guide.lambda[1]"] == pytest.approx(-normal, rel=1e-10)
        run.step(0.1)


def door(first, cut, axis=(0, 0, 1)):
    """10 kg, 1 m wide, on hinges 2 m apart."""
    R = Rotation.align_vectors([axis], [[0, 0, 1]])[0].as_matrix()
    it = Mechanism("door", gravity=R @ [0, 0, -G])
    inertia = R @ np.diag([3.4, 4.2, 0.84]) @ R.T
    it.body("door", mass=10.0, com=R @ [0.5, 0, 1.0], inertia=inertia)
    for name in (first, "upper" if first == "lower" else "lower"):
        point = R @ [0, 0, 2.0 if name == "upper" else 0.0]
        it.joint(
            name, "revolute", "ground", "door", point=point, axis=R @ [0, 0, 1], cut=name == cut
        )
    return started(it), R


@pytest.mark.parametrize("first", ["upper", "lower"])
@pytest.mark.parametrize("cut", ["upper", "lower", None])
@pytest.mark.parametrize("axis", [(0, 0, 1), (0.3, 0.5, 0.8)])
def test_two_hinges_share_the_weight_of_a_door(first, cut, axis):
    """49.05 N along the axis in each, and a couple across; no hinge bends: least sum of squares."""
    run, R = door(first, cut, axis)
    assert freedoms(run) == 1
    values = named_outputs(run)
    for name, side in (("upper", -1), ("lower", 1)):
        force = R.T @ vector(values, f"{name}.force")
        assert force[2] == pytest.approx(49.05, abs=1e-9)
        assert force[0] * side > 0
        assert force[1] == pytest.approx(0.0, abs=1e-9)
    # what the hinges' torques do not take is a couple of their forces
    torque = sum(R.T @ vector(values, f"{name}.torque") for name in ("upper", "lower"))
    pull = (R.T @ vector(values, "lower.force"))[0]
    assert pull * 2.0 + torque[1] * -1.0 == pytest.approx(10 * G * 0.5, abs=1e-8)


@pytest.mark.parametrize("axis", [(0, 0, 1), (0.3, 0.5, 0.8)])
def test_a_door_on_two_hinges_swings_like_one_on_one(axis):
    """Closed form: J q'' = tau about the hinges, with J = 0.84 + 10 * 0.25."""
    run, _ = door("upper", "lower", axis)
    names = [v.name for v in run.system.table.inputs]
    run.u[names.index("upper.tau")] = 2.0
    run.u[names.index("lower.tau")] = 1.0
    run.step(1.0)
    values = named_outputs(run)
    for name in ("upper", "lower"):
        assert values[f"{name}.q"] == pytest.approx(0.5 * 3.0 / 3.34, rel=1e-9)
        assert values[f"{name}.qdd"] == pytest.approx(3.0 / 3.34, rel=1e-9)


@pytest.mark.parametrize("digits", [9, 6])
def test_hinges_drawn_with_few_digits_are_taken_for_aligned(digits):
    """The door and its hinges in oblique axes, all of them rounded."""
    R = Rotation.from_rotvec([0.3, 0.4, 0.5]).as_matrix()
    it = Mechanism("door", gravity=R @ [0, 0, -G])
    it.body("door", mass=10.0, com=R @ [0.5, 0, 1.0], inertia=np.eye(3))
    for name, z, length in (("upper", 2.0, 1.0), ("lower", 0.0, 1.7)):
        point, axis = R @ [0.1, 0, z], R @ [0, 0, length]
        it.joint(
            name,
            "revolute",
            "ground",
            "door",
            point=np.round(point, digits),
            axis=np.round(axis, digits),
            velocity=2.0,
        )
    run = started(it)
    assert freedoms(run) == 1
    run.step(0.3)
    values = named_outputs(run)
    assert values["upper.q"] == pytest.approx(0.6, abs=10.0 ** (1 - digits))
    assert values["lower.q"] == pytest.approx(0.6, abs=10.0 ** (1 - digits))
    weight = R.T @ (vector(values, "upper.force") + vector(values, "lower.force"))
    assert weight[2] == pytest.approx(98.1, abs=10.0 ** (4 - digits))


@pytest.mark.parametrize("kind", ["gear", "rack_pinion"])
def test_a_gear_couples_two_joints_by_its_ratio(kind):
    """(I + r^2 J) q'' = tau + r f, with q_b = r q + 0.2; the second one is held by J q_b'' - f."""
    r = -0.4
    it = Mechanism("gear", gravity=[0, 0, 0])
    it.body("wheel", mass=1.0, com=[0, 0, 0], inertia=np.diag([1.0, 0.5, 1.0]))
    it.joint("pin", "revolute", "ground", "wheel", point=[0, 0, 0], **ACROSS)
    it.body("other", mass=3.0, com=[2, 0, 0], inertia=np.diag([1.0, 2.0, 1.0]))
    second, size, inertia = (
        ("revolute", "ratio", 2.0) if kind == "gear" else ("prismatic", "radius", 3.0)
    )
    it.joint("next", second, "ground", "other", point=[2, 0, 0], **ACROSS)
    it.constraint("mesh", kind, joints=["pin", "next"], offset=0.2, **{size: r})
    run = started(it)
    names = [v.name for v in run.system.table.inputs]
    run.u[names.index("pin.tau")] = 2.0
    run.u[1 - names.index("pin.tau")] = 0.7
    rate = (2.0 + r * 0.7) / (0.5 + r * r * inertia)
    start = named_outputs(run)
    assert start["next.q"] == pytest.approx(r * start["pin.q"] + 0.2, abs=1e-12)
    run.step(1.0)
    values = named_outputs(run)
    assert values["pin.q"] == pytest.approx(start["pin.q"] + rate / 2, rel=1e-9)
    assert values["next.q"] == pytest.approx(r * values["pin.q"] + 0.2, abs=1e-12)
    assert values["mesh.lambda[1]"] == pytest.approx(inertia * r * rate - 0.7, rel=1e-9)


# --- A four-bar in coordinates of each bar ---

A, B, C, D = [0, 0, 0], [0.5, 0, 1], [2.5, 0, 1.5], [2, 0, 0]
BARS = {"crank": (1.0, A, B), "coupler": (2.0, B, C), "rocker": (1.5, C, D)}


def four_bar(*, redundant=False, cut=None, **crank):
    it = Mechanism("four_bar")
    for name, (mass, a, b) in BARS.items():
        it.body(name, **bar(mass, a, b))
        if redundant:
            it.joint(f"{name}_plane", "planar", "ground", name, point=a, drive="none", **ACROSS)
    for name, parent, child, point in (
        ("a", "ground", "crank", A),
        ("b", "crank", "coupler", B),
        ("c", "coupler", "rocker", C),
        ("d", "ground", "rocker", D),
    ):
        keys = {"cut": redundant or name == cut} | ACROSS | (crank if name == "a" else {})
        it.joint(name, "revolute", parent, child, point=point, **keys)
    return it


def test_a_four_bar_from_redundant_coordinates_closes_and_has_the_energies_of_its_bars():
    """[002]: T = sum of m v^2 / 2 + I w^2 / 2, V = sum of m g z; the ring of vectors closes."""
    run = started(four_bar(velocity=3.0), tolerance=1e-8)
    every = started(four_bar(redundant=True))
    assert (len(every.system.state_v), every.assembled.generic_rank.all) == (9, 8)
    first = named_outputs(run)
    for _ in range(3):
        values = named_outputs(run)
        kinetic = potential = 0.0
        ring = -np.subtract(D, A).astype(float)
        for name, (mass, a, b) in BARS.items():
            between = np.subtract(b, a)
            R = Rotation.from_quat([values[f"{name}.quat.{c}"] for c in "wxyz"], scalar_first=True)
            ring += R.apply(between)
            spin, v = vector(values, f"{name}.w"), vector(values, f"{name}.v")
            kinetic += mass * (v @ v) / 2 + mass * (between @ between) / 12 * (spin @ spin) / 2
            potential += mass * G * values[f"{name}.com.z"]
        assert np.abs(ring).max() < 1e-11  # the projection stops at 1e-12
        assert values["energy.kinetic"] == pytest.approx(kinetic, rel=1e-11)
        assert values["energy.potential"] == pytest.approx(potential, abs=1e-11)
        total = first["energy.kinetic"] + first["energy.potential"]
        assert kinetic + potential == pytest.approx(total, abs=1e-6)  # the solver's tolerance
        run.step(0.1)


def test_a_four_bar_moves_alike_in_three_coordinates_and_in_nine():
    """Accelerations of the bars, and reactions at the pins, at the start with the crank turning."""
    one = started(four_bar(velocity=3.0))
    values = named_outputs(one)
    every = four_bar(redundant=True)
    for body in every._table["body"]:
        name = body["name"]
        body["velocity"] = {
            "linear": vector(values, f"{name}.v"),
            "angular": vector(values, f"{name}.w"),
        }
    other = named_outputs(started(every))
    for joint in "abcd":
        # rounding over the condition of nine coordinates
        assert other[f"{joint}.qd"] == pytest.approx(values[f"{joint}.qd"], abs=1e-10)
        assert other[f"{joint}.qdd"] == pytest.approx(values[f"{joint}.qdd"], abs=1e-8)
    assert other["energy.kinetic"] == pytest.approx(values["energy.kinetic"], rel=1e-11)


# --- Staying on the constraints ---


def decay(t, start, alpha, beta):
    """phi(t) of phi'' + 2 alpha phi' + beta^2 phi = 0 from phi(0) = start at rest."""
    root = np.sqrt(complex(alpha**2 - beta**2))
    if abs(root) < 1e-12:
        return start * (1 + alpha * t) * np.exp(-alpha * t)
    return (
        start * (np.exp(-alpha * t) * (np.cosh(root * t) + alpha / root * np.sinh(root * t))).real
    )


@pytest.mark.parametrize(("alpha", "beta"), [(3.0, 10.0), (10.0, 10.0), (20.0, 10.0)])
def test_baumgarte_takes_a_violation_out_as_its_equation_says(alpha, beta):
    """Oscillating, fastest, creeping: from 0.1 m beside the guide, whatever else moves."""
    run = started(bead(), stabilization="baumgarte", alpha=alpha, beta=beta, tolerance=1e-11)
    names = run.system.states.names
    run.x[names.index("plane.q[3]")] -= 0.1
    radii = []
    for n in range(9):
        phi = np.linalg.norm(vector(named_outputs(run), "bead.com")) - 1.5
        if n == 0:
            assert abs(phi) == pytest.approx(0.1)
            start = phi
        # the rate of phi is zero at first: the velocity is along the guide
        assert phi == pytest.approx(decay(0.05 * n, start, alpha, beta), abs=1e-8)  # tolerance
        radii.append(phi)
        run.step(0.05)
    signs = np.sign(radii) * np.sign(start)
    assert (signs.min() < 0) == (alpha < beta)


def test_reactions_contain_no_feedback():
    """Beside the constraint, Baumgarte's accelerations differ from the true ones; forces do not."""
    plain, fed = started(bead()), started(bead(), stabilization="baumgarte", alpha=50, beta=50)
    for run in (plain, fed):
        run.x[run.system.states.names.index("plane.q[3]")] += 0.01
    assert (
        np.abs(
            plain.plant.derivatives(plain.x, plain.u) - fed.plant.derivatives(fed.x, fed.u)
        ).max()
        > 1.0
    )
    one, other = named_outputs(plain), named_outputs(fed)
    for name, value in one.items():
        assert other[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("solver", ["dopri5", "rk4"])
def test_projection_keeps_a_four_bar_closed_and_its_energy(solver):
    run = started(four_bar(velocity=3.0), solver=solver, tolerance=1e-8, step=4e-3)
    total = sum(named_outputs(run)[f"energy.{key}"] for key in ("kinetic", "potential"))
    run.step(0.3)
    values = named_outputs(run)
    assert values["constraint.position_error"] < 1e-11  # the projection stops at 1e-12
    assert values["constraint.velocity_error"] < 1e-11
    kept = values["energy.kinetic"] + values["energy.potential"]
    assert kept == pytest.approx(total, abs=1e-4)  # the solvers' errors


# --- Through gimbal lock ---


@pytest.mark.parametrize("as_cut", [False, True])
def test_a_ball_joint_passes_the_singularity_of_euler_angles(as_cut):
    """About y, a principal axis, at a constant rate: pitch passes 90 degrees at t = pi / 4."""
    it = Mechanism("ball", gravity=[0, 0, 0])
    velocity = {"angular": [0, 2, 0], "linear": [0, 0, -1.0]}  # w x r
    it.body("it", mass=1.0, com=[0.5, 0, 0], inertia=np.diag([0.1, 0.2, 0.3]), velocity=velocity)
    it.joint("ball", "spherical", "ground", "it", point=[0, 0, 0], cut=as_cut)
    if as_cut:
        it.joint("flight", "free", "ground", "it", point=[0.5, 0, 0], drive="none")
    run = started(it, tolerance=1e-9)
    for n in range(1, 5):
        run.step(np.pi / 8)
        values = named_outputs(run)
        half = n * np.pi / 8
        expected = [np.cos(half), 0, np.sin(half), 0]
        turn = [values[f"ball.q.{c}"] for c in "wxyz"]
        assert np.abs(np.subtract(turn, expected)).max() < 1e-7  # the solver's tolerance
        pull = -4 * 0.5 * np.array([np.cos(2 * half), 0, -np.sin(2 * half)])  # m w^2 r inward
        assert np.abs(vector(values, "ball.force") - pull).max() < 1e-6


# --- Rolling ---


def test_a_disc_rolls_down_a_slope_with_two_thirds_of_the_slide():
    """A uniform disc: a = 2/3 g sin; friction m g sin / 3; normal force m g cos."""
    slope, r, m = 0.3, 0.4, 2.0
    n, down = (
        np.array([np.sin(slope), 0, np.cos(slope)]),
        np.array([np.cos(slope), 0, -np.sin(slope)]),
    )
    it = Mechanism("disc", gravity=[0, 0, -G])
    inertia = {"shape": "cylinder", "radius": r, "length": 0.0, "axis": [0, 1, 0]}
    it.body("disc", mass=m, com=r * n, inertia=inertia)
    it.constraint(
        "rolling",
        "rolling_disc",
        body="disc",
        center=r * n,
        axis=[0, 1, 0],
        radius=r,
        normal=n,
        point=[0, 0, 0],
    )
    run = started(it, tolerance=1e-10)
    assert freedoms(run) == 3  # along, about the normal, and tilting
    for _ in range(3):
        values = named_outputs(run)
        forces = [values[f"rolling.lambda[{k}]"] for k in (1, 2, 3)]
        assert forces[0] == pytest.approx(m * G * np.cos(slope), rel=1e-9)
        assert abs(forces[1]) == pytest.approx(m * G * np.sin(slope) / 3, rel=1e-9)
        assert forces[2] == pytest.approx(0.0, abs=1e-9)
        run.step(0.2)
    travel = vector(named_outputs(run), "disc.com") - r * n
    assert travel == pytest.approx(0.5 * (2 / 3) * G * np.sin(slope) * 0.6**2 * down, abs=1e-8)


def test_a_knife_edge_sleigh_keeps_its_heading_speed():
    """Chaplygin's sleigh with its edge at the mass centre: it runs a circle at constant speed."""
    it = Mechanism("sleigh", gravity=[0, 0, 0])
    it.body("sleigh", mass=2.0, com=[0, 0, 0], inertia={"shape": "box", "size": [1, 0.5, 0.1]})
    it.joint(
        "ice",
        "planar",
        "ground",
        "sleigh",
        point=[0, 0, 0],
        axis=[0, 0, 1],
        axis2=[1, 0, 0],
        velocity=[1.5, 3.0, 0.0],
        drive="none",
    )
    it.constraint("edge", "knife_edge", body="sleigh", point=[0, 0, 0], axis=[0, 1, 0])
    run = started(it, tolerance=1e-10)
    assert (run.system.n_holonomic, freedoms(run)) == (0, 2)
    for n in range(4):
        t, values = 0.3 * n, named_outputs(run)
        radius = 3.0 / 1.5
        expected = radius * np.array([np.sin(1.5 * t), 1 - np.cos(1.5 * t), 0])
        assert np.abs(vector(values, "sleigh.com") - expected).max() < 1e-8  # the tolerance
        assert values["edge.lambda[1]"] == pytest.approx(2.0 * 3.0 * 1.5, rel=1e-8)  # m v w
        run.step(0.3)


def test_a_wheel_set_turns_by_the_difference_of_its_wheels():
    """Kinematics of an axle: v = r (w1 + w2) / 2 and w = r (w2 - w1) / track."""
    r, track = 0.3, 1.2
    it = Mechanism("axle", gravity=[0, 0, -G])
    it.body(
        "axle",
        mass=5.0,
        com=[0, 0, r],
        inertia={"shape": "box", "size": [0.1, track, 0.1]},
    )
    centers = {"left": [0, track / 2, r], "right": [0, -track / 2, r]}
    for (name, center), rate in zip(centers.items(), (4.0, 6.0), strict=True):
        inertia = {"shape": "cylinder", "radius": r, "length": 0.05, "axis": [0, 1, 0]}
        it.body(name, mass=1.0, com=center, inertia=inertia)
        it.joint(
            name + "_pin", "revolute", "axle", name, point=center, axis=[0, 1, 0], velocity=rate
        )
    it.constraint(
        "wheels",
        "wheel_set",
        bodies=["left", "right"],
        center=centers["left"],
        center2=centers["right"],
        axis=[0, 1, 0],
        radius=r,
    )
    run = started(it, tolerance=1e-7)
    assert freedoms(run) == 3  # both wheels, and the axle about itself
    for _ in range(3):
        values = named_outputs(run)
        left, right = (vector(values, f"{name}.w") for name in ("left", "right"))
        R = Rotation.from_quat([values[f"axle.quat.{c}"] for c in "wxyz"], scalar_first=True)
        about, ahead = R.apply([0, 1, 0]), np.cross(R.apply([0, 1, 0]), [0, 0, 1])
        v = r * (left + right) @ about / 2
        assert np.abs(vector(values, "axle.v") - v * ahead).max() < 1e-9
        turning = r * ((right - left) @ about) / track
        assert vector(values, "axle.w")[2] == pytest.approx(turning, abs=1e-9)
        run.step(0.2)
    # pins without drives: nothing but normal forces carries the weight of all three
    normal = [values[f"wheels.lambda[{k}]"] for k in (1, 2)]
    assert sum(normal) == pytest.approx(7.0 * G, rel=1e-9)
