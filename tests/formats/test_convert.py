"""Models and robots written as TOML and URDF move as they did before."""

import json
import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.conversion import converted
from mbd_fmu.formats.model_files import open_model, read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.formats.moving import ROUNDING, Moving, assert_moves_alike, difference, written
from tests.random_trees import random_tree


def tree(seed, frame, *, flips):
    """A random tree that URDF can hold; some joints point at the ground."""
    types = ("revolute", "prismatic", "rigid", "free", "planar", "revolute")
    table = json.loads(random_tree(7, seed, types=types, frame=frame).text)
    table["model"]["gravity"] = [0, 0, -9.81]
    rng = np.random.default_rng(seed)
    for joint in table["joint"]:
        if flips and joint["type"] in ("revolute", "prismatic", "rigid") and rng.random() < 0.5:
            joint["parent"], joint["child"] = joint["child"], joint["parent"]
        if joint.pop("quaternion", None):
            joint["rpy"] = rng.uniform(-3.0, 3.0, 3).tolist()
            if rng.random() < 0.5:
                joint.pop("reference", None)
        if joint["type"] == "planar" and rng.random() < 0.5:  # along x or y, as it is drawn
            del joint["axis2"]
            joint["axis"] = [[1, 0, 0], [0, 0, 1]][rng.integers(2)]
        if joint["type"] in ("revolute", "prismatic"):
            joint |= {"damping": 0.3, "effort": 50.0}
        if joint["type"] == "free":  # not from a body that a planar joint turns: refused below
            joint["parent"] = "ground"
    return spec_of_table(table, "test")


@pytest.mark.parametrize("frame", ["world", "local"])
@pytest.mark.parametrize("seed", range(6))
def test_any_tree_that_urdf_can_hold_moves_as_before(tmp_path, seed, frame):
    spec = tree(seed, frame, flips=True)
    again = read_model(written(spec, tmp_path / "tree.urdf"))
    turned = [joint.child for joint in spec.joints if joint.type == "planar"]
    assert_moves_alike(spec, again, turned=turned)


@pytest.mark.parametrize("seed", range(3))
def test_reactions_are_those_of_the_same_joints(tmp_path, seed):
    spec = tree(seed, "local", flips=False)
    one, two = Moving(spec), Moving(read_model(written(spec, tmp_path / "tree.urdf")))
    x, u = one.state(np.random.default_rng(seed))
    before, after = one.outputs(x, u), two.outputs(x, u)
    names = [name for name in before if ".force." in name or ".torque." in name]
    assert len(names) > 12
    assert difference(*({name: out[name] for name in names} for out in (before, after))) < ROUNDING


@pytest.mark.parametrize("frame", ["world", "local"])
@pytest.mark.parametrize("seed", range(3))
def test_what_was_written_once_is_written_the_same_again(tmp_path, seed, frame):
    urdf, model = tmp_path / "tree.urdf", tmp_path / "tree.toml"
    written(tree(seed, frame, flips=True), urdf)
    texts = []
    for _ in range(2):
        read = read_model(urdf)
        written(read, model)
        assert read_model(model) == read
        texts.append((model.read_text(), written(read_model(model), urdf).read_text()))
    assert texts[0] == texts[1]


# --- our own models -------------------------------------------------------------------------------

CONVERTIBLE = (
    *("cart_pole", "chain", "double_pendulum", "furuta_pendulum", "gyroscope"),
    *("quadruped", "seven_axis_arm", "seven_body_tree", "six_axis_arm", "swing_leg"),
)
NO_GRAVITY = "[model], gravity: is 0, 0, 0"
ALONG_Y = "[model], gravity: is 0, -9.8"
REFUSED = {
    "andrews_squeezer": (NO_GRAVITY, 'force "spring"', *['constraint "'] * 3),
    "bicycle": ('constraint "rear_contact"', 'constraint "front_contact"'),
    "bricard": (ALONG_Y, 'joint "'),
    "cardan_shaft": ('joint "cross1", type', *['joint "'] * 4),
    "chaplygin_sleigh": ('constraint "edge": URDF has no knife_edge',),
    "delta_robot": ('constraint "rod',) * 6,
    "double_pendulum_moving_base": ("[base]: moves as it is told",),
    "excavator": ('joint "',) * 12,
    "five_bar": ('constraint "meeting"',),
    "flyball_governor": ('force "rod1": URDF has no spring_damper', 'force "rod2"'),
    "four_bar": ('joint "right_pin": closes a loop',),
    "free_top_asymmetric": (NO_GRAVITY,),
    "free_top_symmetric": (NO_GRAVITY,),
    "gripper_arm": ('joint "',) * 6,
    "heavy_top": ('joint "tip", type: URDF has no spherical joint',),
    "huston_tree": ('joint "joint',) * 7,
    "kepler_orbit": (NO_GRAVITY, 'force "'),
    "n_four_bar": (ALONG_Y, *['joint "'] * 2),
    "one_cylinder_engine": (ALONG_Y, 'joint "'),
    "peaucellier": (NO_GRAVITY, *['constraint "'] * 3),
    "pendulum": (ALONG_Y,),
    "quarter_car": (*['joint "'] * 3, *['force "'] * 2, 'constraint "tie_rod"'),
    "rolling_disc": ('constraint "rolling"',),
    "satellite": (NO_GRAVITY, *['joint "'] * 2),
    "scara": ('joint "spindle", type: URDF has no cylindrical joint',),
    "slider_crank": ('joint "wrist_pin": closes a loop',),
    "slider_crank_ball": ('joint "',) * 3,
    "spatial_slider_crank": ('joint "',) * 3,
    "spherical_pendulum": ('joint "suspension", type: URDF has no spherical joint',),
    "stewart_platform": ('joint "',) * 17,
    "three_masses_chain": (NO_GRAVITY, *['force "'] * 3),
    "three_masses_star": (NO_GRAVITY, *['force "'] * 3),
    "two_link_arm": (ALONG_Y,),
    "wheel_set": ('constraint "rolling"',),
}


