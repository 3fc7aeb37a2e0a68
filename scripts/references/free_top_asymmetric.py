"""Euler's free top with three different moments, by Jacobi's elliptic functions.

Landau and Lifshitz, Mechanics, sec. 37: with I1 < I2 < I3, M^2 > 2 E I2,
W1 = sqrt((2 E I3 - M^2) / (I1 (I3 - I1))) cn,  W2 = sqrt((2 E I3 - M^2) / (I2 (I3 - I2))) sn,
W3 = sqrt((M^2 - 2 E I1) / (I3 (I3 - I1))) dn  of  tau = t sqrt((I3 - I2)(M^2 - 2 E I1) / (I1 I2
I3)),
k^2 = (I2 - I1)(2 E I3 - M^2) / ((I3 - I2)(M^2 - 2 E I1)); if M^2 < 2 E I2, 1 and 3 change places.
"""

import numpy as np
from scipy.special import ellipj, ellipkinc

from scripts.references._ode import rows_of_time, states, table
from scripts.references._pinocchio import quaternion_rate


def rates(moments, w):
    """Return w(t) in body axes."""
    order = np.argsort(moments)
    I1, I2, I3 = moments[order]
    E2, M2 = moments @ w**2, moments**2 @ w**2
    if M2 < E2 * I2:
        order = order[::-1]
        I1, I2, I3 = moments[order]
    u = w[order]
    k2 = (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1))
    speed = np.sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3))
    a1 = np.sqrt((E2 * I3 - M2) / (I1 * (I3 - I1)))
    a2 = np.sqrt((E2 * I3 - M2) / (I2 * (I3 - I2)))
    a3 = np.sqrt((M2 - E2 * I1) / (I3 * (I3 - I1)))
    # signs and phase from the start, and from I2 W2' = (I3 - I1) W3 W1
    s1 = 1.0 if u[0] >= 0 else -1.0
    s3 = 1.0 if u[2] >= 0 else -1.0
    handed = np.linalg.det(np.eye(3)[order])
    s2 = s1 * s3 * handed * np.sign(I3 - I1)
    start = ellipkinc(np.arctan2(s2 * u[1] / a2, abs(u[0]) / a1), k2)

    def at(t):
        sn, cn, dn, _ = ellipj(start + speed * t, k2)
        found = np.empty(3)
        found[order] = [s1 * a1 * cn, s2 * a2 * sn, s3 * a3 * dn]
        return found

    return at


def reference(spec, _):
    p, times = spec.nominal, rows_of_time(4.0, 0.02)
    squares = np.array([p["width"], p["height"], p["thickness"]]) ** 2
    moments = p["mass"] / 12 * (squares.sum() - squares)
    w0 = np.array(spec.joints[0].velocity[:3], dtype=float)
    at = rates(moments, w0)
    assert np.abs(at(0.0) - w0).max() < 1e-12
    h = 1e-5  # Euler's equations hold
    slope = (at(1 + h) - at(1 - h)) / (2 * h)
    w = at(1.0)
    assert np.abs(moments * slope + np.cross(w, moments * w)).max() < 1e-8
    quat = states(lambda t, q, _: quaternion_rate(q, at(t)), [1.0, 0, 0, 0], times)
    w = np.array([at(t) for t in times])
    return table(times, {"book.quat": quat, "flight.w": w})
