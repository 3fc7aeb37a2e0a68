"""What joints carry over a run, in four axes: closed forms, laws, and what is not told."""

import numpy as np
import pytest

from mbd_fmu.analysis.load_cases import load_cases, peak_instants
from mbd_fmu.analysis.pin_loads import pins_in_scene, pins_of, run_loads
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.named_outputs import AXES
from mbd_fmu.model.spec import with_groups
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.analysis.in_motion import in_motion

G, MASS, LENGTH, INERTIA = 9.81, 2.0, 0.7, 0.1


def pendulum(**keys):
    m = Mechanism("p")
    m.body("bob", mass=MASS, com=[0, 0, -LENGTH], inertia=np.diag([0.2, INERTIA, 0.3]))
    m.joint(
        *("pin", "revolute", "ground", "bob"),
        **{"point": [0, 0, 0], "axis": [0, 1, 0], "position": 1.0} | keys,
    )
    return m.fmu(tolerance=1e-10).spec()


@pytest.fixture(scope="module")
def swinging():
    spec = pendulum()
    return spec, simulate(system_of(spec), stop=2.0, step=0.01)


def test_a_pendulum_loads_its_pin_along_the_rod_and_across(swinging):
    """In child axes: along z m (g cos q + l qd^2), along x -m (g sin q + l qdd)."""
    spec, result = swinging
    load = run_loads(pins_of(spec), result).of("pin")
    q, qd, qdd = (result.column(f"pin.{c}") for c in ("q", "qd", "qdd"))
    along, across = MASS * (G * np.cos(q) + LENGTH * qd**2), MASS * (G * np.sin(q) + LENGTH * qdd)
    force = load.wrench["child"][:, :3]
    assert np.abs(force - np.column_stack([-across, 0 * q, along])).max() <= 1e-11
    assert np.array_equal(load.wrench["parent"], load.wrench["world"])  # the ground's
    assert np.abs(load.wrench["joint"][:, 2]).max() <= 1e-12  # nothing pulls along the pin
    radial = next(
        v for k, _, a, c, v in load.signals() if (k, a, c) == ("force", "joint", "radial")
    )
    assert np.abs(radial - load.magnitude("force")).max() <= 1e-12


def test_the_peak_is_at_the_bottom_with_its_time(swinging):
    """By energy qd^2 = 2 m g l (1 - cos 1) / (I + m l^2) at q = 0, within half a row of it."""
    spec, result = swinging
    extreme = run_loads(pins_of(spec), result).extremes[0]
    assert (extreme.joint, extreme.kind, extreme.component) == ("pin", "force", "magnitude")
    qd2 = 2 * MASS * G * LENGTH * (1 - np.cos(1.0)) / (INERTIA + MASS * LENGTH**2)
    peak = MASS * (G + LENGTH * qd2)
    assert peak * (1 - 1e-3) <= extreme.max <= peak  # rows of 10 ms at 3.5 rad/s: (0.0175)^2
    crossing = result.time[np.argmin(np.abs(result.column("pin.q")))]
    assert extreme.t_max == pytest.approx(crossing, abs=0.7)  # or a later one: same height


@pytest.mark.parametrize("name", ["quarter_car", "stewart_platform", "gripper_arm"])
def test_sizes_are_the_same_in_all_axes_and_scenes_tell_what_models_tell(name):
    spec = read_model(library()[name])
    rng, n = np.random.default_rng(1), 5
    bodies = [body.name for body in spec.bodies]
    names = [f"{b}.quat.{c}" for b in bodies for c in "wxyz"]
    quats = rng.normal(size=(n, len(bodies), 4))
    quats /= np.linalg.norm(quats, axis=2)[:, :, None]
    pins = pins_of(spec)
    reactions = [f"{p.name}.{k}.{x}" for p in pins for k in ("force", "torque") for x in "xyz"]
    values = np.concatenate([quats.reshape(n, -1), rng.normal(size=(n, len(reactions)))], axis=1)
    result = Trajectory(np.arange(float(n)), (*names, *reactions), values)
    ours, scene = run_loads(pins, result), run_loads(pins_in_scene(scene_table(spec)), result)
    assert ours.notes == scene.notes == ()
    for load in ours.pins:
        assert set(load.wrench) == set(AXES)
        for wrench in load.wrench.values():
            for part in (slice(0, 3), slice(3, 6)):
                sizes = np.linalg.norm(wrench[:, part], axis=1)
                there = np.linalg.norm(load.wrench["world"][:, part], axis=1)
                assert np.abs(sizes - there).max() <= 1e-12
        other = scene.of(load.pin.name)
        for axes in ("world", "parent", "child"):
            assert np.abs(other.wrench[axes] - load.wrench[axes]).max() <= 1e-12
        if load.pin.has_axis:  # along the axis; how x and y lie about it is anybody's choice
            assert np.abs(other.wrench["joint"][:, 2::3] - load.wrench["joint"][:, 2::3]).max() <= (
                1e-12
            )


