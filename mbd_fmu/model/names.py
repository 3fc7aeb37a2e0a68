"""Do the names of a model name something, each one thing?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from keyword import kwlist  # an expression could not use such a parameter

from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import Problem, shortened, unknown_name
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import RESERVED
from mbd_fmu.quantities.limits import LONGEST_NAME

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LETTERS = "use letters, digits and _, not starting with a digit"


def taken_names(spec: Spec, kind: str) -> dict[str, str]:
    """Names that an element of this kind cannot have, and what has them; docs/elements.md."""
    taken = {
        GROUND: "what everything stands on",
        "solver": "the settings of the solver",
        "state": "the states, where the importer integrates",
    }
    if "energy" in spec.groups:
        taken["energy"] = "the outputs of the group energy"
    if "quality" in spec.groups and spec.constraints:
        taken["constraint"] = "the outputs of the group quality"
    if spec.moving_base:
        taken["base"] = "the moving base"
    if kind == "parameter":
        taken |= dict.fromkeys(sorted(RESERVED), "expressions")
        taken |= dict.fromkeys(kwlist, "expressions")
        taken["time"] = "the time"
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
        "parameter": [p.name for p in spec.parameters],
    }
    for kind, names in kinds.items():
        taken = taken_names(spec, kind)
        seen: set[str] = set()
        for name in names:
            if not name and kind != "parameter":
                continue  # missing, and reported as such
            where = f'{kind} "{shortened(name)}"'
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
            # a body whose name could not be read may be the one that is meant
            if name and "" not in bodies and name not in known:
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
    problems += [
        unknown_name(f'point "{shortened(p.name)}", body', "body", p.body, bodies)
        for p in spec.points
        if p.body not in bodies
    ]
    return problems


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
