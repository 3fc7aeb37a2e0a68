"""Runs in absolute coordinates: trees against the recursive road, loops against references."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.oracle.run import AbsoluteRun, simulate_absolute
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.cases import case_of, solution_of
from tests.laws.test_absolute import dressed

SOLID = {"shape": "box", "size": [0.3, 0.2, 0.1]}


def test_both_formulations_move_the_six_axis_arm_alike():
    folder = library()["six_axis_arm"]
    spec, inputs = read_model(folder), read_csv(folder / "input.csv")
    keys = {"stop": 0.1, "step": 0.02, "inputs": inputs}
    settings = {"solver.tolerance": 1e-9}
    recursive = simulate(system_of(spec), **keys, settings=settings)
    absolute = simulate_absolute(spec, **keys, tolerance=1e-9)
    for name in absolute.names:
        if name in recursive:
            one, other = recursive.column(name), absolute.column(name)
            # 1e-9 per internal step, errors grow by some 350 over a second
            assert np.abs(one - other).max() < 1e-6 * (1 + np.abs(one).max()), name


def door(first, second):
    """Ten kilograms on two hinges, one above the other."""
    it = Mechanism("door")
    it.body("leaf", mass=10, com=[0.4, 0, 0], inertia=SOLID)
    for name, height in (first, second):
        it.joint(
            name, "revolute", "ground", "leaf", point=[0, 0, height], axis=[0, 0, 1], drive="none"
        )
    return it.spec()


@pytest.mark.parametrize("swap", [False, True])
def test_each_of_two_hinges_carries_half_the_door(swap):
    """9.81 * 10 / 2 = 49.05 N each, whichever is listed first."""
    hinges = (("lower", -0.5), ("upper", 0.5))
    outputs = AbsoluteRun(door(*(hinges[::-1] if swap else hinges)), 1e-6).outputs()
    for name in ("lower", "upper"):
        assert outputs[f"{name}.force.z"] == pytest.approx(49.05, rel=1e-9)
    assert outputs["constraint.rank"] == 5  # of ten rows


def four_bar(case):
    """The reference's planar pin becomes a hinge like the others: ten rows more than needed."""
    world = case["model_AWD"]
    it = Mechanism("four_bar", gravity=world["gravity"])
    for name, data in world["bodies"].items():
        keys = {key: data[key] for key in ("mass", "com", "inertia")}
        it.body(name, **keys, velocity={"linear": data["v"], "angular": data["w"]})
    for joint in world["joints"]:
        keys = {"point": joint["point"], "axis": joint["axis"], "drive": "none"}
        it.joint(joint["name"], "revolute", joint["a"], joint["b"], **keys)
    return it.spec()


def test_a_four_bar_of_redundant_hinges_follows_its_reference():
    case = case_of("closed_loop/drake_four_bar_passive")
    theirs = solution_of("closed_loop/drake_four_bar_passive")
    result = simulate_absolute(four_bar(case), stop=0.5, step=0.05, tolerance=1e-9)
    rows = [theirs.row_at(t) for t in result.time]
    # in-plane forces are unique whatever the redundancy
    for joint in ("WA", "AB", "WC", "BC"):
        for c in "xz":
            expected = theirs.column(f"{joint}.reac_f{c}")[rows]
            found = result.column(f"{joint}.force.{c}")
            assert np.abs(found - expected).max() < 1e-6 * np.ptp(
                theirs.column(f"{joint}.reac_f{c}")
            )
    assert result.column("constraint.position_error").max() < 1e-11
    assert set(result.column("constraint.rank")) == {17.0}  # 18 - 1 freedom
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    assert np.ptp(energy) < 1e-8 * np.ptp(result.column("energy.kinetic"))


GIVEN_SPEEDS = [
    "cardan_shaft",
    "four_bar",
    "one_cylinder_engine",
    "slider_crank",
    "slider_crank_ball",
    "spatial_slider_crank",
]


@pytest.mark.parametrize("name", GIVEN_SPEEDS)
def test_speeds_given_in_a_loop_stay(name):
    """The other joints make up for them, as in the recursive road: least motion must not win."""
    spec = read_model(library()[name])
    (given,) = (joint for joint in spec.joints if joint.velocity is not None)
    (speed,) = given.velocity
    assert AbsoluteRun(spec, 1e-6).outputs()[f"{given.name}.qd"] == pytest.approx(speed, rel=1e-12)


def test_speeds_that_contradict_each_other_give_way_but_for_fixed_ones():
    """A turning crank turns its pin at its own speed, not at the one given."""
    table = json.loads(read_model(library()["slider_crank"]).text)
    joints = {joint["name"]: joint for joint in table["joint"]}
    joints["bearing"]["fixed"] = True
    joints["crank_pin"]["velocity"] = 1.0
    found = AbsoluteRun(spec_of_table(table, "test"), 1e-6).outputs()
    reference = read_csv(library()["slider_crank"] / "reference.csv")
    for name in ("bearing.qd", "bore.qd", "energy.kinetic"):
        assert found[name] == pytest.approx(reference.column(name)[0], rel=1e-12), name


