"""Trajectories that others published, held against ours within the deviation stated for them.

They may be read where they lie, beside the project, but are no part of it. The reference cases
state how far each published curve is from a solution of high accuracy. Ours is within 1e-6 of range
of that solution (the other tests of this folder), so it must be as near to the published curve as
stated, and that much more.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.signals.csv_files import read_csv
from tests.cases import case_of
from tests.conftest import ROOT
from tests.models import adams, modelica, slider_crank
from tests.models.drawn_world import mechanism, quaternions, run, vectors

PUBLISHED = ROOT.parent / "shared" / "references" / "published"
OURS = 1e-6  # of range: what our own tests allow
ROUNDING = 1e-8  # rad, m, and their rates: what is zero but for the rounding of angles as printed
DIGITS = 1.05  # deviations of ADAMS are stated with two digits

pytestmark = pytest.mark.skipif(
    not PUBLISHED.is_dir(),
    reason="the trajectories that others published are not beside the project",
)


# --- MSC ADAMS through Project Chrono ---


@pytest.mark.parametrize("name", [*adams.JOINTS, *adams.OTHERS])
def test_a_body_moves_as_near_to_adams_as_stated(name, fmu_of):
    """Accelerations are no outputs of ours."""
    case = case_of(f"adams_chrono/{name}_Case01")
    theirs = read_csv(PUBLISHED / "adams_chrono" / f"{name}_Case01.csv")
    ours = run(fmu_of, mechanism(name, case["model_AWD"]).spec(), theirs.time)
    stated = dict(text.split() for text in case["dev_adams_vs_hiacc"])
    compared = 0
    for what, found in adams.motion(name, case, ours).items():
        expected = adams.told(theirs, what)
        # the torque of this case holds that of the spring, as the note in the JSON says
        if expected is None or (name, what) == ("RotSpring", "torque"):
            continue
        if what == "quaternion":  # q and -q are one rotation
            expected = expected * np.sign(np.sum(found * expected, axis=1))[:, None]
        deviation, size = map(float, stated[adams.COLUMNS[what]].split("/"))
        allowed = DIGITS * deviation + OURS * size + ROUNDING
        assert np.abs(found - expected).max() <= allowed, what
        compared += 1
    assert compared >= 4


# --- Dymola through the reference results of the Modelica library ---


def angles(ours, **joints):
    """Angles and rates of hinges under the names Modelica gives them."""
    found = {}
    for theirs, name in joints.items():
        found |= {
            f"{theirs}.phi": ours.column(f"{name}.q"),
            f"{theirs}.w": ours.column(f"{name}.qd"),
        }
    return found


def turns(ours, body):
    return Rotation.from_quat(np.roll(quaternions(ours, f"{body}.quat."), -1, axis=1))


def free_body(ours, case):
    """Position, velocity and spin of a frame on the body, which tells its spin in its axes."""
    world = case["model_AWD"]
    (axes,) = case["extra"].values()
    point = world["forces"][0]["pb"]  # the first spring holds the frame itself
    R = turns(ours, "body")
    arm = R.apply(np.array(point) - np.array(world["bodies"]["body"]["com"]))
    spin = vectors(ours, "body.w.")
    r = vectors(ours, "body.com.") + arm
    v = vectors(ours, "body.v.") + np.cross(spin, arm)
    w = R.inv().apply(spin) @ np.array(axes)
    found = {}
    for k in range(3):
        found |= {f"body.body.frame_a.r_0[{k + 1}]": r[:, k], f"body.v_0[{k + 1}]": v[:, k]}
        found[f"body.body.w_a[{k + 1}]"] = w[:, k]
    return found


def spring_damper(ours, _):
    """A hinge and a slide in series there: the way from the hinge, and where it points."""
    way, speed = vectors(ours, "body1.com.") - [0.3, 0, 0], vectors(ours, "body1.v.")
    length = np.linalg.norm(way, axis=1)
    return {
        "revolute.phi": np.unwrap(np.arctan2(way[:, 1], way[:, 0])),
        "revolute.w": ours.column("body1.w.z"),
        "prismatic.s": length,
        "prismatic.v": np.sum(way * speed, axis=1) / length,
    }


def universal(ours, _):
    """Counted from the start there, from the drawing here."""
    return {
        "universal.phi_a": ours.column("u.q[1]") + np.pi / 2,
        "universal.phi_b": ours.column("u.q[2]") + np.pi / 4,
    }


EXAMPLES = {
    "Pendulum": lambda ours, _: angles(ours, rev="rev"),
    "DoublePendulum": lambda ours, _: angles(ours, revolute1="revolute1", revolute2="revolute2"),
    "FreeBody": free_body,
    "T_Universal": universal,
    "Fourbar1": lambda ours, _: angles(ours, j1="j1"),
    "PendulumWithSpringDamper": spring_damper,
}
PLANAR = {
    "PlanarFourbar": lambda ours: angles(ours, revolute1="revolute1"),
    "Engine1a": lambda ours: angles(ours, inertia="bearing"),
}


def dymola(name):
    """What was solved, and Dymola's table."""
    return case_of(f"msl/{name}"), read_csv(PUBLISHED / "msl" / f"{name}.csv")


