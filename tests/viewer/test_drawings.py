"""Plots and line drawings as a browser draws them."""

import numpy as np
import pytest

from mbd_fmu.drawing.graph import graph_svg
from mbd_fmu.drawing.labels import GAP, Box, text_box
from mbd_fmu.drawing.sketch import sketch_svg
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of
from mbd_fmu.topology.structure import structure_of
from mbd_fmu.validate.report import write_trajectory_page

pytestmark = pytest.mark.xdist_group("browser")


TIME = np.linspace(0.0, 10.0, 1001)
SIGNALS = {
    "held": np.where(TIME < 5.0, 1.0, 2.0),
    "settles": np.exp(-3.0 * TIME) * np.cos(20.0 * TIME),  # to a constant
    "energy.drift": 1e-4 * np.maximum(TIME - 9.0, 0.0),
}

# How far the nearest pixel of the line's colour is from each sample, above or below it, at most.
FARTHEST = """(plot) => {
    const [chart] = plot.chart.charts;
    const { ctx, bbox, data: [time, values], series: [, { _stroke }] } = chart;
    const { data, width, height } = ctx.getImageData(0, 0, ctx.canvas.width, ctx.canvas.height);
    const wanted = _stroke.match(/[0-9a-f]{2}/g).map((pair) => parseInt(pair, 16));
    const isLine = (x, y) => {
        const at = 4 * (y * width + x);
        return data[at + 3] > 60 && wanted.every((part, c) => Math.abs(data[at + c] - part) < 60);
    };
    const inside = (x) => Math.min(Math.round(x), Math.round(bbox.left + bbox.width) - 1);
    return Math.max(...Array.from(time, (t, k) => {
        const x = inside(chart.valToPos(t, "x", true));
        const y = Math.round(chart.valToPos(values[k], "y", true));
        for (let off = 0; off < height; off++)
            for (const at of [y - off, y + off])
                if (at >= 0 && at < height && isLine(x, at)) return off;
        return Infinity;
    }));
}"""


@pytest.fixture(scope="module")
def plots(opened, tmp_path_factory):
    """A page of plots, all drawn."""
    result = Trajectory(TIME, tuple(SIGNALS), np.column_stack(list(SIGNALS.values())))
    path = tmp_path_factory.mktemp("plots") / "plots.html"
    write_trajectory_page(path, "plots", result, {}, None, None)
    page = opened(path, width=1200, height=1400)
    page.click(".unfold")
    page.wait_for_function(
        "n => document.querySelectorAll('.plot canvas').length === n", arg=len(SIGNALS)
    )
    page.wait_for_timeout(200)
    return page


@pytest.mark.parametrize("name", SIGNALS)
def test_a_line_goes_through_every_sample(name, plots):
    """To a pixel: none is left out, so that what is constant is level."""
    assert plots.locator(f"[data-names^='{name} '] .plot").evaluate(FARTHEST) <= 1


# Texts of pictures with their font sizes, their middles as SVG has them, and the room they take.
TEXTS = """(all) => all.map((text) => {
    const { x, y, width, height } = text.getBBox();
    const size = parseFloat(getComputedStyle(text).fontSize);
    const at = ["x", "y"].map((key) => parseFloat(text.getAttribute(key)));
    return [text.textContent, size, at, [x, y, x + width, y + height]];
})"""


def test_labels_take_no_more_room_than_was_kept_for_them(opened, tmp_path):
    """In all drawings of the library, by the font of this machine; half the gap is for rounding."""
    specs = [read_model(folder) for folder in library().values()]
    pictures = [graph_svg(structure_of(spec)) for spec in specs]
    pictures += [sketch_svg(system_of(spec)) for spec in specs]
    # each has a style of its own
    shadows = [f'<div><template shadowrootmode="open">{p}</template></div>' for p in pictures]
    path = tmp_path / "all.html"
    path.write_text("<!DOCTYPE html>" + "".join(shadows), encoding="utf-8")
    found = opened(path).eval_on_selector_all("text", TEXTS)
    assert len(found) > 10 * len(specs)
    for text, size, (x, y), room in found:
        kept = text_box(text, size, (x, y - 0.35 * size)).grown(GAP / 2)
        assert kept.holds(Box(*room)), text
