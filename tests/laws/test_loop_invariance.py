"""A closed mechanism described in another way moves the same way and carries the same forces."""

import copy

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.spatial import rotation_matrix
from tests.random_loops import (
    assert_same,
    named_inputs,
    named_outputs,
    random_loops,
    running,
    set_state,
    unique_reactions,
    wander,
)

RINGS = [
    (0, False),
    (3, False),
    (1, True),
    pytest.param(6, False, marks=pytest.mark.slow),
    pytest.param(5, True, marks=pytest.mark.slow),
]
SPATIAL = [0, 7]
MORE = [
    pytest.param(seed, planar, marks=pytest.mark.slow)
    for seed in range(20, 60)
    for planar in (0, 1)
]
QUALITY = ["constraint."]  # ranks and residuals are those of the rows there are


def somewhere(table, seed):
    """The mechanism off its drawn position, in motion and driven."""
    return wander(running(table), seed)


def in_the_same_state(table, run):
    other = running(table)
    set_state(other, named_outputs(run), named_inputs(run))
    return other


@pytest.mark.parametrize(("seed", "planar"), RINGS + MORE)
def test_which_joint_is_cut_does_not_matter(seed, planar):
    """Not even for forces that redundant rows leave open: the rule that shares them is blind."""
    table = random_loops(seed, planar=planar, motor=True)
    one = somewhere(table, seed)
    rng = np.random.default_rng(seed)
    ring = [joint for joint in table["joint"] if joint["name"] != "branch"]
    for k in rng.choice(len(ring), size=2, replace=False):
        other = copy.deepcopy(table)
        other["joint"][k]["cut"] = True
        found = in_the_same_state(other, one)
        assert ring[k]["name"] in [
            found.system.spec.joints[j].name for j in found.system.forest.cut
        ]
        assert_same(named_outputs(one), named_outputs(found), but=QUALITY)


@pytest.mark.parametrize(("seed", "planar"), RINGS)
def test_the_order_of_bodies_and_joints_does_not_matter(seed, planar):
    table = random_loops(seed, planar=planar, motor=True)
    one = somewhere(table, seed)
    rng = np.random.default_rng(seed)
    other = copy.deepcopy(table)
    rng.shuffle(other["body"])
    rng.shuffle(other["joint"])
    assert_same(named_outputs(one), named_outputs(in_the_same_state(other, one)), but=QUALITY)


@pytest.mark.parametrize(("seed", "planar"), RINGS)
def test_a_joint_declared_the_other_way_round_is_the_same_joint(seed, planar):
    """The same coordinate about the opposite axis; its force acts on the other body."""
    table = random_loops(seed, planar=planar, motor=True)
    one = somewhere(table, seed)
    other = copy.deepcopy(table)
    turned = []
    for joint in other["joint"][::2]:
        if joint["type"] in ("revolute", "prismatic", "cylindrical", "helical"):
            joint["parent"], joint["child"] = joint["child"], joint["parent"]
            joint["axis"] = [-x for x in joint["axis"]]
            turned.append(joint["name"])
    values, found = named_outputs(one), named_outputs(in_the_same_state(other, one))
    # torques of sliders refer to another point, and where forces are open that counts in the rule
    unique = unique_reactions(one)
    reversed_ = [f"{name}.{key}." for name in turned for key in ("force", "torque")]
    assert_same(values, found, only=unique, but=[*QUALITY, *reversed_])
    size = max(map(abs, values.values()))
    for name in unique & {f"{joint}.force.{c}" for joint in turned for c in "xyz"}:
        assert found[name] == pytest.approx(-values[name], abs=1e-8 * size), name


def as_table(vectors, R, shift=0.0):
    return (R @ np.array(vectors) + shift).tolist()


@pytest.mark.parametrize(("seed", "planar"), RINGS)
def test_a_mechanism_turned_and_moved_as_a_whole_moves_alike(seed, planar):
    table = random_loops(seed, planar=planar)
    one = somewhere(table, seed)
    R, shift = Rotation.random(random_state=seed).as_matrix(), np.array([1.0, -2.0, 0.5])
    other = copy.deepcopy(table)
    other["model"]["gravity"] = as_table(table["model"]["gravity"], R)
    for body in other["body"]:
        for key in ("com", "origin"):
            body[key] = as_table(body[key], R, shift)
        body["inertia"] = (R @ np.array(body["inertia"]) @ R.T).tolist()
    for element in [*other["joint"], *other.get("constraint", []), *other["force"]]:
        for key in ("axis", "axis2"):
            if key in element:
                element[key] = as_table(element[key], R)
        for key in ("point", "point2"):
            if key in element:
                element[key] = as_table(element[key], R, shift)
    values = named_outputs(one)
    turned = turned_outputs(values, R, shift)
    inputs = named_inputs(one)
    for joint in table["joint"]:
        if joint["type"] == "spherical":  # its drives are in axes of the child
            names = [f"{joint['name']}.tau[{k}]" for k in (1, 2, 3)]
            inputs |= dict(zip(names, R @ [inputs[name] for name in names], strict=True))
    found = running(other)
    set_state(found, turned, inputs)
    assert_same(turned, named_outputs(found), but=[*QUALITY, "quat", "potential"])


