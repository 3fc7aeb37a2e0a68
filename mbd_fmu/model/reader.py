"""From a model file to its specification, with every problem found on the way.

The same reader takes a TOML file, the JSON an FMU carries, and what the Python builder collects:
they are one nested table.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import MbdFmuError, Problem, SpecError, unknown_name
from mbd_fmu.model.checks import physical_problems
from mbd_fmu.model.expressions import RESERVED, Quantity
from mbd_fmu.model.spec import (
    DEFAULT_GROUPS,
    GROUND,
    OUTPUT_GROUPS,
    Body,
    BodyVelocity,
    FmuDefaults,
    Joint,
    Matrix,
    Orientation,
    OutputPoint,
    Parameter,
    Shape,
    Spec,
    Vector,
)
from mbd_fmu.model.table import REQUIRED, Table, show
from mbd_fmu.spatial import quaternion_of_matrix

JOINT_TYPES = ("rigid", "revolute", "prismatic", "free")
PLANNED_JOINT_TYPES = ("cylindrical", "universal", "spherical", "planar", "helical")
COORDINATES = {"rigid": (0, 0), "revolute": (1, 1), "prismatic": (1, 1), "free": (7, 6)}
SOLVERS = ("dopri5", "rk4")

_ZERO: Vector = (0.0, 0.0, 0.0)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TAKEN = frozenset({GROUND, "energy", "constraint", "solver", "base", "time"})
_NOT_YET = "not available in this version"
# shape of the inertia: keys of its size
_SHAPES: dict[str, tuple[str, ...]] = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "rod": ("length",),
    "point": (),
}


def read_model(path: str | Path) -> Spec:
    """Read ``model.toml``, or the ``model.toml`` in a folder."""
    path = Path(path)
    if path.is_dir():
        path = path / "model.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MbdFmuError(f"{path}: no such model file; `mbd-fmu models` lists ours") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MbdFmuError(f"{path}: not TOML: {error}") from None
    return spec_of_table(table, source=str(path))


def spec_of_text(text: str) -> Spec:
    """Read the canonical JSON that a specification carries."""
    return spec_of_table(json.loads(text), source="model")


def spec_of_table(table: Mapping[str, Any], source: str) -> Spec:
    """Check a nested table and return the specification; raise ``SpecError`` with all problems."""
    problems: list[Problem] = []
    declared = table.get("parameters", {})
    names = frozenset(declared if isinstance(declared, Mapping) else ())
    root = Table("file", table, problems, names)
    parameters = _parameters(root)

    model = root.inner("[model]", root.raw("model", {}))
    name = model.text("name", example='"pendulum"')
    frame = model.text("frame", "world", choices=("world", "local"))
    description = model.text("description", "")
    gravity = model.vector("gravity", (3,), (0.0, 0.0, -9.81))
    model.done()

    bodies = tuple(_body(root.element("body", data)) for data in root.tables("body"))
    joints = tuple(_joint(root.element("joint", data), frame) for data in root.tables("joint"))
    groups, points = _outputs(root)
    fmu = _fmu_defaults(root.inner("[fmu]", root.raw("fmu", {})))
    for key in ("force", "constraint", "base"):
        if root.has(key):
            root.problem("", f"[{key}] is {_NOT_YET}", "remove it")
    root.done()

    text = json.dumps(table, sort_keys=True, separators=(",", ":"))
    spec = Spec(name, description, gravity, parameters, bodies, joints, groups, points, fmu, text)
    problems += _name_problems(spec) + _reference_problems(spec)
    if not problems:
        problems += physical_problems(spec)
    if problems:
        raise SpecError(source, problems)
    return spec


def _parameters(root: Table) -> tuple[Parameter, ...]:
    table = root.raw("parameters", {})
    if not isinstance(table, Mapping):
        root.problem("parameters", f"found {show(table)}", "write [parameters] with name = value")
        return ()
    return tuple(_parameter(root, name, data) for name, data in table.items())


def _parameter(root: Table, name: str, data: Any) -> Parameter:
    if not isinstance(data, Mapping):
        data = {"value": data}
    table = root.inner(f'parameter "{name}"', data)
    parameter = Parameter(
        name,
        table.number("value"),
        table.text("unit", "1"),
        table.number("min", None),
        table.number("max", None),
        table.text("description", ""),
        table.flag("tunable", default=False),
    )
    table.done()
    low, high = parameter.min, parameter.max
    if (low is not None and parameter.value < low) or (high is not None and parameter.value > high):
        table.problem(
            "value",
            f"{parameter.value:g} is outside min and max",
            f"keep it between {low if low is not None else '-inf'} and "
            f"{high if high is not None else 'inf'}",
        )
    if parameter.tunable:
        table.problem("tunable", _NOT_YET, "leave it out: parameters are fixed at the start")
    return parameter


def _body(table: Table) -> Body:
    body = Body(
        table.text("name"),
        table.quantity("mass"),
        table.vector("com", (3,)),
        _inertia(table),
        table.vector("origin", (3,), _ZERO),
        _body_velocity(table),
        tuple(_visual(table, i, data) for i, data in enumerate(table.tables("visual"))),
    )
    table.done()
    return body


def _inertia(table: Table) -> Matrix | Shape:
    data = table.raw("inertia", None)
    if not isinstance(data, Mapping):
        if data is None:
            table.problem(
                "inertia",
                "missing",
                'give a 3x3 matrix about the mass centre, or { shape = "box", size = [a, b, c] }, '
                'or { shape = "point" } for a point mass',
            )
            return Shape("point", (), _ZERO)
        return table.matrix("inertia")
    sub = table.inner(f"{table.where}, inertia", data)
    kind = sub.text("shape", choices=tuple(_SHAPES))
    size: list[Quantity] = []
    for key in _SHAPES[kind]:
        size += sub.vector(key, (3,)) if key == "size" else [sub.quantity(key)]
    axis = sub.vector("axis", (3,), (0.0, 0.0, 1.0)) if kind in ("cylinder", "rod") else _ZERO
    sub.done()
    return Shape(kind, tuple(size), axis)


def _body_velocity(table: Table) -> BodyVelocity | None:
    if not table.has("velocity"):
        return None
    sub = table.inner(f"{table.where}, velocity", table.raw("velocity"))
    velocity = BodyVelocity(sub.vector("linear", (3,), _ZERO), sub.vector("angular", (3,), _ZERO))
    sub.done()
    return velocity


def _visual(table: Table, index: int, data: Any) -> Mapping[str, Any]:
    sub = table.inner(f"{table.where}, visual {index + 1}", data)
    shape = sub.text("shape", choices=("cylinder", "box", "sphere", "mesh"))
    if shape == "mesh":
        sub.text("file")
    if shape in ("cylinder", "sphere"):
        sub.quantity("radius")
    if shape == "cylinder":
        sub.vector("from", (3,))
        sub.vector("to", (3,))
    if shape in ("box", "sphere"):
        sub.vector("center", (3,), _ZERO)
    if shape == "box":
        sub.vector("size", (3,))
    sub.text("color", "")
    sub.done()
    return dict(data) if isinstance(data, Mapping) else {}


def _joint(table: Table, frame: str) -> Joint:
    kind = table.text("type", choices=JOINT_TYPES + PLANNED_JOINT_TYPES)
    if kind in PLANNED_JOINT_TYPES:
        table.problem("type", f'"{kind}" is {_NOT_YET}', f"use one of {', '.join(JOINT_TYPES)}")
        kind = "free"
    nq, nv = COORDINATES[kind]
    local = frame == "local"
    point = table.vector("point", (3,), _ZERO if local else REQUIRED)
    joint = Joint(
        table.text("name"),
        kind,
        table.text("parent", example='"ground"'),
        table.text("child"),
        point,
        table.vector("point2", (3,), _ZERO) if local else point,
        _orientation(table) if local and kind != "free" else Orientation((1.0, *_ZERO)),
        table.vector("axis", (3,)) if kind in ("revolute", "prismatic") else (),
        table.quantity("reference", 0.0) if nq == 1 else 0.0,
        _start(table, "position", nq),
        _start(table, "velocity", nv),
        table.quantity("stiffness", 0.0) if nv == 1 else 0.0,
        table.quantity("rest", 0.0) if nv == 1 else 0.0,
        table.quantity("damping", 0.0) if nv == 1 else 0.0,
        _drive(table) if nv else "none",
    )
    for key in ("friction", "lower", "upper"):
        if table.has(key):
            table.problem(key, _NOT_YET, "remove it")
    if table.flag("cut", default=False):
        table.problem("cut", f"closed loops are {_NOT_YET}", "remove it")
    table.done()
    return joint


def _drive(table: Table) -> str:
    drive = table.text("drive", "torque", choices=("torque", "none", "motion"))
    if drive == "motion":
        table.problem("drive", f'"motion" is {_NOT_YET}', 'use "torque" or "none"')
    return drive


def _start(table: Table, key: str, n: int) -> Vector | None:
    """Return start values: a scalar or a list, as many as the joint has coordinates."""
    if not n or not table.has(key):
        return None
    if n == 1 and not isinstance(table.raw(key), list | tuple):
        return (table.quantity(key),)
    return table.vector(key, (n,))


def _orientation(table: Table) -> Orientation:
    given = [key for key in ("rpy", "quaternion", "matrix") if table.has(key)]
    if len(given) > 1:
        table.problem("", f"{' and '.join(given)} both turn the child", "give one of them")
    if not given:
        return Orientation((1.0, *_ZERO))
    if given[0] == "rpy":
        return Orientation(table.vector("rpy", (3,)))
    if given[0] == "quaternion":
        return Orientation(table.vector("quaternion", (4,)))
    rows = table.matrix("matrix")
    if not all(isinstance(x, float) for row in rows for x in row):
        table.problem("matrix", "holds expressions", "use rpy for angles that are parameters")
        return Orientation((1.0, *_ZERO))
    R = np.array(rows, dtype=float)
    if np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        table.problem("matrix", "is no rotation", "give orthonormal rows, right-handed")
        return Orientation((1.0, *_ZERO))
    return Orientation(tuple(float(x) for x in quaternion_of_matrix(R)))


def _outputs(root: Table) -> tuple[tuple[str, ...], tuple[OutputPoint, ...]]:
    groups: list[str] = []
    points: list[OutputPoint] = []
    tables = root.tables("output")
    for data in tables:
        table = root.inner("[[output]]", data)
        for group in table.raw("groups", DEFAULT_GROUPS):
            if group not in OUTPUT_GROUPS:
                table.problems.append(
                    unknown_name("[[output]], groups", "group", str(group), OUTPUT_GROUPS)
                )
            groups.append(group)
        for point in table.tables("point"):
            entry = root.element("point", point)
            points.append(
                OutputPoint(entry.text("name"), entry.text("body"), entry.vector("point", (3,)))
            )
            entry.done()
        table.done()
    chosen = groups if tables else DEFAULT_GROUPS
    return tuple(g for g in OUTPUT_GROUPS if g in chosen), tuple(points)


def _fmu_defaults(table: Table) -> FmuDefaults:
    solver = table.text("solver", "dopri5", choices=(*SOLVERS, "stiff"))
    if solver not in SOLVERS:
        table.problem("solver", f'"{solver}" is {_NOT_YET}', f"use one of {', '.join(SOLVERS)}")
    table.text("stabilization", "projection", choices=("projection", "baumgarte", "none"))
    defaults = FmuDefaults(
        solver,
        table.number("tolerance", FmuDefaults.tolerance, positive=True),
        table.number("step", FmuDefaults.step, positive=True),
        table.number("stop_time", FmuDefaults.stop_time, positive=True),
        table.number("communication_step", FmuDefaults.communication_step, positive=True),
        table.text("naming", "structured", choices=("structured", "flat")),
    )
    table.done()
    return defaults


def _name_problems(spec: Spec) -> list[Problem]:
    """Names that are no identifiers, that are taken, or that stand twice among their kind."""
    problems: list[Problem] = []
    kinds: dict[str, Sequence[str]] = {
        "body": [b.name for b in spec.bodies],
        "joint": [j.name for j in spec.joints],
        "point": [p.name for p in spec.points],
        "parameter": [p.name for p in spec.parameters],
    }
    for kind, names in kinds.items():
        taken = _TAKEN | (RESERVED if kind == "parameter" else frozenset())
        for i, name in enumerate(names):
            where = f'{kind} "{name}"'
            if name in taken:
                problems.append(Problem(where, "the name is taken", "choose another"))
            elif not _NAME.match(name):
                remedy = "use letters, digits and _, not starting with a digit"
                problems.append(Problem(where, "the name does not fit FMI", remedy))
            if name in names[:i]:
                problems.append(Problem(where, f"a second {kind} of this name", "rename one"))
    if not spec.name:
        return problems
    if not _NAME.match(spec.name):
        problems.append(
            Problem(
                "[model], name",
                f'"{spec.name}" is no identifier',
                "use letters, digits and _, not starting with a digit",
            )
        )
    return problems


def _reference_problems(spec: Spec) -> list[Problem]:
    """Names of bodies that point nowhere."""
    bodies = [b.name for b in spec.bodies]
    problems: list[Problem] = []
    if not bodies:
        problems.append(Problem("file", "no body", "add [[body]] with name, mass, com and inertia"))
    for joint in spec.joints:
        for key, name in (("parent", joint.parent), ("child", joint.child)):
            if name and name not in (*bodies, GROUND):
                where = f'joint "{joint.name}", {key}'
                problems.append(unknown_name(where, "body", name, (*bodies, GROUND)))
        if joint.parent and joint.parent == joint.child:
            problems.append(
                Problem(
                    f'joint "{joint.name}"',
                    f'parent and child are both "{joint.parent}"',
                    "join two different bodies",
                )
            )
    problems += [
        unknown_name(f'point "{p.name}", body', "body", p.body, bodies)
        for p in spec.points
        if p.body not in bodies
    ]
    return problems
