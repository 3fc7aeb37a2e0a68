"""Pages as a person sees them: in a browser, with a mouse, at work."""

import base64
import subprocess

import numpy as np
import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.validate.report import write_report
from mbd_fmu.validate.validation import validate_fmu
from mbd_fmu.viewer.film import for_root
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, write_page

pytestmark = pytest.mark.xdist_group("browser")  # one page serves many tests

# How many different colors a picture has, counted in the page.
COLORS = """async (host) => {
    const player = host.player;
    player.draw();
    const image = new Image();
    image.src = player.renderer.domElement.toDataURL();
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""

# Greens of the last but one column of a picture.
BESIDE_THE_EDGE = """async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(image.width - 2, 0, 1, image.height);
    return Array.from({ length: image.height }, (_, k) => data[4 * k + 1]);
}"""


@pytest.fixture(scope="module")
def validated(fmu_of):
    def found(name):
        folder = library()[name]
        inputs = folder / "input.csv"
        return validate_fmu(
            fmu_of(read_model(folder)),
            reference=read_csv(folder / "reference.csv"),
            inputs=read_csv(inputs) if inputs.is_file() else None,
        )

    return found


@pytest.fixture(scope="module")
def report(validated, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "slider_crank.html"
    found = validated("slider_crank")
    write_report(path, [found])
    return path, found


@pytest.fixture(scope="module")
def page(report, opened):
    """The report of the slider-crank, opened once: a software renderer takes its time."""
    return opened(report[0])


@pytest.fixture
def host(page):
    """The mechanism in it, at its start, as it was opened."""
    for name in ("reactions", "names", "paths"):
        page.uncheck(f"[name={name}]")
    page.check("[name=joints]")
    page.locator(".scrub").fill("0")
    return mechanism(page)


def mechanism(page):
    host = page.locator(".mechanism")
    page.wait_for_function("document.querySelector('.mechanism').player !== undefined")
    return host


def test_a_report_shows_the_mechanism_and_plots(page, host):
    assert host.evaluate(COLORS) > 500
    page.locator(".plot").first.scroll_into_view_if_needed()
    page.wait_for_selector(".plot canvas")
    assert "passes" in page.inner_text("main")
    assert "energy balance" in page.inner_text("main")
    host.scroll_into_view_if_needed()


def test_the_animation_advances_when_it_is_played_and_stops_when_it_is_paused(page, host):
    """At a tenth of its speed: a busy machine must not reach the end, where it begins anew."""
    page.select_option(".speed", "0.1")
    before = host.evaluate("(host) => host.player.mechanism.carriers.crank.quaternion.toArray()")
    page.click(".play")
    page.wait_for_function("document.querySelector('.mechanism').player.t > 0.02")
    page.click(".play")
    after = host.evaluate("(host) => host.player.mechanism.carriers.crank.quaternion.toArray()")
    assert not np.allclose(before, after, atol=1e-3)
    t = host.evaluate("(host) => host.player.t")
    page.wait_for_timeout(200)
    assert host.evaluate("(host) => host.player.t") == t
    assert page.inner_text(".clock") == f"{t:.2f} s"


@pytest.mark.parametrize("t", [0.0, 0.37, 1.0])
def test_bodies_are_where_the_result_says(t, report, host):
    found = report[1]
    host.evaluate("(host, t) => host.player.seek(t)", t)
    result = found.run.trajectory
    for body in ("crank", "rod", "piston"):
        expected = [result.column(f"{body}.r.{c}")[result.row_at(t)] for c in "xyz"]
        shown = host.evaluate(f"(host) => host.player.mechanism.carriers.{body}.position.toArray()")
        assert np.allclose(shown, expected, atol=1e-12)


def test_scrubbing_moves_the_mechanism(page, host):
    page.locator(".scrub").fill("0.5")
    assert host.evaluate("(host) => host.player.t") == pytest.approx(0.5)


def test_the_view_turns_with_the_mouse_and_comes_home(page, host):
    where = "(host) => host.player.camera.position.toArray()"
    home = host.evaluate(where)
    box = page.locator(".picture").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 420, box["y"] + 230, steps=4)
    page.mouse.up()
    assert not np.allclose(host.evaluate(where), home, atol=1e-2)
    page.click(".home")
    assert np.allclose(host.evaluate(where), home, atol=1e-9)


def test_the_wheel_scrolls_the_report_until_the_picture_is_meant(page, host):
    """By a click, or with Ctrl; a click beside it lets go. A hint says so while it scrolls."""
    page.click(".home")
    page.evaluate("window.scrollTo(0, 0)")
    far = "(host) => host.player.camera.position.distanceTo(host.player.picture.controls.target)"
    home, box = host.evaluate(far), page.locator(".picture").bounding_box()
    page.mouse.click(box["x"] + 200, box["y"] - 10)
    page.mouse.move(box["x"] + 300, box["y"] + 150)
    hint = page.locator(".wheel-hint")
    assert hint.is_hidden()
    page.mouse.wheel(0, 40)
    page.wait_for_function("window.scrollY === 40")
    assert host.evaluate(far) == home
    assert hint.inner_text() == "Click the picture, or hold Ctrl, to zoom by the wheel"
    page.keyboard.down("Control")
    page.mouse.wheel(0, 40)
    page.keyboard.up("Control")
    page.wait_for_function(f"({far})(document.querySelector('.mechanism')) > {home} * 1.01")
    page.click(".home")
    page.mouse.click(box["x"] + 300, box["y"] + 150)
    page.mouse.wheel(0, 40)
    page.wait_for_function(f"({far})(document.querySelector('.mechanism')) > {home} * 1.01")
    assert page.evaluate("window.scrollY") == 40
    assert hint.is_hidden()
    page.click("h1")
    page.mouse.move(box["x"] + 300, box["y"] + 150)
    page.mouse.wheel(0, -40)
    page.wait_for_function("window.scrollY === 0")
    page.click(".home")


def test_a_reference_has_its_own_mark_and_its_value_at_the_cursor(page, report, host):
    """At an instant between two marks."""
    found, t = report[1], 0.37
    host.evaluate("(host, t) => host.player.seek(t)", t)
    page.fill(".search", "bearing.q*")
    plot = page.locator("[data-names^='bearing.qd ']").locator(".u-legend").first
    plot.scroll_into_view_if_needed()
    rows = plot.locator(".u-series")
    assert rows.locator(".u-label").all_inner_texts() == [
        "time",
        "FMU",
        "reference",
    ]
    marker = "(row) => getComputedStyle(row.querySelector('.u-marker')).borderRadius"
    assert [row.evaluate(marker) for row in rows.all()[1:]] == ["0px", "50%"]
    told = float(rows.nth(2).locator(".u-value").inner_text())
    expected = found.reference.column("bearing.qd")[found.reference.row_at(t)]
    assert told == pytest.approx(expected, rel=1e-4)  # five digits are told
    page.fill(".search", "rod.com")
    several = page.locator("[data-names^='rod.com'] .u-legend").first
    several.wait_for()
    labels = several.locator(".u-label").all_inner_texts()
    assert labels == ["time", "x", "z", "reference of x", "reference of z"]
    page.fill(".search", "")


def test_reactions_names_and_paths_appear_on_demand(page, host):
    page.locator(".scrub").fill("0.3")
    shown = """(host) =>
        host.player.mechanism.reactions.list.filter(({ pair: [force] }) => force.visible).length"""
    assert host.evaluate(shown) == 0
    for name in ("reactions", "names", "paths"):
        page.check(f"[name={name}]")
    assert host.evaluate(shown) == 4
    assert "force on the child: longest arrow" in page.inner_text(".note")
    assert {"crank", "bore"} <= set(page.locator(".name").all_inner_texts())
    assert host.evaluate("(host) => host.player.mechanism.paths.visible")


def test_joints_may_be_hidden(page, host):
    shown = "(host) => host.player.mechanism.joints.filter((symbol) => symbol.visible).length"
    assert host.evaluate(shown) == 4
    page.uncheck("[name=joints]")
    assert host.evaluate(shown) == 0


def test_a_page_of_many_draws_only_what_is_open(validated, tmp_path, opened):
    path = tmp_path / "many.html"
    write_report(path, [validated("slider_crank"), validated("pendulum")])
    page = opened(path)
    assert "2 of 2 FMUs pass" in page.inner_text("main")
    assert page.locator("canvas").count() == 0
    page.locator("a[href='#pendulum']").click()
    page.wait_for_selector("details#pendulum canvas")
    assert page.locator("details#slider_crank canvas").count() == 0


def test_a_browser_that_cannot_draw_says_so(chromium, report, tmp_path):
    """And the rest of the page is there."""
    flags = ["--headless", *for_root(), "--disable-gpu", "--disable-3d-apis", "--dump-dom"]
    command = [chromium, *flags, f"--user-data-dir={tmp_path}", report[0].as_uri()]
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=300)
    assert "This browser has no WebGL 2: the motion cannot be drawn here." in done.stdout
    assert "energy balance" in done.stdout


TETRAHEDRON = ((0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2))


def obj_file():
    lines = [f"v {x} {y} {z}" for x, y, z in TETRAHEDRON]
    return "\n".join([*lines, "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3"])


def stl_file():
    lines = ["solid one"]
    for face in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)):
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*TETRAHEDRON[k]) for k in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid one"])


@pytest.mark.parametrize(("name", "text"), [("part.obj", obj_file()), ("part.stl", stl_file())])
def test_meshes_are_shown_where_they_belong(name, text, still, tmp_path, opened, monkeypatch):
    """Half a metre per unit, moved by (1, 0, 0), turned about z by a right angle."""
    (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    visual = {"shape": "mesh", "file": name, "scale": 0.5, "center": [1, 0, 0]}
    visual["rpy"] = [0, 0, np.pi / 2]
    flyer = Mechanism("flyer").body(
        "part", mass=1, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 1}, visual=[visual]
    )
    scene, result = still(flyer.spec(), {"part.r.z": 5.0})
    page = tmp_path / "page.html"
    write_page(page, page_html("flyer", "", mechanism_html(scene, motion_of(scene, result))))
    host = mechanism(opened(page))
    box = host.evaluate("(host) => [host.player.mechanism.box.min, host.player.mechanism.box.max]")
    assert np.allclose([box[0][c] for c in "xyz"], [0, 0, 5], atol=1e-6)
    assert np.allclose([box[1][c] for c in "xyz"], [1, 1, 6], atol=1e-6)


def test_names_that_look_like_html_stay_names(still, tmp_path, opened):
    text = "</script><b>bold</b><!-- <script>"
    flyer = Mechanism("flyer", description=text).body(
        "part", mass=1, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 1}
    )
    scene, result = still(flyer.spec())
    page = tmp_path / "page.html"
    body = mechanism_html(scene, motion_of(scene, result))
    write_page(page, page_html("flyer", scene["description"], body))
    shown = opened(page)
    mechanism(shown)
    assert shown.inner_text(".lead") == text


def test_a_table_that_goes_on_has_a_shade_where_it_does(page):
    """At the right edge, darker than where the paper is bare; gone when it is scrolled there."""
    page.set_viewport_size({"width": 390, "height": 844})
    wide = page.locator(".wide").first
    wide.scroll_into_view_if_needed()
    assert wide.evaluate("(table) => table.scrollWidth > table.clientWidth")

    def edge():
        """Brightness beside the right edge: the median over the height, so of paper."""
        picture = base64.b64encode(wide.screenshot()).decode("ascii")
        return np.median(page.evaluate(BESIDE_THE_EDGE, picture))

    begun = edge()
    wide.evaluate("(table) => (table.scrollLeft = table.scrollWidth)")
    assert edge() - begun > 20  # of 255
