"""Closed loops inside the FMU: assembly, staying closed, reactions, quality, messages."""

from __future__ import annotations

import numpy as np
import pytest

from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.fmu import mechanisms
from tests.fmu.exchange import directional

OK, ERROR = 0, 3


def test_a_four_bar_stays_closed_and_keeps_its_energy_over_ten_seconds(fmu_of):
    """At a communication step of 1 ms: closure 1e-10 m without trend, energy to 1e-8."""
    names = ["energy.kinetic", "energy.potential", "constraint.position_error", "a.q"]
    with Fmu(fmu_of(mechanisms.four_bar())) as fmu:
        run = fmu.run(np.linspace(0, 10, 10001), tolerance=1e-9, outputs=names).trajectory
    energy = run.column("energy.kinetic") + run.column("energy.potential")
    assert np.abs(energy - energy[0]).max() <= 1e-8 * energy[0]
    error = run.column("constraint.position_error")
    assert error.max() < 1e-10
    assert error[-1000:].mean() < 10 * error[:1000].mean() + 1e-14  # no trend
    assert np.ptp(run.column("a.q")) > 5.0  # it moved a lot


@pytest.mark.parametrize("shape", ["four_bar", "disc", "actuated"])
def test_c_and_numpy_take_the_same_steps(shape, fmu_of):
    system = system_of(spec_of_table(getattr(mechanisms, shape)(), "test"))
    names = tuple(v.name for v in system.table.inputs)
    pushes = np.random.default_rng(1).uniform(-1, 1, size=(1, len(names)))
    inputs = Trajectory(np.array([0.0]), names, pushes)
    with Fmu(fmu_of(getattr(mechanisms, shape)())) as fmu:
        ours = fmu.run(np.linspace(0, 0.5, 26), inputs=inputs).trajectory
    theirs = simulate(system, stop=0.5, step=0.02, inputs=inputs)
    for name in theirs.names:
        one, other = ours.column(name), theirs.column(name)
        # the same steps with other factorisations: rounding, times what the motion makes of it
        assert np.abs(one - other).max() <= 1e-9 * (1 + np.abs(other).max()), name


def test_the_python_back_end_closes_loops_too(fmu_of):
    times = np.linspace(0, 0.1, 6)
    runs = []
    for backend in ("native", "python"):
        with Fmu(fmu_of(mechanisms.four_bar(), backend)) as fmu:
            runs.append(fmu.run(times).trajectory)
    for name in runs[0].names:
        one, other = (run.column(name) for run in runs)
        assert np.abs(one - other).max() <= 1e-9 * (1 + np.abs(other).max()), name


# --- Assembly before initialization ends ---


def test_a_start_value_that_is_set_stays_and_the_others_follow(four_bar, new):
    it = new(four_bar, logging=True).start({"a.q_start": 0.3, "a.qd_start": 2.0})
    assert it.one("a.q") == 0.3
    assert it.one("a.qd") == 2.0
    assert it.one("constraint.position_error") < 1e-12
    assert it.one("constraint.velocity_error") < 1e-12
    assert it.one("d.q") != 0.0
    assert any("start: d.q moved from 0 to" in text for text in it.recorder.texts())


def test_values_that_were_not_given_and_follow_are_told_to_who_asks(four_bar, new):
    """They have a category of their own; only what was given and moved is a warning."""
    for categories, count in (([], 0), ([b"logStart"], 2)):
        instance = new(four_bar)
        assert not categories or instance.debug(categories) == OK
        instance.start()
        told = instance.recorder.texts()
        assert instance.recorder.texts("logStart") == told
        assert len([text for text in told if "moved from 0 to" in text]) == count


def test_values_that_do_not_fit_together_give_way_with_a_warning(four_bar, new):
    it = new(four_bar).start({"a.q_start": 0.3, "d.q_start": -0.3, "c.q_start": 0.5})
    assert it.one("constraint.position_error") < 1e-12
    warnings = it.recorder.texts("logStatusWarning")
    assert any("a.q moved from 0.3" in text for text in warnings)


def crank_on_a_rod() -> dict:
    """A crank held by a rod whose length is a parameter: no freedom is left."""
    table = mechanisms.four_bar()
    table["parameters"] = {"reach": {"value": 1.8, "unit": "m", "min": 0}}
    table["body"], table["joint"] = table["body"][:1], table["joint"][:1]
    del table["joint"][0]["velocity"]
    rod = {"parent": "ground", "child": "crank", "point": [2, 0, 0], "point2": [0.5, 0, 1]}
    table["constraint"] = [{"name": "rod", "type": "distance", "length": "reach", **rod}]
    return table


def test_what_cannot_be_assembled_is_an_error_that_names_the_joint(library_of, new):
    it = new(library_of(crank_on_a_rod()))
    it.setup()
    assert it.enter() == OK
    assert it.set({"reach": 5.0}) == OK  # the tip comes no farther than 3.12 m
    assert it.leave() == ERROR
    (text,) = it.recorder.texts("logStatusError")
    assert text.startswith("start: the positions cannot be made to fit; rod misses most, by ")
    assert text.endswith(" m")