def turned_outputs(values, R, shift):
    """Vectors turn, places move, quaternions of joints turn their axis; the rest stays."""
    turned = dict(values)
    for name in values:
        head, _, tail = name.rpartition(".")
        if tail == "x":
            names = [f"{head}.{c}" for c in "xyz"]
            moved = R @ [values[n] for n in names]
            if head.endswith((".r", ".com")):
                moved = moved + shift
            turned |= dict(zip(names, moved, strict=True))
    return turned


@pytest.mark.parametrize("seed", SPATIAL)
def test_world_and_local_drawings_describe_the_same_mechanism(seed):
    table = random_loops(seed)
    one = somewhere(table, seed)
    other = copy.deepcopy(table)
    other["model"]["frame"] = "local"
    for joint in other["joint"]:
        joint["point2"] = joint["point"]
    for bar in other.get("constraint", []):
        bar["length"] = float(np.linalg.norm(np.subtract(bar["point"], bar["point2"])))
    assert_same(named_outputs(one), named_outputs(in_the_same_state(other, one)), tolerance=1e-11)


@pytest.mark.parametrize(("seed", "planar"), RINGS)
@pytest.mark.parametrize("cut", [False, True])
def test_a_body_split_by_a_weld_is_one_body(seed, planar, cut):
    """The weld is part of the ring, in the tree or cut."""
    table = random_loops(seed, planar=planar)
    one = somewhere(table, seed)
    other = copy.deepcopy(table)
    whole = other["body"][1]
    whole["mass"] /= 2
    whole["inertia"] = (np.array(whole["inertia"]) / 2).tolist()
    other["body"].append({**whole, "name": "half"})
    for end in ("parent", "child"):
        if other["joint"][2][end] == "body1":
            other["joint"][2][end] = "half"
    weld = {"name": "weld", "type": "rigid", "parent": "half", "child": "body1", "cut": cut}
    other["joint"].append({**weld, "point": [0.1, 0.2, 0.3]})
    assert_same(
        named_outputs(one),
        named_outputs(in_the_same_state(other, one)),
        only=unique_reactions(one),
    )


def without_forces(joint):
    """The joint without what may sit in it."""
    keys = ("name", "type", "parent", "child", "point", "axis", "axis2", "pitch")
    return {key: joint[key] for key in keys if key in joint}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("cut", [False, True])
