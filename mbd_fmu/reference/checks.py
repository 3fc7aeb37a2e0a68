"""Can the mechanism be accelerated at all? Asked of numbers before code is made of it."""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.export.system import System
from mbd_fmu.mechanics.forces import LAWS
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.kinematics import Motion

# A freedom that keeps less than this share of its inertia when the joints beyond it are free moves
# no mass of its own.
SINGULAR = 1e-13


def refuse_unusable(system: System) -> None:
    """Name the joints that move no mass, and the springs without direction, at the start."""
    plant = system.plant(system.nominal_parameters())
    q, v, _ = plant.coordinates(plant.start(), system.nominal_inputs())
    motion = Motion(plant.tree, q, v)
    H = joint_space_inertia(plant.tree, motion.configuration)
    problems = []
    for i in system.free_joints:
        dof = np.arange(system.forest.nv)[system.forest.v[i]]
        # Inertia of this joint with the joints before it held and those after it free.
        rest = system.state_v[system.state_v > dof.max(initial=-1)]
        beyond = H[np.ix_(dof, rest)]
        block = H[np.ix_(dof, dof)] - beyond @ np.linalg.pinv(H[np.ix_(rest, rest)]) @ beyond.T
        own = np.abs(H[np.ix_(dof, dof)]).max(initial=0.0)
        if block.size and np.linalg.eigvalsh(block)[0] <= SINGULAR * own:
            joint = system.spec.joints[system.forest.joint[i]]
            problems.append(
                Problem(
                    f'joint "{joint.name}"',
                    "it moves no mass, so its acceleration is not determined",
                    f'give "{joint.child}" a mass off the axis or an inertia about it, '
                    "or make the joint rigid",
                )
            )
    lines = [f for f in system.spec.forces if f.type in LAWS]
    for line, force in zip(plant.tree.lines, lines, strict=True):
        (p, _), (p2, _) = (motion.point(end) for end in line.ends)
        if np.linalg.norm(p2 - p) < 1e-12:
            problems.append(
                Problem(
                    f'force "{force.name}"',
                    "its two points coincide at the start, so it has no direction",
                    "move one of the points or the start position",
                )
            )
    if problems:
        raise SpecError(system.spec.name, problems)