def parallelogram():
    """Two upright links of 1 m and a bar of 2 m on top; at a quarter turn all lie flat."""
    bodies, joints = [], []
    for name, com, axis in (
        ("left_link", [0, 0.5, 0], [0, 1, 0]),
        ("right_link", [2, 0.5, 0], [0, 1, 0]),
        ("bar", [1, 1, 0], [1, 0, 0]),
    ):
        inertia = {"shape": "rod", "length": 2.0 if name == "bar" else 1.0, "axis": axis}
        bodies.append({"name": name, "mass": 1.0, "com": com, "inertia": inertia})
    for name, parent, child, point in (
        ("left", "ground", "left_link", [0, 0, 0]),
        ("right", "ground", "right_link", [2, 0, 0]),
        ("pin", "left_link", "bar", [0, 1, 0]),
        ("cut", "bar", "right_link", [2, 1, 0]),
    ):
        keys = {"type": "revolute", "point": point, "axis": [0, 0, 1], "cut": name == "cut"}
        joints.append({"name": name, "parent": parent, "child": child, **keys})
    return {"model": {"name": "parallelogram"}, "body": bodies, "joint": joints}


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-6])
def test_a_velocity_given_beside_a_flat_position_is_kept_and_its_derivative_is_of_it(
    distance, library_of, new
):
    """Links of a parallelogram turn alike; the first step finds nothing to take out."""
    flat = {"left.q_start": np.pi / 2 - distance, "left.qd_start": 1.0}
    it = new(library_of(parallelogram()))
    assert it.setup() == it.set(flat) == it.enter() == OK
    near = 1e-13 / distance**2
    (slope,) = directional(it, ["right.qd"], {"left.qd_start": 1.0})
    assert slope == pytest.approx(1.0, abs=near)
    assert it.leave() == OK
    assert it.get(["left.qd", "right.qd"]) == pytest.approx([1.0, 1.0], abs=near)
    assert it.step(0.0, 1e-4) == OK
    assert it.get(["left.qd", "right.qd"]) == pytest.approx([1.0, 1.0], abs=near + 0.01)


def test_parameters_and_start_values_move_the_assembly(library_of, new):
    it = new(library_of(crank_on_a_rod())).start({"reach": 2.5})
    r = np.hypot(0.5, 1.0)
    # law of cosines in the triangle of crank, rod and base
    angle = np.arccos((2.0**2 + r**2 - 2.5**2) / (2 * 2.0 * r))
    assert abs(it.one("a.q") - (np.arctan2(1.0, 0.5) - angle)) < 1e-12


def test_a_longer_base_is_assembled_by_the_fmu(library_of, new):
    table = mechanisms.four_bar()
    table["parameters"] = {"span": {"value": 2.0, "unit": "m", "min": 0}}
    table["joint"][3]["point"] = ["span", 0, 0]
    table["body"][2]["com"] = ["span + 0.25", 0, 0.75]
    it = new(library_of(table)).start({"span": 2.2})
    assert it.one("constraint.position_error") < 1e-12


# --- Reactions, whatever is cut ---


def door(cut: str, order: list[str]) -> dict:
    box = {"shape": "box", "size": [0.8, 0.04, 2.0]}
    hinge = {"type": "revolute", "parent": "ground", "child": "door", "axis": [0, 0, 1]}
    points = {"lower": [0, 0, 0.3], "upper": [0, 0, 1.7]}
    joints = [{**hinge, "name": n, "point": points[n], "cut": n == cut} for n in order]
    return {
        "model": {"name": "door"},
        "body": [{"name": "door", "mass": 10.0, "com": [0.4, 0, 1.0], "inertia": box}],
        "joint": joints,
    }


@pytest.mark.parametrize("cut", ["lower", "upper", ""])
@pytest.mark.parametrize("order", [["lower", "upper"], ["upper", "lower"]])
def test_each_hinge_of_a_door_carries_half_of_it(cut, order, library_of, new):
    """10 kg on two hinges: 49.05 N each, and the moment as a pair of forces."""
    it = new(library_of(door(cut, order))).start()
    for name, sign in (("lower", 1.0), ("upper", -1.0)):
        assert it.one(f"{name}.force.z") == pytest.approx(49.05, rel=1e-12)
        # the least squares leave part of the moment to torques of the hinges
        share = it.one(f"{name}.torque.y")
        assert sign * it.one(f"{name}.force.x") * 1.4 - 2 * share == pytest.approx(98.1 * 0.4)


