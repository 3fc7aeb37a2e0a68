"""The page of a study in a real browser: a thousand runs, drawn and at hand."""

import numpy as np
import pytest

from mbd_fmu.study.results import Head, Study
from mbd_fmu.study.summary import SUMMARIES
from mbd_fmu.summaries.studies import write_study_page
from tests.viewer.accessibility import serious_findings

pytestmark = pytest.mark.xdist_group("browser")

N = 1000
PAGE = "document.querySelector('.study').page"
# Scroll through all that is drawn.
SCROLLED = """for (const place of document.querySelectorAll('.plane')) {
  place.scrollIntoView();
  while (!place.drawn) await new Promise(requestAnimationFrame);
}"""


def a_study(path, columns, failed=()):
    summaries = {f"y.{s}": next(iter(columns.values())) ** 2 for s in SUMMARIES}
    is_failed = np.isin(np.arange(N), failed)
    found = {name: np.where(is_failed, np.nan, column) for name, column in summaries.items()}
    head = Head(
        "made", tuple(columns), ("y",), {"y": "m", "a": "N"}, {}, (0.0, 1.0), has_trajectories=False
    )
    messages = dict.fromkeys(failed, "<b>why</b>")
    return Study(head, {**columns, **found}, is_failed, messages, path)


def uniform(names, seed=1):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(1, 2, N) for name in names}


