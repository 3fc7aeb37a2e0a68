"""What an FMU is made of, for people who read a report."""

from __future__ import annotations

import zipfile

from mbd_fmu.validate.runner import Fmu


def build_facts(fmu: Fmu) -> dict[str, str]:
    """Return what the archive and its description say, by title."""
    with zipfile.ZipFile(fmu.path) as archive:
        entries = archive.infolist()
    libraries = [e for e in entries if e.filename.startswith("binaries/") and not e.is_dir()]
    description = fmu.description
    kinds = {"co-simulation": description.coSimulation, "model exchange": description.modelExchange}
    causalities = ("parameter", "input", "output")
    counts = [f"{len(fmu.names(c))} {c}s" for c in causalities]
    return {
        "made by": description.generationTool or "an unnamed tool",
        "GUID": description.guid,
        "kinds": ", ".join(name for name, kind in kinds.items() if kind is not None),
        "variables": ", ".join(counts),
        "archive": f"{fmu.path.stat().st_size / 1000:.0f} kB, {len(entries)} files",
        "libraries": ", ".join(
            f"{e.filename.split('/')[1]} {e.file_size / 1000:.0f} kB" for e in libraries
        ),
    }
