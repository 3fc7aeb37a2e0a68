"""The spanning forest: which joint carries which body, in which order.

Problem: a model lists bodies and joints in any order and direction. Wanted is a numbering in
which every parent comes before its children, each body with the one joint that carries it,
and the slices of q and v that belong to that joint.

The result has these properties:
- ``parent[i] < i`` for every body i, ``WORLD`` for bodies carried by the ground;
- bodies keep the order of the model as far as the first property allows (breadth first);
- a joint declared against the direction of the tree is marked ``reversed``.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.model.elements import COORDINATES
from mbd_fmu.model.spec import GROUND, Spec

WORLD = -1


@dataclass(frozen=True)
class Forest:
    """A numbering of the mechanism; index i runs over the bodies in forest order."""

    body: tuple[int, ...]  # index into spec.bodies
    joint: tuple[int, ...]  # index into spec.joints, of the joint that carries body i
    reversed: tuple[bool, ...]  # the joint is declared from the carried body to its carrier
    parent: tuple[int, ...]  # forest index of the carrier, or WORLD
    q: tuple[slice, ...]  # coordinates of joint i
    v: tuple[slice, ...]  # velocities of joint i
    nq: int
    nv: int

    def __len__(self) -> int:
        return len(self.parent)


def forest_of(spec: Spec) -> Forest:
    """Number the mechanism from the ground outward."""
    number = {GROUND: WORLD}  # name -> forest index
    edges: list[tuple[int, bool]] = []  # joint, reversed: in forest order
    used: set[int] = set()
    front = [GROUND]
    while front:
        reached = []
        for carrier in front:
            for k, joint in enumerate(spec.joints):
                if k in used or carrier not in (joint.parent, joint.child):
                    continue
                used.add(k)
                carried = joint.child if joint.parent == carrier else joint.parent
                if carried in number:
                    raise SpecError(spec.name, [_loop_problem(spec, k)])
                number[carried] = len(edges)
                edges.append((k, joint.parent != carrier))
                reached.append(carried)
        front = reached
    _refuse_what_is_left(spec, number, edges)
    return _numbered(spec, number, edges)


def _numbered(spec: Spec, number: dict[str, int], edges: list[tuple[int, bool]]) -> Forest:
    index = {body.name: k for k, body in enumerate(spec.bodies)}
    names = [name for name in number if name != GROUND]
    parent, q, v = [], [], []
    nq = nv = 0
    for k, against in edges:
        joint = spec.joints[k]
        parent.append(number[joint.child if against else joint.parent])
        n_position, n_velocity = COORDINATES[joint.type]
        q.append(slice(nq, nq := nq + n_position))
        v.append(slice(nv, nv := nv + n_velocity))
    return Forest(
        body=tuple(index[name] for name in names),
        joint=tuple(k for k, _ in edges),
        reversed=tuple(against for _, against in edges),
        parent=tuple(parent),
        q=tuple(q),
        v=tuple(v),
        nq=nq,
        nv=nv,
    )


def _refuse_what_is_left(spec: Spec, number: dict[str, int], edges: list[tuple[int, bool]]) -> None:
    problems = [
        Problem(
            f'body "{body.name}"',
            "no joint connects it to the ground, directly or through other bodies",
            'add a joint to a connected body, or one of type "free" to "ground" if it flies',
        )
        for body in spec.bodies
        if body.name not in number
    ]
    for k, against in edges:
        joint = spec.joints[k]
        if against and joint.type == "free":
            problems.append(
                Problem(
                    f'joint "{joint.name}"',
                    f'a free joint that leads from "{joint.parent}" towards the ground',
                    "swap parent and child: its coordinates place the child in the parent",
                )
            )
    if problems:
        raise SpecError(spec.name, problems)


def _loop_problem(spec: Spec, k: int) -> Problem:
    joint = spec.joints[k]
    return Problem(
        f'joint "{joint.name}"',
        f'closes a loop: "{joint.parent}" and "{joint.child}" are connected already',
        "remove it; closed loops are not available in this version",
    )
