"""Wrong calls as data, and a program that makes them all in a process of its own.

``python -m tests.fmu.abuse <case> <fmu> <fmu of another model> <folder>`` tries one after the
other and prints a line of JSON before and after each: whoever reads it knows which one ended the
process.
"""

from __future__ import annotations

import ctypes
import json
import math
import random
import sys
from collections.abc import Callable, Iterator
from ctypes import byref, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fmu.cases import (
    CASES,
    MODES,
    NOW,
    STEP,
    Case,
    future,
    kept,
    prepared,
    read,
    visible,
    written,
)
from tests.fmu.ctypes_fmu import (
    ERROR,
    OK,
    SIGNATURES,
    Instance,
    Library,
    integers,
    reals,
    references,
    strings,
)
from tests.fmu.exchange import Exchange

NAN, INF = math.nan, math.inf
FAR = 4_000_000_000
LONG = b"x" * 100_000
ALONE = "alone"  # not prepared: what is abused is made by the call


@dataclass(frozen=True)
class Scene:
    """Who is there when a wrong call is made."""

    case: Case
    instance: Instance
    other: Instance  # of another model


Call = Callable[[Scene], int]


@dataclass(frozen=True)
class Abuse:
    """A wrong call in a mode, the status it must have and words of the message it must give.

    Words in braces are names of the case. A call that is merely odd is OK and says nothing.
    """

    name: str
    mode: str
    call: Call
    words: tuple[str, ...] = ()
    status: int = ERROR


# ---- Calls


def step(time: float, length: float) -> Call:
    return lambda s: s.instance.step(time, length)


def put(**values: float) -> Call:
    """Set variables, named by what they are to the case."""
    return lambda s: s.instance.set({getattr(s.case, key): v for key, v in values.items()})


def rate(order: int = 1, **values: float) -> Call:
    return lambda s: s.instance.set_rates(
        {getattr(s.case, key): v for key, v in values.items()}, order
    )


def raw(function: str, *arguments: Any) -> Call:
    return lambda s: s.instance.call(function, *arguments)


def nothing(function: str, size: int = 0) -> Call:
    """Call with NULL and 0 for every argument but the instance and sizes."""
    return lambda s: s.instance.call(function, *_nothing(function, size)[1:])


def _nothing(function: str, size: int = 0) -> list[Any]:
    numbers = {ctypes.c_int: 0, ctypes.c_size_t: size, ctypes.c_double: 0.0}
    return [numbers.get(t) for t in SIGNATURES[function]]


def debug(*categories: bytes | None) -> Call:
    return lambda s: s.instance.debug(categories)


def refused(**options: Any) -> Call:
    """Instantiate; there must be no instance."""

    def call(s: Scene) -> int:
        return OK if s.instance.library.instantiate(s.instance.recorder, **options) else ERROR

    return call


def fresh(action: Callable[[Instance], int], **experiment: float) -> Call:
    """Do something with an instance that is ready to step."""

    def call(s: Scene) -> int:
        return action(s.instance.start(**experiment))

    return call


def changed_text(change: Callable[[bytes], bytes]) -> Call:
    """Read the present state, written down and changed."""

    def call(s: Scene) -> int:
        text, place = change(written(s.instance)), c_void_p()
        status = s.instance.call("fmi2DeSerializeFMUstate", text, len(text), byref(place))
        assert place.value is None, "a state was made of what was refused"
        return status

    return call


def flipped(place: int, bit: int = 0) -> Call:
    """Flip a bit of the state: a place from its start, or from its end."""

    def change(text: bytes) -> bytes:
        place_of = place % len(text)
        return text[:place_of] + bytes([text[place_of] ^ 1 << bit]) + text[place_of + 1 :]

    return changed_text(change)


def with_state(function: str, *arguments: Any) -> Call:
    """Call a function on the present state."""

    def call(s: Scene) -> int:
        state = kept(s.instance)
        status = s.instance.call(function, state, *arguments)
        assert s.instance.call("fmi2FreeFMUstate", byref(state)) == OK
        return status

    return call