def test_reactions_do_not_depend_on_which_joint_is_cut(library_of, new):
    found = []
    for cut in "abcd":
        table = mechanisms.four_bar()
        for joint in table["joint"]:
            joint["cut"] = joint["name"] == cut
        it = new(library_of(table)).start()
        assert it.step(0.0, 0.1) == OK
        names = [f"{j}.{k}.{c}" for j in "abcd" for k in ("force", "torque") for c in "xyz"]
        found.append(it.get(names))
    # steps differ with the coordinates: the tolerance of 1e-6 is on q and v
    assert np.ptp(found, axis=0).max() < 1e-4


# --- Stabilization ---


def test_the_gains_of_baumgarte_are_parameters_and_pull_the_loop_closed(library_of, new):
    table = mechanisms.four_bar(stabilization="baumgarte", alpha=50.0, beta=50.0)
    library = library_of(table)
    assert {"solver.alpha", "solver.beta"} <= set(library.names("parameter"))
    errors = []
    for gain in (0.0, 50.0):
        it = new(library).start({"solver.alpha": gain, "solver.beta": gain})
        for k in range(200):
            assert it.step(0.01 * k, 0.01) == OK
        errors.append(it.one("constraint.position_error"))
    assert errors[1] < errors[0] / 10


def test_without_stabilization_the_loop_drifts_within_the_tolerance(library_of, new):
    it = new(library_of(mechanisms.four_bar(stabilization="none"))).start()
    for k in range(100):
        assert it.step(0.01 * k, 0.01) == OK
    assert 1e-13 < it.one("constraint.position_error") < 1e-4


# --- Prescribed motion in a loop ---


def test_a_crank_that_is_told_turns_the_loop_and_its_drive_does_the_work(fmu_of):
    table = mechanisms.four_bar()
    table["joint"][0] |= {"drive": "motion"}
    rate, stop = 3.0, 1.0
    times = np.linspace(0, stop, 2001)
    table["joint"][0]["velocity"] = rate
    told = np.stack([rate * times, np.full_like(times, rate), np.zeros_like(times)], axis=1)
    inputs = Trajectory(times, ("a.q", "a.qd", "a.qdd"), told)
    with Fmu(fmu_of(table)) as fmu:
        run = fmu.run(times, inputs=inputs, tolerance=1e-10).trajectory
    assert run.column("constraint.position_error").max() < 1e-12
    energy = run.column("energy.kinetic") + run.column("energy.potential")
    work = run.column("energy.input_work")
    assert np.abs(energy - energy[0] - work).max() < 1e-7 * np.abs(energy).max()
    # the power is the drive's torque times its rate
    power = np.gradient(work, times, edge_order=2)[2:-2]
    torque = run.column("a.tau")[2:-2]
    # differences over 0.5 ms of a motion that is over in 0.1 s
    assert np.abs(power - rate * torque).max() < 1e-4 * np.abs(power).max()


def test_a_crank_told_to_begin_elsewhere_begins_with_a_closed_loop(fmu_of):
    """In NumPy and in the Python FMU as in the native one."""
    table, settings = mechanisms.told_crank(), {"a.q": 0.3, "a.qd": 0.5}
    ours = simulate(
        system_of(spec_of_table(table, "test")), stop=0.02, step=0.01, settings=settings
    )
    for backend in ("native", "python"):
        with Fmu(fmu_of(table, backend)) as fmu:
            theirs = fmu.run(ours.time, settings=settings).trajectory
        for name in ("d.q", "d.qd", "constraint.position_error"):
            assert np.abs(theirs.column(name) - ours.column(name)).max() < 1e-9, (backend, name)
    assert ours.column("constraint.position_error").max() < 1e-9
    assert ours.column("d.q")[0] > 0.1


def test_rank_and_errors_can_be_supervised(four_bar, new):
    it = new(four_bar).start()
    assert it.one("constraint.rank") == 2.0
    assert it.step(0.0, 0.01) == OK
    assert it.one("constraint.rank") == 2.0
    assert it.recorder.texts("logStatusWarning") == []


def test_a_joint_that_would_close_the_wrong_way_round_is_an_error(library_of, new):
    """A body in flight whose hinge to the ground is the joint to be met, turned by half a turn."""
    table = {
        "model": {"name": "turned"},
        "body": [
            {
                "name": "it",
                "mass": 1.0,
                "com": [0, 0, 0],
                "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            }
        ],
        "joint": [
            _to_ground("hinge", "revolute") | {"axis": [0, 0, 1], "cut": True},
            _to_ground("flight", "free") | {"drive": "none"},
        ],
    }
    library = library_of(table)
    assert new(library).start().one("it.quat.w") == 1.0
    it = new(library)
    turn = {"flight.q_start.w": 0.0, "flight.q_start.x": 0.8, "flight.q_start.y": 0.6}
    assert (it.setup(), it.set(turn), it.enter()) == (OK, OK, OK)
    assert it.leave() == ERROR
    assert "start: hinge would close the wrong way round" in it.recorder.texts()[-1]


def _to_ground(name: str, kind: str) -> dict:
    return {"name": name, "type": kind, "parent": "ground", "child": "it", "point": [0, 0, 0]}
