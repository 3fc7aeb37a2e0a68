"""Rows of cut joints and constraints: each level is the derivative of the one before.

Mechanisms are random trees on a moving base, with one joint whose motion is prescribed, and one
element that restricts them. States are random, too: the laws hold wherever the bodies are, not only
where the rows are met.
"""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import STRAIGHT
from mbd_fmu.reference.run import Run
from mbd_fmu.spatial import quaternion_product
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_inertia, random_rotation

SEEDS = [0, 1, pytest.param(2, marks=pytest.mark.slow)]  # 0: to the ground
ELEMENTS = [
    *tuple(JOINTS),
    *tuple(CONSTRAINTS),
    "gear to a cut joint",
    "rack to a cut joint",
    "coupling to a cut joint",
]
WITH_ROWS = [kind for kind in tuple(JOINTS) if kind != "free"]
# Some hundred operations on numbers of size 1 to 100.
ROUNDING = 1e-11


def joint_keys(kind, rng):
    """A joint drawn in local frames, anywhere."""
    keys = {"point": rng.normal(size=3), "point2": rng.normal(size=3) * 0.5}
    if kind != "free":
        keys["quaternion"] = random_rotation(rng)
    if JOINTS[kind].has_axis:
        keys["axis"] = rng.normal(size=3)
    if kind in ("universal", "planar"):
        keys["axis2"] = rng.normal(size=3)
    if kind == "helical":
        keys["pitch"] = rng.uniform(1.0, 3.0)
    if kind in ("revolute", "prismatic", "helical"):
        keys["reference"] = rng.normal()
    return keys


def constraint_keys(kind, rng):
    """A constraint between bodies c and e, or on one of them."""
    if kind in ("gear", "rack_pinion"):
        size = {"gear": "ratio", "rack_pinion": "radius"}[kind]
        return {"joints": ["two", "four"], size: rng.normal(), "offset": rng.normal()}
    if kind == "coupling":
        return {"joints": ["two", "four"], "ratios": rng.normal(size=2), "offset": rng.normal()}
    if kind == "knife_edge":
        return {"body": "e", "point": rng.normal(size=3), "axis": rng.normal(size=3)}
    if kind in ("rolling_disc", "wheel_set"):
        keys = {
            "point": rng.normal(size=3),
            "normal": rng.normal(size=3),
            "center": rng.normal(size=3),
            "axis": rng.normal(size=3),
            "radius": rng.uniform(0.2, 1.0),
        }
        if kind == "rolling_disc":
            return keys | {"body": "e"}
        return keys | {"bodies": ["e", "c"], "center2": rng.normal(size=3)}
    ends = {"parent": "c", "child": "e", "point": rng.normal(size=3), "point2": rng.normal(size=3)}
    if kind == "distance":
        return ends | {"length": rng.uniform(0.5, 2.0)}
    return ends | {"axis": rng.normal(size=3)}


def restricted(element, seed):
    """ground - a - c and ground - d - e; the element is between or on c and e."""
    rng = np.random.default_rng([ELEMENTS.index(element), seed])
    it = Mechanism("restricted", frame="local").moving_base()
    for name in "acde":
        it.body(name, mass=1.0, com=rng.normal(size=3), inertia=random_inertia(rng))
    told = rng.integers(4)
    one_freedom = ("revolute", "prismatic", "helical")
    between_joints = element.startswith(("gear", "rack", "coupling"))
    for n, (name, parent, child) in enumerate(
        [("one", "ground", "a"), ("two", "a", "c"), ("three", "ground", "d"), ("four", "d", "e")]
    ):
        is_geared = between_joints and name in ("two", "four")
        kind = rng.choice(one_freedom if is_geared else tuple(JOINTS))
        keys = joint_keys(kind, rng)
        if n == told and kind != "rigid":
            keys["drive"] = "motion"
        it.joint(name, kind, parent, child, **keys)
    if element in tuple(JOINTS):
        keys = joint_keys(element, rng)
        it.joint("closing", element, *(("c", "e") if seed else ("ground", "e")), cut=True, **keys)
    elif element in tuple(CONSTRAINTS):
        it.constraint("closing", element, **constraint_keys(element, rng))
    else:
        kind = "prismatic" if "rack" in element else "helical"
        it.joint("cut", kind, "c", "e", cut=True, drive="none", **joint_keys(kind, rng))
        if "gear" in element:
            it.constraint("closing", "gear", joints=["cut", "four"], ratio=0.7, offset=0.2)
        elif "coupling" in element:
            keys = {"ratios": [0.7, -1.5, 2.0], "offset": 0.2}
            it.constraint("closing", "coupling", joints=["two", "cut", "four"], **keys)
        else:
            it.constraint("closing", "rack_pinion", joints=["two", "cut"], radius=-0.6)
    return system_of(it.output("joints", "reactions").spec())


