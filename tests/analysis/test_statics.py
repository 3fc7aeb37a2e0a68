"""Statics of parallel robots by virtual work: tau^T dq = dV, with V and q of the pose by hand.

A road of its own: no body's equations, no constraint, only where weights are. Derivatives are by
complex steps, exact to rounding.
"""

import numpy as np
import pytest

from mbd_fmu.analysis.inverse_motion import inverse_dynamics
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of

G = 9.81


def at_rest(name, columns):
    """Drives of a model that rests at a pose."""
    system = system_of(read_model(library()[name]))
    names, values = zip(*columns.items(), strict=True)
    # a resting motion of six rows: its splines are constant
    time = np.linspace(0.0, 1.0, 6)
    table = Trajectory(time, names, np.tile(values, (6, 1)))
    return inverse_dynamics(system, table).drives.values[0]


def gradient(f, pose):
    h = 1e-30
    columns = [np.imag(f(pose + 1j * h * e)) / h for e in np.eye(len(pose))]
    return np.stack(columns, axis=-1)


def length(d):
    return np.sqrt((d * d).sum(axis=-1))  # no modulus: it must stay analytic


# --- Stewart's platform: six legs between circles; turned about x, y, z one after the other ---

FEET = np.array([
    [0.6 * np.cos(a), 0.6 * np.sin(a), 0.0]
    for m in range(3) for a in (2 * np.pi * m / 3 + 0.2, 2 * np.pi * m / 3 - 0.2)
])  # fmt: skip
HEADS = np.array([
    [0.35 * np.cos(a), 0.35 * np.sin(a), 0.0]
    for m in range(3)
    for a in (np.pi / 3 + 2 * np.pi * m / 3 - 0.25, -np.pi / 3 + 2 * np.pi * m / 3 + 0.25)
])  # fmt: skip


def turn(a, b, c):
    """About fixed x, then y, then z."""
    x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return z @ y @ x


def legs(pose):
    return pose[:3] + HEADS @ turn(*pose[3:]).T - FEET


def weights_of_platform(pose):
    """Platform of 12 kg, 30 mm above its joints; cylinders of 1.5 kg, pistons of 0.8 kg.

    A quarter of the drawn leg from each end.
    """
    d = legs(pose)
    drawn = length(legs(np.array([0, 0, 0.7, 0, 0, 0])))
    along = d[:, 2] / length(d)
    platform = 12.0 * (pose[2] + (turn(*pose[3:]) @ [0, 0, 0.03])[2])
    cylinders = 1.5 * (drawn / 4 * along).sum()
    pistons = 0.8 * ((length(d) - drawn / 4) * along).sum()
    return G * (platform + cylinders + pistons)


@pytest.mark.parametrize("pose", [[0, 0, 0.7, 0, 0, 0], [0.05, -0.08, 0.75, 0.1, -0.15, 0.2]])
def test_the_legs_of_a_stewart_platform_carry_what_virtual_work_says(pose):
    pose = np.array(pose, dtype=float)
    # f_k = dV/dl_k: solve (dl/dpose)^T f = dV/dpose
    expected = np.linalg.solve(
        gradient(lambda p: length(legs(p)), pose).T, gradient(weights_of_platform, pose)
    )
    R = turn(*pose[3:])
    points = {
        "middle": pose[:3],
        "front": pose[:3] + 0.35 * R[:, 0],
        "left": pose[:3] + 0.35 * R[:, 1],
    }
    told = {f"{name}.r.{x}": p[k] for name, p in points.items() for k, x in enumerate("xyz")}
    found = at_rest("stewart_platform", told)
    assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()


# --- Delta robot: R, rp, arm, rod of the model; the platform stays level ---

BASE, PLATFORM, ARM, ROD = 0.2, 0.06, 0.25, 0.6


def motors(p):
    """Angles by the closed form: A cos t - B sin t = C in the plane of each arm."""
    found = []
    for k in range(3):
        c, s = np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3)
        x = c * p[0] + s * p[1] + PLATFORM - BASE  # of the rods' end, from the motor, outwards
        y, z = -s * p[0] + c * p[1], p[2]
        C = (x * x + y * y + z * z + ARM**2 - ROD**2) / (2 * ARM)
        # the knee is at ARM (cos t, -sin t): x cos t - z sin t = C
        reach = np.sqrt(x * x + z * z)
        sine = (-z * C - x * np.sqrt(reach**2 - C * C)) / reach**2
        cosine = (x * C - z * np.sqrt(reach**2 - C * C)) / reach**2
        angle = np.arctan2(sine.real, cosine.real)
        # arctan2 of complex numbers, to first order: all that a complex step asks for
        rest = 1j * (cosine.real * sine.imag - sine.real * cosine.imag)
        found.append(angle + rest)
    return np.array(found)


def weights_of_delta(p):
    return G * (0.9 * p[2] - 0.5 * 0.6 * ARM * np.sin(motors(p)).sum())


@pytest.mark.parametrize("offset", [[0, 0, 0], [0.06, -0.04, -0.05], [-0.08, 0.02, 0.03]])
def test_the_motors_of_a_delta_robot_carry_what_virtual_work_says(offset):
    level = np.array([0, 0, -np.sqrt(ROD**2 - (BASE + ARM - PLATFORM) ** 2)])
    pose = level + np.array(offset, dtype=float)
    assert np.abs(motors(level)).max() <= 1e-14  # drawn with level arms
    expected = np.linalg.solve(gradient(motors, pose).T, gradient(weights_of_delta, pose))
    found = at_rest("delta_robot", {f"platform.com.{x}": pose[k] for k, x in enumerate("xyz")})
    assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()
