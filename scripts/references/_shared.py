"""Reference cases that lie beside the project, in ``../shared/references``; see the README there.

They were solved for this project by a solver of its own (maximal coordinates, DOP853 at 1e-12) or
by
Pinocchio, and may be copied. Where the folder is missing, such a reference cannot be made again.
"""

import json
from pathlib import Path

from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "references"


def case(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def rows(name, stop=None, every=1):
    """A table of the case, up to ``stop``, every so many rows."""
    if not FOLDER.is_dir():
        raise SystemExit(f"{FOLDER} is missing: this reference cannot be made again without it")
    found = read_csv(FOLDER / f"{name}.csv")
    n = len(found.time) if stop is None else int((found.time <= stop + 1e-9).sum())
    return Trajectory(found.time[:n:every], found.names, found.values[:n:every])


def renamed(found, names):
    """Columns under the names of our variables: ours -> theirs, or a function of the table."""
    import numpy as np

    values = [f(found) if callable(f) else found.column(f) for f in names.values()]
    return Trajectory(found.time, tuple(names), np.stack(values, axis=1))
