"""Forces and torques in pictures: how long, around what, on which bodies, and their numbers."""

import numpy as np
import pytest

from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import write_motion
from tests.viewer.live import PAGE, open_live
from tests.viewer.test_viewer import PIXEL, ready

pytestmark = pytest.mark.xdist_group("browser")

TIME = np.linspace(0.0, 1.0, 5)
# The reaction of the pin: growing to 182 kN upwards, and a torque about y, which is seen end on.
FORCE, TORQUE = 182e3 * TIME, -40.0 * TIME
TORQUES = """(host) => host.player.mechanism.reactions.list.map(({ name, pair: [, torque] }) => {
    const [arc, head] = torque.children;
    torque.updateMatrixWorld(true);
    const { array } = arc.geometry.attributes.position, rings = [];
    for (let k = 0; k < array.length; k += 18) {  // the middle of six corners
        const ring = [0, 1, 2].map((c) => {
            let sum = 0;
            for (let n = 0; n < 18; n += 3) sum += array[k + n + c] / 6;
            return sum;
        });
        rings.push(torque.localToWorld(torque.position.clone().fromArray(ring)).toArray());
    }
    const tip = head.localToWorld(torque.position.clone().set(0, 1, 0)).toArray();
    return { name, shown: torque.visible, foot: torque.position.toArray(), rings, tip };
})"""
SHOWN = """(host) => {
    const { reactions, outside } = host.player.mechanism;
    return [...reactions.list, ...outside.list]
        .filter(({ pair }) => pair.some((arrow) => arrow.visible))
        .map(({ name, body }) => name ?? body);
}"""


def swing():
    """Two bars that hang on pins about y, below each other."""
    made = Mechanism("swing")
    for name, z in (("upper", 0.0), ("lower", -1.0)):
        bar = {"shape": "cylinder", "radius": 0.03, "from": [0, 0, z], "to": [0, 0, z - 1]}
        inertia = {"shape": "sphere", "radius": 0.1}
        made.body(name, mass=1, com=[0, 0, z - 0.5], inertia=inertia, visual=[bar])
    made.joint("pin", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    made.joint("elbow", "revolute", "upper", "lower", point=[0, 0, -1], axis=[0, 1, 0])
    made.force("pull", "wrench", body="lower", point=[0, 0, -2])
    return made.spec()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    bodies = {"upper": 0.0, "lower": 0.0}
    columns = {f"{b}.r.{c}": 0 * TIME for b in bodies for c in "xyz"}
    columns |= {f"{b}.quat.{c}": 0 * TIME + (c == "w") for b in bodies for c in "wxyz"}
    for joint, share in (("pin", 1.0), ("elbow", 0.25)):
        columns |= {f"{joint}.force.{c}": share * FORCE * (c == "z") for c in "xyz"}
        columns |= {f"{joint}.torque.{c}": share * TORQUE * (c == "y") for c in "xyz"}
    result = Trajectory(TIME, tuple(columns), np.array(list(columns.values())).T)
    inputs = Trajectory(np.array([0.0]), ("pull.force.x",), np.array([[5.0]]))
    scene = scene_table(swing())
    path = tmp_path_factory.mktemp("swing") / "swing.html"
    write_motion(path, scene, motion_of(scene, result, inputs))
    return path


@pytest.fixture(scope="module")
def page(path, opened):
    page = opened(path, width=1200, height=800)
    ready(page)
    page.check("[name=reactions]")
    return page


def torques(page, t):
    host = page.locator(".mechanism")
    host.evaluate("(host, t) => host.player.seek(t)", t)
    return {found["name"]: found for found in host.evaluate(TORQUES)}


def length(found):
    way = np.diff([*found["rings"], found["tip"]], axis=0)
    return np.linalg.norm(way, axis=1).sum()


def test_a_torque_is_an_arc_around_its_axis_and_its_length_is_its_measure(page):
    """Pieces are chords, of 6.25 degrees at most: short of their arc by 0.109²/24, 5e-4; the head
    is one of 13 degrees at most. Places are of single precision."""
    lengths = {}
    for t in (0.25, 0.5, 1.0):
        found = torques(page, t)["pin"]
        from_foot = np.array(found["rings"]) - found["foot"]
        axis = np.array([0, -1, 0])  # of the torque
        assert np.abs(from_foot @ axis).max() < 1e-7  # m: in a plane across it
        assert np.ptp(np.linalg.norm(from_foot, axis=1)) < 1e-7  # a circle around the joint
        sense = np.cross(from_foot[:-1], from_foot[1:]) @ axis
        assert (sense > 0).all()  # as the right hand turns
        lengths[t] = length(found)
    assert lengths[0.5] == pytest.approx(lengths[1.0] / 2, rel=3e-3)
    assert lengths[0.25] == pytest.approx(lengths[1.0] / 4, rel=3e-3)
    elbow = torques(page, 1.0)["elbow"]
    assert length(elbow) == pytest.approx(lengths[0.25], rel=1e-9)


def test_a_torque_across_the_picture_is_no_dot(page):
    """Seen face on, along its axis."""
    found = torques(page, 1.0)["pin"]
    host = page.locator(".mechanism")
    places = np.array([host.evaluate(PIXEL, ["ground", ring]) for ring in found["rings"][::6]])
    assert np.ptp(places, axis=0).min() > 40  # px


def test_arrows_have_room_when_they_are_shown(page):
    """The longest one goes up from the highest point there is."""
    box = page.locator("canvas").bounding_box()
    host = page.locator(".mechanism")
    host.evaluate("(host) => host.player.seek(1)")
    tip = host.evaluate(
        "(host) => host.player.mechanism.reactions.list[0].pair[0].tip.toArray()",
    )
    assert tip[2] > 0.3  # m
    x, y = host.evaluate(PIXEL, ["ground", tip])
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]


