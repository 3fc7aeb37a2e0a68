"""Rosenbrock's method for stiff motions: the twin of ``runtime/stiff.c``.

    (1 / (h GAMMA) - df/dx) u_i = f(t + AT_i h, x + sum A_ij u_j) + sum C_ij u_j / h + D_i h df/dt

It is of order 4 with an error estimate of order 3 and L-stable; its last stage is the end of the
step, and it keeps its order where stiff parts are driven. The derivatives are exact in the C; here
they are central differences, good for nine digits.

Source   Steinebach, Order reduction of ROW methods for DAEs and method of lines applications,
         Preprint 1741, TH Darmstadt (1995): RODASP; Hairer & Wanner, Solving Ordinary
         Differential Equations II (1996), sec. IV.7.
Checked  tests/unit/test_stiff.py against the order conditions and closed forms,
         tests/twins/test_stiff.py against the C.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mbd_fmu.spatial import Array

GAMMA = 0.25
AT = (0.0, 0.75, 0.21, 0.63, 1.0, 1.0)
D = (0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0)
_LAST = (-7.1704549624234115, -4.7416366714819755, -16.31002631330972, -1.0620040441113987)
A = (
    (),
    (3.0,),
    (1.8310367934867824, 0.4955183967433912),
    (2.304376582692642, -0.05249275245744427, -1.1767987618327664),
    _LAST,
    (*_LAST, 1.0),
)
C = (
    (),
    (-12.0,),
    (-8.79179517394713, -2.207865586973565),
    (10.817930568572011, 6.780270611428505, 19.534859446424054),
    (34.19095006749801, 15.496711537260243, 54.74760875964145, 14.160053921485321),
    (
        34.62605830930664,
        15.300849761145361,
        56.999555786626864,
        18.408070097930906,
        -5.71428571428571,
    ),
)

IN_X = 6e-6  # third root of the rounding: where central differences are best
IN_TIME = 1e-5  # of a communication step

Rate = Callable[[float, Array], Array]


def slopes(rate: Rate, t: float, x: Array, length: float) -> tuple[Array, Array]:
    """Return df/dx and df/dt."""
    jacobian = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        d = np.zeros(len(x))
        d[i] = IN_X * (1.0 + abs(x[i]))
        jacobian[:, i] = (rate(t, x + d) - rate(t, x - d)) / (2.0 * d[i])
    dt = IN_TIME * length
    return jacobian, (rate(t + dt, x) - rate(t - dt, x)) / (2.0 * dt)


def trial(
    rate: Rate, derivatives: tuple[Array, Array], t: float, h: float, x: Array, slope: Array
) -> tuple[Array, Array]:
    """One step of size h from x, where x' is ``slope``: the new x, and its error."""
    jacobian, in_time = derivatives
    matrix = np.eye(len(x)) / (h * GAMMA) - jacobian
    x_new, u = x, list[Array]()
    for at, d, a, c in zip(AT, D, A, C, strict=True):
        x_new = x + _combined(a, u, x)
        f = rate(t + at * h, x_new) if u else slope
        right = f + _combined(c, u, x) / h + d * h * in_time
        try:
            u.append(np.linalg.solve(matrix, right))
        except np.linalg.LinAlgError:
            u.append(np.full_like(x, np.nan))
    return x_new + u[-1], u[-1]


def _combined(weights: tuple[float, ...], u: list[Array], x: Array) -> Array:
    total = np.zeros_like(x)
    for weight, step in zip(weights, u, strict=True):
        total = total + weight * step
    return total
