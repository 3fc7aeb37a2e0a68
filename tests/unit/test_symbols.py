"""What mechanics calculates with are CasADi's symbols: the same expressions, by the same names."""

from __future__ import annotations

import operator

import casadi as ca
import numpy as np
import pytest

from mbd_fmu.export.casadi_door import column, entries, evaluator, is_there

BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.7, 2, np.float64(0.0), np.float64(1.5))
FUNCTIONS = {
    np.sqrt: ca.sqrt,
    np.exp: ca.exp,
    np.log: ca.log,
    np.sin: ca.sin,
    np.cos: ca.cos,
    np.tan: ca.tan,
    np.tanh: ca.tanh,
    np.arcsin: ca.asin,
    np.arccos: ca.acos,
    np.arctan: ca.atan,
    np.abs: ca.fabs,
}


@pytest.fixture
def xy():
    """Two symbols, of CasADi and as mechanics takes them."""
    symbol = ca.SX.sym("xy", 2)
    return symbol, entries(symbol)


def same(entry, expected):
    """Whether an expression of ours is CasADi's, operation by operation."""
    found = column(np.array([entry], dtype=object))
    return ca.is_equal(found, ca.SX(expected), 100)


@pytest.mark.parametrize("operation", BINARY)
def test_two_symbols_give_what_casadi_gives(operation, xy):
    (x, y), (a, b) = ca.vertsplit(xy[0]), xy[1]
    assert same(operation(a, b), operation(x, y))
    assert same(operation(a * b, b), operation(x * y, y))


@pytest.mark.parametrize("operation", BINARY)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_on_either_side_gives_what_casadi_gives(operation, number, xy):
    x, a = xy[0][0], xy[1][0]
    assert same(operation(a, number), operation(x, float(number)))
    assert same(operation(number, a), operation(float(number), x))


@pytest.mark.parametrize("operation", BINARY[:3])
def test_zeros_that_were_computed_are_zeros(operation, xy):
    x, a = xy[0][0], xy[1][0]
    zero = a * 0.0
    for one, other in ((zero, a), (a, zero), (zero, zero), (zero, 2.5), (2.5, zero)):
        plain = [{zero: ca.SX(0), a: x}.get(k, k) for k in (one, other)]
        assert same(operation(one, other), operation(*plain))
    assert is_there(np.array([[zero, a, 0.0, 1.0, a - a]], dtype=object)).tolist() == [
        [False, True, False, True, False]
    ]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_of_numpy_are_those_of_casadi(function, xy):
    x, a = xy[0][0], xy[1][0]
    assert same(function(np.array([a], dtype=object))[0], FUNCTIONS[function](x))
    value = evaluator([xy[0]], column(function(xy[1])))([0.3, 0.8])
    assert value == pytest.approx(function([0.3, 0.8]), rel=1e-15)


def test_signs(xy):
    x, a = xy[0][0], xy[1][0]
    assert same(-a, -x)
    assert same(+a, x)
    assert same(-(a * 0.0), 0.0)


def test_an_array_is_not_swallowed_by_a_symbol(xy):
    with pytest.raises(TypeError):
        xy[1][0] * np.ones(3)
    with pytest.raises(TypeError):
        np.ones(3) * xy[1][0]
