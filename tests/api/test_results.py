"""What a result gives: arrays, tables, plots, a page in 3-D; and how things look in a notebook."""

import re
import sys

import numpy as np
import pandas as pd
import pytest
from plotly.io import renderers

from mbd_fmu import MbdFmuError, load, read_csv
from mbd_fmu.errors import DataError


@pytest.fixture(scope="module")
def m():
    return load("double_pendulum")


@pytest.fixture(scope="module")
def r(m):
    return m.simulate(stop=0.5, step=0.1)


def test_signals_are_found_by_name_and_vectors_by_what_they_are(r):
    assert r["elbow.q"].shape == r.time.shape == (6,)
    assert np.array_equal(r["lower.r"], np.stack([r[f"lower.r.{c}"] for c in "xyz"], axis=1))
    assert r["lower.quat"].shape == (6, 4)
    assert "elbow.q" in r
    assert "lower.r" not in r
    assert dict(r).keys() == set(r.names)
    assert r.units["elbow.q"] == "rad"
    with pytest.raises(DataError, match=r'no signal "elbow.qq"; did you mean "elbow.q'):
        r["elbow.qq"]
    with pytest.raises(KeyError):
        r["lower"]


def test_a_table_of_pandas_has_time_for_its_index(r):
    table = r.to_pandas()
    assert isinstance(table, pd.DataFrame)
    assert table.index.name == "time"
    assert np.array_equal(table["elbow.q"], r["elbow.q"])
    assert list(table.columns) == list(r.names)


def test_without_pandas_it_is_said_how_to_get_it(r, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MbdFmuError, match=r'pip install "mbd-fmu\[pandas\]"'):
        r.to_pandas()


def test_a_result_is_saved_to_the_last_bit(r, tmp_path):
    found = read_csv(r.save(tmp_path / "out.csv"))
    assert np.array_equal(found.column("elbow.q"), r["elbow.q"])


def test_a_plot_has_the_signals_named_those_of_one_unit_together(r, tmp_path):
    assert [t.name for t in r.plot().figure.data] == ["shoulder.q", "elbow.q"]
    figure = r.plot("elbow.q", "elbow.qd", "shoulder.q", "elbow.q").figure
    assert {t.name: t.yaxis for t in figure.data} == {
        "elbow.q": "y",
        "shoulder.q": "y",
        "elbow.qd": "y2",
    }
    assert figure.layout.yaxis.title.text == "rad"
    assert figure.layout.yaxis2.title.text == "rad/s"
    assert np.array_equal(figure.data[0].y, r["elbow.q"])
    assert len(r.plot("lower.r").figure.data) == 3
    assert len(r.plot("elbow").figure.data) == sum(n.startswith("elbow.") for n in r)
    with pytest.raises(DataError, match="no signal"):
        r.plot("knee")
    page = r.plot().save(tmp_path / "plot.html").read_text(encoding="utf-8")
    assert "shoulder.q" in page
    assert not re.search(r"<script[^>]* src=", page)  # all it needs is inside
    with pytest.raises(DataError, match="saved as a page"):
        r.plot().save(tmp_path / "plot.png")


def test_a_view_is_a_page_of_its_own_inside_a_notebook(r, m, tmp_path):
    shown = r.view()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    page = r.view().save(tmp_path / "motion.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"<script[^>]* src=", page)
    still = m.view({"elbow": 0.3})
    assert np.array_equal(
        still.motion.poses["lower"][0, :3], m.forward_kinematics({"elbow": 0.3})["lower"].position
    )
    with pytest.raises(DataError, match=r"\.html, \.png, \.gif or \.mp4"):
        r.view().save(tmp_path / "motion.avi")


def test_everything_shows_itself_as_text_and_as_html(m, r, monkeypatch):
    assert repr(m) == "double_pendulum: 2 bodies, 2 joints, 2 inputs, 48 outputs"
    assert repr(r) == "run of double_pendulum: 6 instants from 0 to 0.5 s, 48 signals"
    assert repr(m.joints).splitlines() == [
        "name      type      parent  child  drive",
        "shoulder  revolute  ground  upper  torque",
        "elbow     revolute  upper   lower  torque",
    ]
    assert repr(load("four_bar").inputs) == "there is no input"
    state = m.at()
    for shown, word in (
        (m, "data:image/svg+xml"),
        (r, "elbow.q"),
        (m.parameters, "<table>"),
        (m.bodies, "upper"),
        (state, "elbow.qdd"),
        (state.poses, "lower"),
        (state.reactions, "shoulder"),
        (load("four_bar").inputs, "there is no input"),
    ):
        assert word in shown._repr_html_()
    monkeypatch.setattr(renderers, "default", "plotly_mimetype")  # as in a notebook
    bundle = r.plot()._repr_mimebundle_()
    assert bundle["application/vnd.plotly.v1+json"]["data"][1]["name"] == "elbow.q"


def test_names_of_foreign_files_cannot_write_html():
    from mbd_fmu.tables import html_table

    assert "<script>" not in html_table(("<script>",), [("<script>",)])
