"""What a mechanism is made of, for people and for programs."""

from __future__ import annotations

from typing import Any

from mbd_fmu.export.system import System
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.model.checks import warnings_of
from mbd_fmu.topology.forest import WORLD


def facts(system: System) -> dict[str, Any]:
    """Return everything ``mbd-fmu show --json`` says."""
    spec, forest, table = system.spec, system.forest, system.table
    joints = [spec.joints[k] for k in forest.joint]
    return {
        "name": spec.name,
        "description": spec.description,
        "bodies": [spec.bodies[k].name for k in forest.body],
        "joints": [
            {"name": j.name, "type": j.type, "parent": j.parent, "child": j.child} for j in joints
        ],
        "body_connection_array": [p + 1 for p in forest.parent],
        "chains": [],
        "cut_joints": [],
        "coordinates": [f"{j.name}.{c.name}" for j in joints for c in JOINTS[j.type].positions],
        "freedoms": forest.nv,
        "gruebler": forest.nv,
        "rank": 0,
        "redundant": [],
        "unique_reactions": [j.name for j in joints if j.type != "free"],
        "parameters": {v.name: v.start for v in table.parameters},
        "variables": [
            {"name": v.name, "causality": v.causality, "unit": v.unit, "description": v.description}
            for v in table.variables
        ],
        "warnings": warnings_of(spec),
    }


def drawn(system: System) -> str:
    """Draw the tree and list the interface, a few lines for a terminal."""
    spec, forest, table = system.spec, system.forest, system.table
    n_bodies = len(forest)
    lines = [
        f"{spec.name}: {spec.description}" if spec.description else spec.name,
        f"  {n_bodies} bodies, {forest.nv} freedoms, open tree",
        f"  body-connection array ({', '.join(str(p + 1) for p in forest.parent)})",
        "",
        "ground",
        *_branches(system, WORLD, ""),
        "",
        f"parameters  {_listed(v.name for v in table.parameters)}",
        f"inputs      {_listed(v.name for v in table.inputs)}",
        f"outputs     {len(table.outputs)} in the groups {', '.join(spec.groups)}",
    ]
    lines += [f"warning: {text}" for text in warnings_of(spec)]
    return "\n".join(lines)


def _branches(system: System, carrier: int, indent: str) -> list[str]:
    spec, forest = system.spec, system.forest
    children = [i for i, p in enumerate(forest.parent) if p == carrier]
    lines = []
    for i in children:
        last = i == children[-1]
        joint = spec.joints[forest.joint[i]]
        body = spec.bodies[forest.body[i]].name
        n = len(JOINTS[joint.type].velocities)
        freedoms = f"{n} freedom{'s' if n != 1 else ''}"
        against = ", declared the other way" if forest.reversed[i] else ""
        lines.append(
            f"{indent}{'└' if last else '├'}─ {joint.name} "
            f"({joint.type}, {freedoms}{against}) ─ {body}"
        )
        lines += _branches(system, i, indent + ("   " if last else "│  "))
    return lines


def _listed(names: Any) -> str:
    found = list(names)
    return ", ".join(found) if found else "none"
