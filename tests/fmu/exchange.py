"""An instance for model exchange, and derivatives, through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import c_int, c_size_t, c_void_p

import numpy as np

from tests.fmu.ctypes_fmu import OK, Instance, Library, Recorder, integers, reals

MODEL_EXCHANGE = 0


class EventInfo(ctypes.Structure):
    """fmi2EventInfo."""

    _fields_ = (
        ("newDiscreteStatesNeeded", c_int),
        ("terminateSimulation", c_int),
        ("nominalsOfContinuousStatesChanged", c_int),
        ("valuesOfContinuousStatesChanged", c_int),
        ("nextEventTimeDefined", c_int),
        ("nextEventTime", ctypes.c_double),
    )


class Exchange(Instance):
    """The importer integrates."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.recorder = Recorder()
        self.component = library.instantiate(self.recorder, kind=MODEL_EXCHANGE)
        assert self.component, self.recorder.messages
        names = library.names("local")
        self.states, self.rates = names[: len(names) // 2], names[len(names) // 2 :]
        self.n = len(self.states)
        c = library.c
        for function in (
            "fmi2SetContinuousStates",
            "fmi2GetContinuousStates",
            "fmi2GetDerivatives",
            "fmi2GetNominalsOfContinuousStates",
            "fmi2GetEventIndicators",
        ):
            getattr(c, function).argtypes = (c_void_p, c_void_p, c_size_t)
        c.fmi2SetTime.argtypes = (c_void_p, ctypes.c_double)
        for function in ("fmi2EnterEventMode", "fmi2EnterContinuousTimeMode"):
            getattr(c, function).argtypes = (c_void_p,)
        c.fmi2NewDiscreteStates.argtypes = (c_void_p, c_void_p)
        c.fmi2CompletedIntegratorStep.argtypes = (c_void_p, c_int, c_void_p, c_void_p)

    def events(self) -> EventInfo:
        info = EventInfo()
        assert self.call("fmi2NewDiscreteStates", ctypes.byref(info)) == OK, self.recorder.messages
        return info

    def run(self, settings: Mapping[str, float] | None = None) -> Exchange:
        """Go to continuous-time mode."""
        self.start(settings)
        self.events()
        assert self.call("fmi2EnterContinuousTimeMode") == OK
        return self

    @property
    def x(self) -> np.ndarray:
        values = reals([0.0] * self.n)
        assert self.call("fmi2GetContinuousStates", values, self.n) == OK, self.recorder.messages
        return np.array(values)

    @x.setter
    def x(self, values: np.ndarray) -> None:
        assert self.call("fmi2SetContinuousStates", reals(values), self.n) == OK

    def derivatives(self) -> np.ndarray:
        values = reals([0.0] * self.n)
        assert self.call("fmi2GetDerivatives", values, self.n) == OK, self.recorder.messages
        return np.array(values)

    def completed(self) -> bool:
        """Tell whether the step that is completed asks for an event."""
        event, terminate = c_int(7), c_int(7)
        status = self.call(
            "fmi2CompletedIntegratorStep", 1, ctypes.byref(event), ctypes.byref(terminate)
        )
        assert status == OK
        assert terminate.value == 0
        return bool(event.value)


def directional(it: Instance, unknowns: Sequence[str], seeds: Mapping[str, float]) -> np.ndarray:
    """Derivative of unknowns along a direction; it must work."""
    values = reals([float("nan")] * len(unknowns))
    status = it.call(
        "fmi2GetDirectionalDerivative",
        it.references(unknowns),
        len(unknowns),
        it.references(seeds),
        len(seeds),
        reals(seeds.values()),
        values,
    )
    assert status == OK, it.recorder.messages
    return np.array(values)


def output_rates(it: Instance, names: Sequence[str], order: int = 1) -> np.ndarray:
    """Derivatives of outputs in time; it must work."""
    values = reals([float("nan")] * len(names))
    status = it.call(
        "fmi2GetRealOutputDerivatives",
        it.references(names),
        len(names),
        integers([order] * len(names)),
        values,
    )
    assert status == OK, it.recorder.messages
    return np.array(values)