def with_foreign(function: str, *, by_reference: bool) -> Call:
    """Call a function on the state of another model, which must survive."""

    def call(s: Scene) -> int:
        before, state = written(s.other), kept(s.other)
        status = s.instance.call(function, byref(state) if by_reference else state)
        assert s.other.call("fmi2SetFMUstate", state) == OK
        assert s.other.call("fmi2FreeFMUstate", byref(state)) == OK
        assert written(s.other) == before
        return status

    return call


def foreign_text(s: Scene) -> int:
    text = written(s.other)
    return s.instance.call("fmi2DeSerializeFMUstate", text, len(text), byref(c_void_p()))


def rubbish(s: Scene) -> int:
    text = random.Random(7).randbytes(len(written(s.instance)))
    return s.instance.call("fmi2DeSerializeFMUstate", text, len(text), byref(c_void_p()))


def no_place_for_text(s: Scene) -> int:
    text = written(s.instance)
    return s.instance.call("fmi2DeSerializeFMUstate", text, len(text), None)


def freed_twice(s: Scene) -> int:
    state = kept(s.instance)
    statuses = [s.instance.call("fmi2FreeFMUstate", byref(state)) for _ in range(3)]
    assert state.value is None
    return max(statuses)


def state_used_again(s: Scene) -> int:
    """Write into a state that is there already: its place is used, not a new one."""
    state = kept(s.instance)
    place = state.value
    statuses = [s.instance.call("fmi2GetFMUstate", byref(state)) for _ in range(3)]
    text = written(s.instance)
    statuses.append(s.instance.call("fmi2DeSerializeFMUstate", text, len(text), byref(state)))
    assert state.value == place
    statuses.append(s.instance.call("fmi2FreeFMUstate", byref(state)))
    return max(statuses)


def state_of_a_twin(s: Scene) -> int:
    """Take up the own state by way of another instance, which is gone by then."""
    twin = Instance(s.instance.library)
    state = read(twin, written(s.instance))
    twin.free()
    status = s.instance.call("fmi2SetFMUstate", state)
    return max(status, s.instance.call("fmi2FreeFMUstate", byref(state)))


def state_of_the_other_kind(s: Scene) -> int:
    """Take up the state of an instance for model exchange."""
    exchange = Exchange(s.instance.library).start()
    state = read(s.instance, written(exchange))
    status = s.instance.call("fmi2SetFMUstate", state)
    assert exchange.call("fmi2SetFMUstate", state) == OK
    assert s.instance.call("fmi2FreeFMUstate", byref(state)) == OK
    exchange.free()
    return status


def change(unknown: str, given: str, seed: float = 1.0) -> Call:
    """Ask for a derivative of one variable of the case along another; nothing is written."""

    def call(s: Scene) -> int:
        state = s.instance.library.names("local")[0]
        names = [state if n == "state" else getattr(s.case, n) for n in (unknown, given)]
        one, other = (s.instance.references([n]) for n in names)
        value = reals([7.0])
        function = "fmi2GetDirectionalDerivative"
        status = s.instance.call(function, one, 1, other, 1, reals([seed]), value)
        assert status == OK or value[0] == 7.0
        return status

    return call


def exchanged(action: Callable[[Exchange], int], *, running: bool = True) -> Call:
    """Do something with an instance for model exchange: its words count, and leave no trace."""

    def call(s: Scene) -> int:
        it = Exchange(s.instance.library)
        it = it.run(s.case.settings()) if running else it.start(s.case.settings())
        del it.recorder.messages[:]
        before = written(it)
        status = action(it)
        assert written(it) == before
        s.instance.recorder.messages += it.recorder.messages
        it.free()
        return status

    return call


