"""The viewer in a window of its own: views, bodies, measures, keys, light and dark."""

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.options import CAMERAS
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import write_motion
from tests.viewer.accessibility import findings

pytestmark = pytest.mark.xdist_group("browser")

BALL = {"shape": "sphere", "radius": 0.1}
# z up: front is from -y, so that x is on the right; iso has all three alike
FROM = {
    "front": [0, -1, 0],
    "back": [0, 1, 0],
    "side": [1, 0, 0],
    "left": [-1, 0, 0],
    "top": [0, 0, 1],
    "bottom": [0, 0, -1],
    "iso": np.array([1, -1, 1]) / np.sqrt(3),
}
# Straight from above nothing would be up: the camera leans by so much, tangent of an angle.
LEAN = 1.1e-4
DIRECTION = """(host) => {
    const { camera, picture } = host.player;
    return camera.position.clone().sub(picture.controls.target).normalize().toArray();
}"""
# Where a point of a body is on the screen.
PIXEL = """(host, [name, place]) => {
    const { mechanism, camera, renderer } = host.player;
    const seen = mechanism.carried(name, place).project(camera);
    const { left, top, width, height } = renderer.domElement.getBoundingClientRect();
    return [left + ((seen.x + 1) * width) / 2, top + ((1 - seen.y) * height) / 2];
}"""
IMAGE = "(host) => (host.player.draw(), host.player.renderer.domElement.toDataURL())"


def arm():
    """Two hinges that cross: no plane; joints at (0, 0, 0) and (3, 0, 4)."""
    made = Mechanism("arm", description="Two bars, a wrench and a bushing")
    bar = {"shape": "cylinder", "radius": 0.2, "from": [0, 0, 0], "to": [3, 0, 4], "opacity": 0.8}
    made.body("upper", mass=1, com=[1.5, 0, 2], inertia=BALL, visual=[bar])
    bar = {"shape": "cylinder", "radius": 0.2, "from": [3, 0, 4], "to": [3, 5, 4]}
    made.body("fore", mass=1, com=[3, 2.5, 4], inertia=BALL, visual=[bar])
    made.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    made.joint("elbow", "revolute", "upper", "fore", point=[3, 0, 4], axis=[1, 0, 0])
    made.force("push", "wrench", body="fore", point=[3, 5, 4])
    return made.spec()


@pytest.fixture(scope="module")
def path(still, tmp_path_factory):
    """Nothing moves, but the fore arm rises by one metre over one second."""
    scene, result = still(arm(), {"fore.r.z": [0.0, 1.0]})
    path = tmp_path_factory.mktemp("arm") / "arm.html"
    write_motion(path, scene, motion_of(scene, result))
    return path


def ready(page):
    page.wait_for_function("document.querySelector('.mechanism').player !== undefined")
    host = page.locator(".mechanism")
    host.evaluate("(host) => host.player.playing && host.player.toggle()")
    return host


@pytest.fixture(scope="module")
def page(path, opened):
    return opened(path, width=1200, height=800)


def brought_back(page):
    """As it was opened, at its start: what a test before left open is closed."""
    host = ready(page)
    page.evaluate("for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close()")
    host.evaluate("(host) => host.player.measure.active && host.player.measure.toggle()")
    page.locator(".bodies button").click()
    page.click(".home")
    host.evaluate("(host) => host.player.seek(0)")
    return host


@pytest.fixture
def host(page):
    return brought_back(page)


# ---- The window


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1366, 768), (2560, 1440)])
def test_a_page_that_is_only_a_motion_fills_its_window(width, height, path, opened):
    page = opened(path, width=width, height=height)
    ready(page)
    box = page.locator("canvas").bounding_box()
    assert box["width"] == width
    seen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert seen[0] <= seen[1]
    if height > 400:  # a phone on its side scrolls to its controls
        bottom = page.evaluate("document.documentElement.scrollHeight")
        assert bottom <= height
        assert box["height"] >= 0.5 * height
    for place in ([0, 0, 0], [3, 0, 4], [3, 5, 4]):  # all of the motion is in view
        x, y = page.locator(".mechanism").evaluate(PIXEL, ["ground", place])
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]
    page.close()


