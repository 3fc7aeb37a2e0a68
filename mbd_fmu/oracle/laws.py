"""Laws that a model writes out, between free bodies: the text is cut where it adds and subtracts.

A term that names the time or another joint drives; the others are a spring, by quadrature, and a
damper. Brackets stay closed here: a bracket with the time in it drives as a whole.

Source   Booking as docs/laws.md states it; SciPy's adaptive quadrature.
Checked  tests/laws/test_joint_law.py, tests/laws/test_nonlinear_springs.py
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces.joint_law import JointLaw
from mbd_fmu.elements.forces.nonlinear_spring import NonlinearSpring
from mbd_fmu.oracle.forces import Coupling, Push
from mbd_fmu.oracle.jets import Rate, Scene
from mbd_fmu.oracle.joints import Pair
from mbd_fmu.quantities.expressions import Expression, value_of
from mbd_fmu.quantities.qualified_names import parse_qualified
from mbd_fmu.quantities.vectors import Values

_WORD = re.compile(r"[A-Za-z_][\w.]*(?:\[\d+\])?")


@dataclass(frozen=True)
class Path:
    """What a law acts along: value, rate, and where a force along it pushes."""

    x: float
    rate: float
    push: Rate
    direction: np.ndarray  # of a force of 1 along the rate


@dataclass(frozen=True)
class WrittenLaw:
    """A law with its numbers, cut into what is passive and what drives."""

    own: tuple[tuple[str, ...], tuple[str, ...]]  # names of x, and of its rate
    sign: float  # of a force along x; a pull is against it
    start: float  # where energy counts from
    passive: Expression
    driving: Expression
    parameters: Values

    def pushes(self, path: Path, outside: Mapping[str, float]) -> tuple[Push, Push]:
        """What it does as a spring and damper, and as a drive."""
        from scipy.integrate import quad  # noqa: PLC0415  takes long, and few need it

        def value(law: Expression, x: float, rate: float) -> float:
            own = dict.fromkeys(self.own[0], x) | dict.fromkeys(self.own[1], rate)
            return self.sign * float(law.value({**self.parameters, **outside, **own}))

        force, still = (value(self.passive, path.x, r) for r in (path.rate, 0.0))
        held = quad(lambda s: value(self.passive, s, 0.0), self.start, path.x, epsabs=1e-13)[0]
        drive = value(self.driving, path.x, path.rate)
        loss = -(force - still) * path.rate
        return (
            Push(path.push, force * path.direction, -held, loss),
            Push(path.push, drive * path.direction),
        )


def outside_values(names: Sequence[str], pairs: Sequence[Pair], time: float) -> dict[str, float]:
    """The time, and coordinates and velocities of joints that laws name."""
    joints = {pair.link.joint.name: pair for pair in pairs}
    found = {"time": time}
    for name in names:
        owner, _, what = name.partition(".")
        pair = joints[owner]
        of_q = [c.name for c in pair.link.joint.kind.names.positions]
        of_v = [c.name for c in pair.link.joint.kind.names.velocities]
        is_q = what in of_q
        values = pair.freedoms.q if is_q else pair.freedoms.rate.value
        found[name] = float(values[(of_q if is_q else of_v).index(what)])
    return found


def line_path(coupling: Coupling, scene: Scene) -> Path:
    """Along the line between two points."""
    d = scene.point(coupling.b, coupling.point_b) - scene.point(coupling.a, coupling.point_a)
    length = float(np.linalg.norm(d.value))
    direction = d.value / length
    return Path(length, float(direction @ d.rate.value), d.rate, direction)


def joint_path(pair: Pair) -> Path:
    """Along the coordinate of a joint."""
    free = pair.freedoms
    return Path(float(free.q[0]), float(free.rate.value[0]), free.rate, np.ones(1))


def law_of(force: Force, p: Values) -> WrittenLaw | None:
    """Put numbers into a law, if the force has one."""
    own: tuple[tuple[str, ...], tuple[str, ...]]
    match force:
        case NonlinearSpring() if force.pull is not None:
            own, sign, start, text = (("length",), ("rate",)), -1.0, force.length, force.pull.text
        case JointLaw() if force.effort is not None:
            q, qd = (("q", f"{force.joint}.q"), ("qd", f"{force.joint}.qd"))
            own, sign, start, text = (q, qd), 1.0, force.rest, force.effort.text
        case _:
            return None
    inside = {*own[0], *own[1]}
    terms = _terms(text)
    drives = [
        any(word == "time" or ("." in word and word not in inside) for word in _WORD.findall(term))
        for term in terms
    ]
    passive, driving = (
        parse_qualified("0" + "".join(t for t, d in zip(terms, drives, strict=True) if d is wanted))
        for wanted in (False, True)
    )
    return WrittenLaw(own, sign, float(value_of(start, p)), passive, driving, p)


def _terms(text: str) -> list[str]:
    """Cut a text before each + and - outside brackets that stands between two terms."""
    terms, depth, before = [""], 0, ""
    for letter in text.replace(" ", ""):
        depth += (letter in "([") - (letter in ")]")
        is_number = re.search(r"(?<![\w.])[\d.]+[eE]\Z", terms[-1]) is not None
        if letter in "+-" and depth == 0 and before not in "*/+-" and not is_number:
            terms.append("")
        terms[-1] += letter
        before = letter
    return [term if term[0] in "+-" else f"+{term}" for term in terms if term]
