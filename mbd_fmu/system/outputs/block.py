"""Outputs that come from one formula, and what a formula may ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.spatial import Array, Scalar


class Stage(StrEnum):
    """What is computed together, and only when one of its variables is asked for; in order."""

    DERIVED = "derived"  # parameters that follow from others: no outputs, but computed like them
    POSITIONS = "positions"
    VELOCITIES = "velocities"
    ENERGIES = "energies"
    WORK = "work"
    ACCELERATIONS = "accelerations"
    REACTIONS = "reactions"
    QUALITY = "quality"


STAGES: tuple[str, ...] = tuple(Stage)
OUTPUT_STAGES = tuple(stage for stage in STAGES if stage != Stage.DERIVED)
# these follow from x', too
RATE_STAGES: tuple[str, ...] = (Stage.ACCELERATIONS, Stage.REACTIONS, Stage.QUALITY)


@dataclass(frozen=True)
class Solved:
    """All that is known at one instant."""

    x: Array  # states
    u: Array  # all that acts
    z: Array  # their derivatives, the multipliers, and the quality of the constraints
    at: Instant  # the mechanism as they make it
    found: dict[str, Scalar] = field(default_factory=dict)  # what others are made of, by name


@dataclass(frozen=True)
class Block:
    """Consecutive outputs that come from one formula."""

    stage: Stage
    components: tuple[Component, ...]  # names are whole
    formula: Callable[[Solved], Array]
    # what else it is made of, where that is more than its stage says: it may feel all that does
    made_of: frozenset[Stage] = frozenset()