def too_many_steps(s: Scene) -> int:
    """Fail again and again; each time the state stays."""
    i = s.instance.start()
    assert i.step(0.0, STEP) == OK
    text = written(i)
    for _ in range(5):
        assert i.set({s.case.drive: 1e300}) == OK
        status = i.step(STEP, STEP)
        assert i.set({s.case.drive: 0.0}) == OK
        assert written(i) == text
    del i.recorder.messages[:-1]
    return status


def long_name(s: Scene) -> int:
    instance = Instance(s.instance.library, name=LONG)
    assert instance.call("fmi2Terminate") == ERROR
    assert instance.recorder.messages[0].instance == LONG.decode()
    instance.free()
    return OK


def on_nobody(function: str) -> Call:
    return lambda s: getattr(s.instance.library.c, function)(*_nothing(function))


def free_nobody(s: Scene) -> int:
    s.instance.library.c.fmi2FreeInstance(None)
    return OK


# ---- The table


def _steps() -> Iterator[Abuse]:
    do, on = "fmi2DoStep", "stepping"
    yield Abuse("a step of size zero", on, step(NOW, 0.0), (do, "step size 0"))
    yield Abuse("a step backwards", on, step(NOW, -STEP), ("step size -0.01", "not positive"))
    yield Abuse("a step of size NaN", on, step(NOW, NAN), (do, "nan"))
    yield Abuse("a step of infinite size", on, step(NOW, INF), (do, "inf"))
    yield Abuse("a step from the past", on, step(0.0, STEP), ("point 0,", "ended at 0.02"))
    yield Abuse("a step from the future", on, step(0.5, STEP), ("point 0.5,", "ended at 0.02"))
    yield Abuse("a step off by a tenth", on, step(NOW + STEP / 10, STEP), ("ended at 0.02",))
    yield Abuse("a step from NaN", on, step(NAN, STEP), ("communication point nan",))
    yield Abuse("a step from infinity", on, step(INF, STEP), ("communication point inf",))
    yield Abuse("a step beyond the stop time", on, step(NOW, 1.0), ("1.02", "stop time 1"))
    yield Abuse("a step beyond all time", on, step(NOW, 1e308), (do, "stop time 1"))
    for mode in ("instantiated", "initialization", "terminated"):
        yield Abuse(f"a step {MODES[mode]}", mode, step(NOW, STEP), (do, "only between steps"))
    # whoever has no stop time
    for length in (1e12, 1e300):
        name = f"a step of {length:g} s"
        yield Abuse(name, ALONE, fresh(lambda i, h=length: i.step(0.0, h)), ("cannot be followed",))
    yield Abuse(
        "a step to no time",
        ALONE,
        fresh(lambda i: i.step(1.5e308, 1.5e308), start=1.5e308),
        ("add up to no time",),
    )
    yield Abuse("a step too short to show", ALONE, fresh(lambda i: i.step(0.0, 5e-324)), status=OK)
    yield Abuse(
        "steps that fail again and again", ALONE, too_many_steps, (do, "cannot be followed")
    )


