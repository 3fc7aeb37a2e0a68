"""Plots of what was measured."""

from collections.abc import Iterable

import plotly.graph_objects as go

from scripts.benchmarks.results import Curve, Measured, Results
from scripts.benchmarks.tables import ENGINES


def plots(results: Results) -> list[str]:
    """Return each as a part of a page."""
    trees = [m for m in results.measured if not m.rows]
    loops = [m for m in results.measured if m.rows]
    names = dict.fromkeys(curve.mechanism for curve in results.curves)
    figures = [
        *(_times(title, m) for title, m in (("trees", trees), ("loops", loops)) if m),
        *(_precision(n, [c for c in results.curves if c.mechanism == n]) for n in names),
        _exports(results.measured),
    ]
    return [figure.to_html(full_html=False, include_plotlyjs=False) for figure in figures]


def _figure(title: str, x: str, y: str, *, log_x: bool = False) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(title=title, template="plotly_white", height=420)
    figure.update_yaxes(title=y, type="log")
    figure.update_xaxes(title=x, type="log" if log_x else None)
    return figure


def _times(title: str, measured: list[Measured]) -> go.Figure:
    figure = _figure(f"One evaluation, {title}", "", "µs")
    names = [m.name for m in measured]
    figure.add_bar(x=names, y=[m.seconds * 1e6 for m in measured], name="mbd_fmu")
    for engine, shown in ENGINES.items():
        found = [(m.name, p.seconds) for m in measured for p in m.peers if p.engine == engine]
        figure.add_bar(x=[n for n, _ in found], y=[s * 1e6 for _, s in found], name=shown)
    return figure


def _precision(mechanism: str, curves: list[Curve]) -> go.Figure:
    figure = _figure(f"Work and precision, {mechanism}", "CPU time in ms", "error", log_x=True)
    for curve in curves:
        figure.add_scatter(
            x=[p.seconds * 1e3 for p in curve.points],
            y=[p.error for p in curve.points],
            text=[f"{p.setting:g}" for p in curve.points],
            mode="lines+markers",
            name=curve.method,
        )
    return figure


def _exports(measured: Iterable[Measured]) -> go.Figure:
    figure = _figure("Export", "bodies", "CPU seconds", log_x=True)
    for shown, has_rows in (("trees", False), ("loops", True)):
        found = [m for m in measured if bool(m.rows) == has_rows]
        figure.add_scatter(
            x=[m.bodies for m in found],
            y=[m.export.cpu_seconds for m in found],
            text=[m.name for m in found],
            mode="markers",
            name=shown,
        )
    return figure
