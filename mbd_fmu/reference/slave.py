"""What runs inside a Python FMU; the door to pythonfmu."""

from __future__ import annotations

import ctypes
import math
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pythonfmu import Fmi2Slave

from mbd_fmu.model.reader import spec_of_text
from mbd_fmu.reference.run import (
    Run,
    check_limits,
    check_parameters,
    refuse_infinite,
)
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.system import System, system_of
from mbd_fmu.system.variable import DERIVED

_systems: dict[Path, System] = {}  # one structure per model, shared by its instances


class MechanismSlave(Fmi2Slave):  # type: ignore[misc]
    """A mechanism as a pythonfmu slave: value references index the table of variables."""

    model: ClassVar[Path]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # pythonfmu 0.7 releases the dictionary of the slave's module once per instance without
        # owning it; given back here, any number of instances can come and go.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(vars(sys.modules[type(self).__module__])))
        if self.model not in _systems:
            _systems[self.model] = system_of(spec_of_text(self.model.read_text(encoding="utf-8")))
        self.run = Run(_systems[self.model])
        table = self.run.system.table
        self.table = table
        self.stage_of = {vr: stage for stage in STAGES for vr in table.stage_range(stage)}
        self.known: dict[str, Any] = {}
        self.stepping = False
        self.is_behind = False  # values have changed since the start, or since the last step
        self.time = 0.0

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Take the importer's tolerance."""
        del stop_time
        self._set_clock(start_time)
        if tolerance is not None and tolerance > 0:
            self.run.p[self.table.tolerance] = tolerance
            self._changed(parameters=True)

    def exit_initialization_mode(self) -> None:
        """Freeze the parameters."""
        check_parameters(self.run.system, self.run.p)
        self._follow()
        self.stepping = True

    def get_real(self, vrs: list[int]) -> list[float]:
        """Read variables; a stage is computed when one of its outputs is asked for."""
        return [self._value(vr) for vr in vrs]

    def set_real(self, vrs: list[int], values: list[float]) -> None:
        """Write parameters and inputs; all are checked before any is written."""
        n_p, n_u = self.table.n_parameters, self.table.n_inputs
        for vr, value in zip(vrs, values, strict=True):
            variable = self.table.variables[vr]
            name = variable.name
            if variable.causality == DERIVED:
                raise ValueError(f"parameter {name} follows from others; set those")
            if vr >= n_p + n_u:
                raise ValueError(f"{name} is an output")
            if not math.isfinite(value):
                raise ValueError(f"{name} = {value}; a finite value is needed")
            if vr < n_p and self.stepping:
                if not variable.is_tunable:
                    raise ValueError(f"parameter {name} is fixed once initialization is over")
                check_limits(variable, value)
        for vr, value in zip(vrs, values, strict=True):
            if vr < n_p:
                self.run.p[vr] = value
            else:
                self.run.u[vr - n_p] = value
        self._changed(parameters=any(vr < n_p for vr in vrs))

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Advance; a step that fails raises and leaves the state as it was."""
        if not (step_size > 0 and math.isfinite(step_size)):
            raise ValueError(f"step size {step_size} is not positive")
        if not abs(current_time - self.time) <= 1e-6 * step_size + 1e-15 * abs(self.time):
            raise ValueError(f"communication point {current_time}, but it is at {self.time}")
        self._follow()
        self._set_clock(current_time)
        self.run.step(step_size)
        for text in self.run.notices:
            self.log(f"t = {current_time:g}: {text}", category="logStatusWarning")
        self._set_clock(current_time + step_size)
        self.known.clear()
        return True

    def _set_clock(self, time: float) -> None:
        """Keep the importer's time, to the last digit; before the start motions begin there."""
        self.time = self.run.time = time
        if not self.stepping and self.table.time is not None:
            self._changed(parameters=False)

    def _value(self, vr: int) -> float:
        n_p, n_u = self.table.n_parameters, self.table.n_inputs
        if vr < n_p:
            return float(self.run.p[vr])
        if vr < n_p + n_u:
            return float(self.run.u[vr - n_p])
        if vr - n_p - n_u < self.table.n_derived:
            return self._derived(vr - n_p - n_u)
        self._follow()
        stage = self.stage_of[vr]
        if stage not in self.known:
            self.known[stage] = self.run.stage(stage)
        value = float(self.known[stage][vr - self.table.stage_range(stage).start])
        refuse_infinite(f"t = {self.time:g}:", [self.table.variables[vr]], np.array([value]))
        return value

    def _derived(self, k: int) -> float:
        """Return a parameter that follows from others, whatever becomes of the mechanism."""
        system = self.run.system
        value = float(system.named(self.run.p)[system.spec.derived_parameters[k].name])
        refuse_infinite(f"t = {self.time:g}:", self.table.derived[k:], np.array([value]))
        return value

    def _changed(self, *, parameters: bool) -> None:
        self.known.clear()
        if parameters or not self.stepping:
            self.is_behind = True

    def _follow(self) -> None:
        if self.is_behind and self.stepping:
            self.run.retune()
        elif self.is_behind:  # what is set one after the other fits together when it is asked for
            self.run.restart()
        self.is_behind = False