def test_a_window_that_changes_keeps_all_of_it_in_view(path, opened):
    page = opened(path, width=1200, height=800)
    host = ready(page)
    page.set_viewport_size({"width": 500, "height": 900})
    page.wait_for_function("document.querySelector('canvas').clientWidth === 500")
    for place in ([0, 0, 0], [3, 5, 4]):
        assert 0 < host.evaluate(PIXEL, ["ground", place])[0] < 500
    page.close()


# ---- Views


@pytest.mark.parametrize("view", ["front", "side", "top", "iso"])
def test_buttons_look_from_where_they_say(view, page, host):
    page.click(f"[data-view={view}]")
    assert np.allclose(host.evaluate(DIRECTION), FROM[view], atol=LEAN)


@pytest.mark.parametrize(
    ("key", "view"), [("1", "front"), ("2", "side"), ("3", "top"), ("4", "iso")]
)
def test_keys_look_from_where_they_say(key, view, page, host):
    page.keyboard.press(key)
    assert np.allclose(host.evaluate(DIRECTION), FROM[view], atol=LEAN)
    page.keyboard.press("0")
    assert not np.allclose(host.evaluate(DIRECTION), FROM[view], atol=0.1)


def test_seen_from_above_x_is_on_the_right_and_y_up(page, host):
    page.click("[data-view=top]")
    origin, along_x, along_y = (
        np.array(host.evaluate(PIXEL, ["ground", place]))
        for place in ([0, 0, 0], [1, 0, 0], [0, 1, 0])
    )
    x, y = along_x - origin, along_y - origin
    assert x[0] > 10 > abs(x[1])
    assert y[1] < -10 < -abs(y[0])


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_page_begins_with_the_camera_it_was_asked_for(camera, still, tmp_path, opened):
    scene, result = still(arm())
    write_motion(tmp_path / "p.html", scene, motion_of(scene, result), camera=camera)
    page = opened(tmp_path / "p.html", width=400, height=400)
    assert np.allclose(ready(page).evaluate(DIRECTION), FROM[camera], atol=LEAN)
    page.close()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("slider_crank", [0, -1, 0]),  # x to the right
        ("two_link_arm", [0, 0, 1]),  # y is up
        ("five_bar", [0, 0, 1]),  # lies: from above
        ("one_cylinder_engine", [-1, 0, 0]),  # y is up, z to the right
    ],
)
def test_a_plane_mechanism_is_seen_face_on(name, expected, still, tmp_path, opened):
    scene, result = still(read_model(library()[name]))
    write_motion(tmp_path / "p.html", scene, motion_of(scene, result))
    page = opened(tmp_path / "p.html", width=400, height=400)
    assert np.allclose(ready(page).evaluate(DIRECTION), expected, atol=LEAN)
    page.close()


def test_a_picture_is_taken_by_the_camera_it_was_asked_for(still, tmp_path, chromium):
    from mbd_fmu.viewer.film import write_picture

    del chromium
    scene, result = still(arm())
    motion, found = motion_of(scene, result), {}
    for camera in ("", "front", "top"):
        path = tmp_path / "p.png"
        write_picture(path, scene, motion, at=0.0, size=(160, 100), camera=camera)
        found[camera] = path.read_bytes()
    assert len(set(found.values())) == 3


def test_a_view_in_python_takes_a_camera_and_refuses_others(tmp_path):
    model = mbd_fmu.load("pendulum")
    view = model.simulate(stop=0.1).view()
    page = view.save(tmp_path / "p.html", camera="top")
    assert 'data-camera="top"' in page.read_text()
    with pytest.raises(DataError, match="no camera 'tpo'; did you mean \"top\""):
        view.save(tmp_path / "q.html", camera="tpo")


# ---- Bodies


