"""The equations of a mechanism at one instant, gathered.

The same text runs on floats (the NumPy simulation) and on symbols (the code that is exported).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics import energy
from mbd_fmu.mechanics.articulated_body import forward_dynamics
from mbd_fmu.mechanics.constraints import Rows, constraint_jacobian, constraint_rows
from mbd_fmu.mechanics.cut_joints import CutMotion
from mbd_fmu.mechanics.forces import Movement, applied_efforts, applied_forces, input_power
from mbd_fmu.mechanics.inertia import joint_space_inertia
from mbd_fmu.mechanics.inverse_dynamics import (
    along_freedoms,
    carried_back,
    transmitted_forces,
)
from mbd_fmu.mechanics.joint_forces import passive_forces
from mbd_fmu.mechanics.kinematics import BodyMotion, Configuration, Poses, point_velocity
from mbd_fmu.mechanics.passes import each
from mbd_fmu.mechanics.reactions import cut_reaction, joint_reactions
from mbd_fmu.mechanics.rotors import cut_rotor_inertia, rotor_forces
from mbd_fmu.mechanics.rounding import row_rounding
from mbd_fmu.mechanics.seen_from import SeenFrom, common_carrier
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.spatial import Array, Scalar, times


@dataclass(frozen=True)
class Exerted:
    """What multipliers do in the joints, of several in columns."""

    transmitted: list[Array]  # (6, k), by joint of the tree, in B
    reactions: list[Array]  # (6, k), by joint, in world axes
    driving: list[Array]  # along the freedoms of each joint of the tree


class Instant:
    """The mechanism at one instant. What is asked for is computed once, what is not, never.

    ``q`` and ``drive`` have entries for every joint, those of the tree first, then the cut ones;
    ``v`` and ``vd`` for the tree: the rest follows. ``vd`` may hold what is known beforehand, the
    accelerations of prescribed joints, with zeros for the others. ``lam`` are the multipliers.
    """

    def __init__(
        self,
        tree: Tree,
        q: Array,
        v: Array,
        *,
        vd: Array | None = None,
        drive: Array | None = None,
        force_inputs: Array | None = None,
        lam: Array | None = None,
        time: Scalar = 0.0,
    ) -> None:
        self.tree, self.q, self.v = tree, q, v
        self.motion = BodyMotion(tree, q[: tree.forest.nq], v)  # what forces follow from
        self.vd = np.zeros(tree.forest.nv) if vd is None else vd
        n_drives = tree.forest.nv + sum(cut.v.stop - cut.v.start for cut in tree.cuts)
        self.drive = np.zeros(n_drives) if drive is None else drive
        n_inputs = tree.force_inputs[-1].stop if tree.force_inputs else 0
        self.force_inputs = np.zeros(n_inputs) if force_inputs is None else force_inputs
        self.lam, self.time = lam, time

    @property
    def configuration(self) -> Configuration:
        """Transforms from carrier to body, and what each joint allows."""
        return self.motion.configuration

    @property
    def placed(self) -> Poses:
        """Poses in the world."""
        return self.motion.placed

    @property
    def V_B(self) -> list[Array]:
        """Spatial velocities, each in its body's frame."""
        return self.motion.V_B

    @cached_property
    def in_world(self) -> SeenFrom:
        """Bodies as the ground sees them, with their accelerations."""
        return SeenFrom(self.motion, self.vd, WORLD)

    def seen_from(self, *bodies: int) -> SeenFrom:
        """Return bodies as the last one sees them that carries them all."""
        carrier = common_carrier(self.tree, bodies)
        return self.in_world if carrier == WORLD else SeenFrom(self.motion, self.vd, carrier)

    # --- Every joint alike, of the tree and cut ---

    @cached_property
    def cuts(self) -> list[CutMotion]:
        """The cut joints."""
        return [CutMotion(cut, self.motion, self.q[cut.q]) for cut in self.tree.cuts]

    @cached_property
    def every_v(self) -> Array:
        """Velocities of all joints."""
        return np.concatenate([self.v, *(self.cuts[k].v for k in each(range(len(self.cuts))))])

    @cached_property
    def every_vd(self) -> Array:
        """Accelerations of all joints."""
        if not self.cuts:
            return self.vd
        A_B = self.in_world.A_B
        of_cuts = (self.cuts[k].vd(A_B) for k in each(range(len(self.cuts))))
        return np.concatenate([self.vd, *of_cuts])

    @cached_property
    def movement(self) -> Movement:
        """Bodies and joints as forces see them."""
        return Movement(self.motion, self.q, lambda: self.every_v, self.time)

    @cached_property
    def added(self) -> Array:
        """What springs and dampers in the joints, and forces along them, add to the drives."""
        own = passive_forces(self.tree, self.q, self.every_v)
        return own + applied_efforts(self.tree, self.movement, self.force_inputs)

    @cached_property
    def rotors(self) -> Array:
        """What rotors behind the joints add to the drives, at the known ``vd``."""
        if not self.tree.has_rotors:
            return np.zeros(len(self.drive))
        return rotor_forces(self.tree, self.every_vd)

    @property
    def effort(self) -> Array:
        """Drives with all that is added to them, in the joints of the tree."""
        nv = self.tree.forest.nv
        return self.drive[:nv] + self.added[:nv]

    # --- Forces ---

    @cached_property
    def applied(self) -> list[Array]:
        """What acts on the bodies besides joints of the tree, multipliers and gravity, in B."""
        F = applied_forces(self.tree, self.movement, self.force_inputs)
        for k in each(range(len(self.cuts))):
            cut = self.cuts[k]
            effort = self.drive[cut.cut.v] + self.added[cut.cut.v] + self.rotors[cut.cut.v]
            for body, unit in cut.wrenches().items():
                F[body] = F[body] + times(unit, effort)
        return F

    @cached_property
    def rows(self) -> Rows:
        """The constraints, with accelerations of prescribed joints on their right-hand side."""
        return constraint_rows(self.motion, self.vd, self.cuts)

    @cached_property
    def rounding(self) -> Array:
        """How well the holonomic rows can be known, in shares of the machine epsilon."""
        return row_rounding(self.motion, self.rows)

    @cached_property
    def constrained(self) -> list[Array]:
        """What acts on the bodies besides joints of the tree and gravity, in B."""
        F = list(self.applied)
        if self.lam is not None:
            for body in each(self.rows.acting):
                F[body] = F[body] + self.rows.acting[body].by(self.lam)
        return F

    @cached_property
    def transmitted(self) -> list[Array]:
        """What each joint of the tree exerts on its body, drives and all, in B."""
        return transmitted_forces(self.tree, self.configuration, self.v, self.vd, self.constrained)

    @cached_property
    def reactions(self) -> list[Array]:
        """Constraint torque and force of every joint on its declared child, in world axes."""
        return self._reactions(self.transmitted, self.lam)

    def _reactions(self, transmitted: list[Array], lam: Array | None) -> list[Array]:
        of_tree = joint_reactions(self.tree, self.configuration, self.placed, transmitted)
        if lam is None:
            return of_tree
        first = 0
        for k in each(range(len(self.cuts))):
            cut = self.cuts[k]
            n = 6 - (cut.cut.v.stop - cut.cut.v.start)
            of_tree.append(cut_reaction(cut, self.rows.acting, range(first, first + n), lam))
            first += n
        return of_tree

    @cached_property
    def driving(self) -> Array:
        """What must drive the joints of the tree beyond what is added, and rotors."""
        nv = self.tree.forest.nv
        through = along_freedoms(self.configuration, self.transmitted)
        return through - self.added[:nv] - self.rotors[:nv]

    def pull(self, lam: Array) -> Array:
        """J^T lam, in the joints of the tree."""
        acting = self.rows.acting
        wrench = {body: acting[body].by(lam)[:, None] for body in each(acting)}
        return constraint_jacobian(self.tree, self.configuration, wrench, 1)[0]

    def exerted(self, lam: Array) -> Exerted:
        """Return what multipliers alone do in the joints, of several in columns: lam is (n, k)."""
        acting, none = self.rows.acting, np.zeros((6, lam.shape[1]))
        bodies = range(len(self.tree.parent))
        taken = [-acting[i].by(lam) if i in acting else none for i in bodies]
        transmitted = carried_back(self.tree, self.configuration, taken)
        driving = [times(S.T, F) for S, F in zip(self.configuration.S, transmitted, strict=True)]
        return Exerted(transmitted, self._reactions(transmitted, lam), driving)

    # --- Motion ---

    def accelerate(self) -> tuple[Array, Array]:
        """Return the accelerations of a tree's joints, and the drive each one takes.

        Drives act in joints that are free to move; of those whose motion is prescribed ``vd`` is
        known, and their drives are what comes out.
        """
        vd, taken = forward_dynamics(
            self.tree, self.configuration, self.v, self.effort, self.applied, self.vd
        )
        return vd, taken - self.added

    @cached_property
    def inertia(self) -> Array:
        """Joint-space inertia."""
        of_tree = joint_space_inertia(self.tree, self.configuration)
        if not self.tree.has_rotors:
            return of_tree
        return of_tree + cut_rotor_inertia(self.motion, self.cuts)

    @cached_property
    def generalized_force(self) -> Array:
        """Return f of M dv/dt = f + J^T lam: what is left of all forces at the known ``vd``."""
        F = transmitted_forces(self.tree, self.configuration, self.v, self.vd, self.applied)
        rotors = self.rotors[: self.tree.forest.nv]
        return self.effort + rotors - along_freedoms(self.configuration, F)

    def powers(self, drive: Array) -> list[Scalar]:
        """Return the power of drives and inputs of forces, and what dampers and friction take."""
        work = times(drive, self.every_v) + input_power(self.tree, self.movement, self.force_inputs)
        lost = energy.dissipated_power(self.tree, self.movement)
        return [work, lost]

    def drive_of(self, i: int) -> Array:
        """Return the force along the freedoms of joint i that its drive takes."""
        return self.driving[self.tree.forest.v[i]]

    def rates(self) -> list[Array]:
        """Return dq/dt of every joint."""
        forest = self.tree.forest
        kinds = (*self.tree.joint, *(cut.kind for cut in self.tree.cuts))
        return [
            kinds[i].rate(self.q[forest.every_q[i]], self.every_v[forest.every_v[i]])
            for i in each(range(len(kinds)))
        ]

    def point_velocity_W(self, i: int, p_B: Array) -> Array:
        """Return the velocity of a point of body i, in world axes."""
        return times(self.placed.R_WB[i], point_velocity(self.V_B[i], p_B))
