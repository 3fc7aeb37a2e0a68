"""Transmission: a length that is made of coordinates of joints, each times its ratio.

    l = sum of ratio_i q_i        a force F along l is ratio_i F along q_i

Source   Virtual power: F dl/dt = sum of ratio_i F dq_i/dt. MuJoCo calls it a fixed tendon.
Checked  tests/laws/test_actuator.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mbd_fmu.elements.force import Effort, Joints
from mbd_fmu.errors import Problem
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Scalar


@dataclass(frozen=True)
class Transmission:
    """Joints by their numbers in the forest, each with its ratio."""

    joints: tuple[int, ...]
    ratios: tuple[Scalar, ...]

    def length(self, joints: Joints) -> tuple[Scalar, Scalar]:
        """Return l and its rate."""
        length: Scalar = 0.0
        rate: Scalar = 0.0
        for joint, ratio in zip(self.joints, self.ratios, strict=True):
            q, v = joints.coordinate(joint)
            length, rate = length + ratio * q, rate + ratio * v
        return length, rate

    def efforts(self, force: Scalar) -> Iterator[Effort]:
        """Yield what a force along l exerts in the joints."""
        for joint, ratio in zip(self.joints, self.ratios, strict=True):
            yield Effort(joint, ratio * force)


def count_problems(where: str, joints: Sequence[str], ratios: Vector) -> Iterator[Problem]:
    """Yield that there are not as many ratios as joints, where both could be read."""
    if joints and ratios and len(joints) != len(ratios):
        found = f"{len(ratios)} given, number of joints {len(joints)}"
        yield Problem(f"{where}, ratios", found, "give one for each joint")
