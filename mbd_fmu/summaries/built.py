"""What was built: an FMU, its libraries, and what it took."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from mbd_fmu.build import Built
from mbd_fmu.export.compile import describe_compiler

_DENSE = (
    "solved densely at every step, which takes longer: no sparse order is sound at the start, "
    "as where a body moves no mass by itself, or masses differ by far"
)


def facts(built: Built) -> dict[str, Any]:
    """Return all that ``mbd-fmu build --json`` says."""
    return {
        "fmu": str(built.path),
        "side_files": [str(path) for path in built.side_files],
        "guid": built.guid,
        "backend": built.backend,
        "library_bytes": built.library_bytes,
        "operations": built.operations,
        "motion_operations": built.motion_operations,
        "loops": built.loops,
        "assembly": [asdict(start) for start in built.diagnosis.adjusted],
        "variables": built.variables,
    }


def text(built: Built, compiler: str) -> str:
    """Return a few lines for a terminal."""
    lines = [
        f"{built.path}  {built.path.stat().st_size / 1000:.0f} kB, {built.variables} variables"
    ]
    if built.backend == "native":
        sizes = ", ".join(f"{name} {n / 1000:.0f} kB" for name, n in built.library_bytes.items())
        lines += [f"libraries  {sizes}", f"compiler   {describe_compiler(compiler)}"]
        lines.append(f"operations {built.motion_operations} per evaluation of the motion")
        if built.loops == "dense":
            lines.append(f"loops      {_DENSE}")
    else:
        lines.append("runs in Python: the importing process needs Python 3.11 with NumPy")
    lines += [f"{path}  for the FMI cross-check" for path in built.side_files]
    adjusted = built.diagnosis.adjusted
    lines += [f"assembly   {m.name} starts at {m.found:g}, not at {m.given:g}" for m in adjusted]
    return "\n".join(lines)
