"""Our FMU, by the functions of the standard for model exchange, called in a loop in C."""

import ctypes
from pathlib import Path

import numpy as np

from mbd_fmu.errors import FmuError
from mbd_fmu.spatial import Array
from scripts.benchmarks.c_loops import address, c_loops
from scripts.benchmarks.work import State, Work
from tests.fmu.ctypes_fmu import Instance, Library
from tests.fmu.exchange import Exchange


class Ours:
    """The FMU of a mechanism, between its steps."""

    def __init__(self, work: Work, fmu: Path, folder: Path) -> None:
        self.work = work
        self.library = Library(fmu, folder)
        self.exchange = Exchange(self.library).run(work.inputs)
        self.start = self.exchange.x
        self.x, self.xd = self.start.copy(), np.empty(self.exchange.n)
        c = self.library.c
        self._calls = (address(c.fmi2SetContinuousStates), address(c.fmi2GetDerivatives))

    def moving_state(self, seconds: float) -> Array:
        """Return the states after a run in co-simulation."""
        run = self.stepping()
        try:
            if run.step(0.0, seconds):
                raise FmuError(f"{self.work.name}: the run failed: {run.recorder.texts()}")
            return np.array(run.get(self.exchange.states))
        finally:
            run.free()

    def stepping(self, **experiment: float) -> Instance:
        """Return an instance for co-simulation, before its first step."""
        return Instance(self.library).start(self.work.inputs, **experiment)

    def take(self, state: State) -> None:
        """Go to a state; coordinates of cut joints stay: they follow."""
        n_q = len(self.work.system.state_q)
        self.x[: len(state.q)] = state.q
        self.x[n_q : n_q + len(state.v)] = state.v

    def take_states(self, x: Array) -> None:
        """Go to a state that is given whole."""
        self.x[:] = x

    def accelerations(self) -> Array:
        """Return those of the tree's joints there."""
        self.repeat(1)
        n_q = len(self.work.system.state_q)
        return self.xd[n_q : n_q + self.work.system.forest.nv].copy()

    def rates(self, x: Array) -> Array:
        """Return the derivatives of all states."""
        self.x[:] = x
        self.repeat(1)
        return self.xd.copy()

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""
        x, xd = self.x.ctypes.data, self.xd.ctypes.data
        component = self.exchange.component
        if c_loops().repeat_rates(*self._calls, component, x, xd, len(self.x), times):
            raise FmuError(f"{self.work.name}: no derivatives: {self.exchange.recorder.texts()}")

    def close(self) -> None:
        """Give the instance back."""
        self.exchange.free()


class Steps:
    """Steps of 1 ms in co-simulation, each time from the start: later ones may be another work."""

    LENGTH = 1e-3

    def __init__(self, ours: Ours) -> None:
        self.instance = ours.stepping()
        self._step = address(ours.library.c.fmi2DoStep)
        self._start = ctypes.c_void_p()
        self.instance.call("fmi2GetFMUstate", ctypes.byref(self._start))

    def repeat(self, times: int) -> None:
        """Do the first steps, so many."""
        component = self.instance.component
        self.instance.call("fmi2SetFMUstate", self._start)
        if c_loops().repeat_steps(self._step, component, 0, self.LENGTH, times):
            raise FmuError(f"a timed step failed: {self.instance.recorder.texts()}")

    def close(self) -> None:
        """Give the instance back."""
        self.instance.call("fmi2FreeFMUstate", ctypes.byref(self._start))
        self.instance.free()