def test_bodies_that_cannot_meet_are_named():
    spec = door(("lower", -0.5), ("upper", 0.5))
    table = json.loads(spec.text)
    table["model"]["frame"] = "local"
    table["joint"][1] |= {"point": [0, 0, 0.5], "point2": [5, 0, 0.5]}  # five metres off
    with pytest.raises(MbdFmuError, match=r'do not close after 30 iterations: joint "\w+" by'):
        AbsoluteRun(spec_of_table(table, "test"), 1e-6)


def test_bodies_without_inertia_are_refused():
    it = Mechanism("it").body("dot", mass=1, com=[0, 0, 0], inertia={"shape": "point"})
    with pytest.raises(SpecError, match='body "dot": has no mass or no inertia about some axis'):
        AbsoluteRun(it.spec(), 1e-6)


@pytest.mark.parametrize("frame", ["fixed", "body"])
@pytest.mark.parametrize("seed", [0, 3, 4])
@pytest.mark.parametrize("moving_base", [False, True])
def test_trees_full_of_forces_and_told_motions_run_as_the_recursive_road_does(
    seed, moving_base, frame
):
    spec = dressed(3, seed, moving_base=moving_base)
    system = system_of(spec)
    rng = np.random.default_rng(seed)
    told = {v.name: rng.normal() for v in system.table.inputs}
    for name in told:
        if ".alpha." in name:
            # a turn that speeds up about another axis is no motion that exp(tw + t^2 alpha/2) has
            told[name] = 0.5 * told[name.replace(".alpha.", ".w.")]
    inputs = Trajectory(np.array([0.0]), tuple(told), np.array([list(told.values())]))
    keys = {"stop": 0.2, "step": 0.05, "inputs": inputs}
    theirs = simulate(system, **keys, settings={"solver.tolerance": 1e-9})
    ours = simulate_absolute(spec, **keys, tolerance=1e-9, frame=frame)
    for name in theirs.names:
        if name in ours and not name.startswith("constraint."):
            one, other = theirs.column(name), ours.column(name)
            # 1e-9 per internal step; stops of 20 N/m at a width of 0.2 amplify little
            assert np.abs(one - other).max() < 1e-6 * (1 + np.abs(one).max()), name
    books = [ours.column(f"energy.{key}") for key in ("kinetic", "potential", "dissipated")]
    balance = sum(books) - ours.column("energy.input_work")
    assert np.ptp(balance) < 1e-7 * (1 + np.abs(books).max())


def test_a_told_crank_turns_many_times_and_takes_its_torque():
    """A driven wheel with an eccentric mass: tau = I q'' + m g e cos(q)."""
    it = Mechanism("crank")
    it.body("wheel", mass=2, com=[0.3, 0, 0], inertia=SOLID)
    keys = {"point": [0, 0, 0], "axis": [0, -1, 0], "drive": "motion", "velocity": 10.0}
    it.joint("pin", "revolute", "ground", "wheel", **keys)
    run = AbsoluteRun(it.spec(), 1e-8)
    run.set({"pin.qdd": 3.0})
    for _ in range(6):
        run.step(0.5)
    q = 10 * 3 + 3 * 3**2 / 2
    found = run.outputs()
    assert run.near["pin"] == pytest.approx([q], abs=1e-10)
    I = 2 * (0.3**2 + 0.1**2) / 12 + 2 * 0.3**2  # about y, and from the mass centre
    tau = I * 3 + 2 * 9.81 * 0.3 * np.cos(q)
    assert found["pin.tau"] == pytest.approx(tau, abs=1e-8)
    work = found["energy.kinetic"] + found["energy.potential"] - I * 10**2 / 2
    # 7 turns and more of 1e-8 per internal step
    assert found["energy.input_work"] == pytest.approx(work, rel=1e-6)


def test_a_loop_moves_alike_in_both_forms_of_angular_velocity():
    case = case_of("closed_loop/drake_four_bar_passive")
    keys = {"stop": 0.2, "step": 0.05, "tolerance": 1e-9}
    fixed, body = (simulate_absolute(four_bar(case), **keys, frame=f) for f in ("fixed", "body"))
    scale = 1 + np.abs(fixed.values).max(axis=0)
    assert np.abs((fixed.values - body.values) / scale).max() < 1e-7  # 1e-9 per internal step


