"""Joints of an MJCF model, one for each entry of jnt_*.

Source   MuJoCo 4.0, XML reference, body/joint; computation, kinematics: the joints of a body are
         applied in their order, each with its point and axis in the frame that the ones before it
         have moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.called import Called
from mbd_fmu.formats.robots.placements import Placement, numbers
from mbd_fmu.formats.robots.robot import Joint, Limit
from mbd_fmu.formats.xml.attributes import unit

TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "floating"}
SCALAR = ("hinge", "slide")
HIGHER = "with more than one coefficient"
YIELDS = "by which a spring deforms for good"


@dataclass(frozen=True)
class Reflected:
    """What the actuators of a joint add to its own armature and damping."""

    armature: float = 0.0
    damping: float = 0.0


def read_joint(
    called: Called,
    k: int,
    ends: tuple[str, str],
    place: Placement,
    reflected: Mapping[int, Reflected],
    account: Account,
) -> Joint:
    """Read the joint number k, between two links."""
    model, name, kind = called.compiled.model, called.joints[k], called.joint_type(k)
    line = called.line("joint", k)
    dof, q = model.jnt_dofadr[k], model.jnt_qposadr[k]
    added = reflected.get(k, Reflected())
    _refuse_foreign(called, k, account)
    friction = float(model.dof_frictionloss[dof]) if kind != "free" else 0.0
    if friction:
        text = "frictionloss is a soft constraint in MuJoCo; here it is -f tanh(qd / 0.01)"
        account.note(f'joint "{name}"', line, text)
    joint = Joint(
        name,
        line,
        TYPES[kind],
        *ends,
        Placement() if kind == "free" else place,
        axis=unit(numbers(model.jnt_axis[k])) if kind in SCALAR else (),
        at=numbers(model.jnt_pos[k]) if kind != "free" else (0.0, 0.0, 0.0),
        limit=_limit(called, k, account),
        damping=float(model.dof_damping[dof]) + added.damping,
        friction=friction,
        armature=float(model.dof_armature[dof]) + added.armature if kind != "free" else 0.0,
        stiffness=float(model.jnt_stiffness[k]) if kind in SCALAR else 0.0,
        rest=float(model.qpos_spring[q]) if kind in SCALAR else 0.0,
        reference=float(model.qpos0[q]) if kind in SCALAR else 0.0,
        # a free joint's coordinates are the pose of its body in the world
        start=numbers(np.roll(model.qpos0[q : q + 7], 4)) if kind == "free" else (),
    )
    if model.jnt_actfrclimited[k]:
        low, high = model.jnt_actfrcrange[k]
        text = f"actuatorfrcrange {low:g} to {high:g}: no force is clamped"
        account.note(f'joint "{name}"', line, text)
    return joint


def _limit(called: Called, k: int, account: Account) -> Limit:
    model, kind = called.compiled.model, called.joint_type(k)
    if not model.jnt_limited[k]:
        return Limit()
    low, high = (float(x) for x in model.jnt_range[k])
    if kind in SCALAR:
        return Limit(low, high)
    text = f"turns by {high:g} rad at most there; here it has no limits"
    account.note(f'joint "{called.joints[k]}"', called.line("joint", k), text)
    return Limit()


def _refuse_foreign(called: Called, k: int, account: Account) -> None:
    """Name all forces of a joint that are not carried."""
    model, kind = called.compiled.model, called.joint_type(k)
    dof = model.jnt_dofadr[k]
    found = {
        f"stiffness {HIGHER}": model.jnt_stiffnesspoly[k].any(),
        f"damping {HIGHER}": model.dof_dampingpoly[dof].any(),
        f"springyield, {YIELDS},": model.jnt_springyield[k] > 0.0,
    }
    if kind not in SCALAR:
        found[f"stiffness of a {kind} joint"] = model.jnt_stiffness[k] != 0.0
    if kind == "free":
        text = "of a free joint, along axes of the world,"
        found[f"frictionloss {text}"] = model.dof_frictionloss[dof] != 0.0
        found[f"armature {text}"] = model.dof_armature[dof] != 0.0
    refuse_all(found, f'joint "{called.joints[k]}"', called.line("joint", k), account)


def refuse_all(found: Mapping[str, bool], where: str, line: int, account: Account) -> None:
    """Name what is there and not carried; the lenient have it left out."""
    for text, is_there in found.items():
        if is_there:
            remedy = "write one number" if HIGHER in text else "set it to 0"
            account.doubt(line, where, f"{text} is not carried", remedy)