def assert_near(theirs, case, found):
    """``found``: all columns whose deviation is stated, as ours."""
    stated = case["dev_dymola_vs_hiacc"]
    assert set(found) == set(stated)
    for column, ours in found.items():
        expected = theirs.column(column)
        deviation = stated[column]
        if isinstance(deviation, dict):
            deviation = deviation["max_abs"]
        allowed = deviation + OURS * np.ptp(expected) + ROUNDING
        assert np.abs(ours - expected).max() <= allowed, column


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_moves_as_near_to_dymola_as_stated(name, fmu_of):
    case, theirs = dymola(name)
    ours = run(fmu_of, mechanism(name, case["model_AWD"]).spec(), theirs.time)
    assert_near(theirs, case, EXAMPLES[name](ours, case))


@pytest.mark.parametrize("pins", ["point_on_line", "revolute"])
@pytest.mark.parametrize("name", PLANAR)
def test_a_plane_loop_moves_as_near_to_dymola_as_stated(name, pins, fmu_of):
    case, theirs = dymola(name)
    spec = mechanism(name, case["model_AWD"], pins=pins).spec()
    assert_near(theirs, case, PLANAR[name](run(fmu_of, spec, theirs.time)))


@pytest.mark.parametrize("name", ["RevoluteConstraint", "UniversalConstraint"])
@pytest.mark.parametrize("as_cut", [False, True])
def test_a_joint_as_constraint_moves_as_near_to_dymola_as_stated(name, as_cut, fmu_of):
    case, theirs = dymola(name)
    spec = modelica.joint_as_constraint(name, case, as_cut=as_cut)
    ours = run(fmu_of, spec, theirs.time)
    frame = np.array(case["extra"]["R_frame"])
    spin = turns(ours, "body").inv().apply(vectors(ours, "body.w.")) @ frame
    found = {f"bodyOfConstraint.body.w_a[{k + 1}]": spin[:, k] for k in range(3)}
    if name == "RevoluteConstraint":
        found |= {"bodyOfJoint.body.w_a[2]": spin[:, 1], "joint.phi": ours.column("joint.q")}
    else:
        found |= {f"joint.phi_{c}": ours.column(f"joint.q[{k}]") for c, k in (("a", 1), ("b", 2))}
    assert_near(theirs, case, found)


def test_bodies_in_a_point_s_gravity_move_as_near_to_dymola_as_stated(fmu_of):
    case, theirs = dymola("PointGravity")
    ours = run(fmu_of, modelica.point_gravity(case), theirs.time, tolerance=1e-12)
    found = {}
    for body in case["model_AWD"]["bodies"]:
        com, speed = vectors(ours, f"{body}.com."), vectors(ours, f"{body}.v.")
        for k in range(3):
            found[f"{body}.frame_a.r_0[{k + 1}]"] = com[:, k]
            found[f"{body}.v_0[{k + 1}]"] = speed[:, k]
    assert_near(theirs, case, found)


def test_a_wheel_set_moves_as_near_to_dymola_as_stated(fmu_of):
    case, theirs = dymola("RollingWheelSetPulling")
    spec, inputs = modelica.pulled_wheel_set(case)
    ours = run(fmu_of, spec, theirs.time, inputs=inputs, interpolate=True)
    found = {other: ours.column(one) for other, one in modelica.WHEELS.items()}
    assert_near(theirs, case, found)


# --- SUNDIALS ---


def test_the_slider_crank_of_sundials_is_as_printed(fmu_of):
    """IDA ran at 1e-6 and printed five digits: the table itself tells how far that is off."""
    case = case_of("literature/sundials_slider_crank")
    theirs = read_csv(PUBLISHED / "literature" / "sundials_slider_crank.csv")
    push = {"push.force.x": case["parameters"]["F"]}
    ours = run(fmu_of, slider_crank.drawn(case), theirs.time, settings=push)
    for name, one in slider_crank.angles(case, ours).items():
        exact, printed = theirs.column(f"hi_{name}"), theirs.column(f"ref_{name}")
        assert np.abs(one - exact).max() <= 1e-6 * np.ptp(exact), name
        deviation = np.abs(printed - exact).max()
        assert deviation < 1e-4
        assert np.abs(one - printed).max() <= deviation + 1e-6 * np.ptp(exact), name
