"""What a live page looks like, and what it has of the viewer: lists, measures, keys, messages."""

import pytest

from tests.viewer.accessibility import serious_findings
from tests.viewer.live import PAGE, READY, open_live, where

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("closed")]

NAME = "double_pendulum"
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "large": (2560, 1440)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("looks")


@pytest.fixture
def page(opened, folder):
    return open_live(opened, folder, NAME, width=1366, height=768)


def height_of(page, selector):
    return page.locator(selector).first.bounding_box()["height"]


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize("size", ["laptop", "large"])
def test_a_window_is_filled_and_does_not_scroll(size, opened, folder):
    """Picture, plot, controls and footer: none is over another, the picture has more than half."""
    width, height = SIZES[size]
    page = open_live(opened, folder, NAME, width=width, height=height)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert height_of(page, ".picture") > 0.55 * height
    boxes = [
        page.locator(f".live > {part}").bounding_box() for part in (".plots", ".side", "footer")
    ]
    *above, footer = boxes
    assert all(box["y"] + box["height"] <= footer["y"] + 1.0 for box in above)
    assert footer["y"] + footer["height"] <= height + 1.0
    canvas = page.locator(".picture canvas").bounding_box()
    assert canvas == pytest.approx(page.locator(".picture").bounding_box(), abs=1.0)


def test_sections_are_open_where_there_is_room(page, opened, folder):
    width, height = SIZES["large"]
    large = open_live(opened, folder, NAME, width=width, height=height)
    count = [p.locator(".live > .side > details[open]").count() for p in (page, large)]
    assert count[0] < count[1]
    side = "document.querySelector('.live > .side')"
    assert large.evaluate(f"{side}.scrollHeight <= {side}.clientHeight")


def test_a_message_can_be_closed_and_leaves_most_of_a_phone_s_picture(opened, folder):
    width, height = SIZES["phone"]
    page = open_live(opened, folder, NAME, width=width, height=height)
    page.evaluate(f"{PAGE}.say('step: the motion cannot be followed; '.repeat(9), true)")
    assert height_of(page, ".said:has(.alarm)") < 0.25 * height_of(page, ".picture")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("close the message").last.click()
    assert page.locator(".alarm").text_content() == ""
    assert not page.locator(".said").last.is_visible()


def test_the_hint_goes_away_by_itself(opened, folder, browser):
    """After some seconds, here a tenth of them."""
    open_live(opened, folder, NAME)
    page = browser.new_page()
    hasty = "((wait) => (window.setTimeout = (call, ms) => wait(call, ms / 10)))(window.setTimeout)"
    page.add_init_script(hasty)
    page.goto((folder / f"{NAME}.html").as_uri())
    page.wait_for_function("document.querySelector('.hint') !== null")
    page.wait_for_function("document.querySelector('.hint') === null")
    page.close()


def test_a_plot_that_is_added_shows_what_was(page):
    page.evaluate(f"for (let k = 0; k < 40; k++) {PAGE}.run.step()")
    page.get_by_label("variable to plot").fill("elbow.qd")
    page.get_by_label("variable to plot").press("Tab")
    rows = page.evaluate(f"{PAGE}.plots.charts.at(-1).chart.data.map((row) => [...row])")
    assert [len(row) for row in rows] == [41, 41]
    assert all(x is not None for x in rows[1])
    assert max(rows[1]) > min(rows[1])


def test_bodies_are_hidden_and_seen_through(page):
    button(page, "defaults").focus()
    page.keyboard.press("b")
    box = page.locator(".bodies").get_by_role("checkbox", name="upper")
    box.uncheck()
    drawing = f"{PAGE}.mechanism.drawing"
    assert page.evaluate(f"{drawing}.carriers.upper.visible") is False
    page.get_by_label("opacity of lower").fill("0.4")
    assert page.evaluate(f"{drawing}.solids.lower[0].material.opacity") == pytest.approx(0.4)
    page.evaluate(f"{PAGE}.run.set({PAGE}.find('L2'), 0.6)")  # another shape, as much seen through
    assert page.evaluate(f"{drawing}.solids.lower[0].material.opacity") == pytest.approx(0.4)
    page.get_by_role("button", name="show all").click()
    assert page.evaluate(f"{drawing}.carriers.upper.visible") is True


