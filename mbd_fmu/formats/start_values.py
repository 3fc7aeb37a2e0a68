"""Start values written into a model file, its text kept otherwise; the door to tomlkit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit

from mbd_fmu.errors import MbdFmuError

DIGITS = 15  # more is noise of the last operation


def with_start_values(
    text: str,
    positions: Mapping[str, Sequence[float]],
    velocities: Mapping[str, Sequence[float]],
    parameters: Mapping[str, float],
) -> str:
    """Return the text of a model with other start values of joints and values of parameters.

    Velocities of bodies are left out: those of joints say the same.
    """
    document: Any = tomlkit.parse(text)
    joints = {joint["name"]: joint for joint in document.get("joint", [])}
    unknown = sorted({*positions, *velocities} - set(joints))
    if unknown:
        raise MbdFmuError(
            f"joints that the file does not name cannot be given a start: {', '.join(unknown)}; "
            'write them into it, of type "free"'
        )
    for key, values in (("position", positions), ("velocity", velocities)):
        for name, numbers in values.items():
            is_still = key == "velocity" and not any(numbers)
            if is_still and key not in joints[name]:
                continue
            short = list(map(_short, numbers))
            joints[name][key] = short if len(short) > 1 else short[0]
    declared = document.get("parameters", {})
    for name, value in parameters.items():
        _set_parameter(declared, name, _short(value))
    for body in document.get("body", []):
        body.pop("velocity", None)
    return tomlkit.dumps(document)


def _set_parameter(declared: Any, called: str, value: float) -> None:
    """Write the value of a parameter, or of a component of one."""
    name, bracket, component = called.partition("[")
    has_keys = isinstance(declared[name], Mapping)
    place, key = (declared[name], "value") if has_keys else (declared, name)
    if not bracket:
        place[key] = value
    elif isinstance(place[key], list):
        place[key][int(component.removesuffix("]")) - 1] = value
    else:
        raise MbdFmuError(f'parameter "{name}" is written as an expression; write a list')


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}") + 0.0
