"""Variables of prescribed motions: what tells them, and what is made of that.

A motion is told in full, or by its position or its velocity alone. What is not told is no input: it
becomes an output, and where it needs a start value, that is a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND
from mbd_fmu.mechanics.motion import GIVEN_LEVELS, level_of, parts_of
from mbd_fmu.model.spec import Joint
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.variables import Block, Variable, flat_name

_STAGES = {"position": "positions", "velocity": "velocities", "acceleration": "accelerations"}
_MEANINGS = {
    "r": ("m", "displacement since drawn of the joint point"),
    "quat": ("1", "turn since drawn, unit quaternion,"),
    "v": ("m/s", "velocity of the joint point"),
    "w": ("rad/s", "angular velocity"),
    "a": ("m/s2", "acceleration of the joint point"),
    "alpha": ("rad/s2", "angular acceleration"),
}


def start_name(name: str) -> str:
    """Return q_start, q_start[1], q_start.w: an index or a letter stays last."""
    return re.sub(r"^(\w+)", r"\1_start", name)


def prescribed_parts(joint: Joint, nominal: Mapping[str, float], *, flat: bool) -> list[Variable]:
    """What acts for a motion: inputs, parameters with start values of what is made, the rest."""
    found = []
    for part, components in _components(joint).items():
        values = _start(joint, nominal)[part]
        for c, value in zip(components, values, strict=True):
            given = Variable(
                f"{joint.name}.{c.name}", "input", c.unit, f"prescribed {c.meaning}", float(value)
            )
            if level_of(part) in GIVEN_LEVELS[joint.motion]:
                found.append(given)
            elif level_of(part) == "acceleration":
                found.append(replace(given, causality="made"))
            else:
                name = f"{joint.name}.{start_name(c.name)}"
                own = f"{joint.name}.{c.name}"
                text = f"start value of {flat_name(own) if flat else own}: {c.meaning}"
                found.append(replace(given, name=name, causality="parameter", description=text))
    return found


def made_blocks(joint: Joint, index: int) -> Iterator[Block]:
    """Yield as outputs what is made of what is told."""
    for part, components in _components(joint).items():
        level = level_of(part)
        if level not in GIVEN_LEVELS[joint.motion]:
            of_joint = part in ("q", "qd", "qdd")
            formula = f"joint {level}" if of_joint else f"prescribed {part}"
            text = f"made of the {joint.motion} that is told"
            named = tuple(
                Component(f"{joint.name}.{c.name}", c.unit, f"{c.meaning}; {text}")
                for c in components
            )
            yield Block(_STAGES[level], formula, index, named)


def _components(joint: Joint) -> dict[str, tuple[Component, ...]]:
    """Scalars of each part, in the order in which they act."""
    names = joint.kind.names
    if joint.type not in ("free", "spherical"):
        return {"q": names.positions, "qd": names.velocities, "qdd": names.accelerations}
    where = "world axes" if joint.parent == GROUND else f'axes of "{joint.parent}"'
    return {
        part: tuple(
            Component(
                f"{part}.{c}",
                _MEANINGS[part][0],
                f'{_MEANINGS[part][1]} of "{joint.child}", {where}, {c}',
            )
            for c in ("wxyz" if part == "quat" else "xyz")
        )
        for part in parts_of(joint.type, len(names.velocities))
    }


def _start(joint: Joint, nominal: Mapping[str, float]) -> dict[str, list[float]]:
    """Start values from the joint's own; of a free turn with velocities in axes of the parent."""
    kind = joint.kind
    zeros = (0.0,) * len(kind.names.velocities)
    if joint.type not in ("free", "spherical"):
        given = {"q": joint.position or joint.drawn_position, "qd": joint.velocity or zeros}
        return {
            part: [value_of(value, nominal) for value in values]
            for part, values in (given | {"qdd": zeros}).items()
        }
    q = vector_of(joint.position or kind.neutral, nominal)
    v = vector_of(joint.velocity or zeros, nominal)
    turn = rotation_matrix(q[:4])
    found = {"quat": q[:4], "w": turn @ v[:3], "alpha": np.zeros(3)}
    if joint.type == "free":
        found |= {"r": q[4:], "v": turn @ v[3:], "a": np.zeros(3)}
    return {part: [float(x) for x in values] for part, values in found.items()}