def test_a_body_that_is_hidden_is_gone_and_comes_back(page, host):
    whole = host.evaluate(IMAGE)
    page.get_by_label("upper", exact=True).uncheck()
    assert not host.evaluate("(host) => host.player.mechanism.carriers.upper.visible")
    without = host.evaluate(IMAGE)
    assert without != whole
    page.get_by_label("upper", exact=True).check()
    assert host.evaluate(IMAGE) == whole


def test_opacity_is_a_share_of_what_the_model_says(page, host):
    opacity = (
        "(host, name) => host.player.mechanism.solids[name].map((solid) => solid.material.opacity)"
    )
    assert host.evaluate(opacity, "upper") == [0.8]
    assert host.evaluate(opacity, "fore") == [1.0]
    page.get_by_label("opacity of upper").fill("0.5")
    assert host.evaluate(opacity, "upper") == [pytest.approx(0.4)]
    page.locator(".bodies button").click()  # show all
    assert host.evaluate(opacity, "upper") == [0.8]


@pytest.mark.usefixtures("host")
def test_what_boxes_and_sliders_do_stands_above_them(page):
    heads = page.locator(".bodies .heads span")
    assert heads.all_inner_texts() == ["shown", "opacity"]
    left, right = (head.bounding_box() for head in heads.all())
    box = page.get_by_label("upper", exact=True).bounding_box()
    slider = page.get_by_label("opacity of upper").bounding_box()
    assert abs(left["x"] - box["x"]) < 10
    assert slider["x"] <= right["x"] <= slider["x"] + slider["width"]