@pytest.fixture(scope="module")
def made(opened, tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "study.html"
    columns = uniform("ab") | {"c": np.ones(N)}
    columns["a"][17] = 3.0
    write_study_page(path, a_study(path, columns, failed=(3, 4)), ["y.*"])
    page = opened(path, width=1200, height=900)
    page.wait_for_function(f"{PAGE} !== undefined")
    return page, columns


@pytest.fixture
def page(made):
    """As it was opened."""
    made[0].set_viewport_size({"width": 1200, "height": 900})
    made[0].evaluate(f"window.scrollTo(0, 0); {PAGE}.table.chooseAll()")
    return made[0]


@pytest.fixture
def columns(made):
    return made[1]


def names_of_axes(page):
    return [text.replace("\xa0", " ") for text in page.locator(".axis-name").all_text_contents()]


def test_a_thousand_runs_are_drawn_and_can_be_handled(page):
    """All lines are there, c does not differ, and lists answer."""
    page.wait_for_selector(".parallel canvas")
    assert names_of_axes(page) == [
        "a in N",
        "b",
        *(f"y.{s} in {'s' if 'time' in s else 'm'}" for s in SUMMARIES),
    ]
    lines = f"{PAGE}.parts.get(document.querySelector('.parallel')).drawn"
    assert page.evaluate(lines) == N - 2
    page.evaluate(f"async () => {{ {SCROLLED} }}")
    page.select_option(".across", "1")
    assert page.locator(".plane.tall .uplot").get_attribute("aria-label").endswith("over b")
    assert page.locator("details > summary").first.inner_text() == (
        "2 cases failed and are not drawn"
    )
    told = page.evaluate("document.querySelector('details').textContent")
    assert told.count("<b>why</b>") == 1 + 2  # the reason, and each case
    assert page.locator(".plane").count() == 1 + 2 * len(SUMMARIES)


FRAME = 1 / 60  # s of the page's own thread, so that a screen can show every picture
AT_ONCE = 0.1  # s: what follows the hand within that seems immediate (Card, Moran, Newell 1983)


def processor_time(page):
    """Seconds that the page's own thread has worked, whatever else is at work on the machine."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def at_work():
        found = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in found if m["name"] == "TaskDuration")

    return at_work


def brushed(page, frames):
    """Draw an interval along the first axis, further in every frame; return how long each took."""
    return page.evaluate(
        f"""async frames => {{
      const took = [];
      for (let k = 1; k <= frames; k++) {{
        const begin = performance.now();
        {PAGE}.table.choose(0, [0.1, 0.1 + (0.9 * k) / frames]);
        await new Promise(requestAnimationFrame); // which draws,
        await new Promise(requestAnimationFrame); // and what comes after the picture
        took.push((performance.now() - begin) / 1000);
      }}
      return took;
    }}""",
        frames,
    )


def busyness(page, at_work):
    """How many times as long as alone a computation takes, because others are at work."""
    begin = at_work()
    wall = page.evaluate("""() => {
      const begin = performance.now();
      let sum = 0;
      for (let k = 0; k < 3e7; k++) sum += Math.sqrt(k);
      return sum > 0 && (performance.now() - begin) / 1000;
    }""")
    return max(1.0, wall / (at_work() - begin))


def test_an_interval_follows_the_hand(page):
    """With 1000 runs, and without a graphics unit, as here."""
    at_work, frames = processor_time(page), 40
    brushed(page, 3)  # what is compiled at first use
    busy = busyness(page, at_work)
    begin = at_work()
    took = brushed(page, frames)
    assert (at_work() - begin) / frames < FRAME
    assert np.median(took) < AT_ONCE * busy
    assert page.inner_text(".count") != f"{N - 2} cases"


def test_what_is_drawn_along_an_axis_chooses_cases_of_all_plots(page, columns):
    """From one place of a to its end: those that NumPy finds there."""
    axis = page.locator(".parallel .axis").first
    axis.scroll_into_view_if_needed()
    box, x = axis.bounding_box(), axis.bounding_box()["width"] / 2
    page.mouse.move(box["x"] + x, box["y"] + 0.8 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + x, box["y"], steps=3)
    page.mouse.up()
    edge, there = 14, np.delete(columns["a"], [3, 4])
    pixel = np.ptp(there) / (box["height"] - 2 * edge)
    least = there.min() + pixel * (0.2 * box["height"] - edge)
    page.wait_for_function("document.querySelector('.count').textContent.includes(' of ')")
    chosen = page.evaluate(f"[...{PAGE}.table.chosen]")
    sure = np.abs(there - least) > 2 * pixel
    assert sure.mean() > 0.5
    assert np.array_equal(np.array(chosen)[sure], (there > least)[sure])
    assert page.inner_text(".count") == f"{sum(chosen)} of {N - 2} cases"
    page.click(".all")
    page.wait_for_function(f"document.querySelector('.count').textContent === '{N - 2} cases'")


def test_a_point_says_which_case_it_is(page):
    """Case 17 lies alone in its corner; its number counts those that failed."""
    page.select_option(".across", "0")
    page.select_option(".up", "2")
    plane = page.locator(".plane.tall")
    plane.scroll_into_view_if_needed()
    over = plane.locator(".u-over")
    over.wait_for()
    box = over.bounding_box()
    room = 0.04 / 1.08  # beside the outermost
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] * (1 - room), box["y"] + box["height"] * room)
    said = plane.locator(".said").inner_text().replace("\xa0", " ")
    assert said.startswith("case 17 — a in N: 3, y.min in m: 9")


@pytest.mark.parametrize(("width", "stand"), [(390, False), (1366, True), (2560, True)])
def test_names_and_ends_of_axes_never_lie_on_each_other(width, stand, page):
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function(
        f"document.querySelector('.parallel').classList.contains('stands') === {str(stand).lower()}"
    )
    page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
    boxes = np.array(
        page.locator(".parallel :is(.names, .ends) > span").evaluate_all(
            "(all) => all.map((span) => span.getBoundingClientRect())"
            ".map(({ left, right, top, bottom }) => [left, right, top, bottom])"
        )
    )
    left, right, top, bottom = boxes.T[:, :, None]
    apart = (right <= left.T) | (left >= right.T) | (bottom <= top.T) | (top >= bottom.T)
    assert (apart | np.eye(len(boxes), dtype=bool)).all()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_a_case_can_be_told_from_the_ground(scheme, page):
    """Contrast as of WCAG 2.2, 1.4.11: graphics need 3; the ends of viridis have 1.26 and 1.05."""
    strip = page.locator(".controls.chosen .strip")
    ground = "document.querySelector('.controls.chosen .strip').style.background"
    before = page.evaluate(ground)
    page.emulate_media(color_scheme=scheme)
    if scheme == "dark":
        page.wait_for_function(f"before => {ground} !== before", arg=before)
    colours = [
        [float(c) for c in text.split(",")]
        for text in strip.evaluate(
            "(i) => [...getComputedStyle(i).backgroundImage.matchAll(/rgb\\((.*?)\\)/g)]"
            ".map((found) => found[1])"
        )
    ]
    paper = page.locator(".card").first.evaluate("(c) => getComputedStyle(c).backgroundColor")
    ground = luminance([float(c) for c in paper[4:-1].split(",")])
    for colour in colours:
        low, high = sorted((ground, luminance(colour)))
        assert (high + 0.05) / (low + 0.05) >= 3.0
    page.emulate_media(color_scheme="light")


def luminance(colour):
    """Relative luminance, WCAG 2.2."""
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return np.dot([0.2126, 0.7152, 0.0722], parts)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_wrong_for_those_who_see_or_point_otherwise(scheme, page):
    page.emulate_media(color_scheme=scheme)
    page.locator("details").first.evaluate("(d) => (d.open = true)")
    assert serious_findings(page) == []
    page.emulate_media(color_scheme="light")


def test_a_thousand_runs_of_thirty_parameters_are_a_small_page_that_scrolls(tmp_path, opened):
    """What a frame takes of the page's own thread, and how large the file is."""
    path = tmp_path / "study.html"
    columns = uniform([f"upright_lower[{k}]" for k in range(30)])
    write_study_page(path, a_study(path, columns, failed=(3,)), ["y.*"])
    assert path.stat().st_size < 500_000
    page = opened(path, width=1200, height=900)
    page.wait_for_function(f"{PAGE} !== undefined")
    page.evaluate(f"async () => {{ {SCROLLED} }}")
    assert page.locator(".plane").count() == 1 + 8 * len(SUMMARIES)
    at_work = processor_time(page)
    begin, frames = at_work(), 100
    page.evaluate(
        """async frames => {
      for (let k = frames; k > 0; k--) {
        window.scrollTo(0, 60 * k);
        await new Promise(requestAnimationFrame);
      }
    }""",
        frames,
    )
    assert (at_work() - begin) / frames < FRAME


def test_what_is_not_finite_is_told_and_leaves_the_rest(tmp_path, opened):
    path = tmp_path / "study.html"
    study = a_study(path, uniform("abc", seed=3))
    study.columns["y.max"] = np.full(N, np.nan)
    study.columns["y.rms"] = np.full(N, np.inf)
    study.columns["y.min"][:5] = [np.inf, -np.inf, np.nan, np.nan, np.inf]
    write_study_page(path, study, ["y.max", "y.rms", "y.min"])
    page = opened(path, width=1200, height=900)
    page.wait_for_selector(".parallel canvas")
    assert page.locator("p", has_text="Without a finite number: y.max, y.rms.").count() == 1
    assert page.locator("p", has_text="5 cases lack a finite number somewhere").count() == 1
    lines = f"{PAGE}.parts.get(document.querySelector('.parallel')).drawn"
    assert page.evaluate(lines) == N - 5
    assert names_of_axes(page) == ["a in N", "b", "c", "y.min in m"]


def test_a_grid_of_two_parameters_is_a_map_and_of_one_a_curve(tmp_path, opened):
    """The map has the values of the study at its points, and between them what is bilinear."""
    a, b = (column.ravel() for column in np.meshgrid(np.arange(25.0), np.arange(40.0)))
    path = tmp_path / "map.html"
    write_study_page(path, a_study(path, {"a": a, "b": b}), ["y.max"])
    page = opened(path, width=1200, height=2000)
    place = "document.querySelectorAll('.plane')[1]"
    page.wait_for_function(f"{place}.drawn")
    assert page.evaluate(f"{place}.dataset.kind") == "map"
    points = [(6.0, 13.0), (6.5, 13.0), (24.0, 39.0), (0.0, 0.0)]
    found = page.evaluate(
        f"(all) => all.map(([u, v]) => {PAGE}.parts.get({place}).map.at(u / 24, v / 39) * 24 ** 2)",
        points,
    )
    # between squares: their mean; places are numbers of single precision
    assert found == pytest.approx([36.0, (36.0 + 49.0) / 2, 24.0**2, 0.0], abs=1e-3)
    path = tmp_path / "curve.html"
    write_study_page(path, a_study(path, {"a": np.arange(1000.0)}), ["y.max"])
    page = opened(path, width=1200, height=2000)
    page.wait_for_function(f"{place}.drawn")
    assert page.evaluate(f"{place}.dataset.kind") == "curve"
