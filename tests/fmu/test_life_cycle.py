"""Wrong calls: each is refused with a status and a reason, and leaves no trace."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.fmu.ctypes_fmu import (
    CO_SIMULATION,
    DISCARD,
    DO_STEP_STATUS,
    ERROR,
    LAST_SUCCESSFUL_TIME,
    MODEL_EXCHANGE,
    OK,
    PENDING_STATUS,
    SIGNATURES,
    TERMINATED,
    Instance,
    Library,
    Recorder,
    integers,
    reals,
    references,
    strings,
)
from tests.fmu.mechanisms import double_pendulum as double_pendulum_table

NAN, INF = math.nan, math.inf
STEP = 0.01
CATEGORIES = {"logStatusError", "logStatusWarning", "logEvaluations"}

# What the messages call the modes.
MODES = {
    "instantiated": "before initialization",
    "initialization": "in initialization mode",
    "stepping": "between steps",
    "terminated": "after termination",
}


def prepared(library: Library, mode: str) -> Instance:
    """Return an instance on its way, nothing of it at a start value: any trace would show."""
    instance = Instance(library)
    statuses = [
        instance.setup(stop=1.0, tolerance=1e-7),
        instance.set({"arm_mass": 1.7, "shoulder.q_start": 0.4, "elbow.tau": 0.3}),
    ]
    if mode != "instantiated":
        statuses.append(instance.enter())
    if mode in ("stepping", "terminated"):
        statuses += [instance.leave(), instance.step(0.0, STEP), instance.step(STEP, STEP)]
    if mode == "stepping":
        statuses.append(instance.set_rates({"shoulder.tau": 3.0}))
    if mode == "terminated":
        statuses.append(instance.call("fmi2Terminate"))
    assert set(statuses) == {OK}
    return instance


def visible(instance: Instance, mode: str) -> bytes:
    """Return the bits of all that can be read now."""
    if mode != "instantiated":
        return instance.everything()
    return bytes(reals(instance.get(instance.library.names("parameter", "input"))))


def future(instance: Instance, mode: str) -> bytes:
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
            assert instance.set({"shoulder.tau": 0.2 * k, "elbow.tau": -0.1 * k}) == OK
        assert instance.step(time, STEP) == OK, instance.recorder.messages
        time += STEP
        found.append(instance.everything())
    return b"".join(found)


@pytest.fixture(scope="module")
def undisturbed(double_pendulum: Library) -> dict[str, bytes]:
    """The future of an instance that nobody abuses, by mode."""
    return {mode: future(prepared(double_pendulum, mode), mode) for mode in MODES}


# ---- Abuse as data


@dataclass(frozen=True)
class Abuse:
    """A wrong call in a mode, the status it must have and words of the message it must give."""

    name: str
    mode: str
    call: Callable[[Instance], int]
    words: tuple[str, ...]
    status: int = ERROR


def step(time: float, length: float) -> Callable[[Instance], int]:
    return lambda i: i.step(time, length)


def put(**values: float) -> Callable[[Instance], int]:
    return lambda i: i.set({name.replace("__", "."): value for name, value in values.items()})


def raw(function: str, *arguments: Any) -> Callable[[Instance], int]:
    return lambda i: i.call(function, *arguments)


FAR = 4_000_000_000
NOW = 2 * STEP  # where the prepared instance stands when stepping

ABUSES = [
    # steps
    Abuse("a step of size zero", "stepping", step(NOW, 0.0), ("fmi2DoStep", "step size 0")),
    Abuse("a step backwards", "stepping", step(NOW, -STEP), ("step size -0.01", "not positive")),
    Abuse("a step of size NaN", "stepping", step(NOW, NAN), ("fmi2DoStep", "nan")),
    Abuse("a step of infinite size", "stepping", step(NOW, INF), ("fmi2DoStep", "inf")),
    Abuse("a step from the past", "stepping", step(0.0, STEP), ("point 0,", "ended at 0.02")),
    Abuse("a step from the future", "stepping", step(0.5, STEP), ("point 0.5,", "ended at 0.02")),
    Abuse("a step off by a tenth", "stepping", step(NOW + STEP / 10, STEP), ("ended at 0.02",)),
    Abuse("a step from NaN", "stepping", step(NAN, STEP), ("communication point nan",)),
    Abuse("a step from infinity", "stepping", step(INF, STEP), ("communication point inf",)),
    Abuse("a step beyond the stop time", "stepping", step(NOW, 1.0), ("1.02", "stop time 1")),
    # values
    Abuse("a NaN input", "stepping", put(elbow__tau=NAN), ("elbow.tau = nan", "finite")),
    Abuse("an infinite input", "stepping", put(elbow__tau=INF), ("elbow.tau = inf", "finite")),
    Abuse("minus infinity", "initialization", put(shoulder__tau=-INF), ("shoulder.tau = -inf",)),
    Abuse("a NaN parameter", "instantiated", put(arm_mass=NAN), ("arm_mass = nan", "finite")),
    Abuse(
        "a NaN behind a good input", "stepping", put(elbow__tau=9.0, shoulder__tau=NAN), ("nan",)
    ),
    Abuse("setting an output", "stepping", put(elbow__q=1.0), ("elbow.q is an output",)),
    Abuse("setting an output early", "instantiated", put(elbow__q=1.0), ("elbow.q is an output",)),
    Abuse(
        "a good input before an output", "stepping", put(elbow__tau=9.0, elbow__q=1.0), ("output",)
    ),
    Abuse("a parameter too late", "stepping", put(arm_mass=2.0), ("parameter arm_mass", "fixed")),
    Abuse(
        "a start value too late", "stepping", put(elbow__q_start=2.0), ("elbow.q_start", "fixed")
    ),
    Abuse(
        "an output before initialization",
        "instantiated",
        lambda i: i.try_get(["arm_mass", "elbow.q"]),
        ("elbow.q", "initialization mode"),
    ),
    Abuse(
        "an unknown reference to get",
        "stepping",
        raw("fmi2GetReal", references([0, FAR]), 2, reals([0, 0])),
        ("fmi2GetReal", f"value reference {FAR}"),
    ),
    Abuse(
        "an unknown reference to set",
        "stepping",
        lambda i: i.call(
            "fmi2SetReal", references([i.library.reference["elbow.tau"], FAR]), 2, reals([9, 9])
        ),
        ("fmi2SetReal", f"value reference {FAR}"),
    ),
    Abuse(
        "the first reference that does not exist",
        "stepping",
        lambda i: i.call("fmi2GetReal", references([len(i.library.variables)]), 1, reals([0])),
        ("but the last one is",),
    ),
    Abuse("no references", "stepping", raw("fmi2GetReal", None, 1, reals([0])), ("NULL",)),
    Abuse(
        "no place for values", "stepping", raw("fmi2GetReal", references([0]), 1, None), ("NULL",)
    ),
    Abuse("no values", "stepping", raw("fmi2SetReal", references([0]), 1, None), ("NULL",)),
    *(
        Abuse(
            f"{function} of a Real",
            "stepping",
            raw(function, references([0]), 1, make([zero])),
            (function, "Real"),
        )
        for function, make, zero in (
            ("fmi2GetInteger", integers, 0),
            ("fmi2GetBoolean", integers, 0),
            ("fmi2GetString", strings, b""),
            ("fmi2SetInteger", integers, 0),
            ("fmi2SetBoolean", integers, 0),
            ("fmi2SetString", strings, b""),
        )
    ),
    # rates of inputs
    Abuse(
        "order 2", "stepping", lambda i: i.set_rates({"elbow.tau": 1.0}, 2), ("order 2", "only 1")
    ),
    Abuse("order 0", "stepping", lambda i: i.set_rates({"elbow.tau": 1.0}, 0), ("order 0",)),
    Abuse("rate of an output", "stepping", lambda i: i.set_rates({"elbow.q": 1.0}), ("no input",)),
    Abuse(
        "rate of a parameter", "stepping", lambda i: i.set_rates({"arm_mass": 1.0}), ("no input",)
    ),
    Abuse(
        "a NaN rate", "stepping", lambda i: i.set_rates({"elbow.tau": NAN}), ("nan", "elbow.tau")
    ),
    Abuse("an infinite rate", "stepping", lambda i: i.set_rates({"elbow.tau": INF}), ("inf",)),
    Abuse(
        "a good rate before a bad one",
        "stepping",
        lambda i: i.set_rates({"elbow.tau": 5.0, "shoulder.tau": NAN}),
        ("shoulder.tau",),
    ),
    Abuse(
        "rates without orders",
        "stepping",
        raw("fmi2SetRealInputDerivatives", references([0]), 1, None, reals([0])),
        ("fmi2SetRealInputDerivatives", "NULL"),
    ),
    Abuse(
        "the rate of an unknown reference",
        "stepping",
        raw("fmi2SetRealInputDerivatives", references([FAR]), 1, integers([1]), reals([0])),
        (f"value reference {FAR}",),
    ),
    # experiment
    Abuse("a NaN start time", "instantiated", lambda i: i.setup(start=NAN), ("start time nan",)),
    Abuse("stop before start", "instantiated", lambda i: i.setup(2.0, 1.0), ("stop time 1", "2")),
    Abuse(
        "stop at start", "instantiated", lambda i: i.setup(2.0, 2.0), ("not after start time 2",)
    ),
    Abuse("a NaN stop time", "instantiated", lambda i: i.setup(0.0, NAN), ("stop time nan",)),
    Abuse(
        "a negative tolerance",
        "instantiated",
        lambda i: i.setup(tolerance=-1.0),
        ("tolerance -1", "1e-14 to 0.1"),
    ),
    Abuse("a NaN tolerance", "instantiated", lambda i: i.setup(tolerance=NAN), ("tolerance nan",)),
    # logging
    Abuse(
        "an unknown log category",
        "stepping",
        lambda i: i.debug([b"logStatusEror"]),
        ('"logStatusEror"',),
    ),
    Abuse("a NULL log category", "stepping", lambda i: i.debug([None]), ("fmi2SetDebugLogging",)),
    Abuse("no log categories", "stepping", raw("fmi2SetDebugLogging", 1, 2, None), ("NULL",)),
    Abuse("percent signs", "stepping", lambda i: i.debug([b"100 %s%n%d"]), ('"100 %s%n%d"',)),
    # status
    Abuse("no place for a time", "stepping", raw("fmi2GetRealStatus", 2, None), ("value is NULL",)),
    Abuse(
        "no place for a flag", "stepping", raw("fmi2GetBooleanStatus", 3, None), ("value is NULL",)
    ),
    # what the description does not claim
    *(
        Abuse(
            f"{function}, which is not claimed",
            "stepping",
            raw(
                function,
                *[0 if t is ctypes.c_size_t else None for t in SIGNATURES[function][1:]],
            ),
            (function, "modelDescription.xml"),
        )
        for function in (
            "fmi2GetFMUstate",
            "fmi2SetFMUstate",
            "fmi2FreeFMUstate",
            "fmi2SerializedFMUstateSize",
            "fmi2SerializeFMUstate",
            "fmi2DeSerializeFMUstate",
            "fmi2GetDirectionalDerivative",
            "fmi2GetRealOutputDerivatives",
        )
    ),
    Abuse(
        "cancelling a step", "stepping", raw("fmi2CancelStep"), ("fmi2CancelStep", "asynchronous")
    ),
]


def test_names_of_abuses_are_unique():
    names = [abuse.name for abuse in ABUSES]
    assert len(set(names)) == len(names) >= 30


@pytest.mark.parametrize("abuse", ABUSES, ids=lambda a: a.name)
def test_abuse_is_refused_with_a_reason_and_leaves_no_trace(abuse, double_pendulum, undisturbed):
    instance = prepared(double_pendulum, abuse.mode)
    before = visible(instance, abuse.mode)
    assert instance.recorder.messages == []

    assert abuse.call(instance) == abuse.status

    (message,) = instance.recorder.messages
    assert all(words in message.text for words in abuse.words), message.text
    assert (message.status, message.category) == (ERROR, "logStatusError")
    assert message.text == message.text.rstrip()
    assert message.takes_nothing
    assert visible(instance, abuse.mode) == before
    assert future(instance, abuse.mode) == undisturbed[abuse.mode]
    instance.free()


# ---- Calls in the wrong mode

# FMI 2.0 sec. 4.2.4, the table of co-simulation: where a call is legal. An FMU may allow more.
LEGAL: dict[str, tuple[set[str], Callable[[Instance], int]]] = {
    "fmi2SetupExperiment": ({"instantiated"}, lambda i: i.setup(stop=1.0, tolerance=1e-7)),
    "fmi2EnterInitializationMode": ({"instantiated"}, Instance.enter),
    "fmi2ExitInitializationMode": ({"initialization"}, Instance.leave),
    "fmi2Terminate": ({"stepping"}, raw("fmi2Terminate")),
    "fmi2Reset": (set(MODES), raw("fmi2Reset")),
    "fmi2SetDebugLogging": (set(MODES), lambda i: i.debug([b"logEvaluations"], on=False)),
    "fmi2GetReal": (
        {"initialization", "stepping", "terminated"},
        lambda i: i.try_get(["elbow.q", "elbow.force.x"]),
    ),
    "fmi2SetReal": ({"instantiated", "initialization", "stepping"}, put(elbow__tau=0.3)),
    "fmi2SetRealInputDerivatives": (
        {"instantiated", "initialization", "stepping"},
        lambda i: i.set_rates({"elbow.tau": 0.0}),
    ),
    "fmi2DoStep": ({"stepping"}, step(NOW, STEP)),
    "fmi2GetRealStatus": (
        {"stepping", "terminated"},
        lambda i: i.call("fmi2GetRealStatus", LAST_SUCCESSFUL_TIME, reals([0])),
    ),
    "fmi2GetBooleanStatus": (
        {"stepping", "terminated"},
        lambda i: i.call("fmi2GetBooleanStatus", TERMINATED, integers([0])),
    ),
}
# where this FMU must not follow an importer that has lost its way
ILLEGAL = [
    (function, mode)
    for function, (legal, _) in LEGAL.items()
    for mode in MODES
    if mode not in legal
]
ALLOWED = [(function, mode) for function, (legal, _) in LEGAL.items() for mode in sorted(legal)]


@pytest.mark.parametrize(("function", "mode"), ALLOWED)
def test_a_call_works_wherever_the_standard_allows_it(function, mode, double_pendulum):
    instance = prepared(double_pendulum, mode)
    assert LEGAL[function][1](instance) == OK, instance.recorder.messages
    assert instance.recorder.messages == []
    instance.free()


@pytest.mark.parametrize(("function", "mode"), ILLEGAL)
def test_a_call_in_the_wrong_mode_is_refused_with_the_mode_and_leaves_no_trace(
    function, mode, double_pendulum, undisturbed
):
    instance = prepared(double_pendulum, mode)
    before = visible(instance, mode)

    assert LEGAL[function][1](instance) == ERROR

    (message,) = instance.recorder.messages
    assert message.category == "logStatusError"
    if function != "fmi2GetReal":  # before initialization it names the output instead
        assert message.text.startswith(f"{function}: not allowed {MODES[mode]}")
    assert visible(instance, mode) == before
    assert future(instance, mode) == undisturbed[mode]
    instance.free()


@pytest.mark.parametrize(
    "function",
    [
        f
        for f in SIGNATURES
        if f
        not in ("fmi2GetTypesPlatform", "fmi2GetVersion", "fmi2Instantiate", "fmi2FreeInstance")
    ],
)
def test_a_call_without_instance_is_an_error_and_no_crash(function, double_pendulum):
    numbers = (ctypes.c_int, ctypes.c_size_t, ctypes.c_double)
    arguments = [0 if t in numbers else None for t in SIGNATURES[function]]
    assert getattr(double_pendulum.c, function)(*arguments) == ERROR


def test_freeing_nothing_is_harmless(double_pendulum):
    double_pendulum.c.fmi2FreeInstance(None)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "function",
    [
        f
        for f in SIGNATURES
        if f.startswith(
            (
                "fmi2GetR",
                "fmi2SetR",
                "fmi2GetI",
                "fmi2SetI",
                "fmi2GetB",
                "fmi2SetB",
                "fmi2GetS",
                "fmi2SetS",
            )
        )
        and not f.endswith(("Status", "Derivatives"))
    ],
)
def test_no_values_and_null_pointers_are_fine(function, mode, double_pendulum):
    instance = prepared(double_pendulum, mode)
    legal = mode != "terminated" or function.startswith("fmi2Get")
    assert instance.call(function, None, 0, None) == (OK if legal else ERROR)
    instance.free()


def test_no_rates_and_null_pointers_are_fine(double_pendulum):
    instance = prepared(double_pendulum, "stepping")
    assert instance.call("fmi2SetRealInputDerivatives", None, 0, None, None) == OK
    instance.free()


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("fmi2GetStatus", DO_STEP_STATUS),
        ("fmi2GetRealStatus", PENDING_STATUS),
        ("fmi2GetIntegerStatus", DO_STEP_STATUS),
        ("fmi2GetBooleanStatus", DO_STEP_STATUS),
        ("fmi2GetStringStatus", PENDING_STATUS),
    ],
)
def test_a_status_that_is_not_known_is_discarded(function, kind, double_pendulum):
    instance = prepared(double_pendulum, "stepping")
    place = {"Real": reals([0]), "String": strings([b""])}
    argument = place.get(function.removeprefix("fmi2Get").removesuffix("Status"), integers([7]))
    assert instance.call(function, kind, argument) == DISCARD
    instance.free()


def test_the_simulation_is_never_reported_as_ended(double_pendulum):
    instance = prepared(double_pendulum, "stepping")
    value = integers([7])
    assert instance.call("fmi2GetBooleanStatus", TERMINATED, value) == OK
    assert list(value) == [0]
    instance.free()


# ---- Instantiation


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"guid": b"00000000-0000-0000-0000-000000000000"}, "GUID is not"),
        ({"guid": b""}, "GUID is not"),
        ({"guid": None}, "GUID is not"),
        ({"name": None}, "needs a name"),
        ({"name": b""}, "needs a name"),
        ({"kind": MODEL_EXCHANGE}, "for co-simulation"),
        ({"kind": 7}, "for co-simulation"),
    ],
    ids=["wrong GUID", "empty GUID", "NULL GUID", "NULL name", "empty name", "ME", "odd type"],
)
def test_instantiation_is_refused_with_a_reason(options, words, double_pendulum):
    recorder = Recorder()
    assert double_pendulum.instantiate(recorder, **options) is None
    (message,) = recorder.messages
    assert (message.status, message.category) == (ERROR, "logStatusError")
    assert message.text.startswith("fmi2Instantiate: ")
    assert words in message.text


def test_the_message_about_a_wrong_guid_tells_the_right_one(double_pendulum):
    recorder = Recorder()
    assert double_pendulum.instantiate(recorder, guid=b"wrong") is None
    assert double_pendulum.guid in recorder.messages[0].text


@pytest.mark.parametrize("options", [{}, {"guid": b"wrong"}, {"name": None}])
def test_without_callbacks_there_is_no_instance_and_no_crash(options, double_pendulum):
    assert double_pendulum.instantiate(None, **options) is None


def test_without_a_logger_an_instance_works_and_refuses_quietly(double_pendulum):
    recorder = Recorder()
    recorder.callbacks.logger = type(recorder.callbacks.logger)()  # NULL
    assert double_pendulum.instantiate(recorder, guid=b"wrong") is None
    component = double_pendulum.instantiate(recorder, logging=True)
    assert component
    c = double_pendulum.c
    assert c.fmi2DoStep(component, 0.0, STEP, 1) == ERROR
    assert c.fmi2EnterInitializationMode(component) == OK
    assert c.fmi2ExitInitializationMode(component) == OK
    assert c.fmi2DoStep(component, 0.0, STEP, 1) == OK
    c.fmi2FreeInstance(component)


@pytest.mark.parametrize("resources", [None, b"", b"file:///no/such/place", b"no uri %s"])
def test_the_place_of_resources_does_not_matter(resources, double_pendulum):
    recorder = Recorder()
    component = double_pendulum.instantiate(recorder, resources=resources)
    assert component
    assert recorder.messages == []
    double_pendulum.c.fmi2FreeInstance(component)


def test_name_and_callbacks_are_copied_because_the_caller_s_die(double_pendulum):
    recorder = Recorder()
    name = ctypes.create_string_buffer(b"mine")
    component = double_pendulum.c.fmi2Instantiate(
        ctypes.cast(name, ctypes.c_char_p),
        CO_SIMULATION,
        double_pendulum.guid.encode(),
        None,
        ctypes.byref(recorder.callbacks),
        0,
        0,
    )
    name.value = b"gone"
    ctypes.memset(ctypes.byref(recorder.callbacks), 0, ctypes.sizeof(recorder.callbacks))
    assert double_pendulum.c.fmi2Terminate(component) == ERROR
    assert [m.instance for m in recorder.messages] == ["mine"]
    double_pendulum.c.fmi2FreeInstance(component)


def test_versions_are_those_of_the_standard(double_pendulum):
    assert double_pendulum.c.fmi2GetVersion() == b"2.0"
    assert double_pendulum.c.fmi2GetTypesPlatform() == b"default"


# ---- Messages


def test_messages_are_formatted_beforehand(double_pendulum, new):
    instance = new(double_pendulum, name=b"50 %d%n")
    assert instance.debug([b"100 %s%n%d"]) == ERROR
    (message,) = instance.recorder.messages
    assert message.instance == "50 %d%n"
    assert message.takes_nothing


def test_a_very_long_text_is_cut_not_written_beyond_its_place(double_pendulum, new):
    instance = new(double_pendulum)
    assert instance.debug([b"x" * 100_000]) == ERROR
    (message,) = instance.recorder.messages
    assert message.text.startswith('fmi2SetDebugLogging: no category "xxx')
    assert len(message.text) < 100_000


def test_every_message_has_a_declared_category(double_pendulum, new):
    instance = new(double_pendulum, logging=True).start()
    assert instance.step(0.0, STEP) == OK
    assert instance.step(0.0, STEP) == ERROR
    found = {m.category for m in instance.recorder.messages}
    assert found == {"logEvaluations", "logStatusError"}
    assert found <= CATEGORIES


def test_without_debug_logging_a_good_run_says_nothing(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.step(0.0, STEP) == OK
    instance.everything()
    assert instance.recorder.messages == []


def test_a_category_that_is_switched_off_is_silent(double_pendulum, new):
    instance = new(double_pendulum, logging=True)
    assert instance.debug([b"logStatusError"], on=False) == OK
    assert instance.call("fmi2Terminate") == ERROR
    instance.start()
    assert {m.category for m in instance.recorder.messages} == {"logEvaluations"}


def test_all_categories_are_switched_by_naming_none(double_pendulum, new):
    instance = new(double_pendulum, logging=True)
    assert instance.call("fmi2SetDebugLogging", 0, 0, None) == OK
    assert instance.call("fmi2Terminate") == ERROR
    instance.start()
    assert instance.recorder.messages == []
    assert instance.call("fmi2SetDebugLogging", 1, 0, None) == OK
    assert instance.step(0.0, STEP) == OK
    assert instance.recorder.texts("logEvaluations")


def test_a_list_with_an_unknown_category_switches_none(double_pendulum, new):
    instance = new(double_pendulum)
    assert instance.debug([b"logEvaluations", b"logNothing"]) == ERROR
    instance.start()
    assert instance.recorder.texts("logEvaluations") == []


def test_a_message_about_the_wrong_mode_says_what_was_expected(double_pendulum, new):
    instance = new(double_pendulum)
    assert instance.step(0.0, STEP) == ERROR
    assert MODES["stepping"] in instance.recorder.messages[0].text


# ---- Parameters


@pytest.mark.parametrize(("value", "limit"), [(0.01, "0.1 to 10"), (11.0, "0.1 to 10")])
def test_a_parameter_outside_its_limits_is_refused_by_name_and_can_be_mended(
    value, limit, double_pendulum, undisturbed
):
    instance = prepared(double_pendulum, "initialization")
    assert instance.set({"arm_mass": value}) == OK
    assert instance.leave() == ERROR
    (message,) = instance.recorder.messages
    assert f"arm_mass = {value:.17g} is outside {limit}" in message.text
    assert instance.set({"arm_mass": 1.7}) == OK
    assert future(instance, "initialization") == undisturbed["initialization"]
    instance.free()


def test_a_quaternion_of_length_zero_is_refused_by_name_and_can_be_mended(flyer, new):
    instance, twin = new(flyer), new(flyer).start()
    assert instance.set({"fly.q_start.w": 0.0}) == OK
    assert (instance.setup(), instance.enter()) == (OK, OK)
    assert instance.try_get(["hull.r.x"]) == ERROR
    assert instance.leave() == ERROR
    assert "start: fly.q.w is not finite" in instance.recorder.messages[-1].text
    assert instance.set({"fly.q_start.w": 1.0}) == OK
    assert instance.leave() == OK
    assert instance.everything() == twin.everything()


def test_outputs_follow_parameters_while_initializing(double_pendulum, new):
    instance = new(double_pendulum)
    assert (instance.setup(), instance.enter()) == (OK, OK)
    assert instance.one("shoulder.q") == 0.3
    assert instance.set({"shoulder.q_start": 0.4}) == OK
    assert instance.one("shoulder.q") == 0.4
    # the mass centre of the upper link is 0.2 m from the joint, the axis is +y: z = -0.2 sin(q)
    assert instance.one("upper.com.z") == pytest.approx(-0.2 * math.sin(0.4), rel=1e-12)


def test_values_of_a_failed_get_are_not_written(double_pendulum, new):
    instance = new(double_pendulum)
    values = reals([7.0, 7.0])
    names = instance.references(["arm_mass", "elbow.q"])
    assert instance.call("fmi2GetReal", names, 2, values) == ERROR
    assert list(values) == [7.0, 7.0]


def test_a_reference_may_stand_twice(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.get(["elbow.qd", "elbow.q", "elbow.qd"]) == [0.5, 0.0, 0.5]


# ---- Reset, and many instances


@pytest.mark.parametrize("mode", MODES)
def test_reset_equals_a_fresh_instance_bit_by_bit(mode, double_pendulum, new):
    instance = prepared(double_pendulum, mode)
    assert instance.call("fmi2DoStep", NAN, NAN, 0) == ERROR
    assert instance.call("fmi2Reset") == OK
    fresh = new(double_pendulum)
    assert visible(instance, "instantiated") == visible(fresh, "instantiated")
    assert (instance.setup(), fresh.setup()) == (OK, OK)
    assert future(instance, "instantiated") == future(fresh, "instantiated")
    # the stop time of the run before is forgotten as well
    assert instance.step(instance.last_time(), 2.0) == OK
    instance.free()


def test_reset_forgets_rates_of_inputs(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.set_rates({"elbow.tau": 50.0}) == OK
    assert instance.call("fmi2Reset") == OK
    assert future(instance.start(), "stepping") == future(new(double_pendulum).start(), "stepping")


def test_an_instance_can_be_used_again_and_again(double_pendulum, new):
    instance = new(double_pendulum)
    runs = set()
    for _ in range(3):
        runs.add(future(instance.start(), "stepping"))
        assert instance.call("fmi2Terminate") == OK
        assert instance.call("fmi2Reset") == OK
    assert len(runs) == 1


def test_interleaved_instances_equal_separate_ones_bit_by_bit(double_pendulum, flyer, new):
    settings = [{"arm_mass": 0.8}, {"arm_mass": 3.0, "shoulder.q_start": -1.0}]

    def steps(instance, tau):
        for k in range(20):
            assert instance.set({"elbow.tau": tau * k}) == OK
            assert instance.step(k * STEP, STEP) == OK
            yield instance.everything()

    apart = [list(steps(new(double_pendulum).start(s), 0.1 + n)) for n, s in enumerate(settings)]
    other = new(flyer).start()
    together = []
    pair = [steps(new(double_pendulum).start(s), 0.1 + n) for n, s in enumerate(settings)]
    for k, states in enumerate(zip(*pair, strict=True)):
        assert other.step(k * STEP, STEP) == OK  # another FMU in between
        together.append(states)
    assert [list(run) for run in zip(*together, strict=True)] == apart
    assert apart[0] != apart[1]


def test_a_parameter_set_equals_a_model_built_with_that_value_bit_by_bit(
    double_pendulum, library_of, new
):
    built = new(library_of(double_pendulum_table(arm_mass=2.5))).start()
    before = new(double_pendulum).start({"arm_mass": 2.5})
    within = new(double_pendulum)
    assert (within.setup(), within.enter()) == (OK, OK)
    within.everything()  # computed with the old value, to be computed again
    assert within.set({"arm_mass": 2.5}) == OK
    assert within.leave() == OK
    as_built = future(built, "stepping")
    assert future(before, "stepping") == as_built
    assert future(within, "stepping") == as_built
    assert future(new(double_pendulum).start(), "stepping") != as_built
