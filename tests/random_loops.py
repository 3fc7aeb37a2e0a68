"""Random mechanisms with closed loops, by seed, and the same state in another description.

A loop is drawn in the world and closes as drawn, whatever joints it is made of. Tables, not
specifications, are handed out: tests change them and read them again.
"""

import numpy as np

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.random_trees import random_inertia

SPATIAL = (
    "revolute",
    "prismatic",
    "cylindrical",
    "universal",
    "spherical",
    "planar",
    "helical",
    "rigid",
)
GROUPS = ["poses", "velocities", "joints", "reactions", "energy", "quality"]


def random_loops(seed, *, planar=False, types=SPATIAL, forces=True, extra="distance", motor=False):
    """The table of a mechanism with one loop or two, and a branch; it can move."""
    rng = np.random.default_rng([seed, planar])
    n = int(rng.integers(3, 6))
    bodies = [_body(f"body{k}", rng) for k in range(n + 1)]
    names = ["ground", *(f"body{k}" for k in range(n)), "ground"]
    kinds = _planar_ring(n, rng) if planar else _spatial_ring(n, rng, types)
    normal = rng.normal(size=3)
    joints = [
        _joint(f"joint{k}", kind, names[k], names[k + 1], rng, normal if planar else None)
        for k, kind in enumerate(kinds)
    ]
    branch = rng.choice(["revolute", "spherical", "prismatic"])
    joints.append(_joint("branch", branch, f"body{rng.integers(n)}", f"body{n}", rng))
    mobility = sum(JOINTS[kind].nv for kind in kinds) - (3 if planar else 6)
    table = {
        "model": {"name": "loops", "gravity": (rng.normal(size=3) * 5).tolist()},
        "body": bodies,
        "joint": joints,
        "output": [{"groups": GROUPS}],
    }
    if mobility > 1:  # something else takes one freedom
        table["constraint"] = [_constraint(extra, f"body{rng.integers(1, n - 1)}", joints, rng)]
    if forces:
        for joint in joints[:: int(rng.integers(1, 3))]:
            _forces(joint, rng)
        table["force"] = [
            {
                "name": "spring",
                "type": "spring_damper",
                "parent": "ground",
                "child": "body1",
                "point": rng.normal(size=3).tolist(),
                "point2": rng.normal(size=3).tolist(),
                "stiffness": rng.uniform(1, 20),
                "damping": rng.uniform(0, 2),
                "length": rng.uniform(0.1, 1),
            }
        ]
    if motor and (single := _single(joints)):
        table.setdefault("force", []).append(_motor(single, np.random.default_rng([seed, 1])))
    moving = [joint for joint in joints if joint["type"] in ("revolute", "prismatic", "helical")]
    if moving:
        moving[0]["velocity"] = rng.uniform(0.5, 2.0)
    return table


def _spatial_ring(n, rng, types):
    """Types of n + 1 joints with 7 to 9 freedoms."""
    while True:
        kinds = [str(kind) for kind in rng.choice(types, size=n + 1)]
        if 7 <= sum(JOINTS[kind].nv for kind in kinds) <= 9:
            return kinds


def _planar_ring(n, rng):
    """Hinges across one plane, and at most one slider in it."""
    kinds = ["revolute"] * (n + 1)
    if rng.random() < 0.5:
        kinds[rng.integers(n + 1)] = "prismatic"
    return kinds


def _body(name, rng):
    return {
        "name": name,
        "mass": rng.uniform(0.5, 3.0),
        "com": rng.normal(size=3).tolist(),
        "inertia": random_inertia(rng).tolist(),
        "origin": rng.normal(size=3).tolist(),
    }


def _joint(name, kind, parent, child, rng, normal=None):
    joint = {"name": name, "type": str(kind), "parent": parent, "child": child}
    if rng.random() < 0.3:
        joint["parent"], joint["child"] = child, parent
    joint["point"] = rng.normal(size=3).tolist()
    axis = rng.normal(size=3)
    if normal is not None:
        axis = normal if kind == "revolute" else np.cross(normal, axis)
    if JOINTS[kind].has_axis:
        joint["axis"] = axis.tolist()
    if kind in ("universal", "planar"):
        joint["axis2"] = rng.normal(size=3).tolist()
    if kind == "helical":
        joint["pitch"] = rng.uniform(0.5, 2.0)
    return joint


def _constraint(kind, body, joints, rng):
    """A bar, a plane, a gear or a coupling, met as drawn; a bar where joints are missing."""
    single = _single(joints)
    if kind == "coupling" and len(single) > 1:
        some = single[:3]
        return {"name": "bar", "type": "coupling", "joints": some, "ratios": _ratios(some, rng)}
    if kind == "gear" and len(single) > 1:
        return {"name": "bar", "type": "gear", "joints": single[:2], "ratio": rng.uniform(-2, -1)}
    ends = rng.normal(size=(2, 3))
    bar = {"name": "bar", "type": "distance", "parent": "ground", "child": body}
    bar |= {"point": ends[0].tolist(), "point2": ends[1].tolist()}
    if kind == "point_in_plane":
        across = np.cross(ends[0] - ends[1], rng.normal(size=3))
        bar |= {"type": "point_in_plane", "axis": across.tolist()}
    return bar