def test_a_loop_on_a_moving_base_feels_only_how_the_base_accelerates():
    """Accelerating the base by -g does what gravity does; its own position does not matter."""
    case = case_of("closed_loop/drake_four_bar_passive")
    resting = four_bar(case)
    table = json.loads(resting.text) | {"base": {"motion": "prescribed"}}
    gravity = table["model"].pop("gravity")
    table["model"]["gravity"] = [0, 0, 0]
    riding = AbsoluteRun(spec_of_table(table, "test"), 1e-9)
    riding.set({f"base.a.{c}": -g for c, g in zip("xyz", gravity, strict=True)})
    still = AbsoluteRun(resting, 1e-9)
    for _ in range(4):
        for run in (riding, still):
            run.step(0.05)
        ours, theirs = riding.outputs(), still.outputs()
        for joint in ("WA", "AB", "WC", "BC"):
            for key in ("q", "qd", "qdd", "force.x", "force.z"):
                name = f"{joint}.{key}"
                assert ours[name] == pytest.approx(theirs[name], rel=1e-6, abs=1e-6), name


def test_start_values_that_are_fixed_stay_when_a_loop_closes():
    """Crank and slider: the crank keeps its angle, everything else gives way."""
    it = Mechanism("slider_crank")
    it.body("crank", mass=1, com=[0.5, 0, 0], inertia=SOLID)
    it.body("rod", mass=1, com=[2, 0, 0], inertia=SOLID)
    it.body("block", mass=1, com=[3, 0, 0], inertia=SOLID)
    pin = {"axis": [0, 1, 0], "drive": "none"}
    fixed = {"position": 0.8, "velocity": 2.0, "fixed": True}
    it.joint("A", "revolute", "ground", "crank", point=[0, 0, 0], **pin, **fixed)
    it.joint("B", "revolute", "crank", "rod", point=[1, 0, 0], **pin)
    it.joint("C", "revolute", "rod", "block", point=[3, 0, 0], **pin)
    it.joint("way", "prismatic", "ground", "block", point=[3, 0, 0], axis=[1, 0, 0], drive="none")
    found = AbsoluteRun(it.spec(), 1e-6).outputs()
    assert (found["A.q"], found["A.qd"]) == pytest.approx((0.8, 2.0), abs=1e-12)
    # x = cos(q) + sqrt(4 - sin^2(q)), of crank 1 m and rod 2 m
    root = np.sqrt(4 - np.sin(0.8) ** 2)
    assert found["block.com.x"] == pytest.approx(np.cos(0.8) + root, abs=1e-11)
    rate = -np.sin(0.8) * (1 + np.cos(0.8) / root) * 2
    assert found["block.v.x"] == pytest.approx(rate, abs=1e-11)


def bennett():
    """Four hinges in a spatial loop: a / sin(alpha) = b / sin(beta). By counting it cannot move."""
    lengths, twists = (1.0, np.sin(0.9) / np.sin(0.4)), (0.4, 0.9)
    first = 1.2
    half = np.sin((twists[1] + twists[0]) / 2) / np.sin((twists[1] - twists[0]) / 2)
    second = 2 * np.arctan(half / np.tan(first / 2))
    it = Mechanism("bennett")
    at, R, points, axes = np.zeros(3), np.eye(3), [], []
    for k, angle in enumerate((first, second, -first, -second)):
        points.append(at)
        axes.append(R[:, 2])
        R = R @ Rotation.from_euler("z", angle).as_matrix()
        at = at + lengths[k % 2] * R[:, 0]
        R = R @ Rotation.from_euler("x", twists[k % 2]).as_matrix()
    assert np.abs(at).max() + np.abs(R - np.eye(3)).max() < 1e-12  # it closes
    names = ("ground", "one", "two", "three")
    for k in (1, 2, 3):
        com = (points[k] + points[(k + 1) % 4]) / 2
        it.body(names[k], mass=1, com=com, inertia={"shape": "sphere", "radius": 0.2})
    for k in range(4):
        keys = {"point": points[(k + 1) % 4], "axis": axes[(k + 1) % 4], "drive": "none"}
        it.joint(f"hinge{k}", "revolute", names[k], names[(k + 1) % 4], **keys)
    return it.spec()


@pytest.mark.parametrize("frame", ["fixed", "body"])
def test_a_loop_that_only_its_measures_let_move_swings_and_keeps_its_energy(frame):
    """Rank 17 of 20 rows, all the way, though the rows differ between the points of a step."""
    result = simulate_absolute(bennett(), stop=1.5, step=0.1, tolerance=1e-9, frame=frame)
    assert set(result.column("constraint.rank")) == {17.0}
    assert np.ptp(result.column("hinge0.q")) > 0.3
    energy = result.column("energy.kinetic") + result.column("energy.potential")
    # 1e-9 per internal step
    assert np.ptp(energy) < 1e-6 * np.ptp(result.column("energy.kinetic"))
    assert result.column("constraint.position_error").max() < 1e-11
