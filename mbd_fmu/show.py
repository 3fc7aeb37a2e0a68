"""What a mechanism is made of, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mbd_fmu.export.system import System, system_of
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.model.checks import warnings_of
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.structure import Structure, structure_of


def facts(spec: Spec) -> dict[str, Any]:
    """Return all that ``mbd-fmu show --json`` says; what is not known of closed loops is null."""
    structure = structure_of(spec)
    system = _system(spec, structure)
    base_row, incidence = structure.tree.incidence()
    return {
        "name": spec.name,
        "description": spec.description,
        "bodies": list(structure.bodies),
        "joints": [_joint_facts(j) for j in (*structure.joints, *structure.cut_joints)],
        "forces": [{"name": f.name, "parent": f.parent, "child": f.child} for f in spec.forces],
        "moving_base": spec.moving_base,
        "body_connection_array": list(structure.connection),
        "incidence": {"S0": base_row.tolist(), "S": incidence.tolist()},
        "path_matrix": structure.tree.path_matrix().tolist(),
        "chains": [
            {"bodies": list(c.bodies), "couplings": list(c.couplings), "kinematic": c.kinematic}
            for c in structure.chains
        ],
        "cut_joints": [j.name for j in structure.cut_joints],
        "coordinates": list(structure.coordinates),
        "gruebler": structure.gruebler,
        "freedoms": len(system.state_v) if system else None,
        "rank": 0 if system else None,
        "redundant": [] if system else None,
        "unique_reactions": (
            [j.name for j in structure.joints if j.type != "free"] if system else None
        ),
        "parameters": {v.name: v.start for v in system.table.parameters} if system else None,
        "variables": [
            {"name": v.name, "causality": v.causality, "unit": v.unit, "description": v.description}
            for v in (system.table.variables if system else ())
        ],
        "warnings": [*warnings_of(spec), *_idle_cuts(structure)],
    }


def drawn(spec: Spec) -> str:
    """Draw the tree and list the interface, a few lines for a terminal."""
    structure = structure_of(spec)
    system = _system(spec, structure)
    kind = "closed loops" if structure.cut_joints else "open tree"
    freedoms = f"{len(system.state_v)} freedoms" if system else f"{structure.gruebler} by counting"
    lines = [
        f"{spec.name}: {spec.description}" if spec.description else spec.name,
        f"  {len(structure.bodies)} bodies, {freedoms}, {kind}",
        f"  body-connection array ({', '.join(map(str, structure.connection))})",
        "",
        "moving base" if spec.moving_base else "ground",
        *_branches(structure, 0, ""),
        *_chain_lines(structure),
        "",
    ]
    if system:
        table = system.table
        lines += [
            f"parameters  {_listed(v.name for v in table.parameters)}",
            f"inputs      {_listed(v.name for v in table.inputs)}",
            f"outputs     {len(table.outputs)} in the groups {_listed(_groups(spec))}",
        ]
    else:
        lines.append("closed loops: not exported in this version; simulate --formulation absolute")
    lines += [f"warning: {text}" for text in (*warnings_of(spec), *_idle_cuts(structure))]
    return "\n".join(lines)


def _system(spec: Spec, structure: Structure) -> System | None:
    return None if structure.cut_joints else system_of(spec)


def _joint_facts(joint: Joint) -> dict[str, Any]:
    return {
        "name": joint.name,
        "type": joint.type,
        "parent": joint.parent,
        "child": joint.child,
        "drive": joint.drive,
        "fictitious": joint.fictitious,
    }


def _branches(structure: Structure, carrier: int, indent: str) -> list[str]:
    children = [k for k, c in enumerate(structure.connection, start=1) if c == carrier]
    lines = []
    for number in children:
        last = number == children[-1]
        joint = structure.joints[number - 1]
        body = structure.bodies[number - 1]
        lines.append(f"{indent}{'└' if last else '├'}─ {_told(joint, body)} ─ {number} {body}")
        lines += _branches(structure, number, indent + ("   " if last else "│  "))
    return lines


def _told(joint: Joint, body: str) -> str:
    """Say what a joint is, in a few words."""
    n = len(JOINTS[joint.type].names.velocities)
    words = [joint.type, f"{n} freedom{'s' if n != 1 else ''}"]
    if joint.fictitious:
        words.append("fictitious")
    if joint.drive == "motion":
        words.append("prescribed motion")
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
        lines.append(f"{kind}: {' '.join(walk)} {chain.bodies[0]}")
    if structure.cut_joints:
        names = ", ".join(f"{j.name} ({j.type})" for j in structure.cut_joints)
        lines.append(f"cut joints: {names}")
    return lines


def _idle_cuts(structure: Structure) -> list[str]:
    cut = {joint.name for joint in structure.cut_joints}
    return [
        f'joint "{joint.name}" is marked to be cut, but closes no loop'
        for joint in structure.spec.joints
        if joint.cut and joint.name not in cut
    ]


def _groups(spec: Spec) -> list[str]:
    """The groups that put something out; a tree has no constraint whose quality could be told."""
    return [group for group in spec.groups if group != "quality"]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
