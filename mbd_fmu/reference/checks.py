"""Can the mechanism be accelerated at all? Asked of numbers before code is made of it."""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.export.plant import Plant
from mbd_fmu.export.system import System
from mbd_fmu.mechanics.forces import LAWS
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.kinematics import Motion
from mbd_fmu.model.spec import Joint
from mbd_fmu.reference.manifold import COARSE_RANK, AssemblyError, Manifold
from mbd_fmu.spatial import Array

# A freedom that keeps less than this share of its inertia when the joints beyond it are free moves
# no mass of its own.
SINGULAR = 1e-13


def refuse_unusable(system: System) -> None:
    """Name what cannot be assembled or moves no mass, and springs without direction."""
    plant, u = system.plant(system.nominal_parameters()), system.nominal_inputs()
    x = plant.start()
    if system.forest.cut and not system.rows:
        idle = [_idle_problem(system.spec.joints[k]) for k in system.forest.cut]
        raise SpecError(system.spec.name, idle)
    if system.rows:
        x = _assembled(system, plant, x, u)
        weightless = _weightless_in_loops(system, plant, x, u)
    else:
        weightless = _weightless_in_tree(system, plant, x, u)
    problems = [_weightless_problem(system, i) for i in weightless]
    problems += _springs_without_direction(system, plant, x, u)
    if problems:
        raise SpecError(system.spec.name, problems)


def _idle_problem(joint: Joint) -> Problem:
    return Problem(
        f'joint "{joint.name}"',
        f'it is free, and "{joint.parent}" and "{joint.child}" are connected already',
        "leave it out: it restricts nothing; use a bushing for springs between them",
    )


def _assembled(system: System, plant: Plant, x: Array, u: Array) -> Array:
    if not len(system.state_v):
        remedy = 'give one of the joints another drive than "motion"'
        found = "every joint follows a prescribed motion, and none is left to meet the constraints"
        raise SpecError(system.spec.name, [Problem("file", found, remedy)])
    try:
        return Manifold(plant, u).assemble(x).x
    except AssemblyError as error:
        remedy = "draw the mechanism closed, or let start values move that are fixed now"
        raise SpecError(system.spec.name, [Problem("start values", str(error), remedy)]) from None


def _weightless_in_tree(system: System, plant: Plant, x: Array, u: Array) -> list[int]:
    """Joints that move no mass when the joints before them are held and those after them free."""
    q, v, _ = plant.coordinates(x, u)
    H = joint_space_inertia(plant.tree, Motion(plant.tree, q, v).configuration)
    found = []
    for i in system.free_joints:
        dof = np.arange(system.forest.nv)[system.forest.v[i]]
        rest = system.state_v[system.state_v > dof.max(initial=-1)]
        beyond = H[np.ix_(dof, rest)]
        block = H[np.ix_(dof, dof)] - beyond @ np.linalg.pinv(H[np.ix_(rest, rest)]) @ beyond.T
        own = np.abs(H[np.ix_(dof, dof)]).max(initial=0.0)
        if block.size and np.linalg.eigvalsh(block)[0] <= SINGULAR * own:
            found.append(i)
    return found


def _weightless_in_loops(system: System, plant: Plant, x: Array, u: Array) -> list[int]:
    """Joints that move most in free motions of no mass."""
    eq = plant.equations(x, u)
    rows = eq.J * system.row_weight[:, None]
    _, sigma, Vt = np.linalg.svd(rows)
    N = Vt[int(np.sum(sigma > COARSE_RANK * sigma.max(initial=0.0))) :].T
    inertia, modes = np.linalg.eigh(N.T @ eq.M @ N)
    found = set()
    for value, mode in zip(inertia, (N @ modes).T, strict=True):
        if value <= SINGULAR * np.abs(eq.M).max(initial=0.0):
            dof = int(system.state_v[np.argmax(np.abs(mode))])
            found.add(next(i for i in system.free_joints if dof in _range(system.forest.v[i])))
    return sorted(found)


def _range(places: slice) -> range:
    return range(places.start, places.stop)


def _weightless_problem(system: System, i: int) -> Problem:
    joint = system.joint(i)
    return Problem(
        f'joint "{joint.name}"',
        "it moves no mass, so its acceleration is not determined",
        f'give "{joint.child}" a mass off the axis or an inertia about it, or make the joint rigid',
    )


def _springs_without_direction(system: System, plant: Plant, x: Array, u: Array) -> list[Problem]:
    motion = plant.instant(x, u).motion
    lines = [f for f in system.spec.forces if f.type in LAWS]
    problems = []
    for line, force in zip(plant.tree.lines, lines, strict=True):
        (p, _), (p2, _) = (motion.point(end) for end in line.ends)
        if line.needs_direction and np.linalg.norm(p2 - p) < 1e-12:
            problems.append(
                Problem(
                    f'force "{force.name}"',
                    "its two points coincide at the start, so it has no direction",
                    "move one of the points or the start position",
                )
            )
    return problems
