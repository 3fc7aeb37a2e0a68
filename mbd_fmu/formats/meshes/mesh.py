"""Triangles that show where a body is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.quantities.limits import LARGEST
from mbd_fmu.spatial import Array


class MeshError(MbdFmuError):
    """A mesh that cannot be shown; the message says why, and whoever asked says which."""

    def __init__(self, found: str, remedy: str = "") -> None:
        super().__init__(f"{found}; {remedy}" if remedy else found)
        self.found = found
        self.remedy = remedy


@dataclass(frozen=True)
class Part:
    """Triangles of one colour: corners in the file's axes, and three of them for each triangle."""

    vertices: Array  # n x 3
    triangles: Array  # m x 3, places in vertices
    color: str = ""  # as pages write it; none: the file does not say


@dataclass(frozen=True)
class Mesh:
    """All parts of a file, or a coarser picture of them."""

    parts: tuple[Part, ...]
    whole: int  # triangles of the file

    @property
    def count(self) -> int:
        """Return how many triangles there are."""
        return sum(len(part.triangles) for part in self.parts)

    @property
    def size(self) -> Array:
        """Return the edges of the box around it, along the axes of its file."""
        corners = np.concatenate([part.vertices for part in self.parts])
        return corners.max(axis=0) - corners.min(axis=0)


def mesh_of(parts: Iterable[Part]) -> Mesh:
    """Put parts of one colour together; refuse what are no triangles."""
    by_color: dict[str, list[Part]] = {}
    for part in parts:
        if len(part.triangles):
            _check(part)
            by_color.setdefault(part.color, []).append(part)
    joined = tuple(_joined(color, found) for color, found in by_color.items())
    mesh = Mesh(joined, sum(len(part.triangles) for part in joined))
    if not joined or not mesh.size.any():
        raise MeshError("it has no triangles")
    return mesh


def color_of(red: float, green: float, blue: float) -> str:
    """Return a colour as pages write it; each share is from 0 to 1."""
    shares = np.nan_to_num(np.array([red, green, blue], dtype=float))
    levels = np.rint(255 * np.clip(shares, 0.0, 1.0)).astype(int)
    return "#{:02x}{:02x}{:02x}".format(*levels)


def corner_triples(corners: Array) -> Part:
    """Return the part whose triangles stand one after the other, three corners each."""
    return Part(corners, np.arange(len(corners)).reshape(-1, 3))


def in_color(part: Part, colors: Mapping[str, str], name: str) -> Part:
    """Return a part in the colour that a material has, if it is known."""
    return Part(part.vertices, part.triangles, colors.get(name, ""))


def _check(part: Part) -> None:
    if not np.all(np.abs(part.vertices) <= LARGEST):  # nor is what is no number
        raise MeshError("a corner is at no finite place")
    if part.triangles.min() < 0 or part.triangles.max() >= len(part.vertices):
        raise MeshError("a triangle has a corner that is not there")


def _joined(color: str, parts: list[Part]) -> Part:
    """Return one part of several, each corner once: what is nearer than floats tell is one."""
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    triangles = np.concatenate(
        [part.triangles + n for part, n in zip(parts, first[:-1], strict=True)]
    )
    corners = np.concatenate([part.vertices for part in parts])[triangles.ravel()]
    rows = np.ascontiguousarray(corners, dtype="<f4") + np.float32(0.0)  # no negative zeros
    _, once, places = np.unique(rows.view("V12").ravel(), return_index=True, return_inverse=True)
    return Part(corners[once], places.reshape(-1, 3), color)
