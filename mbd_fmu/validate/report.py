"""A page that shows a validation: verdict, table of signals, plots over the reference."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from mbd_fmu.validate.plots import signal_grid, write_page
from mbd_fmu.validate.validation import Validation


def write_report(path: Path, validations: Sequence[Validation]) -> None:
    """Write the page."""
    passed = sum(v.passed for v in validations)
    lead = f"{passed} of {len(validations)} FMUs pass"
    title = validations[0].name if len(validations) == 1 else "Validation"
    write_page(path, title, lead, "".join(map(_section, validations)))


def _section(validation: Validation) -> str:
    verdict = (
        '<span class="pass">passes</span>'
        if validation.passed
        else '<span class="fail">fails</span>'
    )
    facts = [
        f"tolerance {validation.tolerance:g} of each signal's range",
        f"{validation.run.steps} steps, {validation.run.seconds_per_step * 1e6:.1f} µs each",
    ]
    if validation.energy:
        drift, relative = validation.energy
        facts.append(f"energy balance off by {drift:.2g} J ({relative:.2g} of what moves)")
    failures = "".join(f"<li>{html.escape(text)}</li>" for text in validation.failures)
    return (
        f"<h2>{html.escape(validation.name)} {verdict}</h2>"
        f"<p>{html.escape('; '.join(facts))}</p>"
        + (f"<ul>{failures}</ul>" if failures else "")
        + (_table(validation) if validation.signals else "")
        + signal_grid(validation.run.trajectory, validation.units, validation.reference)
    )


def _table(validation: Validation) -> str:
    worst_first = sorted(validation.signals, key=lambda s: -s.max_relative)
    rows = "".join(
        f"<tr><td>{html.escape(s.name)}</td>"
        f"<td>{s.max:.2e} {html.escape(_unit(validation.units[s.name]))}</td>"
        f"<td>{s.max_relative:.2e}</td><td>{s.rms:.2e}</td><td>{s.rms_relative:.2e}</td>"
        f"<td>{s.scale:.4g}</td></tr>"
        for s in worst_first
    )
    head = (
        "<tr><th>signal</th><th>max error</th><th>of range</th><th>rms error</th>"
        "<th>of range</th><th>range</th></tr>"
    )
    return (
        f"<details><summary>{len(worst_first)} signals, worst first</summary>"
        f"<table>{head}{rows}</table></details>"
    )


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit
