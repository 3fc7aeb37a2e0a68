"""Reference cases with closed loops and constraints, through the native FMU."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu
from tests.models.drawn_world import (
    OUTPUTS,
    assert_close,
    mechanism,
    quaternions,
    run,
    vectors,
)
from tests.models.published import assert_near_adams, assert_near_dymola, published


def case_of(shared, folder, name, csv=None):
    case = json.loads((shared / folder / f"{name}.json").read_text())
    return case, read_csv(shared / folder / (csv or f"{name}.csv"))


def reactions(ours, theirs, names, *, in_plane=None):
    """Pairs of forces and torques; of a plane mechanism, what acts in the plane."""
    pairs = {}
    for name in names:
        for key, column in (("force", "f"), ("torque", "t")):
            expected = vectors(theirs, f"{name}.reac_{column}")
            found = vectors(ours, f"{name}.{key}.")
            if in_plane is not None:
                keep = np.array([c != in_plane for c in "xyz"], dtype=float)
                keep = keep if key == "force" else 0.0 * keep
                expected, found = expected * keep, found * keep
            pairs[f"{name} {key}"] = found, expected
    return pairs


def bodies(ours, theirs, names):
    pairs = {}
    for name in names:
        pairs[f"{name} com"] = vectors(ours, f"{name}.com."), vectors(theirs, f"{name}.com_")
        pairs[f"{name} quat"] = quaternions(ours, f"{name}.quat."), quaternions(theirs, f"{name}.q")
    return pairs


# --- MSC ADAMS through Project Chrono ---


@pytest.mark.parametrize("name", ["Distance", "RevSpherical", "TranSpring"])
def test_rods_and_springs_follow_their_cases(name, shared, fmu_of):
    case, theirs = case_of(shared, "adams_chrono", f"{name}_Case01", f"{name}_Case01_hiacc.csv")
    ours = run(fmu_of, mechanism(name, case["model_AWD"]).spec(), theirs.time)
    turned = Rotation.from_quat(np.roll(quaternions(ours, "b.quat."), -1, axis=1))
    turned = turned * Rotation.from_matrix(np.array(case["body_frame_R0"]))
    quat = np.roll(turned.as_quat(canonical=False), 1, axis=1)
    expected = np.stack([theirs.column(f"Quat_e{k}") for k in range(4)], axis=1)
    quat = quat * np.sign(np.sum(quat * expected, axis=1))[:, None]
    pairs = {
        "position": (vectors(ours, "b.com."), vectors(theirs, "Pos_")),
        "velocity": (vectors(ours, "b.v."), vectors(theirs, "Vel_")),
        "quaternion": (quat, expected),
        "spin": (vectors(ours, "b.w."), vectors(theirs, "Avel_")),
    }
    if name == "Distance":  # the force on the ground: along the rod, against what pushes it apart
        along = vectors(ours, "b.com.") / 2.0
        pairs["force"] = -ours.column("j.lambda[1]")[:, None] * along, vectors(theirs, "Rforce_")
    assert_close(theirs.time, pairs, 1e-6)
    assert_near_adams(shared, name, case, theirs.time, pairs)


# --- Examples of the Modelica library ---


def test_the_spatial_four_bar_of_modelica_is_followed_with_reactions(shared, fmu_of):
    case, theirs = case_of(shared, "msl", "Fourbar1", "Fourbar1_hiacc.csv")
    ours = run(fmu_of, mechanism("Fourbar1", case["model_AWD"]).spec(), theirs.time)
    pairs = bodies(ours, theirs, case["model_AWD"]["bodies"])
    pairs |= reactions(ours, theirs, ["j1", "j2", "u", "sph"])
    assert_close(theirs.time, pairs, 1e-6)
    found = {"j1.phi": ours.column("j1.q"), "j1.w": ours.column("j1.qd")}
    assert_near_dymola(shared, "Fourbar1", case, theirs.time, found)


PLANAR = {
    "PlanarFourbar": ("revolute1 revolute2 revolute3", "revolute4cut", "y"),
    "Engine1a": ("bearing b1 cylinder", "b2", "x"),
}
DYMOLA = {"PlanarFourbar": ("revolute1", "revolute1"), "Engine1a": ("inertia", "bearing")}


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
@pytest.mark.parametrize("name", PLANAR)
def test_a_plane_loop_of_modelica_is_followed_with_reactions(name, pins, shared, fmu_of):
    """Closed by a pin of two rows all reactions are unique, by a hinge those in the plane."""
    case, theirs = case_of(shared, "msl", name, f"{name}_hiacc.csv")
    joints, closing, across = PLANAR[name]
    spec = mechanism(name, case["model_AWD"], pins=pins).spec()
    ours = run(fmu_of, spec, theirs.time)
    pairs = bodies(ours, theirs, case["model_AWD"]["bodies"])
    if pins == "revolute":
        pairs |= reactions(ours, theirs, [*joints.split(), closing], in_plane=across)
    else:
        pairs |= reactions(ours, theirs, joints.split())
    assert_close(theirs.time, pairs, 1e-6)
    shaft, joint = DYMOLA[name]
    found = {f"{shaft}.phi": ours.column(f"{joint}.q"), f"{shaft}.w": ours.column(f"{joint}.qd")}
    assert_near_dymola(shared, name, case, theirs.time, found)


@pytest.mark.parametrize("name", ["RevoluteConstraint", "UniversalConstraint"])
@pytest.mark.parametrize("as_cut", [False, True])
def test_a_joint_as_constraint_of_modelica_is_the_joint(name, as_cut, shared, fmu_of):
    """As a joint of the tree; and as rows on a body that a free joint carries."""
    case, theirs = case_of(shared, "msl", name, f"{name}_hiacc.csv")
    it = mechanism(name, case["model_AWD"])
    if as_cut:
        com = case["model_AWD"]["bodies"]["body"]["com"]
        it.joint("carrier", "free", "ground", "body", point=com, drive="none")
        it._table["joint"][0]["cut"] = True
    ours = run(fmu_of, it.spec(), theirs.time)
    pairs = bodies(ours, theirs, ["body"]) | reactions(ours, theirs, ["joint"])
    assert_close(theirs.time, pairs, 1e-6)
    turns = Rotation.from_quat(np.roll(quaternions(ours, "body.quat."), -1, axis=1))
    spin = turns.inv().apply(vectors(ours, "body.w.")) @ np.array(case["extra"]["R_frame"])
    found = {f"bodyOfConstraint.body.w_a[{k + 1}]": spin[:, k] for k in range(3)}
    if name == "RevoluteConstraint":
        found |= {"bodyOfJoint.body.w_a[2]": spin[:, 1], "joint.phi": ours.column("joint.q")}
    else:
        found |= {f"joint.phi_{c}": ours.column(f"joint.q[{k}]") for c, k in (("a", 1), ("b", 2))}
    assert_near_dymola(shared, name, case, theirs.time, found)


def test_a_pendulum_with_spring_and_damper_follows_modelica(shared, fmu_of):
    case, theirs = case_of(
        shared, "msl", "PendulumWithSpringDamper", "PendulumWithSpringDamper_hiacc.csv"
    )
    ours = run(fmu_of, mechanism("pendulum", case["model_AWD"]).spec(), theirs.time)
    pairs = bodies(ours, theirs, ["body1"]) | reactions(ours, theirs, ["plane"])
    # the multiplier acts on the child, the ground; the reference tells what acts on the body
    n = Rotation.from_quat(np.roll(quaternions(ours, "body1.quat."), -1, axis=1)).apply([0, 1, 0])
    on_body = -ours.column("radial.lambda[1]")[:, None] * n
    pairs["radial force"] = on_body, vectors(theirs, "radial.reac_f")
    assert_close(theirs.time, pairs, 1e-6)
    # a hinge and a slide in series there: the way from the hinge, and where it points
    way, speed = vectors(ours, "body1.com.") - [0.3, 0, 0], vectors(ours, "body1.v.")
    length = np.linalg.norm(way, axis=1)
    found = {
        "revolute.phi": np.unwrap(np.arctan2(way[:, 1], way[:, 0])),
        "revolute.w": ours.column("body1.w.z"),
        "prismatic.s": length,
        "prismatic.v": np.sum(way * speed, axis=1) / length,
    }
    assert_near_dymola(shared, "PendulumWithSpringDamper", case, theirs.time, found)


def test_cut_forces_at_rest_have_the_signs_of_modelica(shared, fmu_of):
    """The sensor counts what acts on its frame a: the opposite of our force on the child."""
    case = json.loads((shared / "msl" / "static_cut_forces.json").read_text())
    values = case["values"]["CutForceAndTorque1"]
    it = Mechanism("cut", gravity=[0, -9.80665, 0])
    # the frame turned by +90 degrees about z; the arm (0, -1, 0) in it points along the world's x
    it.body("arm", mass=1, com=[1, 0, 0.2], inertia=np.eye(3))
    it.joint("sensor", "rigid", "ground", "arm", point=[0, 0, 0.2])
    ours = run(fmu_of, it.output(*OUTPUTS).spec(), np.array([0.0, 0.1]))
    force, torque = vectors(ours, "sensor.force.")[-1], vectors(ours, "sensor.torque.")[-1]
    world = [values[f"cutForce2a.force[{k}]"] for k in (1, 2, 3)]
    moment = [values[f"cutForce2a.torque[{k}]"] for k in (1, 2, 3)]
    assert np.allclose(force, -np.array(world), atol=1e-12)
    assert np.allclose(torque, -np.array(moment), atol=1e-12)


def test_a_wheel_set_is_pulled_as_in_modelica(shared, fmu_of):
    case, theirs = case_of(
        shared, "msl", "RollingWheelSetPulling", "RollingWheelSetPulling_hiacc.csv"
    )
    p = case["parameters"]
    half, r = p["track"] / 2, p["R_wheel"]
    inertia = np.diag([p["I_wheelLong"], p["I_wheelAxis"], p["I_wheelLong"]])
    it = Mechanism("wheels")
    x, y = case["initial"]["x"], case["initial"]["y"]
    it.body(
        "axle",
        mass=p["body_mass"],
        com=[x + p["body_offset_x"], y, r],
        inertia=p["body_I"] * np.eye(3),
        origin=[x, y, r],
    )
    for name, side in (("wheel1", half), ("wheel2", -half)):
        center = [x, y + side, r]
        it.body(name, mass=p["m_wheel"], com=center, inertia=inertia)
        it.joint(
            f"spin_{name}", "revolute", "axle", name, point=center, axis=[0, 1, 0], drive="none"
        )
    # the axle stays level: it is carried by a plane
    it.joint("level", "planar", "ground", "axle", point=[x, y, r], axis=[0, 0, 1], drive="none")
    it.constraint(
        "rolling",
        "wheel_set",
        bodies=["wheel1", "wheel2"],
        radius=r,
        axis=[0, 1, 0],
        center=[x, y + half, r],
        center2=[x, y - half, r],
    )
    it.force("pull", "wrench", body="axle", point=[x + p["body_offset_x"], y, r])
    spec = it.output("poses", "joints").spec()
    force = np.array([[1, 0], [1, 0], [0, 2], [0, 2]], dtype=float)
    inputs = Trajectory(np.array([0.0, 1, 2, 3]), ("pull.force.x", "pull.force.y"), force)
    ours = run(fmu_of, spec, theirs.time, inputs=inputs, interpolate=True)
    pairs = {
        "wheelSet.x": "axle.r.x",
        "wheelSet.y": "axle.r.y",
        "wheelSet.phi": "level.q[1]",
        "wheelSet.theta1": "spin_wheel1.q",
        "wheelSet.theta2": "spin_wheel2.q",
        "wheelSet.der_theta1": "spin_wheel1.qd",
        "wheelSet.der_theta2": "spin_wheel2.qd",
    }
    found = {other: ours.column(one) for other, one in pairs.items()}
    for name, one in found.items():
        other = theirs.column(name)
        assert np.abs(one - other).max() <= 1e-6 * np.ptp(other), name
    assert_near_dymola(shared, "RollingWheelSetPulling", case, theirs.time, found)


# --- Closed loops ---


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
def test_the_four_bar_of_drake_swings(pins, shared, fmu_of):
    case, theirs = case_of(shared, "closed_loop", "drake_four_bar_passive")
    spec = mechanism("drake", case["model_AWD"], pins=pins).spec()
    ours = run(fmu_of, spec, theirs.time)
    joints = ["WA", "AB", "WC"] + (["BC"] if pins == "revolute" else [])
    pairs = {}
    for name in joints:
        keep = np.array([1.0, 0.0, 1.0])
        expected = vectors(theirs, f"{name}.reac_f") * keep
        pairs[name] = vectors(ours, f"{name}.force.") * keep, expected
    assert_close(theirs.time, pairs, 1e-6)
    qa = ours.column("WA.q") - ours.column("WA.q")[0]
    assert np.abs(qa - (theirs.column("qA") - theirs.column("qA")[0])).max() <= 1e-6 * np.ptp(qa)


@pytest.mark.parametrize(
    ("name", "inputs", "angle", "joints"),
    [
        ("five_bar_2dof", {"m1.tau": "u_tau1", "m2.tau": "u_tau2"}, ("m1.q", "q1"), "m1 m2 e1 e2"),
        (
            "peaucellier",
            {"jQ.tau": "u_tau_crank"},
            ("jQ.q", "crank_angle"),
            "jQ jOA jOC jPA jPC jAS jCS",
        ),
    ],
)
def test_a_driven_linkage_follows_its_reference(name, inputs, angle, joints, shared, fmu_of):
    case, theirs = case_of(shared, "closed_loop", name)
    drives = [key.partition(".")[0] for key in inputs]
    spec = mechanism(name, case["model_AWD"], drives=drives).spec()
    values = np.stack([theirs.column(column) for column in inputs.values()], axis=1)
    ours = run(fmu_of, spec, theirs.time, inputs=Trajectory(theirs.time, tuple(inputs), values))
    assert_close(theirs.time, reactions(ours, theirs, joints.split()), 1e-6)
    one, other = ours.column(angle[0]), theirs.column(angle[1])
    assert np.abs((one - one[0]) - (other - other[0])).max() <= 1e-6 * np.ptp(other)


# --- Benchmarks ---


def n_four_bar(n):
    """IFToMM A02: n parallelograms side by side; singular whenever all links lie flat."""
    it = Mechanism("n_four_bar", gravity=[0, -9.81, 0])
    link = {"mass": 1, "inertia": {"shape": "rod", "length": 1, "axis": [0, 1, 0]}}
    bar = {"mass": 1, "inertia": {"shape": "rod", "length": 1, "axis": [1, 0, 0]}}
    for i in range(n + 1):
        it.body(f"link{i}", com=[i, 0.5, 0], **link)
        it.joint(
            f"A{i}",
            "revolute",
            "ground",
            f"link{i}",
            point=[i, 0, 0],
            axis=[0, 0, 1],
            velocity=-1.0,
            drive="none",
        )
    for i in range(n):
        it.body(f"bar{i}", com=[i + 0.5, 1, 0], **bar)
        ends = {"axis": [0, 0, 1], "drive": "none"}
        it.joint(f"B{i}", "revolute", f"link{i}", f"bar{i}", point=[i, 1, 0], velocity=1.0, **ends)
        it.joint(f"C{i}", "revolute", f"bar{i}", f"link{i + 1}", point=[i + 1, 1, 0], **ends)
    tip = [{"name": "tip", "body": "link0", "point": [0, 1, 0]}]
    return it.output("energy", "joints", "quality", points=tip)


def test_parallelograms_pass_their_singular_positions(shared, fmu_of):
    """A02 with two loops: 1e-3 over 10 s and energy to 1e-6 are asked for."""
    theirs = read_csv(shared / "iftomm" / "A02_N2_fourbar.csv")
    times = theirs.time[theirs.time <= 10.0 + 1e-9]
    ours = run(fmu_of, n_four_bar(2).spec(), times)
    for c in "xy":
        assert (
            np.abs(ours.column(f"tip.r.{c}") - theirs.column(f"B0_{c}")[: len(times)]).max() < 1e-3
        )
    energy = ours.column("energy.kinetic") + ours.column("energy.potential")
    assert np.abs(energy - energy[0]).max() <= 1e-6 * abs(energy[0])


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
def test_andrews_squeezer_arrives_where_the_test_set_says(pins, shared, fmu_of):
    """Published at t = 0.03, good to about 9 digits."""
    case, _ = case_of(shared, "ivp_testset", "andrews")
    it = mechanism("andrews", case["model_AWD"], pins=pins, drives=["O"])
    torque = case["model_AWD"]["applied"][0]["torque_world"][2]
    times = np.linspace(0.0, 0.03, 31)
    with Fmu(fmu_of(it.spec())) as fmu:
        ours = fmu.run(times, tolerance=1e-11, settings={"O.tau": torque}).trajectory
    # beta turns K1, Theta K2 against K1, gamma K3: counted from the start
    y = case["reference_at_0_03"]["y"]
    for joint, k in (("O", 0), ("F", 1), ("B", 2)):
        turned = y[k] - case["y0_q"][k]
        assert abs(ours.column(f"{joint}.q")[-1] - turned) < 1e-7
        rate = y[k + 7]
        assert abs(ours.column(f"{joint}.qd")[-1] - rate) < 1e-6 * max(abs(rate), 100.0)


def test_the_slider_crank_of_sundials_is_followed(shared, fmu_of):
    """Its rod has a moment but no mass, its force acts one rod's length beyond the slider."""
    case = json.loads((shared / "literature" / "sundials_slider_crank.json").read_text())
    p, start = case["parameters"], case["initial"]
    pin = p["a"] * np.array([np.cos(start["q"]), np.sin(start["q"]), 0])
    wrist = np.array([start["x"], 0, 0])
    rod = wrist - pin
    it = Mechanism("slider_crank", gravity=[0, 0, 0])
    it.body("crank", mass=1, com=[0, 0, 0], inertia=p["J1"] * np.eye(3))
    it.body("rod", mass=0, com=pin + rod / 2, inertia=p["J2"] * np.eye(3))
    it.body("slider", mass=p["m2"], com=wrist, inertia=np.eye(3))
    hinge = {"axis": [0, 0, 1], "drive": "none"}
    it.joint("bearing", "revolute", "ground", "crank", point=[0, 0, 0], **hinge)
    it.joint("crank_pin", "revolute", "crank", "rod", point=pin, **hinge)
    it.joint("guide", "prismatic", "ground", "slider", point=wrist, axis=[1, 0, 0], drive="none")
    it.joint("wrist_pin", "revolute", "slider", "rod", point=wrist, **hinge)
    ends = {"point": pin / 2, "point2": pin + rod / 2}
    law = {"stiffness": p["k"], "damping": p["c"], "length": p["l0"]}
    it.spring("spring", "crank", "rod", **ends, **law)
    it.force("push", "wrench", body="rod", point=wrist + rod)
    theirs = published(shared, "literature", "sundials_slider_crank")
    if theirs is None:
        pytest.skip("the published trajectories are not beside the project")
    with Fmu(fmu_of(it.output("joints", "energy").spec())) as fmu:
        ours = fmu.run(theirs.time, tolerance=1e-9, settings={"push.force.x": p["F"]}).trajectory
    found = {
        "crank_angle": start["q"] + ours.column("bearing.q"),
        "slider_x": start["x"] + ours.column("guide.q"),
        "rod_angle": start["p"] + ours.column("bearing.q") + ours.column("crank_pin.q"),
    }
    for name, one in found.items():
        exact, printed = theirs.column(f"hi_{name}"), theirs.column(f"ref_{name}")
        assert np.abs(one - exact).max() <= 1e-6 * np.ptp(exact), name
        # IDA ran at 1e-6 and printed five digits: the table itself tells how far that is off
        deviation = np.abs(printed - exact).max()
        assert deviation < 1e-4
        assert np.abs(one - printed).max() <= deviation + 1e-6 * np.ptp(exact), name
