"""Which columns of a study its page shows: all that differs, or, of many, what matters most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.signals.choosing import chosen
from mbd_fmu.spatial import Array
from mbd_fmu.study.results import Study

RESPONSES = 8  # of those that nobody chose
PARAMETERS = 8  # likewise: more axes side by side are not read
STILL = 1e-12  # m, rad, N and the like: what differs by less is rounding, and no response


@dataclass(frozen=True)
class Shown:
    """Columns of a page, and those that have no place on it."""

    parameters: tuple[str, ...]
    responses: tuple[str, ...]
    others: tuple[str, ...] = ()  # parameters that go less with the responses
    same: tuple[str, ...] = ()  # chosen, but equal in all cases
    empty: tuple[str, ...] = ()  # chosen, without a finite number
    is_asked: bool = False  # whether somebody chose the parameters


def shown_columns(study: Study, patterns: Sequence[str] = ()) -> Shown:
    """Return what ``patterns`` choose; of parameters or responses that none names, the first."""
    asked = chosen(list(study), patterns, "column") if patterns else ()
    is_parameter = set(study.head.parameters).__contains__
    responses = [name for name in asked if not is_parameter(name)]
    if not responses:
        responses = _first_responses(study)
    empty = [name for name in responses if not np.isfinite(study[name]).any()]
    responses = [name for name in responses if name not in empty]
    wanted = [name for name in asked if is_parameter(name)]
    differ = [name for name in study.head.parameters if differs(study[name])]
    same = [name for name in wanted if name not in differ]
    found = [name for name in wanted if name in differ]
    if not wanted:
        found = _first_parameters(study, differ, responses)
    others = [name for name in differ if name not in found]
    return Shown(
        tuple(found), tuple(responses), tuple(others), tuple(same), tuple(empty), bool(wanted)
    )


def differs(column: Array, still: float = 0.0) -> bool:
    """Whether a column has two finite numbers that are not the same."""
    there = column[np.isfinite(column)]
    return len(there) > 1 and bool(np.ptp(there) > still * max(1.0, np.abs(there).max()))


def rank_correlation(x: Array, y: Array) -> float:
    """Return Spearman's coefficient of the cases where both are finite; 0 where one is still."""
    both = np.isfinite(x) & np.isfinite(y)
    if not (differs(x[both]) and differs(y[both])):
        return 0.0
    return float(np.corrcoef(_ranks(x[both]), _ranks(y[both]))[0, 1])


def _ranks(values: Array) -> Array:
    """Number values by their size; equal ones share the mean of their places."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


def _first_responses(study: Study) -> list[str]:
    summaries = [f"{output}.{s}" for s in ("max", "rms") for output in study.head.outputs]
    names = [*study.head.computed, *summaries]
    return [name for name in names if differs(study[name], STILL)][:RESPONSES]


def _first_parameters(study: Study, differ: Sequence[str], responses: Sequence[str]) -> list[str]:
    """Return those that go most with any of the responses, in the order of the study."""
    if len(differ) <= PARAMETERS:
        return list(differ)
    strength = {
        name: max((abs(rank_correlation(study[name], study[r])) for r in responses), default=0.0)
        for name in differ
    }
    strongest = sorted(differ, key=lambda name: -strength[name])[:PARAMETERS]
    return [name for name in differ if name in strongest]
