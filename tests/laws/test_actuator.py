"""Drives along sums of joint coordinates: closed forms, joints' own springs, the other road."""

import json

import numpy as np
import pytest

from mbd_fmu import Mechanism, simulate, system_of
from mbd_fmu.drawing.graph import graph_svg
from mbd_fmu.errors import SpecError
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.summaries.mechanism import facts
from mbd_fmu.system.plant import plant_of
from mbd_fmu.topology.structure import structure_of
from mbd_fmu.validate.comparison import energy_drift
from mbd_fmu.validate.momentum import flight_of, momentum_of
from tests.conftest import random_state
from tests.random_loops import named_outputs, running

GROUPS = ("poses", "velocities", "joints", "reactions", "energy")


def held(**values):
    """Inputs that stay, by names with _ for the dot."""
    names = tuple(name.replace("__", ".") for name in values)
    return Trajectory(np.array([0.0]), names, np.array([list(values.values())]))


def rotors(*moments, **keys):
    """Discs on axes of their own, where gravity does nothing, and one actuator on all of them."""
    it = Mechanism("rotors").parameter("r", 2.0, tunable=True)
    for k, moment in enumerate(moments):
        at = [float(k), 0, 0]
        it.body(f"disc{k}", mass=1.0, com=at, inertia=np.diag([0.5, 0.5, moment]))
        it.joint(f"j{k}", "revolute", "ground", f"disc{k}", point=at, axis=[0, 0, 1])
    names = [f"j{k}" for k in range(len(moments))]
    it.force("motor", "actuator", **{"joints": names} | keys)
    return it.output(*GROUPS).fmu(tolerance=1e-11)


def arm(**joint):
    """Two links in space, nothing about them special."""
    it = Mechanism("arm").parameter("k", 20.0)
    it.body("upper", mass=1.0, com=[0.5, 0.1, 0], inertia=np.diag([0.1, 0.2, 0.3]))
    it.body("lower", mass=2.0, com=[1.5, 0, 0.1], inertia=np.diag([0.2, 0.2, 0.3]))
    it.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0], **joint)
    it.joint("elbow", "helical", "upper", "lower", point=[1, 0, 0], axis=[0, 1, 0.3], pitch=0.4)
    return it.output(*GROUPS).fmu(tolerance=1e-11)


# --- Closed forms ---


def test_a_servo_on_one_joint_is_a_damped_oscillator():
    """I q'' = -r^2 (k (q - u / r) + d q'): towards u / r with half the damping as decay."""
    moment, ratio, k, d, ctrl = 0.5, 2.0, 3.0, 0.4, 1.2
    it = rotors(moment, ratios=["r"], gain=k, stiffness=k, damping=d)
    result = simulate(system_of(it.spec()), stop=4.0, step=0.25, inputs=held(motor__ctrl=ctrl))
    decay = ratio**2 * d / (2 * moment)
    w = np.sqrt(ratio**2 * k / moment - decay**2)
    t = result.time
    swing = np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    # 1e-11 per internal step, some hundred of them
    assert result.column("j0.q") == pytest.approx(ctrl / ratio * (1 - swing), abs=1e-8)
    assert energy_drift(result)[1] < 1e-9


def test_a_passive_transmission_couples_two_joints():
    """l = q_0 - 3 q_1 + ... swings as cos(wt), w^2 = k (1 / I_0 + 9 / I_1), about rest + bias/k."""
    moments, ratios, k = np.array([0.5, 2.0]), np.array([1.0, -3.0]), 4.0
    rest, bias = 0.3, 2.0
    keys = {"gain": 0, "stiffness": k, "rest": rest, "bias": bias}
    spec = rotors(*moments, ratios=ratios.tolist(), **keys).spec()
    assert [v.name for v in system_of(spec).table.inputs] == ["j0.tau", "j1.tau"]
    result = simulate(system_of(spec), stop=2.0, step=0.1)
    length = ratios @ [result.column("j0.q"), result.column("j1.q")]
    middle, w = rest + bias / k, np.sqrt(k * (ratios**2 / moments).sum())
    expected = middle * (1 - np.cos(w * result.time))
    assert length == pytest.approx(expected, abs=1e-8)
    # what it holds is in the spring; what its bias did is work
    stored = k * (length - rest) ** 2 / 2
    assert result.column("energy.potential") == pytest.approx(stored, rel=1e-12)
    assert result.column("energy.input_work") == pytest.approx(bias * length, abs=1e-8)
    assert energy_drift(result)[1] < 1e-9


