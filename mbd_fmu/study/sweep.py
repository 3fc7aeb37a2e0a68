"""A study from its plan to its file: chunk by chunk, on whatever crew, and resumable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mbd_fmu.errors import MbdFmuError, Problem, SpecError
from mbd_fmu.host.programs import processors
from mbd_fmu.host.writing import target_of
from mbd_fmu.signals.choosing import chosen
from mbd_fmu.signals.schedule import schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.study.computed import computed_column, read_computed
from mbd_fmu.study.crews import Crew, Here, Work, processes, rows
from mbd_fmu.study.parquet import pyarrow_door
from mbd_fmu.study.parts import Parts
from mbd_fmu.study.pieces import Piece
from mbd_fmu.study.plan import Plan
from mbd_fmu.study.results import PARQUET, SUFFIXES, Head, Study, open_study, write_study
from mbd_fmu.study.summary import summary_names
from mbd_fmu.study.targets import Course, Outcome, Target, lost_outcome

CHUNK_BYTES = 2**26  # of trajectories that are in memory at a time
PIECE_BYTES = 2**23  # of a study that go into its file together
_TAKEN = ("study", "failed", "message", "trajectories")  # names in files
LOST = "the process that ran it ended without a word"

Watch = Callable[[int], None]  # is told how many cases are done


@dataclass(frozen=True)
class Asked:
    """How cases are run and what is kept of them, as it was said."""

    stop: float | None = None
    step: float | None = None
    inputs: Trajectory | None = None
    interpolate: bool = False
    outputs: Sequence[str] = ()  # patterns; none: all
    computed: Sequence[str] = ()  # NAME=EXPRESSION
    trajectories: bool = False


@dataclass(frozen=True)
class Sweep:
    """A study that is ready to run."""

    work: Work
    plan: Plan
    head: Head
    parts: Parts
    out: Path

    @property
    def columns(self) -> tuple[str, ...]:
        """What the file will hold."""
        return self.head.columns

    @property
    def done(self) -> int:
        """Cases that an earlier run has left."""
        return len(self.plan) - sum(map(len, self.parts.missing))


def prepared(target: Target, plan: Plan, asked: Asked, out: Path) -> Sweep:
    """Check all that is asked, and find what an earlier run has left."""
    if out.suffix not in SUFFIXES:
        raise MbdFmuError(f"{out}: a study is written as {' or '.join(SUFFIXES)}")
    if out.suffix == PARQUET:
        pyarrow_door()
    target_of(out)  # refused before the work, not after
    course = _course(target, plan, asked)
    columns = (*plan.names, *summary_names(course.outputs))
    computed = read_computed(asked.computed, columns, course.outputs)
    for name in (*columns, *computed, *(course.outputs if course.trajectories else ())):
        if name in _TAKEN:
            raise MbdFmuError(f'"{name}" has a meaning of its own in files of studies')
    unit = {v.name: v.unit for v in (*target.settable, *target.outputs)}
    head = Head(
        target.name,
        plan.names,
        course.outputs,
        {name: unit[name] for name in (*plan.names, *course.outputs)},
        computed,
        tuple(course.times.tolist()),
        course.trajectories,
    )
    size = 8 * len(course.times) * max(1, len(course.outputs))
    most = min(target.most_in_chunk, max(1, CHUNK_BYTES // size))
    parts = Parts.of(out, _digest(target, course, plan), len(plan), most)
    return Sweep(Work(target, course), plan, head, parts, out)


def _course(target: Target, plan: Plan, asked: Asked) -> Course:
    names = [v.name for v in target.outputs]
    outputs = chosen(names, asked.outputs, "output") if asked.outputs else tuple(names)
    if asked.inputs is not None:
        check_columns("inputs", asked.inputs, [v.name for v in target.inputs], "input")
        twice = [n for n in asked.inputs.names if n in plan.names]
        if twice:
            remedy = "give it in one of them"
            problems = [Problem(f'"{n}"', "moves by --input and is set", remedy) for n in twice]
            raise SpecError("study", problems)
    times, step = target.times(asked.stop, asked.step)
    for _ in schedule(times, asked.inputs, interpolate=asked.interpolate):
        break  # inputs that begin too late are refused now
    return Course(
        plan.names, times, step, outputs, asked.inputs, asked.interpolate, asked.trajectories
    )


def _digest(target: Target, course: Course, plan: Plan) -> str:
    """Tell a study from any other: what is run, how, and all its cases."""
    inputs = course.inputs
    words = [course.names, course.outputs, course.interpolate, course.trajectories, course.step]
    words.append(inputs.names if inputs else None)
    arrays = [plan.values, course.times, *([inputs.time, inputs.values] if inputs else [])]
    parts = [target.digest(), json.dumps(words).encode(), *(a.tobytes() for a in arrays)]
    return hashlib.sha256(b"".join(hashlib.sha256(p).digest() for p in parts)).hexdigest()


def run_sweep(
    sweep: Sweep,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    watch: Watch = lambda _: None,
) -> Study:
    """Run what is missing of a study, then write its file."""
    with sweep.parts.alone():
        return _run(sweep, jobs or processors(), scheduler, watch)


def _run(sweep: Sweep, jobs: int, scheduler: str | None, watch: Watch) -> Study:
    done = sweep.done
    watch(done)
    if missing := sweep.parts.missing:
        with _crew(sweep.work, jobs, len(missing), scheduler) as crew:
            for chunk, outcome in _finished(crew, missing, sweep):
                sweep.parts.write(chunk, outcome)
                done += len(chunk)
                watch(done)
    write_study(sweep.out, sweep.head, len(sweep.plan), _pieces(sweep), sweep.parts.scratch)
    sweep.parts.remove()
    return open_study(sweep.out)


def _crew(
    work: Work, jobs: int, chunks: int, scheduler: str | None
) -> AbstractContextManager[Crew]:
    if scheduler is not None:
        from mbd_fmu.study.cluster import cluster  # noqa: PLC0415  it loads what a mechanism is

        return cluster(work, scheduler)
    if not work.target.is_foreign:
        return nullcontext(Here(work, jobs))
    return processes(work, min(jobs, chunks))


def _finished(crew: Crew, chunks: Sequence[range], sweep: Sweep) -> Iterator[tuple[range, Outcome]]:
    """Run chunks; those whose workers ended are run again."""
    lost = []
    for chunk, outcome in crew.outcomes(chunks, sweep.plan.values):
        if outcome is None:
            lost.append(chunk)
        else:
            yield chunk, outcome
    for chunk in lost:
        yield chunk, _alone(crew, chunk, sweep)


def _alone(crew: Crew, chunk: range, sweep: Sweep) -> Outcome:
    """Run one chunk; if its worker ends again, look in its halves for the case that does it."""
    ((_, outcome),) = crew.outcomes([chunk], sweep.plan.values)
    if outcome is not None:
        return outcome
    if len(chunk) == 1:
        return lost_outcome(sweep.work.course, LOST)
    middle = len(chunk) // 2
    return _joined([_alone(crew, half, sweep) for half in (chunk[:middle], chunk[middle:])])


def _joined(outcomes: Sequence[Outcome]) -> Outcome:
    messages: dict[int, str] = {}
    first = 0
    for outcome in outcomes:
        messages |= {first + k: text for k, text in outcome.messages.items()}
        first += len(outcome.failed)
    trajectories: list[Array] = [o.trajectories for o in outcomes if o.trajectories is not None]
    return Outcome(
        np.concatenate([o.summaries for o in outcomes]),
        np.concatenate(trajectories) if trajectories else None,
        np.concatenate([o.failed for o in outcomes]),
        messages,
    )


def _pieces(sweep: Sweep) -> Iterator[Piece]:
    """Read what is done, in order, some chunks at a time."""
    parts, head = sweep.parts, sweep.head
    names = summary_names(head.outputs)
    row = 8 * len(names) + 8 * len(head.time) * len(head.outputs) * head.has_trajectories
    some = max(1, PIECE_BYTES // (row * len(parts.chunks[0])))
    for k in range(0, len(parts.chunks), some):
        chunks = parts.chunks[k : k + some]
        found = _joined([parts.read(c, trajectories=head.has_trajectories) for c in chunks])
        cases = rows(sweep.plan.values, range(chunks[0].start, chunks[-1].stop))
        columns = dict(zip(sweep.plan.names, cases.T, strict=True))
        columns |= dict(zip(names, found.summaries.T, strict=True))
        for name, text in head.computed.items():
            columns[name] = computed_column(text, columns)
        yield Piece(columns, found.failed, found.messages, found.trajectories)
