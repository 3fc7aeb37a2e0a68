"""Model exchange: the same motion, integrated by the importer."""

from __future__ import annotations

import math

import fmpy
import numpy as np
import pytest
from scipy.integrate import LSODA, solve_ivp

from mbd_fmu.validate.runner import Fmu
from tests.fmu import mechanisms, timed
from tests.fmu.cases import CASES
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, reals
from tests.fmu.exchange import Exchange

SHAPES = ["double_pendulum", "flyer", "four_bar", "disc", "timed", "timed_crank"]
SHAPE_OF = {**vars(mechanisms), **vars(timed)}


@pytest.mark.parametrize("shape", SHAPES)
def test_cvode_in_fmpy_agrees_with_co_simulation(shape, fmu_of):
    path = fmu_of(SHAPE_OF[shape]())
    names = [n for n in _outputs(path) if n.endswith((".r.x", ".r.z", ".q", ".quat.w", "com.y"))]
    assert names
    found = fmpy.simulate_fmu(
        str(path),
        fmi_type="ModelExchange",
        stop_time=0.5,
        output_interval=0.05,
        relative_tolerance=1e-9,
        output=names,
    )
    with Fmu(path) as fmu:
        ours = fmu.run(np.linspace(0, 0.5, 11), tolerance=1e-9).trajectory
    for name in names:
        one, other = np.array(found[name]), ours.column(name)
        # the tolerance of CVode is on each step, and it starts again after each projection
        assert np.abs(one - other).max() < 1e-5 * (1 + np.abs(other).max()), name


def _outputs(path):
    description = fmpy.read_model_description(str(path))
    return [v.name for v in description.modelVariables if v.causality == "output"]


def test_scipy_integrates_the_double_pendulum(library_of, fmu_of):
    library = library_of(mechanisms.double_pendulum())
    it = Exchange(library).run()

    def rate(t, x):
        assert it.call("fmi2SetTime", t) == OK
        it.x = x
        return it.derivatives()

    solution = solve_ivp(rate, (0, 1), it.x, rtol=1e-10, atol=1e-10, method="DOP853")
    it.free()
    with Fmu(fmu_of(mechanisms.double_pendulum())) as fmu:
        ours = fmu.run(np.array([0.0, 0.5, 1.0]), tolerance=1e-11).trajectory
    assert abs(solution.y[0, -1] - ours.column("shoulder.q")[-1]) < 1e-8


def test_a_loop_that_strays_asks_for_an_event_and_comes_back(library_of):
    it = Exchange(library_of(mechanisms.four_bar())).run()
    assert it.completed() is False
    x = it.x
    x[0] += 1e-3  # the crank, without the others
    it.x = x
    assert it.one("constraint.position_error") > 1e-4
    assert it.completed() is True
    assert it.call("fmi2EnterEventMode") == OK
    info = it.events()
    assert info.valuesOfContinuousStatesChanged == 1
    assert info.newDiscreteStatesNeeded == info.terminateSimulation == 0
    assert it.one("constraint.position_error") < 1e-12
    assert it.one("constraint.velocity_error") < 1e-12
    assert it.events().valuesOfContinuousStatesChanged == 0
    assert it.call("fmi2EnterContinuousTimeMode") == OK
    it.free()


def test_without_projection_no_event_is_asked_for_that_would_bring_nothing_back(library_of):
    it = Exchange(library_of(mechanisms.loop(stabilization="baumgarte"))).run()
    x = it.x
    x[0] += 1e-2
    it.x = x
    assert it.one("constraint.position_error") > 1e-3
    assert it.completed() is False
    assert it.call("fmi2EnterEventMode") == OK
    assert it.events().valuesOfContinuousStatesChanged == 0
    assert (it.x == x).all()
    it.free()


def test_calls_of_the_other_kind_are_refused(double_pendulum, new):
    it = Exchange(double_pendulum).run()
    assert it.step(0.0, 0.1) == 3
    assert "fmi2DoStep: not allowed in continuous-time mode" in it.recorder.texts()[-1]
    it.free()
    stepping = new(double_pendulum).start()
    assert stepping.call("fmi2EnterEventMode") == 3


def test_states_have_their_derivatives_in_the_description(fmu_of):
    description = fmpy.read_model_description(str(fmu_of(mechanisms.four_bar())))
    assert description.modelExchange is not None
    assert description.numberOfContinuousStates == 9
    for unknown in description.derivatives:
        rate = unknown.variable
        assert rate.name == f"der({rate.derivative.name})"
    assert fmpy.validation.validate_fmu(str(fmu_of(mechanisms.four_bar()))) == []


@pytest.mark.parametrize("name", CASES)
def test_nominals_are_those_of_the_description(name, library_of):
    library = library_of(CASES[name].table)
    it = Exchange(library)
    found = reals([0.0] * it.n)
    assert it.call("fmi2GetNominalsOfContinuousStates", found, it.n) == OK
    stated = {v.get("name"): v[0].get("nominal") for v in library.variables}
    assert list(found) == [float(stated[state]) for state in it.states]
    it.free()


