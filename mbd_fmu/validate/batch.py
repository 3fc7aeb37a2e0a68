"""Many validations at once, in processes of their own: one that crashes costs its own verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.build import build_fmu
from mbd_fmu.errors import MbdFmuError, os_error_text
from mbd_fmu.formats.choices import DEFAULT, Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.host.workers import fresh_processes
from mbd_fmu.model.library import MODEL_FILES, table_beside
from mbd_fmu.options import COMPARISON_TOLERANCE, SOLVER_TOLERANCE
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.momentum import flight_of
from mbd_fmu.validate.validation import Validation, validate_fmu


@dataclass(frozen=True)
class Settings:
    """How to validate; a reference or inputs given here go before those beside a model."""

    folder: Path  # where FMUs of models are built
    reference: Trajectory | None = None
    inputs: Trajectory | None = None
    interpolate: bool = False
    tolerance: float = COMPARISON_TOLERANCE
    solver_tolerance: float = SOLVER_TOLERANCE
    choices: Choices = DEFAULT  # how robots are read


@dataclass(frozen=True)
class Attempt:
    """What came of one FMU or model: a validation, or the reason why there is none."""

    name: str
    path: Path
    seconds: float  # reading, building, running and judging
    validation: Validation | None
    error: str = ""

    @property
    def failures(self) -> list[str]:
        """Everything that speaks against it."""
        return self.validation.failures if self.validation else [self.error]

    @property
    def passed(self) -> bool:
        """The verdict."""
        return not self.failures


Watch = Callable[[int, Collection[str]], None]  # how many are done, which are at work


def attempt(target: Path, settings: Settings) -> Attempt:
    """Validate an FMU, or build a model and validate that; what the user can mend is told."""
    begin = time.perf_counter()
    name, validation, error = name_of(target), None, ""
    try:
        validation = _validated(target, settings)
        name = validation.name
    except MbdFmuError as found:
        error = str(found)
    except OSError as found:
        error = os_error_text(found) if found.filename else f"{target}: {os_error_text(found)}"
    except Exception as found:  # noqa: BLE001  whatever it is, it must not cost the other verdicts
        error = f"{type(found).__name__}: {found}; a fault of mbd-fmu, or a damaged file"
    return Attempt(name, target, time.perf_counter() - begin, validation, error)


def name_of(target: Path) -> str:
    """Return what to call an FMU or a model before it is read."""
    return target.parent.name if target.name in MODEL_FILES else target.stem


def _validated(target: Path, settings: Settings) -> Validation:
    fmu, reference, inputs, flight = target, settings.reference, settings.inputs, None
    if target.suffix != ".fmu":
        opened = open_model(target, settings.choices)
        spec = opened.spec
        with opened.located():
            fmu = build_fmu(spec, settings.folder / name_of(target) / f"{spec.name}.fmu").path
        reference = reference or table_beside(target, "reference.csv")
        inputs = inputs or table_beside(target, "input.csv")
        flight = flight_of(spec)
    return validate_fmu(
        fmu,
        reference=reference,
        inputs=inputs,
        flight=flight,
        interpolate=settings.interpolate,
        tolerance=settings.tolerance,
        solver_tolerance=settings.solver_tolerance,
    )


def attempts(
    targets: Sequence[Path],
    settings: Settings,
    jobs: int,
    watch: Watch = lambda _, __: None,
) -> list[Attempt]:
    """Validate all targets, ``jobs`` at a time; return what came of them in the order given."""
    if jobs == 1 or len(targets) == 1:
        found: dict[Path, Attempt] = {}
        for target in targets:
            watch(len(found), [name_of(target)])
            found[target] = attempt(target, settings)
    else:
        found = dict(_in_processes(targets, settings, jobs, watch))
    return [found[target] for target in targets]


def _in_processes(
    targets: Sequence[Path], settings: Settings, jobs: int, watch: Watch
) -> Iterator[tuple[Path, Attempt]]:
    # long files take long: begun last, they would keep one process busy after all others
    order = sorted(
        targets, key=lambda path: path.stat().st_size if path.is_file() else 0, reverse=True
    )
    begun: dict[int, float] = {}
    done = 0

    def look(at_work: Sequence[int]) -> None:
        for k in at_work:
            begun.setdefault(k, time.perf_counter())
        watch(done, [name_of(order[k]) for k in at_work])

    with fresh_processes(min(jobs, len(order)), settings.folder) as workers:
        tasks = [(target, settings) for target in order]
        for k, found in workers.results(attempt, tasks, look):
            done += 1
            yield order[k], found or _lost(order[k], time.perf_counter() - begun[k])


def _lost(target: Path, seconds: float) -> Attempt:
    """Say of one that its process ended without a word."""
    remedy = "run mbd-fmu validate on it alone to see why"
    error = f"the process that ran it ended without a word; {remedy}"
    return Attempt(name_of(target), target, seconds, None, error)
