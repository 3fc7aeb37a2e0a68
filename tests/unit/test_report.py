"""Reports in words; what they look like is seen in tests/viewer."""

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.summaries.verdicts import finite
from mbd_fmu.validate.comparison import aligned
from mbd_fmu.validate.report import write_report


def test_what_could_not_be_judged_stands_in_the_report_with_its_reason(tmp_path):
    path = tmp_path / "pages" / "report.html"
    write_report(path, [], {"arm": 'arm/model.toml: 1 problem\n  joint "<a>": no body "b"'})
    text = path.read_text(encoding="utf-8")
    assert "0 of 1 FMUs pass" in text
    assert "joint &quot;&lt;a&gt;&quot;: no body &quot;b&quot;" in text


def test_numbers_that_are_none_become_null_in_json():
    facts = {"name": "arm", "signals": [{"max": float("nan"), "range": 1.0}], "drift": float("inf")}
    expected = {"name": "arm", "signals": [{"max": None, "range": 1.0}], "drift": None}
    assert finite(facts) == expected


def test_the_plotted_reference_has_the_signs_it_was_compared_with():
    names = tuple(f"rod.quat.{c}" for c in "wxyz")
    half = np.sqrt(0.5)
    values = np.array([[1.0, 0, 0, 0], [half, half, 0, 0]])
    result = Trajectory(np.array([0.0, 1.0]), names, values)
    actual, expected = aligned(result, Trajectory(result.time, names, -values))
    assert np.array_equal(actual, expected)
