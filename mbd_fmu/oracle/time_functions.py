"""Functions of time by other formulas than the rest of the project has, with their derivatives.

    sine, polynomial   their textbook derivatives
    table              SciPy's spline
    expression         differences of order 8, off by h^8/630 f^(9) and rounding / h^2         (1)

A turn by roll, pitch and yaw, about x, y and z in this order, each axis carried by those after it:

    w = yaw' z + pitch' y_1 + roll' x_2,   y_1 = R_z y,   x_2 = R_z R_y x                      (2)
    alpha = w' with y_1' = yaw' z x y_1 and x_2' = (yaw' z + pitch' y_1) x x_2

Source   Fornberg, Math. Comp. 51 (1988), p. 699: weights of (1); Euler's angles, textbook.
Checked  tests/laws/test_motion_of_time.py
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.motion_of_time import MotionOfTime
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.time_functions import Polynomial, Sine, Spline, TimeFunction
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import Array

H = 5e-3  # of (1); rounding of the second derivative is some 1e-11 then
_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])


def levels(function: TimeFunction, t: float, p: Values) -> Array:
    """Value, rate and second rate."""
    match function:
        case Sine():
            w = 2.0 * np.pi * value_of(function.frequency, p)
            a, phase = value_of(function.amplitude, p), w * t + value_of(function.phase, p)
            sine, cosine = a * np.sin(phase), a * np.cos(phase)
            return np.array([value_of(function.offset, p) + sine, w * cosine, -w * w * sine])
        case Polynomial():
            c = np.polynomial.Polynomial([float(value_of(x, p)) for x in function.coefficients])
            return np.array([c(t), c.deriv()(t), c.deriv(2)(t)])
        case Spline():
            return _spline(function, t)
    values = np.array([float(function.value(t + k * H, p)) for k in range(-4, 5)])
    return np.array([values[4], _FIRST @ values / H, _SECOND @ values / H**2])  # (1)


def _spline(function: Spline, t: float) -> Array:
    from scipy.interpolate import CubicSpline  # noqa: PLC0415  takes long, and few need it

    times, values = np.array(function.points).T
    at_rest = function.ends == "rest"
    curve = CubicSpline(times, values, bc_type="clamped" if at_rest else "natural")
    end = np.clip(t, times[0], times[-1])
    if end == t:
        return np.array([curve(t), curve(t, 1), curve(t, 2)])
    slope = float(curve(end, 1))
    return np.array([curve(end) + slope * (t - end), slope, 0.0])


def motion_levels(of_time: MotionOfTime, t: float, p: Values) -> tuple[Array, Array, Array]:
    """What slides, (3, n); the quaternion, and angular velocity and acceleration (2, 3)."""
    slides = np.array([levels(f, t, p) for f in of_time.slides]).reshape(-1, 3).T
    if not of_time.rpy:
        return slides, np.zeros(0), np.zeros((2, 3))
    from scipy.spatial.transform import Rotation  # noqa: PLC0415  likewise

    (roll, roll_1, roll_2), (pitch, pitch_1, pitch_2), (yaw, yaw_1, yaw_2) = (
        levels(f, t, p) for f in of_time.rpy
    )
    about_z, about_y = Rotation.from_euler("z", yaw), Rotation.from_euler("y", pitch)
    z = np.array([0.0, 0.0, 1.0])
    y_1 = about_z.apply([0.0, 1.0, 0.0])
    x_2 = (about_z * about_y).apply([1.0, 0.0, 0.0])
    carried = yaw_1 * z + pitch_1 * y_1
    w = carried + roll_1 * x_2  # (2)
    alpha = yaw_2 * z + pitch_2 * y_1 + roll_2 * x_2
    alpha += np.cross(yaw_1 * z, pitch_1 * y_1) + np.cross(carried, roll_1 * x_2)
    x, y, z_, w_ = (about_z * about_y * Rotation.from_euler("x", roll)).as_quat()
    return slides, np.array([w_, x, y, z_]), np.array([w, alpha])
