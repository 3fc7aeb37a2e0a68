"""The experiment an FMU carries inside, by the layered standard FMI-LS-REF."""

from __future__ import annotations

import posixpath
from pathlib import Path
from xml.etree import ElementTree as ET

from mbd_fmu.errors import FmuError
from mbd_fmu.export.references import FOLDER, MANIFEST, Experiment
from mbd_fmu.host.foreign_archive import FmuArchive
from mbd_fmu.signals.csv_files import Repeats, parse_csv
from mbd_fmu.signals.trajectory import Trajectory


def carried_experiment(path: Path) -> Experiment | None:
    """Return the first experiment with results that the manifest leads to, if there is one."""
    with FmuArchive(path) as archive:
        if f"{FOLDER}/{MANIFEST}" not in archive:
            return None
        inside = _Inside(archive)
        for related in inside.xml(MANIFEST).iter("Related"):
            if related.get("role", "").split("/")[0] != "experiment":
                continue
            source = related.get("source", "")
            for one in inside.xml(source).iter("Experiment"):
                results, stimuli = one.find("References"), one.find("Stimuli")
                if results is not None:
                    base = posixpath.dirname(source)
                    return Experiment(
                        inside.table(base, results),
                        inside.table(base, stimuli) if stimuli is not None else None,
                    )
    return None


class _Inside:
    """Files of the layered standard in an archive."""

    def __init__(self, archive: FmuArchive) -> None:
        self.path, self.archive = archive.path, archive

    def read(self, source: str) -> bytes:
        """Return a file, named relative to the manifest."""
        name = posixpath.normpath(posixpath.join(FOLDER, source))
        if name not in self.archive:
            raise FmuError(
                f'{self.path}: its manifest names "{source}", which is not in the archive; '
                "build it anew, or give --reference"
            )
        return self.archive.read(name)

    def xml(self, source: str) -> ET.Element:
        try:
            return ET.fromstring(self.read(source))  # noqa: S314  whoever runs an FMU trusts it
        except (ET.ParseError, ValueError, LookupError) as error:  # the last two: of its encoding
            raise FmuError(
                f"{self.path}: {source} is no XML ({error}); build it anew, or give --reference"
            ) from None

    def table(self, base: str, element: ET.Element) -> Trajectory:
        source = posixpath.join(base, element.get("source", ""))
        kind = element.get("type", "text/csv")
        if kind != "text/csv":
            raise FmuError(
                f"{self.path}: {source} is {kind}, which is not read here; give --reference"
            )
        place = f"{self.path}, {source}"
        repeats: Repeats = "held" if element.tag == "Stimuli" else "refused"
        return parse_csv(self.read(source), place, repeats=repeats)
