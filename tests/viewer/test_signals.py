"""Signals of a run on a page: grouped, searched, in an order, under one cursor."""

import numpy as np
import pytest

from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.report import write_trajectory_page
from tests.viewer.accessibility import serious_findings

pytestmark = pytest.mark.xdist_group("browser")  # one page serves many tests

TIME = np.linspace(0.0, 2.0, 201)
WAVE = np.sin(3.0 * TIME)
ERROR = 1e-15 * (1.0 + (np.arange(201) % 7))  # a picket fence
POSE = {
    **{f"rod.r.{c}": 0 * TIME for c in "xyz"},
    **{f"rod.quat.{c}": np.cos(0.5 * WAVE) if c == "w" else 0 * TIME for c in "wxy"},
    "rod.quat.z": np.sin(0.5 * WAVE),
}
SIGNALS = {
    "pin.q": WAVE,
    "pin.qd": 3.0 * np.cos(3.0 * TIME),
    "pin.force.x": 10.0 * WAVE,
    "pin.force.y": 5.0 + WAVE,
    "pin.force.z": 1e-14 * WAVE,  # rounding
    **POSE,
    "rod.com.x": 4.0 * np.cos(WAVE),
    "rod.com.y": 4.0 * np.sin(WAVE),
    "rod.com.z": 0 * TIME,
    "energy.kinetic": WAVE**2,
    "energy.potential": 1.0 - WAVE**2,
    "energy.input_work": 0 * TIME,
    "energy.dissipated": 0 * TIME,
    "constraint.position_error": ERROR,
    "constraint.velocity_error": 2.0 * ERROR,
    "constraint.rank": 5.0 + 0 * TIME,
}
STILL = {"pin.force.z", "rod.r.x", "rod.r.y", "rod.r.z", "rod.quat.x", "rod.quat.y", "rod.com.z"}
STILL |= {"energy.input_work", "energy.dissipated", "constraint.rank"}
UNITS = {"pin.q": "rad", "pin.qd": "rad/s", "pin.force.x": "N", "rod.com.x": "m"}


def spec():
    """A rod on a pin that a wrench in its own axes pulls, so that there is an arrow."""
    inertia = {"shape": "sphere", "radius": 0.1}
    made = Mechanism("swing").body("rod", mass=1, com=[1, 0, 0], inertia=inertia)
    made.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 0, 1])
    made.force("pull", "wrench", body="rod", point=[1, 0, 0], axes="body")
    return made.spec()


def written(path, **choices):
    result = Trajectory(TIME, tuple(SIGNALS), np.column_stack(list(SIGNALS.values())))
    inputs = Trajectory(np.array([0.0, 1.0]), ("pull.force.y",), np.array([[2.0], [4.0]]))
    write_trajectory_page(path, "swing", result, UNITS, scene_table(spec()), inputs, **choices)
    return path


@pytest.fixture(scope="module")
def page(opened, tmp_path_factory):
    made = opened(written(tmp_path_factory.mktemp("signals") / "page.html"), height=1600)
    made.wait_for_function("document.querySelector('.mechanism').player !== undefined")
    made.wait_for_selector(".plot canvas")
    return made


@pytest.fixture(autouse=True)
def as_opened(request):
    if "page" in request.fixturenames:
        page = request.getfixturevalue("page")
        page.fill(".search", "")
        page.select_option(".first", "")
        if page.get_attribute(".show-still", "aria-pressed") == "true":
            page.click(".show-still")


def test_what_is_to_come_first_and_is_not_there_is_told(tmp_path, opened):
    """By the command in its line, and on the page."""
    columns = {name: values for name, values in SIGNALS.items() if "force" not in name}
    result = Trajectory(TIME, tuple(columns), np.column_stack(list(columns.values())))
    path, scene = tmp_path / "page.html", scene_table(spec())
    said = write_trajectory_page(path, "swing", result, UNITS, scene, None, first="reactions")
    assert said == "; no reactions among the signals that could come first"
    page = opened(path)
    assert page.inner_text(".lack") == (
        "There are no reactions among the signals that could come first."
    )
    page.close()
    assert write_trajectory_page(path, "swing", result, UNITS, scene, None, first="joints") == (
        "; another page was there and is replaced"
    )


def groups(page, state=""):
    return page.locator(f"details.group{state}:visible > summary > b").all_inner_texts()


def titles(page):
    """Of the plots that are seen, by their first name."""
    seen = page.locator(".grid > .card:visible").all()
    return [card.get_attribute("data-names").split()[0] for card in seen]


def test_signals_stand_by_element_and_only_the_first_is_open(page):
    assert groups(page) == ["pin", "rod", "energy", "quality"]
    assert groups(page, "[open]") == ["pin"]
    assert titles(page) == ["pin.q", "pin.qd", "pin.force"]
    folded = page.locator("details.group:not([open]) canvas")
    assert folded.count() == 0  # drawn when they are unfolded
    page.click(".unfold")
    assert groups(page, "[open]") == groups(page)
    page.locator("details.group[data-kind=energy] .plot").first.scroll_into_view_if_needed()
    page.wait_for_selector("details.group[data-kind=energy] canvas")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("force", ["pin.force"]),
        ("PIN.Q", ["pin.q", "pin.qd"]),
        ("pin.q*", ["pin.q", "pin.qd"]),
        ("*.com.?", ["rod.com"]),
        ("rod com", ["rod.com"]),
        ("kinetic", ["energy", "energy.kinetic"]),
        ("nothing_like_it", []),
    ],
)
def test_a_search_leaves_what_it_meets(text, found, page):
    page.fill(".search", text)
    assert titles(page) == found
    assert len(groups(page)) == len({name.split(".")[0] for name in found})
    assert page.inner_text(".found").startswith(f"{len(found)} of ")
    page.fill(".search", "")
    assert groups(page, "[open]") == ["pin"]


