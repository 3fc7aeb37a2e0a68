"""Calls in their modes, instantiation, messages, parameters, reset."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import pytest

from tests.fmu.cases import (
    CASES,
    MODES,
    NOW,
    STEP,
    Case,
    future,
    prepared,
    take_up,
    visible,
    written,
)
from tests.fmu.ctypes_fmu import (
    CO_SIMULATION,
    DISCARD,
    DO_STEP_STATUS,
    ERROR,
    LAST_SUCCESSFUL_TIME,
    OK,
    PENDING_STATUS,
    TERMINATED,
    Instance,
    Library,
    Recorder,
    integers,
    reals,
    strings,
)
from tests.fmu.mechanisms import double_pendulum as double_pendulum_table

NAN = math.nan
CATEGORIES = {"logStatusError", "logStatusWarning", "logStart", "logEvaluations"}


def futures(case: Case, library: Library) -> dict[str, bytes]:
    """Return the future of an instance that nobody disturbs, by mode."""
    return {mode: future(case, prepared(case, library, mode), mode) for mode in MODES}


@pytest.fixture(scope="module")
def undisturbed(case: Case, library: Library) -> dict[str, bytes]:
    return futures(case, library)


# ---- Calls in the wrong mode

# FMI 2.0 sec. 4.2.4, the table of co-simulation: where a call is legal. An FMU may allow more.
LEGAL: dict[str, tuple[set[str], Callable[[Instance, Case], int]]] = {
    "fmi2SetupExperiment": ({"instantiated"}, lambda i, _: i.setup(stop=1.0, tolerance=1e-7)),
    "fmi2EnterInitializationMode": ({"instantiated"}, lambda i, _: i.enter()),
    "fmi2ExitInitializationMode": ({"initialization"}, lambda i, _: i.leave()),
    "fmi2Terminate": ({"stepping"}, lambda i, _: i.call("fmi2Terminate")),
    "fmi2Reset": (set(MODES), lambda i, _: i.call("fmi2Reset")),
    "fmi2SetDebugLogging": (set(MODES), lambda i, _: i.debug([b"logEvaluations"], on=False)),
    "fmi2GetReal": (
        {"initialization", "stepping", "terminated"},
        lambda i, case: i.try_get([case.output, case.load]),
    ),
    "fmi2SetReal": (
        {"instantiated", "initialization", "stepping"},
        lambda i, case: i.set({case.a: 0.3, case.tunable: case.tuned}),
    ),
    "fmi2SetRealInputDerivatives": (
        {"instantiated", "initialization", "stepping"},
        lambda i, case: i.set_rates({case.a: 0.0}),
    ),
    "fmi2DoStep": ({"stepping"}, lambda i, _: i.step(NOW, STEP)),
    "fmi2GetRealStatus": (
        {"stepping", "terminated"},
        lambda i, _: i.call("fmi2GetRealStatus", LAST_SUCCESSFUL_TIME, reals([0])),
    ),
    "fmi2GetBooleanStatus": (
        {"stepping", "terminated"},
        lambda i, _: i.call("fmi2GetBooleanStatus", TERMINATED, integers([0])),
    ),
    # with it the other functions of states
    "fmi2SetFMUstate": (set(MODES), lambda i, _: OK if take_up(i, written(i)) else ERROR),
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
def test_a_call_works_wherever_the_standard_allows_it(function, mode, case, library):
    instance = prepared(case, library, mode)
    assert LEGAL[function][1](instance, case) == OK, instance.recorder.messages
    assert instance.recorder.messages == []
    instance.free()


@pytest.mark.parametrize(("function", "mode"), ILLEGAL)
def test_a_call_in_the_wrong_mode_is_refused_with_the_mode_and_leaves_no_trace(
    function, mode, case, library, undisturbed
):
    instance = prepared(case, library, mode)
    before = visible(instance, mode)

    assert LEGAL[function][1](instance, case) == ERROR

    (message,) = instance.recorder.messages
    assert message.category == "logStatusError"
    if function != "fmi2GetReal":  # before initialization it names the output instead
        assert message.text.startswith(f"{function}: not allowed {MODES[mode]}")
    assert visible(instance, mode) == before
    assert future(case, instance, mode) == undisturbed[mode]
    instance.free()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["Real", "Integer", "Boolean", "String"])
@pytest.mark.parametrize("verb", ["Get", "Set"])
def test_no_values_and_null_pointers_are_fine(verb, kind, mode, case, library):
    instance = prepared(case, library, mode)
    legal = mode != "terminated" or verb == "Get"
    assert instance.call(f"fmi2{verb}{kind}", None, 0, None) == (OK if legal else ERROR)
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
def test_a_status_that_is_not_known_is_discarded(function, kind, case, library):
    instance = prepared(case, library, "stepping")
    place = {"Real": reals([0]), "String": strings([b""])}
    argument = place.get(function.removeprefix("fmi2Get").removesuffix("Status"), integers([7]))
    assert instance.call(function, kind, argument) == DISCARD
    instance.free()


def test_the_simulation_is_never_reported_as_ended(case, library):
    instance = prepared(case, library, "stepping")
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
        ({"kind": 7}, "neither co-simulation nor model exchange"),
    ],
    ids=["wrong GUID", "empty GUID", "NULL GUID", "NULL name", "empty name", "odd type"],
)
def test_instantiation_is_refused_with_a_reason(options, words, library):
    recorder = Recorder()
    assert library.instantiate(recorder, **options) is None
    (message,) = recorder.messages
    assert (message.status, message.category) == (ERROR, "logStatusError")
    assert message.text.startswith("fmi2Instantiate: ")
    assert words in message.text


def test_the_message_about_a_wrong_guid_tells_the_right_one(library):
    recorder = Recorder()
    assert library.instantiate(recorder, guid=b"wrong") is None
    assert library.guid in recorder.messages[0].text


@pytest.mark.parametrize("options", [{}, {"guid": b"wrong"}, {"name": None}])
def test_without_callbacks_there_is_no_instance_and_no_crash(options, library):
    assert library.instantiate(None, **options) is None


def test_without_a_logger_an_instance_works_and_refuses_quietly(library):
    recorder = Recorder()
    recorder.callbacks.logger = type(recorder.callbacks.logger)()  # NULL
    assert library.instantiate(recorder, guid=b"wrong") is None
    component = library.instantiate(recorder, logging=True)
    assert component
    c = library.c
    assert c.fmi2DoStep(component, 0.0, STEP, 1) == ERROR
    assert c.fmi2EnterInitializationMode(component) == OK
    assert c.fmi2ExitInitializationMode(component) == OK
    assert c.fmi2DoStep(component, 0.0, STEP, 1) == OK
    c.fmi2FreeInstance(component)


@pytest.mark.parametrize("resources", [None, b"", b"file:///no/such/place", b"no uri %s"])
def test_the_place_of_resources_does_not_matter(resources, library):
    recorder = Recorder()
    component = library.instantiate(recorder, resources=resources)
    assert component
    assert recorder.messages == []
    library.c.fmi2FreeInstance(component)


def test_name_and_callbacks_are_copied_because_the_caller_s_die(library):
    recorder = Recorder()
    name = ctypes.create_string_buffer(b"mine")
    component = library.c.fmi2Instantiate(
        ctypes.cast(name, ctypes.c_char_p),
        CO_SIMULATION,
        library.guid.encode(),
        None,
        ctypes.byref(recorder.callbacks),
        0,
        0,
    )
    name.value = b"gone"
    ctypes.memset(ctypes.byref(recorder.callbacks), 0, ctypes.sizeof(recorder.callbacks))
    assert library.c.fmi2Terminate(component) == ERROR
    assert [m.instance for m in recorder.messages] == ["mine"]
    library.c.fmi2FreeInstance(component)


def test_versions_are_those_of_the_standard(library):
    assert library.c.fmi2GetVersion() == b"2.0"
    assert library.c.fmi2GetTypesPlatform() == b"default"


# ---- Messages


def test_messages_are_formatted_beforehand(library, new):
    instance = new(library, name=b"50 %d%n")
    assert instance.debug([b"100 %s%n%d"]) == ERROR
    (message,) = instance.recorder.messages
    assert message.instance == "50 %d%n"
    assert message.takes_nothing


def test_a_very_long_text_is_cut_not_written_beyond_its_place(library, new):
    instance = new(library)
    assert instance.debug([b"x" * 100_000]) == ERROR
    (message,) = instance.recorder.messages
    assert message.text.startswith('fmi2SetDebugLogging: no category "xxx')
    assert len(message.text) < 100_000


def test_every_message_has_a_declared_category(library, new):
    instance = new(library, logging=True).start()
    assert instance.step(0.0, STEP) == OK
    assert instance.step(0.0, STEP) == ERROR
    found = {m.category for m in instance.recorder.messages}
    assert found >= {"logEvaluations", "logStatusError"}
    assert found <= CATEGORIES - {"logStatusWarning"}


def test_without_debug_logging_a_good_run_says_nothing(library, new):
    instance = new(library).start()
    assert instance.step(0.0, STEP) == OK
    instance.everything()
    assert instance.recorder.messages == []


def test_a_category_that_is_switched_off_is_silent(library, new):
    instance = new(library, logging=True)
    assert instance.debug([b"logStatusError"], on=False) == OK
    assert instance.call("fmi2Terminate") == ERROR
    instance.start()
    found = {m.category for m in instance.recorder.messages}
    assert found - {"logStart"} == {"logEvaluations"}


def test_all_categories_are_switched_by_naming_none(library, new):
    instance = new(library, logging=True)
    assert instance.call("fmi2SetDebugLogging", 0, 0, None) == OK
    assert instance.call("fmi2Terminate") == ERROR
    instance.start()
    assert instance.recorder.messages == []
    assert instance.call("fmi2SetDebugLogging", 1, 0, None) == OK
    assert instance.step(0.0, STEP) == OK
    assert instance.recorder.texts("logEvaluations")


def test_a_list_with_an_unknown_category_switches_none(library, new):
    instance = new(library)
    assert instance.debug([b"logEvaluations", b"logNothing"]) == ERROR
    instance.start()
    assert instance.recorder.texts("logEvaluations") == []


def test_a_message_about_the_wrong_mode_says_what_was_expected(library, new):
    instance = new(library)
    assert instance.step(0.0, STEP) == ERROR
    assert MODES["stepping"] in instance.recorder.messages[0].text


# ---- Parameters


@pytest.mark.parametrize(("value", "limit"), [(0.01, "0.1 to 10"), (11.0, "0.1 to 10")])
def test_a_parameter_outside_its_limits_is_refused_by_name_and_can_be_mended(
    value, limit, case, library, undisturbed
):
    instance = prepared(case, library, "initialization")
    assert instance.set({case.fixed: value}) == OK
    assert instance.leave() == ERROR
    (message,) = instance.recorder.messages
    assert f"{case.fixed} = {value:.17g} is outside {limit}" in message.text
    assert instance.set({case.fixed: 1.7}) == OK
    assert future(case, instance, "initialization") == undisturbed["initialization"]
    instance.free()


def test_a_quaternion_of_length_zero_is_refused_by_name_and_can_be_mended(flyer, new):
    instance, twin = new(flyer), new(flyer).start()
    assert instance.set({"fly.q_start.w": 0.0}) == OK
    assert (instance.setup(), instance.enter()) == (OK, OK)
    assert instance.try_get(["hull.r.x"]) == ERROR
    assert instance.leave() == ERROR
    assert 'quaternion of joint "fly" has length 0' in instance.recorder.messages[-1].text
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


def test_what_is_set_while_initializing_counts_as_if_it_had_been_set_before(case, library, new):
    """Outputs are valid as soon as they are asked for, and again after each change."""
    early, late = new(library), new(library)
    assert (early.setup(), early.set(case.settings()), early.enter()) == (OK, OK, OK)
    assert (late.setup(), late.enter()) == (OK, OK)
    seen = {late.everything()}
    for name, value in case.settings().items():
        assert late.set({name: value}) == OK
        seen.add(late.everything())
    assert len(seen) == 1 + len(case.settings())
    assert late.everything() == early.everything()
    assert future(case, late, "initialization") == future(case, early, "initialization")


def test_values_of_a_failed_get_are_not_written(case, library, new):
    instance = new(library)
    values = reals([7.0, 7.0])
    names = instance.references([case.fixed, case.output])
    assert instance.call("fmi2GetReal", names, 2, values) == ERROR
    assert list(values) == [7.0, 7.0]


def test_a_reference_may_stand_twice(double_pendulum, new):
    instance = new(double_pendulum).start()
    assert instance.get(["elbow.qd", "elbow.q", "elbow.qd"]) == [0.5, 0.0, 0.5]


# ---- Reset, and many instances


@pytest.mark.parametrize("mode", MODES)
def test_reset_equals_a_fresh_instance_bit_by_bit(mode, case, library, new):
    instance = prepared(case, library, mode)
    assert instance.call("fmi2DoStep", NAN, NAN, 0) == ERROR
    assert instance.call("fmi2Reset") == OK
    fresh = new(library)
    assert written(instance) == written(fresh)
    assert visible(instance, "instantiated") == visible(fresh, "instantiated")
    assert (instance.setup(), fresh.setup()) == (OK, OK)
    assert future(case, instance, "instantiated") == future(case, fresh, "instantiated")
    assert written(instance) == written(fresh)
    # the stop time of the run before is forgotten as well
    assert instance.step(instance.last_time(), 2.0) == OK
    instance.free()


def test_reset_forgets_rates_of_inputs(case, library, new):
    instance = new(library).start()
    assert instance.set_rates({case.a: 50.0}) == OK
    assert instance.call("fmi2Reset") == OK
    fresh = new(library).start()
    assert future(case, instance.start(), "stepping") == future(case, fresh, "stepping")


def test_an_instance_can_be_used_again_and_again(case, library, new):
    instance = new(library)
    runs = set()
    for _ in range(3):
        runs.add(future(case, instance.start(), "stepping"))
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
    case = CASES["chain"]
    as_built = future(case, built, "stepping")
    assert future(case, before, "stepping") == as_built
    assert future(case, within, "stepping") == as_built
    assert future(case, new(double_pendulum).start(), "stepping") != as_built
