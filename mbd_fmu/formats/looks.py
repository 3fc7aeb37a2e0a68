"""Shapes of links as visuals of bodies; files of meshes, looked for where they may be read."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.placements import Placement, Triple, numbers
from mbd_fmu.formats.robot import Link, Look
from mbd_fmu.model.visuals import MESH_FORMATS
from mbd_fmu.spatial import Array


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
            if look.shape == "mesh":
                mesh = _mesh(link, look, at, folders, account)
                found += [mesh | own] if mesh else []
            else:
                found += [solid | own for solid in _solids(look, at)]
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
    where = f'link "{link.name}", mesh "{look.file}"'
    path, reason = folders.find(look.file)
    if path is not None and path.suffix.lower() not in MESH_FORMATS:
        reason = f"{path.suffix or 'it'} is not shown; STL and OBJ are"
    elif len(set(look.scale)) != 1 or not look.scale[0] > 0.0:
        reason = "its scale is not the same along all axes, or not above 0"
    if path is None or reason:
        account.note(where, look.line, f"not shown: {reason}")
        return None
    file = os.path.relpath(path.resolve(), folders.folder.resolve())
    turn = {"rpy": list(rpy_of(at.R))} if at.is_turned else {}
    scale = {"scale": look.scale[0]} if look.scale[0] != 1.0 else {}
    return {"shape": "mesh", "file": file, "center": list(at.r)} | turn | scale


def rpy_of(R: Array) -> Triple:
    """Return turns about fixed x, then y, then z, which together are R to the last digits.

    Near upright the first and the last turn are nearly the same: what one of them lacks in digits,
    the other makes up for, because it is measured after the last is undone.
    """
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    return numbers(np.array([roll, pitch, yaw]))
