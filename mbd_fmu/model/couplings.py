"""Forces and constraints of a model file: their types read the rest."""

from __future__ import annotations

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.quantities.table import Table

# Every key that some force or constraint has: where the type is misspelt, these may be right.
FORCE_KEYS = frozenset[str]().union(*(kind.all_keys() for kind in FORCES.values()))
CONSTRAINT_KEYS = frozenset[str]().union(*(kind.all_keys() for kind in CONSTRAINTS.values()))


def read_force(table: Table) -> Force:
    """Read one ``[[force]]``; its points are given in the frames of the bodies."""
    name = table.text("name")
    kind = table.text("type", choices=tuple(FORCES), decides=FORCE_KEYS)
    force = FORCES[kind].read(table, name)
    table.done()
    return force


def read_constraint(table: Table, frame: str) -> Constraint:
    """Read one ``[[constraint]]``."""
    name = table.text("name")
    kind = table.text("type", choices=tuple(CONSTRAINTS), decides=CONSTRAINT_KEYS)
    constraint = CONSTRAINTS[kind].read(table, name, is_local=frame == "local")
    table.done()
    return constraint