def test_a_velocity_servo_reaches_its_speed_exponentially():
    """I q'' = d (u - q'), and d q'^2 is lost of what gain u q' brings."""
    moment, d, ctrl = 0.5, 0.8, 3.0
    it = rotors(moment, gain=d, damping=d)
    result = simulate(system_of(it.spec()), stop=2.0, step=0.2, inputs=held(motor__ctrl=ctrl))
    speed = ctrl * (1 - np.exp(-d / moment * result.time))
    assert result.column("j0.qd") == pytest.approx(speed, abs=1e-9)
    assert energy_drift(result)[1] < 1e-9


def test_numbers_may_be_tuned():
    run = Run(system_of(rotors(0.5, ratios=["r"], gain="r + 1", stiffness="5*r").spec()))
    run.x[0] = 0.1
    for r in (2.0, 0.5):
        run.p[0] = r
        run.retune()
        run.u[:] = 0.0, 7.0
        force = (r + 1) * 7.0 - 5 * r * (r * 0.1)
        assert named_outputs(run)["j0.qdd"] == pytest.approx(r * force / 0.5, rel=1e-12)


# --- The same as what joints have of their own ---


def test_a_gain_alone_is_the_joint_s_own_drive_to_the_last_bit():
    """ratio gain ctrl in each joint, besides the drive it has."""
    plain = system_of(arm().spec())
    it = arm().force("lift", "actuator", joints=["shoulder", "elbow"], ratios=[10.0, -0.3], gain=7)
    ours, theirs = (plant_of(s, s.nominal_parameters()) for s in (system_of(it.spec()), plain))
    for seed in range(5):
        x, u = random_state(ours.system, np.random.default_rng(seed))
        assert len(u) == 3
        drives = np.array([0.0, 0.0])
        alone = np.array([10.0 * (7.0 * u[2]), -0.3 * (7.0 * u[2])])
        at = ours.derivatives(x, np.array([*drives, u[2]]))
        assert at.tolist()[:-2] == theirs.derivatives(x, alone).tolist()[:-2]
        # work is added up in another order
        assert at[-2:] == pytest.approx(theirs.derivatives(x, alone)[-2:], rel=1e-14, abs=1e-14)
        both = ours.all_outputs(x, u)
        assert both == pytest.approx(theirs.all_outputs(x, alone + u[:2]), rel=1e-11, abs=1e-11)


def test_without_gain_it_is_the_spring_and_damper_of_the_joint():
    springs = {"stiffness": 3.0, "rest": 0.4, "damping": 0.7}
    own = arm(**springs)
    it = arm().force("band", "actuator", joints=["shoulder"], gain=0, **springs)
    ours, theirs = (simulate(system_of(m.spec()), stop=0.5, step=0.1) for m in (it, own))
    assert ours.names == theirs.names
    for name in ours.names:
        # the same steps; sums in another order
        assert ours.column(name) == pytest.approx(theirs.column(name), rel=1e-9, abs=1e-10), name


def test_where_the_motion_is_told_the_drive_takes_the_less_the_more_the_actuator_does():
    found = {}
    keys = {"gain": 5.0, "stiffness": "k", "damping": 2.0, "rest": 0.1, "bias": 1.0}
    for lift in (False, True):
        it = arm(drive="motion")
        if lift:
            it.force("lift", "actuator", joints=["shoulder", "elbow"], ratios=[3.0, 0.5], **keys)
        run = running(json.loads(it.spec().text))
        pushes = [0.3, 2.0, 5.0, 0.0] + [0.8] * lift
        if lift:  # what it exerts on the elbow must come from elsewhere, to have the same motion
            length, rate = 3 * 0.3 + 0.5 * 0.2, 3 * 2.0 + 0.5 * -1.0
            force = 5.0 * 0.8 + 1.0 - 20.0 * (length - 0.1) - 2.0 * rate
            pushes[3] = -0.5 * force
        run.u[:] = pushes
        run.x[:2] = 0.2, -1.0
        found[lift] = named_outputs(run)
    taken = {lift: values.pop("shoulder.tau") for lift, values in found.items()}
    assert taken[True] - taken[False] == pytest.approx(-3.0 * force, rel=1e-12)
    spring = 20.0 * (length - 0.1) ** 2 / 2
    gained = found[True].pop("energy.potential") - found[False].pop("energy.potential")
    assert gained == pytest.approx(spring, rel=1e-12)
    # along the freedoms only: no reaction feels it
    assert found[True] == pytest.approx(found[False], rel=1e-11, abs=1e-11)


