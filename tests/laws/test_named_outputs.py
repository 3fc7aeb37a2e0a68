"""Outputs that a model names, and those of forces and accelerations, by other roads.

Poses by SciPy, velocities and accelerations by differences along the motion, forces by the power
that they have: what comes out of the formulas under test is not used to judge them.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu import Mechanism, simulate
from mbd_fmu.model.named_outputs import AXES
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.laws.outputs_of import Seen
from tests.random_loops import named_outputs, wander
from tests.suspension import AHEAD, AXLE, HUB, UP, suspension

H = 1e-6  # s; of central differences
SLOPE = 1e-7  # they miss by their rounding over H, and by H^2 times third derivatives


@pytest.fixture(scope="module", params=[(loop, k) for loop in (True, False) for k in range(3)])
def run(request):
    loop, seed = request.param
    found = Run(system_of(spec_of_table(suspension(loop=loop), "test")))
    if loop:
        return wander(found, seed)
    rng = np.random.default_rng(seed)
    found.u = rng.normal(size=len(found.u))
    found.x = found.stepper.normalized(found.x + 0.3 * rng.normal(size=len(found.x)))
    return found


@pytest.fixture(scope="module")
def now(run):
    return Seen(named_outputs(run), run.system.spec)


def rates(run):
    """How all outputs change along the motion."""
    rank = run.assembled.generic_rank.all if run.assembled else None
    z = run.plant.solution(run.x, run.u, rank)
    xd = z[: run.system.nx]
    sides = [run.plant.all_outputs(run.x + s * H * xd, run.u, rank) for s in (1, -1)]
    names = [v.name for v in run.system.table.outputs]
    return Seen(dict(zip(names, (sides[0] - sides[1]) / (2 * H), strict=True)), run.system.spec)


def close(found, expected):
    return found == pytest.approx(expected, abs=SLOPE * (1.0 + np.abs(expected).max()))


# ---- Poses and angles


def test_relative_poses_are_those_of_scipy(now):
    for name, body, to in (("carried", "wheel", "chassis"), ("back", "chassis", "wheel")):
        between = now.vector(f"{body}.r") - now.vector(f"{to}.r")
        assert now.vector(f"{name}.r") == pytest.approx(
            now.turn(to).inv().apply(between), abs=1e-12
        )
        expected = (now.turn(to).inv() * now.turn(body)).as_quat(scalar_first=True)
        quat = now.quat(name)
        assert quat * np.sign(quat @ expected) == pytest.approx(expected, abs=1e-12)


def test_a_turn_and_its_inverse_cancel(now):
    there, back = (Rotation.from_quat(now.quat(n), scalar_first=True) for n in ("carried", "back"))
    assert (there * back).magnitude() < 1e-12
    assert there.apply(now.vector("back.r")) == pytest.approx(-now.vector("carried.r"), abs=1e-12)


def test_roll_pitch_and_yaw_are_those_of_scipy(now):
    turns = {"attitude": now.turn("chassis")}
    turns["steered"] = now.turn("chassis").inv() * now.turn("wheel")
    for name, turn in turns.items():
        found = [now[f"{name}.{angle}"] for angle in ("roll", "pitch", "yaw")]
        assert found == pytest.approx(turn.as_euler("xyz"), abs=1e-12)


def test_an_angle_lies_between_the_axes(now):
    a, b = np.array(UP), now.turn("wheel").apply(AXLE)
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert now["lean"] == pytest.approx(np.arccos(cosine), abs=1e-12)


@pytest.mark.parametrize(("name", "about"), [("camber", AHEAD), ("toe", UP)])
def test_a_signed_angle_turns_one_axis_above_the_other(name, about, now):
    """Turned by it about the third axis, the first points where the second does, seen along it."""
    n = np.array(about) / np.linalg.norm(about)
    seen = (now.turn("chassis").inv() * now.turn("wheel")).apply(AXLE)
    flat = [np.array(a) - (n @ a) * n for a in (AXLE, seen)]
    turned = Rotation.from_rotvec(now[name] * n).apply(flat[0])
    sizes = [np.linalg.norm(a) for a in (turned, flat[1])]
    assert turned / sizes[0] == pytest.approx(flat[1] / sizes[1], abs=1e-12)


def test_camber_and_toe_of_a_wheel_that_is_turned_are_those_turns():
    """The wheel is turned by 0.1 about x, then by 0.2 about z: z first in its own axes."""
    car = Mechanism("car", gravity=[0, 0, 0])
    car.body("knuckle", mass=1, com=[0, 0, 0], inertia=np.eye(3))
    car.body("wheel", mass=1, com=[0, 0, 0], inertia=np.eye(3))
    car.joint("steer", "revolute", "ground", "knuckle", point=[0, 0, 0], axis=[0, 0, 1])
    car.joint("tilt", "revolute", "knuckle", "wheel", point=[0, 0, 0], axis=[1, 0, 0])
    axle = {"parent": "ground", "child": "wheel", "axis": [0, 1, 0], "axis2": [0, 1, 0]}
    sides = {"parent": "knuckle", "child": "wheel", "axis": [0, 1, 0], "axis2": [0, 1, 0]}
    angles = [{"name": "toe", **axle, "about": [0, 0, 1]}, {"name": "whole", **axle}]
    angles.append({"name": "camber", **sides, "about": [1, 0, 0]})
    system = system_of(car.output("joints", angle=angles).spec())
    now = named_outputs(Run(system, {"steer.q_start": 0.2, "tilt.q_start": -0.1}))
    assert (now["toe"], now["camber"]) == pytest.approx((0.2, -0.1), abs=1e-14)
    assert now["whole"] == pytest.approx(np.arccos(np.cos(0.2) * np.cos(0.1)), abs=1e-13)


# ---- Points and distances


def test_points_and_distances_follow_from_poses(now):
    hub = now.point("wheel", HUB)
    assert now.vector("hub.r") == pytest.approx(hub, abs=1e-12)
    for name, to, axes in (
        ("seen", "chassis", "chassis"),
        ("felt", "ground", "wheel"),
        ("mixed", "arm", "chassis"),
    ):
        between = hub - (0.0 if to == "ground" else now.vector(f"{to}.r"))
        assert now.vector(f"{name}.r") == pytest.approx(
            now.turn(axes).inv().apply(between), abs=1e-12
        )
    ends = now.point("chassis", [0.3, 0.1, 1]), now.point("wheel", [0.1, 1, 0.6])
    assert now["gap.length"] == pytest.approx(np.linalg.norm(ends[1] - ends[0]), abs=1e-12)
    assert now["height.length"] == pytest.approx(np.linalg.norm(hub), abs=1e-12)


def test_velocities_and_accelerations_are_derivatives_in_the_axes_they_are_told_in(run, now):
    moving = rates(run)
    for name in ("hub", "seen"):  # told in the axes of who sees it
        assert close(now.vector(f"{name}.v"), moving.vector(f"{name}.r"))
        assert close(now.vector(f"{name}.a"), moving.vector(f"{name}.v"))
    for name in ("gap", "height", "coil", "hard", "magnet", "motor"):
        assert close(now[f"{name}.rate"], moving[f"{name}.length"])
    for body in ("chassis", "arm", "wheel"):
        assert close(now.vector(f"{body}.v"), moving.vector(f"{body}.com"))
        assert close(now.vector(f"{body}.a"), moving.vector(f"{body}.v"))
        assert close(now.vector(f"{body}.alpha"), moving.vector(f"{body}.w"))


def test_what_a_body_feels_is_the_acceleration_in_its_axes(now):
    back = now.turn("wheel").inv()
    for part in ("v", "a"):
        expected = back.apply(now.vector(f"hub.{part}"))
        assert now.vector(f"felt.{part}") == pytest.approx(expected, abs=1e-12)


def test_what_one_body_sees_may_be_told_in_axes_of_another(run, now):
    """Of what the arm sees, its own axes make the derivative: those of the chassis turn by w."""
    moving, back = rates(run), now.turn("chassis").inv()
    spin = back.apply(now.vector("arm.w") - now.vector("chassis.w"))
    for one, other in (("v", "r"), ("a", "v")):
        expected = moving.vector(f"mixed.{other}") - np.cross(spin, now.vector(f"mixed.{other}"))
        assert close(now.vector(f"mixed.{one}"), expected)


# ---- Forces


def test_springs_pull_by_their_laws(now):
    between = now.point("wheel", [0.1, 0.8, 1]) - now.point("chassis", [0, 0.2, 1.5])
    length = np.linalg.norm(between)
    assert now["coil.length"] == pytest.approx(length, abs=1e-12)
    expected = 50.0 * (length - 0.4) + 2.0 * now["coil.rate"]
    assert now["coil.force"] == pytest.approx(expected, abs=1e-11)
    expected = 9 * (now["hard.length"] - 0.4) ** 3 + now["hard.rate"]
    assert now["hard.force"] == pytest.approx(expected, abs=1e-12)
    assert now["magnet.force"] == pytest.approx(0.3 / now["magnet.length"] ** 2, abs=1e-12)


def test_the_power_of_all_forces_is_what_their_energies_lose(run, now):
    """Springs, also in joints, bushing, actuator: stored and lost against force times velocity."""
    moving, g = rates(run), np.array([0, 0, -9.81])
    weights = {b.name: b.mass for b in run.system.spec.bodies}
    lifted = -sum(m * g @ now.vector(f"{b}.v") for b, m in weights.items())
    taken = sum(now[f"{s}.force"] * now[f"{s}.rate"] for s in ("coil", "hard", "magnet"))
    at = now.point("wheel", [0, 0.8, 1])
    speed = [
        now.vector(f"{b}.v") + np.cross(now.vector(f"{b}.w"), at - now.vector(f"{b}.com"))
        for b in ("wheel", "chassis")
    ]
    spin = now.vector("wheel.w") - now.vector("chassis.w")
    taken -= now.vector("mount.force") @ (speed[0] - speed[1])
    taken -= now.vector("mount.torque") @ spin
    taken -= now["hinge.passive"] * now["hinge.qd"]
    rates_of_fly = [*now.vector("fly.w"), *now.vector("fly.v")]
    taken -= sum(now[f"fly.passive[{k + 1}]"] * rate for k, rate in enumerate(rates_of_fly))
    # the motor: what its spring and damper take; gain ctrl + bias is work from outside
    ctrl = dict(zip((v.name for v in run.system.table.inputs), run.u, strict=True))["motor.ctrl"]
    taken += (ctrl + 0.2 - now["motor.effort"]) * now["motor.rate"]
    stored = moving["energy.potential"] - lifted
    assert close(taken, stored + moving["energy.dissipated"])


def test_what_acts_in_a_joint_by_itself_is_its_law(now):
    """Spring, damper, friction and a stop below, written out; of a free joint dampers alone."""
    q, qd = now["hinge.q"], now["hinge.qd"]
    beyond = -(q + 0.4)  # of the stop at -0.4, over a width of 0.2
    expected = -2.0 * (q - 0.1) - 0.3 * qd - 0.1 * np.tanh(qd / 0.5)
    expected += 5.0 * (beyond + np.hypot(beyond, 0.2)) / 2
    assert now["hinge.passive"] == pytest.approx(expected, abs=1e-12)
    rates_of_fly = np.array([*now.vector("fly.w"), *now.vector("fly.v")])
    found = [now[f"fly.passive[{k}]"] for k in range(1, 7)]
    assert found == pytest.approx([-0.1, 0, -0.2, 0, 0, -0.3] * rates_of_fly, abs=1e-12)


def test_a_wrench_of_functions_is_put_out_as_it_is_told(now):
    assert now.vector("gust.force").tolist() == [2.0, 0.0, 1.5]
    assert now.vector("gust.torque").tolist() == [0.0, 0.0, 0.0]


def test_an_actuator_acts_by_its_law(run, now):
    length = now["hinge.q"] - 2 * now["knuckle.q"]
    rate = now["hinge.qd"] - 2 * now["knuckle.qd"]
    ctrl = dict(zip((v.name for v in run.system.table.inputs), run.u, strict=True))["motor.ctrl"]
    assert (now["motor.length"], now["motor.rate"]) == pytest.approx((length, rate), abs=1e-12)
    expected = ctrl + 0.2 - 3.0 * (length - 0.1) - 0.1 * rate
    assert now["motor.effort"] == pytest.approx(expected, abs=1e-12)


def test_a_rod_pushes_along_itself_with_its_multiplier():
    run = wander(Run(system_of(spec_of_table(suspension(), "test"))), 5)
    now = Seen(named_outputs(run), run.system.spec)
    between = now.point("wheel", [0.4, 0.95, 1.1]) - now.point("chassis", [0.4, 0.2, 1])
    expected = now["rod.lambda[1]"] * between / np.linalg.norm(between)
    assert now.vector("rod.force") == pytest.approx(expected, abs=1e-10)
    assert abs(now["rod.lambda[1]"]) > 0.1


@pytest.mark.parametrize("axes", AXES)
def test_a_reaction_in_other_axes_is_the_same_vector(axes, now):
    turn = {"world": Rotation.identity(), "parent": now.turn("arm")}.get(axes, now.turn("wheel"))
    if axes == "joint":  # z along the axis, x nearest to the world's, as drawn
        z = np.array(UP) / np.linalg.norm(UP)
        x = np.array([1.0, 0, 0]) - z[0] * z
        x /= np.linalg.norm(x)
        turn = turn * Rotation.from_matrix(np.stack([x, np.cross(z, x), z], axis=1))
    for part in ("force", "torque"):
        expected = turn.inv().apply(now.vector(f"knuckle.{part}"))
        assert now.vector(f"in_{axes}.{part}") == pytest.approx(expected, abs=1e-11)
    if axes == "joint":
        assert abs(now["in_joint.torque.z"]) < 1e-11  # a hinge carries none


# ---- What is made of others


def test_magnitudes_and_expressions_are_what_they_say(run, now):
    inputs = dict(zip((v.name for v in run.system.table.inputs), run.u, strict=True))
    assert now["pinned"] == pytest.approx(np.linalg.norm(now.vector("knuckle.force")), abs=1e-11)
    assert now["fast"] == pytest.approx(np.linalg.norm(now.vector("seen.v")), abs=1e-12)
    assert now["power"] == pytest.approx(inputs["hinge.tau"] * now["hinge.qd"], abs=1e-12)
    assert now["twice"] == pytest.approx(2 * now["camber"] + 1 + now["pinned"] ** 2, rel=1e-12)
    expected = now["coil.force"] * now["coil.rate"] / (1 + now["arm.com.x"] ** 2)
    assert now["pull"] == pytest.approx(expected, abs=1e-12)
    expected = now["energy.input_work"] - now["energy.dissipated"]
    assert now["spent"] == pytest.approx(expected, abs=1e-12)


def test_nothing_that_is_named_changes_with_the_groups_beside_it(run):
    """Also what is made of outputs that are not put out, work since the start among them."""
    loop = bool(run.system.rows)
    alone = Run(system_of(spec_of_table(suspension(loop=loop, groups=[]), "test")))
    assert alone.system.nx == run.system.nx  # energy.input_work is a state, asked for or not
    alone.x, alone.u = run.x, run.u
    whole, found = named_outputs(run), named_outputs(alone)
    assert 80 < len(found) < len(whole) - 80
    assert found == pytest.approx({name: whole[name] for name in found}, abs=1e-12)


# ---- On a moving base


def test_the_ground_of_a_distance_is_the_base_that_springs_are_tied_to():
    """A distance and a spring between the same points are as long, however the base moves."""
    it = Mechanism("ride").moving_base({"position": ["time", 0, "0.2*sin(3*time)"]})
    it.body("car", mass=1.0, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    it.joint("slide", "prismatic", "ground", "car", point=[0, 0, 0], axis=[0, 0, 1], drive="none")
    ends = {"point": [1, 0, 0], "point2": [0, 0, 0]}
    tied = {"parent": "ground", "child": "car", **ends}
    it.force("spring", "spring_damper", **tied, stiffness=50.0, length=1.0)
    it.output(
        *("forces", "poses"),
        points=[{"name": "seen", "body": "car", "point": [0, 0, 0], "relative_to": "base"}],
        distance=[{"name": "gauge", **tied}],
        expression=[{"name": "clock", "value": "2*time"}],
    )
    result = simulate(it, stop=1.0, step=0.1)
    assert np.ptp(result.column("spring.length")) > 1e-3
    for part in ("length", "rate"):
        spring, gauge = (result.column(f"{of}.{part}") for of in ("spring", "gauge"))
        assert np.abs(spring - gauge).max() < 1e-12
    assert result.column("seen.r.x") == pytest.approx(0.0, abs=1e-12)
    assert result.column("car.r.x") == pytest.approx(result.time, abs=1e-12)
    assert result.column("clock") == pytest.approx(2 * result.time, abs=1e-15)
