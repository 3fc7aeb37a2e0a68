"""The same bytes from processors of other kinds, as far as one machine can play others.

OpenBLAS has products of matrices of its own for each kind of processor, and takes those of
another one where it is told to. They round otherwise; an FMU shall not know.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.random_loops import random_loops

KINDS = {"Prescott": "pni", "Haswell": "avx2", "SkylakeX": "avx512f"}  # and what they ask for
# Loops whose geometry has no round numbers, each met by another rounding once; and joints of all
# kinds in all directions, rigid ones among them, whose numbers are multiplied with each other.
MODELS = ["andrews_squeezer", "cardan_shaft", "five_bar"]
TABLES = {f"loops{seed}": random_loops(seed) for seed in (2, 4)}


def written(kind, folder):
    folder.mkdir()
    subprocess.run(
        [
            *(sys.executable, "-m", "tests.twins.processors"),
            *(json.dumps(MODELS), json.dumps(TABLES, default=lambda a: a.tolist()), str(folder)),
        ],
        env=os.environ | {"OPENBLAS_CORETYPE": kind},
        check=True,
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def can_play(kind):
    flags = Path("/proc/cpuinfo")
    return flags.exists() and KINDS[kind] in flags.read_text(encoding="utf-8").split()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="plays processors of this family")
def test_two_builds_on_other_processors_give_the_same_bytes(tmp_path):
    kinds = [kind for kind in KINDS if can_play(kind)]
    one, *others = (written(kind, tmp_path / kind) for kind in kinds)
    assert len(one) == len(MODELS) + len(TABLES)
    for kind, other in zip(kinds[1:], others, strict=True):
        differ = [name for name in one if one[name] != other[name]]
        assert not differ, f"{kinds[0]} and {kind} build others of {', '.join(differ)}"
