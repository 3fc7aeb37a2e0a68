"""The page of a study in a real browser: a thousand runs, drawn and at hand."""

import numpy as np
import pytest

from mbd_fmu.study.results import Head, Study
from mbd_fmu.study.summary import SUMMARIES
from mbd_fmu.summaries.studies import write_study_page

N = 1000
SECONDS = 20  # for all that a person does below; a software renderer on a busy machine


def a_study(path, columns, failed=()):
    summaries = {f"y.{s}": next(iter(columns.values())) ** 2 for s in SUMMARIES}
    is_failed = np.isin(np.arange(N), failed)
    found = {name: np.where(is_failed, np.nan, column) for name, column in summaries.items()}
    head = Head(
        "made", tuple(columns), ("y",), {"y": "m", "a": "N"}, {}, (0.0, 1.0), has_trajectories=False
    )
    messages = dict.fromkeys(failed, "<b>why</b>")
    return Study(head, {**columns, **found}, is_failed, messages, path)


@pytest.fixture
def page(tmp_path, opened):
    rng = np.random.default_rng(1)
    columns = {"a": rng.uniform(1, 2, N), "b": rng.uniform(3, 4, N), "c": np.ones(N)}
    path = tmp_path / "study.html"
    write_study_page(path, a_study(path, columns, failed=(3, 4)), ["y.*"])
    return opened(path, width=1200, height=900)


def test_a_thousand_runs_are_drawn_and_can_be_handled(page):
    """All points are there, c does not differ, and menus answer."""
    page.wait_for_selector(".plot .parcoords")
    page.wait_for_selector(".plot .updatemenu-header")
    labels = page.evaluate("document.querySelector('.plot').data[0].dimensions.map(d => d.label)")
    assert labels == [
        "a in N",
        "b",
        *(f"y.{s} in {'s' if 'time' in s else 'm'}" for s in SUMMARIES),
    ]
    full = "document.querySelector('.plot')._fullData[0].dimensions[0].values.length"
    assert page.evaluate(full) == N - 2
    seconds = page.evaluate("""async () => {
      const begin = performance.now();
      const plots = [...document.querySelectorAll('.plot')];
      for (const plot of plots) {  // scroll through all of it
        plot.scrollIntoView();
        while (!plot.data) await new Promise(requestAnimationFrame);
      }
      const [lines, points] = plots;
      await Plotly.restyle(lines, {'dimensions[0].constraintrange': [[1.2, 1.4]]});
      const menu = points.layout.updatemenus[0].buttons[1];
      await Plotly.update(points, ...menu.args);
      await new Promise(requestAnimationFrame);
      return (performance.now() - begin) / 1000;
    }""")
    assert seconds < SECONDS
    assert page.evaluate("document.querySelectorAll('.plot')[1].layout.xaxis.title.text") == "b"
    assert page.inner_text("summary") == "2 cases failed and are not drawn"
    assert page.evaluate("document.querySelector('details').textContent").count("<b>why</b>") == 2
    assert page.evaluate("document.querySelectorAll('.plot').length") == 2 + 2 * len(SUMMARIES)


@pytest.mark.slow
def test_a_page_of_dozens_of_plots_scrolls_at_the_rate_of_the_screen(tmp_path, opened):
    """Thirty times a thousand points: what a frame takes of the page's own thread."""
    rng = np.random.default_rng(2)
    path = tmp_path / "study.html"
    columns = {name: rng.uniform(1, 2, N) for name in "abcdef"}
    write_study_page(path, a_study(path, columns, failed=(3,)), ["y.*"])
    page = opened(path, width=1200, height=900)
    page.evaluate("""async () => {
      for (const plot of document.querySelectorAll('.plot')) {
        plot.scrollIntoView();
        while (!plot.data) await new Promise(requestAnimationFrame);
      }
    }""")
    assert page.locator(".plot.dots").count() == 6 * len(SUMMARIES)
    assert page.locator(".plot.dots").first.locator(".js-line").count() == N - 1
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # others may be at work

    def at_work():
        found = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in found if m["name"] == "TaskDuration")

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
    assert (at_work() - begin) / frames < 1 / 60


def test_lists_of_choices_are_not_clear(page):
    page.wait_for_selector(".plot .updatemenu-header")
    page.locator(".updatemenu-header").first.click()
    page.wait_for_selector(".updatemenu-dropdown-button")
    rect = page.locator(".updatemenu-dropdown-button rect").nth(1)
    assert rect.evaluate("r => getComputedStyle(r).fill") == "rgb(255, 255, 255)"


def test_what_is_not_finite_is_told_and_leaves_the_rest(tmp_path, opened):
    path = tmp_path / "study.html"
    columns = {name: np.random.default_rng(3).uniform(1, 2, N) for name in "abc"}
    study = a_study(path, columns)
    study.columns["y.max"] = np.full(N, np.nan)
    study.columns["y.rms"] = np.full(N, np.inf)
    study.columns["y.min"][:5] = [np.inf, -np.inf, np.nan, np.nan, np.inf]
    write_study_page(path, study, ["y.max", "y.rms", "y.min"])
    page = opened(path, width=1200, height=900)
    page.wait_for_function("document.querySelectorAll('.plot')[2]?.data")
    assert page.locator("p", has_text="Without a finite number: y.max, y.rms.").count() == 1
    assert page.locator("p", has_text="5 cases lack a finite number somewhere").count() == 1
    full = "document.querySelector('.plot')._fullData[0].dimensions.map(d => d.values.length)"
    assert page.evaluate(full) == [N - 5] * 4


def test_buttons_of_a_plot_lie_on_its_card(page):
    page.wait_for_function("document.querySelector('.plot')._fullLayout?.modebar")
    ground = page.evaluate("document.querySelector('.plot')._fullLayout.modebar.bgcolor")
    assert ground.replace(" ", "") == "rgba(0,0,0,0)"


def test_a_grid_of_two_parameters_is_a_map_and_of_one_a_curve(tmp_path, opened):
    a, b = (column.ravel() for column in np.meshgrid(np.arange(25.0), np.arange(40.0)))
    for columns, kind in (({"a": a, "b": b}, "contour"), ({"a": np.arange(1000.0)}, "scatter")):
        path = tmp_path / f"{kind}.html"
        write_study_page(path, a_study(path, columns), ["y.max"])
        page = opened(path, width=1200, height=2000)
        page.wait_for_function("document.querySelectorAll('.plot')[2].data")
        trace = page.evaluate(
            "(({type, x, y, z}) => ({type, x, y, z}))"
            "(document.querySelectorAll('.plot')[2].data[0])"
        )
        assert trace["type"] == kind
        x = np.array(page.evaluate("[...document.querySelectorAll('.plot')[2]._fullData[0].x]"))
        assert np.array_equal(x, np.unique(columns["a"]))
