"""What an FMU is made of, for people who read a report."""

from __future__ import annotations

from mbd_fmu.host.foreign_archive import FmuArchive
from mbd_fmu.validate.runner import Fmu


def build_facts(fmu: Fmu) -> dict[str, str]:
    """Return what the archive and its description say, by title."""
    with FmuArchive(fmu.path) as archive:
        sizes = archive.sizes
    libraries = [(n.split("/")[1], size) for n, size in sizes.items() if n.startswith("binaries/")]
    description = fmu.description
    kinds = {"co-simulation": description.coSimulation, "model exchange": description.modelExchange}
    causalities = ("parameter", "input", "output")
    counts = [f"{len(fmu.names(c))} {c}s" for c in causalities]
    return {
        "made by": description.generationTool or "an unnamed tool",
        "GUID": description.guid,
        "kinds": ", ".join(name for name, kind in kinds.items() if kind is not None),
        "variables": ", ".join(counts),
        "archive": f"{fmu.path.stat().st_size / 1000:.0f} kB, {len(sizes)} files",
        "libraries": ", ".join(f"{name} {n / 1000:.0f} kB" for name, n in libraries),
    }
