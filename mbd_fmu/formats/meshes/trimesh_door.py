"""COLLADA and glTF, read by trimesh: one of the extras, so it may be missing.

COLLADA says how long its unit is, which counts, and which of its axes points up, which does not:
RViz and Gazebo apply the first and leave out the second, and robots are drawn for them.
glTF is in metres; its colours are linear, while pages mean what a screen is given.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import struct
import warnings
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.parsers import expat

import numpy as np

from mbd_fmu.errors import shortened
from mbd_fmu.formats.meshes.mesh import MeshError, Part, color_of
from mbd_fmu.formats.meshes.obj import Beside
from mbd_fmu.spatial import Array, times

INSTALL = 'pip install "mbd-fmu[meshes]"'
NEEDS = {".dae": ("trimesh", "collada"), ".gltf": ("trimesh",), ".glb": ("trimesh",)}
MOST_CORNERS = 30_000_000  # that a glTF may promise: zeros take no room in its file


def can_read(suffix: str) -> bool:
    """Tell whether what a format takes is installed."""
    return all(importlib.util.find_spec(name) is not None for name in NEEDS[suffix])


def read_parts(data: bytes, suffix: str, beside: Beside) -> list[Part]:
    """Return all parts of a file, in metres."""
    if not can_read(suffix):
        raise MeshError(f"{suffix} takes a library that is not installed", INSTALL)
    unit = _unit(data) if suffix == ".dae" else 1.0
    if suffix != ".dae":
        _check_promises(data)
    try:
        return [_scaled(part, unit) for part in _parts(data, suffix, beside)]
    except MeshError:
        raise
    except Exception as error:  # noqa: BLE001  what a library stumbles over is a damaged file
        said = " ".join(str(error).split()) or type(error).__name__
        raise MeshError(f"it is damaged: {shortened(said)}") from None


def _parts(data: bytes, suffix: str, beside: Beside) -> Iterator[Part]:
    import trimesh  # noqa: PLC0415  an extra

    logging.getLogger("trimesh").addHandler(logging.NullHandler())  # what it says, we say
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = trimesh.load_scene(
            BytesIO(data),
            file_type=suffix[1:],
            resolver=_Beside(beside),
            process=False,
            ignore_broken=False,  # all of it, or none
        )
    for node in scene.graph.nodes_geometry:
        place, name = scene.graph[node]
        geometry = scene.geometry[name]
        if hasattr(geometry, "faces"):  # neither lines nor points
            vertices = times(np.asarray(geometry.vertices), place[:3, :3].T) + place[:3, 3]
            triangles = np.asarray(geometry.faces)
            if np.linalg.det(place[:3, :3]) < 0.0:  # mirrored: outside stays outside
                triangles = triangles[:, ::-1]
            yield Part(vertices, triangles, _color(geometry.visual, is_linear=suffix != ".dae"))


class _Beside:
    """What trimesh asks for other files: it gets data, and no pictures."""

    def __init__(self, beside: Beside) -> None:
        self.beside = beside

    def get(self, name: str) -> bytes:
        if not name.lower().endswith(".bin"):
            raise MeshError(f'"{name}" is not read')
        return self.beside(name)

    __getitem__ = get


def _color(visual: Any, *, is_linear: bool) -> str:
    """Return the colour of a material, or the one that most corners have."""
    rgba = None
    if visual.kind == "texture":
        rgba = getattr(visual.material, "baseColorFactor", None)
    elif visual.kind in ("vertex", "face"):
        rgba = visual.main_color
    if rgba is None:
        return ""
    shares = np.asarray(rgba, dtype=float)[:3] / 255.0
    return color_of(*(_on_screen(shares) if is_linear else shares))


def _on_screen(linear: Array) -> Array:
    """Return sRGB of linear light (IEC 61966-2-1)."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _scaled(part: Part, unit: float) -> Part:
    return part if unit == 1.0 else Part(unit * part.vertices, part.triangles, part.color)


def _unit(data: bytes) -> float:
    """Return how many metres the unit of a COLLADA file is; refuse entities, and what is no XML."""
    found = [1.0]
    parser = expat.ParserCreate()

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag == "unit" and "meter" in attributes:
            found[0] = float(attributes["meter"])

    def refuse(*_: object) -> None:
        raise MeshError("it has a document type, which may define entities")

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003  expat takes no keywords
    except (expat.ExpatError, ValueError):
        raise MeshError("it is damaged: no XML") from None
    if not 0.0 < found[0] < np.inf:
        raise MeshError(f"its unit is {found[0]:g} m")
    return found[0]


def _check_promises(data: bytes) -> None:
    """Refuse a glTF of more corners than anybody draws; its library would make room for them."""
    try:
        head = data
        if data[:4] == b"glTF":
            (length,) = struct.unpack("<I", data[12:16])
            head = data[20 : 20 + length]
        counts = [int(accessor["count"]) for accessor in json.loads(head).get("accessors", [])]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, struct.error):
        raise MeshError("it is damaged: no glTF") from None
    if min(counts, default=0) < 0 or sum(counts) > MOST_CORNERS:
        raise MeshError(f"it promises {sum(counts):g} corners; {MOST_CORNERS:g} are read")
