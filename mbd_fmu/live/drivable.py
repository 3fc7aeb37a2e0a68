"""A mechanism that can be driven by hand: pulls on its bodies, and another gravity.

Both leave the motion as it is until somebody uses them, each number bit by bit; a zero may have the
other sign. So states stay the same, because the solver's steps look at all of them, and what cannot
move is left alone. The numbers of the scene that hang on parameters are computed, too: the drawing
follows them.
"""

from __future__ import annotations

from dataclasses import replace

from mbd_fmu.elements.force import Force
from mbd_fmu.elements.places import GROUND
from mbd_fmu.live.pull import pull_on
from mbd_fmu.live.scene_numbers import scene_numbers
from mbd_fmu.live.weight import weight_of
from mbd_fmu.model.spec import Body, Spec, with_groups
from mbd_fmu.quantities.expressions import Expression

SEEN = ("poses", "joints", "reactions", "quality")  # energy has states: it stays as declared
RIGID = "rigid"


def drivable(spec: Spec) -> Spec:
    """Return the mechanism with what a page needs to drive it."""
    movable = movable_bodies(spec)
    added: list[Force] = [pull_on(body) for body in movable]
    if movable and not has_gravity_parameter(spec):
        added.append(weight_of(movable))
    numbers = scene_numbers(spec)
    return replace(
        with_groups(spec, *SEEN),
        forces=(*spec.forces, *added),
        outputs=(*spec.outputs, numbers) if numbers.paths else spec.outputs,
    )


def has_gravity_parameter(spec: Spec) -> bool:
    """Tell whether parameters of the model say what gravity is."""
    return any(isinstance(q, Expression) for q in spec.gravity)


def movable_bodies(spec: Spec) -> tuple[Body, ...]:
    """Return the bodies that are not fixed to the ground, directly or through others."""
    fixed = set() if spec.moving_base else {GROUND}
    pairs = [{joint.parent, joint.child} for joint in spec.joints if joint.type == RIGID]
    while more := set().union(*(pair for pair in pairs if pair & fixed)) - fixed:
        fixed |= more
    return tuple(body for body in spec.bodies if body.name not in fixed)
