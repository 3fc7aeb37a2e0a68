"""What a model puts out: groups, points, and outputs that it names."""

from __future__ import annotations

from dataclasses import dataclass

from mbd_fmu.elements.tables import listed, table_of
from mbd_fmu.errors import unknown_name
from mbd_fmu.model.named_outputs import NAMED_OUTPUTS, NamedOutput, OutputPoint
from mbd_fmu.model.spec import DEFAULT_GROUPS, OUTPUT_GROUPS
from mbd_fmu.quantities.table import Table

OUTPUT = "output"


@dataclass(frozen=True)
class Outputs:
    """All that stands under ``[[output]]``."""

    groups: tuple[str, ...]
    points: tuple[OutputPoint, ...]
    named: tuple[NamedOutput, ...]


def read_outputs(root: Table) -> Outputs:
    """Read all tables ``[[output]]``; without one, the usual groups are put out."""
    groups: list[str] = []
    points: list[OutputPoint] = []
    named: list[NamedOutput] = []
    tables = root.tables(OUTPUT)
    for data in tables:
        table = root.inner("[[output]]", data)
        for group in table.texts("groups", DEFAULT_GROUPS):
            if group not in OUTPUT_GROUPS:
                table.problems.append(
                    unknown_name("[[output]], groups", "group", group, OUTPUT_GROUPS)
                )
            groups.append(group)
        points += [
            OutputPoint.read(root.element("point", entry))
            for entry in table.tables("point", OUTPUT)
        ]
        named += [
            kind.read(root.element(kind.kind, entry))
            for kind in NAMED_OUTPUTS
            for entry in table.tables(kind.kind, OUTPUT)
        ]
        table.done()
    chosen = groups if tables else DEFAULT_GROUPS
    in_order = tuple(group for group in OUTPUT_GROUPS if group in chosen)
    return Outputs(in_order, tuple(points), tuple(named))


def output_table() -> str:
    """Return keys and meaning of every kind of output that a model can name, for the docs."""
    kinds: tuple[type[NamedOutput], ...] = (OutputPoint, *NAMED_OUTPUTS)
    rows = ((kind.kind, listed(kind.keys), kind.tells) for kind in kinds)
    return table_of(("kind", "keys besides `name`", "what is put out"), rows)
