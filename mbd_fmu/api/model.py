"""A model to be asked and run: the face of the package in Python, with nothing behind it.

Each method is a few lines over what does the work: see the imports.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.analysis.equilibrium import Equilibrium, equilibrium
from mbd_fmu.analysis.inverse_motion import MISSING, inverse_dynamics
from mbd_fmu.analysis.kinematics import kinematic_path, led_values
from mbd_fmu.analysis.modes import modes
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.api.answers import (
    ShownEquilibrium,
    ShownLinearization,
    ShownModes,
    ShownPath,
    shown,
)
from mbd_fmu.api.contents import Parameters, Settings
from mbd_fmu.api.instants import Instants, Where
from mbd_fmu.api.result import COORDINATE, Result
from mbd_fmu.api.sources import Chosen
from mbd_fmu.api.state import State
from mbd_fmu.build import Built, build_fmu
from mbd_fmu.errors import DataError
from mbd_fmu.export.references import Experiment
from mbd_fmu.options import AUTO, ZIG
from mbd_fmu.runs import Request
from mbd_fmu.signals.inputs import Interpolation, RunInputs, trajectory_of
from mbd_fmu.signals.names import Names, listed
from mbd_fmu.spatial import Array


@dataclass(frozen=True, repr=False, eq=False)
class Model(Instants):
    """A mechanism or an FMU; made by ``mbd_fmu.load``.

    What there is: ``parameters``, ``inputs``, ``outputs``, ``coordinates``, ``velocities``,
    ``bodies``, ``joints`` (``api.contents``). One instant: ``at``, ``mass_matrix`` and the like
    (``api.instants``).
    """

    # --- Runs ---

    def simulate(
        self,
        stop: float | None = None,
        step: float | None = None,
        *,
        inputs: RunInputs = None,
        parameters: Parameters | None = None,
        interpolate: Interpolation | None = None,
        tolerance: float | None = None,
        backend: str | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Result:
        """Run from 0 to ``stop``; what is not given is as the model has it.

        ``inputs``: numbers, functions of time or columns by name, a table or a file (see
        ``signals.inputs``). ``parameters``: by name, start values ``<joint>.q_start`` among them.
        A mechanism is built once and run compiled; ``backend="python"`` runs it in NumPy.
        """
        for name, value in (("stop", stop), ("step", step), ("tolerance", tolerance)):
            if value is not None and not 0 < value < np.inf:
                raise DataError(f"{name} = {value:g}; give a positive number")
        settings = self._known(parameters or {})
        if isinstance(inputs, Result):
            inputs = inputs.only(self.inputs)
        table, is_linear = trajectory_of(inputs, lambda: self.source.times(stop, step), interpolate)
        request = Request(stop, step, table, is_linear, settings, tolerance)
        notices: list[str] = []
        finished = self.source.run(request, backend, progress, notices.append)
        for text in notices:
            warnings.warn(text, stacklevel=2)
        return Result(
            self.source,
            finished.result,
            finished.units,
            table,
            tuple(notices),
            tuple(n for n in finished.result.names if COORDINATE.search(n)),
            is_linear,
        )

    # --- Answers ---

    def linearize(
        self,
        at: Where = None,
        *,
        inputs: Names | None = None,
        outputs: Names | None = None,
        preferred: Names = (),
        parameters: Parameters | None = None,
    ) -> ShownLinearization:
        """Return A, B, C, D of the freedoms at the start, at q, a state or an equilibrium.

        ``inputs`` and ``outputs`` name the columns of B and the rows of C: all by default;
        ``preferred`` the velocities that are picked before others where loops leave a choice.
        """
        point, settings = self._point(at, None, parameters)
        chosen = Chosen(
            None if inputs is None else listed(inputs),
            None if outputs is None else listed(outputs),
            listed(preferred),
        )
        return shown(self.source.linearize(point, settings, chosen), ShownLinearization)

    def equilibrium(
        self,
        at: Where = None,
        *,
        rates: Settings | None = None,
        hold: Names = (),
        solve: Names = (),
        wanted: Settings | None = None,
        trim: bool = False,
        inputs: Settings | None = None,
        parameters: Parameters | None = None,
    ) -> ShownEquilibrium:
        """Find where it rests, or moves steadily at given ``rates``, from its start, q or a state.

        ``hold`` names coordinates that stay, ``solve`` inputs and parameters that are sought, too,
        ``wanted`` what outputs are to be; ``trim`` asks which inputs hold the pose.
        """
        point, settings = self._point(at, inputs, parameters)
        found = equilibrium(
            self._system,
            state=point,
            settings=settings,
            rates=rates,
            hold=listed(hold),
            solve=listed(solve),
            wanted=wanted,
            trim=trim,
        )
        return shown(found, ShownEquilibrium)

    def modes(
        self,
        at: Where = None,
        *,
        rates: Settings | None = None,
        inputs: Settings | None = None,
        parameters: Parameters | None = None,
    ) -> ShownModes:
        """Return how it swings about an equilibrium: that given, or found from start or state.

        Undamped modes where it rests, and damped ones; ``save`` writes them as a page in 3-D.
        """
        if not isinstance(at, Equilibrium):
            at = self.equilibrium(at, rates=rates, inputs=inputs, parameters=parameters)
        elif rates or inputs or parameters:
            raise DataError("an equilibrium has its rates, inputs and parameters already")
        return shown(modes(self._system, at), ShownModes, spec=self.spec())

    def _point(
        self, at: Where, inputs: Settings | None, parameters: Parameters | None
    ) -> tuple[OperatingPoint | None, dict[str, float]]:
        """Return where, or None and the settings of the start; a state has its own."""
        if at is None:
            return None, {**self._known(parameters or {}), **(inputs or {})}
        if not isinstance(at, State | Equilibrium):
            return self.at(at, inputs=inputs, parameters=parameters).point, {}
        if inputs or parameters:
            raise DataError("a state has its inputs and parameters already; give them to m.at")
        _refuse_foreign_drives(at.point)
        return at.point, {}

    def kinematics(
        self,
        drive: str,
        values: ArrayLike,
        *,
        hold: Names = (),
        angles: Mapping[str, Sequence[str]] | None = None,
        wheels: Mapping[str, Array | None] | None = None,
        parameters: Parameters | None = None,
    ) -> ShownPath:
        """Lead it along one coordinate, or any position, through ``values``.

        Freedoms besides are held. ``angles`` are between three joints or points each; ``wheels``
        tells bodies whose camber and toe are wanted, with their axes or None.
        """
        found = kinematic_path(
            self._led,
            drive,
            led_values(values),
            hold=listed(hold),
            angles=angles,
            wheels=wheels,
            settings=self._known(parameters or {}),
        )
        return shown(found, ShownPath)

    def inverse(
        self,
        motion: RunInputs,
        *,
        drives: Names | None = None,
        weights: Settings | None = None,
        hold: Names = (),
        parameters: Parameters | None = None,
        tolerance: float = MISSING,
    ) -> Result:
        """Return drives and reactions for a motion: columns of positions over time.

        ``motion`` is written like the inputs of ``simulate``; ``tolerance`` is how much of the
        largest force may be missing where drives are too few, as for motions that were measured.
        """
        table, _ = trajectory_of(motion, lambda: self.source.times(None, None), None)
        if table is None:
            raise DataError("no motion is told; give columns of positions over time")
        settings = self._known(parameters or {})
        found = inverse_dynamics(
            self._system,
            table,
            drives=None if drives is None else listed(drives),
            weights=weights,
            hold=listed(hold),
            settings=settings,
            tolerance=tolerance,
        )
        units = {v.name: v.unit for v in self._system.table.variables}
        return Result(self.source, found.trajectory, units, table, (), found.drives.names)

    # --- FMUs ---

    def build(
        self,
        out: str | Path | None = None,
        *,
        backend: str = "native",
        platforms: Sequence[str] = ("host",),
        compiler: str = ZIG,
        code: str = AUTO,
        experiment: Experiment | None = None,
        pages: Mapping[str, str] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Built:
        """Make an FMU of it, ``<name>.fmu`` if nothing else is said; see ``build_fmu``."""
        return build_fmu(
            self.spec(),
            out,
            backend=backend,
            platforms=platforms,
            compiler=compiler,
            code=code,
            experiment=experiment,
            pages=pages,
            progress=progress,
        )


def _refuse_foreign_drives(point: OperatingPoint) -> None:
    """Refuse drives that no input of the model brings."""
    drives = point.plant.drives
    if drives is None:
        return
    driven = {n for _, n in point.system.table.driven}
    if any(drives[n] for n in range(len(drives)) if n not in driven):
        raise DataError(
            'the state has a tau that no input gives; write drive = "torque" into those joints'
        )