# --- Loops, bases, the other road ---


def four_bar(cut, **lift):
    """A plane four-bar with an actuator on two of its joints, one of which may be cut."""
    points = {"a": [0, 0, 0], "b": [0, 0, 0.4], "c": [1.1, 0, 0.9], "d": [1.0, 0, 0]}
    it = Mechanism("four_bar").parameter("k", 6.0)
    for k, (name, ends) in enumerate((("crank", "ab"), ("rod", "bc"), ("rocker", "cd"))):
        com = (np.array(points[ends[0]]) + points[ends[1]]) / 2
        it.body(name, mass=1.0 + k, com=com, inertia={"shape": "sphere", "radius": 0.2})
    ring = ["ground", "crank", "rod", "rocker", "ground"]
    for k, name in enumerate("abcd"):
        keys = {"point": points[name], "axis": [0, 1, 0], "cut": name == cut}
        it.joint(name, "revolute", ring[k], ring[k + 1], **keys)
    drive = {"gain": 4.0, "stiffness": "k", "damping": 0.3, "rest": 0.2, "bias": -0.5} | lift
    it.force("lift", "actuator", joints=["a", "d"], ratios=[2.0, -1.5], **drive)
    return it.output(*GROUPS).fmu(tolerance=1e-10)


def test_a_cut_joint_is_driven_as_one_of_the_tree_is():
    keys = {"stop": 0.2, "step": 0.1, "inputs": held(lift__ctrl=1.5, c__tau=-1.0)}
    ours, other = (simulate(system_of(four_bar(cut).spec()), **keys) for cut in ("d", "b"))
    assert np.ptp(ours.column("a.q")) > 0.1
    for name in ours.names:
        # 1e-10 per internal step of other lengths
        assert other.column(name) == pytest.approx(ours.column(name), abs=1e-7), name


@pytest.mark.parametrize("told", [{}, {"base__w__z": 0.5, "base__v__x": 0.3, "base__a__x": 1.0}])
def test_energy_of_a_loop_balances_and_the_second_road_finds_the_same(told):
    it = four_bar("d")
    if told:
        it.moving_base()
    stop = 0.05 if told else 0.1  # the second road is slow
    keys = {"stop": stop, "step": 0.025, "inputs": held(lift__ctrl=1.5, c__tau=-1.0, **told)}
    ours = simulate(system_of(it.spec()), **keys)
    assert energy_drift(ours)[1] < 1e-8  # 1e-10 per internal step, some tens of steps
    absolute = simulate_absolute(it.spec(), **keys, tolerance=1e-10)
    compared = [name for name in ours.names if name in absolute]
    assert {"a.q", "d.q", "a.force.x", "energy.input_work", "energy.dissipated"} <= set(compared)
    for name in compared:
        assert absolute.column(name) == pytest.approx(ours.column(name), abs=1e-6), name


def test_with_a_joint_that_is_told_both_roads_find_what_its_drive_takes():
    it = arm(drive="motion")
    keys = {"gain": "k", "stiffness": "k", "damping": 2.0, "bias": 1.0}
    it.force("lift", "actuator", joints=["shoulder", "elbow"], ratios=[3.0, 0.5], **keys)
    told = held(lift__ctrl=0.4, shoulder__qdd=1.5, elbow__tau=0.3)
    ours = simulate(system_of(it.spec()), stop=0.4, step=0.1, inputs=told)
    absolute = simulate_absolute(it.spec(), stop=0.4, step=0.1, inputs=told, tolerance=1e-11)
    assert energy_drift(ours)[1] < 1e-9
    for name in ("shoulder.tau", "elbow.q", "elbow.force.z", "energy.input_work"):
        assert absolute.column(name) == pytest.approx(ours.column(name), abs=1e-7), name


def test_what_flies_keeps_its_momentum():
    """Two bodies on a hinge, driven against each other; the actuator ties them to nothing."""
    it = Mechanism("flight", gravity=[0, 0, -9.0])
    for k, name in enumerate("ab"):
        it.body(name, mass=1.0 + k, com=[k, 0.2, 0], inertia=np.diag([0.1, 0.2, 0.25]))
    it.joint("hinge", "revolute", "a", "b", point=[0.5, 0, 0], axis=[0.3, 1, 0])
    it.force("motor", "actuator", joints=["hinge"], gain=2.0, damping=0.1)
    spec = it.output("poses", "velocities").fmu(tolerance=1e-11).spec()
    flight = flight_of(spec)
    assert flight is not None
    result = simulate(system_of(spec), stop=1.0, step=0.1, inputs=held(motor__ctrl=0.7))
    assert np.ptp(result.column("b.w.y")) > 0.5
    assert all(law.passed for law in momentum_of(result, flight, 1e-9))


