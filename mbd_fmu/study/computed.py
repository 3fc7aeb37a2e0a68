"""Columns of a study computed from others: ``lift=car.r.z.max - car.r.z.min``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from mbd_fmu.errors import Problem, SpecError, nearest
from mbd_fmu.quantities.expressions import RESERVED, ExpressionError, parse
from mbd_fmu.spatial import Array

# not the exponent of a number: 1e3
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+(?:,\d+)*\])*")
_FORM = "write NAME=EXPRESSION, for example --compute lift=car.r.z.max-car.r.z.min"


def read_computed(
    texts: Sequence[str], columns: Sequence[str], outputs: Sequence[str]
) -> dict[str, str]:
    """Return expressions by name, of columns and of those before them; tell all that is wrong.

    Names of outputs are taken, too: they are those of trajectories.
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for text in texts:
        name, equals, expression = (part.strip() for part in text.partition("="))
        where = f"--compute {text}"
        if not (name and equals and expression):
            problems.append(Problem(where, "no name and expression", _FORM))
        elif not _NAME.fullmatch(name) or name in RESERVED:
            problems.append(Problem(where, f'"{name}" is no name of a column', _FORM))
        elif name in columns or name in found:
            problems.append(Problem(where, f'there is a column "{name}"', "name it otherwise"))
        elif name in outputs:
            problems.append(Problem(where, f'there is an output "{name}"', "name it otherwise"))
        else:
            problems += _about(where, expression, {*columns, *found})
        found[name] = expression
    if problems:
        raise SpecError("study", problems)
    return found


def _about(where: str, expression: str, known: Collection[str]) -> list[Problem]:
    unknown = {n for n in _NAME.findall(expression) if n not in known and n not in RESERVED}
    if unknown:
        return [Problem(where, f'no column "{n}"', nearest(n, known)) for n in sorted(unknown)]
    text, stand_ins = _plain(expression)
    try:
        parse(text, frozenset(stand_ins.values()))
    except ExpressionError as error:
        return [Problem(where, f'"{expression}" is no arithmetic of columns', error.remedy)]
    return []


def computed_column(expression: str, columns: Mapping[str, Array]) -> Array:
    """Return the value of an expression in each case."""
    text, stand_ins = _plain(expression)
    parsed = parse(text, frozenset(stand_ins.values()))
    n = len(next(iter(columns.values())))
    rows = ({s: float(columns[c][k]) for c, s in stand_ins.items()} for k in range(n))
    return np.array([float(parsed.value(row)) for row in rows])


def _plain(expression: str) -> tuple[str, dict[str, str]]:
    """Give each column a name that the grammar of expressions knows."""
    stand_ins: dict[str, str] = {}

    def plain(match: re.Match[str]) -> str:
        name = match.group()
        return name if name in RESERVED else stand_ins.setdefault(name, f"c{len(stand_ins)}")

    return _NAME.sub(plain, expression), stand_ins
