"""The motion and the outputs of a tree once more, in lanes: several cases in one vector.

The same operations in the same order as in model.c, on vectors instead of doubles; so each lane has
the bits that a case has alone. ``runtime/lanes.c`` steps them side by side.
"""

from __future__ import annotations

from mbd_fmu.export.c_code import KERNELS_HEADER
from mbd_fmu.export.c_functions import OPERATIONS, Arithmetic, straight_functions
from mbd_fmu.export.c_kernels import KernelCode
from mbd_fmu.export.program import Program
from mbd_fmu.export.symbols import Symbols
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.system import System

FILE = "model_lanes.c"
SOLVERS = ("dopri5", "rk4")  # whose steps are a fixed list of operations

_LANES = Arithmetic(
    "Real",
    "lanes",
    "EVERY({})",
    "lanes_sincos",
    "LaneSinCos",
    {name: text.replace("own_", "lanes_") for name, text in OPERATIONS.items()}
    | {
        "sqrt": "root_of({0})",
        "fabs": "size_of({0})",
        "fmin": "lesser({0}, {1})",
        "fmax": "greater({0}, {1})",
        "sign": "lanes_sign({0})",
        "le": "lanes_le({0}, {1})",
    },
)
_ALONE = """\
#include "together.h"

const Together *const this_together = 0;
"""


def takes_lanes(system: System, symbols: Symbols) -> bool:
    """Tell whether cases of a mechanism can run side by side: trees that move by themselves."""
    motion = next((r for r in symbols.routines if r.name == "derivatives"), None)
    return (
        motion is not None
        and not system.rows
        and not system.table.told
        and system.spec.fmu.solver in SOLVERS
    )


def lane_source(system: System, symbols: Symbols, *, in_lanes: bool) -> str:
    """Write model_lanes.c: equations in lanes, or that there are none."""
    if not in_lanes:
        return _ALONE
    routines = {routine.name: routine for routine in symbols.routines}
    stages = [stage for stage in STAGES if stage in routines]
    kernels = KernelCode(_LANES)
    texts = [_text(routines[name], kernels) for name in ("derivatives", *stages)]
    listed = ", ".join(f"lanes_{stage}" for stage in stages)
    kind = "const Real *x, const Real *u, const Real *z, const Real *p, Real *y, Real *memory"
    fields = [
        ".derivatives = lanes_derivatives",
        *([".stage = stages"] if stages else []),
        f".advance = advance_{system.spec.fmu.solver}_in_lanes",
    ]
    return "\n".join(
        [
            "#define IN_LANES",
            '#include "lanes.h"\n\n#include "lane_functions.h"',
            f'#include "{KERNELS_HEADER}"\n' if kernels.memory else "",
            *texts,
            *([f"static void (*const stages[])({kind}) = {{{listed}}};\n"] if stages else []),
            f"const LaneEquations lane_equations = {{{', '.join(fields)}}};",
            "const Together *const this_together = &lanes_together;\n",
        ]
    )


def _text(routine: Program, kernels: KernelCode) -> str:
    if len(routine.calls) <= 1:
        return "\n".join(f"static {f.text}" for f in straight_functions(routine, _LANES))
    parts = [f"static {f.text}" for f in kernels.functions(routine)]
    return "\n".join([*parts, kernels.routine(routine)])
