"""What couples the joints of a robot: gears, linear relations, actuators."""

from __future__ import annotations

from typing import Any

from mbd_fmu.formats.robots.names import RESERVED, identifier, identifiers, unused
from mbd_fmu.formats.robots.robot import Actuator, Coupling
from mbd_fmu.formats.tables.writing import Writing


def gears(writing: Writing) -> list[dict[str, Any]]:
    """Return the constraints of joints that follow; their names are those of the joints."""
    found: list[dict[str, Any]] = []
    for name, mimic in writing.mimics.items():
        own = identifier(f"{writing.joints[name]}_mimic")
        own = unused(own, {gear["name"] for gear in found})
        pair = [writing.joints[mimic.joint], writing.joints[name]]
        writing.account.place("constraint", own, mimic.line)
        gear = {"name": own, "type": "gear", "joints": pair, "ratio": mimic.multiplier}
        found.append(gear | ({"offset": mimic.offset} if mimic.offset else {}))
    return found


def couplings(writing: Writing, taken: set[str]) -> list[dict[str, Any]]:
    """Return the constraints of linear relations."""
    found = []
    names = identifiers((c.name for c in writing.robot.couplings), RESERVED | taken)
    for coupling in writing.robot.couplings:
        own = names[coupling.name]
        table = {"name": own, "type": "coupling", **_terms(writing, coupling)}
        found.append(table | ({"offset": coupling.offset} if coupling.offset else {}))
        writing.account.place("constraint", own, coupling.line)
        text = f'coupling "{own}" of {", ".join(table["joints"])}'
        writing.account.take(f'coupling "{coupling.name}"', coupling.line, text)
    return found


def actuators(writing: Writing) -> list[dict[str, Any]]:
    """Return the forces of actuators; their signals are inputs."""
    found = []
    names = identifiers(a.name for a in writing.robot.actuators)
    for actuator in writing.robot.actuators:
        own = names[actuator.name]
        table = {"name": own, "type": "actuator", **_terms(writing, actuator)}
        found.append(table | {key: getattr(actuator, key) for key in _given(actuator)})
        writing.account.place("force", own, actuator.line)
        signal = f"input {own}.ctrl" if actuator.gain else "no input"
        text = f'actuator "{own}" of {", ".join(table["joints"])}, {signal}'
        writing.account.take(f'actuator "{actuator.name}"', actuator.line, text)
    return found


def _terms(writing: Writing, across: Coupling | Actuator) -> dict[str, list[Any]]:
    """Return the joints of a sum of coordinates, and the ratio of each."""
    return {
        "joints": [writing.joints[joint] for joint, _ in across.terms],
        "ratios": [ratio for _, ratio in across.terms],
    }


def _given(actuator: Actuator) -> list[str]:
    """Return the keys that are not as by default."""
    usual = Actuator("", 0, ())
    keys = ("gain", "bias", "stiffness", "rest", "damping", "lower", "upper")
    return [key for key in keys if getattr(actuator, key) != getattr(usual, key)]
