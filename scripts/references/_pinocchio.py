"""Trees by Pinocchio: its articulated-body and Newton-Euler algorithms, integrated at 1e-12.

The model is rebuilt from the user's numbers by ``tests/oracles/pinocchio_engine.py``. Quaternions
are
integrated as q' = q * (0, w) / 2 and brought back to length 1 after every row.
"""

import numpy as np

from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.signals.trajectory import Trajectory
from scripts.references._ode import states
from tests.oracles.pinocchio_engine import PinocchioEngine

LETTERS = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}


def quaternion_rate(q, w):
    s, v = q[0], q[1:]
    return 0.5 * np.concatenate([[-v @ w], s * w + np.cross(v, w)])


def turned(q, v):
    """A vector in the child's axes, expressed in the parent's."""
    s, u = q[0], q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + s * v)


class Tree:
    """A tree with any joints Pinocchio has; ``extra(q, v, k)`` adds generalized forces in row k."""

    def __init__(self, spec, extra=None):
        self.spec, self.extra = spec, extra
        self.engine = PinocchioEngine(spec)
        self.joints = [j for j in spec.joints if j.type != "rigid"]
        p = spec.nominal
        q, v = [], []
        for joint in self.joints:
            nq, nv = joint.kind.nq, joint.kind.nv
            drawn = [1.0, *[0.0] * (nq - 1)] if nq != nv else [0.0] * nq
            q += [float(value_of(x, p)) for x in joint.position or drawn]
            v += [float(value_of(x, p)) for x in joint.velocity or [0.0] * nv]
        self.start = np.array(q), np.array(v)
        self.damping = np.array(
            [float(value_of(d, p)) for j in self.joints for d in (j.damping or [0.0] * j.kind.nv)]
        )

    def rate_of_position(self, q, v):
        found, iq, iv = [], 0, 0
        for joint in self.joints:
            nq, nv = joint.kind.nq, joint.kind.nv
            if nq == nv:
                found += [*v[iv : iv + nv]]
            else:
                quat = q[iq : iq + 4]
                found += [*quaternion_rate(quat, v[iv : iv + 3])]
                if nq == 7:
                    found += [*turned(quat, v[iv + 3 : iv + 6])]
            iq, iv = iq + nq, iv + nv
        return np.array(found)

    def normalized(self, x):
        x, iq = x.copy(), 0
        for joint in self.joints:
            nq, nv = joint.kind.nq, joint.kind.nv
            if nq != nv:
                x[iq : iq + 4] /= np.linalg.norm(x[iq : iq + 4])
            iq += nq
        return x

    def forces(self, q, v, tau, k):
        tau = tau - self.damping * v
        return tau if self.extra is None else tau + self.extra(q, v, k)

    def simulate(self, times, inputs=None, keep=()):
        """Rows of all signals of the engine whose names begin with one of ``keep``."""
        names = []
        for joint in self.joints:
            nv = joint.kind.nv
            letter = "f" if joint.type == "prismatic" else "tau"
            names += [f"{joint.name}.{letter}"] if nv == 1 else [f"{joint.name}?"] * nv
        taus = np.array(
            [
                [
                    inputs.values[k][inputs.names.index(n)] if inputs and n in inputs else 0.0
                    for n in names
                ]
                for k in range(len(times))
            ]
        )
        n = len(self.start[0])

        def rate(_, x, k):
            q, v = self.normalized(x[:n]), x[n:]
            vd = self.engine.accelerations(q, v, self.forces(q, v, taus[k], k))
            return np.concatenate([self.rate_of_position(q, v), vd])

        found = states(rate, np.concatenate(self.start), times, after=self.normalized)
        rows = []
        for k, x in enumerate(found):
            q, v = x[:n], x[n:]
            vd = self.engine.accelerations(q, v, self.forces(q, v, taus[k], k))
            rows.append(self._row(q, v, vd))
        chosen = [c for c in rows[0] if not keep or any(c.startswith(prefix) for prefix in keep)]
        return Trajectory(times, tuple(chosen), np.array([[r[c] for c in chosen] for r in rows]))

    def _row(self, q, v, vd):
        row, iq, iv = {}, 0, 0
        for joint in self.joints:
            nq, nv = joint.kind.nq, joint.kind.nv
            if nq == nv == 1:
                row |= {
                    f"{joint.name}.q": q[iq],
                    f"{joint.name}.qd": v[iv],
                    f"{joint.name}.qdd": vd[iv],
                }
            iq, iv = iq + nq, iv + nv
        for name, vector in self.engine.outputs(q, v, vd).items():
            for letter, x in zip(LETTERS[len(vector)], vector, strict=True):
                row[f"{name}{letter}"] = float(x)
        return row