def test_every_model_of_ours_is_converted_or_refused():
    assert {*CONVERTIBLE, *REFUSED} == {*library()}


@pytest.mark.parametrize("name", CONVERTIBLE)
def test_a_model_of_ours_moves_as_before(tmp_path, name):
    spec = read_model(library()[name])
    assert_moves_alike(spec, read_model(written(spec, tmp_path / "model.urdf")))


@pytest.mark.parametrize("name", REFUSED)
def test_a_model_that_urdf_cannot_hold_is_refused_for_all_its_reasons(name):
    with pytest.raises(SpecError) as refused:
        converted(read_model(library()[name]), Path("model.toml"), Path("model.urdf"))
    said = [str(problem) for problem in refused.value.problems]
    assert len(said) == len(REFUSED[name])
    for problem, expected in zip(said, REFUSED[name], strict=True):
        assert problem.startswith(expected)
        assert problem.endswith("convert it to .toml, which keeps it")


@pytest.mark.parametrize("name", sorted(library()))
def test_every_model_of_ours_as_toml_is_the_same(tmp_path, name):
    spec = read_model(library()[name])
    assert read_model(written(spec, tmp_path / "model.toml")) == spec


# --- robots ---------------------------------------------------------------------------------------

try:
    SHARE = Path(str(metadata.distribution("example-robot-data").locate_file("cmeel.prefix/share")))
except metadata.PackageNotFoundError:
    SHARE = Path("nowhere")
ROBOTS = {path.stem: path for path in sorted(SHARE.glob("example-robot-data/robots/**/*.urdf"))}
# arms, a hand, fingers that follow, a lift, a quadruped and a humanoid that fly
SAMPLE = {
    "ur5_robot": {},
    "panda": {},
    "tiago_no_hand": {},
    "allegro_left_hand": {},
    "kinova": {},
    "simple_humanoid": {"base": "free"},
    "solo12": {"base": "free"},
    "g1_29dof_rev_1_0": {"base": "free"},
    "double_pendulum": {"keep": ("all",)},
}
needs_robots = pytest.mark.skipif(not ROBOTS, reason="the robots are not installed")


def robot(name):
    return open_model(ROBOTS[name], Choices(is_lenient=True, **SAMPLE.get(name, {}))).spec


def files_taken_from(spec, folder):
    """Its table without the files of meshes, and these."""
    table = json.loads(spec.text)
    visuals = [visual for body in table["body"] for visual in body.get("visual", [])]
    return table, [(folder / v.pop("file")).resolve(strict=True) for v in visuals if "file" in v]


@needs_robots
@pytest.mark.parametrize("name", SAMPLE)
def test_a_robot_as_toml_is_the_same(tmp_path, name):
    """But for the names of meshes, which are others from another folder."""
    spec = robot(name)
    again = read_model(written(spec, tmp_path / "robot.toml"))
    assert files_taken_from(spec, spec.folder) == files_taken_from(again, tmp_path)


@needs_robots
@pytest.mark.parametrize("name", SAMPLE)
def test_a_robot_as_urdf_moves_as_before(tmp_path, name):
    spec = robot(name)
    path = written(spec, tmp_path / "robot.urdf")
    assert_moves_alike(spec, read_model(path, Choices(is_lenient=True)), states=1)


def assert_second_engine_agrees(path):
    from tests.formats.pinocchio_robots import Twins

    twins = Twins(path, Choices(is_lenient=True))
    for what, error in twins.worst(np.random.default_rng(3)).items():
        assert error <= 1e-10, what  # as in test_robots.py


@needs_robots
@pytest.mark.parametrize("name", SAMPLE)
def test_the_second_engine_reads_what_was_written(tmp_path, name):
    pytest.importorskip("pinocchio", reason="the second engine is not installed")
    assert_second_engine_agrees(written(robot(name), tmp_path / "robot.urdf"))


@needs_robots
@pytest.mark.slow
@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("name", ROBOTS)
def test_every_robot_that_is_read_is_written(tmp_path, name, base):
    pytest.importorskip("pinocchio", reason="the second engine is not installed")
    try:
        spec = open_model(ROBOTS[name], Choices(base=base, is_lenient=True)).spec
        refuse_unusable(system_of(spec))
    except MbdFmuError:
        pytest.skip("is refused: test_robots.py says why")
    path = written(spec, tmp_path / "robot.urdf")
    assert_moves_alike(spec, read_model(path, Choices(is_lenient=True)), states=1)
    assert_second_engine_agrees(path)


def test_opacity_is_the_fourth_number_of_a_colour(tmp_path):
    """That of the shape, or of its body; what has no colour is gray."""
    visual = [
        {"shape": "sphere", "radius": 0.1, "color": "#ff0000"},
        {"shape": "sphere", "radius": 0.1, "opacity": 0.25},
    ]
    pane = Mechanism("pane")
    inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    pane.body("b", mass=1, com=[0, 0, 0], inertia=inertia, visual=visual, opacity=0.5)
    pane.joint("pin", "revolute", "ground", "b", point=[0, 0, 0], axis=[0, 1, 0])
    text = written(pane.spec(), tmp_path / "pane.urdf").read_text()
    found = [list(map(float, rgba.split())) for rgba in re.findall(r'rgba="([^"]+)"', text)]
    gray = 0x80 / 255  # of CSS
    assert np.allclose(found, [[1, 0, 0, 0.5], [gray, gray, gray, 0.25]], atol=1e-12)
