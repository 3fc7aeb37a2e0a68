"""What is asked of a batch, checked: names, shapes, times. All that is wrong is told at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.errors import DataError, Problem, SpecError, shortened, unknown_name
from mbd_fmu.signals.inputs import Interpolation, RunInputs, trajectory_of
from mbd_fmu.signals.names import Names, listed
from mbd_fmu.signals.schedule import Point, communication_points, schedule
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array, is_number
from mbd_fmu.study.library import KEEPS
from mbd_fmu.study.plan import unsettable
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import components_of

SECONDS = "give a positive number of seconds"
AT_LEAST_ONE = "give 1 or more"


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
    inputs: RunInputs
    interpolate: bool
    stop: float
    step: float
    outputs: Names | None
    keep: str
    threads: int


def request_of(system: System, asked: Asked) -> Request:
    """Check what is asked of a mechanism; ``SpecError`` lists all that is wrong."""
    source = f"batch of {system.spec.name}"
    if kinds := [*_other_kinds(asked)]:
        raise SpecError(source, kinds)
    course = _course(asked)
    index = {v.name: k for k, v in enumerate(system.all_variables)}
    settable = [v.name for v in (*system.table.parameters, *system.table.inputs)]
    given = [v.name for v in system.table.inputs]
    known = [v.name for v in system.table.outputs]
    states = [v.name for v in system.states.variables]
    names = tuple(known) if asked.outputs is None else listed(asked.outputs)
    asked = replace(asked, parameters=_taken_apart(asked.parameters, settable))
    rows = {name: _numbers(value) for name, value in asked.parameters.items()}
    over_time = () if course.inputs is None else course.inputs.names
    problems = [
        *_unsettable(system, asked.parameters, settable),
        *_unknown("inputs", "input", over_time, given),
        *_unknown("outputs", "output", names, (*known, *states)),
        *_twice(asked.parameters, over_time),
        *_misshapen(rows),
        *course.problems,
    ]
    if problems:
        raise SpecError(source, problems)
    return Request(
        course.times,
        course.points,
        _indices(index, over_time),
        _indices(index, rows),
        _cases([row for row in rows.values() if row is not None]),
        names,
        _indices(index, names),
        asked.keep,
    )


def _other_kinds(asked: Asked) -> Iterator[Problem]:
    """Tell what cannot be read as what it stands for."""
    if not isinstance(asked.parameters, Mapping):
        remedy = 'give a dict of values by name, for example {"mass": [1.0, 2.0]}, or {}'
        yield Problem("parameters", f"{_shown(asked.parameters)} has no names", remedy)
    if not (asked.outputs is None or isinstance(asked.outputs, Iterable)):
        yield Problem("outputs", f"{_shown(asked.outputs)} is no name", "give a list of names")
    for name, value in (("stop", asked.stop), ("step", asked.step)):
        if not is_number(value):
            yield Problem(name, f"{_shown(value)} is no number", SECONDS)
    if not isinstance(asked.threads, int | np.integer):
        yield Problem("threads", f"{_shown(asked.threads)} is no whole number", AT_LEAST_ONE)


def _shown(value: object) -> str:
    return shortened(repr(value))


@dataclass(frozen=True)
class _Course:
    """Where the cases stop on their way, and what is given to all of them there."""

    times: Array
    inputs: Trajectory | None
    points: tuple[Point, ...]
    problems: tuple[Problem, ...]


def _course(asked: Asked) -> _Course:
    """Lay out the run, as far as its times are sound."""
    problems, times, points = [*_choices(asked)], np.zeros(1), tuple[Point, ...]()
    is_timed = not any(problem.where in ("stop", "step") for problem in problems)
    try:
        if is_timed:
            times = communication_points(0.0, asked.stop, asked.step)
    except DataError as error:
        problems.append(_of_times(error))
        is_timed = False
    way: Interpolation | None = "linear" if asked.interpolate else None
    inputs, is_linear = trajectory_of(asked.inputs, lambda: times, way)
    try:
        if is_timed:
            points = tuple(schedule(times, inputs, interpolate=is_linear))
    except DataError as error:
        problems.append(_of_times(error))
    return _Course(times, inputs, points, tuple(problems))


def _of_times(error: DataError) -> Problem:
    return Problem("times", *str(error).rsplit("; ", 1))


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
        read = _read(value)
        columns = np.zeros(0) if read is None else read.T
        fits = columns.ndim in (1, 2) and len(columns) == len(parts)
        if parts and fits and not parameters.keys() & parts:
            found |= dict(zip(parts, columns, strict=True))
        else:
            found[name] = value
    return found


def _numbers(value: ArrayLike) -> Array | None:
    """Return a number, or one for each case; None: it is neither."""
    found = _read(value)
    return found if found is not None and found.ndim <= 1 else None


def _read(value: ArrayLike) -> Array | None:
    """Return numbers of any shape; texts, None and complex numbers are none."""
    try:
        found = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    kind = found.dtype.kind
    is_real = kind in "biuf" or (kind == "O" and all(is_number(x) for x in found.flat))
    return found.astype(float) if is_real else None


def _unknown(
    where: str, kind: str, names: Iterable[str], known: Sequence[str]
) -> Iterator[Problem]:
    there = set(known)
    yield from (unknown_name(where, kind, str(n), known) for n in names if n not in there)


def _unsettable(system: System, names: Iterable[str], settable: Sequence[str]) -> Iterator[Problem]:
    derived = {v.name for v in system.table.derived}
    for name in names:
        told = unsettable(
            "parameters", name, settable, derived, "give an array (cases, {n}), or {parts}"
        )
        if told is not None:
            yield told


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
            yield Problem(name, f"{value:g} s", SECONDS)
    if asked.keep not in KEEPS:
        yield Problem("keep", f'no choice "{asked.keep}"', f"choose one of: {', '.join(KEEPS)}")
    if asked.threads < 1:
        yield Problem("threads", f"{asked.threads}", AT_LEAST_ONE)


def _cases(rows: Sequence[Array]) -> Array:
    """Return settings, a row for each case; what is given once holds for all."""
    n = max((len(row) for row in rows if row.ndim), default=1)
    return np.ascontiguousarray(
        np.array([np.broadcast_to(row, n) for row in rows]).reshape(-1, n).T
    )


def _indices(index: Mapping[str, int], names: Iterable[str]) -> Array:
    return np.array([index[name] for name in names], dtype=np.uint32)