def test_on_a_phone_the_list_of_bodies_leaves_most_of_the_picture(still, tmp_path, opened):
    """Thirteen of them, as an excavator has; the wheel zooms at once: nothing is to be scrolled."""
    made = Mechanism("many")
    for k in range(13):
        made.body(f"boom_cylinder_{k}", mass=1, com=[k, 0, 0], inertia=BALL)
    scene, result = still(made.spec(), {"boom_cylinder_0.r.z": [0.0, 1.0]})
    path = tmp_path / "many.html"
    write_motion(path, scene, motion_of(scene, result))
    page = opened(path, width=390, height=844)
    host = ready(page)
    page.click(".bodies summary")
    picture, bodies = (page.locator(s).bounding_box() for s in (".picture", ".bodies"))
    assert bodies["height"] <= 0.45 * picture["height"] + 1
    assert bodies["y"] + bodies["height"] == pytest.approx(picture["y"] + picture["height"], abs=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert findings(page) == []
    far = "(host) => host.player.camera.position.distanceTo(host.player.picture.controls.target)"
    home = host.evaluate(far)
    page.mouse.move(200, picture["y"] + 100)
    page.mouse.wheel(0, 40)
    page.wait_for_function(f"({far})(document.querySelector('.mechanism')) > {home} * 1.01")
    page.close()


OUTLINE = """(host) => {
    const { mechanism, camera, renderer } = host.player;
    const { width, height } = renderer.domElement.getBoundingClientRect();
    const { min, max } = mechanism.box;
    return Array.from({ length: 8 }, (_, n) => {
        const corner = [0, 1, 2].map((k) => ((n >> k) & 1 ? max : min).getComponent(k));
        const seen = min.clone().fromArray(corner).project(camera);
        return [((seen.x + 1) * width) / 2, ((1 - seen.y) * height) / 2];
    });
}"""


@pytest.mark.parametrize("view", ["front", "side", "top", "iso"])
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_the_list_of_bodies_covers_nothing_of_the_mechanism(view, width, height, path, opened):
    """Beside it on a laptop, above it on a phone; closed, the middle is that of the picture."""
    page = opened(path, width=width, height=height)
    host = ready(page)
    page.click(f"[data-view={view}]")
    for is_open in (True, False):
        page.locator(".bodies").evaluate("(list, open) => (list.open = open)", is_open)
        page.wait_for_function(
            "(is) => { const { right, bottom } = document.querySelector('.mechanism')"
            ".player.picture.covered; return (right + bottom > 0) === is; }",
            arg=is_open,
        )
        picture, bodies = (page.locator(s).bounding_box() for s in (".picture", ".bodies"))
        seen = np.array(host.evaluate(OUTLINE))
        low, high = [0.0, 0.0], [picture["width"], picture["height"]]
        if is_open and width > 1000:
            high[0] = bodies["x"] - picture["x"]
        elif is_open:
            high[1] = bodies["y"] - picture["y"]
        assert (seen > low).all()
        assert (seen < high).all()
    page.close()


def test_symbols_and_marks_may_be_hidden(page, host):
    shown = "(host) => host.player.mechanism.marks.filter(([, made]) => made.visible).length"
    assert host.evaluate(shown) == 3  # the axes of the wrench
    page.keyboard.press("j")
    assert host.evaluate(shown) == 0
    page.keyboard.press("j")
    assert host.evaluate(shown) == 3


def test_a_mark_in_world_axes_does_not_turn_with_its_body(still, tmp_path, opened):
    """The fore arm is turned by a right angle about z; the arrow along x stays along x."""
    turn = {"fore.quat.w": np.sqrt(0.5), "fore.quat.z": np.sqrt(0.5)}
    scene, result = still(arm(), turn)
    write_motion(tmp_path / "p.html", scene, motion_of(scene, result))
    page = opened(tmp_path / "p.html", width=300, height=300)
    found = ready(page).evaluate("""(host) => {
        const { marks, root } = host.player.mechanism;
        root.updateMatrixWorld(true);
        const dart = marks[0][1].children[1];  // beside the ball; along y of its own
        return [0, 1, 2].map((k) => dart.matrixWorld.elements[4 + k]);
    }""")
    assert np.allclose(found / np.linalg.norm(found), [1, 0, 0], atol=1e-12)
    page.close()


def test_names_stand_beside_each_other_or_wait(still, tmp_path, opened):
    """At one place are four bodies and their joints, elsewhere is one: what fits is shown."""
    made = Mechanism("crowd")
    for name, x in [("a", 0), ("b", 0), ("c", 0), ("d", 0), ("far", 3)]:
        made.body(name, mass=1, com=[x, 0, 0], inertia=BALL)
        made.joint(f"at_{name}", "revolute", "ground", name, point=[x, 0, 0], axis=[0, 1, 0])
    scene, result = still(made.spec())
    write_motion(tmp_path / "p.html", scene, motion_of(scene, result))
    page = opened(tmp_path / "p.html", width=600, height=500)
    host = ready(page)
    page.keyboard.press("n")
    boxes = host.evaluate("""(host) => Object.fromEntries(
        [...host.querySelectorAll(".name")]
            .filter((label) => label.checkVisibility({ checkVisibilityCSS: true }))
            .map((label) => [label.textContent, label.getBoundingClientRect().toJSON()]),
    )""")
    # bodies before joints: in its place, above, below
    assert sorted(boxes) == ["a", "at_far", "b", "c", "far"]
    assert boxes["b"]["bottom"] == pytest.approx(boxes["a"]["top"], abs=0.01)  # px
    assert boxes["c"]["top"] == pytest.approx(boxes["a"]["bottom"], abs=0.01)
    assert boxes["at_far"]["bottom"] == pytest.approx(boxes["far"]["top"], abs=0.01)
    middle = (boxes["a"]["left"] + boxes["a"]["right"]) / 2
    assert [middle, (boxes["a"]["top"] + boxes["a"]["bottom"]) / 2] == pytest.approx(
        host.evaluate(PIXEL, ["a", [0, 0, 0]]), abs=0.01
    )
    page.keyboard.press("n")
    assert host.evaluate("(host) => host.querySelector('.name').checkVisibility()") is False
    page.close()


def test_what_travels_is_gone_along_with_on_demand(still, tmp_path, opened):
    """A ball of 0.2 m goes 30 m: a point of all its way, or large and where it is."""
    made = Mechanism("ball")
    made.body("ball", mass=1, com=[0, 0, 0], inertia=BALL)
    made.joint("fly", "free", "ground", "ball", point=[0, 0, 0])
    scene, result = still(made.spec(), {"ball.r.x": [0.0, 30.0]})
    write_motion(tmp_path / "p.html", scene, motion_of(scene, result))
    page = opened(tmp_path / "p.html", width=600, height=500)
    host = ready(page)
    seen = """(host) => [0, 1].map((t) => {
        host.player.seek(t);
        const { mechanism, camera } = host.player;
        camera.updateMatrixWorld();
        const at = (z) => mechanism.carried("ball", [0, 0, z]).project(camera);
        return [at(0).x, at(0).y, at(0.1).y - at(0).y];
    })"""
    start, end = host.evaluate(seen)
    assert max(abs(start[0]), abs(end[0])) < 1.0  # both in the picture
    assert end[0] - start[0] > 1.0
    assert max(start[2], end[2]) < 0.02
    page.keyboard.press("f")
    followed = host.evaluate(seen)
    np.testing.assert_allclose(followed[0], followed[1], atol=1e-9)
    assert np.abs(followed[0][:2]).max() < 0.1
    assert followed[0][2] > 0.2
    host.evaluate("(host) => host.player.seek(0.7)")
    page.keyboard.press("f")
    np.testing.assert_allclose(host.evaluate(seen), [start, end], atol=1e-9)
    page.close()


def test_what_stays_has_nothing_to_follow(host):
    assert host.get_by_label("follow").count() == 0


# ---- Measures


def click_on(page, host, name, place):
    page.mouse.click(*host.evaluate(PIXEL, [name, place]))


def test_two_points_give_their_distance_with_components(page, host):
    page.click(".measure")
    assert page.inner_text(".measured") == "click a joint, a mass centre or a body"
    click_on(page, host, "upper", [0, 0, 0])
    assert page.inner_text(".measured") == "from shoulder: click a second point"
    click_on(page, host, "fore", [3, 0, 4])
    value = host.evaluate("(host) => host.player.measure.value")
    assert value["distance"] == pytest.approx(5.0, abs=1e-12)
    assert np.allclose(value["way"], [3, 0, 4], atol=1e-12)
    assert page.inner_text(".measured").startswith("5 m (x 3, y 0, z 4) from shoulder to elbow")


def test_a_third_point_gives_the_angle_at_the_second(page, host):
    """Between (3, 0, 4) and y: a right one."""
    page.click(".measure")
    for name, place in (("upper", [0, 0, 0]), ("fore", [3, 0, 4]), ("fore", [3, 2.5, 4])):
        click_on(page, host, name, place)
    assert host.evaluate("(host) => host.player.measure.value.angle") == pytest.approx(90, abs=1e-9)
    assert page.inner_text(".measured") == "90.00° at elbow"
    click_on(page, host, "upper", [0, 0, 0])  # a fourth begins anew
    assert "click a second point" in page.inner_text(".measured")


def test_points_on_surfaces_are_on_the_body_and_move_with_it(page, host):
    """Seen from the side the bar at x = 3 has its surface 0.2 nearer; it rises by a metre."""
    page.click("[data-view=side]")
    page.click(".measure")
    click_on(page, host, "fore", [3.2, 1.2, 4])
    click_on(page, host, "upper", [0, 0, 0])
    way = np.array(host.evaluate("(host) => host.player.measure.value.way"))
    # a click is on a whole pixel, and these are some hundred to the metre
    assert np.allclose(way, [-3.2, -1.2, -4], atol=0.03)
    host.evaluate("(host) => host.player.seek(1)")
    later = np.array(host.evaluate("(host) => host.player.measure.value.way"))
    assert np.allclose(later - way, [0, 0, -1], atol=1e-12)


def test_turning_the_view_measures_nothing(page, host):
    page.keyboard.press("m")
    x, y = host.evaluate(PIXEL, ["upper", [0, 0, 0]])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=3)
    page.mouse.up()
    assert host.evaluate("(host) => host.player.measure.points.length") == 0
    page.keyboard.press("m")
    assert not page.is_visible(".measured")