def _values() -> Iterator[Abuse]:
    on, get, put_real = "stepping", "fmi2GetReal", "fmi2SetReal"
    yield Abuse("a NaN input", on, put(a=NAN), ("{a} = nan", "finite"))
    yield Abuse("an infinite input", on, put(a=INF), ("{a} = inf", "finite"))
    yield Abuse("minus infinity", "initialization", put(b=-INF), ("{b} = -inf",))
    yield Abuse("a NaN parameter", "instantiated", put(fixed=NAN), ("{fixed} = nan", "finite"))
    yield Abuse("a NaN behind a good input", on, put(a=9.0, b=NAN), ("{b} = nan",))
    yield Abuse(
        "a NaN behind a tunable",
        on,
        lambda s: s.instance.set({s.case.tunable: 1.01 * s.case.tuned, s.case.b: NAN}),
        ("{b} = nan",),
    )
    yield Abuse("setting an output", on, put(output=1.0), ("{output} is an output",))
    yield Abuse("an output early", "instantiated", put(output=1.0), ("{output} is an output",))
    yield Abuse("a good input before an output", on, put(a=9.0, output=1.0), ("output",))
    yield Abuse("a parameter too late", on, put(fixed=2.0), ("parameter {fixed}", "fixed"))
    yield Abuse("a start value too late", on, put(start=2.0), ("{start}", "fixed"))
    yield Abuse(
        "a solver setting too late",
        on,
        lambda s: s.instance.set({"solver.tolerance": 1e-3}),
        ("solver.tolerance is fixed",),
    )
    yield Abuse("a NaN tunable", on, put(tunable=NAN), ("{tunable} = nan",))
    yield Abuse(
        "a tunable outside its limits",
        on,
        lambda s: s.instance.set({s.case.a: 9.0, s.case.tunable: s.case.outside}),
        ("fmi2SetReal: {tunable} = ", "is outside"),
    )
    yield Abuse("a tunable at the end", "terminated", put(tunable=0.3), ("after termination",))
    yield Abuse(
        "an output before initialization",
        "instantiated",
        lambda s: s.instance.try_get([s.case.fixed, s.case.output]),
        ("{output}", "initialization mode"),
    )
    unknown = (f"value reference {FAR}", "but the last one is")
    two = references([0, FAR])
    yield Abuse("an unknown reference to get", on, raw(get, two, 2, reals([0, 0])), unknown)
    yield Abuse("an unknown reference to set", on, raw(put_real, two, 2, reals([9, 9])), unknown)
    yield Abuse(
        "the first reference that does not exist",
        on,
        lambda s: s.instance.call(
            get, references([len(s.instance.library.variables)]), 1, reals([0])
        ),
        unknown[1:],
    )
    yield Abuse("no references", on, raw(get, None, 1, reals([0])), (get, "NULL"))
    yield Abuse("no place for values", on, raw(get, references([0]), 1, None), (get, "NULL"))
    yield Abuse("no values", on, raw(put_real, references([0]), 1, None), (put_real, "NULL"))
    for kind, make, zero in (
        ("Integer", integers, 0),
        ("Boolean", integers, 0),
        ("String", strings, b""),
    ):
        for function in (f"fmi2Get{kind}", f"fmi2Set{kind}"):
            call = raw(function, references([0]), 1, make([zero]))
            yield Abuse(f"{function} of a Real", on, call, (function, "Real"))
    for kind in ("Real", "Integer", "Boolean", "String"):
        for function in (f"fmi2Get{kind}", f"fmi2Set{kind}"):
            yield Abuse(f"{function} of nothing", on, nothing(function), status=OK)


def _rates() -> Iterator[Abuse]:
    on, function = "stepping", "fmi2SetRealInputDerivatives"
    yield Abuse("order 2", on, rate(2, a=1.0), ("order 2 of {a}", "only 1"))
    yield Abuse("order 0", on, rate(0, a=1.0), ("order 0",))
    yield Abuse("rate of an output", on, rate(output=1.0), ("{output} is no input",))
    yield Abuse("rate of a parameter", on, rate(fixed=1.0), ("{fixed} is no input",))
    yield Abuse("a NaN rate", on, rate(a=NAN), ("nan", "{a}"))
    yield Abuse("an infinite rate", on, rate(a=INF), ("inf",))
    yield Abuse("a good rate before a bad one", on, rate(a=5.0, b=NAN), ("{b}",))
    yield Abuse(
        "rates without orders",
        on,
        raw(function, references([0]), 1, None, reals([0])),
        (function, "NULL"),
    )
    yield Abuse(
        "the rate of an unknown reference",
        on,
        raw(function, references([FAR]), 1, integers([1]), reals([0])),
        (f"value reference {FAR}",),
    )
    yield Abuse("rates of nothing", on, nothing(function), status=OK)


