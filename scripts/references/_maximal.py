"""Mechanisms in maximal coordinates: every body free, every joint a set of equations.

A solver of its own, small and slow, for mechanisms with loops drawn in their start position. It
shares with mbd_fmu the reader of models and nothing else: see "Two solvers in absolute coordinates"
in mbd_fmu/docs/decisions.md. What no reference needs it refuses. Each body has the position of its
mass centre, a quaternion, v and w in world axes. Every joint is made of three kinds of equations
(Haug, Computer Aided Kinematics and Dynamics, 1989, ch. 9):

    slide     d . (p_B - p_A) = c       d carried by a body D (the ground: one component of a point)
    turn      a . b = c                 a carried by A, b by B
    distance  |p_B - p_A|^2 = c

Twice differentiated they read J a = gamma. Accelerations are those nearest to the free ones in the
metric of the masses (Gauss, 1829), a = f + B^+ (gamma - B f) with B = J M^-1/2; the pseudo-inverse
copes with redundant equations. DOP853 at 1e-12; positions and velocities are projected after each
row.
"""

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import unit_vector_of, vector_of
from mbd_fmu.signals.trajectory import Trajectory
from scripts.references._ode import states

RCOND = 1e-8
JOINTS = ("revolute", "prismatic", "cylindrical", "universal", "spherical")


def cross(a, b):
    """As NumPy's, but fast on small arrays."""
    return a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]


def rotation(q):
    """(n, 3, 3) from (n, 4) quaternions, which need not have length 1."""
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)


def quaternion_rate(q, w):
    """Of the quaternion of a body that turns with w in world axes."""
    s, v = q[:, :1], q[:, 1:]
    return 0.5 * np.hstack([-np.sum(v * w, axis=1, keepdims=True), s * w + cross(w, v)])


def normals(axis):
    """Two directions across an axis."""
    n1 = cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    n1 /= np.linalg.norm(n1)
    return n1, cross(axis, n1)


def refuse(spec):
    """Say what this solver does not have, rather than leave it out."""
    passive = ("armature", "stiffness", "damping", "friction", "lower", "upper")
    unknown = [j.name for j in spec.joints if j.type not in JOINTS or j.drive == "motion"]
    unknown += [j.name for j in spec.joints if any(getattr(j, key) for key in passive)]
    unknown += [c.name for c in spec.constraints if c.type != "distance"]
    unknown += [f.name for f in spec.forces if f.type not in ("wrench", "spring_damper")]
    unknown += [f.name for f in spec.forces if f.type == "wrench" and f.axes != "world"]
    unknown += [b.name for b in spec.bodies if b.velocity is not None]
    if unknown or spec.moving_base:
        raise NotImplementedError(f"{spec.name}: this solver knows nothing of {unknown}")