def test_escape_leaves_measuring(page, host):
    page.keyboard.press("m")
    click_on(page, host, "upper", [0, 0, 0])
    page.keyboard.press("Escape")
    assert not page.is_visible(".measured")
    assert host.evaluate("(host) => host.player.measure.points") == []
    page.keyboard.press("Escape")  # and nothing else
    assert not page.is_visible(".measured")


# ---- Keys


def test_keys_play_and_step(page, host):
    page.locator("canvas").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    assert host.evaluate("(host) => host.player.t") == pytest.approx(0.01)
    page.keyboard.press("Shift+ArrowRight")
    assert host.evaluate("(host) => host.player.t") == pytest.approx(0.11)
    page.keyboard.press("ArrowLeft")
    assert host.evaluate("(host) => host.player.t") == pytest.approx(0.10)
    page.keyboard.press("End")
    assert host.evaluate("(host) => host.player.t") == 1.0
    page.keyboard.press("ArrowRight")
    assert host.evaluate("(host) => host.player.t") == 1.0  # no further
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    assert host.evaluate("(host) => host.player.playing")
    assert page.get_attribute(".play", "aria-label") == "pause"
    page.keyboard.press(" ")
    assert not host.evaluate("(host) => host.player.playing")


def test_keys_belong_to_the_control_that_has_the_focus(page, host):
    page.focus("[data-view=top]")
    page.keyboard.press(" ")  # presses the button; plays nothing
    assert not host.evaluate("(host) => host.player.playing")
    assert np.allclose(host.evaluate(DIRECTION), FROM["top"], atol=LEAN)


