"""Can the mechanism be accelerated at all? Asked of numbers before code is made of it."""

from __future__ import annotations

import numpy as np

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.export.system import System
from mbd_fmu.mechanics.equations import state_of
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.kinematics import transforms

# A freedom whose inertia is smaller than this share of the largest one is taken for massless.
SINGULAR = 1e-13


def refuse_singular(system: System) -> None:
    """Name the joints that move no mass at the start position."""
    plant = system.plant(system.nominal_parameters())
    q = state_of(plant.tree, plant.start()).q
    H = joint_space_inertia(plant.tree, transforms(plant.tree, q))
    problems = []
    for i, k in enumerate(system.forest.joint):
        dof = system.forest.v[i]
        # Inertia of this joint with all joints before it held and those after it free.
        rest = slice(dof.stop, None)
        block = H[dof, dof] - H[dof, rest] @ np.linalg.pinv(H[rest, rest]) @ H[rest, dof]
        if block.size and np.linalg.eigvalsh(block)[0] <= SINGULAR * np.abs(H).max():
            joint = system.spec.joints[k]
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
