"""Shapes of an MJCF model, for the eye alone: what they weigh MuJoCo's compiler has settled."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.bodies import place_of
from mbd_fmu.formats.mjcf.called import WORLD, Called
from mbd_fmu.formats.robots.placements import Placement, Triple, numbers
from mbd_fmu.formats.robots.robot import Look
from mbd_fmu.formats.robots.shapes import page_color
from mbd_fmu.spatial import length_of

HIDDEN = 3  # MuJoCo's own viewer shows the groups below
_GREY = (0.5, 0.5, 0.5, 1.0)  # of a shape that says nothing; that of its material counts


def read_looks(called: Called, folder: Path, account: Account) -> dict[int, list[Look]]:
    """Return the shapes of bodies by their numbers."""
    model = called.compiled.model
    found: dict[int, list[Look]] = defaultdict(list)
    for k in range(called.compiled.count("geom")):
        line, body = called.line("geom", k), int(model.geom_bodyid[k])
        if body == WORLD:
            account.ignore("<geom>", line, "of the world: it neither moves nor is it shown")
        elif model.geom_group[k] >= HIDDEN:
            reason = f"of group {HIDDEN} or more, for contacts, which are not computed"
            account.ignore("<geom>", line, reason)
        else:
            look = _look(called, k, line, folder, account)
            found[body] += [look] if look else []
    colliding = np.count_nonzero(model.geom_contype | model.geom_conaffinity) + model.npair
    if colliding:
        text = f"not computed; shapes and pairs that may touch there: {colliding}"
        account.note("contacts", 1, text)
    return found


def _look(called: Called, k: int, line: int, folder: Path, account: Account) -> Look | None:
    model, kind = (
        called.compiled.model,
        called.compiled.word("mjtGeom", called.compiled.model.geom_type[k]),
    )
    where = f'body "{called.bodies[model.geom_bodyid[k]]}", geom'
    place = place_of(model.geom_pos[k], model.geom_quat[k])
    size = numbers(model.geom_size[k])
    color = page_color(_rgba(model, k), line, where, account)
    if kind == "mesh":
        return _mesh(called, k, line, folder, place, color, account)
    if kind == "ellipsoid":
        account.note(where, line, "an ellipsoid is shown as a ball of its mean radius")
        kind, size = "sphere", (float(np.cbrt(np.prod(size))), 0.0, 0.0)
    round_and_long = (size[0], 2.0 * size[1])
    sizes: dict[str, Triple] = {
        "box": tuple(2.0 * x for x in size),
        "sphere": size[:1],
        "capsule": round_and_long,
        "cylinder": round_and_long,
    }
    if kind not in sizes:
        account.note(where, line, f"a {kind} is not shown")
        return None
    return Look(line, kind, place, size=sizes[kind], color=color)


def _mesh(
    called: Called,
    k: int,
    line: int,
    folder: Path,
    place: Placement,
    color: str,
    account: Account,
) -> Look | None:
    """Place a mesh as its file has it; the compiler has moved it to its own mass centre."""
    model, mesh = called.compiled.model, int(called.compiled.model.geom_dataid[k])
    where = f'body "{called.bodies[model.geom_bodyid[k]]}", mesh'
    if model.mesh_pathadr[mesh] < 0:
        account.note(where, line, "not shown: its points stand in the XML")
        return None
    path = bytes(model.paths[model.mesh_pathadr[mesh] :]).partition(b"\0")[0].decode()
    scale = numbers(model.mesh_scale[mesh])
    asset = called.compiled.elements["mesh", mesh]
    moved = place_of(model.mesh_pos[mesh], model.mesh_quat[mesh])
    quat = np.array(asset.refquat, float)
    told = place_of(np.array(scale) * asset.refpos, quat / length_of(quat))
    if told.is_turned and len(set(scale)) > 1:
        account.note(where, line, "not shown: its scale counts along axes that refquat turns")
        return None
    at = place.then(moved.inverse()).then(told.inverse())
    file = os.path.relpath(path, folder)
    return Look(line, "mesh", at, file=file, scale=scale, color=color)


def _rgba(model: Any, k: int) -> Triple:
    """Return the colour of a shape, or that of its material."""
    rgba, material = model.geom_rgba[k], model.geom_matid[k]
    if material >= 0 and np.allclose(rgba, _GREY):
        rgba = model.mat_rgba[material]
    return numbers(rgba)
