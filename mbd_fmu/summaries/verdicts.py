"""Verdicts on FMUs: a row of a table each, and why some fail."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mbd_fmu.validate.batch import Attempt
from mbd_fmu.validate.validation import Validation

TITLES = ("model", "verdict", "signals", "worst of range", "worst signal", "energy", "laws")


def row(a: Attempt) -> tuple[str, ...]:
    """Return what stands below the titles."""
    v = a.validation
    if v is None:
        return (a.name, "FAIL", *["-"] * (len(TITLES) - 2))
    worst, held = v.worst, sum(law.passed for law in v.invariants)
    return (
        a.name,
        "pass" if a.passed else "FAIL",
        str(len(v.signals)) if v.signals else "no reference",
        f"{worst.max_relative:.1e}" if worst else "-",
        worst.name if worst else "-",
        f"{v.energy[1]:.1e}" if v.energy else "-",
        f"{held} of {len(v.invariants)}" if v.invariants else "-",
    )


def reasons(found: Sequence[Attempt]) -> list[str]:
    """Return the lines below the table: how many pass, and what speaks against the others."""
    count = [f"{sum(a.passed for a in found)} of {len(found)} pass"] if len(found) > 1 else []
    return count + [f"{a.name}: {text}" for a in found if a.validation for text in a.failures]


def refusals(found: Sequence[Attempt]) -> list[str]:
    """Return why some could not be judged."""
    unjudged = [a for a in found if a.validation is None]
    return [a.error if a.name in a.error else f"{a.name}: {a.error}" for a in unjudged]


def facts(found: Sequence[Attempt]) -> list[dict[str, Any]]:
    """Return all that ``mbd-fmu validate --json`` says."""
    return [finite(_facts(a)) for a in found]


def finite(value: Any) -> Any:
    """Put null where a number is none: JSON has no word for it."""
    if isinstance(value, dict):
        return {key: finite(x) for key, x in value.items()}
    if isinstance(value, list):
        return [finite(x) for x in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _facts(a: Attempt) -> dict[str, Any]:
    facts = {"name": a.name, "passed": a.passed, "failures": a.failures, "seconds": a.seconds}
    return facts | (_validation_facts(a.validation) if a.validation else {})


def _validation_facts(v: Validation) -> dict[str, Any]:
    return {
        "tolerance": v.tolerance,
        "energy_drift_J": v.energy[0] if v.energy else None,
        "energy_drift_relative": v.energy[1] if v.energy else None,
        "invariants": [asdict(law) | {"passed": law.passed} for law in v.invariants],
        "signals": [
            {
                "name": s.name,
                "unit": v.units[s.name],
                "range": s.scale,
                "max": s.max,
                "max_relative": s.max_relative,
                "rms": s.rms,
                "rms_relative": s.rms_relative,
            }
            for s in v.signals
        ],
    }