def test_a_hinge_is_a_ball_joint_and_two_rows(seed, cut):
    """A point on the axis is kept in two planes through it."""
    table = random_loops(seed, types=("revolute", "cylindrical", "universal", "spherical"))
    hinge = table["joint"][1] = without_forces(table["joint"][1])
    # one type is known, so that the loop may have one freedom more than drawn, but not fewer
    hinge |= {"type": "revolute", "axis": [0.3, -0.4, 0.8], "drive": "none"}
    hinge.pop("axis2", None)
    table["joint"][2] = without_forces(table["joint"][2]) | {"type": "spherical"}
    table["joint"][2].pop("axis", None)
    table["joint"][2].pop("axis2", None)
    one = somewhere(table, seed)
    other = copy.deepcopy(table)
    ball = other["joint"][1]
    ball |= {"type": "spherical", "cut": cut}
    axis = np.array(ball.pop("axis")) / np.linalg.norm(hinge["axis"])
    for k, normal in enumerate(np.linalg.svd(axis[None])[2][1:]):
        plane = {"name": f"plane{k}", "type": "point_in_plane", "axis": normal.tolist()}
        plane |= {"parent": ball["parent"], "child": ball["child"], "point": ball["point"]}
        plane["point2"] = (ball["point"] + axis).tolist()
        other.setdefault("constraint", []).append(plane)
    values = named_outputs(one)
    name = ball["name"]
    q, qd, qdd = (values[f"{name}.{key}"] for key in ("q", "qd", "qdd"))
    known = dict(values) | {f"{name}.q.w": np.cos(q / 2)}
    for c, x in zip("xyz", axis, strict=True):
        known |= {
            f"{name}.q.{c}": x * np.sin(q / 2),
            f"{name}.w.{c}": x * qd,
            f"{name}.wd.{c}": x * qdd,
        }
    found = running(other)
    set_state(found, known, named_inputs(one))
    again = named_outputs(found)
    same = {n for n in unique_reactions(one) if not n.startswith(f"{name}.")}
    assert_same(known, again, only=same | {f"{name}.wd.{c}" for c in "xyz"})


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("cut", [None, 0, 1])
def test_a_cylindrical_joint_is_a_hinge_and_a_slider_with_nothing_between(seed, cut):
    """A body of no mass between them, inside the tree, at its end, or beyond the cut."""
    table = random_loops(seed)
    k = 1 + seed % 3
    joint = table["joint"][k]
    joint = table["joint"][k] = without_forces(joint) | {
        "type": "cylindrical",
        "damping": [0.2, 0.3],
    }
    joint["axis"] = joint.get("axis", [0.2, 0.9, 0.3])
    joint.pop("axis2", None)
    joint.pop("pitch", None)
    one = somewhere(table, seed)
    other = copy.deepcopy(table)
    other["body"].append(
        {"name": "between", "mass": 0.0, "com": [0, 0, 0], "inertia": {"shape": "point"}}
    )
    keys = {"point": joint["point"], "axis": joint["axis"]}
    ends = {"parent": joint["parent"], "child": joint["child"]}
    other["joint"][k : k + 1] = [
        {"name": "turn", "type": "revolute", **keys, "damping": 0.2, **ends, "child": "between"},
        {"name": "slide", "type": "prismatic", **keys, "damping": 0.3, **ends, "parent": "between"},
    ]
    if cut is not None:
        other["joint"][k + cut]["cut"] = True
    name = joint["name"]
    values, inputs = named_outputs(one), named_inputs(one)
    for n, part in ((1, "turn"), (2, "slide")):
        values |= {f"{part}.{key}": values[f"{name}.{key}[{n}]"] for key in ("q", "qd", "qdd")}
    inputs |= {"turn.tau": inputs[f"{name}.tau"], "slide.f": inputs[f"{name}.f"]}
    values |= {f"slide.force.{c}": values[f"{name}.force.{c}"] for c in "xyz"}
    found = running(other)
    set_state(found, values, inputs)
    same = {n for n in unique_reactions(one) if not n.startswith(f"{name}.")}
    same |= {f"{part}.{key}" for part in ("turn", "slide") for key in ("q", "qd", "qdd")}
    if f"{name}.force.x" in unique_reactions(one):
        same |= {f"slide.force.{c}" for c in "xyz"}
    assert_same(values, named_outputs(found), only=same)


# --- Other units ---

UNITS = {"m": (1, 0, 0), "N": (1, 1, -2), "J": (2, 1, -2), "rad": (0, 0, 0), "1": (0, 0, 0)}


def factor(unit, scale):
    """Of a unit like N.m or rad/s2, for lengths, masses and times in other units."""
    above, _, below = unit.partition("/")
    powers = np.sum([UNITS[part] for part in above.split(".")], axis=0)
    if below:
        powers[2] -= int(below[1:] or 1)
    return float(np.prod(np.array(scale) ** powers))


@pytest.mark.parametrize(
    "scale", [(1e3, 1.0, 1.0), (1e-3, 1e-6, 0.1), (1e-6, 1e-15, 1e-3), (1e4, 1e3, 1e2)]
)
@pytest.mark.parametrize(("seed", "planar"), [(0, False), (1, True)])
def test_other_units_give_the_same_motion(seed, planar, scale):
    """From kilometres to micrometres."""
    table = random_loops(seed, planar=planar, forces=False)
    one = somewhere(table, seed)
    length, mass, time = scale
    other = copy.deepcopy(table)
    other["model"]["gravity"] = [x * length / time**2 for x in table["model"]["gravity"]]
    for body in other["body"]:
        body["mass"] *= mass
        for key in ("com", "origin"):
            body[key] = [x * length for x in body[key]]
        body["inertia"] = (np.array(body["inertia"]) * mass * length**2).tolist()
    for element in [*other["joint"], *other.get("constraint", [])]:
        for key in ("point", "point2"):
            if key in element:
                element[key] = [x * length for x in element[key]]
        if "pitch" in element:
            element["pitch"] *= length
        if "velocity" in element:
            element["velocity"] *= (length if element["type"] == "prismatic" else 1.0) / time
    found = running(other)
    units = {v.name: v.unit for v in one.system.table.variables}
    factors = {name: factor(unit, scale) for name, unit in units.items() if "solver" not in name}
    values = {name: value * factors[name] for name, value in named_outputs(one).items()}
    set_state(found, values, {name: u * factors[name] for name, u in named_inputs(one).items()})
    back = {name: value / factors[name] for name, value in named_outputs(found).items()}
    assert found.assembled.generic_rank == one.assembled.generic_rank
    # where forces are open, their share follows from differences of loads of any size
    assert_same(named_outputs(one), back, but=QUALITY, tolerance=1e-8)


