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

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Protocol

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import MotionOfTime
from mbd_fmu.errors import shortened
from mbd_fmu.model.named_outputs import NamedOutput, OutputPoint
from mbd_fmu.quantities.expressions import Expression, Quantity
from mbd_fmu.quantities.time_functions import TimeFunction
from mbd_fmu.quantities.vectors import Matrix, Orientation, Vector
from mbd_fmu.spatial import Scalar

OUTPUT_GROUPS = (
    *("poses", "velocities", "joints", "reactions", "energy", "quality"),
    *("forces", "accelerations"),
)
ON_REQUEST = ("velocities", "accelerations")  # of bodies: they follow from the joints
DEFAULT_GROUPS = tuple(g for g in OUTPUT_GROUPS if g not in ON_REQUEST)


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
    vector: str = ""  # the vector it is a component of, if any
    body: str = ""  # that carries the point which the vector is, if any does
    is_parameter: ClassVar[bool] = True

    @property
    def declared_as(self) -> str:
        """What the model calls it, or the vector it belongs to."""
        return self.vector or self.name


@dataclass(frozen=True)
class Derived:
    """A number that follows from parameters, and from those derived before it."""

    name: str
    value: Expression
    unit: str = "1"
    min: float | None = None
    max: float | None = None
    description: str = ""
    tunable: bool = False  # something it follows from may change between steps
    vector: str = ""  # the vector or the point it is a component of, if any
    is_parameter: bool = True  # it is shown to the outside; coordinates of points are not
    body: str = ""  # that carries a parameter which is a point

    @property
    def declared_as(self) -> str:
        """What the model calls it, or the vector or point it belongs to."""
        return self.vector or self.name


@dataclass(frozen=True)
class NamedPoint:
    """A place that elements may call by name; in the U of the body that carries it."""

    name: str
    body: str
    at: Vector


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
    opacity: Quantity | None = None  # none: that of the body
    entry: int = 0  # which of the body's list says it, from 1; a line through points is several


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
    opacity: Quantity = 1.0  # of what it is drawn as; 1: nothing is seen through it


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
    # what tells a prescribed motion: inputs, "full", "position" or "velocity", or the "time"
    motion: str = "full"
    cut: bool = False  # the user wants this joint to close the loop
    fixed: bool = False  # its start values stay when loops are closed
    fictitious: bool = False  # not in the model: it carries a part that flies
    # what its maker allows in each freedom, in both directions; it bounds nothing by itself
    effort: tuple[float, ...] = ()
    speed: tuple[float, ...] = ()
    torque: tuple[TimeFunction, ...] = ()  # what drives each freedom; empty: inputs
    of_time: MotionOfTime | None = None  # the motion that the time tells

    @property
    def uses_time(self) -> bool:
        """What drives it hangs on the time."""
        is_led = self.of_time is not None and self.of_time.uses_time
        return is_led or any(function.uses_time for function in self.torque)

    @property
    def passive(self) -> tuple[str, ...]:
        """What acts in its freedoms by itself."""
        own = {"spring": self.stiffness, "damper": self.damping, "friction": self.friction}
        return tuple(name for name, given in (own | {"stops": self.stop}).items() if given)

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
    outputs: tuple[NamedOutput, ...] = ()  # that the model names, besides points
    base_motion: str = "full"  # what tells the motion of a moving base, as of a joint
    derived: tuple[Derived, ...] = ()  # each from parameters and those before it
    named_points: tuple[NamedPoint, ...] = ()
    base_of_time: MotionOfTime | None = None
    # where files it names are looked for: the folder of the model file; no part of the mechanism
    folder: Path = field(default=Path(), compare=False)

    @property
    def nominal(self) -> dict[str, float]:
        """The parameters' declared values, and what follows from them."""
        return self.named(p.value for p in self.parameters)

    def named(self, p: Iterable[Scalar]) -> dict[str, Scalar]:
        """Return values of the parameters by name, with all that follows from them."""
        found = dict(zip((v.name for v in self.parameters), p, strict=False))
        for derived in self.derived:
            found[derived.name] = derived.value.value(found)
        return found

    @property
    def declared(self) -> tuple[Parameter | Derived, ...]:
        """All that expressions may name, by components; what is derived last."""
        return (*self.parameters, *self.derived)

    @property
    def derived_parameters(self) -> tuple[Derived, ...]:
        """What is derived and shown to the outside."""
        return tuple(derived for derived in self.derived if derived.is_parameter)

    @property
    def uses_time(self) -> bool:
        """Something in it hangs on the time."""
        by_base = self.base_of_time is not None and self.base_of_time.uses_time
        by_joints = any(joint.uses_time for joint in self.joints)
        by_outputs = any(output.uses_time for output in self.outputs)
        by_forces = any(force.uses_time for force in self.forces)
        return by_base or by_joints or by_forces or by_outputs


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
        f"{shortened(repr(model))} is no mechanism; give a Mechanism, a Spec, or what "
        "mbd_fmu.load(file) returns"
    )


def with_groups(spec: Spec, *groups: str) -> Spec:
    """Return the same mechanism with more groups of outputs; its text still has those declared."""
    wanted = {*spec.groups, *groups}
    return replace(spec, groups=tuple(group for group in OUTPUT_GROUPS if group in wanted))
