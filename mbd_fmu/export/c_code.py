"""The generated half of the C: the equations, one function per routine.

A short routine is straight-line code. A long one goes through tables of calls of kernels. Compilers
put the parts of one file together again: of straight-line code what each step waits for is left to
them in model.c, for it makes steps faster. All else goes into files of their own, which several
compilers work on at once. Which function is in which file depends on the mechanism alone, so the
library has the same bytes from however many compilers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mbd_fmu.export.c_functions import DOUBLES, Function, straight_functions, straight_memory
from mbd_fmu.export.c_kernels import KernelCode
from mbd_fmu.export.model_tables import model_tables
from mbd_fmu.export.runtime_files import PART, whole_runtime
from mbd_fmu.export.symbols import Symbols
from mbd_fmu.system.system import System

FILE_SIZE = 10_000  # operations in one C file
PARTS_HEADER = "model_parts.h"
KERNELS_HEADER = "kernels.h"  # of the runtime: goes through tables of calls
EACH_STEP = (
    *("derivatives", "jacobian"),
    *("equations", "closure", "rates", "retract", "displacement"),
    *("motion", "gaps"),
)

# Stands in model.c until the GUID, a hash of all sources, is known.
_NO_GUID = "00000000-0000-0000-0000-000000000000"


def model_sources(system: System, symbols: Symbols) -> dict[str, str]:
    """Write the generated files, by name: model.c, without its GUID, and parts of long routines.

    model.c holds the Model, its tables, and the equations or who calls their parts.
    """
    texts: list[str] = []
    apart: list[Function] = []
    kernels, memory = KernelCode(DOUBLES), 0
    for routine in symbols.routines:
        if len(routine.calls) > 1:
            apart += kernels.functions(routine)
            texts.append(kernels.routine(routine))
            continue
        *parts, last = straight_functions(routine)
        if routine.name in EACH_STEP:
            texts += [f"static {f.text}" for f in parts]
        else:
            apart += parts
        texts.append(f"static {last.text}")
        memory = max(memory, straight_memory(routine))
    memory = max(memory, kernels.memory)
    texts.append(model_tables(system, symbols.routines, symbols.fast_way, memory, _NO_GUID))
    takes = [KERNELS_HEADER] if kernels.memory else []
    headers = [*takes, *([PARTS_HEADER] if apart else [])] or ["model.h"]
    sources = {"model.c": "\n".join([_head(*headers), *texts])}
    sources |= {name: text for name, text in whole_runtime().items() if name in takes}
    if not apart:
        return sources
    files = enumerate(_files(apart), start=1)
    return sources | {
        PARTS_HEADER: _header(apart),
        **{
            f"{PART}{k}.c": "\n".join([_head(PARTS_HEADER), *(f.text for f in file)])
            for k, file in files
        },
    }


def _head(*headers: str) -> str:
    return "".join(f'#include "{header}"\n' for header in headers) + "\n#include <math.h>\n"


def _files(functions: Iterable[Function]) -> list[list[Function]]:
    """Put functions into files of bounded size, in order."""
    files: list[list[Function]] = [[]]
    size = 0
    for function in functions:
        if files[-1] and size + function.size > FILE_SIZE:
            files.append([])
            size = 0
        files[-1].append(function)
        size += function.size
    return files


def identified(sources: Mapping[str, str], guid: str) -> dict[str, str]:
    """Return the sources with the GUID in model.c."""
    return {**sources, "model.c": sources["model.c"].replace(_NO_GUID, guid, 1)}


def _header(functions: Iterable[Function]) -> str:
    """Declare functions that stand in other files than their callers."""
    name = PARTS_HEADER.replace(".", "_").upper()
    return "\n".join(
        [
            "/* Parts of long routines, and kernels, in files of their own. */",
            *(f"#ifndef {name}", f"#define {name}", "", '#include "model.h"', ""),
            *("BEGIN_HIDDEN", "", *(f"{f.head};" for f in functions), "", "END_HIDDEN", ""),
            *("#endif", ""),
        ]
    )
