"""Can the mechanism be accelerated at all? Asked of numbers before code is made of it."""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.export.system import System
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.kinematics import transforms

# A freedom whose inertia is smaller than this share of the largest one is taken for massless.
SINGULAR = 1e-13


def refuse_singular(system: System) -> None:
    """Name the joints that move no mass at the start position."""
    plant = system.plant(system.nominal_parameters())
    u = np.array([v.start for v in system.table.inputs], dtype=float)
    q, *_ = plant.coordinates(plant.start(), u)
    H = joint_space_inertia(plant.tree, transforms(plant.tree, q))
    problems = []
    for i in system.free_joints:
        dof = np.arange(system.forest.nv)[system.forest.v[i]]
        # Inertia of this joint with the joints before it held and those after it free.
        rest = system.state_v[system.state_v > dof.max(initial=-1)]
        beyond = H[np.ix_(dof, rest)]
        block = H[np.ix_(dof, dof)] - beyond @ np.linalg.pinv(H[np.ix_(rest, rest)]) @ beyond.T
        if block.size and np.linalg.eigvalsh(block)[0] <= SINGULAR * np.abs(H).max():
            joint = system.spec.joints[system.forest.joint[i]]
            problems.append(
                Problem(
                    f'joint "{joint.name}"',
                    "it moves no mass, so its acceleration is not determined",
                    f'give "{joint.child}" a mass off the axis or an inertia about it, '
                    "or make the joint rigid",
                )
            )
    if problems:
        raise SpecError(system.spec.name, problems)
