"""Shapes of links as visuals of bodies; files of meshes, looked for where they may be read."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.meshes.mesh import Mesh, MeshError
from mbd_fmu.formats.meshes.reading import read_mesh
from mbd_fmu.formats.physics import mesh_doubt
from mbd_fmu.formats.placements import Placement, Triple, numbers
from mbd_fmu.formats.robot import Link, Look
from mbd_fmu.model.inertias import equal_box
from mbd_fmu.spatial import Array

INSTEAD = "#9a9a9a"  # grey, of a box that stands for a mesh
SMALL = 0.05  # m: edge of one that nothing is known about
FLAT = 0.05  # its least edge, of the longest: a needle or a plate must be seen, too


@dataclass(frozen=True)
class MeshFolders:
    """Where files may be read: the folder of the model, and those the user names."""

    folder: Path
    choices: Choices

    def find(self, name: str) -> tuple[Path | None, str]:
        """Return the file that a robot means, or why there is none."""
        scheme, mark, rest = name.partition("://")
        if not mark:
            rest, roots = name, [self.folder]
        elif scheme in ("package", "model"):
            package, _, rest = rest.partition("/")
            roots = [root for folder in self._folders() for root in _packages(folder, package)]
        elif scheme == "file":
            return None, "a path of one machine; write it from the folder of the file"
        else:
            return None, f"{scheme}:// is not read; nothing is fetched"
        for root in roots:
            path = Path(os.path.normpath(root / rest))
            if not any(_is_inside(path, folder) for folder in self._folders()):
                return None, "it lies outside; only the model's folder and --package-path are read"
            if path.is_file():
                return path, ""
        return None, "there is no such file; is its folder given with --package-path?"

    def mesh(self, look: Look) -> Path:
        """Return the file of a mesh; raise ``MeshError`` where it cannot be shown."""
        path, reason = self.find(look.file)
        if path is None:
            raise MeshError(reason)
        if not all(look.scale):
            raise MeshError("its scale is 0 along an axis")
        return path

    def _folders(self) -> list[Path]:
        return [self.folder, *self.choices.package_paths]


def _packages(folder: Path, package: str) -> list[Path]:
    """Return where a package may be: in a folder, or it is the folder itself."""
    return [folder / package, *([folder] if folder.resolve().name == package else [])]


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def visuals_of(
    parts: Sequence[tuple[Link, Placement]], folders: MeshFolders, account: Account
) -> list[dict[str, Any]]:
    """Return the visuals of a body, of all its links."""
    found = []
    for link, place in parts:
        for look in link.looks:
            at = place.then(look.place)
            own = {"color": look.color} if look.color else {}
            if look.shape != "mesh":
                found += [solid | own for solid in _solids(look, at)]
                continue
            mesh = _mesh(link, look, at, folders, account)
            shown = mesh | own if mesh else _box_instead(link, place, at)
            found += [shown] if mesh or shown not in found else []  # one box for all of a link
    return found


def _solids(look: Look, at: Placement) -> list[dict[str, Any]]:
    if look.shape == "box":
        turn = {"rpy": list(rpy_of(at.R))} if at.is_turned else {}
        return [{"shape": "box", "size": list(look.size), "center": list(at.r)} | turn]
    if look.shape == "sphere":
        return [{"shape": "sphere", "radius": look.size[0], "center": list(at.r)}]
    radius, length = look.size
    ends = [list(numbers(at.p + at.R @ (0.0, 0.0, z))) for z in (-length / 2.0, length / 2.0)]
    found: list[dict[str, Any]] = [
        {"shape": "cylinder", "radius": radius, "from": ends[0], "to": ends[1]}
    ]
    if look.shape == "capsule":
        found += [{"shape": "sphere", "radius": radius, "center": end} for end in ends]
    return found


def _mesh(
    link: Link, look: Look, at: Placement, folders: MeshFolders, account: Account
) -> dict[str, Any] | None:
    """Return a mesh that can be read; of any other one, a note."""
    where = f'link "{link.name}", mesh "{look.file}"'
    try:
        path = folders.mesh(look)
        mesh = read_mesh(path)
    except MeshError as error:
        account.note(where, look.line, f"drawn as a box: {error}")
        return None
    for text in _remarks(link, look, mesh):
        account.note(where, look.line, text)
    file = os.path.relpath(path.resolve(), folders.folder.resolve())
    turn = {"rpy": list(rpy_of(at.R))} if at.is_turned else {}
    one = look.scale[0] if len(set(look.scale)) == 1 else list(look.scale)
    scale = {"scale": one} if one != 1.0 else {}
    return {"shape": "mesh", "file": file, "center": list(at.r)} | turn | scale


def _remarks(link: Link, look: Look, mesh: Mesh) -> Iterator[str]:
    if mesh.count < mesh.whole:
        yield f"drawn coarser: {mesh.count} triangles instead of {mesh.whole}"
    extent = float(np.abs(mesh.size * look.scale).max())
    doubt = mesh_doubt(link.mass, extent, is_alone=not link.extents)
    if doubt:
        yield doubt


def _box_instead(link: Link, place: Placement, at: Placement) -> dict[str, Any]:
    """Return the box that stands for meshes: of the link's inertia, or of a size that it has."""
    largest = max(link.extents, default=0.0)
    edges, axes = equal_box(link.mass.mass, link.mass.inertia)
    if edges.any():
        at = place.then(Placement(axes, link.mass.com))
        edges = np.minimum(edges, largest or np.inf)
    else:
        edges = np.full(3, largest or SMALL)
    edges = np.maximum(edges, FLAT * edges.max())
    solid = Look(0, "box", at, size=numbers(edges))
    return {**_solids(solid, at)[0], "color": INSTEAD}


def rpy_of(R: Array) -> Triple:
    """Return turns about fixed x, then y, then z; upright, the last one is 0."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) < 1e-9:
        return numbers(np.array([math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0]))
    return numbers(np.array([math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])]))
