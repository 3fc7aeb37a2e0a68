"""Joint law: a force or torque along the coordinate of a joint, as an expression.

    effort   f(q, dq/dt, t, other joints), as a drive would exert it: positive, it moves q on

Terms of q and dq/dt alone are a spring and a damper: they hold minus the integral of f(q, 0) from
``rest`` on, and lose -(f(q, dq/dt) - f(q, 0)) dq/dt; all others work on the mechanism.

Source   Virtual power: the effort is dual to dq/dt. Booking: ``elements.laws``.
Checked  tests/laws/test_joint_law.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from mbd_fmu.elements.force import Bodies, Effort, Force, Joints, Measure, Motion, PlacedForce
from mbd_fmu.elements.keys import Key, Number
from mbd_fmu.elements.laws import Along, LawKey, PlacedLaw, joint_names, placed_law
from mbd_fmu.elements.names import Component
from mbd_fmu.elements.place_keys import Name
from mbd_fmu.elements.places import GROUND, Places
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import TIME, Law, Quantity, is_finite, value_of
from mbd_fmu.quantities.table import Table
from mbd_fmu.spatial import Array, Scalar, array

VARIABLES = ("q", "qd")


@dataclass(frozen=True)
class PlacedJointLaw(PlacedForce):
    """An effort with numbers put in."""

    joint: int
    law: PlacedLaw
    rest: Scalar

    def _at(self, joints: Joints) -> Along:
        return Along(*joints.coordinate(self.joint))

    def efforts(self, motion: Motion, inputs: Array) -> Iterator[Effort]:
        """Yield the law."""
        del inputs
        yield Effort(self.joint, self.law.value(motion, self._at(motion)))

    def measured(self, bodies: Bodies, motion: Motion, inputs: Array) -> dict[str, Array]:
        """Return the effort."""
        del bodies, inputs
        return {"effort": array([self.law.value(motion, self._at(motion))])}

    def energies(self, joints: Joints) -> Iterator[Scalar]:
        """Integrate against the effort."""
        yield -self.law.held(self._at(joints), self.rest)

    def losses(self, joints: Joints) -> Iterator[Scalar]:
        """Yield what the rate takes out."""
        at = self._at(joints)
        yield -(self.law.resisting(at) * at.rate)

    def powers(self, motion: Motion, inputs: Array) -> Iterator[Scalar]:
        """Yield what terms of time and of other joints do."""
        del inputs
        if not self.law.is_passive:
            at = self._at(motion)
            yield self.law.working(motion, at) * at.rate


@dataclass(frozen=True)
class JointLaw(Force):
    """As a model says it."""

    type: ClassVar[str] = "joint_law"
    law: ClassVar[str] = (
        "force or torque along the coordinate of `joint`: `effort`, a [law](laws.md) of its `q`, "
        "`qd`, `time` and other joints; energy counts from `rest`"
    )
    ends: ClassVar[tuple[Key, ...]] = ()
    keys: ClassVar[tuple[Key, ...]] = (
        Name("joint", "of one coordinate"),
        LawKey("effort", "an expression", variables=VARIABLES),
        Number("rest", "where its energy counts from, default 0", default=0.0),
    )
    is_coupling: ClassVar[bool] = False

    joint: str
    effort: Law | None
    rest: Quantity

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read it; it has no ends."""
        own = {key.target: key.read(table) for key in cls.keys}
        return cls(name, GROUND, GROUND, (), (), **own, joints=(own["joint"],))

    @property
    def bodies(self) -> tuple[tuple[str, str], ...]:
        """It names none."""
        return ()

    def measures(self, turns: tuple[bool, ...]) -> tuple[Measure, ...]:
        """Return what it exerts."""
        unit = "N.m" if all(turns) else "N"
        text = f'effort of "{self.name}" along the coordinate of joint "{self.joint}"'
        return (Measure("effort", (Component(f"{self.name}.effort", unit, text),)),)

    @property
    def laws(self) -> tuple[tuple[str, Law], ...]:
        """The effort."""
        return (("effort", self.effort),) if self.effort is not None else ()

    @property
    def _own(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the law may call the joint's coordinate, and its rate."""
        q, qd = VARIABLES
        return frozenset((q, f"{self.joint}.{q}")), frozenset((qd, f"{self.joint}.{qd}"))

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """The law must have a value where its energy counts from."""
        found = super().problems(nominal)
        if self.effort is None or found or joint_names(self.effort):
            return found
        at = float(value_of(self.rest, nominal))
        value = self.effort.value(nominal, {"q": at, "qd": 0.0, TIME: 0.0})
        if not is_finite(float(value)):
            where = f'force "{shortened(self.name)}", effort'
            text = f'"{shortened(self.effort.text)}" has no finite value at q = {at:g}'
            found.append(Problem(where, text, "check the expression, or choose another rest"))
        return found

    def placed(self, places: Places) -> PlacedJointLaw:
        """Put numbers in."""
        if self.effort is None:
            raise TypeError(f"{self.name} was not read whole")
        law = placed_law(self.effort, places, self._own)
        return PlacedJointLaw(places.joint[self.joint], law, places.value(self.rest))


FORCE = JointLaw
