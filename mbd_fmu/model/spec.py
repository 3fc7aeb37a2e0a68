"""The specification of a mechanism, as the user means it.

Everything a model file or a Python builder can say ends up here, checked and in one form.
Each body has a frame U, the one its numbers are given in:

- drawn in world axes (``frame = "world"``), U coincides with the world as drawn, for every body;
- drawn in local frames (``frame = "local"``, as in URDF), U is the body's own frame.

A joint sits at ``point`` in the parent's U and at ``point2`` in the child's U; ``orientation``
turns the parent's U into the child's U in the drawn position; the axis is given in the child's U.
So one form serves both ways of drawing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.vectors import Matrix, Orientation, Vector

OUTPUT_GROUPS = ("poses", "velocities", "joints", "reactions", "energy", "quality")
DEFAULT_GROUPS = tuple(g for g in OUTPUT_GROUPS if g != "velocities")


@dataclass(frozen=True)
class Parameter:
    """A number that stays open: it becomes a parameter of the FMU."""

    name: str
    value: float
    unit: str
    min: float | None
    max: float | None
    description: str
    tunable: bool  # may change between steps


@dataclass(frozen=True)
class Shape:
    """A homogeneous solid whose moments follow from the mass: box, cylinder, sphere, rod, point."""

    kind: str
    size: Vector  # box: edges; cylinder: radius, length; sphere: radius; rod: length; point: none
    axis: Vector  # of cylinder and rod, in U


@dataclass(frozen=True)
class BodyVelocity:
    """Start velocity of a body: of its mass centre, and of its turning; world axes."""

    linear: Vector
    angular: Vector


@dataclass(frozen=True)
class Visual:
    """A solid that shows where a body is; it has no mass. Vectors in the body's frame U."""

    shape: str  # cylinder, box, sphere or mesh
    radius: Quantity = 0.0  # of a cylinder or a sphere
    start: Vector = ()  # ends of a cylinder
    end: Vector = ()
    size: Vector = ()  # edges of a box
    center: Vector = ()  # of a box or a sphere; where the origin of a mesh lies
    turn: Orientation | None = None  # of a box or a mesh
    scale: Vector = ()  # of a mesh: m per unit of its file, along its axes; negative: mirrored
    file: str = ""
    color: str = ""  # none: the next of a palette


@dataclass(frozen=True)
class Body:
    """A rigid body. Vectors in its frame U, inertia about the mass centre."""

    name: str
    mass: Quantity
    com: Vector
    inertia: Matrix | Shape
    origin: Vector  # the point whose position is an output
    velocity: BodyVelocity | None
    visual: tuple[Visual, ...]


@dataclass(frozen=True)
class Joint:
    """A coupling that restricts the motion of ``child`` relative to ``parent``."""

    name: str
    type: str
    parent: str
    child: str
    point: Vector  # in the parent's U
    point2: Vector  # in the child's U
    orientation: Orientation  # from the parent's U to the child's U
    axis: Vector  # in the child's U; empty where the type has none
    axis2: Vector  # likewise; may be empty also where it is optional
    own: Vector  # numbers of the type's own keys, in their order
    reference: Quantity  # value of the coordinate in the drawn position
    position: Vector | None  # start values; None: as drawn
    velocity: Vector | None  # start values; None: free to follow the bodies' velocities
    armature: Vector  # inertia of the rotor, per freedom, as are the next; empty: none
    stiffness: Vector
    rest: Vector
    damping: Vector
    friction: Vector  # Coulomb's, and the speed below which it fades
    friction_speed: Quantity
    lower: Vector  # stops, with their stiffness, damping and the width over which they set in
    upper: Vector
    stop: Vector
    drive: str  # "torque", "motion" or "none"
    motion: str = "full"  # what tells a prescribed motion: "full", "position" or "velocity"
    cut: bool = False  # the user wants this joint to close the loop
    fixed: bool = False  # its start values stay when loops are closed
    fictitious: bool = False  # not in the model: it carries a part that flies
    # what its maker allows in each freedom, in both directions; it bounds nothing by itself
    effort: tuple[float, ...] = ()
    speed: tuple[float, ...] = ()

    @property
    def kind(self) -> JointType:
        """All that is particular to its type."""
        return JOINTS[self.type]

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """The bodies it joins, each with its key."""
        return (("parent", self.parent), ("child", self.child))

    @property
    def leads_anywhere(self) -> bool:
        """Its child may be at any place: there is nothing to see between the two."""
        return self.kind.leads_anywhere

    @property
    def drawn_position(self) -> Vector:
        """Its coordinates in the drawn position."""
        return (self.reference,) if self.kind.nq == 1 else self.kind.neutral


@dataclass(frozen=True)
class OutputPoint:
    """A point of a body to follow, given in the body's U."""

    name: str
    body: str
    point: Vector


@dataclass(frozen=True)
class FmuDefaults:
    """What the FMU does unless the importer says otherwise."""

    solver: str = "dopri5"
    tolerance: float = 1e-6
    step: float = 1e-3
    stop_time: float = 10.0
    communication_step: float = 0.01
    naming: str = "structured"
    stabilization: str = "projection"
    alpha: float = 10.0  # of Baumgarte's method: phi'' + 2 alpha phi' + beta^2 phi = 0
    beta: float = 10.0


@dataclass(frozen=True)
class Spec:
    """A mechanism, checked. ``text`` is the model in JSON, from which it can be read again."""

    name: str
    description: str
    gravity: Vector
    parameters: tuple[Parameter, ...]
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    forces: tuple[Force, ...]
    constraints: tuple[Constraint, ...]
    characteristic_length: float | None  # makes torques comparable with forces; None: by default
    moving_base: bool
    groups: tuple[str, ...]
    points: tuple[OutputPoint, ...]
    fmu: FmuDefaults
    text: str
    base_motion: str = "full"  # what tells the motion of a moving base, as of a joint
    # where files it names are looked for: the folder of the model file; no part of the mechanism
    folder: Path = field(default=Path(), compare=False)

    @property
    def nominal(self) -> dict[str, float]:
        """The parameters' declared values."""
        return {p.name: p.value for p in self.parameters}


class Specified(Protocol):
    """What can be asked for its specification: a ``Mechanism``, a loaded ``Model``."""

    def spec(self) -> Spec:
        """Check everything and return the specification."""


def spec_of(model: Spec | Specified) -> Spec:
    """Return the specification of whatever stands for a mechanism."""
    if isinstance(model, Spec):
        return model
    if callable(getattr(model, "spec", None)):
        return model.spec()
    raise TypeError(
        f"{model!r} is no mechanism; give a Mechanism, a Spec, or what mbd_fmu.load(file) returns"
    )


def with_groups(spec: Spec, *groups: str) -> Spec:
    """Return the same mechanism with more groups of outputs; its text still has those declared."""
    wanted = {*spec.groups, *groups}
    return replace(spec, groups=tuple(group for group in OUTPUT_GROUPS if group in wanted))
