"""Directional derivatives and derivatives of outputs in time, against differences."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fmu import mechanisms, timed
from tests.fmu.ctypes_fmu import ERROR, OK, integers, reals
from tests.fmu.exchange import Exchange, directional, output_rates

SHAPES = ["double_pendulum", "flyer", "two_branches", "four_bar", "disc", "riding", "told_crank"]
SHAPES += ["actuated", "timed", "timed_crank"]
SHAPE_OF = {**vars(mechanisms), **vars(timed)}
QUALITY = ("constraint.",)


@pytest.fixture(params=SHAPES)
def library(request, library_of):
    return library_of(SHAPE_OF[request.param]())


def outputs_of(library):
    return [name for name in library.names("output") if not name.startswith(QUALITY)]


def on_the_way(it, rng):
    """A few steps under inputs that are not zero; prescribed motions stay what they are."""
    told = ("base.", "a.q")
    inputs = [n for n in it.library.names("input") if not n.startswith(told)]
    values = dict(zip(inputs, rng.uniform(-1, 1, size=len(inputs)), strict=True))
    assert it.set(values) == OK
    for k in range(5):
        assert it.step(0.01 * k, 0.01) == OK, it.recorder.messages
    return it


def assert_close(found, expected, names):
    """Central differences of numbers of that size are good for 1e-6 of them."""
    size = 1.0 + np.abs(expected).max()
    for name, a, b in zip(names, found, expected, strict=True):
        assert abs(a - b) <= 1e-6 * size, (name, a, b)


def try_directional(it, unknown, given):
    return it.call(
        "fmi2GetDirectionalDerivative",
        it.references([unknown]),
        1,
        it.references([given]),
        1,
        reals([1.0]),
        reals([0.0]),
    )


def test_outputs_along_inputs(library, new):
    rng = np.random.default_rng(1)
    it = on_the_way(new(library).start(), rng)
    names, inputs = outputs_of(library), library.names("input")
    # quaternions among the inputs would leave length 1
    inputs = [n for n in inputs if ".quat." not in n]
    now = dict(zip(inputs, it.get(inputs), strict=True))
    seeds = dict(zip(inputs, rng.normal(size=len(inputs)), strict=True))
    found = directional(it, names, seeds)
    h, sides = 1e-5, []
    for sign in (1.0, -1.0):
        assert it.set({n: now[n] + sign * h * seeds[n] for n in inputs}) == OK
        sides.append(np.array(it.get(names)))
    if "a.q" in inputs:  # a loop follows its crank: x changes, too, which is another derivative
        return
    assert_close(found, (sides[0] - sides[1]) / (2 * h), names)


def direction_of_states(it, rng):
    """Any direction; with constraints, along the motion: it stays on them."""
    has_rows = any(name.startswith(QUALITY) for name in it.library.names("output"))
    return it.derivatives() if has_rows else rng.normal(size=it.n)


def test_outputs_and_derivatives_along_states(library):
    rng = np.random.default_rng(2)
    it = Exchange(library).run()
    told = ("base.", "a.q")
    inputs = [n for n in library.names("input") if not n.startswith(told)]
    assert it.set(dict(zip(inputs, rng.uniform(-1, 1, size=len(inputs)), strict=True))) == OK
    names = [*outputs_of(library), *it.rates]
    x, d = it.x, direction_of_states(it, rng)
    found = directional(it, names, dict(zip(it.states, d, strict=True)))
    h, sides = 1e-6 / np.abs(d).max(), []
    for sign in (1.0, -1.0):
        it.x = x + sign * h * d
        sides.append(np.array(it.get(names)))
    it.free()
    assert_close(found, (sides[0] - sides[1]) / (2 * h), names)


def test_derivatives_of_the_motion_beside_the_constraints(library_of):
    """The Jacobian an integrator sees: every state, also off the constraints, with feedback."""
    rng = np.random.default_rng(3)
    shapes = mechanisms.four_bar(), mechanisms.disc(), mechanisms.loop(stabilization="baumgarte")
    for table in shapes:
        library = library_of(table)
        it = Exchange(library).run()
        x = it.x
        for _ in range(3):
            d = rng.normal(size=it.n)
            found = directional(it, it.rates, dict(zip(it.states, d, strict=True)))
            h, sides = 1e-6, []
            for sign in (1.0, -1.0):
                it.x = x + sign * h * d
                sides.append(it.derivatives())
            it.x = x
            assert_close(found, (sides[0] - sides[1]) / (2 * h), it.rates)
        it.free()


# ---- While initializing: along parameters and inputs

# What is set, and start values that have no effect: others that are given settle them already.
STARTS = {
    "chain": ({"shoulder.q_start": 0.4}, ()),
    "flyer": ({"fly.q_start.w": 0.8, "fly.q_start.y": 0.6, "fly.w_start.x": 0.3}, ()),
    "riding": ({"base.w.x": 1.0, "base.v.x": 0.4, "base.a.y": 0.3, "shoulder.qd_start": 0.2}, ()),
    # one freedom: the crank is given, the others follow
    "loop": (
        {"a.q_start": 0.4, "span": 2.1},
        ("d.q_start", "c.q_start", "d.qd_start", "c.qd_start"),
    ),
    # nothing is given: a start value counts as given along its own direction
    "four_bar": ({}, ("d.qd_start", "c.qd_start")),
    "told_crank": (
        {"a.q": 0.3, "a.qd": 0.5, "span": 2.1},
        ("d.q_start", "c.q_start", "d.qd_start", "c.qd_start"),
    ),
    "timed": ({"push": 2.0, "elbow.qd_start": 0.2}, ()),
    "timed_crank": (
        {"span": 2.1},
        ("d.q_start", "c.q_start", "d.qd_start", "c.qd_start", "b.q_start", "b.qd_start"),
    ),
    # the floor is further up: the disc is lifted and turned by the least motion, from afar
    "rolling": ({"radius": 0.35, "disc_free.q_start.w": 0.96, "disc_free.q_start.x": 0.28}, ()),
}


def starting(new, library, settings):
    it = new(library)
    assert (it.setup(), it.enter(), it.set(settings)) == (OK, OK, OK), it.recorder.messages
    return it


def differences(new, library, settings, known, names, h=1e-6):
    """Central differences of starts that are assembled anew."""
    value = starting(new, library, settings).one(known)
    below, above = (
        np.array(starting(new, library, settings | {known: value + step}).get(names))
        for step in (-h, h)
    )
    return (above - below) / (2 * h)


@pytest.mark.parametrize("shape", STARTS)
def test_what_is_unknown_at_the_start_along_what_is_known(shape, library_of, new):
    """Outputs, states and their derivatives, of a start that is assembled anew each time."""
    settings, settled = STARTS[shape]
    library = library_of(SHAPE_OF[shape]())
    it = starting(new, library, settings)
    names = [n for n in library.names("output", "local") if not n.startswith(QUALITY)]
    for known in library.names("parameter", "input"):
        found = directional(it, names, {known: 1.0})
        if known in settled:
            assert np.abs(found).max() < 1e-9, known
            continue
        assert_close(found, differences(new, library, settings, known, names), names)


@pytest.mark.parametrize("reach", [1.05, 2.5])
def test_the_way_of_assembly_counts_also_where_its_steps_are_cut_short(reach, library_of, new):
    """A rod of another length: the body turns and moves by the least motion, from near and afar."""
    library, settings = library_of(mechanisms.tethered()), {"reach": reach}
    it = starting(new, library, settings)
    names = [n for n in library.names("output", "local") if not n.startswith(QUALITY)]
    for known in ("reach", "hull_mass", "fly.w_start.x"):
        found = directional(it, names, {known: 1.0})
        assert_close(found, differences(new, library, settings, known, names), names)
    assert np.abs(directional(it, ["hull.com.x"], {"hull_mass": 1.0})) > 1e-6


@pytest.mark.parametrize(
    ("shape", "settings", "known"),
    [
        ("loop", {"a.qd_start": 0.0}, "d.qd_start"),
        ("rolling", {}, "disc_free.w_start.y"),
        ("rolling", {}, "disc_free.r_start.z"),
    ],
)
def test_a_start_value_that_contradicts_others_makes_them_give_way(
    shape, settings, known, library_of, new
):
    """Not by less than rounding may: differences must be larger, and so are their errors."""
    library = library_of(getattr(mechanisms, shape)())
    it = starting(new, library, settings)
    names = [n for n in library.names("local") if not n.startswith("der")]
    found = directional(it, names, {known: 1.0})
    assert_close(found, differences(new, library, settings, known, names, h=1e-3), names)


def test_a_direction_of_many_parameters_is_the_sum_of_its_parts(library_of, new):
    library = library_of(mechanisms.four_bar())
    it = starting(new, library, {})
    names, rng = library.names("output", "local"), np.random.default_rng(6)
    knowns = library.names("parameter", "input")
    seeds = dict(zip(knowns, rng.normal(size=len(knowns)), strict=True))
    whole = directional(it, names, seeds)
    parts = sum(directional(it, names, {known: seed}) for known, seed in seeds.items())
    assert np.abs(whole - parts).max() < 1e-9 * (1.0 + np.abs(whole).max())


def test_states_are_unknown_at_the_start_and_parameters_are_not_known_later(double_pendulum, new):
    it = starting(new, double_pendulum, {})
    state, rate = double_pendulum.names("local")[0], double_pendulum.names("local")[-1]
    assert directional(it, [state], {"shoulder.q_start": 2.0}) == [2.0]
    for unknown, given, text in (
        (rate, state, f"{state} is neither input nor parameter"),
        ("arm_mass", "shoulder.tau", "arm_mass is neither output nor state nor derivative"),
    ):
        assert try_directional(it, unknown, given) == ERROR
        assert text in it.recorder.texts()[-1]
    assert it.leave() == OK
    for unknown, given, text in (
        (rate, "arm_mass", "arm_mass is neither input nor state"),
        (state, "shoulder.tau", f"{state} is neither output nor derivative"),
    ):
        assert try_directional(it, unknown, given) == ERROR
        assert text in it.recorder.texts()[-1]


# ---- In time


def test_first_derivatives_of_outputs_in_time(library, new):
    rng = np.random.default_rng(4)
    it = on_the_way(new(library).start(), rng)
    names = outputs_of(library)
    rates = output_rates(it, names)
    before = np.array(it.get(names))
    h = 1e-6
    assert it.step(0.05, h) == OK
    # one-sided: an error of h times the second derivative
    found = (np.array(it.get(names)) - before) / h
    size = 1.0 + np.abs(rates).max()
    assert np.abs(found - rates).max() < 1e-3 * size


def test_second_derivatives_of_positions_are_exact(library, new):
    """The derivative of the first one, by differences of it."""
    rng = np.random.default_rng(5)
    it = on_the_way(new(library).start(), rng)
    names = [n for n in outputs_of(library) if ".r." in n or ".com." in n or ".quat." in n]
    second = output_rates(it, names, order=2)
    first = output_rates(it, names)
    h = 1e-6
    assert it.step(0.05, h) == OK
    found = (output_rates(it, names) - first) / h
    assert np.abs(found - second).max() < 1e-3 * (1.0 + np.abs(second).max())


def test_the_acceleration_of_a_falling_body_is_that_of_gravity(library_of, new):
    it = new(library_of(mechanisms.flyer())).start()
    assert it.step(0.0, 0.1) == OK
    g = output_rates(it, ["hull.com.x", "hull.com.y", "hull.com.z"], order=2)
    assert np.abs(g - [0, 0, -9.81]).max() < 1e-12


@pytest.mark.parametrize(
    ("names", "orders", "text"),
    [
        (["shoulder.qdd"], [2], "order 2 of shoulder.qdd; there are 1 for all outputs and 2 for"),
        (["shoulder.q"], [3], "order 3 of shoulder.q"),
        (["shoulder.q"], [0], "order 0 of shoulder.q"),
        (["shoulder.tau"], [1], "shoulder.tau is no output"),
    ],
)
def test_other_orders_and_variables_are_refused(names, orders, text, double_pendulum, new):
    it = new(double_pendulum).start()
    arguments = (it.references(names), 1, integers(orders), reals([0.0]))
    assert it.call("fmi2GetRealOutputDerivatives", *arguments) == ERROR
    assert text in it.recorder.texts()[-1]
