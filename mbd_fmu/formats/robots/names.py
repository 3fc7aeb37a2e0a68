"""Names of other files as names of ours: letters, digits and _, not starting with a digit.

A name that fits stays as it is. Otherwise, in this order,

- every other sign becomes _, and a digit in front gets one before it: "arm::link 1" ->
  "arm__link_1";
- what we use ourselves gets one behind it: "ground" -> "ground_";
- what another element of the kind is called already gets a number: "a_b" -> "a_b_2".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.names import IDENTIFIER
from mbd_fmu.quantities.limits import LONGEST_NAME

# names that no element of ours can have, whatever outputs and constraints a model has
RESERVED = frozenset((GROUND, "solver", "state", "energy", "constraint"))
_OTHER = re.compile(r"[^A-Za-z0-9_]")


def fits(name: str) -> bool:
    """Tell whether a name may stay as it is."""
    return bool(IDENTIFIER.match(name)) and len(name) <= LONGEST_NAME


def identifier(name: str) -> str:
    """Return a name as one that fits, whatever others are called."""
    plain = _OTHER.sub("_", name)[: LONGEST_NAME - 5]  # room for what may come behind
    return plain if IDENTIFIER.match(plain) else f"_{plain}"


def identifiers(names: Iterable[str], taken: Collection[str] = RESERVED) -> Mapping[str, str]:
    """Return for each of the names the one it gets; those that fit go first."""
    names = list(dict.fromkeys(names))
    found = {name: name for name in names if fits(name) and name not in taken}
    used = {*found.values(), *taken}
    for name in names:
        if name not in found:
            found[name] = _unused(identifier(name), taken, used)
            used.add(found[name])
    return found


def unused(name: str, used: Collection[str]) -> str:
    """Return a name, with a number behind it if another has it."""
    number = 2
    while (numbered := name if number == 2 else f"{name}_{number - 1}") in used:
        number += 1
    return numbered


def _unused(name: str, taken: Collection[str], used: Collection[str]) -> str:
    return unused(f"{name}_" if name in taken else name, used)
