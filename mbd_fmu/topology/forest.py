"""The spanning forest: which joint carries which body, in which order, and which joints are cut.

Problem: a model lists bodies and joints in any order and direction, perhaps with closed loops.
Wanted is a numbering in which every parent comes before its children, each body with the one joint
that carries it, the slices of q and v that belong to that joint, and the joints left over.

The result has these properties:
- ``parent[i] < i`` for every body i, ``WORLD`` for bodies carried by the ground;
- every joint is either in the forest or cut;
- a joint declared against the direction of the tree is marked ``reversed``.
Wished for, in this order: joints the user marks are cut, joints with a prescribed motion are not;
joints with many freedoms are cut (they leave few constraint rows); the tree is shallow.
Bodies keep the order of the model wherever it is regular (``topology.graph.regular_order``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from mbd_fmu.elements.places import GROUND, WORLD
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.topology.graph import BASE, regular_order
from mbd_fmu.topology.parts import Parts


@dataclass(frozen=True)
class Forest:
    """A numbering of the mechanism; index i runs over the bodies in forest order."""

    body: tuple[int, ...]  # index into spec.bodies
    joint: tuple[int, ...]  # index into spec.joints, of the joint that carries body i
    reversed: tuple[bool, ...]  # the joint is declared from the carried body to its carrier
    parent: tuple[int, ...]  # forest index of the carrier, or WORLD
    cut: tuple[int, ...]  # index into spec.joints, of the joints that close loops
    q: tuple[slice, ...]  # coordinates of joint i
    v: tuple[slice, ...]  # velocities of joint i
    nq: int
    nv: int
    cut_q: tuple[slice, ...]  # of the cut joints, counted on from nq
    cut_v: tuple[slice, ...]  # and from nv

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def every_joint(self) -> tuple[int, ...]:
        """The joints of the tree, then the cut ones: index into spec.joints."""
        return (*self.joint, *self.cut)

    @cached_property
    def every_q(self) -> tuple[slice, ...]:
        """Coordinates of every joint."""
        return (*self.q, *self.cut_q)

    @cached_property
    def every_v(self) -> tuple[slice, ...]:
        """Velocities of every joint."""
        return (*self.v, *self.cut_v)


def forest_of(spec: Spec) -> Forest:
    """Choose the cuts and number the mechanism, which is connected (``topology.connect``)."""
    kept = _spanning_tree(spec)
    order = _regular(spec, _walk(spec, kept))
    return _numbered(spec, order, tuple(k for k in range(len(spec.joints)) if k not in kept))


def _walk(spec: Spec, kept: set[int]) -> list[tuple[int, bool]]:
    """Return the joints of the tree from the ground outward, each with whether it is reversed."""
    order = _leaving(spec, kept, GROUND, came_by=-1)
    for k, against in order:  # grows as the walk goes on
        order += _leaving(spec, kept, _far_end(spec.joints[k], against), came_by=k)
    return order


def _regular(spec: Spec, walk: Iterable[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """Return the joints of the tree in the order of what they carry, nearest to the model's."""
    number = {GROUND: BASE} | {body.name: k for k, body in enumerate(spec.bodies, start=1)}
    carried = {number[_far_end(spec.joints[k], against)]: (k, against) for k, against in walk}
    lower = [
        number[_near_end(spec.joints[k], against)] for _, (k, against) in sorted(carried.items())
    ]
    return [carried[body] for body in regular_order(lower)]


def _leaving(spec: Spec, kept: set[int], body: str, came_by: int) -> list[tuple[int, bool]]:
    """Return the tree's joints that lead on from a body, with whether they are reversed."""
    return [
        (k, spec.joints[k].parent != body)
        for k in sorted(kept)
        if k != came_by and body in (spec.joints[k].parent, spec.joints[k].child)
    ]


def _far_end(joint: Joint, against: bool) -> str:
    return joint.parent if against else joint.child


def _near_end(joint: Joint, against: bool) -> str:
    return joint.child if against else joint.parent


def _spanning_tree(spec: Spec) -> set[int]:
    """Choose the joints to keep: Kruskal's algorithm, then equals exchanged for a shallow tree."""
    parts = Parts()
    kept: set[int] = set()
    for k in sorted(range(len(spec.joints)), key=lambda k: (_preference(spec.joints[k]), k)):
        if parts.join(spec.joints[k].parent, spec.joints[k].child):
            kept.add(k)
    while (better := _shallower(spec, kept)) is not None:
        kept = better
    return kept


def _preference(joint: Joint) -> tuple[bool, bool, bool, int, bool]:
    """Small is kept, large is cut: start values of a cut joint follow from the others'."""
    freedoms = joint.kind.nv
    has_start = joint.position is not None or joint.velocity is not None
    return joint.cut, joint.drive != "motion", not joint.fixed, freedoms, not has_start


def _shallower(spec: Spec, kept: set[int]) -> set[int] | None:
    """Return the exchange of a cut joint for an equal one that helps most, if any does."""
    best, depth = None, _total_depth(spec, kept)
    for k in range(len(spec.joints)):
        if k in kept:
            continue
        for other in sorted(kept):
            if _preference(spec.joints[other]) != _preference(spec.joints[k]):
                continue
            candidate = kept - {other} | {k}
            found = _total_depth(spec, candidate)
            if found is not None and depth is not None and found < depth:
                best, depth = candidate, found
    return best


def _total_depth(spec: Spec, kept: set[int]) -> int | None:
    """Return the sum of all bodies' distances from the ground; None if some are not reached."""
    depth = {GROUND: 0}
    for k, against in _walk(spec, kept) if _is_acyclic(spec, kept) else ():
        joint = spec.joints[k]
        depth[_far_end(joint, against)] = depth[_near_end(joint, against)] + 1
    return sum(depth.values()) if len(depth) == len(spec.bodies) + 1 else None


def _is_acyclic(spec: Spec, kept: Iterable[int]) -> bool:
    parts = Parts()
    return all(parts.join(spec.joints[k].parent, spec.joints[k].child) for k in kept)


def _numbered(spec: Spec, order: list[tuple[int, bool]], cut: tuple[int, ...]) -> Forest:
    index = {body.name: k for k, body in enumerate(spec.bodies)}
    number = {GROUND: WORLD}
    parent, q, v = [], [], []
    nq = nv = 0
    for k, against in order:
        joint = spec.joints[k]
        parent.append(number[_near_end(joint, against)])
        number[_far_end(joint, against)] = len(number) - 1
        n_position, n_velocity = joint.kind.nq, joint.kind.nv
        q.append(slice(nq, nq := nq + n_position))
        v.append(slice(nv, nv := nv + n_velocity))
    return Forest(
        body=tuple(index[name] for name in number if name != GROUND),
        joint=tuple(k for k, _ in order),
        reversed=tuple(against for _, against in order),
        parent=tuple(parent),
        cut=cut,
        q=tuple(q),
        v=tuple(v),
        nq=nq,
        nv=nv,
        cut_q=_counted_on(nq, [spec.joints[k].kind.nq for k in cut]),
        cut_v=_counted_on(nv, [spec.joints[k].kind.nv for k in cut]),
    )


def _counted_on(first: int, sizes: Iterable[int]) -> tuple[slice, ...]:
    ends = list(accumulate(sizes, initial=first))
    return tuple(slice(a, b) for a, b in pairwise(ends))
