"""Plots of trajectories in pages that need no network; the door to plotly."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly import io
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.units import shown_unit
from mbd_fmu.viewer.page import inside_script

_COLORS = ("#1f5fa8", "#d1661f", "#2f8a4b", "#8f4bab", "#a8323e", "#5f6b73", "#0e8f93", "#b08a00")


def plots_head() -> str:
    """Return what the head of a page with plots needs."""
    template = json.dumps(io.templates["plotly_white"].to_plotly_json())
    return (
        f"<script>{get_plotlyjs()}</script>\n<script>const PLOT_TEMPLATE = {template};</script>\n"
        "<style>.dots .js-line { stroke-linecap: round }</style>\n"
    )


def plots_foot() -> str:
    """Return what stands below all plots of a page."""
    script = (Path(__file__).parent / "plots.js").read_text(encoding="utf-8")
    return f"<script>\n{script}</script>\n"


def stacked_lines(result: Trajectory, names: Sequence[str], units: dict[str, str]) -> go.Figure:
    """Return signals over time, those of one unit together, in rows below each other."""
    rows: dict[str, list[str]] = {}
    for name in names:
        rows.setdefault(units.get(name, "1"), []).append(name)
    figure = make_subplots(rows=len(rows), cols=1, shared_xaxes=True, vertical_spacing=0.04)
    for row, (unit, members) in enumerate(rows.items(), start=1):
        for name in members:
            line, y = _look(list(names).index(name)), result.column(name)
            figure.add_scatter(x=result.time, y=y, name=name, line=line, row=row, col=1)
        figure.update_yaxes(title_text=shown_unit(unit), row=row, col=1)
    figure.update_xaxes(title_text="time in s", row=len(rows), col=1)
    height = 80 + 240 * len(rows)
    figure.update_layout(height=height, showlegend=True, template="plotly_white")
    return figure


def figure_page(figure: go.Figure) -> str:
    """Return a page of one figure that needs no network."""
    return str(figure.to_html(full_html=True, include_plotlyjs=True))


def curve_plot(
    title: str,
    lines: Mapping[str, tuple[Array, Array]],
    across: str,
    up: str,
    *,
    square: bool = False,
) -> str:
    """Return a plot of curves, each x and y; ``square``: both axes have one scale."""
    figure = _figure()
    for k, (label, (x, y)) in enumerate(lines.items()):
        _line(figure, x, y, label, k)
    if square:
        figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return _plot(figure, title, up, "", across)


def parallel_plot(columns: Mapping[str, Array], color: str) -> str:
    """Return parallel coordinates: an axis for each column, a line for each case."""
    # its own writing of powers of ten is not for this plot
    dimensions = [
        {"label": name, "values": values, "tickformat": ".4~g"} for name, values in columns.items()
    ]
    line = {"color": columns[color], "colorscale": "Viridis", "showscale": True}
    line["colorbar"] = {"title": {"text": color, "side": "right"}, "thickness": 14}
    figure = go.Figure(go.Parcoords(dimensions=dimensions, line=line, labelangle=-25))
    figure.update_layout(margin={"l": 90, "r": 30, "t": 130, "b": 30}, template="none")
    return _figure_html(figure)


def chosen_scatter(columns: Mapping[str, Array], across: str, up: str, color: str) -> str:
    """Return points of any two columns, coloured by a third: menus choose them."""
    marker = {"color": columns[color], "colorscale": "Viridis", "showscale": True, "size": 6}
    marker["colorbar"] = {"title": {"text": color, "side": "right"}, "thickness": 14}
    figure = go.Figure(go.Scattergl(x=columns[across], y=columns[up], mode="markers"))
    figure.update_traces(marker=marker)
    menus = []
    for k, (axis, first) in enumerate((("x", across), ("y", up))):
        buttons = [
            {
                "label": name,
                "method": "update",
                "args": [{axis: [values]}, {f"{axis}axis.title.text": name}],
            }
            for name, values in columns.items()
        ]
        place = {"x": 0.5 * k, "xanchor": "left", "y": 1.14, "yanchor": "top"}
        menus.append({"buttons": buttons, "active": list(columns).index(first), **place})
    margin = {"l": 70, "r": 30, "t": 70, "b": 50}
    figure.update_layout(updatemenus=menus, margin=margin, template="none")
    figure.update_xaxes(title_text=across)
    figure.update_yaxes(title_text=up)
    return _figure_html(figure)


def points_plot(title: str, x: Array, y: Array, across: str, up: str) -> str:
    """Return points, as dots that lines without length make: markers scroll seven times slower."""
    figure = _figure()
    line = {"color": _color(0), "width": 4, "simplify": False}
    dots = {"x": _dots(x), "y": _dots(y), "mode": "lines", "line": line, "opacity": 0.6}
    figure.add_scatter(**dots, row=1, col=1)
    figure.update_xaxes(range=_around(x))
    figure.update_yaxes(range=_around(y))
    return _plot(figure, title, up, "", across, kind="plot dots")


def _dots(values: Array) -> Array:
    """Each value as both ends of a line, and a gap; with the digits that can be seen."""
    gaps = np.full(len(values), np.nan)
    return np.column_stack([values, values, gaps]).ravel().astype(np.float32)


def _around(values: Array) -> list[float]:
    """Leave room beside the outermost points."""
    there = values[np.isfinite(values)]
    if not len(there):
        return [-1.0, 1.0]
    low, high = float(there.min()), float(there.max())
    room = 0.06 * (high - low) or 0.06 * abs(low) or 1.0
    return [low - room, high + room]


def map_plot(title: str, x: Array, y: Array, z: Array, across: str, up: str) -> str:
    """Return a value over two others, (len(y), len(x)), as colours with lines of equal value."""
    figure = _figure()
    contours = {"coloring": "heatmap"}
    figure.add_contour(x=x, y=y, z=z, colorscale="Viridis", contours=contours, row=1, col=1)
    return _plot(figure, title, up, "", across)


def grid(plots: Iterable[str]) -> str:
    """Put plots side by side, as many as the window has room for."""
    cards = "".join(map(card, plots))
    return f'<div class="grid">{cards}</div>' if cards else ""


def card(plot: str) -> str:
    """Put a plot on a ground of its own, as wide as the page."""
    return f'<div class="card">{plot}</div>'


def bode_plot(title: str, unit: str, frequencies: Array, lines: Sequence[tuple[str, Array]]) -> str:
    """Return amplitude and phase of complex responses over the frequency, a line each."""
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.62, 0.38], vertical_spacing=0.06
    )
    for k, (label, response) in enumerate(lines):
        _line(figure, frequencies, np.abs(response), label, k)
        phase = np.degrees(np.unwrap(np.angle(response)))
        figure.add_scatter(x=frequencies, y=phase, line=_look(k), showlegend=False, row=2, col=1)
    figure.update_xaxes(type="log")
    figure.update_yaxes(type="log", exponentformat="e", row=1, col=1)
    legend = min(-(-len(lines) // 2), 6)  # rows of two; more are scrolled
    return _plot(figure, title, unit, "phase in °", across="frequency in Hz", legend=legend)


def _figure() -> go.Figure:
    return make_subplots(rows=1, cols=1)


def _line(figure: go.Figure, time: Array, values: Array, label: str, k: int) -> None:
    figure.add_scatter(x=time, y=values, name=label, line=_look(k), row=1, col=1)


def _look(k: int) -> dict[str, Any]:
    """All samples are drawn: plotly would leave out some, and what is level would slope."""
    return {"color": _color(k), "simplify": False}


def _color(k: int) -> str:
    return _COLORS[k % len(_COLORS)]


def _plot(
    figure: go.Figure,
    title: str,
    unit: str,
    below: str,
    across: str,
    legend: int = 1,
    kind: str = "plot",
) -> str:
    """``legend`` is how many rows it has: they stay clear of the buttons above."""
    rows = 2 if below else 1
    figure.update_layout(
        title={"text": title, "font": {"size": 15}, "x": 0.02, "y": 0.97, "yanchor": "top"},
        margin={"l": 64, "r": 14, "t": 52 + 19 * (legend - 1), "b": 44},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.01, "yanchor": "bottom"},
        template="none",  # the page has one for all
    )
    figure.update_yaxes(title_text=shown_unit(unit), row=1, col=1)
    if below:
        figure.update_yaxes(title_text=below, exponentformat="e", row=2, col=1)
    figure.update_xaxes(title_text=across, row=rows, col=1)
    return _figure_html(figure, kind)


def _figure_html(figure: go.Figure, kind: str = "plot") -> str:
    data = inside_script(figure.to_json())
    return f'<div class="{kind}"><script type="application/json">{data}</script></div>'
