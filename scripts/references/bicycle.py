"""The bicycle in maximal coordinates, each wheel with three equations of its own for its contact.

With n up, a the axis of a wheel in the world and h = a . n, its lowest point lies at -r e from the
centre, e = (n - h a) / sqrt(1 - h^2). That point of the wheel rests:

    v - r w x e = 0          three rows: J = [1, r e~], and -r w x e' is what is left of their rate

The part along n is the rate of n . c - r sqrt(1 - h^2) = 0, which is all there is on positions.
"""

from dataclasses import replace

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from scripts.references import _maximal
from scripts.references._maximal import cross
from scripts.references._ode import rows_of_time

UP = np.array([0.0, 0.0, 1.0])
KEPT = ("steer", "rear_axle", "front_axle", "rear_frame", "front_wheel", "energy.kinetic")


class Bicycle(_maximal.Mechanism):
    def __init__(self, spec):
        joints = tuple(j for j in spec.joints if j.type != "free")
        super().__init__(replace(spec, joints=joints, constraints=()))
        self.discs = [
            (self.index[c.child], np.array([0.0, 1.0, 0.0]), self.number(c.radius))
            for c in spec.constraints
        ]
        self.m += 3 * len(self.discs)

    def rows(self, r, R, v, w):
        phi, J, bias = super().rows(r, R, v, w)
        at = self.m - 3 * len(self.discs)
        for body, axis, radius in self.discs:
            a = R[body] @ axis
            ad = cross(w[body], a)
            h, hd = a @ UP, ad @ UP
            s = np.sqrt(1.0 - h * h)
            sd = -h * hd / s
            e = (UP - h * a) / s
            ed = -(hd * a + h * ad) / s - e * sd / s
            rows = slice(at, at + 3)
            J[rows, body, :3] = np.eye(3)
            # -r w x e = r e x w
            J[rows, body, 3:] = radius * np.array([cross(e, unit) for unit in np.eye(3)]).T
            bias[rows] = -radius * cross(w[body], ed)
            phi[at + 2] = r[body] @ UP - radius * s
            at += 3
        return phi, J, bias

    def start(self):
        """Upright and straight; everything leans about the line on which the wheels stand."""
        speed, push = self.p["speed"], self.p["push"]
        n = self.n
        w = np.tile([push, 0.0, 0.0], (n, 1))
        v = np.array([speed, 0.0, 0.0]) + cross(w, self.com)
        for body, axis, radius in self.discs:
            w[body] += speed / radius * axis
        q = np.tile([1.0, 0, 0, 0], (n, 1))
        return self.pack(self.com, q, v, w)


def reference(spec, _):
    found = Bicycle(spec).simulate(rows_of_time(3.0, 0.02), keep=KEPT)
    chosen = [
        k for k, name in enumerate(found.names) if not name.split(".")[1].startswith(("v", "w"))
    ]
    return Trajectory(found.time, tuple(found.names[k] for k in chosen), found.values[:, chosen])
