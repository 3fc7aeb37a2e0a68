"""A symmetric body with a fixed point in the field of gravity: what Lagrange found.

Angles z-x-z: R = Rz(phi) Rx(theta) Rz(psi). With A, C the moments about the fixed point across and
along the
axis and n = psi' + phi' cos(theta) the spin, which is constant,

    A theta'' = A phi'^2 sin cos - C n phi' sin + m g l sin,    p = A phi' sin^2 + C n cos = const

where l is the height of the mass centre above the fixed point at theta = 0 (negative: it hangs).
"""

import numpy as np
from scipy.spatial.transform import Rotation

from scripts.references._ode import quaternions, states

G = 9.81


def motion(times, *, A, C, mgl, theta, w_body):
    """Start at phi = psi = 0 with w in body axes; returns rotations, and w in body axes."""
    w1, w2, n = w_body
    p = A * (w2 / np.sin(theta)) * np.sin(theta) ** 2 + C * n * np.cos(theta)

    def phi_rate(th):
        return (p - C * n * np.cos(th)) / (A * np.sin(th) ** 2)

    def rate(_, x, __):
        th, thd = x[:2]
        s, c, f = np.sin(th), np.cos(th), phi_rate(th)
        thdd = f * f * s * c - (C * n * f * s - mgl * s) / A
        return np.array([thd, thdd, f, n - f * c])

    th, thd, phi, psi = states(rate, [theta, w1, 0.0, 0.0], times).T
    R = Rotation.from_euler("ZXZ", np.stack([phi, th, psi], axis=1))
    f = phi_rate(th)
    w = np.stack(
        [
            thd * np.cos(psi) + f * np.sin(th) * np.sin(psi),
            -thd * np.sin(psi) + f * np.sin(th) * np.cos(psi),
            np.full_like(th, n),
        ],
        axis=1,
    )
    return R, w


def columns(joint, body, times, *, m, level, A, C, theta, w_body):
    R, w = motion(times, A=A, C=C, mgl=m * G * level, theta=theta, w_body=w_body)
    com = R.apply([0.0, 0.0, level])
    return {
        f"{body}.com": com,
        f"{body}.quat": quaternions(R),
        f"{joint}.w": w,
        "energy.kinetic": (A * (w[:, 0] ** 2 + w[:, 1] ** 2) + C * w[:, 2] ** 2) / 2,
        "energy.potential": m * G * com[:, 2],
    }
