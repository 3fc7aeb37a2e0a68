"""Inputs that would prescribe given motions: the way back from coordinates to what acts."""

from __future__ import annotations

from mbd_fmu.elements.prescribed import JointMotion
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System


def prescribed(system: System, u: Array, q: Array, v: Array, vd: Array) -> Array:
    """Return u with the motions that inputs tell as q, v and vd of the tree have them."""
    u, forest = u.copy(), system.forest
    for motion in system.table.told:
        at, dof = forest.q[motion.joint], forest.v[motion.joint]
        wanted = JointMotion(q[at], v[dof], vd[dof])
        for name, places in motion.parts.items():
            u[list(places)] = motion.layout.part(name, wanted)
    return u
