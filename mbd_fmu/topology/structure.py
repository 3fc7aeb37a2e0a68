"""The structure of a mechanism, gathered for people, programs and pictures.

It stands also where the mechanics does not: a mechanism that cannot be assembled has a structure.
"""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.topology.chains import Chain, closed_chains, couplings_of
from mbd_fmu.topology.connect import BASE_BODY, connected
from mbd_fmu.topology.forest import Forest, forest_of
from mbd_fmu.topology.graph import DirectedTree, bodies_below, tree_of_array


@dataclass(frozen=True)
class Structure:
    """Bodies numbered from 1 in forest order, 0 for the base; chains and cuts by name."""

    spec: Spec  # connected: fictitious joints are written out
    forest: Forest
    bodies: tuple[str, ...]
    connection: tuple[int, ...]  # body-connection array
    tree: DirectedTree
    chains: tuple[Chain, ...]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joint that carries each body."""
        carried = [self.spec.joints[k] for k in self.forest.joint]
        return tuple(j for j in carried if not _is_base(self.spec, j.name))

    @property
    def cut_joints(self) -> tuple[Joint, ...]:
        """The joints that close loops."""
        return tuple(self.spec.joints[k] for k in self.forest.cut)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of all joint coordinates."""
        return tuple(f"{j.name}.{c.name}" for j in self.joints for c in j.kind.names.positions)

    @property
    def bodies_below(self) -> tuple[int, ...]:
        """u of each body: how many steps lie between it and the one next to the base."""
        return tuple(bodies_below(self.connection, k + 1) for k in range(len(self.bodies)))

    @property
    def gruebler(self) -> int:
        """Freedoms by counting: those of the tree, less the rows of cut joints and constraints."""
        of_tree = sum(j.kind.nv for j in self.joints if j.drive != "motion")
        of_cuts = sum(6 - j.kind.nv for j in self.cut_joints)
        return of_tree - of_cuts - sum(c.n_rows for c in self.spec.constraints)


def structure_of(spec: Spec) -> Structure:
    """Find out who is connected to whom."""
    whole = connected(spec)
    forest = forest_of(whole)
    chains = closed_chains(couplings_of(spec), [whole.joints[k].name for k in forest.cut])
    names = [whole.bodies[k].name for k in forest.body]
    # a moving base is vertex 0, and so is the ground, to which only what flies is joined then
    shift = 0 if spec.moving_base else 1
    bodies = [(i, name) for i, name in enumerate(names) if not _is_base(whole, name)]
    connection = tuple(max(forest.parent[i] + shift, 0) for i, _ in bodies)
    return Structure(
        whole,
        forest,
        tuple(name for _, name in bodies),
        connection,
        tree_of_array(connection),
        chains,
    )


def _is_base(spec: Spec, name: str) -> bool:
    return spec.moving_base and name == BASE_BODY
