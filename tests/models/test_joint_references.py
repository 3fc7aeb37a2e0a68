"""Every joint type against independent trajectories with reactions; tops and a body on springs."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.model.builder import Mechanism
from tests.cases import case_of, solution_of
from tests.models import adams, modelica
from tests.models.drawn_world import OUTPUTS, assert_close, mechanism, run, vectors


@pytest.mark.parametrize("name", adams.JOINTS)
def test_a_joint_follows_its_case_with_reactions(name, fmu_of):
    """The cases of Project Chrono, solved to high accuracy; reactions there act on the ground."""
    case = case_of(f"adams_chrono/{name}_Case01")
    theirs = solution_of(f"adams_chrono/{name}_Case01_hiacc")
    ours = run(fmu_of, mechanism(name, case["model_AWD"]).spec(), theirs.time)
    found = adams.motion(name, case, ours)
    pairs = {what: (found[what], adams.told(theirs, what)) for what in adams.COLUMNS}
    assert_close(theirs.time, pairs, 1e-6)


@pytest.mark.parametrize("name", ["Pendulum", "DoublePendulum", "FreeBody", "T_Universal"])
def test_an_example_of_the_modelica_library_is_followed(name, fmu_of):
    world = case_of(f"msl/{name}")["model_AWD"]
    theirs = solution_of(f"msl/{name}_hiacc")
    ours = run(fmu_of, mechanism(name, world).spec(), theirs.time)
    pairs = {}
    for body in world["bodies"]:
        quat = np.stack([ours.column(f"{body}.quat.{c}") for c in "wxyz"], axis=1)
        expected = np.stack([theirs.column(f"{body}.q{c}") for c in "wxyz"], axis=1)
        pairs[f"{body} com"] = vectors(ours, f"{body}.com."), vectors(theirs, f"{body}.com_")
        pairs[f"{body} quat"] = quat, expected
    for joint in world["joints"]:
        label = joint["name"]
        for key, column in (("force", "f"), ("torque", "t")):
            expected = vectors(theirs, f"{label}.reac_{column}")
            pairs[f"{label} {key}"] = vectors(ours, f"{label}.{key}."), expected
    assert_close(theirs.time, pairs, 1e-6)


def test_a_free_symmetric_top_turns_in_closed_form(fmu_of):
    name = "closed_form/free_top_symmetric"
    case, theirs = case_of(name), solution_of(name)
    p = case["parameters"]
    transverse, axial = p["I_transverse"], p["I_axial"]
    it = Mechanism("top", gravity=[0, 0, 0])
    start = {"angular": case["initial"]["w_body"]}  # the body's axes are the world's
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


def test_a_heavy_top_precesses_steadily_on_its_ball(fmu_of):
    name = "closed_form/heavy_top_steady"
    case, theirs = case_of(name), solution_of(name)
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


def test_two_bodies_in_a_point_s_gravity_follow_the_modelica_example(fmu_of):
    case, theirs = case_of("msl/PointGravity"), solution_of("msl/PointGravity_hiacc")
    ours = run(fmu_of, modelica.point_gravity(case), theirs.time, tolerance=1e-12)
    pairs = {
        name: (vectors(ours, f"{name}.com."), vectors(theirs, f"{name}.com_"))
        for name in case["model_AWD"]["bodies"]
    }
    # the second body passes the centre closely: errors grow a thousandfold there
    assert_close(theirs.time, pairs, 1e-5)
