"""What a run in absolute coordinates puts out: poses, joints, reactions, under the FMU's names."""

from __future__ import annotations

from collections.abc import Iterator

from mbd_fmu.elements.names import Component
from mbd_fmu.model.spec import Spec
from mbd_fmu.oracle.equations import Moment, Solution
from mbd_fmu.oracle.joints import Pair
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.spatial import Array
from mbd_fmu.topology.connect import BASE_BODY


def of_bodies(spec: Spec, moment: Moment) -> Iterator[tuple[str, float]]:
    """Poses and velocities of bodies, and of points to follow."""
    scene, index = moment.scene, {body.name: k for k, body in enumerate(spec.bodies)}
    centres = [body.com for body in moment.road.bodies]
    for k, body in enumerate(spec.bodies):
        if spec.moving_base and body.name == BASE_BODY:
            continue  # its pose is an input
        origin = vector_of(body.origin, spec.nominal).astype(float)
        yield from _xyz(f"{body.name}.r", scene.point(k, origin - centres[k]).value)
        yield from _xyz(f"{body.name}.com", scene.state.p[k])
        yield from _xyz(f"{body.name}.v", scene.state.v[k])
        yield from _xyz(f"{body.name}.w", scene.spin(k).value)
        for c, value in zip("wxyz", scene.state.quat[k], strict=True):
            yield f"{body.name}.quat.{c}", float(value)
    for point in spec.points:
        if not point.is_in_world:
            continue
        k = index[point.body]
        at = scene.point(k, vector_of(point.point, spec.nominal).astype(float) - centres[k])
        yield from _xyz(f"{point.name}.r", at.value)
        yield from _xyz(f"{point.name}.v", at.rate.value)


def of_joint(pair: Pair, moment: Moment, solution: Solution) -> dict[str, float]:
    """Coordinates, rates and accelerations, where they are not told; reactions and drives."""
    joint = pair.link.joint
    names, rate = joint.kind.names, pair.freedoms.rate
    accelerations = rate.J @ solution.acceleration.ravel() + rate.bias
    found: dict[str, float] = {}

    def put(components: tuple[Component, ...], values: Array) -> None:
        named = zip(components, values, strict=True)
        found.update({f"{joint.name}.{c.name}": float(x) for c, x in named})

    if joint.drive == "motion":
        drive = solution.reactions.drive[joint.name]
        if joint.type == "free":
            R = pair.scene.turn(pair.link.b.body)
            own = moment.joint_pushes.get(joint.name)
            taken = drive if own is None else drive + own.force
            taken = taken - moment.road.armature.get(joint.name, 0.0) * accelerations
            found |= dict(_xyz(f"{joint.name}.force", R @ taken[3:]))
            found |= dict(_xyz(f"{joint.name}.torque", R @ taken[:3]))
        else:
            put(names.drives, drive)
        if joint.of_time is not None and joint.type not in ("free", "spherical"):
            put(names.positions, pair.freedoms.q)
            put(names.velocities, rate.value)
            put(names.accelerations, accelerations)
    else:
        put(names.positions, pair.freedoms.q)
        put(names.velocities, rate.value)
        put(names.accelerations, accelerations)
    if joint.torque:
        put(names.drives, moment.inputs.drives[joint.name])
    if joint.type != "free":
        force, torque = solution.reactions.wrench[joint.name]
        found |= dict(_xyz(f"{joint.name}.force", force))
        found |= dict(_xyz(f"{joint.name}.torque", torque))
    return found


def _xyz(name: str, vector: Array) -> Iterator[tuple[str, float]]:
    for c, x in zip("xyz", vector, strict=True):
        yield f"{name}.{c}", float(x)
