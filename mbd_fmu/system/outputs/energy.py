"""Outputs of energy: what is in the mechanism, what came in and what was lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.energy import kinetic_energy, potential_energy
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.outputs.block import Block, Solved, Stage

WORK_STATES = ("input_work", "dissipated")  # the last of x


def _kinetic(now: Solved) -> Array:
    return array([kinetic_energy(now.at.tree, now.at.V_B, now.at.every_v)])


def _potential(now: Solved) -> Array:
    return array([potential_energy(now.at.tree, now.at.movement)])


def _input_work(now: Solved) -> Array:
    return now.x[len(now.x) - len(WORK_STATES) :][:1]


def _dissipated(now: Solved) -> Array:
    return now.x[len(now.x) - len(WORK_STATES) :][1:]


_ENERGIES: tuple[tuple[str, Stage, Callable[[Solved], Array], str], ...] = (
    ("kinetic", Stage.ENERGIES, _kinetic, "kinetic energy of all bodies and rotors"),
    (
        "potential",
        Stage.ENERGIES,
        _potential,
        "energy in gravity, from the world's origin, and in springs",
    ),
    (
        "input_work",
        Stage.WORK,
        _input_work,
        "work of drives, wrenches and prescribed motions since the start",
    ),
    (
        "dissipated",
        Stage.WORK,
        _dissipated,
        "energy taken out by dampers, friction and stops since the start",
    ),
)


def energy_blocks() -> Iterator[Block]:
    """Yield the parts of the balance of energy."""
    for name, stage, formula, text in _ENERGIES:
        yield Block(stage, (Component(f"energy.{name}", "J", text),), formula)
