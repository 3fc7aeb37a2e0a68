"""Is the specification physically possible, with the parameters' declared values put in?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mbd_fmu.errors import Problem, SpecError, shortened
from mbd_fmu.model.bounds import NOT_NEGATIVE
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Body, Constraint, Force, Joint, Shape, Spec
from mbd_fmu.model.visuals import visual_problems
from mbd_fmu.quantities.expressions import Expression, Quantity, value_of
from mbd_fmu.quantities.limits import LARGEST, SMALLEST
from mbd_fmu.quantities.table import show
from mbd_fmu.quantities.vectors import Vector, vector_of

# Moments are data with few digits: their eigenvalues may miss zero by rounding of this size.
ROUNDING = 1e-9


def physical_problems(spec: Spec, doubtful: frozenset[str] = frozenset()) -> list[Problem]:
    """List what no mechanism can be; what hangs on doubtful parameters is not judged."""
    gravity = [("[model], gravity", q) for q in spec.gravity]
    problems = [] if _names(gravity) & doubtful else _value_problems(gravity, spec.nominal)
    for kind, elements, check in _ELEMENTS:
        for element in elements(spec):
            values = _quantities(kind, element)
            if not _names(values) & doubtful:
                found = _value_problems(values, spec.nominal)
                problems += found or check(element, spec.nominal)
    return problems


def refuse_impossible(spec: Spec) -> None:
    """Raise an error that lists what no mechanism can be."""
    if problems := physical_problems(spec):
        raise SpecError(spec.name, problems)


def warnings_of(spec: Spec) -> list[str]:
    """List what is possible to compute but hardly meant."""
    found = []
    for body in spec.bodies:
        moments = np.linalg.eigvalsh(inertia_of(body, spec.nominal).astype(float))
        if moments[0] + moments[1] < moments[2] * (1 - 1e-6):
            found.append(
                f'body "{body.name}", inertia: principal moments '
                f"{show([float(m) for m in moments])} break the triangle inequality; "
                "no distribution of mass has them"
            )
    return found


def _names(values: list[tuple[str, Quantity]]) -> set[str]:
    return {name for _, q in values if isinstance(q, Expression) for name in q.names}


def _value_problems(
    values: list[tuple[str, Quantity]], nominal: Mapping[str, float]
) -> list[Problem]:
    """Expressions that have no finite value, or a larger one than any number may have."""
    problems = []
    for where, quantity in values:
        value = value_of(quantity, nominal)
        if not math.isfinite(value):
            problems.append(
                Problem(
                    where,
                    f"{_text(quantity)} has no finite value",
                    "check the expression with the parameters' declared values",
                )
            )
        elif abs(value) > LARGEST:
            remedy = f"numbers of a model are {LARGEST:g} at most; choose other units"
            problems.append(Problem(where, f"{_text(quantity)} is {value:g}: out of range", remedy))
    return problems


def _quantities(kind: str, element: Any) -> list[tuple[str, Quantity]]:
    """List the quantities of an element, each with its place."""
    return [
        (f'{kind} "{shortened(element.name)}", {key}', quantity)
        for key in element.__dataclass_fields__
        for quantity in _flat(getattr(element, key))
    ]


def _flat(value: Any) -> list[Quantity]:
    """List the quantities inside a field of the specification."""
    if isinstance(value, float) or hasattr(value, "names"):
        return [value]
    if isinstance(value, tuple):
        return [q for x in value for q in _flat(x)]
    if hasattr(value, "__dataclass_fields__"):
        return [q for key in value.__dataclass_fields__ for q in _flat(getattr(value, key))]
    return []


def _text(quantity: Quantity) -> str:
    return f"{quantity:g}" if isinstance(quantity, float) else f'"{shortened(quantity.text)}"'


def _body_problems(body: Body, nominal: Mapping[str, float]) -> list[Problem]:
    problems = visual_problems(body, nominal)
    where = f'body "{shortened(body.name)}"'
    mass = value_of(body.mass, nominal)
    if mass < 0:
        problems.append(Problem(f"{where}, mass", f"{mass:g} kg", "give a mass of 0 or more"))
    elif 0 < mass < SMALLEST:
        remedy = f"give 0, or {SMALLEST:g} kg or more"
        problems.append(Problem(f"{where}, mass", f"{mass:g} kg", remedy))
    if isinstance(body.inertia, Shape):
        of_shape = _shape_problems(where, body.inertia, nominal)
        if of_shape:
            return problems + of_shape
    inertia = inertia_of(body, nominal).astype(float)
    size = np.abs(inertia).max() + np.finfo(float).tiny
    if np.abs(inertia - inertia.T).max() > ROUNDING * size:
        problems.append(
            Problem(f"{where}, inertia", "is not symmetric", "mirror the products of inertia")
        )
    elif np.linalg.eigvalsh(inertia)[0] < -ROUNDING * size:
        moments = [float(m) for m in np.linalg.eigvalsh(inertia)]
        problems.append(
            Problem(
                f"{where}, inertia",
                f"has a negative principal moment: {show(moments)}",
                "give the inertia about the mass centre, with products as -integral(x*y dm)",
            )
        )
    return problems


def _shape_problems(where: str, shape: Shape, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    if any(value_of(size, nominal) < 0 for size in shape.size):
        sizes = [float(value_of(size, nominal)) for size in shape.size]
        found = f"the {shape.kind} has a negative size: {show(sizes)}"
        problems.append(Problem(f"{where}, inertia", found, "give lengths of 0 or more"))
    if shape.kind in ("cylinder", "rod"):
        problems += _direction_problem(f"{where}, inertia, axis", shape.axis, nominal)
    return problems


def _direction_problem(where: str, axis: Vector, nominal: Mapping[str, float]) -> list[Problem]:
    found = vector_of(axis, nominal)
    if np.linalg.norm(found) >= SMALLEST:
        return []
    remedy = "give a nonzero vector, for example [0, 0, 1]"
    return [Problem(where, f"{show([float(x) for x in found])} has no direction", remedy)]


def _joint_problems(joint: Joint, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    where = f'joint "{shortened(joint.name)}"'
    if joint.axis:
        problems += _direction_problem(f"{where}, axis", joint.axis, nominal)
    if joint.axis2:
        problems += _direction_problem(f"{where}, axis2", joint.axis2, nominal)
        one, other = vector_of(joint.axis, nominal), vector_of(joint.axis2, nominal)
        size = np.linalg.norm(one) * np.linalg.norm(other)
        if not problems and np.linalg.norm(np.cross(one, other)) < 1e-6 * size:
            found = "is parallel to the axis"
            problems.append(Problem(f"{where}, axis2", found, "give a direction across it"))
    if joint.type == "helical" and abs(value_of(joint.pitch, nominal)) < SMALLEST:
        remedy = "give the travel per turn; a joint that does not travel is revolute"
        problems.append(Problem(f"{where}, pitch", f"{value_of(joint.pitch, nominal):g} m", remedy))
    quaternions = [("quaternion", joint.orientation.values)]
    if joint.type in ("free", "spherical") and joint.position:
        quaternions.append(("position", joint.position[:4]))
    for key, values in quaternions:
        norm = np.linalg.norm(vector_of(values, nominal).astype(float))
        if len(values) == 4 and abs(norm - 1) > 1e-6:
            problems.append(
                Problem(
                    f"{where}, {key}",
                    f"the quaternion w, x, y, z has length {norm:g}",
                    "give a unit quaternion, for example 1, 0, 0, 0",
                )
            )
    return problems + _joint_force_problems(joint, nominal)


def _joint_force_problems(joint: Joint, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    where = f'joint "{shortened(joint.name)}"'
    given = {key: getattr(joint, key) for key in ("stiffness", "damping", "friction")}
    given |= {"stop_stiffness": joint.stop[:1], "stop_damping": joint.stop[1:2]}
    problems += [
        Problem(f"{where}, {key}", f"{value:g}", "give 0 or more")
        for key, values in given.items()
        for value in vector_of(values, nominal)
        if value < 0
    ]
    widths = [("friction_speed", joint.friction_speed)]
    if joint.stop:
        widths.append(("stop_width", joint.stop[2]))
    for key, quantity in widths:
        if not value_of(quantity, nominal) >= SMALLEST:
            found = f"{value_of(quantity, nominal):g}"
            problems.append(Problem(f"{where}, {key}", found, "give a number above 0"))
    if joint.lower and joint.upper:
        low, high = vector_of(joint.lower, nominal), vector_of(joint.upper, nominal)
        if np.any(low >= high):
            found = f"lower {show(low.tolist())} is not below upper {show(high.tolist())}"
            problems.append(Problem(f"{where}, lower", found, "exchange them"))
    return problems


def _force_problems(force: Force, nominal: Mapping[str, float]) -> list[Problem]:
    values = vector_of(force.constants, nominal)
    return [
        Problem(f'force "{shortened(force.name)}", {key}', f"{value:g}", "give 0 or more")
        for key, value in zip(NOT_NEGATIVE.get(force.type, ()), values, strict=False)
        if value < 0
    ]


def _constraint_problems(constraint: Constraint, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    where = f'constraint "{shortened(constraint.name)}"'
    for key in ("axis", "normal"):
        if getattr(constraint, key):
            problems += _direction_problem(f"{where}, {key}", getattr(constraint, key), nominal)
    if constraint.type == "distance" and constraint.length is None:
        between = vector_of(constraint.point2, nominal) - vector_of(constraint.point, nominal)
        if not np.linalg.norm(between) >= SMALLEST:
            remedy = "draw them apart, or use a spherical joint"
            problems.append(Problem(where, "its two points coincide as drawn", remedy))
    if constraint.length is not None and not value_of(constraint.length, nominal) >= SMALLEST:
        key = "length" if constraint.type == "distance" else "radius"
        found = f"{value_of(constraint.length, nominal):g} m"
        problems.append(Problem(f"{where}, {key}", found, "give a length above 0"))
    if constraint.joints and abs(value_of(constraint.ratio, nominal)) < SMALLEST:
        key = "radius" if constraint.type == "rack_pinion" else "ratio"
        remedy = "give another number; a joint that stands still is rigid"
        problems.append(Problem(f"{where}, {key}", "is 0", remedy))
    return problems


_Check = Callable[[Any, Mapping[str, float]], list[Problem]]
_ELEMENTS: tuple[tuple[str, Callable[[Spec], tuple[Any, ...]], _Check], ...] = (
    ("body", lambda spec: spec.bodies, _body_problems),
    ("joint", lambda spec: spec.joints, _joint_problems),
    ("force", lambda spec: spec.forces, _force_problems),
    ("constraint", lambda spec: spec.constraints, _constraint_problems),
    ("point", lambda spec: spec.points, lambda *_: []),
)
