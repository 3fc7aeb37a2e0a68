"""FMUs checked and run; the door to fmpy."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import fmpy
import numpy as np
from fmpy import fmi2
from fmpy.fmi1 import FMICallException
from fmpy.validation import validate_fmu

from mbd_fmu.errors import FmuError
from mbd_fmu.host.foreign_archive import FmuArchive
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.signals.schedule import schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.validate.described import Described
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


class Walk(Protocol):
    """The points of a run, laid out for compiled code."""

    @property
    def start(self) -> float:
        """The first point in time."""

    def forget(self) -> None:
        """Let go of what the last run gave."""

    def through(self, slave: int, address: Callable[[str], int | None]) -> tuple[str, int] | None:
        """Lead a slave from initialization mode to the end; return what it refused, and how."""


class Fmu(Described):
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
        self.messages: list[str] = []  # of errors
        self.warnings: list[str] = []

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
        progress: Callable[[float], None] = lambda _: None,
    ) -> FmuRun:
        """Simulate over the given communication points. Inputs are held, or on straight lines."""
        settings = settings or {}
        names = list(outputs) if outputs is not None else self.names("output")
        self.refuse_unsettable(*settings)
        if inputs is not None:
            check_columns("inputs", inputs, self.names("input"), "input")
        self.messages.clear()
        self.warnings.clear()
        with self.instance():
            return self._loop(times, inputs, interpolate, settings, tolerance, names, progress)

    def walk(self, walk: Walk, settings: Mapping[str, float], *, keep: bool = False) -> None:
        """Run in compiled code; what it asks for, it keeps.

        ``keep``: the instance stays, and the next run resets it instead of making another.
        """
        self.refuse_unsettable(*settings)
        self.messages.clear()
        self.warnings.clear()
        walk.forget()
        with self.instance(keep=keep):
            self._begin(walk.start, None, settings)
            refused = walk.through(self.slave.component, self._address)
            if refused is not None:
                raise FMICallException(*refused)
            self.slave.terminate()

    def _address(self, function: str) -> int | None:
        """Where a function of the standard lies, if it has it."""
        found = getattr(self.slave.dll, function, None)
        return ctypes.cast(found, ctypes.c_void_p).value if found is not None else None

    @property
    def gives_derivatives(self) -> bool:
        """It has exact directional derivatives."""
        return bool(self._offered.providesDirectionalDerivative)

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
        self._begin(float(times[0]), tolerance, settings)
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

    def _begin(self, start: float, tolerance: float | None, settings: Mapping[str, float]) -> None:
        """Go into initialization mode."""
        self.slave.setupExperiment(tolerance=tolerance, startTime=start)
        self.slave.setReal([self.reference[n] for n in settings], list(settings.values()))
        self.slave.enterInitializationMode()

    def hear(self, status: int, category: bytes, message: bytes) -> None:
        """Keep a message."""
        text = message.decode("utf-8", "replace")
        if status > fmi2.fmi2Warning:
            self.messages.append(text)
        elif category == b"logStatusWarning":
            self.warnings.append(text)


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
