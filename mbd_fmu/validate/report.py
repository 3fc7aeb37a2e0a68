"""A page that shows validations: verdicts, the mechanism in motion, plots over the reference."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.signal_groups import lacks_first
from mbd_fmu.validate.signal_section import signal_section, signals_head
from mbd_fmu.validate.validation import Validation
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, table_html, write_page

RUN = "run"  # the script of motions and signals


def write_report(
    path: Path,
    validations: Sequence[Validation],
    unjudged: Mapping[str, str] | None = None,
    *,
    first: str = "",
) -> str:
    """Write the page; ``unjudged`` says by name why there is no validation.

    ``first`` are the signals that come first, one of ``FIRSTS``. Return what is to be said where
    no validation has them.
    """
    unjudged = unjudged or {}
    if len(validations) == 1 and not unjudged:
        (one,) = validations
        title, lead, body = one.name, one.description, verdict_html(one) + _section(one, first)
    else:
        passed = sum(v.passed for v in validations)
        title = "Validation"
        lead = f"{passed} of {len(validations) + len(unjudged)} FMUs pass"
        body = _summary(validations) + _unjudged(unjudged) + folded_sections(validations, first)
    write_page(path, page_html(title, lead, body, head=signals_head(), script=RUN))
    tables = [(v.reference or v.run.trajectory, v.scene) for v in validations]
    lacks = [lacks_first(table.names, scene, first) for table, scene in tables]
    return f"; {lacks[0]}" if lacks and all(lacks) else ""


def write_trajectory_page(
    path: Path,
    title: str,
    result: Trajectory,
    units: dict[str, str],
    scene: Mapping[str, Any] | None,
    inputs: Trajectory | None,
    *,
    interpolate: bool = False,
    first: str = "",
) -> str:
    """Write a page of one run: the motion where it can be shown, and a plot per vector.

    ``first`` are the signals that come first. Return what is to be said about a page that was
    there before, and where there is nothing to come first.
    """
    lead = f"{len(result.names)} signals over {result.time[-1]:g} s"
    labels = ("value", "", "")
    signals = signal_section(result, units, labels=labels, scene=scene, first=first)
    motion = _motion(scene, result, inputs, interpolate=interpolate)
    body = f'<section class="together">{motion}<h2>Signals</h2>{signals}</section>'
    replaced = write_page(path, page_html(title, lead, body, head=signals_head(), script=RUN))
    lack = lacks_first(result.names, scene, first)
    return replaced + (f"; {lack}" if lack else "")


def _summary(validations: Iterable[Validation]) -> str:
    head = ("model", "verdict", "signals", "worst of range", "worst signal", "laws", "per step")
    return table_html(head, map(_summary_row, validations), "verdicts")


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
    head = ("model", "verdict", "not run, because")
    return table_html(head, rows, "not run", kind="words") if rows else ""


def folded_sections(validations: Sequence[Validation], first: str = "", *, opened: int = 0) -> str:
    """Return a section for each, which opens on demand; some at the beginning are open."""
    return "".join(_folded(v, first, is_open=k < opened) for k, v in enumerate(validations))


def _folded(v: Validation, first: str, *, is_open: bool) -> str:
    """Return a section; one that fails is open in any case."""
    title = f"<b>{html.escape(v.name)}</b> {_word(is_good=v.passed)}: {html.escape(v.description)}"
    opened = " open" if is_open or not v.passed else ""
    return (
        f'<details id="{html.escape(v.name)}"{opened}><summary>{title}</summary>'
        f"{verdict_html(v)}{_section(v, first)}</details>"
    )


def verdict_html(v: Validation) -> str:
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


def _section(v: Validation, first: str) -> str:
    signals = signal_section(
        v.run.trajectory, v.units, reference=v.reference, scene=v.scene, first=first
    )
    parts = [
        _motion(v.scene, v.run.trajectory, v.inputs, interpolate=v.interpolate),
        _laws(v),
        "<h2>Signals</h2>",
        _signals(v) if v.signals else "",
        signals,
    ]
    return f'<section class="together">{"".join(parts)}</section>{_facts(v)}'


def _motion(
    scene: Mapping[str, Any] | None,
    result: Trajectory,
    inputs: Trajectory | None,
    *,
    interpolate: bool,
) -> str:
    """Show the motion, or say why it cannot be shown."""
    if scene is None:
        return ""
    try:
        motion = motion_of(scene, result, inputs, interpolate=interpolate)
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
    label = f"laws of {v.name}"
    return f"<h2>Laws</h2>{table_html(head, rows, label, kind='words')}" if rows else ""


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
    table = table_html(head, rows, f"errors of {v.name}")
    return f"<details><summary>{len(rows)} signals, worst first</summary>{table}</details>"


def _facts(v: Validation) -> str:
    rows = [[html.escape(title), html.escape(text)] for title, text in v.facts.items()]
    label = f"the FMU {v.name}"
    return f"<h2>The FMU</h2>{table_html((), rows, label, kind='words')}" if rows else ""


def _word(*, is_good: bool, good: str = "passes", bad: str = "fails") -> str:
    return f'<span class="{"pass" if is_good else "fail"}">{good if is_good else bad}</span>'


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit
