"""Witnesses know nothing of what they testify to, and those of the same mechanisms agree."""

import ast
from pathlib import Path

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.csv_files import read_csv
from tests.conftest import ROOT

# What a model says, in numbers, and tables of results: a reference is made with the user's numbers.
READING = {"elements", "model", "quantities", "signals"}
# Elements are read as records: their names, how many coordinates, but not how they move or push.
RECORDED = {"name", "names", "nq", "nv", "neutral"}
MAKERS = sorted((ROOT / "scripts" / "references").glob("*.py"))
ENGINES = [ROOT / "tests" / "oracles" / name for name in ("pendulum.py", "pinocchio_engine.py")]
# Of the second road, the equations; rotations are held against SciPy in tests/unit/test_spatial.py.
ROAD = Path(mbd_fmu.__file__).parent / "oracle"
EQUATIONS = ("constraints", "equations", "forces", "jets", "joints", "reactions")
MAXIMAL = [p.stem for p in MAKERS if "references._maximal" in p.read_text(encoding="utf-8")]


def assert_reads_only(path, packages):
    """Its imports are from these packages, and of elements it asks for no behaviour."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=module) if module.startswith("mbd_fmu."):
                assert module.split(".")[1] in packages, module
            case ast.Import(names=names):
                assert not any(alias.name.startswith("mbd_fmu") for alias in names)
            case ast.Attribute(value=ast.Attribute(attr="kind"), attr=asked):
                assert asked in RECORDED, f"{path.name} asks a type of joint for {asked}"
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id="JOINTS")), attr=asked):
                assert asked in RECORDED, f"{path.name} asks a type of joint for {asked}"
            case ast.Attribute(attr=asked):
                assert asked != "placed", f"{path.name} lets an element place itself"


@pytest.mark.parametrize("path", [*MAKERS, *ENGINES], ids=lambda path: path.stem)
def test_references_are_made_without_our_mechanics(path):
    assert_reads_only(path, READING)


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_second_road_shares_no_mechanics_with_the_first(name):
    assert_reads_only(ROAD / f"{name}.py", {*READING, "oracle", "spatial", "topology"})


def test_a_witness_that_asks_is_found_out(tmp_path):
    asking = (
        "from mbd_fmu.mechanics import tree",
        "j.kind.place(q)",
        "JOINTS[t].motion",
        "f.placed(x)",
    )
    for k, text in enumerate(asking):
        path = tmp_path / f"witness{k}.py"
        path.write_text(text)
        with pytest.raises(AssertionError):
            assert_reads_only(path, READING)


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
