"""Nothing is ignored, dropped or guessed without a word: one test per way in which it could be."""

import json

import numpy as np
import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.cli import main
from mbd_fmu.errors import DataError, MbdFmuError, SpecError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.summaries.mechanism import drawn, facts
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.runner import Fmu

BALL = {"shape": "sphere", "radius": 0.1}


def slider(**keys):
    """A kilogram on a rail along x, without gravity."""
    it = Mechanism("slider", gravity=[0, 0, 0])
    it.body("a", mass=1, com=[0, 0, 0], inertia=BALL)
    it.joint("rail", "prismatic", "ground", "a", point=[0, 0, 0], axis=[1, 0, 0], **keys)
    return it


def end(result, name):
    return result.column(name)[-1]


@pytest.mark.parametrize("step", [0.1, 0.25, 0.5])
def test_an_input_row_counts_also_between_communication_points(step, fmu_of):
    """A pulse of 10 N from 0.1 to 0.2 s leaves a kilogram with 1 m/s, whatever the step."""
    pulse = Trajectory(np.array([0.0, 0.1, 0.2]), ("rail.f",), np.array([[0.0], [10.0], [0.0]]))
    spec = slider().spec()
    result = simulate(system_of(spec), stop=0.5, step=step, inputs=pulse)
    assert len(result.time) == round(0.5 / step) + 1
    assert end(result, "rail.qd") == pytest.approx(1.0, rel=1e-9)
    with Fmu(fmu_of(spec)) as fmu:
        times = communication_points(0, 0.5, step)
        assert end(fmu.run(times, inputs=pulse).trajectory, "rail.qd") == pytest.approx(1, rel=1e-9)


def test_inputs_that_begin_late_are_refused():
    late = Trajectory(np.array([5.0, 6.0]), ("rail.f",), np.ones((2, 1)))
    with pytest.raises(DataError, match="begin at 5 s, the run at 0 s; add a row there"):
        simulate(system_of(slider().spec()), stop=7, step=1, inputs=late)


def test_a_prescribed_motion_goes_on_between_the_rows_of_a_table(fmu_of):
    spec = slider(drive="motion").spec()
    told = Trajectory(np.array([0.0]), ("rail.q", "rail.qd"), np.array([[0.0, 1.0]]))
    result = simulate(system_of(spec), stop=1, step=0.25, inputs=told)
    assert result.column("a.r.x") == pytest.approx([0, 0.25, 0.5, 0.75, 1.0], abs=1e-12)
    with Fmu(fmu_of(spec)) as fmu:
        times = communication_points(0, 1, 0.25)
        found = fmu.run(times, inputs=told).trajectory.column("a.r.x")
    assert found == pytest.approx([0, 0.25, 0.5, 0.75, 1.0], abs=1e-12)


def test_what_is_told_does_not_give_way_to_what_a_body_is_said_to_do():
    it = Mechanism("it", gravity=[0, 0, 0]).moving_base()
    it.body("a", mass=1, com=[0, 0, 0], inertia=BALL, velocity={"linear": [1, 0, 0]})
    it.joint("rail", "prismatic", "ground", "a", point=[0, 0, 0], axis=[1, 0, 0])
    start = {v.name: v.start for v in system_of(it.spec()).table.parameters}
    assert start["rail.qd_start"] == pytest.approx(1.0)


def test_start_values_of_a_told_free_joint_are_those_of_the_model():
    """Half a turn about z, spinning about its own x: seen from the parent, about -x."""
    it = Mechanism("it", gravity=[0, 0, -10])
    it.body("a", mass=1, com=[0, 0, 0], inertia=BALL)
    keys = {"position": [0, 0, 0, 1, 3, 4, 5], "velocity": [2, 0, 0, 1, 0, 0]}
    it.joint("fly", "free", "ground", "a", point=[1, 0, 0], drive="motion", **keys)
    system = system_of(it.spec())
    start = {v.name: v.start for v in system.table.inputs}
    assert [start[f"fly.r.{c}"] for c in "xyz"] == [3, 4, 5]
    assert [start[f"fly.quat.{c}"] for c in "wxyz"] == [0, 0, 0, 1]
    assert [start[f"fly.w.{c}"] for c in "xyz"] == pytest.approx([-2, 0, 0])
    assert [start[f"fly.v.{c}"] for c in "xyz"] == pytest.approx([-1, 0, 0])


