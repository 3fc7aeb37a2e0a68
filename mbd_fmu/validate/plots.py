"""Plots of trajectories in pages that need no network; the door to plotly."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from pathlib import Path

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

from mbd_fmu.trajectory import Trajectory
from mbd_fmu.validate.comparison import vector_of

_COLORS = ("#1f5fa8", "#d1661f", "#2f8a4b", "#8f4bab", "#a8323e", "#5f6b73", "#0e8f93", "#b08a00")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  body {{ font: 15px/1.5 system-ui, sans-serif; color: #1c2733; margin: 0; background: #f5f7f9; }}
  main {{ max-width: 1200px; margin: 0 auto; padding: 2rem; }}
  h1 {{ font-size: 1.6rem; margin: 0 0 .3rem; }}
  p.lead {{ color: #55626e; margin: 0 0 1.5rem; }}
  table {{ border-collapse: collapse; background: white; margin: 0 0 1.5rem; width: 100%; }}
  th, td {{ padding: .35rem .7rem; border-bottom: 1px solid #e3e8ec; text-align: right; }}
  th:first-child, td:first-child {{ text-align: left; }}
  .pass {{ color: #1d7a3e; font-weight: 600; }} .fail {{ color: #b3261e; font-weight: 600; }}
  .grid {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(520px, 1fr));
           gap: 1rem; }}
  .card {{ background: white; border: 1px solid #e3e8ec; border-radius: 6px; padding: .3rem; }}
  details {{ margin: 0 0 1.5rem; }}
</style>
<script>{plotlyjs}</script>
</head>
<body><main>
<h1>{title}</h1>
<p class="lead">{lead}</p>
{body}
</main></body>
</html>
"""


def write_page(path: Path, title: str, lead: str, body: str) -> None:
    """Write one self-contained page."""
    page = _PAGE.format(
        title=html.escape(title), lead=html.escape(lead), body=body, plotlyjs=get_plotlyjs()
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")


def write_trajectory_page(
    path: Path, title: str, trajectory: Trajectory, units: dict[str, str]
) -> None:
    """Write a page with a plot per vector of signals."""
    lead = f"{len(trajectory.names)} signals over {trajectory.time[-1]:g} s"
    write_page(path, title, lead, signal_grid(trajectory, units, reference=None))


def signal_grid(trajectory: Trajectory, units: dict[str, str], reference: Trajectory | None) -> str:
    """Return a grid of plots: a vector's signals together, over the reference if there is one."""
    names = reference.names if reference is not None else trajectory.names
    cards = [
        f'<div class="card">{_plot(title, members, units, trajectory, reference)}</div>'
        for title, members in _vectors(names)
    ]
    return f'<div class="grid">{"".join(cards)}</div>'


def _vectors(names: Iterable[str]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(vector_of(name), []).append(name)
    return list(found.items())


def _plot(
    title: str,
    members: Sequence[str],
    units: dict[str, str],
    result: Trajectory,
    reference: Trajectory | None,
) -> str:
    unit = units.get(members[0], "1")
    rows = 1 if reference is None else 2
    figure = make_subplots(
        rows=rows, cols=1, shared_xaxes=True, row_heights=[1] if rows == 1 else [0.68, 0.32]
    )
    for k, name in enumerate(members):
        color = _COLORS[k % len(_COLORS)]
        label = name.removeprefix(f"{title}.")
        y = result.column(name)
        figure.add_scatter(x=result.time, y=y, name=label, line={"color": color}, row=1, col=1)
        if reference is None:
            continue
        expected = reference.column(name)
        dots = {"color": color, "size": 4, "symbol": "circle-open"}
        every = max(1, len(expected) // 40)
        figure.add_scatter(
            x=reference.time[::every],
            y=expected[::every],
            mode="markers",
            name=f"{label} reference",
            marker=dots,
            row=1,
            col=1,
        )
        rows_at = [result.row_at(t) for t in reference.time]
        figure.add_scatter(
            x=reference.time,
            y=y[rows_at] - expected,
            line={"color": color, "width": 1},
            showlegend=False,
            row=2,
            col=1,
        )
    _style(figure, title, unit, rows)
    return figure.to_html(full_html=False, include_plotlyjs=False, config={"displaylogo": False})


def _style(figure: go.Figure, title: str, unit: str, rows: int) -> None:
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        height=300 if rows == 1 else 380,
        margin={"l": 60, "r": 10, "t": 40, "b": 40},
        template="plotly_white",
        legend={"font": {"size": 11}},
    )
    figure.update_yaxes(title_text=unit if unit != "1" else "", row=1, col=1)
    if rows == 2:
        figure.update_yaxes(title_text="error", exponentformat="e", row=2, col=1)
    figure.update_xaxes(title_text="time in s", row=rows, col=1)