def test_every_key_is_told(page, host):
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="keys")
    assert dialog.is_visible()
    told = set(dialog.locator("kbd").all_inner_texts())
    assert told == {"space", "←", "→", "home", "end", "esc", *"01234", *"jnprlf", *"bmd?"}
    assert host.evaluate(DIRECTION)  # digits do nothing behind it
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


def test_help_that_was_left_open_stands_in_nobody_s_way(page):
    ready(page).evaluate("(host) => host.player.help()")
    assert page.get_by_role("dialog", name="keys").is_visible()
    brought_back(page)
    assert not page.get_by_role("dialog", name="keys").is_visible()


# ---- Light and dark, and everybody


def brightness(page):
    shown = "(host) => host.player.picture.world.background.getHSL({}).l"
    paper = "getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3)"
    return ready(page).evaluate(shown), sum(map(float, page.evaluate(paper))) / 765


def test_dark_is_as_the_system_likes_it_until_somebody_chooses(path, opened):
    page = opened(path, width=400, height=400)
    page.emulate_media(color_scheme="dark")
    assert max(brightness(page)) < 0.2
    page.click(".theme")
    assert min(brightness(page)) > 0.8
    page.emulate_media(color_scheme="light")
    page.keyboard.press("d")
    assert max(brightness(page)) < 0.2
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1366])
def test_nobody_is_shut_out(scheme, width, path, opened):
    """By the rules of axe: names of controls, contrast, order; the help, too."""
    page = opened(path, width=width, height=800)
    page.emulate_media(color_scheme=scheme)
    host = ready(page)
    page.locator(".bodies").evaluate("(list) => (list.open = true)")
    for step in ("(host) => host.player.measure.toggle()", "(host) => host.player.help()"):
        host.evaluate(step)
        assert findings(page) == []
    page.close()


def test_who_wants_little_motion_starts_it_by_hand(path, opened):
    page = opened(path, width=400, height=400)
    playing = "document.querySelector('.mechanism').player?.playing"
    page.wait_for_function(f"{playing} === true")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_function(f"{playing} === false")
    page.click(".play")
    assert page.evaluate(playing)
    page.close()


@pytest.mark.usefixtures("host")
def test_a_picture_says_what_it_is(page):
    assert page.get_by_role("img", name="motion of arm").count() == 1
    assert page.get_by_role("group", name="motion of arm").count() == 1


def test_what_has_the_focus_is_seen(page, host):
    del host
    page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("Tab")
        style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style != "none"