# --- Balances ---


@pytest.mark.parametrize(("seed", "planar"), RINGS)
def test_what_is_put_in_is_stored_or_lost(seed, planar):
    """d(T + V)/dt = power in - power lost, by differences along the motion."""
    run = somewhere(random_loops(seed, planar=planar, motor=True), seed)
    xd = run.plant.derivatives(run.x, run.u, run.assembled.generic_rank.all)
    names = [v.name for v in run.system.table.outputs]
    h = 1e-6

    def stored(x):
        values = run.plant.all_outputs(x, run.u, run.assembled.generic_rank.all)
        return sum(values[names.index(f"energy.{key}")] for key in ("kinetic", "potential"))

    rate = (stored(run.x + h * xd) - stored(run.x - h * xd)) / (2 * h)
    put_in, lost = xd[-2:]
    # h^2 times third derivatives, and rounding over h
    assert rate == pytest.approx(put_in - lost, abs=1e-6 * (1 + abs(put_in) + abs(lost)))


@pytest.mark.parametrize(("seed", "planar"), RINGS)
def test_all_forces_on_a_body_change_its_momentum(seed, planar):
    """Forces from the outside only: reactions, multiplier of the bar, gravity; no drives."""
    table = random_loops(seed, planar=planar, forces=False)
    run = somewhere(table, seed)
    run.u = np.zeros_like(run.u)
    xd = run.plant.derivatives(run.x, run.u, run.assembled.generic_rank.all)
    h = 1e-6
    values = named_outputs(run)
    momenta = []
    for side in (1, -1):
        moved = copy.copy(run)
        moved.x = run.x + side * h * xd
        momenta.append({b["name"]: momentum(b, named_outputs(moved)) for b in table["body"]})
    size = max(map(abs, values.values()))
    for body in table["body"]:
        name = body["name"]
        rate = (momenta[0][name] - momenta[1][name]) / (2 * h)
        force = body["mass"] * np.array(table["model"]["gravity"])
        moment = np.zeros(3)
        for f, torque, point in pulls(table, values, name):
            force = force + f
            moment += torque + np.cross(point - vector(values, f"{name}.com"), f)
        # rounding of momenta over h
        assert np.abs(rate[:3] - force).max() < 1e-6 * size, name
        assert np.abs(rate[3:] - moment).max() < 1e-6 * size, name


def vector(values, name):
    return np.array([values[f"{name}.{c}"] for c in "xyz"])


def axes(values, body):
    return rotation_matrix(np.array([values[f"{body}.quat.{c}"] for c in "wxyz"]))


def momentum(body, values):
    """Linear momentum, and angular momentum about the mass centre."""
    name = body["name"]
    R = axes(values, name)
    spin = R @ np.array(body["inertia"]) @ R.T @ vector(values, f"{name}.w")
    return np.concatenate([body["mass"] * vector(values, f"{name}.v"), spin])


def place(table, values, body, point):
    """Where a point of a body, given as drawn, is now."""
    if body == "ground":
        return np.array(point)
    origin = next(b["origin"] for b in table["body"] if b["name"] == body)
    return vector(values, f"{body}.r") + axes(values, body) @ np.subtract(point, origin)


def pulls(table, values, body):
    """Force, torque and point of everything that is joined to a body."""
    for joint in table["joint"]:
        if body in (joint["parent"], joint["child"]):
            sign = 1.0 if body == joint["child"] else -1.0
            name = joint["name"]
            point = place(table, values, joint["child"], joint["point"])
            yield (
                sign * vector(values, f"{name}.force"),
                sign * vector(values, f"{name}.torque"),
                point,
            )
    for bar in table.get("constraint", []):
        if body in (bar["parent"], bar["child"]):
            ends = [
                place(table, values, bar[end], bar[key])
                for end, key in (("parent", "point"), ("child", "point2"))
            ]
            along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
            push = values[f"{bar['name']}.lambda[1]"] * along
            is_child = body == bar["child"]
            yield push if is_child else -push, np.zeros(3), ends[is_child]
