"""Outputs that come from one formula, and what a formula may ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.spatial import Array


class Stage(StrEnum):
    """What is computed together, and only when one of its variables is asked for; in order."""

    POSITIONS = "positions"
    VELOCITIES = "velocities"
    ENERGIES = "energies"
    WORK = "work"
    ACCELERATIONS = "accelerations"
    REACTIONS = "reactions"
    QUALITY = "quality"


STAGES: tuple[str, ...] = tuple(Stage)
# these follow from x', too
RATE_STAGES: tuple[str, ...] = (Stage.ACCELERATIONS, Stage.REACTIONS, Stage.QUALITY)


@dataclass(frozen=True)
class Solved:
    """All that is known at one instant."""

    x: Array  # states
    z: Array  # their derivatives, the multipliers, and the quality of the constraints
    at: Instant  # the mechanism as they make it


@dataclass(frozen=True)
class Block:
    """Consecutive outputs that come from one formula."""

    stage: Stage
    components: tuple[Component, ...]  # names are whole
    formula: Callable[[Solved], Array]


def xyz(name: str, unit: str, text: str) -> tuple[Component, ...]:
    """Return the components of a vector."""
    return tuple(Component(f"{name}.{x}", unit, f"{text}, {x}") for x in "xyz")
