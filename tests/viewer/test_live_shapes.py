"""The drawing of a live page follows the parameters: what is seen is what moves."""

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.drawing.scene import numbers_of, scene_of
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.live.page import live_page
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import find_model
from tests.viewer.live import PAGE, READY, open_live

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("closed")]

# where both ends of a drawn cylinder are in the world
ENDS = f"""([name, k]) => {{
    const solid = {PAGE}.mechanism.drawing.solids[name][k];
    solid.updateWorldMatrix(true, false);
    return [0, 1].map((y) => solid.localToWorld(solid.position.clone().set(0, y, 0)).toArray());
}}"""
POINT = f"""(name) => {{
    const {{ mechanism, data }} = {PAGE};
    const {{ child, point }} = data.scene.joints.find((joint) => joint.name === name);
    return mechanism.drawing.carried(child, point).toArray();
}}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shapes")


def put(page, **values):
    """Set parameters as a hand does."""
    for name, value in values.items():
        page.evaluate(f"([n, x]) => {PAGE}.run.set({PAGE}.find(n), x)", [name, value])


def ends(page, body, solid):
    return np.array(page.evaluate(ENDS, [body, solid]))


def point(page, joint):
    return np.array(page.evaluate(POINT, joint))


def steps(page, count):
    page.evaluate(f"for (let k = 0; k < {count}; k++) {PAGE}.run.step(); {PAGE}.draw()")


def declaring(spec, **values):
    """The model that says so itself."""
    own = (replace(p, value=values.get(p.name, p.value)) for p in spec.parameters)
    return replace(spec, parameters=tuple(own))


def differences(page, spec):
    """By how much numbers of the scene of a page are not those of a model."""
    for path, number in numbers_of(scene_of(spec)):
        at = "".join(f"[{key!r}]" for key in path)
        yield path, page.evaluate(f"{PAGE}.data.scene{at}") - number


def test_rods_hang_together_whatever_their_length(opened, folder):
    """Rods that stand in for the inertia: the upper one goes from the shoulder to the elbow."""
    page = open_live(opened, folder, "double_pendulum")
    put(page, L1=1.5)
    for count in (0, 40):
        steps(page, count)
        upper, lower = ends(page, "upper", 0), ends(page, "lower", 0)
        assert upper[0] == pytest.approx(point(page, "shoulder"), abs=1e-12)
        assert upper[1] == pytest.approx(point(page, "elbow"), abs=1e-12)
        assert lower[0] == pytest.approx(upper[1], abs=1e-12)
        assert np.linalg.norm(upper[1] - upper[0]) == pytest.approx(1.5, abs=1e-12)
    # it hangs as far down as it is long now, and the picture has room for that
    page.wait_for_function(f"{PAGE}.picture.box.min.z < -1.89")
    put(page, L1=0.4)
    assert ends(page, "upper", 0)[1] == pytest.approx(point(page, "elbow"), abs=1e-12)


def test_a_scene_at_other_values_is_that_of_a_model_that_declares_them(opened, folder):
    """Shapes that a model says itself; all numbers of the scene, computed by the module."""
    page = open_live(opened, folder, "bicycle")
    values = {"wheelbase": 1.6, "tilt": 0.2, "front_radius": 0.4}
    put(page, **values)
    spec = declaring(read_model(find_model("bicycle")), **values)
    worst = max(differences(page, spec), key=lambda found: abs(found[1]))
    assert abs(worst[1]) < 1e-12, worst
    rear, front = (ends(page, f"{end}_wheel", 0).mean(axis=0) for end in ("rear", "front"))
    assert front - rear == pytest.approx([1.6, 0.0, 0.4 - 0.3], abs=1e-12)
    fork = ends(page, "front_frame", 0)[0]
    assert fork == pytest.approx(point(page, "front_axle"), abs=1e-12)


def geared():
    """A pinion that may be filed down while it runs, and its rack on a spring."""
    train = Mechanism("geared")
    train.parameter("r", 0.2, unit="m", tunable=True).parameter("reach", 0.5, unit="m")
    train.body("pinion", mass=1, com=[0, 0, "r"], inertia={"shape": "sphere", "radius": "r/2"})
    train.body("bar", mass=1, com=[0, 0, 0], inertia={"shape": "box", "size": ["reach", 0.1, 0.02]})
    train.joint("pin", "revolute", "ground", "pinion", point=[0, 0, "r"], axis=[0, 1, 0])
    train.joint("slide", "prismatic", "ground", "bar", point=[0, 0, 0], axis=[1, 0, 0])
    train.constraint("mesh", "rack_pinion", joints=["pin", "slide"], radius="r")
    train.spring(
        *("held", "ground", "bar"),
        point=["-reach", 0, 0],
        point2=[0, 0, 0],
        stiffness=9,
        length=0.3,
    )
    return train.spec()


@pytest.fixture
def gears(opened, folder):
    path = folder / "geared.html"
    if not path.exists():
        path.write_text(live_page(geared()).html(), encoding="utf-8")
    page = opened(path)
    page.wait_for_function(READY)
    page.evaluate(f"{PAGE}.reset()")
    return page


WHEEL = f"{PAGE}.mechanism.drawing.marks[0][1]"


def test_a_pinion_is_filed_down_in_motion(gears):
    """A parameter that may change between steps: the motion goes on, the wheel is another."""
    steps(gears, 10)
    before = gears.evaluate(f"{PAGE}.run.instance.time")
    put(gears, r=0.1)
    assert gears.evaluate(f"{PAGE}.run.instance.time") == before > 0
    assert gears.evaluate(f"{WHEEL}.scale.toArray()") == pytest.approx([0.1] * 3, abs=1e-15)
    assert gears.evaluate(f"{WHEEL}.position.toArray()") == pytest.approx([0, 0, 0.1], abs=1e-15)
    sphere = f"{PAGE}.mechanism.drawing.solids.pinion[0].geometry.parameters.radius"
    assert gears.evaluate(sphere) == pytest.approx(0.05, abs=1e-15)
    worst = max(abs(x) for _, x in differences(gears, declaring(geared(), r=0.1)))
    assert worst < 1e-12


def test_what_a_hand_chose_stays_and_nothing_is_left_behind(gears):
    """Symbols, names, the eye; and what is on the graphics card is as much as before."""
    gears.get_by_label("symbols").uncheck()
    gears.get_by_label("names").check()
    gears.evaluate(f"{PAGE}.picture.controls.dispatchEvent({{ type: 'start' }})")
    eye = gears.evaluate(f"{PAGE}.picture.camera.position.toArray()")
    held = f"{PAGE}.picture.renderer.info.memory.geometries"
    gears.evaluate(f"window.looks = 0, {PAGE}.run.addEventListener('show', () => looks++)")
    found = []
    for reach in (0.9, 0.8, 0.9, 0.8, 0.9):
        put(gears, reach=reach)
        gears.wait_for_function(f"looks > {len(found)}", polling=50)
        found.append(gears.evaluate(held))
    assert set(found[1:]) == {found[1]}
    drawing = f"{PAGE}.mechanism.drawing"
    assert gears.evaluate(f"{drawing}.joints.some((symbol) => symbol.visible)") is False
    assert gears.evaluate(f"{drawing}.marks.some(([, made]) => made.visible)") is False
    assert gears.evaluate(f"{drawing}.names.every((label) => label.visible)") is True
    assert gears.evaluate(f"{PAGE}.picture.camera.position.toArray()") == pytest.approx(eye)


def test_a_body_that_is_held_is_held_while_it_changes(gears):
    """Where it was taken, and what pulls at it, are numbers of the body, not of its drawing."""
    gears.evaluate(
        f"""() => {{
            const {{ grab, mechanism }} = {PAGE};
            const point = mechanism.drawing.carried("bar", [0, 0, 0]);
            grab.held = {{ name: "bar", point: point.clone(), target: point.clone() }};
            grab.pull();
        }}"""
    )
    put(gears, r=0.15)
    assert gears.evaluate(f"{PAGE}.grab.held.name") == "bar"
    assert gears.evaluate(f"{PAGE}.grab.line.visible && {PAGE}.grab.line.parent.type") == "Group"
    gears.evaluate(f"{PAGE}.grab.release()")


def test_other_parameters_change_nothing_of_the_drawing(opened, folder):
    page = open_live(opened, folder, "double_pendulum")
    solid = f"{PAGE}.mechanism.drawing.solids.upper[0]"
    page.evaluate(f"window.kept = {solid}")
    put(page, m1=2.0)
    assert page.evaluate(f"kept === {solid}") is True
    put(page, L1=0.7)
    assert page.evaluate(f"kept === {solid}") is False