def test_show_knows_what_flies_beside_a_moving_base():
    it = slider().moving_base()
    it.body("bird", mass=1, com=[0, 0, 5], inertia=BALL)
    text = drawn(it.spec())
    assert "rail (prismatic, 1 freedom) ─ 1 a" in text
    assert "bird_free (free, 6 freedoms, fictitious) ─ 2 bird" in text
    assert facts(it.spec())["body_connection_array"] == [0, 0]


def test_parameters_that_could_not_act_are_refused():
    it = Mechanism("it").parameter("v0", 1.0)
    it.body("a", mass=1, com=[0, 0, 0], inertia=BALL, velocity={"linear": ["v0", 0, 0]})
    with pytest.raises(SpecError, match='body "a", velocity: holds expressions; give numbers'):
        it.spec()
    it = slider(drive="motion", position="x0").parameter("x0", 1.0)
    with pytest.raises(SpecError, match="start values of a prescribed motion are expressions"):
        it.spec()


def test_a_light_part_on_a_heavy_one_is_no_massless_one(tmp_path):
    it = Mechanism("ship")
    it.body("hull", mass=1e6, com=[0, 0, 0], inertia={"shape": "box", "size": [100, 20, 20]})
    it.body("needle", mass=1e-3, com=[0.01, 0, 0], inertia={"shape": "point"})
    it.joint("pivot", "revolute", "hull", "needle", point=[0, 0, 0], axis=[0, 0, 1])
    assert build_fmu(it.spec(), tmp_path / "ship.fmu").path.exists()


def test_a_joint_that_moves_no_mass_is_named():
    it = slider()
    it.body("ghost", mass=0, com=[0, 0, 0], inertia={"shape": "point"})
    it.joint("spin", "revolute", "a", "ghost", point=[0, 0, 0], axis=[0, 0, 1])
    for run in (
        lambda s: build_fmu(s, "none.fmu"),
        lambda s: simulate(system_of(s), stop=1, step=1),
    ):
        with pytest.raises(SpecError, match='joint "spin": it moves no mass'):
            run(it.spec())


def test_a_spring_without_length_is_named():
    it = slider().spring("rubber", "ground", "a", point=[0, 0, 0], point2=[0, 0, 0], length=1)
    with pytest.raises(SpecError, match='force "rubber": its two points coincide at the start'):
        simulate(system_of(it.spec()), stop=1, step=1)


def test_the_python_back_end_does_not_pretend_to_compile(tmp_path):
    for keys in ({"platforms": ["win64"]}, {"compiler": "gcc"}, {"code": "kernels"}):
        with pytest.raises(MbdFmuError, match="compiles nothing"):
            build_fmu(slider().spec(), tmp_path / "x.fmu", backend="python", **keys)


def test_a_reference_without_signals_proves_nothing():
    empty = Trajectory(np.array([0.0, 1.0]), (), np.zeros((2, 0)))
    with pytest.raises(DataError, match="the reference has no signals"):
        compare(empty, empty)


@pytest.mark.parametrize("is_fmu", [True, False])
def test_a_parameter_out_of_range_is_one_message_on_every_road(
    is_fmu, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    if is_fmu:
        assert main(["build", "pendulum", "-o", "p.fmu"]) == 0
    assert main(["simulate", "p.fmu" if is_fmu else "pendulum", "--set", "mass=-1"]) == 1
    assert "mass = -1 is outside 0.001 to inf" in capsys.readouterr().err


def test_an_input_can_be_set_to_a_constant_on_every_road(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["build", "cart_pole", "-o", "c.fmu"])
    for model in ("cart_pole", "c.fmu"):
        words = ["simulate", model, "--stop", "0.1", "--set", "rail.f=2", "-o", "out.csv"]
        assert main(words) == 0
    capsys.readouterr()


def test_what_is_no_fmu_is_called_so(tmp_path, capsys):
    (tmp_path / "junk.fmu").write_text("junk")
    assert main(["validate", str(tmp_path / "junk.fmu")]) == 1
    assert "cannot be read as an FMU" in capsys.readouterr().err


def test_an_empty_name_is_a_problem_of_its_own():
    table = json.loads(slider().spec().text)
    table["joint"][0]["parent"] = ""
    from mbd_fmu.model.reader import spec_of_table

    with pytest.raises(SpecError, match='joint "rail", parent: is empty'):
        spec_of_table(table, "test")
