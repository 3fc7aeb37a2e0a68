"""Everything connected: what flies gets a fictitious joint, what rides gets a moving base.

- A part that no joint leads to from the ground gets a free joint to the ground, at the mass centre
  of its first body. It carries no force. A model that wants another carrier says so with a free
  joint of its own. [003]
- A point mass of which nothing takes hold but at its mass centre has no orientation to speak of: it
  gets a translational joint, and its axes stay as drawn.
- A base with prescribed motion becomes a massless body between the ground and everything joined to
  it, carried by a free joint whose motion is an input.
"""

from __future__ import annotations

from dataclasses import replace

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.named_outputs import OutputAngle, OutputDistance
from mbd_fmu.model.spec import Body, Joint, Shape, Spec
from mbd_fmu.quantities.vectors import Orientation, Vector
from mbd_fmu.topology.parts import Parts

BASE_BODY = "base"

_ZERO: Vector = (0.0, 0.0, 0.0)


def connected(spec: Spec) -> Spec:
    """Return the same mechanism with its fictitious joints written out; once, however often."""
    spec = replace(spec, joints=(*spec.joints, *_flights(spec)))
    return _on_moving_base(spec) if spec.moving_base and not _rides(spec) else spec


def _rides(spec: Spec) -> bool:
    """Tell whether the moving base is written out already."""
    return any(joint.fictitious and joint.drive == "motion" for joint in spec.joints)


def _flights(spec: Spec) -> list[Joint]:
    """Return a free joint for each part that no joint connects to the ground."""
    parts = Parts()
    for joint in spec.joints:
        parts.join(joint.parent, joint.child)
    taken = {joint.name for joint in spec.joints}
    flights = []
    for body in spec.bodies:
        if parts.join(GROUND, body.name):
            name = f"{body.name}_free"
            while name in taken:
                name += "_"
            flight = _free_joint(name, GROUND, body.name, body.com, drive="none")
            is_point = is_point_mass(body) and _is_held_at_centre(spec, body)
            flights.append(replace(flight, type="translational") if is_point else flight)
    return flights


def is_point_mass(body: Body) -> bool:
    """Tell whether a body has no inertia about its mass centre, whatever the parameters are."""
    if isinstance(body.inertia, Shape):
        return not any(size != 0.0 for size in body.inertia.size)
    return not any(entry != 0.0 for row in body.inertia for entry in row)


def _is_held_at_centre(spec: Spec, body: Body) -> bool:
    """Tell whether nothing could turn a body or needs to know how it is turned."""
    if any(body.name in (joint.parent, joint.child) for joint in spec.joints):
        return False
    for force in spec.forces:
        for end, point in ((force.parent, force.point), (force.child, force.point2)):
            if end == body.name and (force.can_turn or point != body.com):
                return False
    return all(c.ignores_turns_of(body.name, body.com) for c in spec.constraints)


def _free_joint(name: str, parent: str, child: str, point: Vector, drive: str) -> Joint:
    return Joint(
        name=name,
        type="free",
        parent=parent,
        child=child,
        point=point,
        point2=point,
        orientation=Orientation((1.0, *_ZERO)),
        axis=(),
        axis2=(),
        own=(),
        reference=0.0,
        position=None,
        velocity=None,
        armature=(),
        stiffness=(),
        rest=(),
        damping=(),
        friction=(),
        friction_speed=1.0,
        lower=(),
        upper=(),
        stop=(),
        drive=drive,
        fictitious=True,
    )


def _on_moving_base(spec: Spec) -> Spec:
    """Put a massless body under everything that is joined to the ground."""

    def end(name: str) -> str:
        return BASE_BODY if name == GROUND else name

    base = Body(BASE_BODY, 0.0, _ZERO, Shape("point", (), _ZERO), _ZERO, None, ())
    flight = _free_joint(BASE_BODY, GROUND, BASE_BODY, _ZERO, drive="motion")
    carrier = replace(flight, motion=spec.base_motion, of_time=spec.base_of_time)
    rides = [
        j if j.fictitious else replace(j, parent=end(j.parent), child=end(j.child))
        for j in spec.joints
    ]
    forces = [
        replace(f, parent=end(f.parent), child=end(f.child)) if f.is_coupling else f
        for f in spec.forces
    ]
    constraints = [replace(c, parent=end(c.parent), child=end(c.child)) for c in spec.constraints]
    outputs = [
        replace(o, parent=end(o.parent), child=end(o.child))
        if isinstance(o, OutputDistance | OutputAngle)
        else o
        for o in spec.outputs
    ]
    return replace(
        spec,
        bodies=(base, *spec.bodies),
        joints=(carrier, *rides),
        forces=tuple(forces),
        constraints=tuple(constraints),
        outputs=tuple(outputs),
    )
