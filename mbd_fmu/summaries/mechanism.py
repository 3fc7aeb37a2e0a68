"""What a mechanism is made of, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from mbd_fmu.analysis.diagnosis import Diagnosis, described, diagnose
from mbd_fmu.elements.force import Force
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.model.checks import warnings_of
from mbd_fmu.model.spec import Joint, NamedPoint, Spec
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.summaries.listing import listed, number_rows, wrapped
from mbd_fmu.system.outputs.forces import force_blocks
from mbd_fmu.system.system import System, system_of
from mbd_fmu.topology.graph import powers
from mbd_fmu.topology.structure import Structure, structure_of


def facts(spec: Spec) -> dict[str, Any]:
    """Return all that ``mbd-fmu show --json`` says; what an unfit start leaves unknown is null."""
    structure = structure_of(spec)
    system, found, problem = _diagnosed(spec)
    base_row, incidence = structure.tree.incidence()
    return {
        "name": spec.name,
        "description": spec.description,
        "bodies": list(structure.bodies),
        "joints": [_joint_facts(j) for j in (*structure.joints, *structure.cut_joints)],
        "forces": [_force_facts(f) for f in spec.forces],
        "moving_base": spec.moving_base,
        "body_connection_array": list(structure.connection),
        "powers": [list(power) for power in powers(structure.connection)],
        "u": list(structure.bodies_below),
        "incidence": {"S0": base_row.tolist(), "S": incidence.tolist()},
        "path_matrix": structure.tree.path_matrix().tolist(),
        "chains": [
            {"bodies": list(c.bodies), "couplings": list(c.couplings), "kinematic": c.kinematic}
            for c in structure.chains
        ],
        "cut_joints": [j.name for j in structure.cut_joints],
        "coordinates": list(structure.coordinates),
        "gruebler": structure.gruebler,
        "constraints": [{"name": c.name, "type": c.type} for c in spec.constraints],
        "freedoms": found.freedoms if found else None,
        "rank": found.rank if found else None,
        "rows": len(system.rows),
        "redundant": found.redundant if found else None,
        "condition": found.condition if found else None,
        "free_motions": found.motions if found else None,
        "unique_reactions": found.unique if found else None,
        "shared_reactions": found.shared if found else None,
        "characteristic_length": system.length,
        "assembly": [asdict(start) for start in found.adjusted] if found else None,
        "parameters": {v.name: v.start for v in system.table.parameters},
        "derived_parameters": {v.name: v.start for v in system.table.derived},
        "points": [_point_facts(spec, point) for point in spec.named_points],
        "variables": [
            {"name": v.name, "causality": v.causality, "unit": v.unit, "description": v.description}
            for v in system.table.variables
        ],
        "warnings": [*warnings_of(spec), *_idle_cuts(structure), *problem],
    }


def _point_facts(spec: Spec, point: NamedPoint) -> dict[str, Any]:
    at = vector_of(point.at, spec.nominal).astype(float).tolist()
    return {"name": point.name, "body": point.body, "at": at}


def _point_lines(spec: Spec) -> list[str]:
    """Name the points, with the bodies that carry them."""
    said = (p.name if p.body == GROUND else f"{p.name} ({p.body})" for p in spec.named_points)
    return wrapped(", ".join(said), "points      ", " " * 12) if spec.named_points else []


def drawn(spec: Spec) -> str:
    """Draw the tree and list the interface, a few lines for a terminal."""
    structure = structure_of(spec)
    system, found, problem = _diagnosed(spec)
    freedoms = _counted(found.freedoms) if found else f"{structure.gruebler} by counting"
    table = system.table
    owner = _owner_in(structure.spec)
    lines = [
        f"{spec.name}: {spec.description}" if spec.description else spec.name,
        f"  {_counted(len(structure.bodies), 'body', 'bodies')}, {freedoms}, {_kind(structure)}",
        f"  body-connection array ({', '.join(map(str, structure.connection))})",
        *_power_lines(structure),
        "",
        "moving base" if spec.moving_base else "ground",
        *_branches(structure, 0, ""),
        *_chain_lines(structure),
        *(_diagnosis_lines(structure, system, found) if found and system.rows else ()),
        "",
        *listed("parameters  ", (v.name for v in table.parameters), owner),
        *(listed("derived     ", (v.name for v in table.derived), owner) if table.derived else ()),
        *_point_lines(spec),
        *listed("inputs      ", (v.name for v in table.inputs), owner),
        f"outputs     {len(table.outputs)} in the groups {', '.join(_groups(system)) or 'none'}",
        *_named_lines(spec),
    ]
    warnings = (*warnings_of(spec), *_idle_cuts(structure), *problem)
    return "\n".join([*lines, *(f"warning: {text}" for text in warnings)])


def _diagnosed(spec: Spec) -> tuple[System, Diagnosis | None, list[str]]:
    """Look at the mechanism; of one that cannot be assembled, say so."""
    system = system_of(spec)
    try:
        found = diagnose(system)
    except MbdFmuError as error:
        return system, None, [str(error)]
    return described(system, found), found, []


def _diagnosis_lines(structure: Structure, system: System, found: Diagnosis) -> list[str]:
    """Say what the constraints do."""
    rows = len(system.rows)
    lines = ["", *(f"constraint: {c.name} ({c.type})" for c in structure.spec.constraints)]
    lines.append(
        f"{len(system.state_v)} velocities, {rows} rows of rank {found.rank}: "
        f"{_counted(found.freedoms)} ({structure.gruebler} by counting), "
        f"condition {found.condition:.3g}"
    )
    for motion in found.motions:
        lines += wrapped(f"free motion: {motion}")
    if found.redundant:
        names = ", ".join(f"{n} of {name}" for name, n in found.redundant.items())
        lines.append(f"redundant rows: {names}")
        owner = _owner_in(structure.spec)
        lines += listed("unique reactions: ", found.unique, owner)
        lines += listed("reactions that are not unique: ", found.shared, owner)
        rule = "these are of all possible ones those of the least sum of squares of forces and of "
        lines += wrapped(f"{rule}torques per {system.length:.4g} m", "  ", "  ")
    lines += [f"assembly: {m.name} from {m.given:g} to {m.found:g}" for m in found.adjusted]
    return lines


def _kind(structure: Structure) -> str:
    if structure.cut_joints:
        return "closed loops"
    return "tree under constraints" if structure.spec.constraints else "open tree"


def _power_lines(structure: Structure) -> list[str]:
    """The powers of L down to zeros, and u: how many bodies lie below each."""
    table = powers(structure.connection)
    return number_rows(
        {f"L^{r}": row for r, row in enumerate(table)} | {"u": structure.bodies_below}
    )


def _owner_in(spec: Spec) -> Callable[[str], str]:
    """Return who says which element has a variable, by its structured or flat name; "" if none."""
    declared = {p.name for p in spec.declared if p.is_parameter}
    elements = [*(j.name for j in spec.joints), *(f.name for f in spec.forces), "solver"]

    def owner(name: str) -> str:
        if name in declared:
            return ""
        fits = [e for e in elements if name.startswith((f"{e}.", f"{e}_"))]
        return max(fits, key=len, default="")

    return owner


def _joint_facts(joint: Joint) -> dict[str, Any]:
    return {
        "name": joint.name,
        "type": joint.type,
        "parent": joint.parent,
        "child": joint.child,
        "drive": joint.drive,
        "fictitious": joint.fictitious,
    }


def _force_facts(force: Force) -> dict[str, Any]:
    """Return what a force acts on: joints, or bodies."""
    if force.joints:
        return {"name": force.name, "joints": list(force.joints)}
    return {"name": force.name, "parent": force.parent, "child": force.child}


def _branches(structure: Structure, carrier: int, indent: str) -> list[str]:
    children = [k for k, c in enumerate(structure.connection, start=1) if c == carrier]
    lines = []
    for number in children:
        last = number == children[-1]
        joint = structure.joints[number - 1]
        body = structure.bodies[number - 1]
        lines.append(f"{indent}{'└' if last else '├'}─ {_in_words(joint, body)} ─ {number} {body}")
        lines += _branches(structure, number, indent + ("   " if last else "│  "))
    return lines


def _in_words(joint: Joint, body: str) -> str:
    """Say what a joint is, in a few words."""
    n = len(joint.kind.names.velocities)
    words = [joint.type, _counted(n)]
    if joint.fictitious:
        words.append("fictitious")
    if joint.drive == "motion":
        by = "" if joint.motion == "full" else f" by {joint.motion}"
        words.append(f"prescribed motion{by}")
    if joint.torque:
        words.append("driven by a function of time")
    if joint.child != body:
        words.append("declared the other way")
    return f"{joint.name} ({', '.join(words)})"


def _chain_lines(structure: Structure) -> list[str]:
    lines = [""] if structure.chains else []
    for chain in structure.chains:
        kind = "closed kinematic chain" if chain.kinematic else "closed chain, opened by a force"
        walk = []
        for body, coupling in zip(chain.bodies, chain.couplings, strict=True):
            walk += [body, f"-{coupling}-"]
        lines += wrapped(f"{kind}: {' '.join(walk)} {chain.bodies[0]}")
    if structure.cut_joints:
        names = ", ".join(f"{j.name} ({j.type})" for j in structure.cut_joints)
        lines += wrapped(f"cut joints: {names}")
    return lines


def _idle_cuts(structure: Structure) -> list[str]:
    cut = {joint.name for joint in structure.cut_joints}
    return [
        f'joint "{joint.name}" is marked to be cut, but closes no loop'
        for joint in structure.spec.joints
        if joint.cut and joint.name not in cut
    ]


def _named_lines(spec: Spec) -> list[str]:
    """What the model names itself."""
    names = [f"{output.name} ({output.kind})" for output in (*spec.points, *spec.outputs)]
    return wrapped(f"named       {', '.join(names)}", "", " " * 12) if spec.outputs else []


def _groups(system: System) -> list[str]:
    """The groups that put something out; a tree has no constraint whose quality could be told."""
    spec = system.spec
    idle = {"quality": not system.rows, "forces": not any(force_blocks(spec, system.forest))}
    return [group for group in spec.groups if not idle.get(group, False)]


def _counted(n: int, one: str = "freedom", many: str = "freedoms") -> str:
    return f"{n} {one if n == 1 else many}"
