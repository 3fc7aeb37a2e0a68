"""What elements look like: symbols of joints in line drawings and in 3-D, and kinds of lines.

Solids have the size of a unit that the viewer chooses, and their axis along y, which is put along
the axis of the joint, or along its second one. Forces and constraints that are no line between
points leave marks on bodies, made of solids, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mbd_fmu.quantities.vectors import Values, Vector
from mbd_fmu.spatial import Array, Scalar

# In line drawings: a circle for what turns, a square for what slides, a diamond for the rest.
CIRCLE, DOTTED_CIRCLE, SQUARE, DIAMOND = "circle", "dotted circle", "square", "diamond"

# Lines between two points, as the viewer knows them; "" draws none.
SPRING, ROD, ATTRACTION, NO_LINE = "spring", "rod", "attraction", ""


@dataclass(frozen=True)
class Solid:
    """A part of a symbol; what its kind has no use for is empty."""

    kind: str
    length: float = 0.0  # of a pin, which is about y
    radius: float = 0.0  # of a pin or a ball
    height: float = 0.0  # of a ring about y
    size: tuple[float, ...] = ()  # of a box
    about_second: bool = False  # put along the second axis
    teeth: Scalar = 0.0  # of a wheel, a crown or, per 2 pi of its length, a rack; to be rounded


def pin(length: float, radius: float, *, about_second: bool = False) -> Solid:
    """Return a cylinder along the axis."""
    return Solid("pin", length=length, radius=radius, about_second=about_second)


def ring(height: float) -> Solid:
    """Return a ring about the axis."""
    return Solid("ring", height=height)


def box(*size: float) -> Solid:
    """Return a box with edges across, along and across the axis."""
    return Solid("box", size=size)


def ball(radius: float) -> Solid:
    """Return a ball."""
    return Solid("ball", radius=radius)


@dataclass(frozen=True)
class JointSymbol:
    """How a joint is drawn."""

    sketch: str = DIAMOND
    solids: tuple[Solid, ...] = ()
    is_supported: bool = True  # on the ground it stands on something


def wheel(teeth: Scalar) -> Solid:
    """Return a toothed wheel about the axis, with a pitch circle of radius 1."""
    return Solid("wheel", teeth=teeth)


def crown(teeth: Scalar) -> Solid:
    """Return a wheel with its teeth inside."""
    return Solid("crown", teeth=teeth)


def rack(teeth: Scalar) -> Solid:
    """Return a toothed bar along the axis that a wheel of radius 1 rolls on for one turn."""
    return Solid("rack", teeth=teeth)


def blade(radius: float) -> Solid:
    """Return a disc about the axis that is sharp at its rim: it cuts along, and never slips."""
    return Solid("blade", radius=radius)


def coil(length: float, radius: float) -> Solid:
    """Return a spring along the axis, on both sides of its point."""
    return Solid("coil", length=length, radius=radius)


def dart(length: float) -> Solid:
    """Return an arrow along the axis, from its point on."""
    return Solid("dart", length=length)


@dataclass(frozen=True)
class Mark:
    """Solids on a body that show a force or a constraint."""

    body: str
    point: Vector  # in the body's U, as is the axis
    axis: Vector  # along y of the solids
    solids: tuple[Solid, ...]
    radius: Scalar = 0.0  # in m, what is 1 in the solids; 0: the unit of the viewer
    turns: bool = True  # with its body; else it keeps the directions of the world


@dataclass(frozen=True)
class SeenJoint:
    """What marks on a joint of one coordinate must know of it; both ends in U of their bodies."""

    body: str  # on which it is drawn
    point: Array
    axis: Array
    carrier: str  # the other one
    carrier_point: Array
    carrier_axis: Array
    turns: bool  # or it slides


@dataclass(frozen=True)
class Seen:
    """What marks must know of a mechanism, with numbers or symbols put in for its parameters."""

    joints: Mapping[str, SeenJoint]  # those of one coordinate
    values: Values
