"""What is computed: mechanisms as numbers that every engine can be built from.

A link's frame lies at the point of the joint that carries it, with the axes of the user's frame.
Mechanisms are bare: joints without springs, dampers, friction and stops, no forces but gravity and
held efforts. What engines add to that differs, and would be compared instead of the dynamics.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.places import GROUND, WORLD
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import quaternion_of, unit_vector_of, vector_of
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System, system_of

POINT, ROD = "point", "rod"
# What holds a loop together, by what a model says. In a plane a hinge and a line across it hold
# what a point holds; elsewhere the accelerations would differ, and those are compared.
TIES = {
    "revolute": POINT,
    "spherical": POINT,
    "point_on_line": POINT,
    "distance": ROD,
}


@dataclass(frozen=True)
class Link:
    """A body with the joint that carries it; vectors in its own frame, placed in its carrier's."""

    name: str
    parent: int  # or WORLD
    kind: str
    position: Array
    turn: Array  # 3 x 3
    axes: tuple[Array, ...]
    reference: float  # coordinate in the drawn position
    mass: float
    com: Array
    inertia: Array  # about the mass centre
    q: slice
    v: slice


@dataclass(frozen=True)
class Tie:
    """Two points that stay together, or at their distance; each in the frame of its link."""

    kind: str
    link: tuple[int, int]
    point: tuple[Array, Array]


@dataclass(frozen=True)
class State:
    """Coordinates, velocities and efforts of the tree's joints, in our order."""

    q: Array
    v: Array
    effort: Array

    def at_rest(self) -> "State":
        """Return the same place without velocities."""
        return replace(self, v=np.zeros_like(self.v))


@dataclass(frozen=True)
class Work:
    """A mechanism to compute. Loops are timed where they are after ``seconds``."""

    name: str
    spec: Spec
    seconds: float = 0.0
    efforts: dict[str, float] = field(default_factory=dict)  # joint -> held effort

    @cached_property
    def system(self) -> System:
        """Its structure, by which coordinates are ordered."""
        system = system_of(self.spec)
        if any(system.forest.reversed):
            raise ValueError(f"{self.name}: a joint leads to its parent; cut others or turn it")
        return system

    @property
    def has_loops(self) -> bool:
        """Whether something ties the tree together."""
        return bool(self.system.rows)

    @property
    def rounding(self) -> float:
        """What rounding may do to accelerations of a tree, relative to the largest.

        The condition of its inertia matrix grows with up to the fourth power of the bodies:
        Featherstone, An Empirical Study of the Joint Space Inertia Matrix, 2004.
        """
        return max(1e-12, np.finfo(float).eps * len(self.links) ** 4)

    @property
    def gravity(self) -> Array:
        """Acceleration of what falls."""
        return _numbers(self.spec.gravity, self.spec.nominal)

    @property
    def inputs(self) -> dict[str, float]:
        """Held efforts by the names of our FMU's inputs."""
        return {f"{joint}.tau": effort for joint, effort in self.efforts.items()}

    @property
    def effort(self) -> Array:
        """Held efforts in the order of the velocities."""
        found = np.zeros(self.system.forest.nv)
        for link in self.links:
            found[link.v] = self.efforts.get(link.name, 0.0)
        return found

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Bodies from the ground outward."""
        return tuple(_link(self.system, i) for i in range(len(self.system.forest)))

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        """What closes the loops."""
        spec, forest = self.system.spec, self.system.forest
        number = {spec.bodies[b].name: i for i, b in enumerate(forest.body)} | {GROUND: WORLD}
        found = []
        for element in (*(spec.joints[k] for k in forest.cut), *spec.constraints):
            link = (number[element.parent], number[element.child])
            ends = (element.point, element.point2)
            point = tuple(
                _numbers(end, spec.nominal) - _joint_point(self.system, i)
                for i, end in zip(link, ends, strict=True)
            )
            found.append(Tie(TIES[element.type], link, point))
        return tuple(found)

    def random_state(self, seed: int) -> State:
        """Return any place and velocities of a tree."""
        rng, forest = np.random.default_rng(seed), self.system.forest
        q, v = rng.normal(size=forest.nq), rng.normal(size=forest.nv)
        for k in self.system.states.quaternions:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        return State(q, v, self.effort)

    def state_of(self, x: Array) -> State:
        """Return what the states of our FMU say about the tree."""
        forest, n_q = self.system.forest, len(self.system.state_q)
        return State(x[: forest.nq], x[n_q : n_q + forest.nv], self.effort)


def bare(spec: Spec) -> Spec:
    """Return a mechanism without what engines understand differently."""
    none = dict.fromkeys(("stiffness", "rest", "damping", "friction", "lower", "upper", "stop"), ())
    joints = tuple(replace(joint, armature=(), **none) for joint in spec.joints)
    return replace(spec, joints=joints, forces=())


def with_cuts(spec: Spec, is_cut: Callable[[str], bool]) -> Spec:
    """Return a mechanism whose loops are cut at the joints that are asked for."""
    joints = tuple(replace(j, cut=True) if is_cut(j.name) else j for j in spec.joints)
    return replace(spec, joints=joints)


def _numbers(vector, nominal) -> Array:
    return vector_of(vector, nominal).astype(float)


def _joint_point(system: System, i: int) -> Array:
    """Origin of a link's frame in the user's frame of the body."""
    if i == WORLD:
        return np.zeros(3)
    return _numbers(system.joint(i).point2, system.spec.nominal)


def _link(system: System, i: int) -> Link:
    spec, forest, p = system.spec, system.forest, system.spec.nominal
    joint, body = system.joint(i), spec.bodies[forest.body[i]]
    quaternion = np.array([float(c) for c in quaternion_of(joint.orientation, p)])
    return Link(
        joint.name,
        forest.parent[i],
        joint.type,
        _numbers(joint.point, p) - _joint_point(system, forest.parent[i]),
        Rotation.from_quat(quaternion, scalar_first=True).as_matrix(),
        tuple(unit_vector_of(a, p).astype(float) for a in (joint.axis, joint.axis2) if a),
        float(value_of(joint.reference, p)),
        float(value_of(body.mass, p)),
        _numbers(body.com, p) - _joint_point(system, i),
        inertia_of(body, p).astype(float),
        forest.q[i],
        forest.v[i],
    )
