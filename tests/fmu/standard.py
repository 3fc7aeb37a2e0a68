"""What FMI 2.0.5 names, read from its headers; and what a library may call."""

from __future__ import annotations

import re
from pathlib import Path

import fmpy

HEADERS = Path(fmpy.__file__).parent / "c-code"

# Of both kinds, model exchange and co-simulation.
FUNCTIONS = frozenset(
    re.findall(r"FMI2_Export fmi2\w+TYPE +(fmi2\w+);", (HEADERS / "fmi2Functions.h").read_text())
)

# Nothing that prints, opens or changes the process, and nothing whose last bits are open.
C_LIBRARY = frozenset(
    (
        *("calloc", "free", "malloc", "memcpy", "memcmp", "bcmp", "memmove", "memset", "bzero"),
        *("strcat", "strcmp", "strcpy", "strlen", "snprintf", "vsnprintf"),
        *("ceil", "floor", "fmax", "fmin", "frexp", "ldexp", "sqrt"),
        "__stack_chk_fail",  # ends a process whose stack was written over, before it can do harm
    )
)
