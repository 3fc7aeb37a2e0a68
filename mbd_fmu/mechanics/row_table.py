"""The rows of a mechanism by name: which element each belongs to, and how it is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mbd_fmu.elements.closing import SINE
from mbd_fmu.elements.constraint import COORDINATE, Constraint
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.topology.forest import Forest


@dataclass(frozen=True)
class Row:
    """One row of J; ``number`` counts the rows of its element from 1."""

    element: str
    is_joint: bool
    number: int
    turns: bool  # measured in radians, its multiplier is a torque; else in metres, a force
    holonomic: bool


def row_table(spec: Spec, forest: Forest) -> tuple[Row, ...]:
    """List the rows in the order of ``mechanics.constraints``: holonomic ones first."""
    joints = {joint.name: joint for joint in spec.joints}
    rows: list[Row] = []
    for k in forest.cut:
        joint = spec.joints[k]
        for n, measure in enumerate(joint.kind.closing.measures, start=1):
            turns = measure == SINE
            rows.append(Row(joint.name, is_joint=True, number=n, turns=turns, holonomic=True))
    for constraint in spec.constraints:
        rows += _constraint_rows(constraint, joints)
    return tuple(sorted(rows, key=lambda row: not row.holonomic))  # the order is kept else


def _constraint_rows(constraint: Constraint, joints: dict[str, Joint]) -> Iterator[Row]:
    measures = constraint.holonomic + constraint.nonholonomic
    for n, measure in enumerate(measures, start=1):
        turns = measure == COORDINATE and joints[constraint.joints[-1]].kind.turns
        holonomic = n <= len(constraint.holonomic)
        yield Row(constraint.name, is_joint=False, number=n, turns=turns, holonomic=holonomic)