def test_between_two_points_there_is_a_distance_that_moves_along(page):
    """From the shoulder, which stays, to the elbow: half a metre of rod. Nothing is pulled."""
    button(page, "measure").click()
    corners = page.evaluate(
        f"""["shoulder", "elbow"].map((name) => {{
            const {{ mechanism, picture, data }} = {PAGE};
            const {{ child, point }} = data.scene.joints.find((joint) => joint.name === name);
            const place = mechanism.drawing.carried(child, point).project(picture.camera);
            const {{ left, top, width, height }} =
                picture.renderer.domElement.getBoundingClientRect();
            return [left + (place.x + 1) / 2 * width, top + (1 - place.y) / 2 * height];
        }})"""
    )
    for corner in corners:
        page.mouse.click(*corner)
        assert page.evaluate(f"{PAGE}.grab.held") is None
    measured = page.locator(".measured")
    assert measured.text_content().startswith("0.5 m (x -0.19")  # 0.5 sin 0.4
    page.evaluate(f"for (let k = 0; k < 20; k++) {PAGE}.run.step(); {PAGE}.draw()")
    assert measured.text_content().startswith("0.5 m")
    assert "x -0.19" not in measured.text_content()
    assert page.evaluate(f"{PAGE}.run.playing") is False
    page.keyboard.press("Escape")
    assert not measured.is_visible()
    page.mouse.move(*where(page, "lower"))
    page.mouse.down()
    assert page.evaluate(f"{PAGE}.grab.held.name") == "lower"
    page.mouse.up()


def test_every_key_is_told(page):
    page.locator("body").press("?")
    dialog = page.get_by_role("dialog", name="keys")
    told = dialog.locator("kbd").all_text_contents()
    assert {"space", ".", "home", "0", "1", "j", "r", "b", "m", "d", "esc", "?"} <= set(told)
    assert "pull" in dialog.text_content()
    page.keyboard.press(".")
    assert page.evaluate(f"{PAGE}.run.instance.time") == 0.0  # not while somebody reads
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    button(page, "keys").click()
    assert dialog.is_visible()


def test_who_likes_little_motion_presses_play(opened, folder, browser):
    path = folder / f"{NAME}.html"
    open_live(opened, folder, NAME)
    page = browser.new_page(reduced_motion="reduce")
    page.goto(path.as_uri())
    page.wait_for_function(READY)
    page.wait_for_function("document.querySelector('.message').textContent !== ''")
    assert page.evaluate(f"[{PAGE}.run.playing, {PAGE}.run.instance.time]") == [False, 0.0]
    assert "waits for play" in page.locator(".message").first.text_content()
    page.get_by_label("play or pause").click()
    page.wait_for_function(f"{PAGE}.run.instance.time > 0.1")
    page.close()


def test_turning_red_is_announced_once(page):
    """Numbers run along in silence; the state of trust is read aloud when it changes."""
    status = page.locator("footer [role=status]")
    assert status.text_content() == ""
    page.evaluate(
        f"""() => {{
            window.said = [];
            const status = document.querySelector("footer [role=status]");
            new MutationObserver(() => said.push(status.textContent))
                .observe(status, {{ childList: true }});
            const {{ footer, run }} = {PAGE};
            for (let k = 0; k < 9; k++) {{ run.step(); {PAGE}.draw(); }}
            run.isStuck = true;
            for (let k = 0; k < 9; k++) footer.draw();
        }}"""
    )
    assert page.evaluate("said") == ["Not to be trusted: this is from before the failure"]


def test_the_picture_says_what_it_is_and_nothing_serious_is_found(page):
    canvas = page.locator(".picture canvas")
    assert canvas.get_attribute("role") == "img"
    assert canvas.get_attribute("aria-label")
    button(page, "measure").click()
    page.evaluate(f"{PAGE}.say('a note', false); {PAGE}.sight.toggleList()")
    names = ["elbow.q", "elbow.qd", "elbow.qdd", "elbow.tau", "elbow.force.x", "L1", "m1"]
    page.evaluate(f"names => {PAGE}.plotPanel.choose(names.map({PAGE}.find))", names)
    plots = page.locator(".live .uplot")
    assert plots.evaluate_all("all => all.every((one) => one.scrollHeight <= one.clientHeight)")
    assert serious_findings(page) == []
