"""The reference cases that come with the project; ``tests/references/README.md`` tells of them.

A case is named by its suite and its file, such as "closed_form/kepler_e06".
"""

import json
from pathlib import Path

from mbd_fmu.signals.csv_files import read_csv

FOLDER = Path(__file__).parent / "references"


def case_of(name):
    """What was solved: parameters, start, conventions, source."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def solution_of(name):
    """The trajectory of high accuracy."""
    return read_csv(FOLDER / f"{name}.csv")
