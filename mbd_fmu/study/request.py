"""What is asked of a batch, checked: names, shapes, times. All that is wrong is told at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.errors import DataError, Problem, SpecError, unknown_name
from mbd_fmu.signals.schedule import Point, communication_points, schedule
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.study.library import KEEPS
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import components_of


@dataclass(frozen=True)
class Request:
    """Cases, their points in time, and what is wanted of them; variables by index."""

    times: Array  # where outputs are asked for
    points: tuple[Point, ...]
    columns: Array  # inputs over time
    settings: Array  # parameters, and inputs that stay
    cases: Array  # (cases, settings)
    names: tuple[str, ...]
    outputs: Array
    keep: str


@dataclass(frozen=True)
class Asked:
    """The same as it was said."""

    parameters: Mapping[str, ArrayLike]
    inputs: Trajectory | None
    interpolate: bool
    stop: float
    step: float
    outputs: Sequence[str] | None
    keep: str
    threads: int


def request_of(system: System, asked: Asked) -> Request:
    """Check what is asked of a mechanism; ``SpecError`` lists all that is wrong."""
    index = {v.name: k for k, v in enumerate(system.all_variables)}
    settable = [v.name for v in (*system.table.parameters, *system.table.inputs)]
    given = [v.name for v in system.table.inputs]
    known = [v.name for v in system.table.outputs]
    states = [v.name for v in system.states.variables]
    names = tuple(known if asked.outputs is None else asked.outputs)
    asked = replace(asked, parameters=_taken_apart(asked.parameters, settable))
    rows = {name: _numbers(value) for name, value in asked.parameters.items()}
    over_time = () if asked.inputs is None else asked.inputs.names
    problems = [
        *_unsettable(system, asked.parameters, settable),
        *_unknown("inputs", "input", over_time, given),
        *_unknown("outputs", "output", names, (*known, *states)),
        *_twice(asked.parameters, over_time),
        *_misshapen(rows),
        *_choices(asked),
    ]
    times, points = np.zeros(0), tuple[Point, ...]()
    if not any(problem.where in ("stop", "step") for problem in problems):
        try:
            times = communication_points(0.0, asked.stop, asked.step)
            points = tuple(schedule(times, asked.inputs, interpolate=asked.interpolate))
        except DataError as error:
            problems.append(Problem("times", *str(error).rsplit("; ", 1)))
    if problems:
        raise SpecError(f"batch of {system.spec.name}", problems)
    return Request(
        times,
        points,
        _indices(index, over_time),
        _indices(index, rows),
        _cases([row for row in rows.values() if row is not None]),
        names,
        _indices(index, names),
        asked.keep,
    )


def _taken_apart(
    parameters: Mapping[str, ArrayLike], settable: Sequence[str]
) -> dict[str, ArrayLike]:
    """Return settings by component: ``hub`` of shape (cases, 3), or (3,) for all, is ``hub[1]`` ...

    What has not as many columns as there are components, or is given by these as well, stays, and
    is refused by its name.
    """
    found: dict[str, ArrayLike] = {}
    for name, value in parameters.items():
        parts = components_of(name, settable)
        try:
            columns = np.asarray(value, dtype=float).T
        except (TypeError, ValueError):
            columns = np.zeros(0)
        fits = columns.ndim in (1, 2) and len(columns) == len(parts)
        if parts and fits and not parameters.keys() & parts:
            found |= dict(zip(parts, columns, strict=True))
        else:
            found[name] = value
    return found


def _numbers(value: ArrayLike) -> Array | None:
    """Return a number, or one for each case; None: it is neither."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return found if found.ndim <= 1 else None


def _unknown(
    where: str, kind: str, names: Iterable[str], known: Sequence[str]
) -> Iterator[Problem]:
    there = set(known)
    yield from (unknown_name(where, kind, str(n), known) for n in names if n not in there)


def _unsettable(system: System, names: Iterable[str], settable: Sequence[str]) -> Iterator[Problem]:
    """Tell what does not exist, and what follows from other parameters."""
    derived = {v.name for v in system.table.derived}
    vectors = {name: parts for name in names if (parts := components_of(name, settable))}
    apart = {*derived, *vectors}
    yield from _unknown(
        "parameters", "parameter or input", (n for n in names if n not in apart), settable
    )
    for name, parts in vectors.items():
        remedy = f"give an array (cases, {len(parts)}), or its components {', '.join(parts)}"
        yield Problem(f'parameters, "{name}"', f"a vector of {len(parts)}", remedy)
    for name in names:
        if name in derived:
            yield Problem("parameters", f'"{name}" follows from other parameters', "set those")


def _twice(parameters: Mapping[str, ArrayLike], over_time: Iterable[str]) -> Iterator[Problem]:
    for name in over_time:
        if name in parameters:
            found = "it stays, by parameters, and moves, by inputs"
            yield Problem(f'"{name}"', found, "give it in one of them")


def _misshapen(rows: Mapping[str, Array | None]) -> Iterator[Problem]:
    lengths = {name: len(row) for name, row in rows.items() if row is not None and row.ndim}
    for name, row in rows.items():
        if row is None:
            remedy = "give a number, or a list of numbers, one for each case"
            yield Problem(f'parameters, "{name}"', "no number and no list of numbers", remedy)
    if not lengths:
        return
    first, n = next(iter(lengths.items()))
    for name, length in lengths.items():
        if length == 0:
            yield Problem(f'parameters, "{name}"', "no cases", "give at least one value")
        elif length != n:
            found = f'{length} values, but "{first}" has {n}'
            yield Problem(f'parameters, "{name}"', found, "give one value for each case")


def _choices(asked: Asked) -> Iterator[Problem]:
    for name, value in (("stop", asked.stop), ("step", asked.step)):
        if not 0 < value < math.inf:
            yield Problem(name, f"{value:g} s", "give a positive number of seconds")
    if asked.keep not in KEEPS:
        yield Problem("keep", f'no choice "{asked.keep}"', f"choose one of: {', '.join(KEEPS)}")
    if asked.threads < 1:
        yield Problem("threads", f"{asked.threads}", "give 1 or more")


def _cases(rows: Sequence[Array]) -> Array:
    """Return settings, a row for each case; what is given once holds for all."""
    n = max((len(row) for row in rows if row.ndim), default=1)
    return np.ascontiguousarray(
        np.array([np.broadcast_to(row, n) for row in rows]).reshape(-1, n).T
    )


def _indices(index: Mapping[str, int], names: Iterable[str]) -> Array:
    return np.array([index[name] for name in names], dtype=np.uint32)