def _single(joints):
    """Names of those that have one coordinate."""
    kinds = {joint["name"]: JOINTS[joint["type"]] for joint in joints}
    return [name for name, kind in kinds.items() if (kind.nq, kind.nv) == (1, 1)]


def _ratios(joints, rng):
    """One for each, of either sign."""
    n = len(joints)
    return (rng.uniform(0.5, 2, size=n) * rng.choice([-1, 1], size=n)).tolist()


def _motor(joints, rng):
    """An actuator on as many as there are, with all it may have."""
    keys = ("gain", "stiffness", "rest", "damping", "bias")
    motor = {"name": "motor", "type": "actuator", "joints": joints}
    motor["ratios"] = _ratios(joints, rng)
    return motor | dict(zip(keys, rng.uniform(0.1, 3, size=len(keys)).tolist(), strict=True))


def _forces(joint, rng):
    """Rotor, spring, damper, friction and stops, as far as the type may have them."""
    nq, nv = JOINTS[joint["type"]].nq, JOINTS[joint["type"]].nv
    if nv == 0:
        return
    joint["damping"] = rng.uniform(0, 1, size=nv).tolist()
    if nq != nv:  # a damper that knows no directions, so that those of the drawing do not matter
        joint["damping"] = joint["damping"][:1] * nv
    joint["armature"] = [d / 2 for d in joint["damping"]]
    if nq != nv:
        return
    joint["friction"] = rng.uniform(0, 0.5, size=nv).tolist()
    joint["friction_speed"] = 0.1
    joint["stiffness"] = rng.uniform(0, 5, size=nv).tolist()
    joint["rest"] = rng.normal(size=nv).tolist()
    joint["upper"] = rng.uniform(0.1, 0.5, size=nv).tolist()
    joint["stop_stiffness"] = 10.0
    joint["stop_width"] = 0.1


# --- The same state, whoever asks ---


def running(table):
    """The mechanism of a table, assembled."""
    return Run(system_of(spec_of_table(table, "test")))


def named_outputs(run):
    """All outputs by name."""
    return dict(zip((v.name for v in run.system.table.outputs), run.outputs(), strict=True))


def named_inputs(run):
    """All inputs by name."""
    return dict(zip((v.name for v in run.system.table.inputs), run.u, strict=True))


def set_state(run, values, inputs):
    """Put the mechanism into the state that another one of the same names is in."""
    run.x = np.array([values[name] for name in run.system.states.names])
    run.u = np.array([inputs[v.name] for v in run.system.table.inputs])


def wander(run, seed, distance=0.3):
    """Move on along the constraints, in some direction, and give all inputs some value."""
    rng = np.random.default_rng(seed)
    run.u = rng.normal(size=len(run.u)) * 2
    system, manifold = run.system, Manifold(run.plant, run.u)
    n, m = len(system.state_q), len(system.state_v)
    aim = rng.normal(size=m)
    for _ in range(3):
        J = run.plant.closure(run.x, run.u).J
        free = aim - np.linalg.pinv(J, rcond=1e-7) @ (J @ aim)
        size = np.abs(free).max(initial=0.0)
        if size < 1e-6:
            break
        run.x = run.plant.retract(run.x, run.u, distance / 3 * free / size)
        run.x = manifold.project(run.x, run.assembled.generic_rank)
    run.x[n : n + m] += rng.normal(size=m) * 0.5
    run.x = manifold.project(run.x, run.assembled.generic_rank)
    return run


def unique_reactions(run):
    """Which outputs by name do not depend on how redundant rows share the load."""
    plant, x, u = run.plant, run.x, run.u
    found = plant.accelerated(x, u, run.assembled.generic_rank.all, feedback=False)
    base = plant.solution(x, u, run.assembled.generic_rank.all)
    names = [v.name for v in run.system.table.outputs]
    first, n_rows = run.system.nx, len(run.system.rows)

    def outputs(z):
        stages = ("positions", "velocities", "energies", "work", "accelerations", "reactions")
        return np.concatenate([plant.outputs(stage, x, u, z) for stage in stages])

    one = outputs(base)
    moves = np.zeros(len(one))
    for idle in found.null_multipliers.T:
        z = base.copy()
        z[first : first + n_rows] += idle
        moves += np.abs(outputs(z) - one)
    return {name for name, move in zip(names, moves, strict=False) if move < 1e-9}


def assert_same(one, other, *, but=(), only=None, tolerance=1e-10):
    """Equal but for rounding, times the condition of a random mechanism: at most some 1e5."""
    size = max(1.0, *(abs(v) for v in one.values()))
    names = [n for n in (one if only is None else only) if not any(word in n for word in but)]
    assert names, "there is nothing to compare"
    for name in names:
        gap = abs(one[name] - other[name])
        assert gap < tolerance * size, f"{name}: {one[name]} and {other[name]}, size {size:g}"