def test_what_does_not_change_is_counted_and_shown_on_demand(page):
    assert f"{len(STILL)} of {len(SIGNALS)} signals do not change" in page.inner_text(".still")
    page.click(".unfold")
    drawn = titles(page)
    assert "rod.r" not in drawn
    assert {"rod.quat", "rod.com"} <= set(drawn)
    force = page.locator("[data-names^='pin.force'] .u-legend")
    assert force.all_inner_texts()[0].count("z") == 0
    page.click(".show-still")
    assert "rod.r" in titles(page)
    page.wait_for_function(
        "document.querySelector(\"[data-names^='pin.force'] .u-legend\").innerText.includes('z')"
    )


def test_the_order_is_by_choice(page, opened, tmp_path):
    page.select_option(".first", "reactions")
    assert titles(page) == ["pin.force", "pin.q", "pin.qd"]
    page.select_option(".first", "poses")
    assert groups(page) == ["rod", "pin", "energy", "quality"]
    page.select_option(".first", "")
    assert titles(page) == ["pin.q", "pin.qd", "pin.force"]
    asked = opened(written(tmp_path / "asked.html", first="energy"))
    assert groups(asked)[0] == "energy"
    assert groups(asked, "[open]") == ["energy"]


@pytest.mark.parametrize(("level", "largest"), [("position", 7e-15), ("velocity", 14e-15)])
def test_errors_of_constraints_are_numbers_with_their_floor(level, largest, page):
    page.fill(".search", f"constraint.{level}")
    told = page.locator(".closure:visible")
    assert float(told.locator("data").get_attribute("value")) == pytest.approx(largest, rel=1e-15)
    if level == "position":  # the largest coordinate is 4 m
        assert f"Rounding floor {4 * np.finfo(float).eps:.1e} m" in told.inner_text()
    assert told.locator("canvas").count() == 0
    told.locator("summary").click()
    told.locator("canvas").first.wait_for()


CURSORS = """(plots) => plots.filter((plot) => plot.chart)
    .map(({ chart: { charts: [chart] } }) => chart.posToVal(chart.cursor.left, "x"))"""


@pytest.mark.parametrize("t", [0.0, 0.7, 2.0])
def test_all_cursors_follow_the_player(t, page):
    page.locator(".mechanism").evaluate("(host, t) => host.player.seek(t)", t)
    found = page.locator(".grid > .card:visible .plot").evaluate_all(CURSORS)
    assert len(found) == 3
    assert np.allclose(found, t, atol=1e-9)


def test_the_pointer_on_a_plot_leads_the_player(page):
    over = page.locator("[data-names^='pin.qd'] .u-over").first
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    page.wait_for_function("Math.abs(document.querySelector('.mechanism').player.t - 0.5) < 0.02")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    t = page.locator(".mechanism").evaluate("(host) => host.player.t")
    assert t == pytest.approx(1.0, abs=0.02)  # a pixel is 1/300 of the run
    page.mouse.move(1, 1)
    assert np.allclose(page.locator(".plot").evaluate_all(CURSORS), t, atol=1e-9)


def test_loads_from_outside_are_drawn_where_they_act(page):
    """A force along y of the rod: the arrow turns with it, twice as long from one second on."""
    host, arrows = page.locator(".mechanism"), []
    for t in (0.5, 1.5):
        host.evaluate("(host, t) => host.player.seek(t)", t)
        (found,) = host.evaluate(
            """({ player: { mechanism } }) => mechanism.outside.list.map(({ pair: [force] }) =>
                [force.visible, force.position.toArray(), force.quaternion.toArray(),
                 force.tip.distanceTo(force.position)])"""
        )
        angle = np.sin(3.0 * t)
        assert found[0]
        assert np.allclose(found[1], [np.cos(angle), np.sin(angle), 0], atol=1e-12)
        # y of the arrow is along the load
        assert np.allclose(found[2], [0, 0, np.sin(angle / 2), np.cos(angle / 2)], atol=1e-12)
        arrows.append(found[3])
    assert arrows[1] == pytest.approx(2.0 * arrows[0], rel=1e-12)
    assert "orange: force from outside: longest arrow 4 N" in page.inner_text(".mechanism .note")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_wrong_for_those_who_see_or_point_otherwise(scheme, page):
    page.emulate_media(color_scheme=scheme)
    page.click(".unfold")
    assert serious_findings(page) == []
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("width", [390, 1366, 2560])
def test_a_page_is_never_wider_than_its_window(width, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
    page.set_viewport_size({"width": 800, "height": 1600})
