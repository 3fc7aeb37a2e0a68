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
    return _figure_html(figure)


def _figure_html(figure: go.Figure) -> str:
    data = inside_script(figure.to_json())
    return f'<div class="plot"><script type="application/json">{data}</script></div>'
