"""Actuator: a drive on coordinates of joints, through a transmission of length l.

    F = gain ctrl + bias - stiffness (l - rest) - damping dl/dt

ctrl is an input. With gain = stiffness it is a servo that holds l at ctrl, with gain = damping one
that holds its rate; without gain it is a spring with damper, and has no input. The spring holds
stiffness (l - rest)^2 / 2 and the damper loses; gain ctrl + bias is what works on the mechanism.

Source   MuJoCo, actuators with affine bias and fixed tendons: F = gain ctrl + b_0 + b_1 l + b_2 l'.
Checked  tests/laws/test_actuator.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from mbd_fmu.elements.force import Bodies, Effort, Force, Joints, Measure, Motion, PlacedForce
from mbd_fmu.elements.keys import Key, Limit, Names, Number, Ratios
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND, Places
from mbd_fmu.elements.transmission import Transmission, count_problems
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import Quantity
from mbd_fmu.quantities.table import Table
from mbd_fmu.quantities.vectors import Vector
from mbd_fmu.spatial import Array, Scalar, array

# of l, dl/dt and F: where its joints turn, where they slide, and where some turn and others slide
_UNITS = {True: ("rad", "rad/s", "N.m"), False: ("m", "m/s", "N")}
_MIXED = ("1", "1/s", "1")


@dataclass(frozen=True)
class PlacedActuator(PlacedForce):
    """An actuator with numbers put in; its input is ctrl, if it has one."""

    transmission: Transmission
    gain: Scalar
    bias: Scalar
    stiffness: Scalar
    rest: Scalar
    damping: Scalar

    def _drive(self, inputs: Array) -> Scalar:
        drive = self.bias
        for ctrl in inputs:
            drive = drive + self.gain * ctrl
        return drive

    def _force(self, joints: Joints, inputs: Array) -> Scalar:
        """F, which makes l grow."""
        length, rate = self.transmission.length(joints)
        held = self.stiffness * (length - self.rest) + self.damping * rate
        return self._drive(inputs) - held

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array) -> dict[str, Array]:
        """Return l, its rate, and F along it."""
        del bodies
        length, rate = self.transmission.length(motion)
        effort = self._force(motion, inputs)
        return {"length": array([length]), "rate": array([rate]), "effort": array([effort])}

    def efforts(self, joints: Joints, inputs: Array) -> Iterator[Effort]:
        """Yield F in all its joints."""
        yield from self.transmission.efforts(self._force(joints, inputs))

    def energies(self, joints: Joints) -> Iterator[Scalar]:
        """k (l - rest)^2 / 2."""
        stretch = self.transmission.length(joints)[0] - self.rest
        yield self.stiffness * stretch * stretch / 2.0

    def losses(self, joints: Joints) -> Iterator[Scalar]:
        """d (dl/dt)^2."""
        rate = self.transmission.length(joints)[1]
        yield self.damping * rate * rate

    def powers(self, joints: Joints, inputs: Array) -> Iterator[Scalar]:
        """(gain ctrl + bias) dl/dt."""
        yield self._drive(inputs) * self.transmission.length(joints)[1]


@dataclass(frozen=True)
class Actuator(Force):
    """As a model says it."""

    type: ClassVar[str] = "actuator"
    law: ClassVar[str] = (
        "F = gain `<name>.ctrl` + bias − k (l − rest) − d dl/dt along l, the sum of ratio q over "  # noqa: RUF001
        "its joints; ratio F along each q"
    )
    ends: ClassVar[tuple[Key, ...]] = ()
    keys: ClassVar[tuple[Key, ...]] = (
        Names("joints", "one or more, of one coordinate each"),
        Ratios("ratios", "one for each joint, default 1", default=()),
        Number("gain", "default 1; 0: no input", default=1.0),
        Number("stiffness", "k", default=0.0, least=0.0),
        Number("rest", default=0.0),
        Number("damping", "d", default=0.0, least=0.0),
        Number("bias", default=0.0),
        Limit("lower", "of the input"),
        Limit("upper", "likewise"),
    )
    is_coupling: ClassVar[bool] = False

    ratios: Vector
    gain: Quantity
    stiffness: Quantity
    rest: Quantity
    damping: Quantity
    bias: Quantity
    lower: float | None
    upper: float | None

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read it; it has no ends."""
        own = {key.target: key.read(table) for key in cls.keys}
        return cls(name, GROUND, GROUND, (), (), **own)

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """It names none."""
        return ()

    @property
    def has_input(self) -> bool:
        """A gain that is written as 0 has nothing to multiply; a parameter may be anything."""
        return self.gain != 0.0

    @property
    def inputs(self) -> tuple[Component, ...]:
        """What controls it."""
        if not self.has_input:
            return ()
        joints = ", ".join(f'"{joint}"' for joint in self.joints)
        meaning = f'control of actuator "{self.name}" of {joints}'
        return (Component(f"{self.name}.ctrl", "1", meaning, self.lower, self.upper),)

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return how far it has moved, how fast it moves and how strongly it acts."""
        kinds = {*turns}
        length, rate, force = _UNITS[kinds.pop()] if len(kinds) == 1 else _MIXED
        of = f'of actuator "{self.name}", the sum of ratio q over its joints'
        texts = {
            "length": (length, f"l {of}"),
            "rate": (rate, f"dl/dt {of}"),
            "effort": (force, f"F along l {of}; positive makes l grow, ratio F acts along each q"),
        }
        return tuple(
            Measure(key, (Component(f"{self.name}.{key}", *text),), is_position=key == "length")
            for key, text in texts.items()
        )

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """There is a ratio for each joint; limits are in order, and there is something to limit."""
        where = f'force "{shortened(self.name)}"'
        found = [*super().problems(nominal), *count_problems(where, self.joints, self.ratios)]
        lower, upper = self.lower, self.upper
        if lower is not None and upper is not None and lower > upper:
            text = f"lower {lower:g} is above upper {upper:g}"
            found.append(Problem(f"{where}, lower", text, "exchange them"))
        if not self.has_input:
            remedy = "leave it out, or give a gain"
            found += [
                Problem(f"{where}, {key}", "with gain = 0 there is no input", remedy)
                for key, limit in (("lower", lower), ("upper", upper))
                if limit is not None
            ]
        return found

    def placed(self, places: Places) -> PlacedActuator:
        """Put numbers in."""
        ratios = self.ratios or (1.0,) * len(self.joints)
        joints = tuple(places.joint[name] for name in self.joints)
        numbers = (self.gain, self.bias, self.stiffness, self.rest, self.damping)
        transmission = Transmission(joints, tuple(map(places.value, ratios)))
        return PlacedActuator(transmission, *map(places.value, numbers))


FORCE = Actuator