def a_state(system, seed):
    """A random state and random inputs; quaternions of prescribed motions have length 1."""
    x, u = random_state(system, np.random.default_rng(seed))
    for motion in system.table.motions:
        if motion.turn:
            quat, _, _ = motion.turn
            u[quat] /= np.linalg.norm(u[quat])
    return x, u


def input_rates(system, u):
    """du/dt of inputs that stay one motion; others rest, as do given accelerations."""
    rates = np.zeros(len(u), dtype=object)
    for motion in system.table.motions:
        for q, v, a in motion.signals:
            rates[q], rates[v] = u[v], u[a]
        if motion.turn:
            quat, w, alpha = motion.turn
            turned = quaternion_product(np.concatenate([np.zeros(1), u[w]]), u[quat])
            rates[quat] = [0.5 * x for x in turned]
            rates[w] = u[alpha]
    return rates


def derivatives_of_rows(system):
    """Return (x, u, vd) -> phi', sigma', d sigma / dv by CasADi's rules."""
    plant, recorder = plant_of(system, system.nominal_parameters()), Recorder(STRAIGHT)
    n, m = len(system.state_q), len(system.state_v)
    x, u = recorder.tape.symbols(system.nx), recorder.tape.symbols(system.table.n_inputs)
    left = plant.closure(x, u)
    rows = recorder.routine("rows", {"x": x, "u": u}, {"phi": left.phi, "sigma": left.sigma})
    change = evaluator(recorder.calculus.tangent(rows, {"x": "dx", "u": "du"}))
    velocities = rows.with_results({"sigma": rows.results["sigma"]})
    by_x = evaluator(recorder.calculus.jacobian(velocities, "x", {}))

    def derivatives(x, u, vd):
        ud = input_rates(system, u).astype(float)
        rates = change(x, u, plant.rates(x, u, vd), ud)
        slope = by_x(x, u).reshape(-1, system.nx)[:, n : n + m]
        return *np.split(rates, [len(left.phi)]), slope

    return derivatives


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_and_acceleration_rows_are_the_derivatives_of_positions(element, seed):
    """phi' = sigma, d sigma / dv = J, and sigma' = J dv/dt - gamma, for any dv/dt."""
    system = restricted(element, seed)
    x, u = a_state(system, seed)
    vd = np.random.default_rng(seed).normal(size=len(system.state_v))
    eq = plant_of(system, system.nominal_parameters()).equations(x, u)
    phi_rate, sigma_rate, slope = derivatives_of_rows(system)(x, u, vd)
    size = 1.0 + np.abs(eq.gamma).max(initial=0) + np.abs(eq.J).max(initial=0)
    assert np.abs(phi_rate - eq.sigma[: len(eq.phi)]).max(initial=0) < ROUNDING * size
    assert np.abs(slope - eq.J).max(initial=0) < ROUNDING * size
    assert np.abs(sigma_rate - (eq.J @ vd - eq.gamma)).max(initial=0) < ROUNDING * size


@pytest.mark.parametrize("element", ELEMENTS)
def test_there_are_as_many_rows_as_the_table_says(element):
    system = restricted(element, 1)
    x, u = a_state(system, 1)
    eq = plant_of(system, system.nominal_parameters()).equations(x, u)
    assert (len(eq.phi), len(eq.sigma)) == (system.n_holonomic, len(system.rows))
    if element in JOINTS:
        assert len(eq.phi) == len(eq.sigma) == len(JOINTS[element].closing.measures)
    elif element in CONSTRAINTS:
        own = CONSTRAINTS[element]
        assert len(eq.phi) == len(own.holonomic)
        assert len(eq.sigma) - len(eq.phi) == len(own.nonholonomic)


