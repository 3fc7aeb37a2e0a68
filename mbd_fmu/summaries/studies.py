"""The page of a study: parallel coordinates, points of any two columns, responses."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from mbd_fmu.signals.choosing import chosen
from mbd_fmu.spatial import Array
from mbd_fmu.study.results import Study
from mbd_fmu.study.summary import SUMMARIES
from mbd_fmu.validate.plots import (
    card,
    chosen_scatter,
    curve_plot,
    grid,
    map_plot,
    parallel_plot,
    plots_foot,
    plots_head,
    points_plot,
)
from mbd_fmu.viewer.page import page_html, write_page

MOST = 8  # responses, if none are chosen
LISTED = 20  # cases that failed
STILL = 1e-12  # m, rad, N and the like: what differs by less is rounding, and no response


def write_study_page(path: Path, study: Study, patterns: Sequence[str] = ()) -> str:
    """Write the page; ``patterns`` choose responses. Return what ``write_page`` does."""
    parameters = [name for name in study.head.parameters if _varies(study[name])]
    chosen_ones = _responses(study, patterns)
    responses = [name for name in chosen_ones if np.isfinite(study[name]).any()]
    names = [*parameters, *responses]
    whole = np.all([np.isfinite(study[name]) for name in names], axis=0) & ~study.failed
    done = {_titled(study, name): study[name][whole] for name in names}
    lead = f"{len(study)} cases, {len(responses)} of {len(study.columns)} columns beside parameters"
    body = _failures(study) + _left_out(study, whole, set(chosen_ones) - set(responses))
    if len(done) > 1 and whole.any():
        last = list(done)[-len(responses)] if responses else list(done)[-1]
        first = next(iter(done))
        parts = {
            "Parallel coordinates": card(parallel_plot(done, last)),
            "Any two": card(chosen_scatter(done, first, last, last)),
            "Responses": grid(_plots(study, parameters, responses)),
        }
        body += "".join(f"<h2>{head}</h2>{plots}" for head, plots in parts.items())
    else:
        body += "<p>Nothing differs between the cases that were run.</p>"
    title = f"Study of {study.head.model}"
    return write_page(path, page_html(title, lead, body + plots_foot(), head=plots_head()))


def _responses(study: Study, patterns: Sequence[str]) -> list[str]:
    if patterns:
        found = chosen(list(study), patterns, "column")
        return [name for name in found if name not in study.head.parameters]
    summaries = [f"{output}.{s}" for s in ("max", "rms") for output in study.head.outputs]
    names = [*study.head.computed, *summaries]
    return [name for name in names if _varies(study[name], STILL)][:MOST]


def _varies(column: Array, still: float = 0.0) -> bool:
    there = column[~np.isnan(column)]
    return len(there) > 1 and bool(np.ptp(there) > still * max(1.0, np.abs(there).max()))


def _titled(study: Study, name: str) -> str:
    """Name a column with its unit."""
    output, _, summary = name.rpartition(".")
    if name in study.head.units:
        unit = study.head.units[name]
    elif summary in SUMMARIES:
        unit = "s" if summary == "peak_time" else study.head.units.get(output, "1")
    else:
        unit = "1"
    return name if unit == "1" else f"{name} in {unit}"


def _plots(study: Study, parameters: Sequence[str], responses: Sequence[str]) -> Iterator[str]:
    """Show each response over one parameter, over a grid of two, or over each of many."""
    there = ~study.failed
    for name in responses:
        y, up = study[name], _titled(study, name)
        table = _table(study, parameters, y) if len(parameters) == 2 else None
        if table is not None:
            across, along = (_titled(study, p) for p in parameters)
            yield map_plot(up, *table, across, along)
            continue
        for parameter in parameters:
            x, across = study[parameter][there], _titled(study, parameter)
            if len(parameters) == 1:
                order = np.argsort(x)
                yield curve_plot(up, {up: (x[order], y[there][order])}, across, "")
            else:
                yield points_plot(up, x, y[there], across, "")


def _table(study: Study, parameters: Sequence[str], z: Array) -> tuple[Array, Array, Array] | None:
    """Lay a column out over two parameters, if their values make a grid."""
    (x, at_x), (y, at_y) = (np.unique(study[p], return_inverse=True) for p in parameters)
    found = np.full((len(y), len(x)), np.nan)
    found[at_y, at_x] = z
    is_grid = len(x) * len(y) == len(study) and min(len(x), len(y)) > 1
    return (x, y, found) if is_grid else None


def _left_out(study: Study, whole: Array, empty: set[str]) -> str:
    """Say what has no finite number, and so no place on an axis."""
    told = [f"Without a finite number: {', '.join(sorted(empty))}."] if empty else []
    if missing := int((~study.failed & ~whole).sum()):
        told.append(f"{missing} cases lack a finite number somewhere: no line is theirs.")
    return "".join(f"<p>{html.escape(text)}</p>" for text in told)


def _failures(study: Study) -> str:
    failed = np.flatnonzero(study.failed).tolist()
    if not failed:
        return ""
    rows = "".join(_row(k, study.messages, study) for k in failed[:LISTED])
    more = f"<p>and {len(failed) - LISTED} more</p>" if len(failed) > LISTED else ""
    head = "".join(f"<th>{html.escape(n)}</th>" for n in ("case", *study.head.parameters, "why"))
    summary = f"<summary>{len(failed)} cases failed and are not drawn</summary>"
    table = f'<table class="words"><tr>{head}</tr>{rows}</table>'
    return f"<details>{summary}{table}{more}</details>"


def _row(k: int, messages: Mapping[int, str], study: Study) -> str:
    values = [f"{study[name][k]:.6g}" for name in study.head.parameters]
    cells = [str(k), *values, messages[k]]
    return f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>"