def _experiments() -> Iterator[Abuse]:
    def setup(*times: float, **tolerance: float) -> Call:
        return lambda s: s.instance.setup(*times, **tolerance)

    on = "instantiated"
    yield Abuse("a NaN start time", on, setup(NAN), ("start time nan",))
    yield Abuse("an infinite start time", on, setup(-INF), ("start time -inf",))
    yield Abuse("stop before start", on, setup(2.0, 1.0), ("stop time 1", "2"))
    yield Abuse("stop at start", on, setup(2.0, 2.0), ("not after start time 2",))
    yield Abuse("a NaN stop time", on, setup(0.0, NAN), ("stop time nan",))
    yield Abuse("a bad tolerance", on, setup(tolerance=-1.0), ("tolerance -1", "1e-14 to 0.1"))
    yield Abuse("a NaN tolerance", on, setup(tolerance=NAN), ("tolerance nan",))
    for mode in ("initialization", "stepping", "terminated"):
        yield Abuse(f"an experiment {MODES[mode]}", mode, setup(), ("only before initialization",))
    yield Abuse("ending twice", "terminated", raw("fmi2Terminate"), ("only between steps",))
    yield Abuse("ending early", "initialization", raw("fmi2Terminate"), ("only between steps",))


def _logging() -> Iterator[Abuse]:
    on, function = "stepping", "fmi2SetDebugLogging"
    yield Abuse("an unknown log category", on, debug(b"logStatusEror"), ('"logStatusEror"',))
    yield Abuse("a NULL log category", on, debug(None), (function,))
    yield Abuse("a log category too long", on, debug(LONG), (f'{function}: no category "xxx',))
    yield Abuse("no log categories", on, raw(function, 1, 2, None), ("NULL",))
    yield Abuse("percent signs", on, debug(b"100 %s%n%d"), ('"100 %s%n%d"',))


def _statuses() -> Iterator[Abuse]:
    on = "stepping"
    yield Abuse("no place for a time", on, raw("fmi2GetRealStatus", 2, None), ("value is NULL",))
    yield Abuse("no place for a flag", on, raw("fmi2GetBooleanStatus", 3, None), ("value is NULL",))
    yield Abuse("cancelling a step", on, raw("fmi2CancelStep"), ("asynchronous",))
    for function in ("fmi2GetDirectionalDerivative", "fmi2GetRealOutputDerivatives"):
        yield Abuse(f"{function} of nothing", on, nothing(function), status=OK)
        yield Abuse(f"{function} of NULL", on, nothing(function, 1), (function, "NULL"))


def _derivatives() -> Iterator[Abuse]:
    start, on = "initialization", "stepping"
    yield Abuse(
        "a derivative along a state at the start", start, change("load", "state"), ("state",)
    )
    yield Abuse("one along an output at the start", start, change("load", "output"), ("{output}",))
    yield Abuse("one of a parameter at the start", start, change("fixed", "a"), ("{fixed}",))
    yield Abuse("one along a parameter later", on, change("load", "fixed"), ("{fixed}", "state"))
    yield Abuse("one of a state later", on, change("state", "a"), ("neither output nor",))
    for mode in (start, on):
        where = MODES[mode]
        yield Abuse(f"a NaN seed {where}", mode, change("load", "a", NAN), ("seed nan of {a}",))
    yield Abuse("a derivative too early", "instantiated", change("load", "a"), ("not allowed",))
    for known in ("fixed", "tunable", "start", "a"):
        call = change("load", known)
        yield Abuse(f"a derivative along {known} at the start", start, call, status=OK)


