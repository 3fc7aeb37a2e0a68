"""The outputs of the FMU, by groups: their names, units, meanings and formulas."""

from __future__ import annotations

from collections.abc import Iterator

from mbd_fmu.elements.names import Component
from mbd_fmu.mechanics.row_table import row_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.system.prescribed import made_blocks
from mbd_fmu.system.variables import QUALITY, WORK, Block
from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.topology.forest import Forest

QUALITIES = {
    "position_error": ("1", "largest residual of the rows on positions, in m, or sine of an angle"),
    "velocity_error": ("1", "largest residual of the rows on velocities, in m/s or rad/s"),
    "rank": ("1", "number of rows that count; the others are redundant here"),
}


def output_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """Yield what the chosen groups put out, in no order of stages."""
    if "joints" in spec.groups:
        yield from _joint_blocks(spec, forest)
    for i, k in enumerate(forest.body):
        body = spec.bodies[k].name
        if spec.moving_base and body == BASE_BODY:
            continue  # its pose is an input
        if "poses" in spec.groups:
            origin = f'origin of body "{body}" (as drawn) in the world'
            yield Block("positions", "origin", i, _xyz(f"{body}.r", "m", origin))
            yield Block("positions", "orientation", i, _quaternion(body))
            centre = f'mass centre of body "{body}" in the world'
            yield Block("positions", "mass centre", i, _xyz(f"{body}.com", "m", centre))
        if "velocities" in spec.groups:
            rate = f'velocity of the mass centre of body "{body}", world axes'
            yield Block("velocities", "velocity", i, _xyz(f"{body}.v", "m/s", rate))
            spin = f'angular velocity of body "{body}", world axes'
            yield Block("velocities", "angular velocity", i, _xyz(f"{body}.w", "rad/s", spin))
    for k, point in enumerate(spec.points):
        where = f'point "{point.name}" of body "{point.body}"'
        yield Block("positions", "point", k, _xyz(f"{point.name}.r", "m", f"{where} in the world"))
        yield Block(
            "velocities",
            "point velocity",
            k,
            _xyz(f"{point.name}.v", "m/s", f"velocity of {where}, world axes"),
        )
    if "energy" in spec.groups:
        yield from _energy_blocks()
    if "reactions" in spec.groups:
        yield from _reaction_blocks(spec, forest)
        yield from _multiplier_blocks(spec, forest)
    if "quality" in spec.groups and (forest.cut or spec.constraints):
        for name, (unit, text) in QUALITIES.items():
            component = Component(f"constraint.{name}", unit, text)
            yield Block(QUALITY, name, 0, (component,))
    yield from _motion_blocks(spec, forest)


def _joint_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        kind = joint.kind
        if joint.drive == "motion":
            yield from made_blocks(joint, i)  # the others are inputs
            continue
        for stage, formula, components in (
            ("positions", "joint position", kind.names.positions),
            ("velocities", "joint velocity", kind.names.velocities),
            ("accelerations", "joint acceleration", kind.names.accelerations),
        ):
            if components:
                where = f'joint "{joint.name}" from "{joint.parent}" to "{joint.child}"'
                named = tuple(
                    Component(f"{joint.name}.{c.name}", c.unit, f"{c.meaning}; {where}")
                    for c in components
                )
                yield Block(stage, formula, i, named)


def _reaction_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        if joint.fictitious or not joint.kind.restricts:
            continue  # carries nothing
        text = (
            f'exerted by joint "{joint.name}" on "{joint.child}", at the joint point carried by '
            f'"{joint.child}", world axes, without drive and spring'
        )
        for key, unit in (("force", "N"), ("torque", "N.m")):
            named = _xyz(f"{joint.name}.{key}", unit, f"constraint {key} {text}")
            yield Block("reactions", f"reaction {key}", i, named)


def _multiplier_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    kinds = {c.name: c for c in spec.constraints}
    for k, row in enumerate(row_table(spec, forest)):
        if not row.is_joint:
            name, unit = f"{row.element}.lambda[{row.number}]", "N.m" if row.turns else "N"
            text = f'multiplier of row {row.number} of constraint "{row.element}" '
            meaning = text + f"({kinds[row.element].type}: {kinds[row.element].multipliers})"
            yield Block("reactions", "multiplier", k, (Component(name, unit, meaning),))


def _motion_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """What a prescribed motion takes; put out whatever groups are chosen."""
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.drive != "motion":
            continue
        if joint.kind.restricts:
            named = tuple(
                Component(f"{joint.name}.{d.name}", d.unit, f"{d.meaning} that the motion takes")
                for d in joint.kind.names.drives
            )
            yield Block("reactions", "drive", i, named)
            continue
        text = f'that must act on "{joint.child}" at its joint point for the motion, world axes'
        for key, unit in (("force", "N"), ("torque", "N.m")):
            named_xyz = _xyz(f"{joint.name}.{key}", unit, f"{key} {text}")
            yield Block("reactions", f"transmitted {key}", i, named_xyz)


def _energy_blocks() -> Iterator[Block]:
    for name, stage, text in (
        ("kinetic", "energies", "kinetic energy of all bodies"),
        (
            "potential",
            "energies",
            "energy in gravity, from the world's origin, and in springs",
        ),
        ("input_work", WORK, "work of drives, wrenches and prescribed motions since the start"),
        ("dissipated", WORK, "energy taken out by dampers, friction and stops since the start"),
    ):
        yield Block(stage, name, 0, (Component(f"energy.{name}", "J", text),))


def _xyz(name: str, unit: str, text: str) -> tuple[Component, ...]:
    return tuple(Component(f"{name}.{x}", unit, f"{text}, {x}") for x in "xyz")


def _quaternion(body: str) -> tuple[Component, ...]:
    text = f'orientation of body "{body}" in the world, unit quaternion'
    return tuple(Component(f"{body}.quat.{c}", "1", f"{text}, {c}") for c in "wxyz")
