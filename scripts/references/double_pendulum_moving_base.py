"""A double pendulum in an accelerated frame, by Pinocchio with the gravity g - a (d'Alembert)."""

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from scripts.references._ode import rows_of_time, table
from scripts.references._pinocchio import Tree

STEP = 0.01


def inputs(_):
    """a is held over each row; v and r are what follows from it, exactly."""
    t = rows_of_time(2.0, STEP)
    a = np.round(np.stack([4 * np.sin(6 * t), 0 * t, 2 * np.sin(9 * t + 1)], axis=1), 6)
    v, r = np.zeros_like(a), np.zeros_like(a)
    for k in range(len(t) - 1):
        v[k + 1] = v[k] + STEP * a[k]
        r[k + 1] = r[k] + STEP * v[k] + STEP**2 * a[k] / 2
    found = table(t, {"base.r": r, "base.v": v, "base.a": a})
    moving = [k for k, n in enumerate(found.names) if not n.endswith(".y")]
    return Trajectory(t, tuple(found.names[k] for k in moving), found.values[:, moving])


def reference(spec, inputs):
    tree = Tree(spec)
    a = np.stack([inputs.column("base.a.x"), 0 * inputs.time, inputs.column("base.a.z")], axis=1)
    g = np.array([0.0, 0.0, -9.81])

    def extra(_, v, k):
        tree.engine.model.gravity.linear = g - a[k]
        return 0 * v

    tree.extra = extra
    found = tree.simulate(inputs.time, keep=["shoulder", "elbow", "upper.com", "lower.com"])
    values = found.values.copy()
    for k, name in enumerate(found.names):
        if ".com." in name and not name.endswith("y"):
            values[:, k] += inputs.column(f"base.r.{name[-1]}")
    return Trajectory(found.time, found.names, values)
