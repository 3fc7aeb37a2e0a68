"""Vector arithmetic in texts: what NumPy makes of the same vectors, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from mbd_fmu.quantities.expressions import Expression, ExpressionError, value_of
from mbd_fmu.quantities.scope import Scope

law = settings(derandomize=True, deadline=None)
VECTORS = {"a": np.array([1.0, -2.0, 0.5]), "b": np.array([0.25, 3.0, -1.0])}
PAIR = np.array([4.0, 7.0])
NUMBERS = {"s": 1.75, "t": -0.5}
VALUES = NUMBERS | {f"{n}[{k + 1}]": x for n, v in VECTORS.items() for k, x in enumerate(v)}
VALUES |= {"pair[1]": 4.0, "pair[2]": 7.0}


@pytest.fixture
def scope():
    it = Scope()
    for name in NUMBERS:
        it.add_scalar(name)
    for name in VECTORS:
        it.add_vector(name, tuple(f"{name}[{k}]" for k in (1, 2, 3)))
    it.add_vector("pair", ("pair[1]", "pair[2]"))
    it.add_point("corner", (1.0, 2.0, 3.0), "rod")
    return it


def value(scope, text):
    found = scope.read(text)
    if isinstance(found, Expression):
        return found.value(VALUES)
    return np.array([value_of(x, VALUES) for x in found])


def expected(text):
    named = {**VECTORS, **NUMBERS, "pair": PAIR, "corner": np.array([1.0, 2.0, 3.0])}
    return eval(text, {"norm": np.linalg.norm, "dot": np.dot, "array": np.array}, named)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("a", "a"),
        ("-a + b", "-a + b"),
        ("(a + b)/2", "(a + b)/2"),
        ("s*a - b*t", "s*a - b*t"),
        ("a + [0, s, 0.1]", "a + array([0, s, 0.1])"),
        ("corner - a*norm(b)", "corner - a*norm(b)"),
        ("a[2]", "a[1]"),
        ("s*pair[1]", "s*pair[0]"),
        ("norm(a - b)", "norm(a - b)"),
        ("dot(a, b)/norm(pair)", "dot(a, b)/norm(pair)"),
        ("[norm(a), dot(a, b), 1]", "array([norm(a), dot(a, b), 1])"),
    ],
)
def test_a_text_means_what_numpy_means_by_it(scope, text, python):
    assert_allclose(value(scope, text), expected(python), rtol=1e-15)


vectors = st.recursive(
    st.sampled_from([*VECTORS, "[s, 2, t]", "corner"]),
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from("+-"), inner)
        | st.builds("(s * {})".format, inner)
        | st.builds("({} / t)".format, inner)
        | st.builds("(-{})".format, inner)
    ),
    max_leaves=8,
)


@law
@given(vectors)
def test_components_are_those_of_whole_vectors(text):
    it = Scope()
    for name in NUMBERS:
        it.add_scalar(name)
    for name in VECTORS:
        it.add_vector(name, tuple(f"{name}[{k}]" for k in (1, 2, 3)))
    it.add_point("corner", (1.0, 2.0, 3.0), "rod")
    # the same operations in the same order
    python = text.replace("[s, 2, t]", "array([s, 2, t])")
    assert value(it, text).tolist() == (expected(python) + np.zeros(3)).tolist()


def test_what_names_nothing_open_is_a_number(scope):
    assert scope.read("(corner + [1, 0, 1])/2") == (1.0, 1.0, 2.0)
    assert scope.read("corner + [s, 0, 0]")[1:] == (2.0, 3.0)


def test_components_can_be_read_again(scope):
    for part in scope.read("(a + b)/2 - s*[1, norm(a), 2]"):
        assert scope.read(part.text).value(VALUES) == part.value(VALUES)


NAMES = "a, b, corner, pair, s, t"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("c", f'no parameter or point "c" in "c"; known: {NAMES}'),
        ("cornr + a", 'no parameter or point "cornr" in "cornr + a"; did you mean "corner"?'),
        ("a + pair", '"a + pair": vectors of 3 and 2 components; give both as many'),
        ("a*b", '"a*b": a product of two vectors; write dot(a, b)'),
        (
            "a + 1",
            '"a + 1": vectors and numbers do not go together so; '
            "add vectors to vectors; multiply or divide by numbers",
        ),
        (
            "s/a",
            '"s/a": vectors and numbers do not go together so; '
            "add vectors to vectors; multiply or divide by numbers",
        ),
        ("a[0]", '"a[0]": "a" has no such component; count from 1 to 3'),
        ("a[4]", '"a[4]": "a" has no such component; count from 1 to 3'),
        ("a[True]", '"a[True]": "a" has no such component; count from 1 to 3'),
        ("a[1:2]", '"a[1:2]": "a" has no such component; count from 1 to 3'),
        ("s[1]", '"s[1]": "s" is a single number; write "s"'),
        ("sin(a)", '"sin(a)": sin takes single numbers, not vectors; name components: a[1]'),
        (
            "[a, 1, 2]",
            '"[a, 1, 2]": a list in it takes single numbers, not vectors; name components: a[1]',
        ),
        ("norm(s)", '"norm(s)": norm takes one vector; write "norm(a)"'),
        ("dot(a)", '"dot(a)": dot takes two vectors of one size; write "dot(a, b)"'),
        ("dot(a, pair)", '"dot(a, pair)": dot takes two vectors of one size; write "dot(a, b)"'),
        (
            "norm(a*norm(b))",
            '"norm(a*norm(b))": norm inside of norm or dot; declare it as a parameter',
        ),
    ],
)
def test_what_is_no_vector_arithmetic_is_told(scope, text, told):
    with pytest.raises(ExpressionError) as error:
        scope.read(text)
    assert str(error.value) == told


def test_long_and_deep_texts_are_refused_at_once(scope):
    for text in (
        "-" * 150 + "a",
        "(" * 150 + "a" + "+a)" * 150,
        "[" * 150 + "a" + "]" * 150,
        "a+" * 2000 + "a",
    ):
        with pytest.raises(ExpressionError, match=r"nested too deeply|letters"):
            scope.read(text)


def test_deep_indices_are_refused(scope):
    with pytest.raises(ExpressionError, match="has no such component"):
        scope.read(f"a[{'-' * 1500}1]")
