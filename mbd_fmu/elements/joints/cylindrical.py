"""Cylindrical: the child turns about an axis and slides along it."""

from __future__ import annotations

from mbd_fmu.elements.closing import AXES_PARALLEL, ON_AXIS, Closing, angle_about_z, axis_upright
from mbd_fmu.elements.joint import JointType, constant_subspace, unit_columns
from mbd_fmu.elements.names import scalar_names
from mbd_fmu.elements.symbols import SQUARE, JointSymbol, pin, ring
from mbd_fmu.elements.turns import Z, quaternion_about, turn_about_z
from mbd_fmu.spatial import array

JOINT = JointType(
    name="cylindrical",
    allows="turns about, slides along `axis`",
    place=lambda q, _: (turn_about_z(q[0]), array([0.0, 0.0, q[1]])),
    motion=constant_subspace(unit_columns(2, 5)),
    turn=lambda q, _: quaternion_about(Z, q[0]),
    neutral=(0.0, 0.0),
    names=scalar_names("turns", "slides"),
    closing=Closing(
        rows=(*ON_AXIS, *AXES_PARALLEL),
        coordinates=lambda at: array([angle_about_z(at), at.p[2]]),
        branch=axis_upright,
    ),
    symbol=JointSymbol(SQUARE, (pin(3.6, 0.45), ring(0.0))),
    is_axial=True,
    can_twist=True,
)
