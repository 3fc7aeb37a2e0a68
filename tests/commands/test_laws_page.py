"""The page on laws: what it shows is a model, and all of it acts."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu import simulate, system_of
from mbd_fmu.model.reader import spec_of_table

PAGE = (Path(mbd_fmu.__file__).parent / "docs" / "laws.md").read_text(encoding="utf-8")
BOX = {"shape": "box", "size": [0.1, 0.1, 0.1]}


def test_the_example_runs_and_balances_its_books():
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    table = tomllib.loads(text)
    table["model"] = {"name": "shown"}
    table["body"] = [
        {"name": name, "mass": 1.0, "com": [0, 0, z], "inertia": BOX}
        for name, z in (("table", 0.0), ("block", 0.2), ("link", 0.7))
    ]
    slide = {"type": "prismatic", "parent": "table", "child": "block", "point": [0, 0, 0.2]}
    turn = {"type": "revolute", "parent": "block", "child": "link", "point": [0, 0, 0.2]}
    table["joint"] += [
        {"name": "slide", "axis": [0, 0, 1], "drive": "none"} | slide,
        {"name": "arm", "axis": [0, 1, 0], "drive": "none"} | turn,
    ]
    table["fmu"] = {"tolerance": 1e-8}
    spec = spec_of_table(table, "page")
    assert not system_of(spec).table.inputs
    result = simulate(spec, stop=0.7, step=0.1)
    assert result.column("shaker.q") == pytest.approx(0.05 * np.sin(6 * np.pi * result.time))
    books = [result.column(f"energy.{n}") for n in ("kinetic", "potential", "dissipated")]
    total = sum(books) - result.column("energy.input_work")
    assert total == pytest.approx(np.full(len(total), total[0]), abs=1e-5)  # 1e-8 per step
