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
# From where one looks: with z up, front is from -y, side from +x; iso has all three axes alike.
CAMERAS = ("front", "side", "top", "iso", "back", "left", "bottom")
# Shown on demand; names are written over a page, not into it.
PICTURE_EXTRAS = ("paths", "reactions", "loads")
# Signals that may come first on a page, by the words of a model's output groups, and drives.
FIRSTS = (
    *("joints", "reactions", "forces", "drives"),
    *("poses", "velocities", "accelerations", "energy", "quality"),
)