def _exchanges() -> Iterator[Abuse]:
    def states(function: str, n: int, values: Any) -> Call:
        return exchanged(lambda it: it.call(function, values, n))

    for function in ("fmi2SetContinuousStates", "fmi2GetContinuousStates", "fmi2GetDerivatives"):
        call = states(function, 1, reals([0.0]))
        yield Abuse(f"{function} of one", ALONE, call, (function, "1 values, but there are"))
        call = exchanged(lambda it, f=function: it.call(f, None, it.n))
        yield Abuse(f"{function} of NULL", ALONE, call, (function, "NULL instead of"))
    far = exchanged(lambda it: it.call("fmi2SetContinuousStates", reals([NAN] * it.n), it.n))
    yield Abuse("states that are NaN", ALONE, far, ("= nan; a finite value is needed",))
    for time in (NAN, INF):
        call = exchanged(lambda it, t=time: it.call("fmi2SetTime", t))
        yield Abuse(f"the time {time}", ALONE, call, ("fmi2SetTime", f"{time:g}"))
    call = exchanged(lambda it: it.call("fmi2NewDiscreteStates", None), running=False)
    yield Abuse("no place for an event", ALONE, call, ("eventInfo is NULL",))
    call = exchanged(lambda it: it.call("fmi2CompletedIntegratorStep", 1, None, None))
    yield Abuse("no place for an answer", ALONE, call, ("an argument is NULL",))
    call = exchanged(lambda it: it.call("fmi2GetEventIndicators", reals([0.0]), 1))
    yield Abuse("an event indicator", ALONE, call, ("there are none",))
    for function in ("fmi2EnterContinuousTimeMode", "fmi2NewDiscreteStates"):
        arguments = () if "Enter" in function else (None,)
        call = exchanged(lambda it, f=function, a=arguments: it.call(f, *a))
        yield Abuse(f"{function} while time goes on", ALONE, call, ("only in event mode",))
    call = exchanged(lambda it: it.step(0.0, STEP))
    yield Abuse("a step of a model that is integrated", ALONE, call, ("only between steps",))


def _states() -> Iterator[Abuse]:
    on, read_state = "stepping", "fmi2DeSerializeFMUstate"
    yield Abuse("no place for a state", on, nothing("fmi2GetFMUstate"), ("no place",))
    for function in ("fmi2SetFMUstate", "fmi2SerializedFMUstateSize", "fmi2SerializeFMUstate"):
        yield Abuse(f"{function} of NULL", on, nothing(function), (function, "NULL"))
    yield Abuse("a state of NULL bytes", on, nothing(read_state, 500), (read_state, "NULL"))
    yield Abuse(
        "no place for a size", on, with_state("fmi2SerializedFMUstateSize", None), ("size is NULL",)
    )
    yield Abuse(
        "no place for bytes", on, with_state("fmi2SerializeFMUstate", None, 500), ("bytes is NULL",)
    )
    for size in (0, 20, 10_000):
        place = ctypes.create_string_buffer(size)
        call = with_state("fmi2SerializeFMUstate", place, size)
        yield Abuse(f"{size} bytes for a state", on, call, (f"{size} bytes, but a state has",))
    yield Abuse("no place for what is read", on, no_place_for_text, (read_state, "no place"))
    yield Abuse("a state of no bytes", on, changed_text(lambda t: t[:0]), ("0 bytes are cut off",))
    yield Abuse("a state's first word", on, changed_text(lambda t: t[:8]), ("8 bytes are cut off",))
    yield Abuse(
        "a state's head", on, changed_text(lambda t: t[:69]), ("69 bytes, but a state has",)
    )
    yield Abuse(
        "a state without its last byte", on, changed_text(lambda t: t[:-1]), ("bytes, but",)
    )
    yield Abuse("a state and a byte", on, changed_text(lambda t: t + b"x"), ("bytes, but",))
    yield Abuse("a state of rubbish", on, rubbish, ("no state of an FMU of this kind",))
    yield Abuse("a state with a wrong magic", on, flipped(0), ("no state of an FMU of this kind",))
    yield Abuse("a state of version 0", on, flipped(8), ("version 0, this FMU reads version 1",))
    yield Abuse("a state of a late version", on, flipped(15, 7), ("reads version 1",))
    yield Abuse("a state of a wrong length", on, flipped(17), ("bytes, but a state has",))
    yield Abuse("a state of a wrong checksum", on, flipped(24), ("damaged", "checksum"))
    yield Abuse("a state of a wrong model", on, flipped(32), ("another model or build",))
    yield Abuse("a state of a damaged time", on, flipped(69), ("damaged", "checksum"))
    yield Abuse("a state of a damaged end", on, flipped(-1, 7), ("damaged", "checksum"))
    yield Abuse("the bytes of another model", on, foreign_text, (read_state, "another model"))
    for function, by_reference in (
        ("fmi2SetFMUstate", False),
        ("fmi2GetFMUstate", True),
        ("fmi2FreeFMUstate", True),
    ):
        call = with_foreign(function, by_reference=by_reference)
        yield Abuse(
            f"{function} of another model's", on, call, (f"{function}: the state is of another",)
        )
    yield Abuse(
        "a state of the other kind", on, state_of_the_other_kind, ("instance for model exchange",)
    )
    for mode in MODES:
        yield Abuse(f"a state freed thrice {MODES[mode]}", mode, freed_twice, status=OK)
        yield Abuse(f"a state used again {MODES[mode]}", mode, state_used_again, status=OK)
        yield Abuse(f"a state of a twin {MODES[mode]}", mode, state_of_a_twin, status=OK)
    yield Abuse("freeing no state", on, nothing("fmi2FreeFMUstate"), status=OK)


