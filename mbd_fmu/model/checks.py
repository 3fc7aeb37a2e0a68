"""Is the specification physically possible, with the parameters' declared values put in?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from mbd_fmu.elements.joint import OF_CHILD
from mbd_fmu.elements.keys import key_of
from mbd_fmu.elements.place_keys import direction_problem
from mbd_fmu.errors import Problem, SpecError, shortened
from mbd_fmu.model.bodies import LEAST
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.joints import bounded_values
from mbd_fmu.model.parameters import beyond_limits
from mbd_fmu.model.spec import Body, Joint, Shape, Spec
from mbd_fmu.model.visuals import visual_problems
from mbd_fmu.quantities.expressions import Expression, Law, Quantity, value_of
from mbd_fmu.quantities.limits import LARGEST, SMALLEST
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.time_functions import start_problems
from mbd_fmu.quantities.vectors import vector_of

# Moments are data with few digits: their eigenvalues may miss zero by rounding of this size.
ROUNDING = 1e-9


def physical_problems(spec: Spec, doubtful: frozenset[str] = frozenset()) -> list[Problem]:
    """List what no mechanism can be; what hangs on doubtful parameters is not judged."""
    problems, doubtful = _derived_problems(spec, doubtful)
    gravity = [("[model], gravity", q) for q in spec.gravity]
    problems += [] if _names(gravity) & doubtful else _value_problems(gravity, spec.nominal)
    base = spec.base_of_time
    if base is not None and not _names_in_laws(base) & doubtful:
        problems += base.problems("[base], motion", spec.nominal)
    for kind, elements, check in _ELEMENTS:
        for element in elements(spec):
            values = _quantities(kind, element)
            if not (_names(values) | _names_in_laws(element)) & doubtful:
                found = _value_problems(values, spec.nominal)
                problems += found or check(element, spec.nominal)
    return problems


def _derived_problems(spec: Spec, doubtful: frozenset[str]) -> tuple[list[Problem], frozenset[str]]:
    """List what is wrong with what follows from parameters, and add it to what is doubtful."""
    problems: list[Problem] = []
    nominal = spec.nominal
    for derived in spec.derived:
        found: list[Problem] = []
        where = f'{"parameter" if derived.is_parameter else "point"} "{derived.declared_as}"'
        key = "value" if derived.is_parameter else "at"
        if not derived.value.names & doubtful:
            found = _value_problems([(f"{where}, {key}", derived.value)], nominal)
            refused = beyond_limits(nominal[derived.name], derived.min, derived.max)
            if refused and not found:
                found = [Problem(f"{where}, {key}", *refused)]
        if found or derived.value.names & doubtful:
            doubtful |= {derived.name}
        problems += found
    return problems, doubtful


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


def _names_in_laws(element: Any) -> set[str]:
    return {name for law in _laws(element) for name in law.names}


def _laws(value: Any) -> list[Law]:
    """List the laws inside an element, or inside a field of it."""
    if isinstance(value, Law):
        return [value]
    if isinstance(value, tuple):
        return [law for x in value for law in _laws(x)]
    if is_dataclass(value) and not isinstance(value, Expression):
        return [law for field in fields(value) for law in _laws(getattr(value, field.name))]
    return []


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
    where = f'{element.kind if kind == "output" else kind} "{shortened(element.name)}"'
    own = zip(element.kind.keys, element.own, strict=True) if kind == "joint" else ()
    said = element.keys_shown() if kind in ("force", "constraint") else ()
    return [
        *((f"{where}, {key.name}", quantity) for key, quantity in own),
        *(
            (f"{where}, {key_of(name, said) or name}", quantity)
            for name in (field.name for field in fields(element))
            if name != "own"
            for quantity in _flat(getattr(element, name))
        ),
    ]


def _flat(value: Any) -> list[Quantity]:
    """List the quantities inside a field of the specification."""
    if isinstance(value, float | Expression):
        return [value]
    if isinstance(value, Law):
        return []  # it has a value only where the mechanism is somewhere
    if isinstance(value, tuple):
        return [q for x in value for q in _flat(x)]
    if is_dataclass(value):
        return [q for field in fields(value) for q in _flat(getattr(value, field.name))]
    return []


def _text(quantity: Quantity) -> str:
    return f"{quantity:g}" if isinstance(quantity, float) else f'"{shortened(quantity.text)}"'


def _body_problems(body: Body, nominal: Mapping[str, float]) -> list[Problem]:
    problems = visual_problems(body, nominal)
    where = f'body "{shortened(body.name)}"'
    mass = value_of(body.mass, nominal)
    if mass < LEAST["mass"]:
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
    if any(value_of(size, nominal) < LEAST["size"] for size in shape.size):
        sizes = [float(value_of(size, nominal)) for size in shape.size]
        found = f"the {shape.kind} has a negative size: {show(sizes)}"
        problems.append(Problem(f"{where}, inertia", found, "give lengths of 0 or more"))
    if shape.kind in ("cylinder", "rod"):
        problems += direction_problem(f"{where}, inertia, axis", shape.axis, nominal)
    return problems


def _joint_problems(joint: Joint, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    where = f'joint "{shortened(joint.name)}"'
    if joint.axis:
        problems += direction_problem(f"{where}, axis", joint.axis, nominal)
    if joint.axis2:
        problems += direction_problem(f"{where}, axis2", joint.axis2, nominal)
        one, other = vector_of(joint.axis, nominal), vector_of(joint.axis2, nominal)
        size = np.linalg.norm(one) * np.linalg.norm(other)
        is_bent = joint.kind.second_axis == OF_CHILD
        if not problems and is_bent and one @ other < -0.99 * size:
            found = "points back along the axis"
            remedy = "give the direction in which the child's shaft goes on"
            problems.append(Problem(f"{where}, axis2", found, remedy))
        elif not problems and not is_bent and np.linalg.norm(np.cross(one, other)) < 1e-6 * size:
            found = "is parallel to the axis"
            problems.append(Problem(f"{where}, axis2", found, "give a direction across it"))
    for own, number in zip(joint.kind.keys, joint.own, strict=True):
        problems += own.problems(where, number, nominal)
    quaternions = [("quaternion", joint.orientation.values)]
    if joint.kind.quaternion and joint.position:
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
    if joint.of_time is not None:
        problems += joint.of_time.problems(f"{where}, motion", nominal)
    problems += start_problems(f"{where}, torque", joint.torque, nominal, is_motion=False)
    return problems + _joint_force_problems(joint, nominal)


def _joint_force_problems(joint: Joint, nominal: Mapping[str, float]) -> list[Problem]:
    problems = []
    where = f'joint "{shortened(joint.name)}"'
    for key, quantity, least in bounded_values(joint):
        value = value_of(quantity, nominal)
        if not value >= least:
            remedy = "give a number above 0" if least else "give 0 or more"
            problems.append(Problem(f"{where}, {key}", f"{value:g}", remedy))
    if joint.lower and joint.upper:
        low, high = vector_of(joint.lower, nominal), vector_of(joint.upper, nominal)
        if np.any(low >= high):
            found = f"lower {show(low.tolist())} is not below upper {show(high.tolist())}"
            problems.append(Problem(f"{where}, lower", found, "exchange them"))
    return problems


_Check = Callable[[Any, Mapping[str, float]], list[Problem]]
_ELEMENTS: tuple[tuple[str, Callable[[Spec], tuple[Any, ...]], _Check], ...] = (
    ("body", lambda spec: spec.bodies, _body_problems),
    ("joint", lambda spec: spec.joints, _joint_problems),
    ("force", lambda spec: spec.forces, lambda force, nominal: force.problems(nominal)),
    ("constraint", lambda spec: spec.constraints, lambda c, nominal: c.problems(nominal)),
    ("point", lambda spec: spec.points, lambda point, nominal: point.problems(nominal)),
    ("output", lambda spec: spec.outputs, lambda output, nominal: output.problems(nominal)),
)
