"""Signals over time, to be looked at in a notebook or kept as a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError
from mbd_fmu.validate.plots import figure_page
from mbd_fmu.viewer.page import write_page


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure of plotly, which may be changed; a notebook shows it as plotly does."""

    figure: Any

    def save(self, path: str | Path) -> Path:
        """Write a page that needs no network."""
        path = Path(path)
        if path.suffix.lower() != ".html":
            raise DataError(f"{path}: a plot is saved as a page, .html; pictures are .figure's")
        write_page(path, figure_page(self.figure))
        return path

    def __repr__(self) -> str:
        names = ", ".join(trace.name for trace in self.figure.data)
        return f"plot of {names}; .save(path) writes a page"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.figure._repr_mimebundle_(include, exclude)
