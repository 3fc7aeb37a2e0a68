"""Nonlinear spring between two points: its pull is an expression of length and rate, or a table.

    pull     f(l, dl/dt), written out; what it holds is the integral of f(l, 0) from l_0 on, what it
             loses (f(l, dl/dt) - f(l, 0)) dl/dt; terms that name the time or a joint work on the
             mechanism (``elements.laws``)
    table    f(l) + d dl/dt, with f through the points (l, f) of the table: between them cubic, with
             a continuous slope, and rising wherever they rise; beyond them straight on

Source   Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984), p. 300: slopes at the points; at
         both ends Moler, Numerical Computing with MATLAB (2004), sec. 3.6.
Checked  tests/laws/test_nonlinear_springs.py
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

from mbd_fmu.elements.force import Bodies, Motion
from mbd_fmu.elements.forces.line import Line, LineForce, PlacedLineForce
from mbd_fmu.elements.keys import Key, Number
from mbd_fmu.elements.laws import Along, LawKey, PlacedLaw, joint_names, placed_law
from mbd_fmu.elements.places import BodyPoint, Places
from mbd_fmu.elements.symbols import SPRING
from mbd_fmu.errors import Problem, shortened
from mbd_fmu.quantities.expressions import TIME, Law, Quantity, is_finite, value_of
from mbd_fmu.quantities.forms import PAIRS, Form
from mbd_fmu.quantities.limits import SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table
from mbd_fmu.spatial import Array, Scalar

VARIABLES = ("length", "rate")

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class PlacedLawSpring(PlacedLineForce):
    """A pull that is written out."""

    law: PlacedLaw
    natural: Scalar

    def pull(self, line: Line, motion: Motion) -> Scalar:
        """Return the law."""
        return self.law.value(motion, Along(line.length, line.rate))

    def energies(self, bodies: Bodies) -> Iterator[Scalar]:
        """Integrate over the way from the natural length."""
        yield self.law.held(Along(self.line(bodies).length, 0.0), self.natural)

    def losses(self, bodies: Bodies) -> Iterator[Scalar]:
        """Yield what the rate adds to the pull, times the rate."""
        line = self.line(bodies)
        yield self.law.resisting(Along(line.length, line.rate)) * line.rate

    def powers(self, motion: Motion, inputs: Array) -> Iterator[Scalar]:
        """Yield what terms of time and joints do: they pull, so they work where it shortens."""
        del inputs
        if not self.law.is_passive:
            line = self.line(motion)
            yield -(self.law.working(motion, Along(line.length, line.rate)) * line.rate)


@dataclass(frozen=True)
class Piece:
    """A cubic between two points of a table: rise c_1 t + c_2 t^2 + c_3 t^3 for t from 0 to 1."""

    start: float
    width: float
    c: tuple[float, float, float]

    def rise(self, length: Scalar) -> Scalar:
        """Return how much it has risen: nothing before it, all of it beyond."""
        t, (c_1, c_2, c_3) = self._share(length), self.c
        return t * (c_1 + t * (c_2 + t * c_3))

    def area(self, length: Scalar) -> Scalar:
        """Return the integral of that."""
        t, (c_1, c_2, c_3) = self._share(length), self.c
        inside = self.width * t * t * (c_1 / 2.0 + t * (c_2 / 3.0 + t * c_3 / 4.0))
        return inside + sum(self.c) * beyond(length - (self.start + self.width))

    def _share(self, length: Scalar) -> Scalar:
        """From 0 to 1 across the piece."""
        t = (length - self.start) / self.width
        return (1.0 + abs(t) - abs(t - 1.0)) / 2.0


def beyond(x: Scalar) -> Scalar:
    """Return x, or 0 where it is negative."""
    return (x + abs(x)) / 2.0


@dataclass(frozen=True)
class Curve:
    """A table as a function: its first point, pieces, and slopes beyond both ends."""

    first: tuple[float, float]
    last: float
    pieces: tuple[Piece, ...]
    slopes: tuple[float, float]

    def value(self, length: Scalar) -> Scalar:
        """Interpolate."""
        rises = sum((piece.rise(length) for piece in self.pieces), self.first[1])
        below, above = beyond(self.first[0] - length), beyond(length - self.last)
        return rises - self.slopes[0] * below + self.slopes[1] * above

    def integral(self, length: Scalar) -> Scalar:
        """From the first point on."""
        areas = sum((p.area(length) for p in self.pieces), self.first[1] * (length - self.first[0]))
        below, above = beyond(self.first[0] - length), beyond(length - self.last)
        return areas + (self.slopes[0] * below * below + self.slopes[1] * above * above) / 2.0


def curve_of(points: Points) -> Curve:
    """Lay a curve through a table."""
    chords = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    slopes = _slopes(chords)
    pieces = []
    for (start, _), (width, rise), ends in zip(points, chords, pairwise(slopes), strict=False):
        a, b = (slope * width for slope in ends)
        pieces.append(Piece(start, width, (a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise)))
    return Curve(points[0], points[-1][0], tuple(pieces), (slopes[0], slopes[-1]))


def _slopes(chords: Sequence[tuple[float, float]]) -> list[float]:
    """Slopes at the points of a table, from width and rise of the chords between them."""
    rates = [rise / width for width, rise in chords]
    if len(chords) == 1:
        return [rates[0], rates[0]]
    widths = [width for width, _ in chords]
    inner = [_mean(*pair) for pair in zip(pairwise(widths), pairwise(rates), strict=True)]
    return [_end(widths[:2], rates[:2]), *inner, _end(widths[:-3:-1], rates[:-3:-1])]


def _mean(widths: tuple[float, float], rates: tuple[float, float]) -> float:
    """Weighted harmonic mean of the chords at both sides; level where they turn round."""
    if not (min(rates) > 0.0 or max(rates) < 0.0):
        return 0.0
    w_1, w_2 = 2.0 * widths[1] + widths[0], widths[1] + 2.0 * widths[0]
    return (w_1 + w_2) / (w_1 / rates[0] + w_2 / rates[1])


def _end(widths: Sequence[float], rates: Sequence[float]) -> float:
    """Slope of the parabola through three points, as far as it turns round where they do."""
    (h, h_next), (rate, rate_next) = widths, rates
    slope = ((2.0 * h + h_next) * rate - h * rate_next) / (h + h_next)
    if slope * rate <= 0.0:
        return 0.0
    turns_round = rate * rate_next <= 0.0
    return 3.0 * rate if turns_round and abs(slope) > 3.0 * abs(rate) else slope


@dataclass(frozen=True)
class PlacedTableSpring(PlacedLineForce):
    """A pull that is tabled, with a damper beside it."""

    curve: Curve
    damping: Scalar
    natural: Scalar

    def pull(self, line: Line, motion: Motion) -> Scalar:
        """Return both."""
        del motion
        return self.curve.value(line.length) + self.damping * line.rate

    def energies(self, bodies: Bodies) -> Iterator[Scalar]:
        """Integrate from the natural length."""
        yield self.curve.integral(self.line(bodies).length) - self.curve.integral(self.natural)

    def losses(self, bodies: Bodies) -> Iterator[Scalar]:
        """d (dl/dt)^2."""
        rate = self.line(bodies).rate
        yield self.damping * rate * rate


@dataclass(frozen=True)
class TabledPull(Key):
    """Pairs of length and pull, or nothing."""

    @property
    def form(self) -> Form:
        """What it may be."""
        return PAIRS

    def read(self, table: Table) -> Points:
        """Take pairs of numbers, at least two."""
        data = table.raw(self.name, ())
        pairs = data if isinstance(data, list | tuple) else [data]
        if all(_is_pair(pair) for pair in pairs) and len(pairs) != 1:
            return tuple((float(a), float(b)) for a, b in pairs)
        found = f"{show(data)} is no list of two or more pairs of numbers"
        table.problem(self.name, found, "give lengths and pulls, [[0.1, 0], [0.2, 50]]")
        return ()

    def problems(self, where: str, value: Any, nominal: Mapping[str, float]) -> Iterator[Problem]:
        """Refuse lengths that do not rise."""
        del nominal
        lengths = [length for length, _ in value]
        if any(b - a < SMALLEST for a, b in pairwise(lengths)):
            found = f"the lengths {show(lengths)} do not rise"
            yield Problem(f"{where}, {self.name}", found, "sort the pairs, each length once")


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and len(pair) == 2 and all(map(is_finite, pair))


@dataclass(frozen=True)
class NonlinearSpring(LineForce):
    """As a model says it: a pull or a table."""

    type: ClassVar[str] = "nonlinear_spring"
    law: ClassVar[str] = (
        "pull along the line: `pull`, a [law](laws.md) of `length`, `rate`, `time` and joints; or "
        "`table`, pairs of length and pull, with a damper d dl/dt; energy counts from `length`"
    )
    line: ClassVar[str] = SPRING
    keys: ClassVar[tuple[Key, ...]] = (
        LawKey("pull", "an expression", default=None, variables=VARIABLES),
        TabledPull("table", "pairs of length and pull", may_lack=True),
        Number("damping", "d, beside a table", default=0.0, least=0.0),
        Number("length", "where its energy counts from", least=0.0),
    )

    pull: Law | None
    table: Points
    damping: Quantity
    length: Quantity

    @classmethod
    def read(cls, table: Table, name: str) -> Self:
        """Read it, and see that it has one of both."""
        found = super().read(table, name)
        if (found.pull is None) == (not found.table) and table.is_clean:
            both = "pull and table would each say how it pulls"
            neither = "neither pull nor table says how it pulls"
            remedy = 'give one of them, for example pull = "1e4*(length - 0.3)**3 + 20*rate"'
            table.problem("", neither if found.pull is None else both, remedy)
        if found.pull is not None and table.has("damping"):
            table.problem("damping", "stands beside pull", "add it there, as + 20*rate")
        return found

    @property
    def laws(self) -> tuple[tuple[str, Law], ...]:
        """The pull, if it is one."""
        return (("pull", self.pull),) if self.pull is not None else ()

    def problems(self, nominal: Mapping[str, float]) -> list[Problem]:
        """A law must have a value where its energy counts from."""
        found = super().problems(nominal)
        if self.pull is not None and not found:
            at = float(value_of(self.length, nominal))
            rest = dict.fromkeys(joint_names(self.pull), 0.0)  # a stand-in: not judged
            value = float(self.pull.value(nominal, {"length": at, "rate": 0.0, TIME: 0.0, **rest}))
            if not rest and not is_finite(value):
                where = f'force "{shortened(self.name)}", pull'
                text = f'"{shortened(self.pull.text)}" has no finite value at length = {at:g}'
                found.append(Problem(where, text, "check the expression, or choose another length"))
        return found

    def placed(self, places: Places) -> PlacedLineForce:
        """Put numbers in."""
        ends: tuple[BodyPoint, BodyPoint] = self.placed_ends(places)
        natural = places.value(self.length)
        if self.pull is not None:
            own = frozenset(VARIABLES[:1]), frozenset(VARIABLES[1:])
            return PlacedLawSpring(ends, placed_law(self.pull, places, own), natural)
        return PlacedTableSpring(ends, curve_of(self.table), places.value(self.damping), natural)


FORCE = NonlinearSpring
