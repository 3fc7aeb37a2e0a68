"""Do the names of a model name something, each one thing?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from keyword import kwlist  # an expression could not use such a parameter

from mbd_fmu.errors import Problem, unknown_name
from mbd_fmu.model.constraints import BETWEEN_JOINTS
from mbd_fmu.model.elements import COORDINATES
from mbd_fmu.model.expressions import RESERVED
from mbd_fmu.model.spec import GROUND, Constraint, Force, Joint, Spec

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TAKEN = frozenset({GROUND, "energy", "constraint", "solver", "base", "time"})


def name_problems(spec: Spec) -> list[Problem]:
    """Names that are no identifiers, that are taken, or that stand twice among their kind."""
    problems: list[Problem] = []
    kinds: dict[str, Sequence[str]] = {
        "body": [b.name for b in spec.bodies],
        "joint": [j.name for j in spec.joints],
        "force": [f.name for f in spec.forces],
        "constraint": [c.name for c in spec.constraints],
        "point": [p.name for p in spec.points],
        "parameter": [p.name for p in spec.parameters],
    }
    for kind, names in kinds.items():
        taken = _TAKEN | (RESERVED | frozenset(kwlist) if kind == "parameter" else frozenset())
        for i, name in enumerate(names):
            if not name:
                continue  # missing, and reported as such
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


def reference_problems(spec: Spec) -> list[Problem]:
    """Names of bodies that point nowhere."""
    bodies = [b.name for b in spec.bodies]
    problems: list[Problem] = []
    if not bodies:
        problems.append(Problem("file", "no body", "add [[body]] with name, mass, com and inertia"))
    couplings: list[tuple[str, Joint | Force | Constraint]] = [
        *(("joint", j) for j in spec.joints),
        *(("force", f) for f in spec.forces),
        *(("constraint", c) for c in spec.constraints if c.type not in BETWEEN_JOINTS),
    ]
    for kind, coupling in couplings:
        where = f'{kind} "{coupling.name}"'
        for key, name in (("parent", coupling.parent), ("child", coupling.child)):
            # a body whose name could not be read may be the one that is meant
            if name and "" not in bodies and name not in (*bodies, GROUND):
                problems.append(unknown_name(f"{where}, {key}", "body", name, (*bodies, GROUND)))
        if coupling.parent and coupling.parent == coupling.child:
            problems.append(
                Problem(
                    where,
                    f'parent and child are both "{coupling.parent}"',
                    "join two different bodies",
                )
            )
    for constraint in spec.constraints:
        problems += _constraint_problems(constraint, spec)
    problems += [
        unknown_name(f'point "{p.name}", body', "body", p.body, bodies)
        for p in spec.points
        if p.body not in bodies
    ]
    return problems


def _constraint_problems(constraint: Constraint, spec: Spec) -> list[Problem]:
    """Joints of gears, and the second wheel of a set."""
    where = f'constraint "{constraint.name}"'
    bodies = [body.name for body in spec.bodies]
    problems = []
    if constraint.second and constraint.second[0] not in ("", *bodies):
        problems.append(unknown_name(f"{where}, bodies", "body", constraint.second[0], bodies))
    joints = {joint.name: joint for joint in spec.joints}
    for name in constraint.joints:
        if name and name not in joints:
            problems.append(unknown_name(f"{where}, joints", "joint", name, tuple(joints)))
        elif name and COORDINATES[joints[name].type] != (1, 1):
            found = f'"{name}" is {joints[name].type}: it has not one coordinate'
            remedy = "name joints that are revolute, prismatic or helical"
            problems.append(Problem(f"{where}, joints", found, remedy))
    if len(set(constraint.joints)) == 1 and constraint.joints[0]:
        remedy = "name two different joints"
        problems.append(Problem(f"{where}, joints", "the same joint twice", remedy))
    return problems
