"""Numbers that C and NumPy must share: said in both, and the same."""

import re

import pytest

from mbd_fmu.export.compile import runtime_sources
from mbd_fmu.mechanics import constrained
from mbd_fmu.reference import assembly, manifold, step

SHARED = [
    ("constrained.h", constrained, "RANK"),
    ("solution.c", constrained, "BLIND"),
    *(("manifold.c", manifold, name) for name in ("STALLED", "ROUGHLY", "NOISE", "NEAR")),
    *(("manifold.c", assembly, name) for name in ("COARSE_RANK", "NUDGE", "LITTLE", "FAR")),
    ("manifold.c", assembly, "MOST_LED"),
    ("manifold.h", manifold, "ITERATIONS"),
    ("manifold.h", assembly, "LONGEST"),
    *(("solver.h", step, name) for name in ("MOST_STEPS", "LOOK_EVERY", "STIFF_STEPS")),
    ("solver.h", step, "SMALLEST_SHARE"),
    ("solver.c", step, "SMALLEST_FIRST"),
    *(("explicit.c", step, name) for name in ("BOUNDARY", "CALM_STEPS")),
]


@pytest.mark.parametrize(("file", "module", "name"), SHARED, ids=lambda value: str(value)[-20:])
def test_c_and_numpy_say_the_same_number(file, module, name):
    text = runtime_sources()[file]
    (found,) = re.findall(rf"^#define {name} ([-+.0-9e]+)L?\b", text, re.MULTILINE)
    assert float(found) == getattr(module, name)
