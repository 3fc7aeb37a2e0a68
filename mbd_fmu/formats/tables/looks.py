"""Shapes of links as visuals of bodies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.folders import Folders
from mbd_fmu.formats.meshes.mesh import Mesh, MeshError
from mbd_fmu.formats.meshes.reading import read_mesh
from mbd_fmu.formats.robots.physics import mesh_doubt
from mbd_fmu.formats.robots.placements import Placement, numbers, rpy_of
from mbd_fmu.formats.robots.robot import Link, Look
from mbd_fmu.model.inertias import equal_box

INSTEAD = "#9a9a9a"  # grey, of a box that stands for a mesh
SMALL = 0.05  # m: edge of one that nothing is known about
FLAT = 0.05  # its least edge, of the longest: a needle or a plate must be seen, too


def visuals_of(
    parts: Sequence[tuple[Link, Placement]], folders: Folders, account: Account
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
    ends = [list(numbers(at.point((0.0, 0.0, z)))) for z in (-length / 2.0, length / 2.0)]
    found: list[dict[str, Any]] = [
        {"shape": "cylinder", "radius": radius, "from": ends[0], "to": ends[1]}
    ]
    if look.shape == "capsule":
        found += [{"shape": "sphere", "radius": radius, "center": end} for end in ends]
    return found


def _mesh(
    link: Link, look: Look, at: Placement, folders: Folders, account: Account
) -> dict[str, Any] | None:
    """Return a mesh that can be read; of any other one, a note."""
    where = f'link "{link.name}", mesh "{look.file}"'
    try:
        path = _found(look, folders)
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


def _found(look: Look, folders: Folders) -> Path:
    path, reason = folders.find(look.file)
    if path is None:
        raise MeshError(reason)
    if not all(look.scale):
        raise MeshError("its scale is 0 along an axis")
    return path


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
