"""The two-link arm by the equations of the textbook, payload lumped into the lower link.

Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, sec. 6.4.
"""

import numpy as np

from scripts.references._ode import held, rows_of_time, states, table

G = 9.81


def inputs(_):
    t = rows_of_time(2.0, 0.01)
    shoulder = 14.0 + 6.0 * np.sin(3.0 * t)
    return held(t, **{"shoulder.tau": shoulder, "elbow.tau": 3.5 + 1.5 * np.cos(4.0 * t)})


def reference(spec, inputs):
    p = spec.nominal
    m1, mr, mp, L1, L2 = (p[k] for k in ("m1", "m2", "payload", "L1", "L2"))
    m2 = mr + mp
    l1, l2 = L1 / 2, (mr * L2 / 2 + mp * L2) / m2
    J1 = m1 * L1**2 / 12
    J2 = mr * L2**2 / 12 + mr * (L2 / 2 - l2) ** 2 + mp * (L2 - l2) ** 2
    a = J1 + J2 + m1 * l1**2 + m2 * (L1**2 + l2**2)
    b, d = m2 * L1 * l2, J2 + m2 * l2**2
    tau = np.stack([inputs.column("shoulder.tau"), inputs.column("elbow.tau")], axis=1)

    def acceleration(q, v, k):
        c, h = np.cos(q[1]), b * np.sin(q[1])
        H = np.array([[a + 2 * b * c, d + b * c], [d + b * c, d]])
        bias = np.array([-h * v[1] * (2 * v[0] + v[1]), h * v[0] ** 2])
        c1, c12 = np.cos(q[0]), np.cos(q[0] + q[1])
        weight = G * np.array([(m1 * l1 + m2 * L1) * c1 + m2 * l2 * c12, m2 * l2 * c12])
        return np.linalg.solve(H, tau[k] - bias - weight)

    def rate(_, x, k):
        return np.concatenate([x[2:], acceleration(x[:2], x[2:], k)])

    start = [spec.joints[0].position[0], spec.joints[1].position[0], 0.0, 0.0]
    x = states(rate, start, inputs.time)
    vd = np.array([acceleration(row[:2], row[2:], k) for k, row in enumerate(x)])
    q1, q12 = x[:, 0], x[:, 0] + x[:, 1]
    tool = np.stack(
        [
            L1 * np.cos(q1) + L2 * np.cos(q12),
            L1 * np.sin(q1) + L2 * np.sin(q12),
            np.zeros_like(q1),
        ],
        axis=1,
    )
    columns = {}
    for k, name in enumerate(("shoulder", "elbow")):
        columns |= {f"{name}.q": x[:, k], f"{name}.qd": x[:, 2 + k], f"{name}.qdd": vd[:, k]}
    return table(inputs.time, columns | {"tool.r": tool})
