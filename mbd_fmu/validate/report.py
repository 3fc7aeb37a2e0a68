"""A page that shows validations: verdicts, the mechanism in motion, plots over the reference."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.plots import invariant_grid, plots_foot, plots_head, signal_grid
from mbd_fmu.validate.validation import Validation
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, write_page


def write_report(
    path: Path, validations: Sequence[Validation], unjudged: Mapping[str, str] | None = None
) -> None:
    """Write the page; ``unjudged`` says by name why there is no validation."""
    unjudged = unjudged or {}
    if len(validations) == 1 and not unjudged:
        (one,) = validations
        title, lead, body = one.name, one.description, _verdict(one) + _section(one)
    else:
        passed = sum(v.passed for v in validations)
        title = "Validation"
        lead = f"{passed} of {len(validations) + len(unjudged)} FMUs pass"
        body = _summary(validations) + _unjudged(unjudged) + "".join(map(_folded, validations))
    write_page(path, page_html(title, lead, body + plots_foot(), head=plots_head()))


def write_trajectory_page(
    path: Path,
    title: str,
    result: Trajectory,
    units: dict[str, str],
    scene: Mapping[str, Any] | None,
    inputs: Trajectory | None,
) -> str:
    """Write a page of one run: the motion where it can be shown, and a plot per vector.

    Return what is to be said about a page that was there before.
    """
    lead = f"{len(result.names)} signals over {result.time[-1]:g} s"
    body = _motion(scene, result, inputs) + signal_grid(result, units, reference=None)
    return write_page(path, page_html(title, lead, body + plots_foot(), head=plots_head()))


def _summary(validations: Iterable[Validation]) -> str:
    head = ("model", "verdict", "signals", "worst of range", "worst signal", "laws", "per step")
    return _table(head, map(_summary_row, validations))


def _summary_row(v: Validation) -> list[str]:
    worst, name = v.worst, html.escape(v.name)
    opens = "document.getElementById(this.hash.slice(1)).open = true"
    return [
        f'<a href="#{name}" onclick="{opens}">{name}</a>',
        _word(is_good=v.passed),
        str(len(v.signals)) if v.signals else "no reference",
        f"{worst.max_relative:.1e}" if worst else "-",
        html.escape(worst.name) if worst else "-",
        f"{sum(law.passed for law in v.invariants)} of {len(v.invariants)} hold",
        f"{v.run.seconds_per_step * 1e6:.0f} µs",
    ]


def _unjudged(reasons: Mapping[str, str]) -> str:
    rows = [
        [html.escape(name), _word(is_good=False), f"<pre>{html.escape(reason)}</pre>"]
        for name, reason in reasons.items()
    ]
    return _table(("model", "verdict", "not run, because"), rows, kind="words") if rows else ""


def _folded(v: Validation) -> str:
    """Return a section that opens on demand; one that fails is open."""
    title = f"<b>{html.escape(v.name)}</b> {_word(is_good=v.passed)}: {html.escape(v.description)}"
    opened = "" if v.passed else " open"
    return (
        f'<details id="{html.escape(v.name)}"{opened}><summary>{title}</summary>'
        f"{_verdict(v)}{_section(v)}</details>"
    )


def _verdict(v: Validation) -> str:
    """Say in one line how well the FMU does, and in a list what speaks against it."""
    worst = v.worst
    said = (
        f"{len(v.signals)} signals within {worst.max_relative:.1e} of their range, allowed "
        f"{v.tolerance:g}"
        if worst
        else "not compared: there is no reference"
    )
    steps = f"{v.run.steps} steps of {v.run.seconds_per_step * 1e6:.1f} µs each in fmpy"
    failures = "".join(f"<li>{html.escape(text)}</li>" for text in v.failures)
    return f"<p>{_word(is_good=v.passed)}: {said}; {steps}.</p>" + (
        f"<ul>{failures}</ul>" if failures else ""
    )


def _section(v: Validation) -> str:
    return "".join(
        [
            _motion(v.scene, v.run.trajectory, v.inputs),
            _laws(v),
            invariant_grid(v.run.trajectory),
            "<h2>Signals</h2>" if v.signals else "",
            _signals(v) if v.signals else "",
            signal_grid(v.run.trajectory, v.units, v.reference),
            _facts(v),
        ]
    )


def _motion(scene: Mapping[str, Any] | None, result: Trajectory, inputs: Trajectory | None) -> str:
    """Show the motion, or say why it cannot be shown."""
    if scene is None:
        return ""
    try:
        motion = motion_of(scene, result, inputs)
    except DataError as error:
        return f'<p class="lead">No animation: {html.escape(str(error))}.</p>'
    return mechanism_html(scene, motion)


def _laws(v: Validation) -> str:
    rows = [
        [
            html.escape(law.name),
            _word(is_good=law.passed, good="holds", bad="broken"),
            f"{law.worst:.1e}",
            f"{law.allowed:.1e}",
            html.escape(_unit(law.unit)),
            html.escape(law.reason),
        ]
        for law in v.invariants
    ]
    head = ("law", "verdict", "off by", "allowed", "unit", "because")
    return f"<h2>Laws</h2>{_table(head, rows, kind='words')}" if rows else ""


def _signals(v: Validation) -> str:
    worst_first = sorted(v.signals, key=lambda s: -s.max_relative)
    rows = [
        [
            html.escape(s.name),
            f"{s.max:.2e} {html.escape(_unit(v.units[s.name]))}",
            f"{s.max_relative:.2e}",
            f"{s.rms:.2e}",
            f"{s.rms_relative:.2e}",
            f"{s.scale:.4g}",
        ]
        for s in worst_first
    ]
    head = ("signal", "max error", "of range", "rms error", "of range", "range")
    table = _table(head, rows)
    return f"<details><summary>{len(rows)} signals, worst first</summary>{table}</details>"


def _facts(v: Validation) -> str:
    rows = [[html.escape(title), html.escape(text)] for title, text in v.facts.items()]
    return f"<h2>The FMU</h2>{_table((), rows, kind='words')}" if rows else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "numbers") -> str:
    """Return a table of words or of numbers; cells are HTML already."""
    top = "".join(f"<th>{title}</th>" for title in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="{kind}">{f"<tr>{top}</tr>" if top else ""}{body}</table>'


def _word(*, is_good: bool, good: str = "passes", bad: str = "fails") -> str:
    return f'<span class="{"pass" if is_good else "fail"}">{good if is_good else bad}</span>'


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit
