"""What elements look like: symbols of joints in line drawings and in 3-D, and kinds of lines.

Solids have the size of a unit that the viewer chooses, and their axis along y, which is put along
the axis of the joint, or along its second one.
"""

from __future__ import annotations

from dataclasses import dataclass

# In line drawings: a circle for what turns, a square for what slides, a diamond for the rest.
CIRCLE, DOTTED_CIRCLE, SQUARE, DIAMOND = "circle", "dotted circle", "square", "diamond"

# Lines between two points, as the viewer knows them; "" draws none.
SPRING, ROD, ATTRACTION, NO_LINE = "spring", "rod", "attraction", ""


@dataclass(frozen=True)
class Solid:
    """A pin, ring, box or ball of a symbol; what its kind has no use for is empty."""

    kind: str
    length: float = 0.0  # of a pin, which is about y
    radius: float = 0.0  # of a pin or a ball
    height: float = 0.0  # of a ring about y
    size: tuple[float, ...] = ()  # of a box
    about_second: bool = False  # put along the second axis


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
