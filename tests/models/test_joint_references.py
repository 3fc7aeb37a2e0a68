"""Every joint type against independent trajectories with reactions; tops and a body on springs."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.csv_files import read_csv
from tests.models.drawn_world import OUTPUTS, assert_close, mechanism, run, vectors
from tests.models.published import assert_near_adams, assert_near_dymola

ADAMS = ["Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "RotSpring"]


@pytest.mark.parametrize("name", ADAMS)
def test_a_joint_follows_its_case_with_reactions(name, shared, fmu_of):
    """The cases of Project Chrono, solved to high accuracy; reactions there act on the ground."""
    case = json.loads((shared / "adams_chrono" / f"{name}_Case01.json").read_text())
    theirs = read_csv(shared / "adams_chrono" / f"{name}_Case01_hiacc.csv")
    spec = mechanism(name, case["model_AWD"]).spec()
    ours = run(fmu_of, spec, theirs.time)
    force, torque = vectors(ours, "j.force."), vectors(ours, "j.torque.")
    # our torque acts at the point the body carries, theirs at the one the ground keeps
    point = np.array(case["model_AWD"]["joints"][0]["point"])
    R = Rotation.from_quat(np.stack([ours.column(f"b.quat.{c}") for c in "xyzw"], axis=1))
    carried = vectors(ours, "b.r.") + R.apply(point)
    on_ground = torque + np.cross(carried - point, force)
    turned = R * Rotation.from_matrix(np.array(case["body_frame_R0"]))
    quat = np.roll(turned.as_quat(), 1, axis=1)
    pairs = {
        "position": (vectors(ours, "b.com."), vectors(theirs, "Pos_")),
        "velocity": (vectors(ours, "b.v."), vectors(theirs, "Vel_")),
        "quaternion": (quat, np.stack([theirs.column(f"Quat_e{k}") for k in range(4)], axis=1)),
        "spin": (vectors(ours, "b.w."), vectors(theirs, "Avel_")),
        "force": (-force, vectors(theirs, "Rforce_")),
        "torque": (-on_ground, vectors(theirs, "Rtorque_")),
    }
    assert_close(theirs.time, pairs, 1e-6)
    assert_near_adams(shared, name, case, theirs.time, pairs)


def angles(ours, **joints):
    """Angles and rates of hinges under the names Modelica gives them."""
    found = {}
    for theirs, name in joints.items():
        found |= {
            f"{theirs}.phi": ours.column(f"{name}.q"),
            f"{theirs}.w": ours.column(f"{name}.qd"),
        }
    return found


def frame_a(ours, body, point, com, axes):
    """Position, velocity and spin of a frame on a body, as Modelica counts them.

    ``point`` and the mass centre ``com`` as drawn; ``axes`` are the frame's, in which it tells its
    spin.
    """
    R = Rotation.from_quat(np.stack([ours.column(f"{body}.quat.{c}") for c in "xyzw"], axis=1))
    arm = R.apply(np.array(point) - np.array(com))
    spin = vectors(ours, f"{body}.w.")
    return (
        vectors(ours, f"{body}.com.") + arm,
        vectors(ours, f"{body}.v.") + np.cross(spin, arm),
        R.inv().apply(spin) @ np.array(axes),
    )


def free_body(ours, case):
    world = case["model_AWD"]
    (axes,) = case["extra"].values()
    point = world["forces"][0]["pb"]  # the first spring holds the frame itself
    r, v, w = frame_a(ours, "body", point, world["bodies"]["body"]["com"], axes)
    found = {}
    for k in range(3):
        found |= {f"body.body.frame_a.r_0[{k + 1}]": r[:, k], f"body.v_0[{k + 1}]": v[:, k]}
        found[f"body.body.w_a[{k + 1}]"] = w[:, k]
    return found


DYMOLA = {
    "Pendulum": lambda ours, _: angles(ours, rev="rev"),
    "DoublePendulum": lambda ours, _: angles(ours, revolute1="revolute1", revolute2="revolute2"),
    "FreeBody": free_body,
    "T_Universal": lambda ours, _: {
        # counted from the start there, from the drawing here
        "universal.phi_a": ours.column("u.q[1]") + np.pi / 2,
        "universal.phi_b": ours.column("u.q[2]") + np.pi / 4,
    },
}


@pytest.mark.parametrize("name", ["Pendulum", "DoublePendulum", "FreeBody", "T_Universal"])
def test_an_example_of_the_modelica_library_is_followed(name, shared, fmu_of):
    case = json.loads((shared / "msl" / f"{name}.json").read_text())
    theirs = read_csv(shared / "msl" / f"{name}_hiacc.csv")
    spec = mechanism(name, case["model_AWD"]).spec()
    ours = run(fmu_of, spec, theirs.time)
    pairs = {}
    for body in case["model_AWD"]["bodies"]:
        quat = np.stack([ours.column(f"{body}.quat.{c}") for c in "wxyz"], axis=1)
        expected = np.stack([theirs.column(f"{body}.q{c}") for c in "wxyz"], axis=1)
        pairs[f"{body} com"] = vectors(ours, f"{body}.com."), vectors(theirs, f"{body}.com_")
        pairs[f"{body} quat"] = quat, expected
    for joint in case["model_AWD"]["joints"]:
        label = joint["name"]
        for key, column in (("force", "f"), ("torque", "t")):
            expected = vectors(theirs, f"{label}.reac_{column}")
            pairs[f"{label} {key}"] = vectors(ours, f"{label}.{key}."), expected
    assert_close(theirs.time, pairs, 1e-6)
    assert_near_dymola(shared, name, case, theirs.time, DYMOLA[name](ours, case))


def test_a_free_symmetric_top_turns_in_closed_form(shared, fmu_of):
    case = json.loads((shared / "closed_form" / "free_top_symmetric.json").read_text())
    theirs = read_csv(shared / "closed_form" / "free_top_symmetric.csv")
    transverse, axial = case["parameters"]["I_transverse"], case["parameters"]["I_axial"]
    it = Mechanism("top", gravity=[0, 0, 0])
    start = {"angular": case["initial"]["w_body"]}  # the body's axes are the world's at the start
    it.body(
        "top", mass=1, com=[0, 0, 0], inertia=np.diag([transverse] * 2 + [axial]), velocity=start
    )
    ours = run(fmu_of, it.output(*OUTPUTS).spec(), theirs.time)
    quat = np.stack([ours.column(f"top.quat.{c}") for c in "wxyz"], axis=1)
    spin = Rotation.from_quat(np.roll(quat, -1, axis=1)).inv().apply(vectors(ours, "top.w."))
    pairs = {
        "quaternion": (quat, np.stack([theirs.column(f"q{c}") for c in "wxyz"], axis=1)),
        "spin": (spin, vectors(theirs, "w")),
    }
    # phase errors grow with time; 1e-9 per step, some thousand steps
    assert_close(theirs.time, pairs, 1e-6)


def test_a_heavy_top_precesses_steadily_on_its_ball(shared, fmu_of):
    case = json.loads((shared / "closed_form" / "heavy_top_steady.json").read_text())
    theirs = read_csv(shared / "closed_form" / "heavy_top_steady.csv")
    p, initial = case["parameters"], case["initial"]
    theta = np.radians(initial["theta_deg"])
    axis = np.array([0.0, -np.sin(theta), np.cos(theta)])  # phi = 0
    across = p["I_com_transverse"] * (np.eye(3) - np.outer(axis, axis))
    inertia = across + p["I_axial"] * np.outer(axis, axis)
    up = np.array([0.0, 0.0, 1.0])
    # w = w_axial along the axis, and precession across it
    spin = initial["w_axial"] * axis + initial["phidot"] * (up - axis * (axis @ up))
    it = Mechanism("top", gravity=[0, 0, -p["g"]])
    com = p["com_distance"] * axis
    start = {"linear": np.cross(spin, com), "angular": spin}
    it.body("top", mass=p["mass"], com=com, inertia=inertia, velocity=start)
    it.joint("socket", "spherical", "ground", "top", point=[0, 0, 0], drive="none")
    ours = run(fmu_of, it.output(*OUTPUTS).spec(), theirs.time, tolerance=1e-11)
    pairs = {"com": (vectors(ours, "top.com."), vectors(theirs, "com_"))}
    assert_close(theirs.time, pairs, 1e-6)
    height = ours.column("top.com.z")
    assert np.ptp(height) < 1e-6 * p["com_distance"]  # it neither rises nor falls


def test_two_bodies_in_a_point_s_gravity_follow_the_modelica_example(shared, fmu_of):
    case = json.loads((shared / "msl" / "PointGravity.json").read_text())
    theirs = read_csv(shared / "msl" / "PointGravity_hiacc.csv")
    world = case["model_AWD"]
    it = Mechanism("PointGravity", gravity=[0, 0, 0])
    for name, data in world["bodies"].items():
        keys = {key: data[key] for key in ("mass", "com", "inertia")}
        it.body(name, **keys, velocity={"linear": data["v"], "angular": data["w"]})
        strength = world["gravity_point_mu"] * data["mass"]
        ends = {"point": [0, 0, 0], "point2": data["com"], "strength": strength}
        it.force(f"pull_{name}", "inverse_square", parent="ground", child=name, **ends)
    ours = run(fmu_of, it.output(*OUTPUTS).spec(), theirs.time, tolerance=1e-12)
    pairs = {
        name: (vectors(ours, f"{name}.com."), vectors(theirs, f"{name}.com_"))
        for name in world["bodies"]
    }
    # the second body passes the centre closely: errors grow a thousandfold there
    assert_close(theirs.time, pairs, 1e-5)
    found = {}
    for body, (com, _) in pairs.items():
        speed = vectors(ours, f"{body}.v.")
        for k in range(3):
            found[f"{body}.frame_a.r_0[{k + 1}]"] = com[:, k]
            found[f"{body}.v_0[{k + 1}]"] = speed[:, k]
    assert_near_dymola(shared, "PointGravity", case, theirs.time, found)
