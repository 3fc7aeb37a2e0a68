"""The uniform rod that swings from rest, in closed form.

theta = 2 asin(k sn(K - w t | k^2)), w^2 = 3 g / (2 L), k = sin(theta_0 / 2): e.g. Whittaker,
A Treatise on the Analytical Dynamics of Particles and Rigid Bodies (1937), sec. 44. Angle from
hanging, counter-clockwise about z; x to the right, y up; force of the pivot on the rod.
"""

import numpy as np
from scipy.special import ellipj, ellipk


def swinging_rod(t, *, mass, length, theta_0, g=9.81):
    """Return angle, rate, acceleration and pivot force (x, y) at the times t."""
    w2 = 1.5 * g / length
    w, k = np.sqrt(w2), np.sin(theta_0 / 2)
    sn, cn, _, _ = ellipj(ellipk(k * k) - w * t, k * k)
    theta = 2 * np.arcsin(k * sn)
    # d sn/dt = -w cn dn, and dn = cos(theta/2)
    rate = -2 * k * w * cn
    acceleration = -w2 * np.sin(theta)
    half = length / 2
    a_x = half * (acceleration * np.cos(theta) - rate**2 * np.sin(theta))
    a_y = half * (acceleration * np.sin(theta) + rate**2 * np.cos(theta))
    return theta, rate, acceleration, mass * a_x, mass * (a_y + g)
