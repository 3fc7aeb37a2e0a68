"""Derivatives of programs: along directions, backward and all at once; each checks the others."""

from __future__ import annotations

import numpy as np
import pytest

from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.mechanics.passes import each
from mbd_fmu.options import KERNELS, STRAIGHT

N = 6
STEP = 1e-5  # of central differences: their error is about STEP**2, and rounding 1e-16 / STEP
DIFFERENCES = 1e-8


def text(x, p):
    """Return a recurrence that branches, its end shared by others."""
    a = [x[0] * p[0]]
    for i in each(range(1, N)):
        a.append(np.sin(np.array([a[i - 1] * x[i] + p[i % 2]]))[0] + a[i // 2])
    y = [0.0] * N
    for i in each(reversed(range(N))):
        y[i] = a[i] * x[i] - (y[i + 1] * a[i] if i + 1 < N else 0.0)
    return np.array([*y, x[2], 3.5, p[0]], dtype=object)


@pytest.fixture(params=[STRAIGHT, KERNELS])
def recorded(request):
    recorder = Recorder(request.param)
    x, p = recorder.tape.symbols(N), recorder.tape.symbols(2)
    with recorder.tape.listening():
        y = text(x, p)
    return recorder.calculus, recorder.routine("f", {"x": x, "p": p}, {"y": y})


@pytest.fixture
def at():
    rng = np.random.default_rng(1)
    return [rng.normal(size=n) for n in (N, 2, N, 2)]


def test_tangents_are_differences(recorded, at):
    calculus, program = recorded
    x, p, dx, dp = at
    f = evaluator(program)
    assert f(x, p) == pytest.approx(text(x, p).astype(float), rel=1e-14)
    change = evaluator(calculus.tangent(program, {"x": "dx", "p": "dp"}))(x, p, dx, dp)
    ahead, behind = (f(x + h * dx, p + h * dp) for h in (STEP, -STEP))
    assert np.abs(change - (ahead - behind) / (2.0 * STEP)).max() < DIFFERENCES


def test_only_what_is_named_changes(recorded, at):
    calculus, program = recorded
    x, p, dx, dp = at
    whole = evaluator(calculus.tangent(program, {"x": "dx", "p": "dp"}))
    part = evaluator(calculus.tangent(program, {"p": "dp"}))
    assert part(x, p, dp) == pytest.approx(whole(x, p, 0.0 * dx, dp), rel=1e-14)


def test_a_gradient_is_the_transpose_of_the_tangents(recorded, at):
    """w . (A dx) = (A^T w) . dx for any w and dx."""
    calculus, program = recorded
    x, p, dx, _ = at
    w = np.random.default_rng(2).normal(size=len(program.results["y"]))
    change = evaluator(calculus.tangent(program, {"x": "dx"}))(x, p, dx)
    gradient = evaluator(calculus.gradient(program, {"y": "w"}, by="x"))(x, p, w)
    assert gradient @ dx == pytest.approx(w @ change, rel=1e-12)


def test_tangents_of_tangents_are_symmetric(recorded, at):
    calculus, program = recorded
    x, p, dx, _ = at
    other = np.random.default_rng(3).normal(size=N)
    once = calculus.tangent(program, {"x": "dx"})
    twice = evaluator(calculus.tangent(once, {"x": "ex"}))
    assert twice(x, p, dx, other) == pytest.approx(twice(x, p, other, dx), rel=1e-11, abs=1e-13)


def test_a_jacobian_has_tangents_for_columns(at):
    recorder = Recorder(STRAIGHT)
    symbols, other = recorder.tape.symbols(N), recorder.tape.symbols(2)
    program = recorder.routine("f", {"x": symbols, "p": other}, {"y": text(symbols, other)})
    x, p, _, dp = at
    whole = evaluator(recorder.calculus.jacobian(program, "x", {"p": "dp"}))(x, p, dp)
    along = evaluator(recorder.calculus.tangent(program, {"x": "dx", "p": "dp"}))
    columns = [along(x, p, unit, 0.0 * dp) for unit in np.eye(N)]
    expected = np.stack([*columns, along(x, p, np.zeros(N), dp)], axis=1)
    assert whole.reshape(expected.shape) == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_arguments_that_are_read_from_others_are_one(recorded, at):
    calculus, program = recorded
    x, p, _, _ = at
    once = calculus.tangent(program, {"x": "dx"})
    squared = once.bound("g", ("x", "p"), {"dx": "x"})
    found = evaluator(calculus.simplified(squared))(x, p)
    assert found == pytest.approx(evaluator(once)(x, p, x), rel=1e-13)
