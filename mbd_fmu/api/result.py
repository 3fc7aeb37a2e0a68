"""What a run gave: signals by name, as arrays, tables, plots and in 3-D."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.analysis.pin_loads import PinLoad, run_loads
from mbd_fmu.api.plot import Plot
from mbd_fmu.api.sources import Source
from mbd_fmu.api.view import View
from mbd_fmu.errors import DataError, MbdFmuError, nearest
from mbd_fmu.model.named_outputs import AXES
from mbd_fmu.signals.csv_files import TIME, write_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.summaries.loads import rows, titles
from mbd_fmu.tables import Listing, UnknownNameError, number
from mbd_fmu.validate.plots import stacked_lines
from mbd_fmu.viewer.motion import motion_of

COORDINATE = re.compile(r"[._]q(\[\d+\]|_\d+)?$")  # of a joint, structured or flat
_COMPONENT = re.compile(r"[._]?\[?(\d+|[wxyz])\]?")


@dataclass(frozen=True, eq=False)
class Result:
    """A run. ``r["elbow.q"]`` is a signal over ``r.time``, ``r["rod.r"]`` a vector, (n, 3)."""

    source: Source  # what was run
    trajectory: Trajectory
    units: dict[str, str]
    inputs: Trajectory | None = None  # under which it was run
    notices: tuple[str, ...] = ()  # what was worth saying on the way
    shown: tuple[str, ...] = ()  # what is plotted when nothing is named
    interpolate: bool = False  # the inputs are on straight lines, not held

    @property
    def time(self) -> Array:
        """The communication points in s."""
        return self.trajectory.time

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all signals, as of the FMU's outputs."""
        return self.trajectory.names

    def __getitem__(self, name: str) -> Array:
        if name in self.trajectory:
            return self.trajectory.column(name)
        members = self._components(name)
        if not members:
            raise UnknownNameError(f'no signal "{name}"; {nearest(name, self.names)}')
        return np.column_stack([self.trajectory.column(member) for member in members])

    def _components(self, name: str) -> list[str]:
        """Return the scalars of a vector: ``rod.r`` has rod.r.x, rod.r.y, rod.r.z."""
        return [
            n for n in self.names if n.startswith(name) and _COMPONENT.fullmatch(n[len(name) :])
        ]

    def __contains__(self, name: object) -> bool:
        return name in self.trajectory.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def keys(self) -> tuple[str, ...]:
        """Names of all signals."""
        return self.names

    def only(self, names: Iterable[str]) -> Trajectory:
        """Return those signals of a set that are there, as inputs of another run."""
        found = tuple(name for name in names if name in self)
        if not found:
            raise DataError(f"{self!r} has none of: {', '.join(names)}")
        return Trajectory(self.time, found, np.column_stack([self[name] for name in found]))

    # --- Elsewhere ---

    def to_pandas(self) -> Any:
        """Return a DataFrame: a column per signal over the index time."""
        try:
            import pandas as pd  # noqa: PLC0415  an extra
        except ImportError:
            raise MbdFmuError(
                'pandas is not installed: pip install "mbd-fmu[pandas]", or use r["name"], arrays'
            ) from None
        index = pd.Index(self.time, name=TIME)
        return pd.DataFrame(self.trajectory.values, index=index, columns=list(self.names))

    def save(self, path: str | Path) -> Path:
        """Write a CSV file that ``simulate`` and ``view`` read."""
        write_csv(path, self.trajectory)
        return Path(path)

    # --- What it tells ---

    def loads(self, axes: str = "child") -> Listing[PinLoad]:
        """Return what every joint carries: peaks with their times, ranges in some axes.

        ``axes`` are those of the world, the parent, the child or the joint. Each entry has the
        loads over time in all of them.
        """
        if axes not in AXES:
            raise DataError(f'no axes "{axes}"; {nearest(axes, AXES)}')
        found = run_loads(self.source.pins(), self.trajectory)
        for text in found.notes:  # what could not be told
            warnings.warn(text, stacklevel=2)
        shown = {row[0]: row[1:] for row in rows(found, axes)}
        entries = {load.pin.name: load for load in found.pins}
        return Listing("joint", entries, titles(axes)[1:], lambda load: shown[load.pin.name])

    # --- To look at ---

    def plot(self, *names: str) -> Plot:
        """Plot signals, vectors, or all of an element; without names, the joints' coordinates."""
        wanted = [n for name in names for n in self._meant(name)] or list(self.shown or self.names)
        if not wanted:
            raise DataError(f"{self!r}: there is nothing to plot")
        return Plot(stacked_lines(self.trajectory, list(dict.fromkeys(wanted)), self.units))

    def _meant(self, name: str) -> Sequence[str]:
        if name in self:
            return [name]
        found = [n for n in self.names if n.startswith((f"{name}.", f"{name}[", f"{name}_"))]
        if not found:
            raise UnknownNameError(f'no signal "{name}"; {nearest(name, self.names)}')
        return found

    def view(self) -> View:
        """Show the motion in 3-D."""
        scene = self.source.scene()
        motion = motion_of(scene, self.trajectory, self.inputs, interpolate=self.interpolate)
        return View(scene, motion)

    @property
    def _table(self) -> Listing[Sequence[str]]:
        rows = {
            name: (
                self.units.get(name, "1"),
                *(number(float(x)) for x in (y[0], y[-1], y.min(), y.max())),
            )
            for name, y in ((name, self[name]) for name in self.names)
        }
        titles = ("unit", "first", "last", "least", "most")
        return Listing("signal", rows, titles, lambda row: row)

    def __repr__(self) -> str:
        span = f"{len(self.time)} instants from {self.time[0]:g} to {self.time[-1]:g} s"
        return f"run of {self.source.name}: {span}, {len(self.names)} signals"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self._table._repr_html_()}"
