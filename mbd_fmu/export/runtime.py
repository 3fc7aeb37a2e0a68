"""Which files of the hand-written C a mechanism needs."""

from __future__ import annotations

from mbd_fmu.export.runtime_files import whole_runtime, with_headers
from mbd_fmu.system.system import System

# Files that only some mechanisms need; all others are for every one.
_MECHANISMS = {
    "tree": ("tree.c",),
    "loops": (
        "loops.c",
        "manifold.c",
        "assembly.c",
        "solution.c",
        "tangents.c",
        "start.c",
        "scratch.c",
        "constrained.c",
        "sparse.c",
    ),
}
_METHODS = {
    "dopri5": ("dopri5.c", "adaptive.c"),
    "rk4": ("rk4.c",),
    "stiff": ("stiff.c", "adaptive.c"),
}
_MOTIONS = ("motions.c", "contradictions.c", "course.c", "turns.c")  # that are prescribed
# Who asks: an importer of FMUs, a program that runs many cases, or a page; and what asks FMUs.
_BINDINGS = {
    "fmi2": ("fmi2.c", "fmi2_exchange.c", "fmi2_state.c"),
    "batch": ("batch.c", "processor.c"),
    "browser": ("browser.c",),
    "importer": ("fmi2_walk.c", "summaries.c"),
}
# Several cases at once, in vectors of the processor: what all methods share, and each of them.
_LANES = ("lanes.c", "lane_functions.c")
_METHODS_IN_LANES = {"dopri5": ("dopri5_lanes.c",), "rk4": ("rk4_lanes.c",)}


def runtime_sources(
    system: System, binding: str = "fmi2", *, in_lanes: bool = False
) -> dict[str, str]:
    """Return the hand-written files that a mechanism needs, by name."""
    needed = {*_MECHANISMS["loops" if system.rows else "tree"], *_METHODS[system.spec.fmu.solver]}
    needed |= {*_MOTIONS} if system.table.told else set()
    needed |= {*_BINDINGS[binding]}
    needed |= {*_LANES, *_METHODS_IN_LANES[system.spec.fmu.solver]} if in_lanes else set()
    groups = (
        *(*_MECHANISMS.values(), *_METHODS.values(), _MOTIONS, *_BINDINGS.values()),
        *(_LANES, *_METHODS_IN_LANES.values()),
    )
    others = {name for group in groups for name in group} - needed
    files = whole_runtime()
    return with_headers((n for n in files if n.endswith(".c") and n not in others), files)
