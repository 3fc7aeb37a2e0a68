"""Outputs of how well the constraints hold: what the solver says, copied from z."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.elements.names import Component
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import Block, Solved, Stage

QUALITIES = (  # the last of z, in this order
    Component(
        "constraint.position_error",
        "1",
        "largest residual of the rows on positions, in m, or sine of an angle",
    ),
    Component(
        "constraint.velocity_error",
        "1",
        "largest residual of the rows on velocities, in m/s or rad/s",
    ),
    Component("constraint.rank", "1", "number of rows that count; the others are redundant here"),
)


@dataclass(frozen=True)
class _Quality:
    """Entry n of the quality."""

    n: int

    def value(self, now: Solved) -> Array:
        return now.z[len(now.z) - len(QUALITIES) :][self.n : self.n + 1]


def quality_blocks() -> Iterator[Block]:
    """Yield what is left of the constraints, and how many count."""
    for n, component in enumerate(QUALITIES):
        yield Block(Stage.QUALITY, (component,), _Quality(n).value)