def test_a_larger_mechanism_has_larger_nominals(library_of):
    """A length by the mechanism's own, an energy by its mass, an angle by itself."""
    library = library_of(mechanisms.four_bar())
    nominal = {v.get("name"): v[0].get("nominal") for v in library.variables}
    assert nominal["state.a.q"] == nominal["state.a.qd"] == "1.0"
    # bars of 4.5 kg, hinges at half their lengths from the mass centres
    lengths = [math.hypot(0.5, 1), math.hypot(2, 0.5), math.hypot(0.5, 1.5)]
    expected = 4.5 * (sum(lengths) / 6) ** 2
    assert float(nominal["state.energy.input_work"]) == pytest.approx(expected)


@pytest.mark.parametrize("name", CASES)
def test_states_may_be_set_by_their_references_too(name, library_of):
    """The standard wants fmi2SetContinuousStates; CasADi takes fmi2SetReal."""
    library = library_of(CASES[name].table)
    one, other = Exchange(library).run(), Exchange(library).run()
    x = one.x + 1e-3
    one.x = x
    inputs = {CASES[name].a: 0.3}
    assert one.set(inputs) == OK
    assert other.set(dict(zip(other.states, x, strict=True)) | inputs) == OK
    assert list(other.x) == list(x)
    assert other.everything() == one.everything()
    for it in (one, other):
        it.free()


def test_states_that_are_not_named_stay(double_pendulum):
    it = Exchange(double_pendulum).run()
    x = it.x
    before = it.derivatives()
    assert it.set({it.states[1]: 0.7}) == OK
    assert list(it.x) == [x[0], 0.7, *x[2:]]
    assert list(it.derivatives()) != list(before)
    it.free()


def test_states_are_set_in_continuous_time_mode_only_and_to_finite_values(double_pendulum, new):
    stepping = new(double_pendulum).start()
    it = Exchange(double_pendulum).run()
    state, rate = it.states[0], it.rates[0]
    before = it.everything()
    nan = float("nan")
    for instance, values, text in (
        (stepping, {state: 0.1}, "fmi2SetReal: state.shoulder.q is calculated"),
        (it, {rate: 0.1}, "fmi2SetReal: der(state.shoulder.q) is calculated"),
        (it, {"shoulder.tau": 1.0, state: nan}, "state.shoulder.q = nan; a finite value is needed"),
    ):
        assert instance.set(values) == ERROR
        assert text in instance.recorder.texts()[-1]
    assert it.everything() == before
    assert it.call("fmi2EnterEventMode") == OK
    assert it.set({state: 0.1}) == ERROR
    it.free()


# --- Drift: events where they are worth their price ---


def exchanged(library, tolerance, stop, settings=None):
    """Integrate by LSODA, telling of every internal step; the end, steps and events."""
    it = Exchange(library)
    it.start(settings or {}, tolerance=tolerance)
    it.events()
    assert it.call("fmi2EnterContinuousTimeMode") == OK

    def rate(t, x):
        assert it.call("fmi2SetTime", float(t)) == OK
        it.x = x
        return it.derivatives()

    def solver(t):
        return LSODA(rate, t, it.x, stop, rtol=tolerance, atol=tolerance)

    at, steps, events = solver(0.0), 0, 0
    while at.status == "running":
        at.step()
        steps += 1
        it.call("fmi2SetTime", float(at.t))
        it.x = at.y
        if it.completed():
            events += 1
            assert it.call("fmi2EnterEventMode") == OK
            it.events()
            assert it.call("fmi2EnterContinuousTimeMode") == OK
            at = solver(at.t) if at.t < stop else at
    return it, steps, events


@pytest.mark.parametrize(
    ("shape", "stop", "coarsest"),
    [("four_bar", 3.0, 4), ("bricard", 3.0, 5), ("disc", 2.0, 4), ("flyer", 2.0, 4)],
)
def test_tightening_the_tolerance_never_makes_the_result_worse(shape, stop, coarsest, library_of):
    """Events that answer the integrator's own error would make it start anew at every step.

    At 1e-4 no more than ten tolerances are allowed, 1e-3, which Bricard's rods use up often.
    """
    library = library_of(getattr(mechanisms, shape)())
    exact = Instance(library).start(tolerance=1e-12)
    for k in range(100):
        assert exact.step(k * stop / 100, stop / 100) == OK
    names = [n for n in library.names("output") if n.endswith((".r.x", ".r.z", ".quat.w"))]
    errors, effort = [], []
    for tolerance in 10.0 ** -np.arange(coarsest, 11):
        it, steps, events = exchanged(library, tolerance, stop)
        errors.append(np.abs(np.subtract(it.get(names), exact.get(names))).max())
        effort.append(steps)
        assert events <= 0.05 * steps
        assert errors[-1] < 1e4 * tolerance
        it.free()
    exact.free()
    # an integrator's error is no smooth function of its tolerance: two steps down, never worse
    assert all(fine < coarse for coarse, fine in zip(errors, errors[2:], strict=False))
    assert effort[-1] < 20 * effort[0]


def test_rows_on_velocities_ask_for_an_event_too(library_of):
    """A disc that slips: its height is right, what it rolls on is not."""
    it = Exchange(library_of(mechanisms.disc())).run()
    assert it.completed() is False
    x = it.x
    first_velocity = next(k for k, name in enumerate(it.states) if ".w.x" in name)
    x[first_velocity + 1] += 0.05
    it.x = x
    assert it.one("constraint.velocity_error") > 1e-3
    assert it.completed() is True
    assert it.call("fmi2EnterEventMode") == OK
    assert it.events().valuesOfContinuousStatesChanged == 1
    assert it.one("constraint.velocity_error") < 1e-10
    it.free()
