"""STL, binary and as text: triangles without colours and without units.

Source   3D Systems, StereoLithography Interface Specification (1989).
Checked  tests/formats/test_meshes.py
"""

from __future__ import annotations

import re

import numpy as np

from mbd_fmu.formats.meshes.mesh import MeshError, Part, corner_triples

_HEAD = 84  # bytes: a comment of 80, and the number of triangles
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(data: bytes) -> list[Part]:
    """Return the one part of a file."""
    n = int.from_bytes(data[_HEAD - 4 : _HEAD], "little") if len(data) >= _HEAD else 0
    length = _HEAD + n * _FACET.itemsize
    # many binary files begin with "solid", too; their length tells them from texts
    if data.lstrip()[:5].lower() == b"solid" and len(data) != length:
        return [_of_text(data)]
    if len(data) < max(length, _HEAD):
        there = max(len(data) - _HEAD, 0) // _FACET.itemsize
        raise MeshError(f"it ends early: {there} of {n} triangles are there")
    facets = np.frombuffer(data, _FACET, count=n, offset=_HEAD)
    return [corner_triples(facets["corners"].reshape(-1, 3).astype(float))]


def _of_text(data: bytes) -> Part:
    found = _VERTEX.findall(data)
    if b"endsolid" not in data[-1000:].lower():
        raise MeshError("it ends early: there is no endsolid")
    if len(found) % 3:
        raise MeshError(f"it has {len(found)} corners, which is no multiple of three")
    try:
        corners = np.array(found, dtype="S32").astype(float)
    except ValueError:
        raise MeshError("a corner is no three numbers") from None
    return corner_triples(corners.reshape(-1, 3))
