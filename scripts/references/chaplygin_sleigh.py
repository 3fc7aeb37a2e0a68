"""Chaplygin's sleigh in closed form.

v' = a w^2 and (J + m a^2) w' = -m a v w. With k^2 = m / (J + m a^2): w = W sech(c s), v = (W / k)
tanh(c s), c = a k W,
s = t - t_0; the heading is (W / c) 2 atan(tanh(c s / 2)); only the track needs a quadrature.
"""

import numpy as np

from scripts.references._ode import rows_of_time, states, table


def reference(spec, _):
    p, times = spec.nominal, rows_of_time(5.0, 0.02)
    m, a, J = p["mass"], p["offset"], p["inertia"]
    w0, v0, _ = (float(x) for x in spec.joints[0].velocity)
    k = np.sqrt(m / (J + m * a * a))
    W = np.hypot(w0, k * v0)
    c = a * k * W
    t0 = -np.arctanh(k * v0 / W) / c

    def heading(t):
        return (W / c) * 2 * np.arctan(np.tanh(c * (t - t0) / 2))

    start = heading(0.0)

    def rate(t, _, __):
        v, angle = (W / k) * np.tanh(c * (t - t0)), heading(t) - start
        return np.array([v * np.cos(angle), v * np.sin(angle)])

    x, y = states(rate, [0.0, 0.0], times).T
    v, w = (W / k) * np.tanh(c * (times - t0)), W / np.cosh(c * (times - t0))
    angle = heading(times) - start
    # the force across the edge, from Newton's law for the mass centre: m (v w + a w')
    sideways = m * (v * w + a * (-m * a * v * w / (J + m * a * a)))
    columns = {
        "ice.q[1]": angle,
        "ice.q[2]": x,
        "ice.q[3]": y,
        "ice.qd[1]": w,
        "ice.qd[2]": v * np.cos(angle),
        "ice.qd[3]": v * np.sin(angle),
        "edge.lambda[1]": sideways,
        "energy.kinetic": (m * v * v + (J + m * a * a) * w * w) / 2,
    }
    return table(times, columns)
