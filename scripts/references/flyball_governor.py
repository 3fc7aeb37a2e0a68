"""The stiff governor: Pinocchio's tree, rods by the closed form of their length.

In the plane of an arm that has sunk by a from 30 degrees below level, with b = a + 30 degrees: its
middle is at
(h/2) (cos b, -sin b) from its hinge, the slider's point at (0, s - h/2), h the arm's length and s
the lift.
So l^2 = (h/2)^2 cos^2 b + (h/2 - s - (h/2) sin b)^2, and the pull F = k (l - l0) + d l' acts on a
with -F dl/da, on s with
-F dl/ds.
"""

import numpy as np

from scripts.references._ode import rows_of_time
from scripts.references._pinocchio import Tree


def reference(spec, _):
    p = spec.nominal
    e, k, d = p["arm"] / 2, p["stiffness"], p["damping"]

    def rods(q, v, _):
        tau = np.zeros(4)  # spin, lift, hinge1, hinge2
        for i in (2, 3):
            b, s = q[i] + np.pi / 6, q[1]
            x, z = e * np.cos(b), e - s - e * np.sin(b)
            length = np.hypot(x, z)
            by_a = (x * -e * np.sin(b) + z * -e * np.cos(b)) / length
            by_s = -z / length
            pull = k * (length - e) + d * (by_a * v[i] + by_s * v[1])
            tau[i] -= pull * by_a
            tau[1] -= pull * by_s
        return tau

    keep = ["spin.q", "lift.q", "hinge1.q", "hinge2.q", "ball1.com", "energy.kinetic"]
    found = Tree(spec, rods).simulate(rows_of_time(2.0, 0.02), keep=keep)
    chosen = [c for c, n in enumerate(found.names) if not n.endswith(".qdd")]
    names = tuple(found.names[c] for c in chosen)
    return type(found)(found.time, names, found.values[:, chosen])
