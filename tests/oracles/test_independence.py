"""Witnesses know nothing of what they testify to, and those of the same mechanisms agree."""

import ast
from pathlib import Path

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.trajectory import read_csv
from tests.conftest import ROOT

# What a model says, in numbers, and tables of results: a reference is made with the user's numbers.
READING = {"model", "quantities", "signals"}
MAKERS = sorted((ROOT / "scripts" / "references").glob("*.py"))
ENGINES = [ROOT / "tests" / name for name in ("oracles/pendulum.py", "oracles/pinocchio_engine.py")]
# Of the second road, the equations; rotations are held against SciPy in tests/unit/test_spatial.py.
EQUATIONS = ("constraints", "equations", "forces", "jets", "joints", "reactions")
MAXIMAL = [p.stem for p in MAKERS if "references._maximal" in p.read_text(encoding="utf-8")]


def packages(path):
    """Those of mbd_fmu that a file imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("mbd_fmu"):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("mbd_fmu") for alias in node.names), path.name


@pytest.mark.parametrize("path", [*MAKERS, *ENGINES], ids=lambda path: path.stem)
def test_references_are_made_without_our_mechanics(path):
    assert set(packages(path)) <= READING


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_second_road_shares_no_mechanics_with_the_first(name):
    path = Path(mbd_fmu.__file__).parent / "oracle" / f"{name}.py"
    assert set(packages(path)) <= {*READING, "oracle", "spatial", "topology"}


@pytest.mark.parametrize("name", MAXIMAL)
def test_two_solvers_in_absolute_coordinates_agree(name):
    """The oracle, and the one that made the reference: they share no equation, and no start."""
    folder = library()[name]
    theirs = read_csv(folder / "reference.csv")
    inputs = read_csv(folder / "input.csv") if (folder / "input.csv").is_file() else None
    step, rows = theirs.time[1], 6
    keys = {"stop": (rows - 1) * step, "step": step, "inputs": inputs}
    ours = simulate_absolute(read_model(folder), **keys, tolerance=1e-10)
    for column in theirs.names:
        expected = theirs.column(column)[:rows]
        allowed = 1e-8 * np.abs(theirs.column(column)).max() + 1e-11  # rounding
        assert np.abs(ours.column(column) - expected).max() <= allowed, column
