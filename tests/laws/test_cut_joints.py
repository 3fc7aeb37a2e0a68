"""A joint is the same joint in the tree and as the one that closes a loop."""

import copy

import numpy as np
import pytest

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.errors import SpecError
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.random_loops import (
    GROUPS,
    assert_same,
    named_inputs,
    named_outputs,
    running,
    set_state,
)

# What the two roads differ in: free coordinates are integrated with this error per step.
TOLERANCE = 1e-7
FORCES = {
    "stiffness": 3.0,
    "rest": 0.4,
    "damping": 0.05,
    "friction": 0.3,
    "lower": -0.2,
    "upper": 0.9,
}
SCALARS = {"friction_speed": 0.2, "stop_stiffness": 40.0, "stop_damping": 0.5, "stop_width": 0.05}
WITH_ROWS = [kind for kind in tuple(JOINTS) if kind != "free"]
QUALITY = "constraint."  # the rank is that of the rows there are


def body(name, k):
    inertia = np.diag([0.3, 0.4, 0.5]) + 0.02 * (k + 1)
    com = [0.2 * k + 0.1, 0.3, 0.5 - 0.2 * k]
    return {"name": name, "mass": 1.0 + 0.5 * k, "com": com, "inertia": inertia.tolist()}


def joint(name, kind, parent, child, *, forces=False, **keys):
    """A joint of any type, with all that may sit in it."""
    found = {"name": name, "type": kind, "parent": parent, "child": child, "point": [0.3, 0.1, 0.2]}
    nq, nv = JOINTS[kind].nq, JOINTS[kind].nv
    if JOINTS[kind].has_axis:
        found["axis"] = [0.3, -0.5, 0.8]
    if kind in ("universal", "planar"):
        found["axis2"] = [1.0, 0.4, 0.3]
    if kind == "helical":
        found["pitch"] = 1.5
    if nq == 1:
        found["reference"] = 0.25
    if forces and nv:
        usable = FORCES if nq == nv else {k: FORCES[k] for k in ("damping", "friction")}
        found |= {key: [value] * nv for key, value in usable.items()}
        found |= SCALARS if nq == nv else {"friction_speed": 0.2}
        found["armature"] = [0.2 + 0.1 * k for k in range(nv)]
    return found | keys


def mechanism(*joints, bodies="ab"):
    return {
        "model": {"name": "ring", "gravity": [1.0, -2.0, -9.0]},
        "body": [body(name, k) for k, name in enumerate(bodies)],
        "joint": list(joints),
        "output": [{"groups": GROUPS}],
        "fmu": {"tolerance": TOLERANCE},
    }


def in_the_tree(kind, *, against=False, **keys):
    """ground - a - b, through the joint."""
    a, b = ("b", "a") if against else ("a", "b")
    return mechanism(
        joint("carrier", "revolute", "ground", "a", velocity=1.5, axis=[0, 1, 0.2]),
        joint("it", kind, a, b, **keys),
    )


def beside_a_free_joint(table, start):
    """The same, but b flies and the joint closes a loop; b starts as in the tree."""
    table = copy.deepcopy(table)
    table["joint"].append(joint("flight", "free", "ground", "b", drive="none"))
    _, it, _ = table["joint"]
    it["cut"] = True
    it.pop("velocity", None)
    linear, angular = ([start[f"b.{key}.{c}"] for c in "xyz"] for key in "vw")
    table["body"][1]["velocity"] = {"linear": linear, "angular": angular}
    return table


def ring(kind):
    """ground - a - it - b - c - ground, with two balls: it moves with one freedom more than it."""
    return mechanism(
        joint("crank", "revolute", "ground", "a", axis=[0, 1, 0.2], velocity=1.0, damping=0.1),
        joint("it", kind, "a", "b", forces=True, point=[0.5, 0.3, 0.4]),
        joint("ball", "spherical", "b", "c", point=[1.0, 0.8, 0.2]),
        joint("socket", "spherical", "c", "ground", point=[1.5, -0.3, 0.1], damping=[0.1] * 3),
        bodies="abc",
    )


