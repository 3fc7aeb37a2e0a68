"""How the library that runs many cases of a mechanism is made: equations, C, compiler."""

from __future__ import annotations

from collections.abc import Callable

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.lane_code import FILE as LANE_FILE
from mbd_fmu.export.lane_code import lane_source, takes_lanes
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.system.system import System


def made_library(
    system: System, compiler: str, lanes: int, progress: Callable[[str], None]
) -> bytes:
    """Compile the library; ``lanes`` is how many doubles the vectors of this processor hold."""
    refuse_unusable(system)
    progress("equations")
    symbols = symbols_of(system)
    progress("library")
    lanes = lanes if takes_lanes(system, symbols) else 1
    in_lanes = lanes > 1
    sources = runtime_sources(system, "batch", in_lanes=in_lanes)
    sources |= model_sources(system, symbols)
    sources[LANE_FILE] = lane_source(system, symbols, in_lanes=in_lanes)
    return compile_library(sources, host_platform(), compiler, lanes=lanes)
