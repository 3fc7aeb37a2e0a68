"""Structure in the language of the seeds: body-connection arrays, labelled trees, their matrices.

Vertices are bodies, numbered 1 to n, with 0 for the base; arcs are joints, numbered 1 to n. Arrays
hold vertex numbers; their first entry belongs to vertex or arc 1, as on paper.

Source   Huston, Multibody Dynamics (1990) [001]; graphs as in [003], sec. 5.4.4.
Checked  tests/unit/test_graph.py: every number the seeds print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.spatial import Array

BASE = 0


# --- Body-connection array L: for each body its adjoining lower body [001] ---


def lower_body(L: Sequence[int], body: int, power: int = 1) -> int:
    """L^r(k): r steps from body k towards the base. Beyond the base there is nothing."""
    for _ in range(power):
        if body == BASE:
            raise ValueError("the path ends at the base")
        body = L[body - 1]
    return body


def powers(L: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return L^0, L^1, ... for all bodies, down to zeros: a path that has ended stays at 0."""
    table = [tuple(range(1, len(L) + 1))]
    while any(table[-1]):
        table.append(tuple(BASE if k == BASE else L[k - 1] for k in table[-1]))
    return tuple(table)


def path_to_base(L: Sequence[int], body: int) -> tuple[int, ...]:
    """Return k, L(k), L^2(k), ..., 0."""
    path = [body]
    while path[-1] != BASE:
        path.append(L[path[-1] - 1])
    return tuple(path)


def bodies_below(L: Sequence[int], body: int) -> int:
    """u_K: the r with L^r(K) = the body next to the base on this path."""
    return len(path_to_base(L, body)) - 2


def carriers(L: Sequence[int], body: int) -> tuple[int, ...]:
    """Return every body whose coordinates move this one, the direct carrier first; not the base."""
    return path_to_base(L, body)[1:-1]


def main_carrier(L: Sequence[int], body: int) -> int:
    """Return the body on this path that is joined to the base."""
    return path_to_base(L, body)[-2]


def precedes(L: Sequence[int], one: int, other: int) -> bool:
    """Tell whether s_one <= s_other: one lies on the path from the base to the other."""
    return one in path_to_base(L, other)


def regular_order(L: Sequence[int]) -> tuple[int, ...]:
    """Return the bodies so that every carrier comes before what it carries, nearest to their order.

    Each body comes in its turn, those of its carriers that are still missing just before it. So an
    order that is regular stays as it is; in any other, body 1 comes as early as a regular order
    lets it, then body 2, and so on. The seed's way gives the same from behind: of all leaves the
    one with the highest number becomes the last body and is cut off, and so on. [003]
    """
    order: dict[int, None] = {}
    for body in range(1, len(L) + 1):
        missing = [k for k in path_to_base(L, body)[:-1] if k not in order]
        order |= dict.fromkeys(reversed(missing))
    return tuple(order)


# --- Directed tree with arbitrary labels [003] ---


@dataclass(frozen=True)
class DirectedTree:
    """A tree on the base and n bodies; arc a points away from ``tail[a-1]`` towards ``head[a-1]``.

    The seed calls the two functions i+ and i-.
    """

    tail: tuple[int, ...]
    head: tuple[int, ...]

    @property
    def n(self) -> int:
        """Number of bodies, and of arcs."""
        return len(self.tail)

    @property
    def carrier(self) -> tuple[int, ...]:
        """The direct carrier of each body: the neighbour nearer to the base."""
        return tuple(c for c, _ in self._towards_base()[1:])

    @property
    def arc_below(self) -> tuple[int, ...]:
        """The arc from each body towards the base."""
        return tuple(a for _, a in self._towards_base()[1:])

    def _towards_base(self) -> list[tuple[int, int]]:
        """Return for each vertex its neighbour and arc on the way to the base."""
        found = [(-1, 0)] * (self.n + 1)
        reached = {BASE}
        front = [BASE]
        while front:
            vertex = front.pop()
            for arc, ends in enumerate(zip(self.tail, self.head, strict=True), start=1):
                if vertex in ends:
                    other = ends[1] if ends[0] == vertex else ends[0]
                    if other not in reached:
                        reached.add(other)
                        found[other] = (vertex, arc)
                        front.append(other)
        if len(reached) != self.n + 1:
            raise ValueError("no tree: some body is not connected to the base")
        return found

    def path(self, one: int, other: int) -> tuple[int, ...]:
        """Return the arcs passed on the way from one vertex to another."""
        L, below = self.carrier, self.arc_below
        up, down = list(path_to_base(L, one)), list(path_to_base(L, other))
        while len(up) > 1 and len(down) > 1 and up[-2] == down[-2]:
            up.pop()
            down.pop()
        forth = [below[v - 1] for v in up[:-1]]
        back = [below[v - 1] for v in down[:-1]]
        return (*forth, *reversed(back))

    def incidence(self) -> tuple[Array, Array]:
        """S_0 (n,) and S (n, n): +1 where an arc leaves a vertex, -1 where it arrives."""
        whole = np.zeros((self.n + 1, self.n), dtype=int)
        for a, (t, h) in enumerate(zip(self.tail, self.head, strict=True)):
            whole[t, a] += 1
            whole[h, a] -= 1
        return whole[0], whole[1:]

    def incidence_parts(self) -> tuple[Array, Array]:
        """S+ and S-, with S = S+ - S-. Eq. 5.37."""
        _, S = self.incidence()
        return np.maximum(S, 0), np.maximum(-S, 0)

    def path_matrix(self) -> Array:
        """P[i, j] = +-1 if arc i lies on the path from body j to the base, + if it points there."""
        P = np.zeros((self.n, self.n), dtype=int)
        L, below = self.carrier, self.arc_below
        for body in range(1, self.n + 1):
            for vertex in path_to_base(L, body)[:-1]:
                arc = below[vertex - 1]
                P[arc - 1, body - 1] = 1 if self.tail[arc - 1] == vertex else -1
        return P

    def regular_labels(self) -> tuple[int, ...]:
        """Return a new number for each body: every carrier's is smaller than what it carries."""
        number = {body: k for k, body in enumerate(regular_order(self.carrier), start=1)}
        return tuple(number[body] for body in range(1, self.n + 1))

    def regular(self, *, ascending: bool = False) -> DirectedTree:
        """Relabel regularly; arc i is then the one below body i.

        Descending arcs point to the base (i+ is the identity), ascending ones away from it.
        """
        label = (BASE, *self.regular_labels())
        lower = [0] * self.n
        for vertex, carrier in enumerate(self.carrier, start=1):
            lower[label[vertex] - 1] = label[carrier]
        own = tuple(range(1, self.n + 1))
        return DirectedTree(tuple(lower), own) if ascending else DirectedTree(own, tuple(lower))


def tree_of_array(L: Sequence[int]) -> DirectedTree:
    """Return the tree of a body-connection array, with arcs that point to the base."""
    return DirectedTree(tuple(range(1, len(L) + 1)), tuple(L))