def test_what_a_result_does_not_tell_is_said(swinging):
    spec, result = swinging
    kept = [k for k, name in enumerate(result.names) if "quat" not in name]
    bare = Trajectory(result.time, tuple(result.names[k] for k in kept), result.values[:, kept])
    loads = run_loads(pins_of(spec), bare)
    assert "no turns of bob" in loads.notes[0]
    assert set(loads.of("pin").wrench) == {"world", "parent"}
    with pytest.raises(DataError, match="output group reactions"):
        run_loads(pins_of(spec), Trajectory(result.time, ("pin.q",), result.values[:, :1]))


def test_flat_names_and_names_of_instances_are_understood(swinging):
    spec, result = swinging
    ours = run_loads(pins_of(spec), result).of("pin").wrench
    for names in (
        tuple(f"machine.{name}" for name in result.names),
        tuple(name.replace(".", "_") for name in result.names),
    ):
        other = run_loads(pins_of(spec), Trajectory(result.time, names, result.values))
        assert all(np.array_equal(other.of("pin").wrench[axes], ours[axes]) for axes in AXES)


def test_load_cases_are_those_of_the_run(swinging):
    """Where the pin carries most, and at a time that is asked for; loads balance there."""
    spec, result = swinging
    loads = run_loads(pins_of(spec), result)
    rows = peak_instants(loads, times=[0.5])
    cases = load_cases(system_of(spec), result, rows)
    expected = {"at 0.5 s": 0.5, "max pin.force": loads.extremes[0].t_max}
    assert {case.name: case.time for case in cases} == expected
    for case, row in zip(cases, rows, strict=True):
        (body,) = case.bodies
        expected = loads.of("pin").wrench["child"][row]
        assert np.abs(body.applied[0].force - expected[:3]).max() <= 1e-11
        assert np.abs(np.concatenate(body.balance)).max() <= 1e-10 * MASS * G


def test_results_of_other_inputs_or_parameters_are_refused(swinging):
    spec, result = swinging
    torque = Trajectory(np.array([0.0]), ("pin.tau",), np.array([[5.0]]))
    with pytest.raises(DataError, match=r"pin\.force\.\w is .* by the model; give the m"):
        load_cases(system_of(spec), result, {10: "x"}, inputs=torque)
    with pytest.raises(DataError, match=r"does not tell the state: pin\.q, pin\.qd missing"):
        load_cases(system_of(spec), Trajectory(result.time, (), result.values[:, :0]), {1: "x"})
    with pytest.raises(DataError, match=r"--at 9: the run lasts from 0 to 2 s"):
        peak_instants(run_loads(pins_of(spec), result), times=[9.0])
    with pytest.raises(DataError, match='no loads of a joint "pun"; did you mean "pin"'):
        peak_instants(run_loads(pins_of(spec), result), ["pun"])


@pytest.mark.parametrize("name", ["excavator", "slider_crank", "quarter_car", "gripper_arm"])
def test_in_joint_axes_nothing_acts_along_the_freedom(name):
    """Of hinges no torque about z, of sliders no force along z; tree and cut joints alike."""
    spec = with_groups(read_model(library()[name]), "poses", "reactions")
    inverse, x, u, rank = in_motion(spec, np.random.default_rng(2))
    y = inverse.plant.all_outputs(x, u, rank)
    names = tuple(v.name for v in inverse.system.table.outputs)
    loads = run_loads(pins_of(spec), Trajectory(np.zeros(1), names, y[None]))
    kinds = {joint.name: joint.type for joint in spec.joints}
    seen = set()
    for load in loads.pins:
        wrench, kind = load.wrench["joint"][0], kinds[load.pin.name]
        if kind in ("revolute", "prismatic"):
            seen.add(kind)
            along = wrench[5] if kind == "revolute" else wrench[2]
            assert abs(along) <= 1e-11 * (1 + np.abs(wrench).max())
    assert seen
