"""An overlay put upon the table that a robot became."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats.overlays.overlay import (
    CARRIED,
    ELEMENTS,
    NAMING_BODIES,
    NAMING_JOINTS,
    Overlay,
)
from mbd_fmu.formats.robots.placements import Placement, rpy_of
from mbd_fmu.formats.tables.writing import Writing
from mbd_fmu.spatial import rotation_matrix

_XYZ = ("x", "y", "z")
_TURNS = ("rpy", "quaternion", "matrix")
_IN_PARENT = ("point", *_TURNS)  # keys of a joint that are numbers of a frame of its parent,
_IN_CHILD = ("point2", "axis", "axis2", *_TURNS)  # and of its child


def overlaid(table: dict[str, Any], overlay: Overlay, writing: Writing) -> dict[str, Any]:
    """Return the table with what the overlay adds and changes."""
    found = _Overlaying(overlay, writing)
    table = dict(table)
    for section in CARRIED:
        if section in overlay.table:
            entries = overlay.table[section]
            table[section] = {name: found.point_named_here(data) for name, data in entries.items()}
    table["model"] = table["model"] | overlay.table.get("model", {})
    for name in ("base", "fmu"):
        given = table.get(name, {}) | overlay.table.get(name, {})
        table |= {name: given} if given else {}
    bodies = {writing.body(link): changes for link, changes in overlay.links.items()}
    table["body"] = [body | found.of_body(body, bodies) for body in table["body"]]
    ours = {**writing.joints, **writing.root_joint}
    for name in overlay.joints:
        if name not in ours:
            where = f'{overlay.file}: [robot], joint "{name}"'
            writing.account.fault(where, "what it joins is one body here", "leave it out")
    joints = {ours[name]: name for name in overlay.joints if name in ours}
    table["joint"] = [
        found.of_joint(joint, joints[joint["name"]]) if joint["name"] in joints else joint
        for joint in table["joint"]
    ]
    for kind in ELEMENTS:
        added = [found.named_here(entry) for entry in overlay.table.get(kind, ())]
        if added:
            table[kind] = [*table.get(kind, ()), *added]
    table["output"] = found.outputs(table["output"])
    found.account_for(overlay.table)
    return table


class _Overlaying:
    """What an overlay needs to know of the robot it lies upon."""

    def __init__(self, overlay: Overlay, writing: Writing) -> None:
        self.overlay = overlay
        self.writing = writing

    def of_body(
        self, body: Mapping[str, Any], changes: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Return the keys of a body that change."""
        own = changes.get(body["name"], {})
        for key in own:
            self._place(f'body "{body["name"]}", {key}')
        return {key: _put(body[key], value) for key, value in own.items()}

    def of_joint(self, joint: Mapping[str, Any], name: str) -> dict[str, Any]:
        """Return a joint with what changes in it."""
        changed, changes = dict(joint), self.overlay.joints[name]
        for key, value in changes.items():
            self._check_frames(name, key)
            if key in _TURNS:
                changed = _turned_by(key, changed)
            changed[key] = _put(changed.get(key, [0.0, 0.0, 0.0]), value)
            self._place(f'joint "{joint["name"]}", {key}')
        return changed

    def _check_frames(self, name: str, key: str) -> None:
        """Numbers of a link's frame are those of its body where the two are the same."""
        writing = self.writing
        if name in writing.root_joint:
            return
        joint = writing.robot.joints[name]
        for keys, link in ((_IN_PARENT, joint.parent), (_IN_CHILD, joint.child)):
            if key in keys and not _is_nowhere(writing.at(link)):
                where = f'{self.overlay.file}: [robot], joint "{name}", {key}'
                found = f'link "{link}", whose frame it is given in, is part of another body'
                writing.account.fault(where, found, f'add it: robot.keep = ["{link}"]')

    def named_here(self, element: Mapping[str, Any]) -> dict[str, Any]:
        """Return an element that calls bodies and joints as we do."""
        links = {link: self.writing.body(link) for link in self.writing.robot.links}
        joints = {**self.writing.joints, **self.writing.root_joint}
        named = dict.fromkeys(NAMING_BODIES, links) | dict.fromkeys(NAMING_JOINTS, joints)
        return {
            key: _renamed(value, named[key]) if key in named else value
            for key, value in element.items()
        }

    def point_named_here(self, data: Any) -> Any:
        """Return a named point, or a parameter that is one, that calls its body as we do."""
        return self.named_here(data) if isinstance(data, Mapping) else data

    def outputs(self, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return outputs: groups of the overlay instead of the usual ones, its own besides."""
        given = self.overlay.table.get("output", ())
        groups = [group for output in given for group in output.get("groups", ())]
        own = tables[0]
        found = {key: value for output in given for key, value in output.items()}
        named: dict[str, list[dict[str, Any]]] = {"point": [*own["point"]]}
        for kind, output in self.overlay.outputs():
            named.setdefault(kind, []).append(self.named_here(output))
        return [own | found | named | {"groups": groups or own["groups"]}]

    def account_for(self, table: Mapping[str, Any]) -> None:
        """Let problems of what was added name the overlay, and the report what it did."""
        for section in ("base", "fmu"):
            self._place(f"[{section}]")
        for key in table.get("model", {}):
            self._place(f"[model], {key}")
        if "output" in table:
            self._place("[[output]]")
        for kind, word in (("parameters", "parameter"), ("points", "point")):
            for name in table.get(kind, {}):
                self._place(f'{word} "{name}"')
        for kind in ELEMENTS:
            for entry in table.get(kind, ()):
                self._place(f'{kind} "{entry.get("name")}"')
        for kind, output in self.overlay.outputs():
            self._place(f'{kind} "{output.get("name")}"')

    def _place(self, what: str) -> None:
        self.writing.account.places[what] = self.overlay.file


def _turned_by(key: str, joint: dict[str, Any]) -> dict[str, Any]:
    """Return a joint whose turn is told by one key alone, angles by those it had before."""
    rest = {k: x for k, x in joint.items() if k not in _TURNS or k == key}
    if key == "rpy" and "quaternion" in joint:
        rest["rpy"] = list(rpy_of(rotation_matrix(np.array(joint["quaternion"]))))
    return rest


def _is_nowhere(at: Placement) -> bool:
    """Tell whether a frame is the one it lies in."""
    return not at.is_turned and not at.p.any()


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(entry, names) for entry in value]
    return names.get(value, value) if isinstance(value, str) and value != GROUND else value


def _put(old: Any, new: Any) -> Any:
    """Return a new value, or the old vector or matrix with some of its numbers changed."""
    if not isinstance(new, Mapping) or not set(new) <= _parts(old):
        return new
    if isinstance(old[0], list):
        rows = [list(row) for row in old]
        for key, value in new.items():
            i, j = (_XYZ.index(c) for c in key)
            rows[i][j] = rows[j][i] = value
        return rows
    return [new.get(c, x) for c, x in zip(_XYZ, old, strict=True)]


def _parts(old: Any) -> set[str]:
    """Return what the numbers of a vector or of a symmetric matrix are called."""
    if not isinstance(old, list) or len(old) != 3:
        return set()
    return {a + b for a in _XYZ for b in _XYZ} if isinstance(old[0], list) else {*_XYZ}