class Mechanism:
    def __init__(self, spec):
        refuse(spec)
        self.spec, self.p = spec, spec.nominal
        self.bodies = [b.name for b in spec.bodies]
        self.n = len(self.bodies)
        self.index = {name: k for k, name in enumerate(self.bodies)} | {GROUND: self.n}
        number = lambda x: float(value_of(x, self.p))  # noqa: E731
        self.number = number
        self.mass = np.array([number(b.mass) for b in spec.bodies])
        self.com = np.array([self.vector(b.com) for b in spec.bodies])
        self.inertia = np.array([inertia_of(b, self.p).astype(float) for b in spec.bodies])
        self.gravity = self.vector(spec.gravity)
        self.com0 = np.vstack([self.com, np.zeros(3)])
        self.slides, self.turns, self.rods = [], [], []
        self.rows_of = {}
        for joint in spec.joints:
            self._joint(joint)
        for constraint in spec.constraints:
            self._rod(constraint)
        self._gather()

    def vector(self, v):
        return vector_of(v, self.p).astype(float)

    # --- equations ---

    def _slide(self, owner, D, d, A, B, pA, pB):
        A, B, D = self.index[A], self.index[B], self.index[D]
        rel = [pA - self.com0[A], pB - self.com0[B]]
        self.slides.append((owner, D, np.array(d, float), A, B, *rel, float(np.dot(d, pB - pA))))

    def _turn(self, owner, A, a, B, b):
        self.turns.append((owner, self.index[A], a, self.index[B], b, float(a @ b)))

    def _joint(self, j):
        A, B, p = j.parent, j.child, self.vector(j.point)
        axis = unit_vector_of(j.axis, self.p).astype(float) if j.axis else None
        axis2 = unit_vector_of(j.axis2, self.p).astype(float) if j.axis2 else None
        name = j.name
        if j.type in ("revolute", "spherical", "universal"):
            for e in np.eye(3):
                self._slide(name, GROUND, e, A, B, p, p)
        if j.type == "universal":
            self._turn(name, A, axis, B, axis2)
        if j.type in ("revolute", "cylindrical", "prismatic"):
            n1, n2 = normals(axis)
            self._turn(name, A, n1, B, axis)
            self._turn(name, A, n2, B, axis)
        if j.type == "prismatic":
            self._turn(name, A, n1, B, n2)
        if j.type in ("prismatic", "cylindrical"):
            self._slide(name, A, n1, A, B, p, p)
            self._slide(name, A, n2, A, B, p, p)

    def _rod(self, c):
        pA, pB = self.vector(c.point), self.vector(c.point2)
        length = self.number(c.length) if c.length is not None else np.linalg.norm(pB - pA)
        A, B = self.index[c.parent], self.index[c.child]
        self.rods.append((c.name, A, B, pA - self.com0[A], pB - self.com0[B], length**2 / 2))

    def _gather(self):
        def column(rows, k):
            return np.array([r[k] for r in rows])

        s, t, rods = self.slides, self.turns, self.rods
        self.s = [column(s, k) for k in range(1, 8)] if s else None
        self.t = [column(t, k) for k in range(1, 6)] if t else None
        self.d = [column(rods, k) for k in range(1, 6)] if rods else None
        owners = [r[0] for r in (*s, *t, *rods)]
        self.rows_of = {n: [i for i, o in enumerate(owners) if o == n] for n in set(owners)}
        self.m = len(owners)

    def rows(self, r, R, v, w):
        """phi, J and the part of the second derivative that holds no acceleration."""
        n, m = self.n, self.m
        J = np.zeros((m, n + 1, 6))  # v then w; the ground's columns are dropped at the end
        phi, bias = np.zeros(m), np.zeros(m)
        at = 0

        def dot(a, b):
            return np.sum(a * b, axis=1)

        def carried(body, vector):
            return np.einsum("kij,kj->ki", R[body], vector)

        def gap(A, B, pA, pB):
            rA, rB = carried(A, pA), carried(B, pB)
            s = r[B] + rB - r[A] - rA
            sd = v[B] + cross(w[B], rB) - v[A] - cross(w[A], rA)
            sdd = cross(w[B], cross(w[B], rB)) - cross(w[A], cross(w[A], rA))
            return rA, rB, s, sd, sdd

        if self.s is not None:
            D, d, A, B, pA, pB, c = self.s
            d = carried(D, d)
            rA, rB, s, sd, sdd = gap(A, B, pA, pB)
            k = at + np.arange(len(D))
            phi[k] = dot(d, s) - c
            for body, lin, ang in ((B, d, cross(rB, d)), (A, -d, -cross(rA, d))):
                J[k, body, :3] += lin
                J[k, body, 3:] += ang
            J[k, D, 3:] += cross(d, s)
            wD = w[D]
            bias[k] = dot(cross(wD, cross(wD, d)), s) + 2 * dot(cross(wD, d), sd) + dot(d, sdd)
            at += len(D)
        if self.t is not None:
            A, a, B, b, c = self.t
            a, b = carried(A, a), carried(B, b)
            k = at + np.arange(len(A))
            phi[k] = dot(a, b) - c
            J[k, A, 3:] += cross(a, b)
            J[k, B, 3:] += cross(b, a)
            wA, wB = w[A], w[B]
            bias[k] = (
                dot(cross(wA, cross(wA, a)), b)
                + 2 * dot(cross(wA, a), cross(wB, b))
                + dot(a, cross(wB, cross(wB, b)))
            )
            at += len(A)
        if self.d is not None:
            A, B, pA, pB, c = self.d
            rA, rB, s, sd, sdd = gap(A, B, pA, pB)
            k = at + np.arange(len(A))
            phi[k] = dot(s, s) / 2 - c
            for body, lin, ang in ((B, s, cross(rB, s)), (A, -s, -cross(rA, s))):
                J[k, body, :3] += lin
                J[k, body, 3:] += ang
            bias[k] = dot(sd, sd) + dot(s, sdd)
        return phi, J, bias

    # --- state ---

    def unpack(self, x):
        n = self.n
        r, q = x[: 3 * n].reshape(n, 3), x[3 * n : 7 * n].reshape(n, 4)
        v, w = x[7 * n : 10 * n].reshape(n, 3), x[10 * n :].reshape(n, 3)
        zero = np.zeros((1, 3))
        q = np.vstack([q, [[1.0, 0, 0, 0]]])
        return np.vstack([r, zero]), q, rotation(q), np.vstack([v, zero]), np.vstack([w, zero])

    def pack(self, r, q, v, w):
        n = self.n
        return np.concatenate([r[:n].ravel(), q[:n].ravel(), v[:n].ravel(), w[:n].ravel()])

    def roots(self, R):
        """M^-1/2 as (n, 6, 6), and the inertias in world axes."""
        n = self.n
        I_W = R[:n] @ self.inertia @ R[:n].transpose(0, 2, 1)
        values, vectors = np.linalg.eigh(I_W)
        root = np.zeros((n, 6, 6))
        root[:, :3, :3] = np.eye(3) / np.sqrt(self.mass)[:, None, None]
        root[:, 3:, 3:] = (vectors / np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
        return root, I_W

    def scaled(self, J, root):
        return np.einsum("mni,nij->mnj", J[:, : self.n], root).reshape(self.m, -1)

    def start(self):
        """As drawn; velocities of joints are met with the least kinetic energy."""
        n = self.n
        q = np.tile([1.0, 0, 0, 0], (n, 1))
        x = self.pack(self.com, q, np.zeros((n, 3)), np.zeros((n, 3)))
        r, _, R, v, w = self.unpack(x)
        _, J, _ = self.rows(r, R, v, w)
        root, _ = self.roots(R)
        B = [self.scaled(J, root)]
        wanted = [np.zeros(self.m)]
        for j in self.spec.joints:
            if j.position is not None and any(self.number(p) for p in j.position):
                raise ValueError(f"{j.name}: this solver starts as drawn")
            for rate in j.velocity or ():
                row = np.zeros((1, n + 1, 6))
                self._rate_row(j, row[0])
                B.append(np.einsum("mni,nij->mnj", row[:, :n], root).reshape(1, -1))
                wanted.append([self.number(rate)])
        u = np.linalg.lstsq(np.vstack(B), np.concatenate(wanted), rcond=RCOND)[0]
        assert np.abs(np.vstack(B) @ u - np.concatenate(wanted)).max() < 1e-9
        V = np.einsum("nij,nj->ni", root, u.reshape(n, 6))
        return self.pack(self.com, q, V[:, :3], V[:, 3:])

    def _rate_row(self, j, row):
        if j.type != "revolute":
            raise NotImplementedError(f"{j.name}: a start velocity of this joint")
        axis = unit_vector_of(j.axis, self.p).astype(float)
        row[self.index[j.child], 3:] += axis
        row[self.index[j.parent], 3:] -= axis

    # --- joints as the FMU counts them ---

    def coordinates(self, j, r, R, v, w):
        """Values and rates of the freedoms of a joint, and the axes their forces act along."""
        A, B, p = self.index[j.parent], self.index[j.child], self.vector(j.point)
        axis = unit_vector_of(j.axis, self.p).astype(float)
        a = R[A] @ axis
        if j.type == "universal":
            axis2 = unit_vector_of(j.axis2, self.p).astype(float)
            b = R[B] @ axis2
            q1 = np.arctan2(cross(R[A] @ axis2, b) @ a, (R[A] @ axis2) @ b)
            q2 = -np.arctan2(cross(R[B] @ axis, a) @ b, (R[B] @ axis) @ a)
            wr = w[B] - w[A]
            return [("turn", a, q1, wr @ a), ("turn", b, q2, wr @ b)]  # axes at right angles
        rA, rB = R[A] @ (p - self.com0[A]), R[B] @ (p - self.com0[B])
        s = r[B] + rB - r[A] - rA
        sd = v[B] + cross(w[B], rB) - v[A] - cross(w[A], rA)
        n1, _ = normals(axis)
        nA, nB = R[A] @ n1, R[B] @ n1
        turn = ("turn", a, np.arctan2(cross(nA, nB) @ a, nA @ nB), (w[B] - w[A]) @ a)
        slide = ("slide", a, s @ a, sd @ a + s @ cross(w[A], a))
        return {
            "revolute": [turn],
            "prismatic": [slide],
            "cylindrical": [turn, slide],
        }[j.type]

    # --- forces and accelerations ---

    def forces(self, x, u):
        """Applied forces (n+1, 6), and the energy in springs."""
        r, _, R, v, w = self.unpack(x)
        n = self.n
        F = np.zeros((n + 1, 6))
        F[:n, :3] = self.mass[:, None] * self.gravity
        energy = -float(np.sum(self.mass * (r[:n] @ self.gravity)))

        def push(body, point, force):
            F[body, :3] += force
            F[body, 3:] += cross(point - r[body], force)

        for f in self.spec.forces:
            A, B = self.index[f.parent], self.index[f.child]
            pB = r[B] + R[B] @ (self.vector(f.point2) - self.com0[B])
            if f.type == "wrench":
                force = np.array([u.get(f"{f.name}.force.{c}", 0.0) for c in "xyz"])
                push(B, pB, force)
                F[B, 3:] += [u.get(f"{f.name}.torque.{c}", 0.0) for c in "xyz"]
                continue
            k, d, length = (self.number(c) for c in (f.stiffness, f.damping, f.length))
            pA = r[A] + R[A] @ (self.vector(f.point) - self.com0[A])
            s = pB - pA
            sd = v[B] + cross(w[B], pB - r[B]) - v[A] - cross(w[A], pA - r[A])
            now = np.linalg.norm(s)
            pull = k * (now - length) + d * (s @ sd) / now
            push(A, pA, pull * s / now)
            push(B, pB, -pull * s / now)
            energy += k * (now - length) ** 2 / 2
        for j in self.spec.joints:
            if not any(key.startswith(f"{j.name}.") for key in u):
                continue
            A, B, p = self.index[j.parent], self.index[j.child], self.vector(j.point)
            for i, (kind, axis, _, _) in enumerate(self.coordinates(j, r, R, v, w)):
                name = f"{j.name}.{'tau' if kind == 'turn' else 'f'}"
                value = u.get(f"{name}[{i + 1}]" if j.type == "universal" else name, 0.0)
                if kind == "turn":
                    F[B, 3:] += value * axis
                    F[A, 3:] -= value * axis
                else:
                    point = r[B] + R[B] @ (p - self.com0[B])
                    push(B, point, value * axis)
                    push(A, point, -value * axis)
        return F[:n], energy

    def accelerations(self, x, u, *, with_multipliers=False):
        r, _, R, v, w = self.unpack(x)
        n = self.n
        _, J, bias = self.rows(r, R, v, w)
        root, I_W = self.roots(R)
        F, _ = self.forces(x, u)
        wn = w[:n]
        F[:, 3:] -= cross(wn, np.einsum("nij,nj->ni", I_W, wn))
        free = np.einsum("nij,nj->ni", root, F).ravel()
        B = self.scaled(J, root)
        push = np.linalg.lstsq(B, -bias - B @ free, rcond=RCOND)[0]
        a = np.einsum("nij,nj->ni", root, (free + push).reshape(n, 6))
        if not with_multipliers:
            return a
        return a, np.linalg.lstsq(B.T, push, rcond=RCOND)[0], J

    def rate(self, x, u):
        _, q, _, v, w = self.unpack(x)
        a, n = self.accelerations(x, u), self.n
        return np.concatenate(
            [v[:n].ravel(), quaternion_rate(q, w)[:n].ravel(), a[:, :3].ravel(), a[:, 3:].ravel()]
        )

    def projected(self, x):
        """Back onto all equations, by the least motion of mass."""
        n = self.n
        for _ in range(4):
            r, q, R, v, w = self.unpack(x)
            phi, J, _ = self.rows(r, R, v, w)
            if np.abs(phi).max() < 1e-14:
                break
            root, _ = self.roots(R)
            step = np.linalg.lstsq(self.scaled(J, root), -phi, rcond=RCOND)[0].reshape(n, 6)
            step = np.einsum("nij,nj->ni", root, step)
            q = q[:n] + quaternion_rate(q[:n], step[:, 3:])
            q /= np.linalg.norm(q, axis=1, keepdims=True)
            x = self.pack(r[:n] + step[:, :3], q, v, w)
        r, q, R, v, w = self.unpack(x)
        _, J, _ = self.rows(r, R, v, w)
        root, _ = self.roots(R)
        V = np.hstack([v, w])[:n]
        error = np.einsum("mni,ni->m", J[:, :n], V)
        step = np.linalg.lstsq(self.scaled(J, root), -error, rcond=RCOND)[0].reshape(n, 6)
        V = V + np.einsum("nij,nj->ni", root, step)
        return self.pack(r, q / np.linalg.norm(q, axis=1, keepdims=True), V[:, :3], V[:, 3:])

    # --- rows of the reference ---

    def row(self, x, u, reactions=()):
        r, q, R, v, w = self.unpack(x)
        out = {}
        _, multipliers, J = self.accelerations(x, u, with_multipliers=True)
        for j in self.spec.joints:
            if j.type == "spherical":
                continue
            found = self.coordinates(j, r, R, v, w)
            for i, (_, _, value, rate) in enumerate(found):
                tail = "" if len(found) == 1 else f"[{i + 1}]"
                out[f"{j.name}.q{tail}"], out[f"{j.name}.qd{tail}"] = value, rate
        for j in self.spec.joints:
            if j.name not in reactions:
                continue
            B = self.index[j.child]
            wrench = multipliers[self.rows_of[j.name]] @ J[self.rows_of[j.name], B]
            arm = R[B] @ (self.vector(j.point) - self.com0[B])
            torque = wrench[3:] - cross(arm, wrench[:3])
            for name, vector in (("force", wrench[:3]), ("torque", torque)):
                out |= {f"{j.name}.{name}.{c}": y for c, y in zip("xyz", vector, strict=True)}
        for k, body in enumerate(self.bodies):
            for name, vector, letters in (
                ("com", r[k], "xyz"),
                ("quat", q[k], "wxyz"),
                ("v", v[k], "xyz"),
                ("w", w[k], "xyz"),
            ):
                out |= {f"{body}.{name}.{c}": y for c, y in zip(letters, vector, strict=True)}
        for point in self.spec.points:
            k = self.index[point.body]
            place = r[k] + R[k] @ (self.vector(point.point) - self.com0[k])
            out |= {f"{point.name}.r.{c}": y for c, y in zip("xyz", place, strict=True)}
        _, I_W = self.roots(R)
        n = self.n
        turning = np.einsum("ni,nij,nj->", w[:n], I_W, w[:n])
        out["energy.kinetic"] = float(np.sum(self.mass * np.sum(v[:n] ** 2, axis=1)) + turning) / 2
        out["energy.potential"] = self.forces(x, u)[1]
        return out

    def simulate(self, times, inputs=None, keep=(), reactions=(), rtol=1e-12):
        held = [
            dict(zip(inputs.names, inputs.values[k], strict=True)) if inputs is not None else {}
            for k in range(len(times))
        ]
        found = states(
            lambda _, x, k: self.rate(x, held[k]),
            self.projected(self.start()),
            times,
            after=self.projected,
            rtol=rtol,
            atol=1e-12,
        )
        rows = [self.row(x, u, reactions) for x, u in zip(found, held, strict=True)]
        chosen = [c for c in rows[0] if not keep or any(c.startswith(prefix) for prefix in keep)]
        values = np.array([[r[c] for c in chosen] for r in rows])
        turning = {
            f"{j.name}.q{tail}"
            for j in self.spec.joints
            for tail in ("", "[1]", "[2]")
            if j.type in ("revolute", "universal") or (j.type == "cylindrical" and tail == "[1]")
        }
        for k, name in enumerate(chosen):
            if name in turning:  # turns are counted
                values[:, k] = np.unwrap(values[:, k])
        return Trajectory(times, tuple(chosen), values)
