"""Arithmetic of parameters: what Python's arithmetic gives, and nothing more than arithmetic."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from mbd_fmu.quantities.expressions import FUNCTIONS, RESERVED, ExpressionError, parse, value_of

law = settings(derandomize=True, deadline=None)
VALUES = {"m1": 0.5, "L1": 1.25, "L2": 0.75}
KNOWN = frozenset(VALUES)


def value(text):
    return parse(text, KNOWN).value(VALUES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("m1*L1**2/12", 0.5 * 1.25**2 / 12),
        ("  L1 + L2 ", 2.0),
        ("-2**2", -4.0),
        ("2**3**2", 512.0),
        ("(L1 - L2)/2", 0.25),
        ("+1e-3", 1e-3),
        ("7/2", 3.5),
        ("2*pi", 2 * math.pi),
        ("sqrt(L1**2 + L2**2)", math.hypot(1.25, 0.75)),
    ],
)
def test_an_expression_has_the_value_of_its_arithmetic(text, expected):
    assert value(text) == pytest.approx(expected, rel=1e-15)


terms = st.recursive(
    st.sampled_from([*VALUES, "2", "0.5", "1e-1"]),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner)
        | st.builds("-{}".format, inner)
    ),
    max_leaves=8,
)


@law
@given(terms)
def test_an_expression_means_what_python_means_by_it(text):
    try:
        expected = eval(text, {}, VALUES)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            value(text)
    else:
        assert value(text) == expected


IN_MATH = {name: getattr(math, name) for name in FUNCTIONS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_those_of_mathematics(name):
    assert value(f"{name}(L2)") == pytest.approx(IN_MATH[name](0.75), rel=1e-15)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_symbols_give_what_numbers_give(name, on_symbols):
    expression = parse(f"{name}(L2)*m1**2 - pi", KNOWN)

    def function(p):
        return np.array([expression.value({"L2": p[0], "m1": p[1]})])

    assert_allclose(on_symbols(function, [0.75, 0.5]), [value(expression.text)], rtol=1e-14)


def test_numbers_stay_what_they_are():
    assert value_of(2.5, {}) == 2.5
    assert value_of(parse("2*L1", KNOWN), {"L1": 3.0}) == 6.0


def test_an_expression_knows_the_parameters_it_needs():
    assert parse("m1*sin(L1) + pi*m1", KNOWN).names == {"m1", "L1"}


def test_expressions_of_one_text_are_equal():
    assert parse("m1*L1", KNOWN) == parse("m1*L1", KNOWN)


def test_functions_and_constants_are_reserved_names():
    assert {"pi", *FUNCTIONS} == RESERVED


def error_of(text):
    with pytest.raises(ExpressionError) as caught:
        parse(text, KNOWN)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "m1.real",
        "().__class__",
        "lambda: 1",
        "[1][0]",
        "(m1 := 1)",
        "1 if m1 else 2",
        "m1 < 2",
        "not m1",
        "5 // 2",
        "5 % 2",
        "2 ^ 3",
        "'text'",
        "True",
        "2j",
        "sin(1, 2)",
        "sin(x=1)",
        "sin(*m1)",
        "m1.sin(1)",
    ],
)
def test_more_than_arithmetic_is_refused_with_what_there_is(text):
    assert error_of(text) == (
        f'"{text}" is more than arithmetic; '
        "use numbers, parameters, + - * / ** and acos, asin, atan, cos, exp, log, sin, sqrt, tan"
    )


@pytest.mark.parametrize("text", ["", "1 +", "m1 m1", "1; 2", "2x", "import os", "m1 = 3", "1\0"])
def test_what_does_not_parse_is_refused_with_an_example(text):
    assert error_of(text) == (
        f'"{text}" is no expression; write arithmetic, for example "m1*L1**2/12"'
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mm1*L1", 'no parameter "mm1" in "mm1*L1"; did you mean "m1"?'),
        ("width", 'no parameter "width" in "width"; known: L1, L2, m1'),
        ("sin", 'no parameter "sin" in "sin"; known: L1, L2, m1'),
        ("sqr(L1)", 'no function "sqr" in "sqr(L1)"; did you mean "sqrt"?'),
        (
            "__import__('os')",
            """no function "__import__" in "__import__('os')"; """
            "known: acos, asin, atan, cos, exp, log, sin, sqrt, tan",
        ),
    ],
)
def test_unknown_names_are_refused_with_the_nearest_known_one(text, message):
    assert error_of(text) == message


def test_nothing_is_run_while_an_expression_is_refused(tmp_path):
    trace = tmp_path / "trace"
    error_of(f"open({str(trace)!r}, 'w')")
    assert not trace.exists()


@pytest.mark.parametrize("text", ["-" * 5000 + "1", "(" * 300 + "1" + ")" * 300])
def test_a_text_too_deep_for_the_parser_is_refused_in_words(text):
    assert "; " in error_of(text)


def test_whole_numbers_are_numbers_to_functions_too():
    assert parse("sin(L1)", KNOWN).value({"L1": 1}) == pytest.approx(math.sin(1))
