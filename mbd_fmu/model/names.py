"""Do the names of a model name something, each one thing?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from keyword import kwlist  # an expression could not use such a parameter

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.laws import joint_names
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, shortened, unknown_name
from mbd_fmu.model.named_outputs import OutputReaction
from mbd_fmu.model.spec import Derived, Joint, Parameter, Spec
from mbd_fmu.quantities.expressions import RESERVED
from mbd_fmu.quantities.limits import LONGEST_NAME

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
NAMED_POINT = "named point"  # others are outputs
DECLARED = ("parameter", NAMED_POINT)  # what expressions call by name
_LETTERS = "use letters, digits and _, not starting with a digit"
_TAKEN = {
    GROUND: "what everything stands on",
    "solver": "the settings of the solver",
    "state": "the states, where the importer integrates",
}
_IN_EXPRESSIONS = {
    **dict.fromkeys((*sorted(RESERVED), *kwlist), "expressions"),
    "time": "the time",
}
# in any model: of all elements, and of what expressions call by name
ALWAYS_TAKEN, NEVER_DECLARED = tuple(_TAKEN), (*_TAKEN, *_IN_EXPRESSIONS)


def taken_names(spec: Spec, kind: str) -> dict[str, str]:
    """Names that an element of this kind cannot have, and what has them; docs/elements.md."""
    taken = dict(_TAKEN)
    if "energy" in spec.groups:
        taken["energy"] = "the outputs of the group energy"
    if "quality" in spec.groups and spec.constraints:
        taken["constraint"] = "the outputs of the group quality"
    if spec.moving_base:
        taken["base"] = "the moving base"
    if kind in (*DECLARED, "output"):
        taken |= _IN_EXPRESSIONS
    return taken


def name_problems(spec: Spec) -> list[Problem]:
    """Names that are no identifiers, that are taken, or that stand twice among their kind."""
    problems: list[Problem] = []
    kinds: dict[str, Sequence[str]] = {
        "body": [b.name for b in spec.bodies],
        "joint": [j.name for j in spec.joints],
        "force": [f.name for f in spec.forces],
        "constraint": [c.name for c in spec.constraints],
        "point": [p.name for p in spec.points],
        "output": [o.name for o in spec.outputs],
        "parameter": _declared(spec.parameters, spec.derived_parameters),
        NAMED_POINT: [p.name for p in spec.named_points],
    }
    for kind, names in kinds.items():
        taken = taken_names(spec, kind)
        seen: set[str] = set()
        for name in names:
            if not name and kind not in DECLARED:
                continue  # missing, and reported as such
            where = f'{kind.removeprefix("named ")} "{shortened(name)}"'
            if name in taken:
                found = f"the name is taken by {taken[name]}"
                problems.append(Problem(where, found, "choose another"))
            else:
                found = "the name does not fit FMI" if name else "the name is empty"
                problems += _unfit(where, "the name", name, found)
            if name in seen:
                problems.append(Problem(where, f"a second {kind} of this name", "rename one"))
            seen.add(name)
    if spec.name:
        quoted = f'"{shortened(spec.name)}"'
        problems += _unfit("[model], name", quoted, spec.name, f"{quoted} is no identifier")
    return problems


def _declared(*parts: Sequence[Parameter | Derived]) -> list[str]:
    """List what parameters are called where they are declared; a vector once."""
    return list(dict.fromkeys(p.declared_as for some in parts for p in some))


def _unfit(where: str, subject: str, name: str, found: str) -> list[Problem]:
    """A name that is no identifier, or longer than anybody reads."""
    if len(name) > LONGEST_NAME:
        remedy = f"{LONGEST_NAME} are the most"
        return [Problem(where, f"{subject} has {len(name)} letters", remedy)]
    return [] if IDENTIFIER.match(name) else [Problem(where, found, _LETTERS)]


def reference_problems(spec: Spec) -> list[Problem]:
    """Names of bodies and joints that point nowhere."""
    bodies = [b.name for b in spec.bodies]
    problems: list[Problem] = []
    if not bodies:
        problems.append(Problem("file", "no body", "add [[body]] with name, mass, com and inertia"))
    carried = {f'point "{shortened(p.name)}", body': p.body for p in spec.named_points} | {
        f'parameter "{shortened(p.declared_as)}", body': p.body for p in spec.declared if p.body
    }
    lost = {body for body in carried.values() if body not in (*bodies, GROUND)}
    acting: list[tuple[str, Force | Constraint]] = [
        *(("force", f) for f in spec.forces),
        *(("constraint", c) for c in spec.constraints),
    ]
    couplings: list[tuple[str, Joint | Force | Constraint]] = [
        *(("joint", j) for j in spec.joints),
        *acting,
    ]
    for kind, coupling in couplings:
        where = f'{kind} "{shortened(coupling.name)}"'
        named = [(key, name) for key, name in coupling.bodies if key]
        # what names one end alone stands on the ground with the other
        is_pair = {key for key, _ in named} >= {"parent", "child"}
        known = (*bodies, GROUND) if is_pair else tuple(bodies)
        for key, name in named:
            # a body whose name could not be read may be the one that is meant; one that a point
            # has said to be carried by is told there
            if name and "" not in bodies and name not in known and name not in lost:
                problems.append(_unknown_body(f"{where}, {key}", name, known))
        if is_pair and coupling.parent and coupling.parent == coupling.child:
            problems.append(
                Problem(
                    where,
                    f'parent and child are both "{shortened(coupling.parent)}"',
                    "join two different bodies",
                )
            )
    for kind, element in acting:
        where = f'{kind} "{shortened(element.name)}", joints'
        problems += _joint_problems(where, element.joints, spec)
    for force in spec.forces:
        for key, law in force.laws:
            where = f'force "{shortened(force.name)}", {key}'
            for name in sorted(joint_names(law)):
                problems += _named_in_law(where, name, spec)
    problems += [
        unknown_name(where, "body", body, (*bodies, GROUND))
        for where, body in carried.items()
        if body in lost - {""} and "" not in bodies
    ]
    return [*problems, *_output_problems(spec, bodies)]


def _output_problems(spec: Spec, bodies: Sequence[str]) -> Iterator[Problem]:
    """Yield names of bodies and joints that outputs tell of and that point nowhere."""
    moving = ("base",) if spec.moving_base else ()
    for output in (*spec.points, *spec.outputs):
        where = f'{output.kind} "{shortened(output.name)}"'
        for key, name in output.bodies:
            known = bodies if key == "body" else (*bodies, GROUND, *moving)
            if name and "" not in bodies and name not in known:
                yield _unknown_body(f"{where}, {key}", name, known)
        joints = {joint.name: joint for joint in spec.joints}
        if not isinstance(output, OutputReaction) or not output.joint or "" in joints:
            continue
        if output.joint not in joints:
            yield unknown_name(f"{where}, joint", "joint", output.joint, joints)
        elif not joints[output.joint].kind.restricts:
            found = (
                f'"{shortened(output.joint)}" is {joints[output.joint].type}: it carries nothing'
            )
            yield Problem(f"{where}, joint", found, "name a joint that restricts a motion")


def _named_in_law(where: str, name: str, spec: Spec) -> list[Problem]:
    """Say that a law names no joint, or nothing that a joint has."""
    joints = {joint.name: joint for joint in spec.joints}
    owner, _, what = name.partition(".")
    if owner not in joints:
        return [unknown_name(where, "joint", owner, tuple(joints))]
    names = joints[owner].kind.names
    known = [component.name for component in (*names.positions, *names.velocities)]
    if what in known:
        return []
    found = f'"{shortened(name)}": joint "{owner}" is {joints[owner].type} and has no "{what}"'
    return [Problem(where, found, f"it has {', '.join(known) or 'no coordinate'}")]


def _unknown_body(where: str, name: str, known: Sequence[str]) -> Problem:
    if name == GROUND:
        return Problem(where, f'"{GROUND}" is no body that moves', "name another one")
    return unknown_name(where, "body", name, known)


def _joint_problems(where: str, names: Sequence[str], spec: Spec) -> Iterator[Problem]:
    """Yield what joints cannot be named together: each has one coordinate and stands there once."""
    joints = {joint.name: joint for joint in spec.joints}
    for name in filter(None, dict.fromkeys(names)):
        if name not in joints:
            yield unknown_name(where, "joint", name, tuple(joints))
        elif (joints[name].kind.nq, joints[name].kind.nv) != (1, 1):
            found = f'"{shortened(name)}" is {joints[name].type}: it has not one coordinate'
            single = (kind.name for kind in JOINTS.values() if kind.nq == kind.nv == 1)
            yield Problem(where, found, f"name joints of these types: {', '.join(single)}")
        if names.count(name) > 1:
            yield Problem(where, f'"{shortened(name)}" stands there twice', "name it once")
