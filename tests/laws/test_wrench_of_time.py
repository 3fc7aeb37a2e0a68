"""Wrenches and drives that are functions of time: as inputs would act, in all roads."""

import numpy as np
import pytest

from mbd_fmu import Mechanism, build_fmu, simulate, system_of
from mbd_fmu.errors import SpecError
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu

BOX = {"shape": "box", "size": [0.1, 0.2, 0.3]}
NAMES = [f"push.{key}.{c}" for key in ("force", "torque") for c in "xyz"]
SIZES = [3.0, -1.0, 2.0, 0.1, 0.2, -0.3]


def arm(axes="body", drive=None, groups=(), **wrench):
    """Two links, pushed at the second."""
    it = Mechanism("arm").parameter("k", 2.0)
    for name, value in zip("abcdef", SIZES, strict=True):
        it.parameter(name, value)
    it.body("upper", mass=2.0, com=[0.2, 0, 0], inertia=BOX)
    it.body("lower", mass=1.0, com=[0.6, 0, 0.1], inertia=BOX)
    own = {"position": 0.3, "drive": "none"}
    it.joint("one", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0], **own)
    own = {"torque": drive} if drive is not None else {}
    it.joint("two", "revolute", "upper", "lower", point=[0.4, 0, 0], axis=[0, 1, 0.5], **own)
    it.force("push", "wrench", body="lower", point=[0.7, 0, 0], axes=axes, **wrench)
    return it.output("joints", "poses", "reactions", "energy", *groups).fmu(tolerance=1e-9)


@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize("given", ["parameters", "numbers"])
def test_a_constant_wrench_acts_as_the_same_inputs_do(axes, given, fmu_of):
    """By parameters to the last bit; numbers are folded into the code, so rounding may differ."""
    entries = list("abcdef") if given == "parameters" else SIZES
    told, own = arm(axes), arm(axes, force=entries[:3], torque=entries[3:])
    times = np.linspace(0, 0.5, 11)
    inputs = Trajectory(np.zeros(1), tuple(NAMES), np.array([SIZES]))
    with Fmu(fmu_of(told.spec())) as fmu:
        one = fmu.run(times, inputs=inputs, tolerance=1e-9).trajectory
    with Fmu(fmu_of(own.spec())) as fmu:
        other = fmu.run(times, tolerance=1e-9).trajectory
    for name in other.names:
        if given == "parameters":
            assert np.array_equal(one.column(name), other.column(name)), name
        else:
            assert one.column(name) == pytest.approx(other.column(name), abs=1e-8), name


def test_what_is_given_is_no_input_and_the_rest_of_a_wrench_is_nothing():
    assert [v.name for v in system_of(arm().spec()).table.inputs if "push" in v.name] == NAMES
    for keys in ({"force": [1, 0, 0]}, {"force": ["time", 0, 0], "axes": "world"}):
        system = system_of(arm(**keys).spec())
        assert not [v.name for v in system.table.inputs if "push" in v.name]
    result = simulate(arm(force=[0, 0, 0]), stop=0.1, step=0.1)
    assert result.column("energy.input_work")[-1] == 0.0


def test_time_acts_only_where_something_hangs_on_it():
    assert system_of(arm().spec()).table.time is None
    assert system_of(arm(force=["a", 1, 2]).spec()).table.time is None
    assert system_of(arm(drive="2*k").spec()).table.time is None
    for it in (arm(force=["time", 1, 2]), arm(drive={"polynomial": [1, "k"]})):
        table = system_of(it.spec()).table
        assert table.time == table.n_acting - 1
        assert "time" not in {v.name for v in table.variables}


FUNCTIONS = {
    "force": ["a*exp(-time)", {"sine": {"amplitude": "k", "frequency": 1.5}}, 0.3],
    "torque": [{"polynomial": [0, 1, -0.5]}, {"table": [[0, 0], [0.2, 1], [0.4, -1]]}, "d"],
}


def test_functions_of_time_act_alike_in_all_roads_and_the_books_balance(tmp_path):
    drive = "2*cos(4*time) - smooth_step(time, 0.1, 0.3)"
    it = arm(groups=["forces"], force=FUNCTIONS["force"])
    it.force("more", "wrench", body="upper", point=[0.1, 0, 0], **FUNCTIONS)
    it.joint("three", "revolute", "lower", "tip", point=[0.8, 0, 0], axis=[1, 0, 0], torque=drive)
    it.body("tip", mass=0.5, com=[0.9, 0.1, 0], inertia=BOX)
    spec, times = it.spec(), {"stop": 0.6, "step": 0.05}
    result = simulate(spec, **times)
    balance = sum(result.column(f"energy.{n}") for n in ("kinetic", "potential", "dissipated"))
    balance = balance - result.column("energy.input_work")
    assert balance == pytest.approx(np.full(len(balance), balance[0]), abs=1e-6)
    expected = 2 * np.cos(4 * result.time)
    s = np.clip((result.time - 0.1) / 0.2, 0, 1)
    expected -= 10 * s**3 - 15 * s**4 + 6 * s**5
    assert result.column("three.tau") == pytest.approx(expected, abs=1e-13)
    for name, told in {
        "push.force.x": 3.0 * np.exp(-result.time),
        "push.force.y": 2.0 * np.sin(2 * np.pi * 1.5 * result.time),
        "push.torque.x": 0.0 * result.time,
        "more.torque.x": result.time - 0.5 * result.time**2,
        "more.torque.z": 0.1 + 0.0 * result.time,
    }.items():
        assert result.column(name) == pytest.approx(told, abs=1e-13), name
    absolute = simulate_absolute(spec, **times, tolerance=1e-9)
    with Fmu(build_fmu(spec, tmp_path / "it.fmu").path) as fmu:
        native = fmu.run(result.time, tolerance=1e-9).trajectory
    for name in set(result.names) & set(absolute.names):
        size = 1 + np.abs(result.column(name)).max()
        # each road integrates with 1e-9 per step
        assert absolute.column(name) == pytest.approx(result.column(name), abs=1e-5 * size), name
        assert native.column(name) == pytest.approx(result.column(name), abs=1e-9 * size), name


REFUSED = {
    "two": ({"force": [1, 2]}, 'push", force: [1, 2] is no list of 3; give 3 functions of time'),
    "joint": (
        {"force": ["one.q", 0, 0]},
        'names "one.q": functions of time know time and parameters only',
    ),
    "start": ({"force": ["1/time", 0, 0]}, 'force: "1/time" has no finite value at time = 0'),
    "name": ({"torque": ["kk", 0, 0]}, 'no parameter "kk" in "kk"; did you mean "k"?'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_wrench_is_refused(case):
    keys, expected = REFUSED[case]
    it = Mechanism("one").parameter("k", 2.0)
    it.body("b", mass=1.0, com=[0, 0, 0], inertia=BOX)
    it.force("push", "wrench", body="b", point=[0, 0, 0], **keys)
    with pytest.raises(SpecError) as caught:
        it.spec()
    assert expected in str(caught.value)


@pytest.mark.parametrize("drive", ["none", "motion"])
def test_a_torque_needs_the_drive_of_that_name(drive):
    it = Mechanism("one")
    it.body("b", mass=1.0, com=[0, 0, 0], inertia=BOX)
    at = {"point": [0, 0, 0], "axis": [0, 0, 1]}
    it.joint("j", "revolute", "ground", "b", **at, drive=drive, torque="time")
    with pytest.raises(SpecError, match="torque: the joint is not driven by a torque; write drive"):
        it.spec()
