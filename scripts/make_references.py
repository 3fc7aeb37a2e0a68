"""Write reference.csv of the models, and input.csv where they are driven: one maker per model.

scripts/make_references            all of them
scripts/make_references cart_pole  one

The makers are in scripts/references/<model>.py; each says where its answer comes from. None of
it is output of ours.
"""

import importlib
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # matrices are small

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mbd_fmu.formats.model_files import read_model  # noqa: E402
from mbd_fmu.signals.csv_files import read_csv, write_csv  # noqa: E402
from mbd_fmu.signals.trajectory import Trajectory  # noqa: E402
from mbd_fmu.system.system import system_of  # noqa: E402

MAKERS = ROOT / "scripts" / "references"
DIGITS = 15


def rounded(found: Trajectory) -> Trajectory:
    """Fifteen digits: more is noise of the last operation. No minus zeros."""
    values = [[float(f"{x:.{DIGITS}g}") + 0.0 for x in row] for row in found.values]
    return Trajectory(found.time, found.names, np.array(values))


def made(name: str) -> dict[str, Trajectory]:
    """Tables by the names of their files: the reference, and inputs where the maker has any."""
    folder = ROOT / "models" / name
    maker = importlib.import_module(f"scripts.references.{name}")
    spec, given = read_model(folder), folder / "input.csv"
    tables = {given.name: rounded(maker.inputs(spec))} if hasattr(maker, "inputs") else {}
    inputs = tables.get(given.name) or (read_csv(given) if given.is_file() else None)
    found = rounded(maker.reference(spec, inputs))
    known = {v.name for v in system_of(spec).table.outputs}
    assert set(found.names) <= known, set(found.names) - known
    assert np.isfinite(found.values).all()
    return tables | {"reference.csv": found}


def make(name: str) -> None:
    began = time.perf_counter()
    tables = made(name)
    for file, table in tables.items():
        write_csv(ROOT / "models" / name / file, table)
    found = tables["reference.csv"]
    took = time.perf_counter() - began
    print(f"{name}: {len(found.time)} rows, {len(found.names)} signals, {took:.1f} s", flush=True)


def main(names: list[str]) -> None:
    for name in names or sorted(p.stem for p in MAKERS.glob("[a-z]*.py")):
        make(name)


if __name__ == "__main__":
    main(sys.argv[1:])
