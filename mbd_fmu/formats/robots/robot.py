"""A robot as its file means it, before it becomes a mechanism of ours: links and joints."""

from __future__ import annotations

from dataclasses import dataclass, field

from mbd_fmu.formats.robots.placements import NO_MASS, Mass, Placement, Triple

# what joints of robots are here
TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "rigid",
    "floating": "free",
    "planar": "planar",
    "ball": "spherical",
    "universal": "universal",
    "screw": "helical",
}


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
    opacity: float = 1.0  # of robots that are written; of those that are read it is not shown


@dataclass(frozen=True)
class Link:
    """A rigid part."""

    name: str
    line: int
    mass: Mass = NO_MASS  # in the link's frame
    looks: tuple[Look, ...] = ()
    extents: tuple[float, ...] = ()  # sizes of its shapes, those for collisions too
    is_world: bool = False  # the file's own word for the ground


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
class Passive:
    """Spring, damper and friction in a freedom."""

    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True)
class Joint:
    """What joins a child to its parent; as drawn, its coordinates are at their reference."""

    name: str
    line: int
    type: str  # a key of TYPES
    parent: str
    child: str
    place: Placement  # of the child's frame in the parent's, as drawn
    axis: Triple = ()  # of length 1, in the child
    axis2: Triple = ()  # the second one of a universal joint, likewise
    rpy: Triple = (0.0, 0.0, 0.0)  # the turn of its place, where the file says it so
    at: Triple = (0.0, 0.0, 0.0)  # where it sits in the child
    pitch: float = 0.0  # m per turn, of a screw
    limit: Limit = Limit()
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0  # of its spring
    second: Passive | None = None  # of a second freedom that has not the same as the first
    reference: float = 0.0  # its coordinate as drawn
    start: Triple = ()  # coordinates where the motion starts; none: as drawn
    mimic: Mimic | None = None
    is_kept: bool = False  # a fixed one whose child stays a body of its own
    is_driven: bool = True  # it has an input
    is_closing: bool = False  # the file has it outside of its tree

    @property
    def is_fixed(self) -> bool:
        """Its child does not move in the parent."""
        return self.type == "fixed"


@dataclass(frozen=True)
class Coupling:
    """A linear relation between joints: sum of ratio * q = offset."""

    name: str
    line: int
    terms: tuple[tuple[str, float], ...]  # joint, ratio
    offset: float = 0.0


@dataclass(frozen=True)
class Actuator:
    """What acts on a length l, the sum of ratio * q.

    gain * ctrl + bias - stiffness * (l - rest) - damping * l'
    """

    name: str
    line: int
    terms: tuple[tuple[str, float], ...]  # joint, ratio
    gain: float = 1.0  # 0: it takes no signal
    bias: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    lower: float | None = None  # what its signal should stay within
    upper: float | None = None


@dataclass(frozen=True)
class Robot:
    """All of it."""

    name: str
    line: int
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    root: str = ""  # the link that all others hang on
    gravity: Triple = ()  # none: as usual
    couplings: tuple[Coupling, ...] = ()
    actuators: tuple[Actuator, ...] = ()