def _instances() -> Iterator[Abuse]:
    yield Abuse("a wrong GUID", ALONE, refused(guid=b"0" * 36), ("the GUID is not",))
    yield Abuse("an empty GUID", ALONE, refused(guid=b""), ("the GUID is not",))
    yield Abuse("no GUID", ALONE, refused(guid=None), ("the GUID is not",))
    yield Abuse("a GUID that is too long", ALONE, refused(guid=LONG), ("the GUID is not",))
    yield Abuse("no name", ALONE, refused(name=None), ("needs a name",))
    yield Abuse("an empty name", ALONE, refused(name=b""), ("needs a name",))
    yield Abuse("no kind of FMU", ALONE, refused(kind=77), ("neither co-simulation nor",))
    yield Abuse("a very long name", ALONE, long_name, status=OK)
    yield Abuse("freeing nobody", ALONE, free_nobody, status=OK)
    without = ("fmi2GetTypesPlatform", "fmi2GetVersion", "fmi2Instantiate", "fmi2FreeInstance")
    for function in SIGNATURES:
        if function not in without:
            # there is nobody whose logger could be told
            yield Abuse(f"{function} on nobody", ALONE, on_nobody(function))


ABUSES = {
    abuse.name: abuse
    for part in (
        _steps,
        _values,
        _rates,
        _experiments,
        _logging,
        _statuses,
        _derivatives,
        _exchanges,
        _states,
        _instances,
    )
    for abuse in part()
}


# ---- The program


@dataclass(frozen=True)
class Report:
    """What a wrong call did."""

    name: str
    status: int
    messages: tuple[tuple[Any, ...], ...]
    leaves_no_trace: bool


def attempt(
    abuse: Abuse, case: Case, library: Library, other: Instance, untouched: bytes
) -> Report:
    alone = abuse.mode == ALONE
    instance = Instance(library) if alone else prepared(case, library, abuse.mode)
    before = b"" if alone else visible(instance, abuse.mode)
    assert instance.recorder.messages == []
    status = abuse.call(Scene(case, instance, other))
    messages = tuple(tuple(m) for m in instance.recorder.messages)
    clean = alone or (
        visible(instance, abuse.mode) == before and future(case, instance, abuse.mode) == untouched
    )
    instance.free()
    return Report(abuse.name, status, messages, clean)


def main(name: str, fmu: str, other_fmu: str, folder: str) -> None:
    case, library = CASES[name], Library(Path(fmu), Path(folder) / "own")
    other = Instance(Library(Path(other_fmu), Path(folder) / "other")).start()
    untouched = {mode: future(case, prepared(case, library, mode), mode) for mode in MODES}
    untouched[ALONE] = b""
    for abuse in ABUSES.values():
        print(json.dumps(abuse.name), flush=True)
        report = attempt(abuse, case, library, other, untouched[abuse.mode])
        print(json.dumps(vars(report)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