def test_the_legend_tells_colours_and_sizes_with_prefixes(page):
    told = page.inner_text(".note")
    assert "red: force on the child: longest arrow 182 kN" in told
    assert "violet: torque on it: longest arc 40 N·m" in told
    assert "orange: force from outside: longest arrow 5 N" in told


def test_a_hidden_body_hides_its_arrows_and_what_is_measured_on_it(page):
    host = page.locator(".mechanism")
    host.evaluate("(host) => host.player.seek(1)")
    assert host.evaluate(SHOWN) == ["pin", "elbow", "lower"]
    page.click(".measure")
    for body, place in (("upper", [0, 0, 0]), ("lower", [0, 0, -1])):
        page.mouse.click(*host.evaluate(PIXEL, [body, place]))
    dots = "(host) => host.player.measure.dots.map((dot) => dot.visible)"
    line = "(host) => host.player.measure.line.visible"
    assert [host.evaluate(dots), host.evaluate(line)] == [[True, True, False], True]
    page.get_by_label("lower", exact=True).uncheck()
    assert host.evaluate(SHOWN) == ["pin"]
    assert [host.evaluate(dots), host.evaluate(line)] == [[True, False, False], False]
    page.get_by_label("lower", exact=True).check()
    assert host.evaluate(SHOWN) == ["pin", "elbow", "lower"]
    assert host.evaluate(dots) == [True, True, False]
    page.click(".measure")


def test_on_a_phone_one_line_tells_the_scale_and_unfolds(path, opened):
    page = opened(path, width=390, height=844)
    ready(page)
    note = page.locator(".note")
    assert note.inner_text().startswith("grid ")
    assert note.bounding_box()["height"] < 36  # px: one line
    assert not page.get_by_text("longest arrow 5 N").is_visible()
    page.click(".note summary")
    assert page.get_by_text("longest arrow 5 N").is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= 844
    page.close()


@pytest.mark.parametrize("width", [390, 1366])
def test_each_reaction_of_a_live_page_has_its_number_in_the_picture(width, tmp_path, opened):
    """Where two would lie on each other one waits; none is out of the picture, or left out."""
    page = open_live(opened, tmp_path, "double_pendulum", width=width, height=768)
    found = page.evaluate(f"""() => {{
        const {{ run, mechanism, picture, toolbar }} = {PAGE}, found = [];
        toolbar.shown = ["reactions"];
        {PAGE}.choose();
        const room = picture.renderer.domElement.getBoundingClientRect();
        for (let k = 0; k < 25; k++) {{
            for (let n = 0; n < 4; n++) run.step();
            {PAGE}.draw();
            for (const {{ arrow, element, label }} of mechanism.numbers) {{
                if (!arrow.visible) continue;
                const box = element.getBoundingClientRect();
                found.push({{
                    told: label.visible,
                    waits: element.style.visibility === "hidden",
                    inside: box.left >= room.left && box.right <= room.right
                        && box.top >= room.top && box.bottom <= room.bottom,
                }});
            }}
        }}
        return found;
    }}""")
    assert len(found) == 50  # two forces, at 25 instants
    assert all(number["told"] for number in found)
    shown = [number for number in found if not number["waits"]]
    assert all(number["inside"] for number in shown)
    assert len(shown) > 40  # the two joints are mostly apart
    page.close()


def test_the_eye_of_a_live_page_makes_room_for_arrows(tmp_path, opened):
    """The shoulder bears most, and pulls upwards, where the picture of the pendulum ends."""
    page = open_live(opened, tmp_path, "double_pendulum", width=1366, height=768)
    tips = f"""(reactions) => {{
        const {{ run, mechanism, picture, toolbar, sight }} = {PAGE};
        toolbar.shown = reactions;
        {PAGE}.choose();
        for (let k = 1; k <= 100; k++) if (run.step() && k % 5 === 0) sight.arrive();
        return mechanism.drawing.reactions.list.flatMap(({{ pair: [force] }}) => {{
            if (!force.visible) return [];
            const tip = force.children.at(-1), place = tip.position.clone().set(0, 1, 0);
            return [tip.localToWorld(place).project(picture.camera).y];
        }});
    }}"""
    assert page.evaluate(tips, []) == []
    found = page.evaluate(tips, ["reactions"])
    assert len(found) == 2
    assert max(found) <= 1.0
    page.close()
