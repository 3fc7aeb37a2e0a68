"""A thin binding to the library inside an FMU: raw calls, raw statuses, every message kept.

fmpy raises on errors and hides the logger; here a test sees what a C importer would see.
"""

from __future__ import annotations

import ctypes
import platform
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

OK, WARNING, DISCARD, ERROR, FATAL, PENDING = range(6)
MODEL_EXCHANGE, CO_SIMULATION = 0, 1
DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED = range(4)

_REFERENCES, _REALS, _INTEGERS = POINTER(c_uint), POINTER(c_double), POINTER(c_int)
_STRINGS = POINTER(c_char_p)
_VALUES = (c_void_p, _REFERENCES, c_size_t)
_STATUS = (c_void_p, c_int)

# FMI 2.0 sec. 2.1 and 4.2: what each function takes; all return a status unless said below.
SIGNATURES: dict[str, tuple[type, ...]] = {
    "fmi2GetTypesPlatform": (),
    "fmi2GetVersion": (),
    "fmi2SetDebugLogging": (c_void_p, c_int, c_size_t, _STRINGS),
    "fmi2Instantiate": (c_char_p, c_int, c_char_p, c_char_p, c_void_p, c_int, c_int),
    "fmi2FreeInstance": (c_void_p,),
    "fmi2SetupExperiment": (c_void_p, c_int, c_double, c_double, c_int, c_double),
    "fmi2EnterInitializationMode": (c_void_p,),
    "fmi2ExitInitializationMode": (c_void_p,),
    "fmi2Terminate": (c_void_p,),
    "fmi2Reset": (c_void_p,),
    "fmi2GetReal": (*_VALUES, _REALS),
    "fmi2GetInteger": (*_VALUES, _INTEGERS),
    "fmi2GetBoolean": (*_VALUES, _INTEGERS),
    "fmi2GetString": (*_VALUES, _STRINGS),
    "fmi2SetReal": (*_VALUES, _REALS),
    "fmi2SetInteger": (*_VALUES, _INTEGERS),
    "fmi2SetBoolean": (*_VALUES, _INTEGERS),
    "fmi2SetString": (*_VALUES, _STRINGS),
    "fmi2GetFMUstate": (c_void_p, POINTER(c_void_p)),
    "fmi2SetFMUstate": (c_void_p, c_void_p),
    "fmi2FreeFMUstate": (c_void_p, POINTER(c_void_p)),
    "fmi2SerializedFMUstateSize": (c_void_p, c_void_p, POINTER(c_size_t)),
    "fmi2SerializeFMUstate": (c_void_p, c_void_p, POINTER(c_char), c_size_t),
    "fmi2DeSerializeFMUstate": (c_void_p, POINTER(c_char), c_size_t, POINTER(c_void_p)),
    "fmi2GetDirectionalDerivative": (*_VALUES, _REFERENCES, c_size_t, _REALS, _REALS),
    "fmi2SetRealInputDerivatives": (*_VALUES, _INTEGERS, _REALS),
    "fmi2GetRealOutputDerivatives": (*_VALUES, _INTEGERS, _REALS),
    "fmi2DoStep": (c_void_p, c_double, c_double, c_int),
    "fmi2CancelStep": (c_void_p,),
    "fmi2GetStatus": (*_STATUS, _INTEGERS),
    "fmi2GetRealStatus": (*_STATUS, _REALS),
    "fmi2GetIntegerStatus": (*_STATUS, _INTEGERS),
    "fmi2GetBooleanStatus": (*_STATUS, _INTEGERS),
    "fmi2GetStringStatus": (*_STATUS, _STRINGS),
}
_RETURNS = {
    "fmi2GetTypesPlatform": c_char_p,
    "fmi2GetVersion": c_char_p,
    "fmi2Instantiate": c_void_p,
    "fmi2FreeInstance": None,
}

# The logger is variadic. Behind five fixed arguments the first variable one is passed like a sixth
# fixed one by the conventions of x86-64 (both of them) and of ARM under Linux.
_LOGGER = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_void_p)


