"""Outputs of turns: angles between axes, roll, pitch and yaw, and poses that another body sees.

Source   Angles by two arguments, which are smooth but where an axis, seen along the one it turns
         about, has no direction; roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll), e.g. Craig,
         Introduction to Robotics (2005), sec. 2.8.
Checked  tests/laws/test_named_outputs.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.elements.names import Component, wxyz, xyz
from mbd_fmu.elements.places import GROUND
from mbd_fmu.mechanics.seen_from import SeenFrom
from mbd_fmu.model.named_outputs import OutputAngle, OutputRelativePose, OutputRpy
from mbd_fmu.quantities.expressions import Expression
from mbd_fmu.quantities.vectors import Vector, unit_vector_of
from mbd_fmu.spatial import Array, arctan2, array, conjugate, norm, quaternion_product, skew, times
from mbd_fmu.system.outputs.block import Block, Solved, Stage
from mbd_fmu.system.outputs.points import origin_of


@dataclass(frozen=True)
class _Pair:
    """A body B and another, A, that sees it."""

    A: str
    B: str

    def seen(self, now: Solved) -> SeenFrom:
        places = now.at.tree.places
        return now.at.seen_from(places.number(self.A), places.number(self.B))

    def axes(self, now: Solved) -> Array:
        """R_AB, of their frames U."""
        seen, places = self.seen(now), now.at.tree.places
        (R_A, _, _), (R_B, _, _) = (seen.turning(places.number(b)) for b in (self.A, self.B))
        found: Array = times(R_A.T, R_B)
        return found

    def quaternion(self, now: Solved) -> Array:
        seen, places = self.seen(now), now.at.tree.places
        (_, a, _), (_, b, _) = (seen.turning(places.number(body)) for body in (self.A, self.B))
        return quaternion_product(conjugate(a), b)

    def origin(self, now: Solved) -> Array:
        """Of B, from that of A, in axes of A."""
        seen = self.seen(now)
        between, _ = seen.relative(origin_of(now, self.B), origin_of(now, self.A))
        R_A, _, _ = seen.turning(now.at.tree.places.number(self.A))
        return times(R_A.T, between)


@dataclass(frozen=True)
class _Angle:
    """From an axis of the parent to one of the child, in axes of the parent."""

    of: OutputAngle

    def value(self, now: Solved) -> Array:
        values = now.at.tree.places.parameters
        a, b = (unit_vector_of(axis, values) for axis in (self.of.axis, self.of.axis2))
        b = times(_Pair(self.of.parent, self.of.child).axes(now), b)
        across = times(skew(a), b)
        if not self.of.about:
            return array([arctan2(norm(across), times(a, b))])
        n = unit_vector_of(self.of.about, values)
        return array([arctan2(times(n, across), times(a, b) - times(a, n) * times(b, n))])


@dataclass(frozen=True)
class _Rpy:
    """Roll, pitch and yaw of a turn."""

    pair: _Pair

    def value(self, now: Solved) -> Array:
        R = self.pair.axes(now)
        roll, yaw = arctan2(R[2, 1], R[2, 2]), arctan2(R[1, 0], R[0, 0])
        return array([roll, arctan2(-R[2, 0], norm(R[2, 1:])), yaw])


def _shown(axis: Vector) -> str:
    """Write an axis as the model does."""
    parts = (q.text if isinstance(q, Expression) else f"{q:g}" for q in axis)
    return f"[{', '.join(parts)}]"


def angle_blocks(output: OutputAngle) -> Iterator[Block]:
    """Yield an angle."""
    text = f'angle from {_shown(output.axis)} of "{output.parent}" to {_shown(output.axis2)} of '
    text += f'"{output.child}"'
    sense = ", from 0 to pi"
    if output.about:
        about = f'{_shown(output.about)} of "{output.parent}"'
        sense = f", right-handed about {about}, both seen along it"
    named = (Component(output.name, "rad", f"{text}{sense}"),)
    yield Block(Stage.POSITIONS, named, _Angle(output).value)


def rpy_blocks(output: OutputRpy) -> Iterator[Block]:
    """Yield roll, pitch and yaw."""
    to = "the world" if output.relative_to == GROUND else f'"{output.relative_to}"'
    named = tuple(
        Component(
            f"{output.name}.{angle}",
            "rad",
            f'{angle} of "{output.body}": the {which} of three turns about axes of {to}, {x}',
        )
        for angle, which, x in (
            ("roll", "first", "x"),
            ("pitch", "second", "y"),
            ("yaw", "third", "z"),
        )
    )
    yield Block(Stage.POSITIONS, named, _Rpy(_Pair(output.relative_to, output.body)).value)


def relative_pose_blocks(output: OutputRelativePose) -> Iterator[Block]:
    """Yield position and turn of a body as another sees it."""
    pair, to = _Pair(output.relative_to, output.body), f'"{output.relative_to}"'
    text = f'origin of "{output.body}" from that of {to}, axes of {to}'
    yield Block(Stage.POSITIONS, xyz(f"{output.name}.r", "m", text), pair.origin)
    text = f'orientation of "{output.body}" in {to}, unit quaternion'
    yield Block(Stage.POSITIONS, wxyz(f"{output.name}.quat", text), pair.quaternion)
