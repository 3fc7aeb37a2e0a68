"""A mechanism of ours as a robot: links and joints, with the parameters' declared values put in.

The frame of a link is the frame U that its body was drawn in. What flies has a floating joint, and
points to follow are links without mass on fixed joints.
"""

from __future__ import annotations

import numpy as np

from mbd_fmu.elements.axes import any_across, axes_about
from mbd_fmu.elements.constraint import Constraint
from mbd_fmu.elements.places import GROUND
from mbd_fmu.formats.robots.names import unused
from mbd_fmu.formats.robots.placements import Mass, Placement, Triple, numbers
from mbd_fmu.formats.robots.robot import TYPES, Joint, Limit, Link, Look, Mimic, Robot
from mbd_fmu.formats.robots.tree import tree_of
from mbd_fmu.formats.xml.attributes import unit
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Body, Spec, Visual
from mbd_fmu.model.spec import Joint as SpecJoint
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import Orientation, Values, quaternion_of, vector_of
from mbd_fmu.spatial import Array, length_of, rotation_matrix, times

WORLD = "world"  # the link that is the ground
# what types are called among robots; others keep their name
ROBOT_TYPES = {ours: theirs for theirs, ours in TYPES.items() if theirs != "continuous"}


def robot_of_spec(spec: Spec) -> Robot:
    """Return what the mechanism is made of; forces and all constraints but gears are left out."""
    nominal = spec.nominal
    taken = {*(body.name for body in spec.bodies), *(point.name for point in spec.points)}
    world = unused(WORLD, taken)
    links = {world: Link(world, 0, is_world=True)}
    links |= {body.name: _link(body, nominal) for body in spec.bodies}
    mimics = {gear.joints[1]: _mimic(gear, nominal) for gear in gears(spec)}
    joints = {
        joint.name: _joint(joint, world, mimics.get(joint.name), nominal) for joint in spec.joints
    }
    robot = Robot(spec.name, 0, links, joints, world)
    _join_what_flies(robot, spec)
    for point in spec.points:
        name = unused(point.name, robot.links)
        carrier = unused(f"{name}_fixed", robot.joints)
        place = Placement(p=vector_of(point.point, nominal))
        robot.links[name] = Link(name, 0)
        robot.joints[carrier] = Joint(carrier, 0, "fixed", point.body, name, place)
    return robot


def gears(spec: Spec) -> list[Constraint]:
    """Return the constraints by which a joint follows another."""
    return [constraint for constraint in spec.constraints if constraint.type == "gear"]


def _join_what_flies(robot: Robot, spec: Spec) -> None:
    """Carry each part that no joint leads to by the mass centre of its first body."""
    reached = tree_of(robot).reached
    for body in spec.bodies:
        if body.name not in reached:
            name = unused(f"{body.name}_free", robot.joints)
            centre = numbers(vector_of(body.com, spec.nominal))
            robot.joints[name] = Joint(
                name, 0, "floating", robot.root, body.name, Placement(), at=centre, is_driven=False
            )
            reached = tree_of(robot).reached


def _link(body: Body, nominal: Values) -> Link:
    mass = Mass(
        float(value_of(body.mass, nominal)),
        vector_of(body.com, nominal).astype(float),
        inertia_of(body, nominal).astype(float),
    )
    return Link(body.name, 0, mass, tuple(_look(body, visual, nominal) for visual in body.visual))


def _look(body: Body, visual: Visual, nominal: Values) -> Look:
    radius = float(value_of(visual.radius, nominal))
    if visual.shape == "cylinder":
        start, end = (vector_of(x, nominal).astype(float) for x in (visual.start, visual.end))
        place = Placement(_upright(end - start), (start + end) / 2.0)
        size: Triple = (radius, length_of(end - start))
    else:
        R = _turn(visual.turn, nominal) if visual.turn else np.eye(3)
        place = Placement(R, vector_of(visual.center, nominal).astype(float))
        size = numbers(vector_of(visual.size, nominal)) if visual.shape == "box" else (radius,)
    scale = numbers(vector_of(visual.scale, nominal)) or (1.0, 1.0, 1.0)
    opacity = value_of(body.opacity if visual.opacity is None else visual.opacity, nominal)
    return Look(0, visual.shape, place, size, visual.file, scale, visual.color, float(opacity))


def _upright(way: Array) -> Array:
    """Return axes with z along a way, if it leads anywhere."""
    size = length_of(way)
    return axes_about(way / size, any_across(way / size)) if size > 0.0 else np.eye(3)


def _turn(orientation: Orientation, nominal: Values) -> Array:
    quat = quaternion_of(orientation, nominal).astype(float)
    return rotation_matrix(quat) if quat[1:].any() else np.eye(3)


def _joint(joint: SpecJoint, world: str, mimic: Mimic | None, nominal: Values) -> Joint:
    point, at = (vector_of(x, nominal).astype(float) for x in (joint.point, joint.point2))
    R = _turn(joint.orientation, nominal)
    turns = numbers(vector_of(joint.orientation.values, nominal))
    axis, axis2 = _axes(joint, nominal)
    parent, child = (world if name == GROUND else name for _, name in joint.bodies)
    lower, upper, damping, friction, armature, stiffness, rest = (
        float(value_of(values[0], nominal)) if values else None
        for values in (
            *(joint.lower, joint.upper, joint.damping, joint.friction, joint.armature),
            *(joint.stiffness, joint.rest),
        )
    )
    kind, allowed = ROBOT_TYPES.get(joint.type, joint.type), (joint.effort, joint.speed)
    return Joint(
        joint.name,
        0,
        "continuous" if kind == "revolute" and lower is None and upper is None else kind,
        parent,
        child,
        Placement(R, point - times(R, at)),
        axis,
        axis2,
        rpy=turns if len(turns) == 3 else (0.0, 0.0, 0.0),
        at=numbers(at),
        limit=Limit(lower, upper, *(x[0] if x else None for x in allowed)),
        damping=damping or 0.0,
        friction=friction or 0.0,
        armature=armature or 0.0,
        stiffness=stiffness or 0.0,
        rest=rest or 0.0,
        reference=float(value_of(joint.reference, nominal)),
        mimic=mimic,
        is_kept=kind == "fixed",
        is_driven=joint.drive == "torque",
    )


def _axes(joint: SpecJoint, nominal: Values) -> tuple[Triple, Triple]:
    """Return both axes, as far as the type has them; the second may be left to us."""
    if not joint.axis:
        return (), ()
    axis = unit(numbers(vector_of(joint.axis, nominal)))
    second = vector_of(joint.axis2, nominal) if joint.axis2 else any_across(np.array(axis))
    return axis, unit(numbers(second))


def _mimic(gear: Constraint, nominal: Values) -> Mimic:
    leader, _ = gear.joints
    ratio, offset = (float(value_of(getattr(gear, key), nominal)) for key in ("ratio", "offset"))
    return Mimic(leader, ratio, offset, 0)