def closed_by(table, cut):
    """The same mechanism, cut at another joint."""
    table = copy.deepcopy(table)
    for j in table["joint"]:
        j["cut"] = j["name"] == cut
    return table


def follow(run, inputs, stop=1.0, step=0.1):
    """Let it move under constant inputs; return the outputs on the way, by name."""
    names = [v.name for v in run.system.table.inputs]
    for name, value in inputs.items():
        run.u[names.index(name)] = value
    found = [named_outputs(run)]
    for _ in range(round(stop / step)):
        run.step(step)
        found.append(named_outputs(run))
    return found


def cut_names(run):
    return [run.system.spec.joints[k].name for k in run.system.forest.cut]


def drives(run, size):
    """Some drive in every freedom of the joint that is looked at."""
    names = [v.name for v in run.system.table.inputs if v.name.startswith("it.")]
    return {name: size * (1 + 0.3 * k) for k, name in enumerate(names)}


def total_energy(values):
    stored = values["energy.kinetic"] + values["energy.potential"]
    return stored - values["energy.input_work"] + values["energy.dissipated"]


@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("kind", WITH_ROWS)
def test_a_joint_is_the_same_in_the_tree_and_beside_a_free_joint(kind, against):
    """Motion, coordinates, rates, reactions and energies for a while, with all forces."""
    table = in_the_tree(kind, against=against, forces=True)
    in_tree = running(table)
    as_cut = running(beside_a_free_joint(table, named_outputs(in_tree)))
    assert cut_names(as_cut) == ["it"]
    runs = [follow(run, drives(run, 1.0), stop=0.2) for run in (in_tree, as_cut)]
    for one, other in zip(*runs, strict=True):
        # some hundred steps with an error of TOLERANCE each, growing with the motion
        assert_same(one, other, tolerance=100 * TOLERANCE)
    # work and losses are integrated with the same error
    start = total_energy(runs[0][0])
    for values in (*runs[0], *runs[1]):
        assert abs(total_energy(values) - start) < 100 * TOLERANCE * (1 + abs(start))


@pytest.mark.parametrize("kind", WITH_ROWS)
def test_a_joint_in_a_ring_is_the_same_whichever_joint_is_cut(kind):
    """On its way, the state of one is put into the others: all outputs agree to rounding."""
    table = ring(kind)
    one = running(closed_by(table, "it"))
    assert cut_names(one) == ["it"]
    others = [running(closed_by(table, cut)) for cut in ("crank", "ball", None)]
    way = follow(one, drives(one, 0.7), stop=0.4, step=0.2)
    for values in way:
        for other in others:
            set_state(other, values, named_inputs(one))
            assert_same(values, named_outputs(other), but=[QUALITY], tolerance=1e-9)
    gap = total_energy(way[-1]) - total_energy(way[0])
    assert abs(gap) < 100 * TOLERANCE * (1 + abs(total_energy(way[0])))


TURNING = [
    "revolute",
    "cylindrical",
    "universal",
    pytest.param("planar", marks=pytest.mark.slow),
    pytest.param("helical", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("kind", TURNING)
def test_a_cut_joint_counts_its_turns(kind):
    """Two turns and more, in long steps."""
    spin = [25.0, 0.3, 0.2][: JOINTS[kind].nv]
    table = in_the_tree(kind, velocity=spin)
    in_tree = running(table)
    as_cut = running(beside_a_free_joint(table, named_outputs(in_tree)))
    runs = [follow(run, {}, stop=0.6, step=0.1)[-1] for run in (in_tree, as_cut)]
    turned = "it.q" if JOINTS[kind].nq == 1 else "it.q[1]"
    assert abs(runs[0][turned]) > 2 * 2 * np.pi
    # a few hundred steps with an error of TOLERANCE each, growing with the motion
    assert_same(*runs, tolerance=1e3 * TOLERANCE)


def test_a_free_joint_that_closes_a_loop_is_told_to_be_idle():
    ring = in_the_tree("revolute")
    ring["joint"].append(joint("flight", "free", "ground", "b", cut=True))
    with pytest.raises(SpecError, match=r'joint "flight": it is free, and .* it restricts nothing'):
        refuse_unusable(system_of(spec_of_table(ring, "test")))
