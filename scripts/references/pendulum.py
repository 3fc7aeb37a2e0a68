"""A rod swinging through 120 degrees, in closed form with Jacobi's elliptic functions.

theta = 2 asin(k sn(K - w t | k^2)) with w^2 = 3 g / 2 L and k = sin(theta_0 / 2); the pivot's
force follows
from Newton's law for the mass centre. ``tests/oracles/pendulum.py``, evaluated by SciPy.
"""

import numpy as np

from mbd_fmu.signals.trajectory import Trajectory
from tests.oracles.pendulum import swinging_rod


def reference(spec, _):
    time = np.round(np.arange(501) * 0.02, 2)
    mass, length = spec.nominal["mass"], spec.nominal["length"]
    (theta_0,) = spec.joints[0].position
    columns = swinging_rod(time, mass=mass, length=length, theta_0=theta_0)
    names = ("pivot.q", "pivot.qd", "pivot.qdd", "pivot.force.x", "pivot.force.y")
    return Trajectory(time, names, np.stack(columns, axis=1))
