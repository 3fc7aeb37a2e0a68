"""FMUs checked and run; the door to fmpy."""

from __future__ import annotations

import ctypes
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import fmpy
import numpy as np
from fmpy import fmi2
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

from mbd_fmu.errors import DataError, FmuError, nearest
from mbd_fmu.host.foreign_archive import FmuArchive
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.signals.schedule import communication_points, schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.system.variables import Variable
from mbd_fmu.validate.loading import refuse_unloadable


def check_fmu(path: Path) -> list[str]:
    """Return every problem fmpy finds: schema, names, structure, start values, units."""
    return [str(problem) for problem in validate_fmu(str(path))]


@dataclass(frozen=True)
class FmuRun:
    """Outputs at the communication points, and what it took."""

    trajectory: Trajectory
    seconds: float
    steps: int

    @property
    def seconds_per_step(self) -> float:
        """Wall-clock time per communication step, importer included."""
        return self.seconds / max(self.steps, 1)


CO_SIMULATION, MODEL_EXCHANGE = "co-simulation", "model-exchange"
_INTERFACES = {
    CO_SIMULATION: ("coSimulation", fmi2.FMU2Slave),
    MODEL_EXCHANGE: ("modelExchange", fmi2.FMU2Model),
}


class Fmu:
    """An FMU, unpacked and loaded while the ``with`` block lasts; for co-simulation, if not said.

    ``slave`` has the functions of the standard.
    """

    def __init__(self, path: str | Path, kind: str = CO_SIMULATION) -> None:
        self.path = Path(path)
        key, self._interface = _INTERFACES[kind]
        with FmuArchive(self.path):
            pass  # refused before fmpy opens it
        try:
            self.description = fmpy.read_model_description(str(self.path))
        except Exception as error:  # noqa: BLE001  fmpy raises plain Exceptions, zipfile and lxml their own
            raise FmuError(f"{self.path}: cannot be read as an FMU: {error}") from None
        self._offered = getattr(self.description, key)
        if self._offered is None or self.description.fmiVersion != "2.0":
            raise FmuError(f"{self.path}: no FMI 2.0 {kind} FMU; give one that is")
        identifier = self._offered.modelIdentifier
        if Path(identifier).name != identifier or identifier in ("", ".."):
            raise FmuError(f'{self.path}: the model identifier "{identifier}" is no plain name')
        self.reference = {v.name: v.valueReference for v in self.description.modelVariables}
        self._units = {v.name: v.unit for v in self.description.modelVariables}
        self.messages: list[str] = []  # of errors
        self.warnings: list[str] = []

    def names(self, causality: str) -> list[str]:
        """Return the names of all variables of a causality."""
        return [v.name for v in self.description.modelVariables if v.causality == causality]

    def variables(self, causality: str) -> tuple[Variable, ...]:
        """Return all real variables of a causality as ours are."""
        return tuple(
            Variable(
                v.name,
                causality,
                v.unit or "1",
                v.description or "",
                _real(v.start),
                _real(v.min),
                _real(v.max),
                is_tunable=v.variability == "tunable",
            )
            for v in self.description.modelVariables
            if v.causality == causality and v.type == "Real"
        )

    @property
    def gives_derivatives(self) -> bool:
        """It has exact directional derivatives."""
        return bool(self._offered.providesDirectionalDerivative)

    def unit(self, name: str) -> str:
        """Return the unit of a variable."""
        return self._units.get(name) or "1"

    def times(self, stop: float | None = None, step: float | None = None) -> Array:
        """Return the points of a run: as asked for, else by the default experiment."""
        stop = stop or self._default("stopTime", 1.0)
        step = step or self._default("stepSize", 0.01)
        try:
            return communication_points(0.0, stop, step)
        except DataError as error:
            raise FmuError(
                f"{self.path}: {error}; validate takes the times of --reference"
            ) from None

    def _default(self, key: str, otherwise: float) -> float:
        experiment = self.description.defaultExperiment
        text = getattr(experiment, key, None) if experiment else None
        value = float(text) if text is not None else otherwise
        if not 0 < value < math.inf:
            raise FmuError(
                f"{self.path}: {key} of its default experiment is {value:g}, no positive number; "
                "give --stop and --step, or validate with --reference, whose times then count"
            )
        return value

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._folder = stack.enter_context(scratch_folder())
            with FmuArchive(self.path) as archive:
                archive.unpack(self._folder)
                files = archive.sizes
            self.slave = self._loaded(files)
            stack.callback(self._forget_python)
            stack.callback(self.slave.freeLibrary)
            self._is_kept = False
            stack.callback(self._free_kept)
            self.callbacks = fmi2.fmi2CallbackFunctions()
            self.callbacks.logger = _LOGGER
            self.callbacks.allocateMemory = fmi2.defaultCallbacks.allocateMemory
            self.callbacks.freeMemory = fmi2.defaultCallbacks.freeMemory
            self.callbacks.componentEnvironment = id(self)
            fmi2.addLoggerProxy(ctypes.byref(self.callbacks))
            _OPEN[id(self)] = self
            stack.callback(_OPEN.pop, id(self))
            self._left = stack.pop_all()
        return self

    def _loaded(self, files: Mapping[str, int]) -> fmi2.FMU2Slave | fmi2.FMU2Model:
        identifier = self._offered.modelIdentifier
        name = f"binaries/{fmpy.platform}/{identifier}{fmpy.sharedLibraryExtension}"
        before = Path.cwd()
        try:
            if name not in files:
                raise FmuError(f"there is no {name}")  # noqa: TRY301
            refuse_unloadable(self._folder / name)
            return self._interface(
                guid=self.description.guid,
                modelIdentifier=identifier,
                unzipDirectory=str(self._folder),
                instanceName=identifier,
            )
        except Exception as error:  # noqa: BLE001  as above
            os.chdir(before)  # fmpy stays in the folder of a library that does not load
            there = sorted({n.split("/")[1] for n in files if n.startswith("binaries/")})
            raise FmuError(
                f"{self.path}: no library for {fmpy.platform} that loads ({error}); "
                f"it has {', '.join(there) or 'none'}"
            ) from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._left.close()

    def _forget_python(self) -> None:
        """Take back what a Python FMU adds to this interpreter: its folder is about to go."""
        folder = str(self._folder.resolve())
        sys.path[:] = [
            entry for entry in sys.path if not str(Path(entry).resolve()).startswith(folder)
        ]
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith((folder, str(self._folder))):
                del sys.modules[name]

    def run(
        self,
        times: Array,
        *,
        inputs: Trajectory | None = None,
        interpolate: bool = False,
        settings: Mapping[str, float] | None = None,
        tolerance: float | None = None,
        outputs: Sequence[str] | None = None,
        keep: bool = False,
        progress: Callable[[float], None] = lambda _: None,
    ) -> FmuRun:
        """Simulate over the given communication points. Inputs are held, or on straight lines.

        ``keep``: the instance stays, and the next run resets it instead of making another.
        """
        settings = settings or {}
        names = list(outputs) if outputs is not None else self.names("output")
        settable = self.names("parameter") + self.names("input")
        for name in settings:
            if name not in settable:
                raise DataError(f'no parameter or input "{name}"; {nearest(name, settable)}')
        if inputs is not None:
            check_columns("inputs", inputs, self.names("input"), "input")
        self.messages.clear()
        self.warnings.clear()
        with self.instance(keep=keep):
            return self._loop(times, inputs, interpolate, settings, tolerance, names, progress)

    @contextmanager
    def instance(self, *, keep: bool = False) -> Iterator[None]:
        """Instantiate the FMU, or reset what was kept; whatever it refuses is told in its words."""
        if not (keep and self._reset()):
            self._free_kept()
            # pythonfmu gives no reasons without; ours would tell each evaluation with it
            talks = bool(self._offered.needsExecutionTool)
            try:
                self.slave.instantiate(callbacks=self.callbacks, loggingOn=talks)
            except Exception as error:  # noqa: BLE001  as above
                raise self._refusal(error) from None
        self._is_kept, alive, done = False, True, False
        try:
            yield
            done = True
        except FMICallException as error:
            alive = error.status != fmi2.fmi2Fatal  # after that nothing may be called any more
            raise self._refusal(error) from None
        finally:
            self._is_kept = alive
            if not (keep and done):  # what has failed is not used again
                self._free_kept()

    def _reset(self) -> bool:
        """Bring the instance that was kept back to its beginning, if there is one and it can."""
        if self._is_kept:
            try:
                self.slave.reset()
            except FMICallException as error:
                self._is_kept = error.status != fmi2.fmi2Fatal
                self._free_kept()
        return self._is_kept

    def _free_kept(self) -> None:
        if self._is_kept:
            self._is_kept = False
            self.slave.fmi2FreeInstance(self.slave.component)

    def _refusal(self, error: Exception) -> FmuError:
        said = "\n  ".join(self.messages) or "it gave no reason"
        return FmuError(f"{self.path}: {error}\n  {said}")

    def _loop(
        self,
        times: Array,
        inputs: Trajectory | None,
        interpolate: bool,
        settings: Mapping[str, float],
        tolerance: float | None,
        names: list[str],
        progress: Callable[[float], None],
    ) -> FmuRun:
        slave = self.slave
        slave.setupExperiment(tolerance=tolerance, startTime=float(times[0]))
        slave.setReal([self.reference[n] for n in settings], list(settings.values()))
        slave.enterInitializationMode()
        columns = [self.reference[n] for n in inputs.names] if inputs is not None else []
        wanted = [self.reference[n] for n in names]
        rows, steps, begin = [], 0, 0.0
        for point in schedule(times, inputs, interpolate=interpolate):
            if point.values is not None and columns:
                slave.setReal(columns, point.values.tolist())
            if steps == 0:
                slave.exitInitializationMode()
                begin = time.perf_counter()
            if point.rates is not None and columns:
                slave.setRealInputDerivatives(columns, [1] * len(columns), point.rates.tolist())
            if point.is_asked:
                rows.append(slave.getReal(wanted))
                progress(point.time)
            if point.length is not None:
                slave.doStep(point.time, point.length)
                steps += 1
        seconds = time.perf_counter() - begin
        slave.terminate()
        values = np.array(rows, dtype=float).reshape(len(times), len(names))
        return FmuRun(Trajectory(np.asarray(times), tuple(names), values), seconds, steps)

    def hear(self, status: int, category: bytes, message: bytes) -> None:
        """Keep a message."""
        text = message.decode("utf-8", "replace")
        if status > fmi2.fmi2Warning:
            self.messages.append(text)
        elif category == b"logStatusWarning":
            self.warnings.append(text)


def _real(text: str | float | None) -> float | None:
    return None if text is None else float(text)


# fmpy hands the messages of all FMUs of a process to the logger that was named last, even if it is
# gone: so it is one function that lives as long as the process, and finds who is meant.
_OPEN: dict[int, Fmu] = {}


def _log(whose: int | None, name: bytes, status: int, category: bytes, message: bytes) -> None:
    if whose is None and _OPEN:  # some FMUs forget the environment
        whose = next(reversed(_OPEN))
    fmu = _OPEN.get(whose or 0)
    if fmu is not None:
        fmu.hear(status, category, message)
    else:
        fmi2.printLogMessage(whose, name, status, category, message)


_LOGGER = fmi2.fmi2CallbackLoggerTYPE(_log)
