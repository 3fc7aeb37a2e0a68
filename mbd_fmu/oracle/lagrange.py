"""Inertia, energies and Coriolis matrix from the path matrix: a second road, without recursion.

The structure enters only through the path matrix P: which joints move which body. All vectors are
in world axes. For a body k with mass centre c_k and the joints j on its path,

    c_k = sum along the path of the vectors across joints and bodies         [001]          (1)
    w_k = sum_j P_jk a_j v_j,    dc_k/dt = sum_j P_jk d_jk v_j                               (2)
    M_ij = sum_k P_ik P_jk (m_k d_ik . d_jk + a_i . I_k a_j)                 [003]          (3)
           and on its diagonal the inertia of the rotors
    T = v M v / 2,   V = - sum_k m_k g . c_k                                                (4)
    C_ij = sum_l (dM_ij/dq_l + dM_il/dq_j - dM_jl/dq_i) v_l / 2              Christoffel    (5)

with a_j the axis of a turning joint (0 of a sliding one), d_jk = a_j x (c_k - p_j), or the axis of
a sliding one. For rigid, revolute, prismatic and free joints, and numbers only; it shares no
dynamics with the recursive road and no internal frames.

C makes dM/dt - 2C skew. It does not make v C v zero, as seed [002] has it: that is no law.

Source   [001], [003] sec. 5.4; (5) e.g. Spong et al., Robot Modeling and Control (2006), ch. 6.
Checked  tests/laws/test_lagrange.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.places import WORLD
from mbd_fmu.mechanics.arrangement import Arrangement, arrangements
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import Array, rotation_matrix, skew
from mbd_fmu.topology.forest import Forest
from mbd_fmu.topology.graph import tree_of_array


@dataclass(frozen=True)
class Columns:
    """Per velocity of the mechanism: which joint it belongs to, its axis, and where that acts."""

    joint: Array  # (nv,) forest index
    turning: Array  # (nv, 3): a_j, zero where it slides
    sliding: Array  # (nv, 3): zero where it turns
    point: Array  # (nv, 3): p_j


class LagrangeRoad:
    """A tree at one position, in world axes; parameters have their declared values."""

    def __init__(self, spec: Spec, forest: Forest, q: Array) -> None:
        self.spec, self.forest = spec, forest
        self.P = tree_of_array([p + 1 for p in forest.parent]).path_matrix()
        nominal = spec.nominal
        bodies = [spec.bodies[k] for k in forest.body]
        self.joints = arrangements(spec, forest, nominal)
        self.mass = np.array([value_of(body.mass, nominal) for body in bodies], dtype=float)
        self.R, self.across = self._path_vectors(q)
        self.com = self._mass_centres([vector_of(b.com, nominal).astype(float) for b in bodies])
        self.inertia = np.array(
            [
                R @ inertia_of(b, nominal).astype(float) @ R.T
                for R, b in zip(self.R, bodies, strict=True)
            ]
        )
        self.gravity = vector_of(spec.gravity, nominal).astype(float)
        self.columns = self._columns()
        self.rotors = np.concatenate([np.zeros(0), *map(self._rotor, forest.joint)])

    def _rotor(self, k: int) -> Array:
        joint = self.spec.joints[k]
        given = joint.armature or (0.0,) * joint.kind.nv
        return vector_of(given, self.spec.nominal).astype(float)

    def _path_vectors(self, q: Array) -> tuple[list[Array], list[tuple[Array, Array]]]:
        """Axes of U of each body, and (q_k, s_k): across the carrier, across the joint."""
        R: list[Array] = []
        across: list[tuple[Array, Array]] = []
        for i, joint in enumerate(self.joints):
            p = self.forest.parent[i]
            R_P = np.eye(3) if p == WORLD else R[p]
            before = np.zeros(3) if p == WORLD else self.joints[p].point_C
            R_drawn = R_P @ joint.R_PC
            moved = self._since_drawn(i, q)
            slide, turn = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
            if joint.kind.name == "revolute":
                turn = np.concatenate([np.cos(moved / 2), np.sin(moved / 2) * joint.axis_C])
            elif joint.kind.name == "prismatic":
                slide = R_drawn @ joint.axis_C * moved[0]
            elif joint.kind.name == "free":
                turn, slide = moved[:4], R_drawn @ moved[4:]
            R.append(R_drawn @ rotation_matrix(turn))
            across.append((R_P @ (joint.point_P - before), slide))
        return R, across

    def _since_drawn(self, i: int, q: Array) -> Array:
        values = q[self.forest.q[i]]
        if len(values) != 1:
            return values
        reference = self.spec.joints[self.forest.joint[i]].reference
        return values - float(value_of(reference, self.spec.nominal))

    def _mass_centres(self, com_U: list[Array]) -> Array:
        """Add up along the path (1): p_K = sum_r (q_{L^r(K)} + s_{L^r(K)}) + r_K."""
        own = [R @ (c - j.point_C) for R, c, j in zip(self.R, com_U, self.joints, strict=True)]
        return self.joint_points() + np.array(own)

    def joint_points(self) -> Array:
        """Joint point carried by each body: the sum without the last term, by the path matrix."""
        steps = np.array([q + s for q, s in self.across])
        return self.P.T @ steps

    def _columns(self) -> Columns:
        owner, turning, sliding, point = [], [], [], []
        points = self.joint_points()
        for i, joint in enumerate(self.joints):
            axes, are_turns = _axes(joint, self.R[i])
            for axis, is_turn in zip(axes, are_turns, strict=True):
                owner.append(i)
                turning.append(axis if is_turn else np.zeros(3))
                sliding.append(np.zeros(3) if is_turn else axis)
                point.append(points[i])
        shape = (len(owner), 3)
        return Columns(
            np.array(owner, dtype=int),
            np.array(turning).reshape(shape),
            np.array(sliding).reshape(shape),
            np.array(point).reshape(shape),
        )

    def velocity_columns(self, k: int) -> tuple[Array, Array]:
        """Angular velocity and velocity of the mass centre of body k per unit velocity (2)."""
        c = self.columns
        on_path = self.P[c.joint, k][:, None]
        lever = np.cross(c.turning, self.com[k] - c.point)
        return on_path * c.turning, on_path * (lever + c.sliding)

    def inertia_matrix(self) -> Array:
        """M(q), by (3)."""
        M = np.diag(self.rotors)
        for k, mass in enumerate(self.mass):
            a, d = self.velocity_columns(k)
            M += mass * d @ d.T + a @ self.inertia[k] @ a.T
        return M

    def kinetic_energy(self, v: Array) -> float:
        """T, by (4)."""
        return float(v @ self.inertia_matrix() @ v / 2)

    def potential_energy(self) -> float:
        """V of gravity, by (4)."""
        return float(-self.mass @ (self.com @ self.gravity))

    def inertia_derivatives(self) -> Array:
        """dM/dq_l as (nv, nv, nv), l first; joints of one freedom only, whose v is dq/dt."""
        n = len(self.columns.joint)
        dM = np.zeros((n, n, n))
        for k, mass in enumerate(self.mass):
            a, d = self.velocity_columns(k)
            for m in range(n):
                da, dd = self._moved_columns(k, m)
                spin = skew(a[m])  # the body turns with joint m if that is on its path
                dI = spin @ self.inertia[k] - self.inertia[k] @ spin
                half = mass * dd @ d.T + da @ self.inertia[k] @ a.T
                dM[m] += half + half.T + a @ dI @ a.T
        return dM

    def _moved_columns(self, k: int, m: int) -> tuple[Array, Array]:
        """Derivatives of the columns of body k as joint m carries axes and levers along."""
        c = self.columns
        on_path = self.P[c.joint, k][:, None]
        # joint m carries the axis of joint j if it lies on the path to j; its own axis it leaves
        carries = (self.P[c.joint[m], c.joint] * (c.joint != c.joint[m]))[:, None]
        d_axis = carries * np.cross(c.turning[m], c.turning)
        d_slide = carries * np.cross(c.turning[m], c.sliding)
        own = self.P[c.joint[m], c.joint][:, None]
        d_point = own * (np.cross(c.turning[m], c.point - c.point[m]) + c.sliding[m])
        _, d = self.velocity_columns(k)
        d_lever = np.cross(d_axis, self.com[k] - c.point) + np.cross(c.turning, d[m] - d_point)
        return on_path * d_axis, on_path * (d_lever + d_slide)

    def coriolis_matrix(self, v: Array) -> Array:
        """C(q, v), by (5)."""
        dM = self.inertia_derivatives()
        along = np.einsum("lij,l->ij", dM, v)  # dM_ij/dq_l v_l
        other = np.einsum("jil,l->ij", dM, v)  # dM_il/dq_j v_l
        return (along + other - other.T) / 2


def _axes(joint: Arrangement, R_WU: Array) -> tuple[list[Array], list[bool]]:
    """Return the axes of a joint's velocities in the world, and which of them turn."""
    if joint.kind.name == "free":
        columns = [R_WU[:, c] for c in range(3)]
        return columns * 2, [True] * 3 + [False] * 3
    if joint.kind.name == "rigid":
        return [], []
    return [R_WU @ joint.axis_C], [joint.kind.name == "revolute"]
