"""OBJ: corners, faces, and the diffuse colours of materials that lie beside it.

Source   Wavefront, Advanced Visualizer manual, appendix B1 (object files) and MTL (materials).
Checked  tests/formats/test_meshes.py
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from mbd_fmu.errors import shortened
from mbd_fmu.formats.meshes.mesh import MeshError, Part, color_of, in_color

Beside = Callable[[str], bytes]  # the content of a file that a mesh names


def read_obj(data: bytes, beside: Beside) -> list[Part]:
    """Return a part for each material."""
    places: list[list[str]] = []
    faces: dict[str, list[tuple[int, ...]]] = {}
    colors: dict[str, str] = {}
    material = ""
    for number, line in enumerate(_lines(data), start=1):
        key, *words = line.split() or [""]
        if key == "v":
            places.append(words[:3])
        elif key == "f":
            faces.setdefault(material, []).extend(_fan(words, len(places), number))
        elif key == "usemtl":
            material = " ".join(words)
        elif key == "mtllib":
            colors |= _colors(" ".join(words), beside)
    try:
        vertices = np.array(places, dtype=float).reshape(-1, 3)
    except ValueError:
        raise MeshError("a corner is no three numbers") from None
    return [in_color(Part(vertices, np.array(f)), colors, name) for name, f in faces.items()]


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\\\r\n", " ").replace("\\\n", " ").split("\n")


def _fan(words: list[str], n: int, line: int) -> list[tuple[int, ...]]:
    """Return the triangles of a face: corners count from 1, or back from the last."""
    try:
        corners = [int(word.partition("/")[0]) for word in words]
    except ValueError:
        raise MeshError(f"line {line}: a face has a corner that is no number") from None
    if len(corners) < 3:
        raise MeshError(f"line {line}: a face has {len(corners)} corners")
    at = [k - 1 if k > 0 else n + k for k in corners]
    return [(at[0], a, b) for a, b in pairwise(at[1:])]


def _colors(name: str, beside: Beside) -> dict[str, str]:
    """Return colours by material; of a file that is not there, none: a mesh has a shape without."""
    try:
        lines = _lines(beside(name))
    except MeshError:
        return {}
    found: dict[str, str] = {}
    material = ""
    for line in lines:
        key, *words = line.split() or [""]
        if key == "newmtl":
            material = " ".join(words)
        elif key == "Kd" and len(words) == 3:
            try:
                found[material] = color_of(*map(float, words))
            except ValueError:
                raise MeshError(f'a colour of "{shortened(material)}" is no number') from None
    return found
