"""What mechanics does with symbols is what it does with numbers, and no operation is done twice."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.export.tape import Tape, Traced
from mbd_fmu.mechanics.passes import each
from mbd_fmu.options import CODES, KERNELS, STRAIGHT

BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.7, 2, np.float64(0.0), np.float64(1.5))
FUNCTIONS = (
    *(np.sqrt, np.exp, np.log, np.sin, np.cos, np.tan, np.tanh),
    *(np.arcsin, np.arccos, np.arctan, np.abs),
)
AT = (0.3, 0.8)


def value(function, code=STRAIGHT):
    """Carry a function of two symbols out: written down first, then in numbers."""
    recorder = Recorder(code)
    xy = recorder.tape.symbols(2)
    with recorder.tape.listening():
        found = np.atleast_1d(np.array(function(*xy), dtype=object))
    return evaluator(recorder.routine("f", {"xy": xy}, {"y": found}))(AT)


@pytest.mark.parametrize("operation", BINARY)
def test_two_symbols_give_what_numbers_give(operation):
    assert value(operation) == pytest.approx(operation(*AT), rel=1e-15)
    expected = operation(AT[0] * AT[1], AT[1])
    assert value(lambda x, y: operation(x * y, y)) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("operation", BINARY)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_on_either_side_gives_what_numbers_give(operation, number):
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = operation(np.float64(AT[0]), number), operation(number, np.float64(AT[0]))
    if np.isfinite(expected[0]):
        assert value(lambda x, _: operation(x, number)) == pytest.approx(expected[0], rel=1e-15)
    if isinstance(expected[1], float) and np.isfinite(expected[1]):
        assert value(lambda x, _: operation(number, x)) == pytest.approx(expected[1], rel=1e-15)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_of_numpy_work_on_arrays_of_symbols(function):
    found = value(lambda x, y: function(np.array([x, y], dtype=object)))
    assert found == pytest.approx(function(AT), rel=1e-15)


def test_signs():
    assert value(lambda x, _: -x) == -AT[0]
    assert value(lambda x, _: +x) == AT[0]


def test_what_is_known_to_be_a_number_is_one():
    (x,) = Tape().symbols(1)
    for zero in (x * 0.0, 0.0 * x, x - x, 0.0 / x):
        assert not isinstance(zero, Traced)
        assert zero == 0.0
    for same in (x * 1.0, 1.0 * x, x + 0.0, 0.0 + x, x - 0.0, x / 1.0, -1.0 * -x):
        assert same.node == x.node


def test_no_operation_is_written_twice():
    tape = Tape()
    x, y = tape.symbols(2)
    assert (x * y + 2.0) is (x * y + 2.0)
    assert len(tape.names) == 2 + 3  # x * y, the number, the sum


def test_an_array_is_not_swallowed_by_a_symbol():
    (x,) = Tape().symbols(1)
    with pytest.raises((TypeError, ValueError)):
        x * np.ones(3)
    with pytest.raises((TypeError, ValueError)):
        np.ones(3) * x


# --- Pieces of work ---


def chain(n, numbers):
    """Return a recurrence with a number of its own at each item: there and back."""

    def run(x):
        out = [x[0]]
        for i in each(range(n)):
            out.append(np.sin(np.array([out[-1] * numbers[i] + x[i]]))[0])
        total = 0.0
        for i in each(reversed(range(n))):
            total = total * out[i] + numbers[i]
        return np.array([out[-1], total], dtype=object)

    return run


def recorded(n, code):
    numbers = np.linspace(0.3, 0.7, n)
    recorder = Recorder(code)
    x = recorder.tape.symbols(n)
    with recorder.tape.listening():
        y = chain(n, numbers)(x)
    expected = chain(n, numbers)(np.linspace(-1, 1, n))
    program = recorder.routine("f", {"x": x}, {"y": y})
    assert evaluator(program)(np.linspace(-1, 1, n)) == pytest.approx(
        expected.astype(float), rel=1e-13
    )
    return program


@pytest.mark.parametrize("code", CODES)
def test_pieces_of_work_give_the_numbers_of_the_text(code):
    recorded(7, code)


def test_code_of_kernels_does_not_grow_with_the_items():
    few, many = (recorded(n, KERNELS) for n in (10, 300))
    kinds = [{call.kernel for call in program.calls} for program in (few, many)]
    assert len(kinds[0]) == len(kinds[1])
    assert len(many.calls) - len(few.calls) == 2 * 290


def test_passes_in_one_direction_are_done_in_one():
    recorder = Recorder(KERNELS)
    x = recorder.tape.symbols(4)
    with recorder.tape.listening():
        first = [x[i] * 2.0 for i in each(range(4))]
        second = [first[i] + x[i] for i in each(range(4))]
        third = [second[3] * second[i] for i in each(range(4))]  # takes what the last one makes
    calls = recorder.routine("f", {"x": x}, {"y": np.array(third, dtype=object)}).calls
    assert len(calls) == 8


def test_a_pass_inside_the_work_of_another_has_pieces_of_its_own():
    recorder = Recorder(KERNELS)
    x = recorder.tape.symbols(3)
    with recorder.tape.listening():
        y = []
        for i in each(range(3)):
            inner = x[i] * 2.0
            for k in each(range(3)):
                inner = inner * x[k] + 0.5
            y.append(inner - x[i])
    program = recorder.routine("f", {"x": x}, {"y": np.array(y, dtype=object)})
    at = np.array([0.2, 0.5, 0.7])
    expected = [(((2 * a * at[0] + 0.5) * at[1] + 0.5) * at[2] + 0.5) - a for a in at]
    assert evaluator(program)(at) == pytest.approx(expected, rel=1e-15)
