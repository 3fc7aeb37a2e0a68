"""The cases of a study: grids, lists, tables and samples. All that is wrong is told at once.

Every word of the plan is an axis, and the cases are the product of all axes, the first of which
changes most slowly. A table is one axis; ranges that are sampled are one together.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mbd_fmu.errors import Problem, SpecError, unknown_name
from mbd_fmu.signals.any_table import read_rows
from mbd_fmu.signals.digits import ungrouped
from mbd_fmu.spatial import Array
from mbd_fmu.system.variable import DERIVED, Variable, components_of

MOST = 1_000_000  # cases of a study
_FORMS = "write NAME=FROM:TO:N, NAME=a,b,c or NAME=VALUE, for example --set k=1e4:1e5:50"


@dataclass(frozen=True)
class Plan:
    """A row of values for each case."""

    names: tuple[str, ...]
    values: Array  # (cases, names)

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Sampling:
    """How many points of a Latin hypercube, and where its random numbers begin."""

    count: int
    seed: int


@dataclass(frozen=True)
class _Axis:
    where: str  # of what the user wrote
    names: tuple[str, ...]
    rows: Array


@dataclass(frozen=True)
class _Range:
    where: str
    name: str
    ends: tuple[float, float]


def read_plan(
    settings: Sequence[str],
    table: Path | None,
    sampling: Sampling | None,
    variables: Sequence[Variable],
) -> Plan:
    """Make the cases of what was written; ``SpecError`` lists all that is wrong.

    ``variables`` are those that can be set, and parameters that follow from them.
    """
    problems: list[Problem] = []
    axes: list[_Axis] = []
    ranges: list[_Range] = []
    if table is not None:
        axes.append(_Axis(f"--cases {table}", *read_rows(table)))
    for text in settings:
        found = _word(text)
        if isinstance(found, Problem):
            problems.append(found)
        elif isinstance(found, _Axis):
            axes.append(found)
        else:
            ranges.append(found)
    problems += _about_ranges(ranges, sampling)
    problems += _about_names(axes, ranges, {v.name: v for v in variables})
    n = math.prod(len(axis.rows) for axis in axes) * (sampling.count if sampling else 1)
    if n > MOST:
        remedy = f"at most {MOST:,} are run; take fewer, or --sample lhs:N of ranges FROM:TO"
        problems.append(Problem("cases", f"{n:,}", remedy))
    if not (axes or ranges or problems):
        problems.append(Problem("cases", "none", f"give --set or --cases; {_FORMS}"))
    if problems:
        raise SpecError("study", problems)
    return _product([*axes, _sampled(ranges, sampling)] if sampling else axes)


def _word(text: str) -> _Axis | _Range | Problem:
    where = f"--set {text}"
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals):
        return Problem(where, "no name and value", _FORMS)
    try:
        parts = ungrouped(value).split(":")
        if len(parts) == 1:
            numbers = [float(part) for part in parts[0].split(",")]
            return _Axis(where, (name,), np.array(numbers)[:, None])
        ends = float(parts[0]), float(parts[1])
        if len(parts) == 2:
            return _Range(where, name, ends)
        (count,) = (int(part) for part in parts[2:])
    except ValueError:
        return Problem(where, f'"{value}" is no number, list or range', _FORMS)
    if count < 1 or count > MOST:
        return Problem(where, f"{count} values", f"give 1 to {MOST:,}")
    return _Axis(where, (name,), np.linspace(*ends, count)[:, None])


def _about_ranges(ranges: Sequence[_Range], sampling: Sampling | None) -> Iterator[Problem]:
    if sampling is None:
        for r in ranges:
            remedy = "say how many, FROM:TO:N, or give --sample lhs:N"
            yield Problem(r.where, "a range without a number of values", remedy)
        return
    if not ranges:
        yield Problem("--sample", "no range to take from", "give --set NAME=FROM:TO, without N")
    for r in ranges:
        if not (r.ends[0] < r.ends[1] and all(map(math.isfinite, r.ends))):
            yield Problem(r.where, "a range that is empty", "give FROM:TO, the lesser one first")


def _about_names(
    axes: Sequence[_Axis], ranges: Sequence[_Range], known: Mapping[str, Variable]
) -> Iterator[Problem]:
    """Tell unknown names, those given twice, and values that are out of bounds."""
    told = [(a.where, name, a.rows[:, k]) for a in axes for k, name in enumerate(a.names)]
    told += [(r.where, r.name, np.array(r.ends)) for r in ranges]
    seen: dict[str, str] = {}
    derived = {name for name, variable in known.items() if variable.causality == DERIVED}
    settable = [name for name in known if name not in derived]
    for where, name, values in told:
        if name in seen:
            yield Problem(where, f'"{name}" was given already, by {seen[name]}', "give it once")
        seen.setdefault(name, where)
        if problem := unsettable(where, name, settable, derived):
            yield problem
        else:
            yield from _about_values(where, known[name], values)


def unsettable(
    where: str,
    name: str,
    settable: Sequence[str],
    derived: Collection[str],
    of_vector: str = "give its components: {parts}",
) -> Problem | None:
    """Say why a name cannot be set, and ``of_vector`` what to do with one; None: it can be."""
    if name in derived:
        return Problem(where, f'"{name}" follows from other parameters', "set those")
    if parts := components_of(name, settable):
        remedy = of_vector.format(n=len(parts), parts=", ".join(parts))
        return Problem(where, f'"{name}" is a vector of {len(parts)}', remedy)
    return None if name in settable else unknown_name(where, "parameter or input", name, settable)


def _about_values(where: str, variable: Variable, values: Array) -> Iterator[Problem]:
    if not np.all(np.isfinite(values)):
        yield Problem(where, f'"{variable.name}" is not finite', "give finite numbers")
        return
    low = -math.inf if variable.min is None else variable.min
    high = math.inf if variable.max is None else variable.max
    outside = values[(values < low) | (values > high)]
    if len(outside):
        found = f'"{variable.name}" = {outside[0]:g} is outside its bounds'
        if len(outside) > 1:
            found += f", and {len(outside) - 1} more"
        yield Problem(where, found, f"it goes from {low:g} to {high:g}")


def _sampled(ranges: Sequence[_Range], sampling: Sampling) -> _Axis:
    """Take points of a Latin hypercube: each range is met once in each of N equal parts."""
    from scipy.stats import qmc  # noqa: PLC0415  it takes longer to load than most studies to run

    points = qmc.LatinHypercube(len(ranges), rng=sampling.seed).random(sampling.count)
    low, high = np.array([r.ends for r in ranges]).T
    return _Axis("--sample", tuple(r.name for r in ranges), qmc.scale(points, low, high))


def _product(axes: Sequence[_Axis]) -> Plan:
    shape = [len(axis.rows) for axis in axes]
    places = np.indices(shape).reshape(len(shape), -1)
    rows = [axis.rows[place] for axis, place in zip(axes, places, strict=True)]
    return Plan(tuple(name for axis in axes for name in axis.names), np.column_stack(rows))