def test_a_cut_joint_has_a_row_for_each_freedom_it_takes():
    for kind, joint in JOINTS.items():
        assert len(joint.closing.measures) == 6 - joint.nv, kind


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_power_of_a_multiplier_is_the_velocity_of_its_row(element, seed):
    """Sum over bodies of wrench times velocity; and J^T in coordinates, with prescribed ones."""
    system = restricted(element, seed)
    x, u = a_state(system, seed)
    at = plant_of(system, system.nominal_parameters()).instant(x, u)
    n = len(system.rows)
    power = sum((own.of(range(n)).T @ at.V_B[i] for i, own in at.rows.acting.items()), np.zeros(n))
    size = 1.0 + np.abs(power).max(initial=0)
    assert np.abs(power - at.rows.sigma).max(initial=0) < ROUNDING * size
    assert np.abs(at.rows.J @ at.v - at.rows.sigma).max(initial=0) < ROUNDING * size


@pytest.mark.parametrize("kind", tuple(JOINTS))
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_a_cut_joint_are_met_wherever_the_joint_lets_the_child_go(kind, seed):
    """A chain goes through the joint in the tree; parallel to it the same joint is cut."""
    rng = np.random.default_rng(seed)
    it = Mechanism("twice", frame="local")
    it.body("a", mass=1.0, com=[0, 0, 0], inertia=random_inertia(rng))
    it.body("b", mass=1.0, com=[0, 0, 0], inertia=random_inertia(rng))
    it.joint("carrier", "free", "ground", "a", **joint_keys("free", rng))
    keys = joint_keys(kind, rng)
    ends = ("a", "b") if seed % 2 else ("b", "a")
    it.joint("in_tree", kind, *ends, **keys)
    it.joint("parallel", kind, *ends, cut=True, **keys)
    system = system_of(it.output("joints").spec())
    plant = plant_of(system, system.nominal_parameters())
    x, u = random_state(system, rng)
    in_tree, parallel = system.forest.every_q[1:]
    x[parallel] = x[in_tree] + 0.3  # which turn it is in must be known
    x = plant.cut_coordinates(x, u)
    left = plant.closure(x, u)
    phi, sigma = left.phi, left.sigma
    # turning by a travel over pitch of size 1 keeps rounding small
    assert np.abs(phi).max(initial=0) < 1e-13 * (1 + np.abs(x).max())
    assert np.abs(sigma).max(initial=0) < 1e-12 * (1 + np.abs(x).max())

    at = plant.instant(x, u, vd=rng.normal(size=len(system.state_v)))
    tree, cut = (
        (at.q[q], at.every_v[v], at.every_vd[v])
        for q, v in zip(system.forest.every_q[1:], system.forest.every_v[1:], strict=True)
    )
    q, q_cut = tree[0], cut[0]
    if JOINTS[kind].quaternion:
        q_cut = np.concatenate([q_cut[:4] * np.sign(q_cut[:4] @ q[:4]), q_cut[4:]])
    for this, other in zip((q, *tree[1:]), (q_cut, *cut[1:]), strict=True):
        assert np.abs(this - other).max(initial=0) < 1e-11


# --- The same mechanism in other axes ---


