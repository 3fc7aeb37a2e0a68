"""Joints of an SDF file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mbd_fmu.errors import nearest, shortened
from mbd_fmu.formats.robots.placements import Placement, Triple, numbers
from mbd_fmu.formats.robots.robot import Joint, Limit
from mbd_fmu.formats.sdf.axes import Axis, read_axis
from mbd_fmu.formats.sdf.frames import Frames
from mbd_fmu.formats.sdf.names import Place
from mbd_fmu.formats.sdf.scopes import WORLD, Scope
from mbd_fmu.formats.xml.attributes import Attributes, Texts
from mbd_fmu.formats.xml.xml_tree import Element

TYPES = ("revolute", "continuous", "prismatic", "fixed", "ball", "universal", "screw")
_AXES = {"fixed": (), "ball": (), "universal": ("axis", "axis2")}  # the others: one
_REFUSED = {
    "revolute2": "write a universal joint, or two revolute ones with a light link between",
    "gearbox": "join both links to a third one by revolute joints, and let one <mimic> the other",
}
_USUAL_PITCH = 1.0  # m per turn


@dataclass(frozen=True)
class JointReader:
    """Reads the joints of one scope."""

    scope: Scope
    frames: Frames

    def read(self, key: str, element: Element) -> Joint | None:
        """Read one ``<joint>``; none that joins what stands still anyway."""
        account, where = self.scope.account, f'joint "{shortened(key)}"'
        kind = self._type(element, where)
        parent, child = (self._end(element, end, where) for end in ("parent", "child"))
        if parent == child:
            if self.scope.is_static:
                account.note(where, element.line, "of a static model: it does not move")
            elif parent:
                found = f'parent and child are both of "{shortened(parent)}"'
                account.problem(element.line, where, found, "join two different links")
            return None
        if not parent or not child:
            return None
        own = self.frames.between(child, key)
        axes = self._axes(element, kind, where)
        first, second = axes.get("axis", Axis()), axes.get("axis2")
        starts = any(axis.start is not None for axis in axes.values())
        return Joint(
            key,
            account.outer(element.line),
            kind,
            parent,
            child,
            self.frames.between(parent, child),
            self._direction(first, child, own, f"{where}, axis"),
            axis2=self._direction(second, child, own, f"{where}, axis2") if second else (),
            at=own.r,
            pitch=self._pitch(element, kind, where),
            limit=self._limit(axes, kind, where),
            start=tuple(axis.start or 0.0 for axis in axes.values()) if starts else (),
            is_driven=not axes or any(axis.limit.effort != 0.0 for axis in axes.values()),
            damping=first.passive.damping,
            friction=first.passive.friction,
            stiffness=first.passive.stiffness,
            rest=first.passive.rest,
            second=second.passive if second else None,
            mimic=first.mimic,
        )

    def _type(self, element: Element, where: str) -> str:
        kind = Attributes(element, where, self.scope.account)
        text = kind.text("type")
        if text in _REFUSED:
            kind.problem(f"{text} joints are not read", _REFUSED[text])
        elif text not in TYPES and kind.has("type"):
            kind.problem(f'no type "{shortened(text)}"', nearest(text, TYPES))
        return text

    def _end(self, element: Element, end: str, where: str) -> str:
        """Return the link that a joint holds, or the world; empty after a problem."""
        name = Texts(element, where, self.scope.account).text(end)
        if name in ("", WORLD):
            return name  # the grammar has said that it is empty
        line = (element.first(end) or element).line
        place = Place(self.scope.account, line, f"{where}, {end}")
        key = self.frames.names.resolve(self.scope, name, place, "")
        return self.frames.link(key) if key else ""

    def _axes(self, element: Element, kind: str, where: str) -> dict[str, Axis]:
        """Return the axes that a joint of its type has; those it has not are told."""
        account, found = self.scope.account, {}
        wanted = _AXES.get(kind, ("axis",))
        for tag in ("axis", "axis2"):
            axis = element.first(tag)
            if axis is None and tag in wanted:
                remedy = f"add <{tag}><xyz>...</xyz></{tag}>"
                account.problem(element.line, where, f"<{tag}> is missing", remedy)
            elif axis is not None and tag not in wanted:
                account.note(where, axis.line, f"<{tag}> of a {kind} joint has no effect")
            elif axis is not None:
                found[tag] = read_axis(axis, self.scope, f"{where}, {tag}")
        second = found.get("axis2")
        if second is not None and second.mimic is not None:
            text = "a second axis cannot follow another one"
            account.problem(second.line, f"{where}, axis2, mimic", text, "take it out")
        return found

    def _direction(self, axis: Axis, child: str, own: Placement, where: str) -> Triple:
        """Return an axis in the child's frame."""
        frame = own
        if axis.expressed_in:
            place = Place(self.scope.account, axis.line, f"{where}, expressed_in")
            base = self.frames.names.resolve(self.scope, axis.expressed_in, place, child)
            frame = self.frames.between(child, base)
        return numbers(frame.turned(axis.xyz))

    def _limit(self, axes: Mapping[str, Axis], kind: str, where: str) -> Limit:
        """Return the limits that mean something for a type; what means nothing is told."""
        account, found = self.scope.account, Limit()
        for axis in axes.values():
            limit = axis.limit
            if limit.effort == 0.0:  # no drive at all
                limit = replace(limit, effort=None)
            if kind in ("revolute", "prismatic"):
                return limit
            if limit.lower is not None or limit.upper is not None:
                text = f"lower and upper of a {kind} joint have no effect"
                account.note(where, axis.line, text)
            if kind == "continuous":
                found = replace(limit, lower=None, upper=None)
            elif limit.effort is not None or limit.velocity is not None:
                text = f"effort and velocity of a {kind} joint have no effect"
                account.note(where, axis.line, text)
        return found

    def _pitch(self, element: Element, kind: str, where: str) -> float:
        """Return the travel per turn of a right-handed thread."""
        account = self.scope.account
        given = Texts(element, where, account)
        keys = [key for key in ("screw_thread_pitch", "thread_pitch") if given.has(key)]
        if kind != "screw":
            for key in keys:
                account.note(where, element.line, f"{key} of a {kind} joint has no effect")
            return 0.0
        if not keys:
            account.note(
                where, element.line, "no <screw_thread_pitch>: 1 m per turn, as SDF has it"
            )
            return _USUAL_PITCH
        value = given.number(keys[0], 1.0)
        if value == 0.0:
            given.problem_of(keys[0], "0 is no thread", "give metres per turn, or make it revolute")
            return _USUAL_PITCH
        # the older word: rad per m, of a left-handed thread
        return value if keys[0] == "screw_thread_pitch" else -2.0 * math.pi / value
