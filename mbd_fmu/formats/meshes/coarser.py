"""Fewer triangles where there are more than a page can hold: corners that are near become one.

Source   Rossignac and Borrel, Multi-resolution 3D approximations for rendering (1993).
Checked  tests/formats/test_meshes.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.formats.meshes.mesh import Mesh, MeshError, Part
from mbd_fmu.spatial import Array

FINEST = 1000  # cells along the longest edge, to begin with


def coarser(mesh: Mesh, most: int) -> Mesh:
    """Return a mesh of at most so many triangles; itself if it has no more."""
    cells, found = float(FINEST), mesh
    while found.count > most:
        edge = float(mesh.size.max()) / cells
        parts = (_clustered(part, edge) for part in mesh.parts)
        found = Mesh(tuple(part for part in parts if len(part.triangles)), mesh.whole)
        # a surface has as many triangles as squares of cells, but not where cells are fine
        cells *= min((most / max(found.count, 1)) ** 0.5, 0.9)
    if not found.parts:
        raise MeshError(f"its {mesh.whole} triangles do not hang together; {most} could be drawn")
    return found


def _clustered(part: Part, edge: float) -> Part:
    """Put corners within a cell at their mean; triangles that so lose their area are none.

    Corners whose surfaces look to different sides stay apart: both sides of a thin wall.
    """
    cell = np.floor((part.vertices - part.vertices.min(axis=0)) / edge).astype(np.int64)
    key = (cell[:, 0] * (2 * FINEST) + cell[:, 1]) * (2 * FINEST) + cell[:, 2]
    side = (_normals(part) > 0.0) @ (1, 2, 4)
    _, place = np.unique(8 * key + side, return_inverse=True)
    triangles = place[part.triangles]
    a, b, c = triangles.T
    return Part(_means(part.vertices, place), triangles[(a != b) & (b != c) & (c != a)], part.color)


def _normals(part: Part) -> Array:
    """Return the sum of the areas around each corner, as vectors across them."""
    a, b, c = part.vertices[part.triangles].transpose(1, 0, 2)
    areas = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    corners, n = part.triangles.ravel(), len(part.vertices)
    return np.stack([np.bincount(corners, weights=x, minlength=n) for x in areas.T], axis=1)


def _means(vertices: Array, place: Array) -> Array:
    counts = np.bincount(place)
    return np.stack([np.bincount(place, weights=x) / counts for x in vertices.T], axis=1)
