"""What the scalars of elements are called: names, units and meanings, as the outside sees them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Component:
    """One scalar: name, unit and meaning, and what it may be at least and at most."""

    name: str
    unit: str
    meaning: str
    min: float | None = None
    max: float | None = None

    @property
    def start(self) -> float:
        """Where an input starts: at 0, or as near to it as it may be."""
        least = 0.0 if self.min is None else max(0.0, self.min)
        return least if self.max is None else min(least, self.max)


@dataclass(frozen=True)
class Names:
    """What the scalars of a joint are called."""

    positions: tuple[Component, ...] = ()
    velocities: tuple[Component, ...] = ()
    accelerations: tuple[Component, ...] = ()
    drives: tuple[Component, ...] = ()  # force dual to each velocity


_WORDS = {
    "turns": ("rad", "angle, right-handed about", "tau", "N.m", "torque on the child about"),
    "slides": ("m", "displacement along", "f", "N", "force on the child along"),
}


def scalar_names(*freedoms: str, axes: tuple[str, ...] = ()) -> Names:
    """Names of freedoms that turn or slide; numbered where there are several."""
    several = len(freedoms) > 1
    rows = []
    for n, kind in enumerate(freedoms, start=1):
        unit, meaning, drive, drive_unit, drive_meaning = _WORDS[kind]
        index = f"[{n}]" if several else ""
        which = f"axis of freedom {n}" if several else "the axis"
        which = axes[n - 1] if axes else which
        alike = [m for m, other in enumerate(freedoms, start=1) if other == kind]
        number = f"[{alike.index(n) + 1}]" if len(alike) > 1 else ""
        rows.append(
            (
                Component(f"q{index}", unit, f"joint {meaning} {which}"),
                Component(f"qd{index}", f"{unit}/s", f"rate of joint {meaning} {which}"),
                Component(f"qdd{index}", f"{unit}/s2", f"acceleration of joint {meaning} {which}"),
                Component(f"{drive}{number}", drive_unit, f"drive {drive_meaning} {which}"),
            )
        )
    return Names(*map(tuple, zip(*rows, strict=True)))


def xyz(name: str, unit: str, meaning: str) -> tuple[Component, ...]:
    """Return the components of a vector."""
    return tuple(Component(f"{name}.{x}", unit, f"{meaning}, {x}") for x in "xyz")


def wxyz(name: str, meaning: str) -> tuple[Component, ...]:
    """Return the components of a quaternion."""
    return tuple(Component(f"{name}.{c}", "1", f"{meaning}, {c}") for c in "wxyz")


def _numbered(name: str, unit: str, meaning: str) -> tuple[Component, ...]:
    return tuple(Component(f"{name}[{i}]", unit, meaning) for i in (1, 2, 3))


_IN_CHILD = "in axes of the child"
TURNING = Names(  # of a joint that turns as it likes
    tuple(
        Component(f"q.{c}", "1", f"turn of the child since drawn, quaternion {c}") for c in "wxyz"
    ),
    xyz("w", "rad/s", f"angular velocity relative to the parent, {_IN_CHILD}"),
    xyz("wd", "rad/s2", f"time derivative of w, {_IN_CHILD}"),
    _numbered("tau", "N.m", f"drive torque on the child, {_IN_CHILD}"),
)
MOVING = Names(  # and of one that moves as it likes, besides
    xyz("r", "m", "displacement of the joint point, in axes of the parent"),
    xyz("v", "m/s", f"velocity of the joint point in the parent, {_IN_CHILD}"),
    xyz("vd", "m/s2", f"time derivative of v, {_IN_CHILD}"),
    _numbered("f", "N", f"drive force at the joint point, {_IN_CHILD}"),
)
