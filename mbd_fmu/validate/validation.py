"""Validation of one FMU: fmpy's checks, a run, a comparison, invariants; one verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import DataError
from mbd_fmu.options import COMPARISON_TOLERANCE, SOLVER_TOLERANCE
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.carried import carried_experiment
from mbd_fmu.validate.comparison import SignalError, compare, energy_drift
from mbd_fmu.validate.facts import build_facts
from mbd_fmu.validate.invariants import Invariant, invariants_of
from mbd_fmu.validate.momentum import Flight, momentum_of
from mbd_fmu.validate.runner import Fmu, FmuRun, check_fmu
from mbd_fmu.viewer.carried import carried_scene


@dataclass(frozen=True)
class Validation:
    """What was found about one FMU."""

    name: str
    path: Path
    problems: tuple[str, ...]  # fmpy's
    run: FmuRun
    reference: Trajectory | None
    signals: tuple[SignalError, ...]
    units: dict[str, str]
    energy: tuple[float, float] | None  # drift in J, and relative
    tolerance: float
    invariants: tuple[Invariant, ...] = ()
    inputs: Trajectory | None = None
    interpolate: bool = False  # the inputs are on straight lines, not held
    description: str = ""
    scene: Mapping[str, Any] | None = None  # of one of our FMUs
    facts: Mapping[str, str] = field(default_factory=dict)  # what it is made of, by title

    @property
    def worst(self) -> SignalError | None:
        """The signal that deviates most, relative to its range."""
        # what is no number is the worst of all
        return max(
            self.signals,
            key=lambda s: (s.max_relative != s.max_relative, s.max_relative),
            default=None,
        )

    @property
    def failures(self) -> list[str]:
        """Everything that speaks against the FMU."""
        found = [f"fmpy: {problem}" for problem in self.problems]
        found += [
            f"{s.name}: off by {s.max:.3g} {self.units[s.name]}, {s.max_relative:.3g} of its "
            f"range; allowed {self.tolerance:g}"
            for s in self.signals
            if not s.max_relative <= self.tolerance
        ]
        found += [str(law) for law in self.invariants if not law.passed]
        if not np.all(np.isfinite(self.run.trajectory.values)):
            found.append("the run has values that are not finite")
        return found

    @property
    def passed(self) -> bool:
        """The verdict."""
        return not self.failures


def validate_fmu(
    path: str | Path,
    *,
    reference: Trajectory | None = None,
    inputs: Trajectory | None = None,
    flight: Flight | None = None,
    interpolate: bool = False,
    tolerance: float = COMPARISON_TOLERANCE,
    solver_tolerance: float = SOLVER_TOLERANCE,
) -> Validation:
    """Check an FMU, run it, compare it with a reference if there is one.

    A reference or inputs that are not given may be inside the FMU.
    ``flight`` are the masses of a mechanism without any tie to the ground: then its momentum is
    judged, too.
    """
    path = Path(path)
    with Fmu(path) as fmu:
        problems = check_fmu(path)
        carried = carried_experiment(path)
        if carried is not None:
            if inputs is None and carried.inputs is not None and interpolate:
                raise DataError(f"{path}: the inputs inside are held; leave --interpolate out")
            reference, inputs = reference or carried.reference, inputs or carried.inputs
        times = reference.time if reference is not None else fmu.times()
        run = fmu.run(times, inputs=inputs, interpolate=interpolate, tolerance=solver_tolerance)
        units = {name: fmu.unit(name) for name in run.trajectory.names}
        name, description = fmu.description.modelName, fmu.description.description or ""
        facts = build_facts(fmu)
    signals = compare(run.trajectory, reference) if reference is not None else []
    laws = invariants_of(run.trajectory, tolerance)
    if flight is not None:
        laws += momentum_of(run.trajectory, flight, tolerance)
    return Validation(
        name,
        path,
        tuple(problems),
        run,
        reference,
        tuple(signals),
        units,
        energy_drift(run.trajectory),
        tolerance,
        tuple(laws),
        inputs,
        interpolate,
        description,
        carried_scene(path),
        facts,
    )
