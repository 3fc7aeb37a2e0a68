"""Absolute coordinates against the recursive road: no line of dynamics in common."""

import json

import numpy as np
import pytest

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.mechanics.kinematics import BodyMotion, point_velocity
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.equations import AbsoluteRoad, quaternion_rates
from mbd_fmu.oracle.run import AbsoluteRun
from mbd_fmu.spatial import quaternion_rate, rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

CASES = [(n, seed) for n in (1, 2, 5, 8) for seed in range(6)]


def dressed(n, seed, *, moving_base=False):
    """A random tree with everything in it that exerts a force, and some told motions."""
    rng = np.random.default_rng(seed + 1000)
    table = json.loads(random_tree(n, seed).text)
    for joint in table["joint"]:
        nq, nv = JOINTS[joint["type"]].nq, JOINTS[joint["type"]].nv
        if nv and rng.uniform() < 0.25:
            joint["drive"] = "motion"
        if nv:
            joint |= {"damping": rng.uniform(0, 2, nv).tolist(), "friction_speed": 0.3}
            joint["friction"] = rng.uniform(0, 2, nv).tolist()
            joint["armature"] = [d / 2 for d in joint["damping"]]
        if nv and nq == nv:
            joint |= {"stiffness": rng.uniform(0, 9, nv).tolist(), "rest": rng.normal(size=nv)}
            joint |= {"lower": rng.uniform(-2, 0, nv), "upper": rng.uniform(0.1, 2, nv)}
            joint |= {"stop_stiffness": 20.0, "stop_damping": 3.0, "stop_width": 0.2}
            joint |= {k: joint[k].tolist() for k in ("rest", "lower", "upper")}
    names = ["ground", *(body["name"] for body in table["body"])]
    table["force"] = []
    for k, kind in enumerate(("spring_damper", "spring_damper", "inverse_square", "bushing")):
        parent, child = rng.choice(len(names), size=2, replace=False)
        force = {"name": f"force{k}", "type": kind, "parent": names[parent], "child": names[child]}
        force |= {key: rng.normal(size=3).tolist() for key in ("point", "point2")}
        if kind == "inverse_square":
            force["strength"] = 2.0
        else:
            size = 6 if kind == "bushing" else None
            force["stiffness"] = np.array(rng.uniform(1, 9, size)).tolist()
            force["damping"] = np.array(rng.uniform(1, 3, size)).tolist()
        if kind == "spring_damper":
            force["length"] = 0.5 * k
        table["force"].append(force)
    for axes in ("world", "body"):
        wrench = {"name": f"wrench_{axes}", "type": "wrench", "body": names[-1], "axes": axes}
        table["force"].append(wrench | {"point": rng.normal(size=3).tolist()})
    if moving_base:
        table["base"] = {"motion": "prescribed"}
    return spec_of_table(table, "test")


def placed_alike(run, plant, x, u):
    """Give the run the state and the inputs of the recursive road."""
    q, v, *_ = plant.coordinates(x, u)
    forest, tree = plant.system.forest, plant.tree
    motion = BodyMotion(tree, q, v)
    parts = [[None] * run.n for _ in range(4)]
    for i, k in enumerate(forest.body):
        R, quat, w = motion.turning(i)
        com = tree.p_BBcm[i]
        parts[0][k] = motion.placed.point_W(i, com)
        parts[1][k] = quat
        parts[2][k] = motion.placed.R_WB[i] @ point_velocity(motion.V_B[i], com)
        parts[3][k] = R.T @ w if run.road.frame == "body" else w
    run.x = np.concatenate([*(np.array(part, dtype=float).ravel() for part in parts), np.zeros(3)])
    places = run.inputs.places(run.spec)
    assert set(places) == {v.name for v in plant.system.table.inputs}
    for variable, value in zip(plant.system.table.inputs, u, strict=True):
        kept, at = places[variable.name]
        kept[at] = value
    run.near = {run.spec.joints[k].name: q[forest.q[i]] for i, k in enumerate(forest.joint)}
    run.rank = None


def case(spec, seed, frame):
    system = system_of(spec)
    x, u = random_state(system, np.random.default_rng(seed))
    plant = plant_of(system, system.nominal_parameters())
    run = AbsoluteRun(spec, 1e-6, frame=frame)
    placed_alike(run, plant, x, u)
    return run, plant, x, u


