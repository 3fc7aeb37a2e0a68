"""Sums of joint coordinates in absolute coordinates, and actuators that act along them.

A coordinate q_i has the rate J_i u, so a sum of them is a row like any other, by (1):

    l = sum r_i q_i,   l' = (sum r_i J_i) u,   Q = (sum r_i J_i)^T F                            (1)

    F = [gain ctrl + bias] - [stiffness (l - rest) + damping l']                                (2)

The first bracket works from outside; behind the second are an energy and a loss.

Source   Virtual power; MuJoCo's actuators with affine bias, on fixed tendons.
Checked  tests/laws/test_actuator.py, tests/laws/test_coupling.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces.actuator import Actuator
from mbd_fmu.oracle.forces import Push
from mbd_fmu.oracle.jets import Rate
from mbd_fmu.oracle.joints import Freedoms
from mbd_fmu.quantities.vectors import Values, vector_of
from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class Motor:
    """An actuator with its numbers."""

    name: str
    joints: tuple[str, ...]
    ratios: Array
    constants: Array  # gain, bias, stiffness, rest, damping

    def held(self, joints: Mapping[str, Freedoms]) -> Push:
        """What follows from where it is: the second part of (2)."""
        (length,), rate = self._along(joints)
        _, _, stiffness, rest, damping = self.constants
        stretch, speed = length - rest, rate.value
        energy, loss = stiffness * stretch**2 / 2.0, damping * float(speed @ speed)
        return Push(rate, -stiffness * stretch - damping * speed, energy, loss)

    def driven(self, joints: Mapping[str, Freedoms], ctrl: Array) -> Push:
        """What works from outside: the first part of (2)."""
        gain, bias, *_ = self.constants
        return Push(self._along(joints)[1], np.array([gain * sum(ctrl) + bias]))

    def _along(self, joints: Mapping[str, Freedoms]) -> tuple[Array, Rate]:
        return summed([joints[name] for name in self.joints], self.ratios)


def motors_of(forces: Sequence[Force], p: Values) -> list[Motor]:
    """Put numbers into the actuators among forces."""
    return [
        Motor(
            force.name,
            force.joints,
            vector_of(force.ratios or (1.0,) * len(force.joints), p).astype(float),
            vector_of(
                (force.gain, force.bias, force.stiffness, force.rest, force.damping), p
            ).astype(float),
        )
        for force in forces
        if isinstance(force, Actuator)
    ]


def summed(joints: Sequence[Freedoms], ratios: Array) -> tuple[Array, Rate]:
    """(1): l and its rate, of one component each."""
    length = sum(r * joint.q for joint, r in zip(joints, ratios, strict=True))
    first, *others = (joint.rate.times(r) for joint, r in zip(joints, ratios, strict=True))
    for rate in others:
        first = first + rate
    return np.asarray(length), first