# --- Inputs, drawings, refusals ---


@pytest.mark.parametrize(
    ("limits", "declared"),
    [
        ({}, (0.0, None, None)),
        ({"lower": -1}, (0.0, -1.0, None)),
        ({"lower": -1, "upper": 2.5}, (0.0, -1.0, 2.5)),
        # a start value lies within its limits: FMI 2.0, sec. 2.2.7
        ({"lower": 0.5, "upper": 2.5}, (0.5, 0.5, 2.5)),
        ({"upper": -0.5}, (-0.5, None, -0.5)),
    ],
)
def test_limits_of_the_input_are_declared_and_bound_nothing(limits, declared):
    spec = rotors(0.5, **limits).spec()
    motor = system_of(spec).table.inputs[-1]
    assert (motor.name, motor.unit) == ("motor.ctrl", "1")
    assert (motor.start, motor.min, motor.max) == declared
    run = Run(system_of(spec))
    assert run.u[-1] == declared[0]
    run.u[-1] = 50.0
    assert named_outputs(run)["j0.qdd"] == pytest.approx(50.0 / 0.5)


def test_a_gain_that_is_a_parameter_keeps_its_input():
    assert system_of(rotors(0.5, gain="r - 2").spec()).table.inputs[-1].name == "motor.ctrl"


def test_it_joins_no_bodies():
    spec = four_bar("d").spec()
    assert facts(spec)["forces"] == [{"name": "lift", "joints": ["a", "d"]}]
    assert [chain["couplings"] for chain in facts(spec)["chains"]] == [["c", "b", "a", "d"]]
    assert 'class="force"' not in graph_svg(structure_of(spec))


WHERE = 'force "motor", '
REFUSED = {
    "no joints": ({"joints": []}, f"{WHERE}joints: no name; give one or more"),
    "unknown": ({"joints": ["j00"]}, f'{WHERE}joints: no joint "j00"; did you mean "j0"?'),
    "twice": ({"joints": ["j0", "j0"]}, f'{WHERE}joints: "j0" stands there twice; name it once'),
    "two coordinates": ({"joints": ["j1"]}, f'{WHERE}joints: "j1" is universal: it has not one'),
    "ratios": (
        {"ratios": [1, 2]},
        f"{WHERE}ratios: 2 given, number of joints 1; give one for each joint",
    ),
    "no ratios": ({"ratios": []}, f"{WHERE}ratios: [] is no list of numbers; give one or more"),
    "a ratio of 0": ({"ratios": ["r - 2"]}, f"{WHERE}ratios: number 1 is 0; leave that joint out"),
    "stiffness": ({"stiffness": -2}, f"{WHERE}stiffness: -2; give 0 or more"),
    "damping": ({"damping": "-r"}, f"{WHERE}damping: -2; give 0 or more"),
    "limits": ({"lower": 2, "upper": 1}, f"{WHERE}lower: lower 2 is above upper 1; exchange them"),
    "a limit": ({"lower": "r"}, f'{WHERE}lower: "r" is no number; write a number'),
    "no input": ({"gain": 0, "upper": 1}, f"{WHERE}upper: with gain = 0 there is no input; leave"),
    "a body": ({"child": "disc0"}, 'force "motor": unknown key "child"; known: bias, damping,'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_actuator_is_refused(case):
    keys, text = REFUSED[case]
    table = json.loads(rotors(0.5, 0.6, joints=["j0"]).spec().text)
    table["joint"][1] |= {"type": "universal", "axis2": [1, 0, 0]}
    table["force"][0] |= keys
    with pytest.raises(SpecError) as refused:
        spec_of_table(table, "test")
    (line,) = str(refused.value).splitlines()[1:]
    assert line.strip().startswith(text)


def test_what_parameters_must_not_make_negative_has_its_limit():
    table = system_of(rotors(0.5, stiffness="r/2").spec()).table
    assert (table.parameters[0].name, table.parameters[0].min) == ("r", 0.0)
