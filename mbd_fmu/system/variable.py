"""One variable of a mechanism or of an FMU, and how one that cannot be set is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import count, takewhile

from mbd_fmu.errors import nearest

DERIVED = "calculatedParameter"  # causality of parameters that follow from others


@dataclass(frozen=True)
class Variable:
    """One scalar of the FMU."""

    name: str
    causality: str  # "parameter", "input", "calculatedParameter" or "output"
    unit: str
    description: str
    start: float | None = None  # of what is derived: the value with the declared parameters
    min: float | None = None
    max: float | None = None
    is_tunable: bool = False  # a parameter that may change between steps
    nominal: float | None = None  # size of a state
    may_jump: bool = False  # a state that may be brought back to its constraints


def components_of(name: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the components of a vector, in structured names or in flat ones; of others nothing."""
    if name not in known:
        for form in ("{}[{}]", "{}_{}"):
            names = (form.format(name, k) for k in count(1))
            if parts := tuple(takewhile(known.__contains__, names)):
                return parts
    return ()


def refused_setting(
    name: str, settable: Iterable[str], derived: Iterable[str], kind: str = "parameter or input"
) -> str:
    """Say why something cannot be set by this name."""
    if name in derived:
        return f'parameter "{name}" follows from others; set those'
    return f'no {kind} "{name}"; {nearest(name, settable)}'
