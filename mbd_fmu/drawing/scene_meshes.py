"""Meshes of a scene: each file once, however many bodies it is seen on."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path

from mbd_fmu.errors import Problem
from mbd_fmu.formats.meshes.mesh import MeshError, Part
from mbd_fmu.formats.meshes.reading import read_mesh
from mbd_fmu.spatial import Array

SHORT = 1 << 16  # so many corners have places of two bytes, more have those of four


@dataclass(frozen=True)
class ScenePart:
    """Triangles of one colour."""

    color: str  # empty: the file has none
    vertices: str  # x, y, z of each corner in single precision, base64
    triangles: str  # three places in them for each, of two or four bytes, base64


@dataclass(frozen=True)
class SceneMesh:
    """A file."""

    parts: list[ScenePart]


@dataclass
class Meshes:
    """Collects the files that visuals name."""

    folder: Path
    problems: list[Problem]
    found: list[SceneMesh] = field(default_factory=list)
    _place: dict[str, int] = field(default_factory=dict)

    def place_of(self, where: str, file: str) -> int:
        """Return which of the meshes a file is; of one that cannot be read, a problem."""
        if file not in self._place:
            self._place[file] = len(self.found)
            try:
                parts = read_mesh(self.folder / file).parts
            except MeshError as error:
                remedy = error.remedy or "give its path from the folder of the model file"
                self.problems.append(Problem(where, f"{self.folder / file}: {error.found}", remedy))
                parts = ()
            self.found.append(SceneMesh([_packed(part) for part in parts]))
        return self._place[file]


def _packed(part: Part) -> ScenePart:
    kind = "<u2" if len(part.vertices) <= SHORT else "<u4"
    return ScenePart(part.color, _text(part.vertices, "<f4"), _text(part.triangles, kind))


def _text(numbers: Array, kind: str) -> str:
    return base64.b64encode(numbers.astype(kind).tobytes()).decode("ascii")
