"""Where elements cannot start: what their types refuse there, said with their names."""

from __future__ import annotations

from mbd_fmu.errors import Problem
from mbd_fmu.mechanics.kinematics import BodyMotion
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant


def constraint_start_problems(plant: Plant, x: Array, u: Array) -> list[Problem]:
    """Look at constraints before their rows are: those may have no value there."""
    q, v, _ = plant.coordinates(x, u)
    motion = BodyMotion(plant.tree, q[: plant.tree.forest.nq], v)
    pairs = zip(plant.system.spec.constraints, plant.tree.constraints, strict=True)
    return [
        Problem(f'constraint "{constraint.name}", {key}', found, remedy)
        for constraint, placed in pairs
        for key, found, remedy in placed.start_problems(motion)
    ]


def force_start_problems(plant: Plant, x: Array, u: Array) -> list[Problem]:
    """Look at forces where everything fits together."""
    motion = plant.instant(x, u).motion
    pairs = zip(plant.system.spec.forces, plant.tree.forces, strict=True)
    found = [(force.name, placed.start_problem(motion)) for force, placed in pairs]
    return [Problem(f'force "{name}"', *problem) for name, problem in found if problem]
