"""What there is to choose, and what holds where nothing is chosen.

Said once here, for functions, for commands and for their help; nothing is imported, so that help
comes at once.
"""

from __future__ import annotations

BACKENDS = ("native", "python")
AUTO, STRAIGHT, KERNELS = CODES = ("auto", "straight", "kernels")  # shapes of generated code
ZIG = "zig"  # of the compilers the one that comes with the project

COMPARISON_TOLERANCE = 1e-6  # of each signal's range
SOLVER_TOLERANCE = 1e-9  # what an FMU is asked for, so that its own error is well below

PICTURE_SIZE = (1280, 800)
# Shown on demand; names are written over a page, not into it.
PICTURE_EXTRAS = ("paths", "reactions")
