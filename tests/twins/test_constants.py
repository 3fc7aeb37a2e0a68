"""Numbers that C and NumPy must share: said in both, and the same."""

import re

import numpy as np
import pytest

from mbd_fmu.export.runtime_files import whole_runtime
from mbd_fmu.mechanics import constrained, elimination
from mbd_fmu.reference import (
    assembly,
    contradictions,
    course,
    manifold,
    motions,
    step,
    stiff,
    turns,
)
from mbd_fmu.system import system

# Where the twin of a file has its numbers.
TWINS = {
    "adaptive.c": (step,),
    "assembly.c": (assembly,),
    "constrained.h": (constrained,),
    "contradictions.c": (contradictions,),
    "dopri5.c": (step,),
    "instance.c": (system,),
    "manifold.c": (manifold,),
    "manifold.h": (manifold, assembly),
    "motions.c": (motions,),
    "solution.c": (constrained,),
    "solver.h": (step,),
    "sparse.c": (elimination,),
    "stiff.c": (stiff,),
    "turns.c": (turns,),
    "turns.h": (turns,),
}
# What NumPy has no use for, with the reason.
ONLY_IN_C = {
    "block.c": {"ALIGNMENT"},  # memory
    "dopri5_step.h": {"LAST_STAGE"},  # the length of its tables
    "exchange.c": {"FARTHEST", "WORTH_AN_EVENT"},  # the importer integrates
    "functions.c": {"HALF_PI", "HALF_PI_LOW"},  # NumPy has its own functions
    "real.h": {"LANES", "BITS"},  # vectors of the processor
    "rk4_step.h": {"NEXT_SLOPE"},  # memory
    "vectors.h": {"LONG_ROW"},  # NumPy copies as it likes
    "sines.h": {"SMALL_ANGLE", "TINY_ANGLE", "SHIFTER"},  # NumPy has its own functions
    "together.h": {"MOST_TOGETHER"},  # memory
    "loops.c": {"NEARLY_CLOSED", "UNMOVED"},  # messages
    "solver.h": {"STAGES_KEPT"},  # memory
    "sparse.c": {"CORRECTIONS", "FAST", "FINE"},  # NumPy projects densely
    "start.c": {"CLOSE", "FITS"},  # derivatives of start values
    "state.c": {"VERSION"},  # states written down
    "stiff.c": {"STAGES"},  # the length of its tables
}
TABLES = [
    *(("dopri5_step.h", name, getattr(step, name)) for name in ("A", "C", "E")),
    *(("stiff.c", name, getattr(stiff, name)) for name in ("A", "AT", "C", "D")),
    ("course.c", "H", course._FADING),
]
# Tables that are written into formulas in NumPy, and those of bits.
ONLY_TABLES_IN_C = {("rk4_step.h", "at")}

NUMBER = r"[-+]?[0-9][-+.0-9a-fx]*(?:p[-+]?\d+)?"
SOURCES = whole_runtime()
DEFINED = [
    (file, name, value)
    for file, text in SOURCES.items()
    for name, value in re.findall(rf"^#define (\w+) ({NUMBER})[uL]?\b", text, re.MULTILINE)
]
SHARED = [one for one in DEFINED if one[1] not in ONLY_IN_C.get(one[0], ())]


@pytest.mark.parametrize(("file", "name", "value"), SHARED)
def test_c_and_numpy_say_the_same_number(file, name, value):
    found = [getattr(module, name) for module in TWINS.get(file, ()) if hasattr(module, name)]
    assert found, f"{name} of {file} has no twin; if it needs none, say so in ONLY_IN_C"
    assert {float(value)} == {float(number) for number in found}


def test_every_number_that_is_only_in_c_is_there():
    there = {(file, name) for file, name, _ in DEFINED}
    assert {(file, name) for file, names in ONLY_IN_C.items() for name in names} <= there


def test_a_number_is_compared_with_the_file_that_its_comment_names():
    told = {
        (file, name)
        for file, text in SOURCES.items()
        for where in re.findall(r"(?i:the same as) in ([^;*]*)", text)
        for name in re.findall(r"(\w+)\.py", where)
    }
    assert ("manifold.h", "assembly") in told  # two files in one comment
    assert told <= {(file, one.__name__.split(".")[-1]) for file in TWINS for one in TWINS[file]}


def test_every_number_of_c_stands_by_itself():
    """What is defined by a sum is memory; a number in a formula would have no twin."""
    alone = {(file, name) for file, name, _ in DEFINED}
    others = {
        (file, name)
        for file, text in SOURCES.items()
        for name, value in re.findall(r"^#define (\w+) (.*)$", text, re.MULTILINE)
        if re.search(r"\b\d", value) and (file, name) not in alone
    }
    assert others == {("dopri5_step.h", "STAGES"), ("manifold.h", "STEPS_KEPT")}


def rows_of(file, name):
    """Return a table of doubles in C: rows of numbers, fractions divided as the compiler does."""
    pattern = rf"static const double {name}\[.*?\] = \{{(.*?)\}};"
    (text,) = re.findall(pattern, SOURCES[file], re.DOTALL)
    rows = re.findall(r"\{([^{}]*)\}", text) or [text]
    fractions = [re.findall(rf"({NUMBER})(?: / (\d+))?", row) for row in rows]
    return [[float(n) / float(d or 1) for n, d in row] for row in fractions]


@pytest.mark.parametrize(("file", "name", "twin"), TABLES, ids=str)
def test_c_and_numpy_have_the_same_table(file, name, twin):
    rows = list(twin) if np.iterable(twin[0]) else [twin]
    assert [row or [0.0] for row in rows_of(file, name)] == [list(row) or [0.0] for row in rows]


def test_no_table_is_forgotten():
    there = {
        (file, name)
        for file, text in SOURCES.items()
        for name in re.findall(r"static const double (\w+)\[", text)
    }
    assert there == {(file, name) for file, name, _ in TABLES} | ONLY_TABLES_IN_C