@pytest.mark.parametrize("frame", ["fixed", "body"])
@pytest.mark.parametrize(("n", "seed"), CASES)
def test_joints_hold_where_the_recursive_road_puts_the_bodies(n, seed, frame):
    run, *_ = case(dressed(n, seed), seed, frame)
    moment = run.moment(run.x)
    size = 1 + np.abs(run.x).max()
    # positions of some ten metres, rounded at each of n joints
    assert np.abs(moment.residuals).max(initial=0) < 1e-13 * size * 10
    assert np.abs(moment.rows.value).max(initial=0) < 1e-13 * size * 100


@pytest.mark.parametrize("frame", ["fixed", "body"])
@pytest.mark.parametrize("moving_base", [False, True])
@pytest.mark.parametrize(("n", "seed"), CASES)
def test_everything_put_out_agrees_with_the_recursive_road(n, seed, moving_base, frame):
    """Poses, joint coordinates, rates, accelerations, reactions, drives and energies."""
    spec = dressed(n, seed, moving_base=moving_base)
    run, plant, x, u = case(spec, seed, frame)
    ours = run.outputs()
    values = plant.all_outputs(x, u)
    names = [v.name for v in plant.system.table.outputs]
    # what is counted along the way; and what only mechanisms with constraints have
    apart = {"energy.input_work", "energy.dissipated"}
    missing = [name for name in names if name not in ours and not name.startswith("constraint.")]
    assert not missing
    size = 1 + np.abs(values).max()
    for name, value in zip(names, values, strict=True):
        if name in ours and name not in apart and not name.startswith("constraint."):
            # a decomposition of some 50 rows rounds at 1e-13 of the largest force
            assert ours[name] == pytest.approx(value, abs=1e-10 * size), name

    moment = run.moment(run.x)
    work, dissipated = plant.derivatives(x, u)[-2:]
    assert moment.powers(moment.solve()) == pytest.approx((work, dissipated), abs=1e-10 * size)


@pytest.mark.parametrize(("n", "seed"), CASES)
def test_the_books_of_power_balance(n, seed):
    """d(kinetic + potential)/dt = power of inputs - losses: by differences along the motion."""
    spec = dressed(n, seed)
    run, *_ = case(spec, seed, "fixed")
    moment = run.moment(run.x)
    work, loss = moment.powers(moment.solve())

    def energy(t):
        ahead = run.moment(run.x + t * run.rate(run.x))
        return ahead.kinetic_energy() + ahead.potential_energy()

    h = 1e-6
    rate = (energy(h) - energy(-h)) / (2 * h)
    size = 1 + abs(work) + abs(loss) + abs(energy(0.0))
    assert rate == pytest.approx(work - loss, abs=1e-7 * size)  # rounding over h; h^2 times jerk


def test_a_spring_without_natural_length_needs_no_direction():
    """Its ends may coincide: the force is then nothing but zero, also with a damper."""
    spec = dressed(2, 3)
    table = json.loads(spec.text)
    table["force"] = table["force"][:1]
    table["force"][0] |= {"parent": "ground", "child": "body0", "length": 0.0}
    road = AbsoluteRoad(spec_of_table(table, "test"))
    run = AbsoluteRun(spec_of_table(table, "test"), 1e-6)
    state = run.state(run.x)
    centre = road.bodies[0].com
    at = state.p[0] + rotation_matrix(state.quat[0]) @ (table["force"][0]["point2"] - centre)
    table["force"][0]["point"] = at.tolist()
    moment = AbsoluteRoad(spec_of_table(table, "test")).moment(state)
    push = moment.passive[-1]
    assert np.abs(push.force).max() < 1e-12
    assert push.energy == pytest.approx(0, abs=1e-20)


def test_quaternions_turn_alike_for_both_forms_of_angular_velocity():
    """w in the world, from the left, or in the body, from the right: [004] writes both."""
    rng = np.random.default_rng(2)
    quat = rng.normal(size=(5, 4))
    quat /= np.linalg.norm(quat, axis=1)[:, None]
    w = rng.normal(size=(5, 3))
    w_body = np.array([rotation_matrix(q).T @ x for q, x in zip(quat, w, strict=True)])
    theirs = [quaternion_rate(q, x) for q, x in zip(quat, w_body, strict=True)]
    assert quaternion_rates(quat, w) == pytest.approx(np.array(theirs), abs=1e-14)
    assert quaternion_rates(quat, w_body, "body") == pytest.approx(np.array(theirs), abs=1e-14)


def test_an_unknown_frame_is_refused():
    with pytest.raises(ValueError, match='frame is "moving"'):
        AbsoluteRoad(random_tree(1, 0), frame="moving")
