"""Freedoms that move no mass: forces would accelerate them without end. Which, and whose?

In a tree, a joint moves no mass if its articulated inertia, felt with the joints beyond it free,
is singular; that takes one walk from the tips to the ground. In loops, free motions are asked
whether there is kinetic energy in them.

Source   Featherstone, Rigid Body Dynamics Algorithms (2008), sec. 7.1: articulated-body inertia.
Checked  tests/unit/test_weightless.py
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.mechanics.kinematics import BodyMotion, velocities
from mbd_fmu.spatial import Array
from mbd_fmu.system.free_motions import leading_motions
from mbd_fmu.system.plant import Plant
from mbd_fmu.system.system import System

# A freedom that keeps less than this share of its inertia when the joints beyond it are free moves
# no mass of its own.
SINGULAR = 1e-13
MOVES = 1e-6  # of the fastest: what moves less takes no part
# Assembly looks at rows from a distance: what is nearly redundant there is redundant on arrival.
COARSE_RANK = 1e-5
_UNDETERMINED = "so its acceleration is not determined"


def refuse_weightless(plant: Plant, x: Array, u: Array) -> None:
    """Raise an error that names what moves no mass."""
    if problems := weightless_problems(plant, x, u):
        raise SpecError(plant.system.spec.name, problems)


def weightless_problems(plant: Plant, x: Array, u: Array) -> list[Problem]:
    """Name joints that move no mass, and the bodies where it is missing."""
    system = plant.system
    if system.rows:
        found = [_of_motion(plant, x, u, mode) for mode in _weightless_motions(plant, x, u)]
        return list(dict.fromkeys(found))
    return [_of_joint(system, plant, i, mode) for i, mode in _weightless_joints(plant, x, u)]


def _weightless_joints(plant: Plant, x: Array, u: Array) -> list[tuple[int, Array]]:
    """Joints that move no mass, those before them held and those after them free; and how."""
    q, v, _ = plant.coordinates(x, u)
    tree, at = plant.tree, BodyMotion(plant.tree, q, v).configuration
    felt, whole = list(tree.I_B), list(tree.I_B)  # articulated; with all joints beyond held
    found = []
    for i in reversed(range(len(tree.parent))):
        S, passed_on = at.S[i], felt[i]
        if S.shape[1] and not tree.prescribed[i]:
            U = felt[i] @ S
            rotor = np.diag(tree.armature[tree.forest.v[i]])
            own = np.diag(S.T @ whole[i] @ S + rotor)
            scale = 1.0 / np.sqrt(np.where(own > 0.0, own, 1.0))
            inertia, modes = np.linalg.eigh(scale[:, None] * (S.T @ U + rotor) * scale)
            has_mass = inertia > SINGULAR
            found += [(i, scale * mode) for mode in modes.T[~has_mass][:1]]
            W = U @ (scale[:, None] * modes[:, has_mass])
            passed_on = felt[i] - W @ (W / inertia[has_mass]).T
        if tree.parent[i] >= 0:
            felt[tree.parent[i]] = felt[tree.parent[i]] + at.X_BP[i].inertia_back(passed_on)
            whole[tree.parent[i]] = whole[tree.parent[i]] + at.X_BP[i].inertia_back(whole[i])
    return found[::-1]


def _weightless_motions(plant: Plant, x: Array, u: Array) -> list[Array]:
    """Free motions, per free velocity, that hold no kinetic energy."""
    M, J = plant.inertia(x, u), plant.closure(x, u).J
    inertia = np.diag(M)
    s = 1.0 / np.sqrt(np.where(inertia > 0.0, inertia, 1.0))
    rows = plant.system.row_weight[:, None] * J * s
    _, sigma, Vt = np.linalg.svd(rows)
    N = Vt[int(np.sum(sigma > COARSE_RANK * sigma.max(initial=0.0))) :].T
    energy, modes = np.linalg.eigh(N.T @ (s[:, None] * M * s) @ N)
    idle = (s[:, None] * (N @ modes[:, energy <= SINGULAR])).T
    return leading_motions(idle)


def _of_joint(system: System, plant: Plant, i: int, mode: Array) -> Problem:
    joint, body = system.joint(i), _body(system, i)
    beyond = [k for k in range(i, len(system.forest)) if _carries(system, i, k)]
    empty = _names(system, (k for k in beyond if not plant.tree.I_B[k].any()))
    where, found = f'joint "{joint.name}"', f"it moves no mass, {_UNDETERMINED}"
    if empty:
        found = f"it moves no mass, for {_listed(empty)} has none, {_UNDETERMINED}"
    remedy = f'give "{empty[-1] if empty else body}" a mass off the axis or an inertia about it'
    if len(mode) == 1:
        return Problem(where, found, f"{remedy}, or make the joint rigid")
    if not empty:
        moving = _moving(system, i, mode)
        found = f"it moves no mass in {', '.join(moving)}, {_UNDETERMINED}"
        remedy = f'give "{body}" an inertia about every axis, for example that of a sphere'
        if joint.fictitious:
            where = f'body "{body}"'
            remedy += "; or let all that acts on it act at its mass centre, as on a point"
        else:
            remedy += joint.kind.for_a_point
        return Problem(where, found, remedy)
    return Problem(where, found, f'give "{empty[-1]}" a mass and an inertia')


def _of_motion(plant: Plant, x: Array, u: Array, mode: Array) -> Problem:
    """A motion of several joints at once."""
    system = plant.system
    q, v, _ = plant.coordinates(x, u)
    rate = np.zeros_like(v)
    rate[system.state_v] = mode
    dof = system.forest.v
    fastest = np.abs(mode).max()
    joints = [
        i for i in system.free_joints if np.abs(rate[dof[i]]).max(initial=0) > MOVES * fastest
    ]
    V = velocities(plant.tree, BodyMotion(plant.tree, q, v).configuration, rate)
    moved = [k for k, V_B in enumerate(V) if np.abs(V_B).max() > MOVES * fastest]
    empty = [k for k in moved if not plant.tree.I_B[k].any()]
    names = [system.joint(i).name for i in joints]
    bodies = _listed(_names(system, empty or moved))
    if len(names) == 1:
        where, found = f'joint "{names[0]}"', f"it moves no mass, {_UNDETERMINED}"
    else:
        where = f"joints {_listed(names)}"
        found = "together they move no mass, so their acceleration is not determined"
    return Problem(where, found, f"give {bodies} a mass and an inertia, or make a joint rigid")


def _body(system: System, i: int) -> str:
    return system.spec.bodies[system.forest.body[i]].name


def _carries(system: System, i: int, k: int) -> bool:
    while k > i:
        k = system.forest.parent[k]
    return k == i


def _names(system: System, bodies: Iterable[int]) -> list[str]:
    return [_body(system, k) for k in bodies]


def _listed(names: list[str]) -> str:
    more = " and others" if len(names) > 5 else ""
    return ", ".join(f'"{name}"' for name in names[:5]) + more


def _moving(system: System, i: int, mode: Array) -> list[str]:
    """Names of the velocities of a joint that take part in a motion."""
    components = system.joint(i).kind.names.velocities
    size = np.abs(mode).max()
    return [c.name for c, rate in zip(components, mode, strict=True) if abs(rate) > MOVES * size]
