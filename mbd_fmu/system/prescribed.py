"""Variables of prescribed motions: what is given, and what is made of that.

A motion is given in full, or by its position or its velocity alone. What is not given is no input:
it becomes an output, and where it needs a start value, that is a parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from mbd_fmu.elements.names import Component
from mbd_fmu.elements.places import GROUND
from mbd_fmu.elements.prescribed import ACCELERATION, JointMotion, Part
from mbd_fmu.model.spec import Joint
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import Array
from mbd_fmu.system.variable import Variable
from mbd_fmu.system.variables import flat_name

OF_TIME = "a function of time"


def start_name(name: str) -> str:
    """Return q_start, q_start[1], q_start.w: an index or a letter stays last."""
    return re.sub(r"^(\w+)", r"\1_start", name)


def prescribed_variables(
    joint: Joint, nominal: Mapping[str, float], *, flat: bool
) -> Iterator[Variable]:
    """Yield what acts for a motion: inputs, parameters with start values of what is made, the rest.

    In the order of its layout.
    """
    for part in joint.kind.layout.parts:
        for c, value in zip(_named(joint, part), _start(joint, part, nominal), strict=True):
            given = Variable(
                f"{joint.name}.{c.name}", "input", c.unit, f"prescribed {c.meaning}", float(value)
            )
            if part.is_given(joint.motion):
                yield given
            elif part.level == ACCELERATION:
                yield replace(given, causality="made")
            else:
                name = f"{joint.name}.{start_name(c.name)}"
                own = f"{joint.name}.{c.name}"
                text = f"start value of {flat_name(own) if flat else own}: {c.meaning}"
                yield replace(given, name=name, causality="parameter", description=text)


def made_parts(joint: Joint) -> Iterator[Part]:
    """Yield what is made of what is given, with components named in full."""
    for part in joint.kind.layout.parts:
        if not part.is_given(joint.motion):
            text = f"made of the {joint.motion} that is told" if joint.of_time is None else OF_TIME
            named = tuple(
                Component(f"{joint.name}.{c.name}", c.unit, f"{c.meaning}; {text}")
                for c in _named(joint, part)
            )
            yield replace(part, components=named)


def _named(joint: Joint, part: Part) -> Iterator[Component]:
    """Components of a part, that say whose motion it is, in which axes."""
    axes = "world axes" if joint.parent == GROUND else f'axes of "{joint.parent}"'
    for c in part.components:
        yield replace(c, meaning=c.meaning.format(child=f'"{joint.child}"', axes=axes))


def _start(joint: Joint, part: Part, nominal: Mapping[str, float]) -> Array:
    """Start values from the joint's own; nothing accelerates."""
    if part.level == ACCELERATION:
        return np.zeros(len(part.components))
    q = vector_of(joint.position or joint.drawn_position, nominal)
    v = vector_of(joint.velocity or (0.0,) * joint.kind.nv, nominal)
    return joint.kind.layout.part(part.name, JointMotion(q, v, np.zeros(joint.kind.nv)))
