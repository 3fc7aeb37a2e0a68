"""Random open trees, by seed: any joints, any axes, any branching."""

import numpy as np

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.builder import Mechanism

TYPES = tuple(JOINTS)
SIMPLE = ("revolute", "prismatic", "rigid", "free")


def random_rotation(rng):
    quat = rng.normal(size=4)
    return quat / np.linalg.norm(quat)


def random_inertia(rng):
    """Moments of a few point masses about their common centre: physically possible."""
    points = rng.normal(size=(6, 3)) * 0.3
    points -= points.mean(axis=0)
    return sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points) * rng.uniform(0.1, 1.0)


def random_tree(n_bodies, seed, *, types=TYPES, frame="local", rotors=False, **joint_keys):
    """A tree in which each body hangs on a random earlier one, or on the ground."""
    rng, own = np.random.default_rng(seed), np.random.default_rng(seed + 500)
    tree = Mechanism("random_tree", frame=frame, gravity=rng.normal(size=3) * 5)
    for i in range(n_bodies):
        tree.body(
            f"body{i}",
            mass=rng.uniform(0.5, 3.0),
            com=rng.normal(size=3) * 0.3,
            inertia=random_inertia(rng),
            origin=rng.normal(size=3),
        )
        carrier = rng.integers(-1, i) if i else -1
        kind = types[rng.integers(len(types))]
        keys = {"point": rng.normal(size=3)}
        if frame == "local":
            keys["point2"] = rng.normal(size=3) * 0.2
            if kind != "free":
                keys["quaternion"] = random_rotation(rng)
        if JOINTS[kind].has_axis:
            keys["axis"] = rng.normal(size=3)
        if kind in ("universal", "planar"):
            keys["axis2"] = rng.normal(size=3)
        if kind == "helical":
            keys["pitch"] = rng.normal()
        if kind in ("revolute", "prismatic", "helical"):
            keys |= {"reference": rng.normal(), **joint_keys}
        if rotors and JOINTS[kind].nv:
            keys["armature"] = own.uniform(0, 2, size=JOINTS[kind].nv)
        tree.joint(
            f"joint{i}",
            kind,
            "ground" if carrier < 0 else f"body{carrier}",
            f"body{i}",
            **keys,
        )
    return tree.output("poses", "velocities", "joints", "reactions", "energy").spec()
