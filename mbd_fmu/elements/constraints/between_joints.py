"""What constraints that compare coordinates of joints have in common: one linear relation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.constraint import COORDINATE, Constraint, JointJets, PlacedConstraint
from mbd_fmu.elements.jets import BodyJets, Flow, Jet
from mbd_fmu.elements.places import Places
from mbd_fmu.elements.symbols import Mark, Seen, SeenJoint, Solid, rack, wheel
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Scalar

TEETH = 16  # of the smallest wheel that is drawn


def mark_on(joint: SeenJoint, solid: Solid, radius: Scalar = 0.0) -> Mark:
    """Return a solid about or along the axis of a joint."""
    return Mark(joint.body, tuple(joint.point), tuple(joint.axis), (solid,), radius)


@dataclass(frozen=True)
class PlacedRelation(PlacedConstraint):
    """Joints by their numbers in the forest, each with its ratio: one led, any number that lead."""

    led: tuple[int, Scalar]
    leading: tuple[tuple[int, Scalar], ...]
    offset: Scalar

    def rows(self, bodies: BodyJets, joints: JointJets) -> Iterator[Jet | Flow]:
        """s q_b - sum of ratio q_a - offset."""
        del bodies
        i, ratio = self.led
        row = joints(i).times(ratio)
        for j, other in self.leading:
            row = row - joints(j).times(other)
        yield row.plus(-self.offset)

    def counted(self, joints: JointJets) -> Scalar:
        """Return the sum of what is compared."""
        terms = (joints(i).value[0] * ratio for i, ratio in (self.led, *self.leading))
        return sum(map(abs, terms), 0.0)


@dataclass(frozen=True)
class BetweenJoints(Constraint):
    """A constraint that compares coordinates of joints."""

    holonomic: ClassVar[str] = COORDINATE

    offset: Quantity = 0.0

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """It names none."""
        return ()

    def ignores_turns_of(self, body: str, centre: Vector) -> bool:
        """It holds joints."""
        del body, centre
        return True

    def marks(self, seen: Seen, declared: Seen) -> Iterator[Mark]:
        """A wheel on each joint that turns, a rack on each that slides."""
        del declared
        for name in self.joints:
            joint = seen.joints[name]
            yield mark_on(joint, wheel(TEETH) if joint.turns else rack(TEETH))

    def geared(self, places: Places, ratio: Quantity) -> PlacedRelation:
        """Put numbers in: the second joint is led by the first."""
        a, b = (places.joint[name] for name in self.joints)
        return PlacedRelation((b, 1.0), ((a, places.value(ratio)),), places.value(self.offset))
