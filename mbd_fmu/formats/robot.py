"""A robot as its file means it, before it becomes a mechanism of ours: a tree of links."""

from __future__ import annotations

from dataclasses import dataclass, field

from mbd_fmu.formats.placements import NO_MASS, Mass, Placement, Triple


@dataclass(frozen=True)
class Look:
    """A shape that shows where a link is."""

    line: int
    shape: str  # box, cylinder, sphere, capsule or mesh
    place: Placement  # of the shape's frame in the link's
    size: Triple = ()  # edges; radius and length; radius
    file: str = ""  # of a mesh, as it stands in the file
    scale: Triple = (1.0, 1.0, 1.0)
    color: str = ""


@dataclass(frozen=True)
class Link:
    """A rigid part."""

    name: str
    line: int
    mass: Mass = NO_MASS  # in the link's frame
    looks: tuple[Look, ...] = ()
    extents: tuple[float, ...] = ()  # sizes of its shapes, those for collisions too


@dataclass(frozen=True)
class Limit:
    """What a joint's maker allows; None: nothing is said."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another one: q = multiplier * q_other + offset."""

    joint: str
    multiplier: float
    offset: float
    line: int


@dataclass(frozen=True)
class Joint:
    """What joins a child to its parent; its frame is that of the child."""

    name: str
    line: int
    type: str
    parent: str
    child: str
    xyz: Triple
    rpy: Triple
    place: Placement  # the same
    axis: Triple  # of length 1, in the child
    limit: Limit = Limit()
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
    is_kept: bool = False  # a fixed one whose child stays a body of its own

    @property
    def is_fixed(self) -> bool:
        """Its child does not move in the parent."""
        return self.type == "fixed"


@dataclass(frozen=True)
class Robot:
    """All of it."""

    name: str
    line: int
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
