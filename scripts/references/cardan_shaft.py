"""Two universal joints: Poncelet's transmission in closed form, and the equation that remains.

The cross arm fixed in the driving fork is a = (0, 1, 0) turned about the driving axis by t1, the
other one b = (0, 0, 1)
turned about the middle axis x by t2; a . b = 0. With the driving axis (cos B, 0, -sin B):
a = (.., cos t1, sin t1 cos B) and b = (0, -sin t2, cos t2), so tan t2 = cos B tan t1: every shaft
turns on a fixed axis, so
2 T = I1 t1'^2 + I2 t2'^2 + I3 t3'^2.
"""

import numpy as np

from scripts.references._jets import Jet, acceleration, atan2, cos, one_freedom, sin
from scripts.references._ode import held, rows_of_time, states, table


def inputs(_):
    t = rows_of_time(1.0, 0.01)
    return held(t, **{"motor.tau": 0.4 * np.cos(5.0 * t) + 0.25})


def reference(spec, inputs):
    p, tau = spec.nominal, inputs.column("motor.tau")
    c1, c2, d = np.cos(p["bend1"]), np.cos(p["bend2"]), p["damping"]

    def angles(t1):
        t2 = atan2(c1 * sin(t1), cos(t1))
        t3 = atan2(sin(t2), c2 * cos(t2))
        return t1, t2, t3

    inertias = p["inertia1"], p["inertia2"], p["inertia3"]
    f = one_freedom(lambda t1: list(zip(inertias, angles(t1), strict=True)))

    def second(q, qd, u):
        ratio = angles(Jet(q, 1.0))[2].d
        return acceleration(f, q, qd, u - d * ratio**2 * qd)

    x = states(
        lambda _, x, k: np.array([x[1], second(*x, tau[k])]),
        [0.0, float(spec.joints[0].velocity[0])],
        inputs.time,
    )
    q, qd = x.T
    found = [angles(Jet(a, 1.0)) for a in q]
    turned = np.unwrap(np.array([[a.x for a in row] for row in found]), axis=0)
    ratio = np.array([[a.d for a in row] for row in found])
    columns = {
        "motor.q": q,
        "motor.qd": qd,
        "motor.qdd": np.array([second(*row, u) for row, u in zip(x, tau, strict=True)]),
        "load.q[1]": turned[:, 2],
        "load.q[2]": 0 * q,
        "load.qd[1]": ratio[:, 2] * qd,
        "middle.quat.w": np.cos(turned[:, 1] / 2),
        "middle.quat.x": np.sin(turned[:, 1] / 2),
        "energy.kinetic": sum(J * (ratio[:, k] * qd) ** 2 for k, J in enumerate(inertias)) / 2,
    }
    return table(inputs.time, columns)
