"""Studies that are read show themselves, and are saved as pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.study import results
from mbd_fmu.study.results import Study
from mbd_fmu.summaries.studies import write_study_page


@dataclass(frozen=True, eq=False, repr=False)
class ShownStudy(Study):
    """``s["k"]`` is a parameter over the cases, ``s["car.r.z.max"]`` a summary of an output."""

    def save(self, path: str | Path, show: Sequence[str] = ()) -> Path:
        """Write the page of plots; ``show`` holds names and patterns of its columns."""
        write_study_page(Path(path), self, show)
        return Path(path)


def read_study(path: str | Path) -> ShownStudy:
    """Read what ``mbd-fmu sweep`` wrote."""
    return ShownStudy(**vars(results.read_study(path)))
