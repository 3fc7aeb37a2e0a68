"""Bodies of an MJCF model as links, with the joints that lead to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.called import WORLD, Called
from mbd_fmu.formats.mjcf.joints import Reflected, read_joint
from mbd_fmu.formats.mjcf.options import gravity_of
from mbd_fmu.formats.robots.names import unused
from mbd_fmu.formats.robots.placements import Mass, Placement
from mbd_fmu.formats.robots.robot import Joint, Link, Look
from mbd_fmu.spatial import Array, rotation_matrix


def place_of(p: Array, quat: Array) -> Placement:
    """Place a frame as MuJoCo does; what is not turned stays so to the last bit."""
    R = np.eye(3) if np.array_equal(quat, (1.0, 0.0, 0.0, 0.0)) else rotation_matrix(quat)
    return Placement(R, np.array(p, float))


def read_bodies(
    called: Called,
    looks: Mapping[int, Sequence[Look]],
    reflected: Mapping[int, Reflected],
    account: Account,
) -> tuple[dict[str, Link], dict[str, Joint]]:
    """Return all links and the joints of the tree, parents first."""
    world = called.bodies[WORLD]
    links = {world: Link(world, 1, is_world=True)}
    joints: dict[str, Joint] = {}
    taken = {*called.bodies}
    for k in range(1, called.compiled.count("body")):
        body, line = called.bodies[k], called.line("body", k)
        _check_body(called, k, account)
        for joint in _joints_to(called, k, taken, reflected, account):
            joints[joint.name] = joint
            links.setdefault(joint.child, Link(joint.child, joint.line))
        links[body] = Link(body, line, _mass(called, k), tuple(looks.get(k, ())))
    return links, joints


def _mass(called: Called, k: int) -> Mass:
    """Return the mass in the body's frame; its inertia is given in principal axes."""
    model = called.compiled.model
    moments = np.diag(np.array(model.body_inertia[k], float))
    own = Mass(float(model.body_mass[k]), np.zeros(3), moments)
    return own.seen_from(place_of(model.body_ipos[k], model.body_iquat[k]))


def _joints_to(
    called: Called,
    k: int,
    taken: set[str],
    reflected: Mapping[int, Reflected],
    account: Account,
) -> list[Joint]:
    """Return the joints of a body; links without mass stand between several."""
    model = called.compiled.model
    body, near = called.bodies[k], called.bodies[model.body_parentid[k]]
    place = place_of(model.body_pos[k], model.body_quat[k])
    first, count = model.body_jntadr[k], model.body_jntnum[k]
    if not count:
        name, line = unused(f"{body}_rigid", called.joints), called.line("body", k)
        return [Joint(name, line, "fixed", near, body, place)]
    found = []
    for j in range(first, first + count):
        far = body
        if j + 1 < first + count:
            far = unused(f"{body}_{called.joints[j]}", taken)
            taken.add(far)
        found.append(read_joint(called, j, (near, far), place, reflected, account))
        near, place = far, Placement()
    return found


def _check_body(called: Called, k: int, account: Account) -> None:
    """Refuse forces on a body that are not carried; say what a mocap body is here."""
    model = called.compiled.model
    where, line = f'body "{called.bodies[k]}"', called.line("body", k)
    if model.body_gravcomp[k] and any(gravity_of(called.compiled)):
        found = f"gravcomp {model.body_gravcomp[k]:g}, a force against gravity, is not carried"
        account.doubt(line, where, found, "set it to 0, or gravity")
    if model.body_mocapid[k] >= 0:
        account.note(where, line, "mocap: nobody moves it here, it stands still")
