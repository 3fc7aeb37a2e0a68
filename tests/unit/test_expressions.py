"""Arithmetic of parameters: what Python's arithmetic gives, and nothing more than arithmetic."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from mbd_fmu.quantities.expressions import (
    FUNCTIONS,
    REDUCTIONS,
    RESERVED,
    ExpressionError,
    parse,
    value_of,
)
from mbd_fmu.quantities.scope import Scope

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


CALLS = {name: f"{name}(L2)" for name, function in FUNCTIONS.items() if function.most == 1}
CALLS |= {"atan2": "atan2(L2, -m1)", "min": "min(L2, m1, 3)", "max": "max(L2, m1)"}
CALLS |= {"smooth_step": "smooth_step(L2, m1, 1.5)"}
IN_MATH = {name: getattr(math, name, None) for name in FUNCTIONS} | {
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x),
    "unit_step": lambda x: float(x >= 0),
}
OF_SEVERAL = {
    "atan2": math.atan2(0.75, -0.5),
    "min": 0.5,
    "max": 0.75,
    "smooth_step": 10 * 0.25**3 - 15 * 0.25**4 + 6 * 0.25**5,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_those_of_mathematics(name):
    expected = OF_SEVERAL[name] if name in OF_SEVERAL else IN_MATH[name](0.75)
    assert value(CALLS[name]) == pytest.approx(expected, rel=1e-15)


def test_steps_and_signs_are_what_they_are_at_their_edges():
    assert [value(f"sign({x})") for x in (-2, 0, 3)] == [-1, 0, 1]
    assert [value(f"unit_step({x})") for x in (-1e-300, 0, 3)] == [0, 1, 1]
    assert [value(f"smooth_step({x}, 1, 2)") for x in (0, 1, 1.5, 2, 3)] == [0, 0, 0.5, 1, 1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_symbols_give_what_numbers_give(name, on_tape):
    expression = parse(f"{CALLS[name]}*m1**2 - pi", KNOWN)

    def function(p):
        return np.array([expression.value({"L2": p[0], "m1": p[1]})])

    assert_allclose(on_tape(function, [0.75, 0.5]), [value(expression.text)], rtol=1e-14)


def test_numbers_stay_what_they_are():
    assert value_of(2.5, {}) == 2.5
    assert value_of(parse("2*L1", KNOWN), {"L1": 3.0}) == 6.0


def test_an_expression_knows_the_parameters_it_needs():
    assert parse("m1*sin(L1) + pi*m1", KNOWN).names == {"m1", "L1"}


def test_expressions_of_one_text_are_equal():
    assert parse("m1*L1", KNOWN) == parse("m1*L1", KNOWN)


def test_functions_and_constants_are_reserved_names():
    assert {"pi", *FUNCTIONS, *REDUCTIONS} == RESERVED


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
        "sin(x=1)",
        "sin(*m1)",
        "m1.sin(1)",
    ],
)
def test_more_than_arithmetic_is_refused_with_what_there_is(text):
    assert error_of(text) == (
        f'"{text}" is more than arithmetic; '
        "use numbers, parameters, + - * / ** and abs, acos, asin, atan, atan2, cos, exp, log, max, "
        "min, sign, sin, smooth_step, sqrt, tan, tanh, unit_step"
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
            "known: abs, acos, asin, atan, atan2, cos, exp, log, max, min, sign, sin, smooth_step, "
            "sqrt, tan, tanh, unit_step",
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sin(1, 2)", 'sin takes 1 argument, in "sin(1, 2)" 2; write sin(x)'),
        ("sin()", 'sin takes 1 argument, in "sin()" 0; write sin(x)'),
        ("atan2(m1)", 'atan2 takes 2 arguments, in "atan2(m1)" 1; write atan2(y, x)'),
        ("min(m1)", 'min takes 2 arguments or more, in "min(m1)" 1; write min(x, y, …)'),
    ],
)
def test_a_function_says_how_many_arguments_it_takes(text, expected):
    assert error_of(text) == expected


def test_names_with_dots_are_taken_only_where_they_are_asked_for():
    scope = Scope(set(KNOWN))
    law = scope.read("2*crank.q + ball.q[2]*m1 - arm.w.x", dotted=True)
    assert law.names == {"crank.q", "ball.q[2]", "m1", "arm.w.x"}
    values = {"crank.q": 1.0, "ball.q[2]": 2.0, "arm.w.x": 3.0, "m1": 0.5}
    assert law.value(values) == 0.0
    for text in ("crank.q[m1]", "(m1 + 1).q", "crank.q()", "crank.q[1:2]"):
        with pytest.raises(ExpressionError, match="is more than arithmetic"):
            scope.read(text, dotted=True)
    with pytest.raises(ExpressionError, match='no parameter "crank"'):
        scope.read("crank[1]", dotted=True)
    with pytest.raises(ExpressionError, match="is more than arithmetic"):
        scope.read("crank.q")


def test_names_with_dots_may_be_words_of_python():
    law = Scope(set(KNOWN)).read("in.q*m1 - rod.lambda[1] + ball . q[ 2 ]", dotted=True)
    assert law.names == {"in.q", "m1", "rod.lambda[1]", "ball.q[2]"}
    values = {"in.q": 3.0, "m1": 2.0, "rod.lambda[1]": 5.0, "ball.q[2]": 0.25}
    assert law.value(values) == 1.25


def test_a_component_of_a_vector_is_no_name_with_a_dot():
    scope = Scope()
    scope.add_vector("hub", (1.0, "hub[2]"))
    law = scope.read("hub.q*hub[2] + hub[1]", dotted=True)
    assert law.names == {"hub.q", "hub[2]"}
    assert law.value({"hub.q": 3.0, "hub[2]": 2.0}) == 7.0


def test_in_local_frames_a_joint_is_no_point_of_its_name():
    scope = Scope(is_local=True)
    scope.add_point("a", (1.0, 2.0, 3.0), "rod")
    scope.add_point("b", (4.0, 5.0, 6.0), "crank")
    assert scope.read("a.q*b[1]", dotted=True).names == {"a.q"}
    with pytest.raises(ExpressionError, match='"a" is a point of "rod", "b" of "crank"'):
        scope.read("a.q*b[1]*a[1]", dotted=True)


@pytest.mark.parametrize("dotted", [False, True])
def test_nothing_of_a_text_is_left_out(dotted):
    with pytest.raises(ExpressionError) as error:
        Scope(set(KNOWN)).read("m1 # + L1", dotted=dotted)
    assert str(error.value) == '"m1 # + L1": what follows # would be left out; take it out'


@pytest.mark.parametrize("text", ["crank.q + ", "_0*crank.q + sine(1)", "crank.q*2q"])
def test_texts_with_dotted_names_are_quoted_as_they_were_written(text):
    with pytest.raises(ExpressionError) as error:
        Scope({"_0"}).read(text, dotted=True)
    assert f'"{text}"' in error.value.found
