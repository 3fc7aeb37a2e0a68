"""Error texts: where, what, and what would be right."""

import pytest

from mbd_fmu import errors
from mbd_fmu.errors import MbdFmuError, Problem, SpecError, nearest, unknown_name

AXIS = Problem('joint "C", axis', "[0, 0, 0] has no direction", "give a nonzero vector")
MASS = Problem('body "rod", mass', "-1 kg", "give a mass of 0 or more")


def test_a_problem_says_where_what_and_how_to_mend_it():
    assert str(AXIS) == 'joint "C", axis: [0, 0, 0] has no direction; give a nonzero vector'


@pytest.mark.parametrize(
    ("problems", "text"),
    [
        ([MASS], "crank.toml: 1 problem\n  {MASS}"),
        ([MASS, AXIS], "crank.toml: 2 problems\n  {MASS}\n  {AXIS}"),
    ],
)
def test_a_wrong_model_lists_all_its_problems_under_the_name_of_the_file(problems, text):
    error = SpecError("crank.toml", iter(problems))
    assert error.problems == tuple(problems)
    assert str(error) == text.format(MASS=MASS, AXIS=AXIS)


@pytest.mark.parametrize(
    ("name", "known", "advice"),
    [
        ("conrod", ["slider", "rod"], 'did you mean "rod"?'),
        ("masss", ["mass", "com"], 'did you mean "mass"?'),
        ("xyzzy", ["rod", "crank"], "known: crank, rod"),
        ("rod", [], "there is none"),
    ],
)
def test_the_nearest_known_name_is_offered_or_all_or_none(name, known, advice):
    assert nearest(name, known) == advice


def test_a_name_that_points_nowhere_is_a_problem_with_the_nearest_one():
    problem = unknown_name('joint "B", child', "body", "conrod", {"rod", "slider"})
    assert str(problem) == 'joint "B", child: no body "conrod"; did you mean "rod"?'


@pytest.mark.parametrize("name", ["SpecError", "CompileError", "FmuError", "DataError"])
def test_every_error_of_the_user_can_be_caught_as_one(name):
    assert issubclass(getattr(errors, name), MbdFmuError)
    assert f" {name} " in errors.__doc__
