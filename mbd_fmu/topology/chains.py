"""Closed chains: where couplings form rings, and whether each ring is a closed kinematic chain.

Problem: given bodies and couplings (joints, and others such as springs), list a fundamental set of
rings: one for each coupling beyond a spanning tree, no more than necessary. A ring is *kinematic*
only if every coupling in it is a joint: a spring in the ring opens it. [003]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mbd_fmu.model.spec import Spec
from mbd_fmu.topology.parts import Parts


@dataclass(frozen=True)
class Coupling:
    """What acts between two contiguous bodies."""

    name: str
    parent: str
    child: str
    is_joint: bool

    def other(self, body: str) -> str:
        """Return the body at the other end."""
        return self.child if self.parent == body else self.parent


@dataclass(frozen=True)
class Chain:
    """A closed chain: its bodies and couplings, in the order of a walk around it."""

    bodies: tuple[str, ...]
    couplings: tuple[str, ...]
    kinematic: bool


def couplings_of(spec: Spec) -> tuple[Coupling, ...]:
    """Return all couplings of a mechanism, joints first."""
    joints = [Coupling(j.name, j.parent, j.child, is_joint=True) for j in spec.joints]
    forces = [
        Coupling(f.name, f.parent, f.child, is_joint=False) for f in spec.forces if f.is_coupling
    ]
    return (*joints, *forces)


def closed_chains(couplings: Sequence[Coupling], closing: Iterable[str] = ()) -> tuple[Chain, ...]:
    """Return a fundamental set of rings; ``closing`` names joints that are to close one each.

    The spanning tree takes joints before other couplings, so that as many rings as there are
    closed kinematic chains come out kinematic.
    """
    last = set(closing)
    order = sorted(couplings, key=lambda c: (not c.is_joint, c.name in last))
    tree: dict[str, list[Coupling]] = {}
    parts = Parts()
    chains = []
    for coupling in order:
        if parts.join(coupling.parent, coupling.child):
            tree.setdefault(coupling.parent, []).append(coupling)
            tree.setdefault(coupling.child, []).append(coupling)
            continue
        bodies, passed = _walk(tree, coupling.parent, coupling.child)
        ring = (*passed, coupling)
        chains.append(Chain(bodies, tuple(c.name for c in ring), all(c.is_joint for c in ring)))
    return tuple(chains)


def _walk(
    tree: dict[str, list[Coupling]], start: str, goal: str
) -> tuple[tuple[str, ...], tuple[Coupling, ...]]:
    """Return the bodies and couplings on the way through the tree."""
    came: dict[str, tuple[str, Coupling] | None] = {start: None}
    front = [start]
    while front:
        body = front.pop()
        for coupling in tree.get(body, []):
            beyond = coupling.other(body)
            if beyond not in came:
                came[beyond] = (body, coupling)
                front.append(beyond)
    bodies, passed = [goal], []
    while (step := came[bodies[-1]]) is not None:
        bodies.append(step[0])
        passed.append(step[1])
    return tuple(reversed(bodies)), tuple(reversed(passed))