class Callbacks(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = (
        ("logger", _LOGGER),
        ("allocateMemory", c_void_p),
        ("freeMemory", c_void_p),
        ("stepFinished", c_void_p),
        ("componentEnvironment", c_void_p),
    )


class Message(NamedTuple):
    """One call of the logger, with the text as the importer would print it."""

    status: int
    category: str
    text: str
    instance: str
    format: str

    @property
    def takes_nothing(self) -> bool:
        """Tell whether printf would find no directive in the text: "%s", or signs doubled."""
        return self.format == "%s" or "%" not in self.format.replace("%%", "")


class Recorder:
    """A logger that keeps everything, in callbacks without memory functions and environment."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._function = _LOGGER(self._log)
        self.callbacks = Callbacks(logger=self._function)

    def _log(
        self,
        _environment: int,
        instance: bytes,
        status: int,
        category: bytes,
        form: bytes,
        argument: int,
    ) -> None:
        text = ctypes.string_at(argument) if form == b"%s" else form.replace(b"%%", b"%")
        self.messages.append(
            Message(status, category.decode(), text.decode(), instance.decode(), form.decode())
        )

    def texts(self, category: str | None = None) -> list[str]:
        """Return what was said, of one category or of all."""
        return [m.text for m in self.messages if category in (None, m.category)]


class Library:
    """The library of an FMU for this machine, loaded from ``folder``; and its description."""

    def __init__(self, fmu: Path, folder: Path) -> None:
        with zipfile.ZipFile(fmu) as archive:
            root = ET.fromstring(archive.read("modelDescription.xml"))
            identifier = root.find("CoSimulation").get("modelIdentifier")
            name = f"binaries/{platform_folder()}/{identifier}{library_suffix()}"
            self.file = Path(archive.extract(name, folder))
        self.guid = root.get("guid")
        self.variables = root.findall("ModelVariables/ScalarVariable")
        self.reference = {v.get("name"): int(v.get("valueReference")) for v in self.variables}
        self.c = ctypes.CDLL(str(self.file))
        for function, arguments in SIGNATURES.items():
            found = getattr(self.c, function)
            found.argtypes = arguments
            found.restype = _RETURNS.get(function, c_int)

    def names(self, *causalities: str) -> list[str]:
        """Return the names of the variables of some causalities, in their order."""
        return [v.get("name") for v in self.variables if v.get("causality") in causalities]

    def instantiate(
        self,
        recorder: Recorder | None,
        *,
        name: bytes | None = b"test",
        kind: int = CO_SIMULATION,
        guid: bytes | None = b"its own",
        resources: bytes | None = None,
        logging: bool = False,
    ) -> int | None:
        """Call fmi2Instantiate; what is not said is as it should be."""
        guid = self.guid.encode() if guid == b"its own" else guid
        callbacks = ctypes.byref(recorder.callbacks) if recorder else None
        return self.c.fmi2Instantiate(name, kind, guid, resources, callbacks, 0, int(logging))


class Instance:
    """One instance with its own logger. Methods return the status, or a value where they say so."""

    def __init__(self, library: Library, *, name: bytes = b"test", logging: bool = False) -> None:
        self.library = library
        self.recorder = Recorder()
        self.component = library.instantiate(self.recorder, name=name, logging=logging)
        assert self.component, self.recorder.messages

    def call(self, function: str, *arguments: object) -> int:
        """Call a function on this instance."""
        return getattr(self.library.c, function)(self.component, *arguments)

    def free(self) -> None:
        """Give the instance back."""
        self.library.c.fmi2FreeInstance(self.component)
        self.component = None

    # The way to the first step.

    def setup(
        self, start: float = 0.0, stop: float | None = None, tolerance: float | None = None
    ) -> int:
        return self.call(
            "fmi2SetupExperiment",
            tolerance is not None,
            tolerance or 0.0,
            start,
            stop is not None,
            stop or 0.0,
        )

    def enter(self) -> int:
        return self.call("fmi2EnterInitializationMode")

    def leave(self) -> int:
        return self.call("fmi2ExitInitializationMode")

    def start(self, settings: Mapping[str, float] | None = None, **experiment: float) -> Instance:
        """Go all the way to the first step."""
        assert self.setup(**experiment) == OK, self.recorder.messages
        assert self.set(settings or {}) == OK, self.recorder.messages
        assert self.enter() == OK, self.recorder.messages
        assert self.leave() == OK, self.recorder.messages
        return self

    # Values by name.

    def get(self, names: Sequence[str]) -> list[float]:
        """Return values; it must work."""
        values = reals([float("nan")] * len(names))
        status = self.call("fmi2GetReal", self.references(names), len(names), values)
        assert status == OK, self.recorder.messages
        return list(values)

    def one(self, name: str) -> float:
        """Return one value; it must work."""
        return self.get([name])[0]

    def try_get(self, names: Sequence[str]) -> int:
        return self.call(
            "fmi2GetReal", self.references(names), len(names), reals([0.0] * len(names))
        )

    def set(self, values: Mapping[str, float]) -> int:
        return self.call(
            "fmi2SetReal", self.references(values), len(values), reals(values.values())
        )

    def set_rates(self, values: Mapping[str, float], order: int = 1) -> int:
        return self.call(
            "fmi2SetRealInputDerivatives",
            self.references(values),
            len(values),
            integers([order] * len(values)),
            reals(values.values()),
        )

    def references(self, names: Iterable[str]) -> ctypes.Array[c_uint]:
        return references(self.library.reference[name] for name in names)

    # Stepping.

    def step(self, time: float, length: float) -> int:
        return self.call("fmi2DoStep", time, length, 1)

    def last_time(self) -> float:
        """Return the time of the last step that worked; there must have been one to ask."""
        value = reals([float("nan")])
        assert self.call("fmi2GetRealStatus", LAST_SUCCESSFUL_TIME, value) == OK
        return value[0]

    def debug(self, categories: Sequence[bytes], *, on: bool = True) -> int:
        return self.call("fmi2SetDebugLogging", on, len(categories), strings(categories))

    def everything(self) -> bytes:
        """Return the bits of all variables that can be read from initialization mode on."""
        return bytes(reals(self.get(list(self.library.reference))))


def references(values: Iterable[int]) -> ctypes.Array[c_uint]:
    values = list(values)
    return (c_uint * len(values))(*values)


def reals(values: Iterable[float]) -> ctypes.Array[c_double]:
    values = list(values)
    return (c_double * len(values))(*values)


def integers(values: Iterable[int]) -> ctypes.Array[c_int]:
    values = list(values)
    return (c_int * len(values))(*values)


def strings(values: Iterable[bytes | None]) -> ctypes.Array[c_char_p]:
    values = list(values)
    return (c_char_p * len(values))(*values)


def platform_folder() -> str:
    """Return the folder of this machine's libraries. FMI 2.0.5 sec. 2.3."""
    arm = platform.machine().lower() in ("arm64", "aarch64")
    system = {"linux": "linux", "darwin": "darwin", "win32": "win"}[sys.platform]
    return f"aarch64-{system}" if arm else f"{system}64"


def library_suffix() -> str:
    return {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}[sys.platform]