def as_drawn(element, seed):
    """A world drawing that meets its rows: the ring a - c - e - d closes as drawn."""
    rng = np.random.default_rng([ELEMENTS.index(element), seed])
    it = Mechanism("drawn", gravity=rng.normal(size=3))
    for name in "acde":
        it.body(name, mass=1.0, com=rng.normal(size=3), inertia=random_inertia(rng))
    axial = ("cylindrical", "revolute", "universal")
    for name, kind, parent, child in [
        ("one", axial[seed], "ground", "a"),
        ("two", "revolute", "a", "c"),
        ("three", "universal", "ground", "d"),
        ("four", "helical" if element == "gear" else "prismatic", "d", "e"),
    ]:
        keys = joint_keys(kind, rng)
        for key in ("point2", "quaternion", "reference"):
            keys.pop(key, None)
        it.joint(name, kind, parent, child, **keys)
    if element in tuple(JOINTS):
        keys = joint_keys(element, rng)
        for key in ("point2", "quaternion", "reference"):
            keys.pop(key, None)
        it.joint("closing", element, "c", "e", cut=True, **keys)
    else:
        keys = constraint_keys(element, rng)
        keys.pop("offset", None)
        keys.pop("length", None)
        if element == "point_on_line":
            keys["point2"] = keys["point"] + 0.7 * keys["axis"]
        if element == "point_in_plane":
            keys["point2"] = keys["point"] + np.cross(keys["axis"], rng.normal(size=3))
        if element in ("rolling_disc", "wheel_set"):
            n, a = (keys[k] / np.linalg.norm(keys[k]) for k in ("normal", "axis"))
            up = (n - (a @ n) * a) / np.sqrt(1 - (a @ n) ** 2)
            across = np.cross(n, rng.normal(size=(2, 3)))
            keys["center"] = keys["point"] + across[0] + keys["radius"] * up
            if element == "wheel_set":
                keys["center2"] = keys["point"] + across[1] + keys["radius"] * up
        it.constraint("closing", element, **keys)
    return it.output("joints", "reactions").spec()


def turned(spec, R, shift):
    """The same mechanism, turned and moved as a whole."""
    table = json.loads(spec.text)
    table["model"]["gravity"] = list(R @ table["model"]["gravity"])
    for body in table["body"]:
        body["com"] = list(R @ body["com"] + shift)
        body["inertia"] = (R @ np.array(body["inertia"]) @ R.T).tolist()
    for element in [*table["joint"], *table.get("constraint", [])]:
        for key in ("point", "point2", "center", "center2"):
            if key in element:
                element[key] = list(R @ element[key] + shift)
        for key in ("axis", "axis2", "normal"):
            if key in element:
                element[key] = list(R @ element[key])
    return spec_of_table(table, "turned")


def in_local_frames(spec):
    """A world drawing is a local one in which all frames coincide."""
    table = json.loads(spec.text)
    table["model"]["frame"] = "local"
    for joint in table["joint"]:
        joint["point2"] = joint["point"]
    for c in table.get("constraint", []):
        if c["type"] == "distance":
            c["length"] = float(np.linalg.norm(np.subtract(c["point"], c["point2"])))
    return spec_of_table(table, "local")


def forbidden_motion(system, x):
    """Residuals, projector on the velocities that the rows rule out, and the drift they ask for."""
    plant = plant_of(system, system.nominal_parameters())
    eq = plant.equations(x, system.nominal_inputs())
    inverse = np.linalg.pinv(eq.J, rcond=1e-9)
    return eq.phi, inverse @ eq.J, inverse @ eq.gamma


@pytest.mark.parametrize("element", [*WITH_ROWS, *tuple(CONSTRAINTS)])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_rows_forbid_does_not_depend_on_the_axes_of_the_drawing(element, seed):
    """Rows may be taken in other directions; the motions they leave are the same."""
    table = json.loads(as_drawn(element, seed).text)
    for joint in table["joint"][:2]:
        joint["velocity"] = [0.7, -0.4] if joint["type"] in ("universal", "cylindrical") else 0.6
    spec = spec_of_table(table, "moving")
    R, shift = Rotation.random(random_state=seed).as_matrix(), np.array([1.0, -2.0, 0.5])
    system = system_of(spec)
    x = Run(system).x
    phi, forbidden, drift = forbidden_motion(system, x)
    assert np.abs(phi).max(initial=0) < 1e-12
    for other in (turned(spec, R, shift), in_local_frames(spec)):
        phi_2, forbidden_2, drift_2 = forbidden_motion(system_of(other), x)
        assert np.abs(phi_2).max(initial=0) < 1e-12
        # an inverse of J: rounding times its condition, some thousand here
        assert np.abs(forbidden - forbidden_2).max() < 1e-9
        assert np.abs(drift - drift_2).max() < 1e-9 * (1 + np.abs(drift).max())
