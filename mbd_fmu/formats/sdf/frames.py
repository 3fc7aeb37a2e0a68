"""Where all frames of a file lie in each other, and which links they move with.

Source   sdformat.org, "Pose Frame Semantics Proposal" and "Model composition": a pose is relative
         to the frame it names, else that of a link to its model, of a joint to its child, of a
         frame to what it is attached to; a model with a placement frame is put by that.
Checked  tests/formats/test_sdf.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.robots.placements import Placement
from mbd_fmu.formats.sdf.names import Names, Place
from mbd_fmu.formats.sdf.poses import read_pose, relative_to
from mbd_fmu.formats.sdf.scopes import MODEL, WORLD, Scope
from mbd_fmu.formats.xml.attributes import Texts
from mbd_fmu.formats.xml.xml_tree import Element


@dataclass(frozen=True)
class Frame:
    """A frame, by the names of those it depends on."""

    what: str
    line: int
    account: Account
    pose: Placement = field(default_factory=Placement)
    relative_to: str = ""  # of the world: nothing
    attached_to: str = ""  # of a link and of the world: nothing
    placement: str = ""  # the frame in a model that its pose places


class Frames:
    """All of them; what leads round in a circle is refused at once, for nothing lies anywhere."""

    def __init__(self, frames: Mapping[str, Frame], names: Names) -> None:
        self.frames = frames
        self.names = names
        account = frames[WORLD].account
        circles = [c for key in ("relative_to", "attached_to") for c in self._circles(key)]
        if not account.problems:  # else they may come of a name that means nothing
            for circle in circles:
                self._tell(*circle)
        if circles:
            account.refuse_problems()
        self._tell_placements()

    def link(self, key: str) -> str:
        """Return the link that a frame moves with, or the world."""
        while onward := self.frames[key].attached_to:
            key = onward
        return key

    def between(self, outer: str, inner: str) -> Placement:
        """Return where a frame lies in another one, as drawn."""
        up, down = self._chain(outer), self._chain(inner)
        shared = next(key for key in up if key in down)
        return self._along(up, shared).inverse().then(self._along(down, shared))

    def _along(self, chain: list[str], end: str) -> Placement:
        place = Placement()
        for key in chain[: chain.index(end)]:
            place = self._own(key).then(place)
        return place

    def _own(self, key: str) -> Placement:
        """Return where a frame lies in what it is relative to."""
        frame = self.frames[key]
        if not frame.placement:
            return frame.pose
        return frame.pose.then(self.between(key, frame.placement).inverse())

    def _chain(self, key: str) -> list[str]:
        found = [key]
        while onward := self.frames[found[-1]].relative_to:
            found.append(onward)
        return found

    def _circles(self, key: str) -> Iterator[tuple[str, list[str]]]:
        """Yield each circle once, with all that is in it."""
        good: set[str] = set()
        for start in self.frames:
            way: list[str] = []
            name = start
            while name and name not in good and name not in way:
                way.append(name)
                name = getattr(self.frames[name], key)
            if name in way:
                yield key, way[way.index(name) :]
            good |= {*way}

    def _tell(self, key: str, circle: list[str]) -> None:
        frame = self.frames[circle[0]]
        chain = " -> ".join(map(shortened, [*circle, circle[0]]))
        remedy = f"let one of them name another frame, such as {MODEL}"
        found = f"{key} leads round in a circle: {chain}"
        frame.account.problem(frame.line, frame.what, found, remedy)

    def _tell_placements(self) -> None:
        for key, frame in self.frames.items():
            if frame.placement and key not in self._chain(frame.placement):
                found = f'placement_frame "{shortened(frame.placement)}" is not placed in the model'
                frame.account.problem(frame.line, frame.what, found, "name one that is")
        self.frames[WORLD].account.refuse_problems()


def frames_of(top: Scope, names: Names) -> Frames:
    """Read the frames of a scope and of all within it."""
    found = {WORLD: Frame(WORLD, top.line, top.account)}
    if top.frame != WORLD:
        found[top.frame] = _model(top, None, names)
    for scope in top.walk():
        for key, element in scope.elements("link"):
            own = WORLD if scope.is_static else ""
            found[key] = _frame(scope, "link", key, element, names, scope.frame, own)
        for key, element in scope.elements("joint"):
            what = f'joint "{shortened(key)}"'
            child = _end(scope, element, what, names)
            found[key] = _frame(scope, "joint", key, element, names, child, child)
        for key, element in scope.elements("frame"):
            what, name = f'frame "{shortened(key)}"', element.attributes.get("attached_to", "")
            place = Place(scope.account, element.line, f"{what}, attached_to")
            onto = names.resolve(scope, name.strip(), place, scope.frame)
            found[key] = _frame(scope, "frame", key, element, names, onto, onto)
        for inner in scope.nested:
            found[inner.frame] = _model(inner, scope, names)
    return Frames(found, names)


def _end(scope: Scope, joint: Element, what: str, names: Names) -> str:
    """Return the frame that a joint names as its child; the joint's reader tells what is wrong."""
    name = Texts(joint, what, scope.account).text("child")
    key = scope.key(name)
    return key if name and key in names.lines else scope.frame


def _frame(
    scope: Scope, tag: str, key: str, element: Element, names: Names, usual: str, onto: str
) -> Frame:
    what = f'{tag} "{shortened(key)}"'
    pose = element.first("pose") or element
    place = Place(scope.account, pose.line, f"{what}, pose")
    base = names.resolve(scope, relative_to(element), place, usual)
    raw = read_pose(element, what, scope.account)
    return Frame(what, element.line, scope.account, raw, base, onto)


def _model(model: Scope, scope: Scope | None, names: Names) -> Frame:
    """Return the frame of a model in a scope, or alone; its canonical link carries it."""
    what = f'model "{shortened(model.element.attributes.get("name", ""))}"'
    element, account = model.placing.element, model.placing.account
    place = Place(account, (element.first("pose") or element).line, f"{what}, pose")
    base, named = WORLD, relative_to(element)
    if scope is not None:
        base = names.resolve(scope, named, place, scope.frame)
    elif named:
        found = f'relative to "{shortened(named)}", and there is nothing beside the model'
        account.problem(place.line, place.where, found, "take relative_to out")
    onto = (
        WORLD if model.is_static else _named_by(model, "canonical_link", what, names, _first(model))
    )
    by = _named_by(model, "placement_frame", what, names, "")
    return Frame(
        what,
        model.element.line,
        model.account,
        read_pose(element, what, account),
        base,
        onto,
        "" if by == model.frame else by,
    )


def _named_by(model: Scope, key: str, what: str, names: Names, default: str) -> str:
    """Return the frame in a model that one of its attributes names."""
    name = model.element.attributes.get(key, "").strip()
    place = Place(model.account, model.element.line, f"{what}, {key}")
    return names.resolve(model, name, place, default)


def _first(model: Scope) -> str:
    """Return the first link of a model; of one without links, its first inner model."""
    links = (key for key, _ in model.elements("link"))
    return next(links, next((inner.frame for inner in model.nested), WORLD))
