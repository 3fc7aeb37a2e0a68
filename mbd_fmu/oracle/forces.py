"""Forces between free bodies, each along a rate: by virtual power, Q = J^T f.

In the freedoms of joints, with q, v and x = how far beyond a stop,

    f = -k (q - rest) - d v - c tanh(v / v_s) -+ k_s delta(x) - d_s delta'(x) v                 (1)
    delta(x) = (x + sqrt(x^2 + w^2)) / 2,    energy of the stop k_s (integral of delta)         (2)

Along the line d = p_b - p_a of length l, on the child against d:

    spring_damper    k (l - l_0) + c l';   with l_0 = 0 the force is -(k + c d.d'/d.d) d         (3)
    inverse_square   c / l^2                                                                    (4)
    nonlinear_spring SciPy's curve through a table + c l' (its laws: ``laws.py``)               (6)

A bushing in axes of the parent, offset o = R_a^T d - drawn, theta = 2 vec(quat_ab), w = R_a^T w_ab:

    f = -K o - D o',    along theta' = (quat_w - vec x) w: -K_r theta,    along w: -D_r w        (5)

Source   [003] sec. 5.4; Haug, Computer Aided Kinematics and Dynamics (1989), sec. 6.2, 11.2.
Checked  tests/laws/test_absolute.py, tests/laws/test_absolute_forces.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mbd_fmu.elements.force import Force
from mbd_fmu.elements.forces.bushing import Bushing
from mbd_fmu.elements.forces.inverse_square import InverseSquare
from mbd_fmu.elements.forces.nonlinear_spring import NonlinearSpring
from mbd_fmu.elements.forces.spring_damper import SpringDamper
from mbd_fmu.elements.forces.wrench import Wrench
from mbd_fmu.model.spec import Joint
from mbd_fmu.oracle.jets import Jet, Rate, Scene, along, dot, stack
from mbd_fmu.oracle.joints import Freedoms, from_centre
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Values, Vector, vector_of
from mbd_fmu.spatial import Array, conjugate, quaternion_product, skew

NO_LENGTH = 1e-300  # a spring without natural length needs no direction where its ends meet


@dataclass(frozen=True)
class Push:
    """A force along a rate, the energy behind it and the power it takes out."""

    rate: Rate
    force: Array
    energy: float = 0.0
    loss: float = 0.0


@dataclass(frozen=True)
class Passive:
    """What a joint does by itself; per freedom, empty where there is nothing."""

    stiffness: Array
    rest: Array
    damping: Array
    friction: Array
    friction_speed: float
    stops: tuple[tuple[float, Array], ...]  # +1 and upper ends, -1 and lower ones
    stop: tuple[float, float, float]  # stiffness, damping, width


def passive_of(joint: Joint, p: Values) -> Passive | None:
    """Put numbers into the springs, dampers and stops of a joint, if it has any."""
    if not any((joint.stiffness, joint.damping, joint.friction, joint.stop)):
        return None
    given = {
        key: vector_of(getattr(joint, key), p).astype(float)
        for key in ("stiffness", "rest", "damping", "friction", "lower", "upper")
    }
    stiffness, damping, width = vector_of(joint.stop, p).astype(float) if joint.stop else (0, 0, 1)
    return Passive(
        given["stiffness"],
        given["rest"],
        given["damping"],
        given["friction"],
        float(value_of(joint.friction_speed, p)),
        tuple((s, given[k]) for s, k in ((1.0, "upper"), (-1.0, "lower")) if len(given[k])),
        (float(stiffness), float(damping), float(width)),
    )


def joint_push(passive: Passive, freedoms: Freedoms) -> Push:
    """(1) and (2)."""
    q, v = freedoms.q, freedoms.rate.value
    force, energy, loss = np.zeros(len(v)), 0.0, 0.0
    resisting = np.zeros(len(v))
    if len(passive.damping):
        resisting = resisting + passive.damping * v
    if len(passive.friction):
        resisting = resisting + passive.friction * np.tanh(v / passive.friction_speed)
    if len(passive.stiffness):
        stretch = q - (passive.rest if len(passive.rest) else 0.0)
        force = force - passive.stiffness * stretch
        energy += float(passive.stiffness @ stretch**2) / 2.0
    k, d, width = passive.stop
    for sign, where in passive.stops:
        x = sign * (q - where)
        root = np.sqrt(x * x + width * width)
        force = force - sign * k * (x + root) / 2.0
        resisting = resisting + d * (1.0 + x / root) / 2.0 * v
        area = x * (x + root) + width**2 * np.arcsinh(x / width)
        energy += k * float(np.sum(area)) / 4.0
    loss += float(resisting @ v)
    return Push(freedoms.rate, force - resisting, energy, loss)


@dataclass(frozen=True)
class Coupling:
    """A force between two bodies with its numbers; points from their mass centres."""

    force: Force
    a: int
    b: int
    point_a: Array
    point_b: Array
    constants: Array
    drawn: Array  # offset of the points as drawn
    parameters: Values


def coupling_of(
    force: Force, index: dict[str, int], centres: Sequence[Array], p: Values
) -> Coupling:
    """Put numbers into a force."""
    a, b = index[force.parent], index[force.child]
    return Coupling(
        force,
        a,
        b,
        from_centre(a, force.point, centres, p),
        from_centre(b, force.point2, centres, p),
        vector_of(_constants(force), p).astype(float),
        (vector_of(force.point2, p) - vector_of(force.point, p)).astype(float),
        p,
    )


def _constants(force: Force) -> Vector:
    """Stiffness, damping, natural length; strength; six stiffnesses, six dampings; nothing."""
    match force:
        case SpringDamper():
            return force.stiffness, force.damping, force.length
        case InverseSquare():
            return (force.strength,)
        case Bushing():
            return *force.stiffness, *force.damping
    return ()


def coupling_pushes(coupling: Coupling, scene: Scene, wrench: Array) -> list[Push]:
    """What a force does at a state; ``wrench`` holds force and torque where they are inputs."""
    match coupling.force.type:
        case "wrench":
            return _wrench(coupling, scene, wrench)
        case "bushing":
            return _bushing(coupling, scene)
    d = scene.point(coupling.b, coupling.point_b) - scene.point(coupling.a, coupling.point_a)
    squared = float(d.value @ d.value)
    if isinstance(coupling.force, NonlinearSpring):
        return [_nonlinear_spring(coupling.force, coupling.parameters, d)]
    if coupling.force.type == "inverse_square":
        (strength,), length = coupling.constants, np.sqrt(squared)
        pull = strength / length**3 * d.value  # (4)
        return [Push(d.rate, -pull, energy=-strength / length)]
    stiffness, damping, natural = coupling.constants
    along_d = float(d.value @ d.rate.value)
    if natural == 0.0:
        stretch = squared
        spring = stiffness
    else:
        length = np.sqrt(squared)
        stretch = (length - natural) ** 2
        spring = stiffness * (length - natural) / length
    damper = damping * along_d / (squared + NO_LENGTH)
    loss = damper * along_d
    return [Push(d.rate, -(spring + damper) * d.value, stiffness * stretch / 2.0, loss)]  # (3)


def _nonlinear_spring(force: NonlinearSpring, p: Values, d: Jet) -> Push:
    length = float(np.linalg.norm(d.value))
    rate, natural = float(d.value @ d.rate.value) / length, float(value_of(force.length, p))
    curve, damping = _through(force.table), float(value_of(force.damping, p))
    pull, lost = float(curve(length)) + damping * rate, damping * rate * rate
    held = float(curve.integrate(natural, length))
    return Push(d.rate, -pull / length * d.value, held, lost)  # (6)


def _through(points: Sequence[tuple[float, float]]) -> Any:
    """A curve by SciPy, with straight lines before and after it."""
    from scipy.interpolate import PchipInterpolator, PPoly  # noqa: PLC0415  takes long, and few need it

    x, y = np.array(points).T
    curve = PchipInterpolator(x, y)
    first, last = curve.derivative()(x[[0, -1]])
    reach = 1e3 * (x[-1] - x[0])
    before, after = [0.0, 0.0, first, y[0] - reach * first], [0.0, 0.0, last, y[-1]]
    pieces = np.column_stack([before, curve.c, after])
    return PPoly(pieces, [x[0] - reach, *x, x[-1] + reach])


def _bushing(coupling: Coupling, scene: Scene) -> list[Push]:
    d = scene.point(coupling.b, coupling.point_b) - scene.point(coupling.a, coupling.point_a)
    axes = [scene.direction(coupling.a, e) for e in np.eye(3)]
    offsets = [dot(x, d) for x in axes]
    offset = np.concatenate([x.value for x in offsets]) - coupling.drawn
    moving = stack([x.rate for x in offsets], scene.n_speeds)
    spin = scene.spin(coupling.b) - scene.spin(coupling.a)
    turning = stack([along(x, spin) for x in axes], scene.n_speeds)
    quat_a = conjugate(scene.quaternion(coupling.a))
    quat = quaternion_product(quat_a, scene.quaternion(coupling.b))
    theta = 2.0 * quat[1:]
    # the matrix turns, too, but of this rate no derivative is wanted
    theta_rate = turning.through(quat[0] * np.eye(3) - skew(quat[1:]))
    k, d_ = coupling.constants[:6], coupling.constants[6:]
    shove = -k[:3] * offset - d_[:3] * moving.value
    energies = (offset @ (k[:3] * offset) / 2.0, theta @ (k[3:] * theta) / 2.0)
    losses = (moving.value**2 @ d_[:3], turning.value**2 @ d_[3:])
    return [  # (5)
        Push(moving, shove, float(energies[0]), float(losses[0])),
        Push(theta_rate, -k[3:] * theta, energy=float(energies[1])),
        Push(turning, -d_[3:] * turning.value, loss=float(losses[1])),
    ]


def _wrench(coupling: Coupling, scene: Scene, wrench: Array) -> list[Push]:
    in_body_axes = isinstance(coupling.force, Wrench) and coupling.force.in_body_axes
    turn = scene.turn(coupling.b) if in_body_axes else np.eye(3)
    place = scene.point(coupling.b, coupling.point_b)
    return [
        Push(place.rate, turn @ wrench[:3]),
        Push(scene.spin(coupling.b), turn @ wrench[3:]),
    ]
