"""What the page of a study shows of many columns, and why cases failed."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from mbd_fmu.study.results import Head, Study
from mbd_fmu.study.summary import SUMMARIES
from mbd_fmu.summaries.studies import write_study_page
from mbd_fmu.summaries.study_columns import PARAMETERS, rank_correlation, shown_columns

N = 200
NAMES = tuple(f"p{k}" for k in range(30))
MATTER = ("p3", "p7", "p11", "p29")


def study(messages=None):
    """Thirty parameters, of which four matter; p0 is the same in all cases."""
    rng = np.random.default_rng(1)
    columns = {name: rng.uniform(size=N) for name in NAMES}
    columns["p0"] = np.ones(N)
    y = sum(columns[name] for name in MATTER[:3])
    columns |= {f"y.{s}": y for s in SUMMARIES}
    columns |= {f"z.{s}": np.exp(-5 * columns["p29"]) for s in SUMMARIES}
    columns["nothing"] = np.full(N, np.inf)
    messages = messages or {}
    failed = np.isin(np.arange(N), list(messages))
    head = Head("made", NAMES, ("y", "z"), {}, {"nothing": "1/0"}, (0.0, 1.0), False)  # noqa: FBT003
    return Study(head, columns, failed, messages, Path("made.npz"))


@pytest.mark.parametrize("digits", [1, 15])
def test_rank_correlation_is_that_of_scipy_ties_and_all(digits):
    x, y = np.random.default_rng(2).uniform(size=(2, 300)).round(digits)
    y = (y + x**3).round(digits)
    found = rank_correlation(np.append(x, [np.nan, 1.0]), np.append(y, [1.0, np.inf]))
    assert found == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
    assert rank_correlation(x, np.ones(300)) == 0.0


def test_of_many_parameters_those_that_matter_have_axes():
    shown = shown_columns(study())
    assert len(shown.parameters) == PARAMETERS
    assert set(MATTER) <= set(shown.parameters)
    assert list(shown.parameters) == sorted(shown.parameters, key=NAMES.index)
    assert set(shown.parameters) | set(shown.others) == set(NAMES) - {"p0"}
    assert shown.responses == ("y.max", "z.max", "y.rms", "z.rms")


@pytest.mark.parametrize(
    ("patterns", "parameters", "responses"),
    [
        (["p5", "p4"], ("p5", "p4"), ("y.max", "z.max", "y.rms", "z.rms")),
        (["p1?", "z.min"], tuple(f"p{k}" for k in range(10, 20)), ("z.min",)),
        (["p5", "p0", "nothing", "y.max"], ("p5",), ("y.max",)),
    ],
)
def test_parameters_are_chosen_as_responses_are(patterns, parameters, responses):
    shown = shown_columns(study(), patterns)
    assert (shown.parameters, shown.responses) == (parameters, responses)
    assert shown.same == (("p0",) if "p0" in patterns else ())
    assert shown.empty == (("nothing",) if "nothing" in patterns else ())


def test_a_page_says_what_it_leaves_out(tmp_path):
    path = tmp_path / "study.html"
    write_study_page(path, study())
    text = path.read_text()
    said = "8 of 29 parameters have axes, those that go most with the responses (rank correlation)"
    assert said in text
    assert "<code>--show NAME</code>" in text
    write_study_page(path, study(), ["p0", "p1", "p2", "p3"])
    assert "3 of 29 parameters have axes<" in path.read_text()
    assert "<p>The same in all cases: p0.</p>" in path.read_text()


def test_numbers_stand_in_a_page_once_and_in_single_precision(tmp_path):
    """Four bytes are 16/3 letters; the script, the styles and all words take the rest."""
    path, sizes = tmp_path / "study.html", []
    for columns in (["y.*"], ["y.*", "z.*"]):
        write_study_page(path, study(), columns)
        sizes.append(path.stat().st_size)
    more = len(SUMMARIES)
    assert sizes[1] - sizes[0] < more * (N * 16 / 3 + 500 + PARAMETERS * 250)


def test_where_all_cases_failed_the_page_says_why(tmp_path):
    """Messages that differ by their numbers alone are one reason."""
    messages = {k: f"at {0.01 * k:.3g} s loop2 <opens>" for k in range(N)}
    messages |= {7: "a spring has no length", 8: "a spring has no length"}
    path = tmp_path / "study.html"
    write_study_page(path, study(messages))
    text = path.read_text()
    assert "Nothing differs" not in text
    assert f"All {N} cases failed: there is nothing to draw." in text
    assert f"<td>{N - 2}</td><td>at 0 s loop2 &lt;opens&gt;</td><td>0</td>" in text
    assert "<td>2</td><td>a spring has no length</td><td>7</td>" in text
    assert "<script" not in text
