"""The cases every rule of behaviour is tried on: open chain, moving base, loop, rolling disc.

What a test needs to name of them, and instances on their way of which nothing is at a start value.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from tests.fmu import mechanisms
from tests.fmu.ctypes_fmu import OK, Instance, Library, reals

STEP = 0.01
NOW = 2 * STEP  # where a prepared instance stands when stepping

# What the messages call the modes.
MODES = {
    "instantiated": "before initialization",
    "initialization": "in initialization mode",
    "stepping": "between steps",
    "terminated": "after termination",
}


@dataclass(frozen=True)
class Case:
    """A mechanism and names of its variables."""

    table: dict[str, Any]
    fixed: str  # a parameter from 0.1 to 10
    tunable: str  # another one that may change between steps, and values of it
    tuned: float
    outside: float
    start: str  # parameter of a start value
    a: str  # inputs
    b: str
    drive: str  # an input that can be too much
    output: str  # a position
    load: str  # an output that feels inputs at once

    def settings(self) -> dict[str, float]:
        """Return values that are no start values."""
        return {self.fixed: 1.7, self.start: 0.1, self.a: 0.3}


_CHAIN = Case(
    table=mechanisms.chain(),
    fixed="arm_mass",
    tunable="drag",
    tuned=0.4,
    outside=-0.1,
    start="shoulder.q_start",
    a="elbow.tau",
    b="shoulder.tau",
    drive="elbow.tau",
    output="elbow.q",
    load="elbow.force.x",
)
CASES = {
    "chain": _CHAIN,
    "riding": Case(
        **vars(_CHAIN) | {"table": mechanisms.riding(), "a": "base.a.x", "b": "base.alpha.z"}
    ),
    "loop": Case(
        table=mechanisms.loop(),
        fixed="coupler_mass",
        tunable="span",
        tuned=2.02,
        outside=3.0,
        start="a.q_start",
        a="a.tau",
        b="d.tau",
        drive="a.tau",
        output="d.q",
        load="d.force.x",
    ),
    "rolling": Case(
        table=mechanisms.rolling(),
        fixed="disc_mass",
        tunable="radius",
        tuned=0.31,
        outside=0.5,
        start="disc_free.r_start.x",
        a="push.force.x",
        b="push.torque.z",
        drive="push.torque.z",
        output="disc.com.x",
        load="floor.lambda[1]",
    ),
}


def prepared(case: Case, library: Library, mode: str) -> Instance:
    """Return an instance on its way: any trace of what is done to it would show."""
    instance = Instance(library)
    statuses = [instance.setup(stop=1.0, tolerance=1e-7), instance.set(case.settings())]
    if mode != "instantiated":
        statuses.append(instance.enter())
    if mode in ("stepping", "terminated"):
        statuses += [
            instance.leave(),
            instance.step(0.0, STEP),
            instance.set({case.tunable: case.tuned}),
            instance.step(STEP, STEP),
        ]
    if mode == "stepping":
        statuses.append(instance.set_rates({case.b: 3.0}))
    if mode == "terminated":
        statuses.append(instance.call("fmi2Terminate"))
    assert set(statuses) == {OK}, instance.recorder.messages
    return instance


def visible(instance: Instance, mode: str) -> bytes:
    """Return the bits of all that can be read now."""
    if mode != "instantiated":
        return instance.everything()
    return bytes(reals(instance.get(instance.library.names("parameter", "input"))))


def future(case: Case, instance: Instance, mode: str) -> bytes:
    """Return the bits of all variables over the next steps, from any mode."""
    if mode == "terminated":
        assert instance.call("fmi2Reset") == OK
        instance.start()
    if mode == "instantiated":
        assert instance.enter() == OK
    if mode in ("instantiated", "initialization"):
        assert instance.leave() == OK
    time = instance.last_time()
    found = []
    for k in range(6):
        if k:
            assert instance.set({case.b: 0.2 * k, case.a: -0.1 * k}) == OK
        assert instance.step(time, STEP) == OK, instance.recorder.messages
        time += STEP
        found.append(instance.everything())
    return b"".join(found)


# ---- States


def kept(instance: Instance) -> ctypes.c_void_p:
    """Return the state of an instance; it must work."""
    state = ctypes.c_void_p()
    assert instance.call("fmi2GetFMUstate", ctypes.byref(state)) == OK, instance.recorder.messages
    return state


def written(instance: Instance) -> bytes:
    """Return the state of an instance, written down; it must work."""
    state, size = kept(instance), ctypes.c_size_t()
    assert instance.call("fmi2SerializedFMUstateSize", state, ctypes.byref(size)) == OK
    place = ctypes.create_string_buffer(size.value)
    assert instance.call("fmi2SerializeFMUstate", state, place, size.value) == OK
    assert instance.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK
    assert state.value is None
    return place.raw


def read(instance: Instance, text: bytes) -> ctypes.c_void_p:
    """Return a state that was written down; it must work."""
    state = ctypes.c_void_p()
    status = instance.call("fmi2DeSerializeFMUstate", text, len(text), ctypes.byref(state))
    assert status == OK, instance.recorder.messages
    return state


def take_up(instance: Instance, text: bytes) -> Instance:
    """Go on from a state that was written down; it must work."""
    state = read(instance, text)
    assert instance.call("fmi2SetFMUstate", state) == OK, instance.recorder.messages
    assert instance.call("fmi2FreeFMUstate", ctypes.byref(state)) == OK
    return instance
