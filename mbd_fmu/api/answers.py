"""Answers as a notebook shows them: what the analyses found, in tables and in motion."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from mbd_fmu.analysis.equilibrium import Equilibrium
from mbd_fmu.analysis.kinematics import KinematicPath
from mbd_fmu.analysis.linearization import Linearization
from mbd_fmu.analysis.modes import Mode, Modes
from mbd_fmu.api.view import View
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.mode_shapes import mode_motion, write_modes
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array
from mbd_fmu.summaries import linear as words
from mbd_fmu.tables import UnknownNameError, html_table, number, text_table

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class ShownLinearization(Linearization):
    """A, B, C, D with their names; shown by its poles."""

    def __repr__(self) -> str:
        return f"{_said(self)}\n{text_table(words.POLES, words.pole_rows(self))}"

    def _repr_html_(self) -> str:
        titles = words.matrix_titles(self)
        matrices = html_table(titles, words.matrix_rows(self)) if titles else ""
        poles = html_table(words.POLES, words.pole_rows(self))
        return f"{_paragraphs(_said(self))}{poles}{matrices}"


@dataclass(frozen=True, repr=False)
class ShownEquilibrium(Equilibrium):
    """Where something rests or moves steadily; shown by its state."""

    def __repr__(self) -> str:
        rows = words.state_rows(self)
        return f"{words.stability(self.linearization)}\n{text_table(_STATE, rows)}"

    def _repr_html_(self) -> str:
        table = html_table(_STATE, words.state_rows(self))
        return f"{_paragraphs(words.stability(self.linearization))}{table}"


@dataclass(frozen=True, repr=False)
class ShownModes(Modes):
    """How something swings by itself; shown by frequencies, saved as a page of motions."""

    spec: Spec

    @property
    def shown(self) -> tuple[Mode, ...]:
        """The undamped ones where it rests, else the damped ones; slow ones first."""
        return self.undamped or self.damped

    def view(self, mode: int = 1) -> View:
        """Show one in 3-D, by its number in the table."""
        if not 1 <= mode <= len(self.shown):
            raise DataError(f"no mode {mode}; there are {len(self.shown)}, from 1")
        motion = mode_motion(self.spec, self.point, self.shown[mode - 1])
        return View(scene_table(self.spec), motion)

    def save(self, path: str | Path) -> Path:
        """Write a page on which each mode swings in 3-D."""
        write_modes(Path(path), self.spec, self)
        return Path(path)

    def _rows(self) -> Sequence[Sequence[str]]:
        return words.mode_rows(self.shown, self.coordinates)

    def __repr__(self) -> str:
        said = words.stability(self.linearization)
        return f"{said}\n{text_table(words.MODES, self._rows())}"

    def _repr_html_(self) -> str:
        said = _paragraphs(words.stability(self.linearization))
        return f"{said}{html_table(words.MODES, self._rows())}"


@dataclass(frozen=True, repr=False)
class ShownPath(KinematicPath):
    """Positions over a drive: ``path["bore.q"]``; shown by where each begins, ends and turns."""

    def __getitem__(self, name: str) -> Array:
        if name not in (*self.names, *self.derived):
            known = [*self.names, *self.derived]
            raise UnknownNameError(f'no position "{name}"; {nearest(name, known)}')
        return self.column(name)

    def _rows(self) -> Sequence[Sequence[str]]:
        return [
            (name, self.units.get(name, "1"), *map(number, (y[0], y[-1], y.min(), y.max())))
            for name, y in ((name, self[name]) for name in (*self.names, *self.derived))
        ]

    def __repr__(self) -> str:
        return text_table(_SIGNALS, self._rows())

    def _repr_html_(self) -> str:
        return html_table(_SIGNALS, self._rows())


_STATE = ("name", "value", "unit")
_SIGNALS = ("name", "unit", "first", "last", "least", "most")


def shown(found: Any, kind: type[T], **more: Any) -> T:
    """Return the same answer as one that shows itself."""
    return kind(**{f.name: getattr(found, f.name) for f in fields(found)}, **more)


def _said(linear: Linearization) -> str:
    return f"{words.head(linear)}\n{words.stability(linear)}"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{html.escape(line)}</p>" for line in text.splitlines())
