"""Forces along the line between two points, at the distance l, pulling them together.

A length of zero has no direction: the force is then not finite, and the run says so. Only a spring
of natural length zero needs none: it pulls with k times the offset, and there with nothing.

Source   [003] sec. 5.4, [004]; e.g. Haug, Computer Aided Kinematics and Dynamics (1989), sec. 6.2.
Checked  tests/laws/test_springs.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.force import Bodies, Force, Load, Measure, Motion, PlacedForce
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.spatial import TINY, Array, Scalar, array, length_of, scaled, times

_NO_TORQUE = np.zeros(3)


@dataclass(frozen=True)
class Line:
    """The line between two points: direction from parent to child, length and its rate."""

    direction_W: Array
    length: Scalar
    rate: Scalar


@dataclass(frozen=True)
class PlacedLineForce(PlacedForce):
    """A pull along a line; types say how large it is, what it holds and loses."""

    ends: tuple[BodyPoint, BodyPoint]

    def pull(self, line: Line, motion: Motion) -> Scalar:
        """Return the force that draws the points together."""
        raise NotImplementedError

    @property
    def needs_direction(self) -> bool:
        """Tell whether it pulls at a distance of zero, too."""
        return True

    @property
    def line_ends(self) -> tuple[BodyPoint, BodyPoint]:
        """The points it pulls at."""
        return self.ends

    def line(self, bodies: Bodies) -> Line:
        """Return the line between the points now."""
        (p, v), (p2, v2) = (bodies.point(end) for end in self.ends)
        between = p2 - p
        square = times(between, between) + (0.0 if self.needs_direction else TINY)
        length = np.sqrt(array([square]))[0]
        direction = scaled(1.0 / length, between)
        return Line(direction, length, times(direction, v2 - v))

    def loads(self, motion: Motion, inputs: Array) -> Iterator[Load]:
        """Yield the pull on both bodies."""
        del inputs
        line = self.line(motion)
        force = scaled(self.pull(line, motion), line.direction_W)
        one, other = self.ends
        yield Load(one.body, force, _NO_TORQUE, motion.point(one)[0])
        yield Load(other.body, -force, _NO_TORQUE, motion.point(other)[0])

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array) -> dict[str, Array]:
        """Return the line, and the pull along it."""
        del inputs
        line = self.line(bodies)
        return {
            "length": array([line.length]),
            "rate": array([line.rate]),
            "force": array([self.pull(line, motion)]),
        }

    def start_problem(self, bodies: Bodies) -> tuple[str, str] | None:
        """Refuse points that coincide."""
        (p, _), (p2, _) = (bodies.point(end) for end in self.ends)
        if not self.needs_direction or length_of(p2 - p) >= 1e-12:
            return None
        found = "its two points coincide at the start, so it has no direction"
        return found, "move one of the points or the start position"


@dataclass(frozen=True)
class LineForce(Force):
    """A pull along a line as a model says it."""

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return how long its line is, how fast that grows, and how strongly it pulls."""
        del turns
        ends = f'the points of "{self.name}" on "{self.parent}" and "{self.child}"'
        texts = {
            "length": ("m", f"distance between {ends}"),
            "rate": ("m/s", f"rate of the distance between {ends}, positive as they part"),
            "force": ("N", f"force that draws {ends} together, positive: tension"),
        }
        return tuple(
            Measure(key, (Component(f"{self.name}.{key}", *text),), is_position=key == "length")
            for key, text in texts.items()
        )
