"""Sums of joint coordinates that keep their value: gears, closed forms, the other road."""

import json

import numpy as np
import pytest

from mbd_fmu import Mechanism, simulate, system_of
from mbd_fmu.drawing.graph import graph_svg
from mbd_fmu.errors import SpecError
from mbd_fmu.mechanics.constrained import EPSILON
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.topology.structure import structure_of
from tests.random_loops import named_outputs, random_loops, running, wander

G = 9.81
I, MASS, PITCH = 0.5, 2.0, 0.3
JOINTS = ("turn", "slide", "screw")
# what a unit of acceleration takes: the screw turns and travels pitch / 2 pi per radian
INERTIA = np.array([I, MASS, I + MASS * (PITCH / (2 * np.pi)) ** 2])
RATIOS, OFFSET = np.array([1.0, -0.5, 2.0]), 0.1


def three(gravity=(0.0, 0.0, 0.0), **keys):
    """A wheel, a slider and a screw, each on an axis along x of its own."""
    it = Mechanism("three", gravity=gravity).parameter("r", -0.5, tunable=True)
    kinds = (("revolute", {}), ("prismatic", {}), ("helical", {"pitch": PITCH}))
    for k, (name, (kind, own)) in enumerate(zip(JOINTS, kinds, strict=True)):
        at = [0.0, float(k), 0.0]
        it.body(f"on_{name}", mass=MASS, com=at, inertia=np.diag([I, 0.4, 0.4]))
        it.joint(name, kind, "ground", f"on_{name}", point=at, axis=[1, 0, 0], **own)
    held = {"joints": JOINTS, "ratios": RATIOS.tolist(), "offset": OFFSET} | keys
    it.constraint("tendon", "coupling", **held)
    return it.output("joints", "reactions", "energy", "quality").fmu(tolerance=1e-10)


PUSHES = Trajectory(np.array([0.0]), ("turn.tau", "slide.f", "screw.tau"), np.array([[3, -1, 2]]))


def by_d_alembert(ratios):
    """I q'' = tau + r lam with r . q'' = 0."""
    tau = PUSHES.values[0]
    lam = -(ratios @ (tau / INERTIA)) / (ratios @ (ratios / INERTIA))
    return (tau + ratios * lam) / INERTIA, lam


@pytest.mark.parametrize("ratios", [RATIOS.tolist(), [1.0, "r", "-4*r"]])
def test_three_joints_share_their_forces_as_d_alembert_says(ratios):
    rates, lam = by_d_alembert(RATIOS)
    result = simulate(system_of(three(ratios=ratios).spec()), stop=1.0, step=0.1, inputs=PUSHES)
    q = np.stack([result.column(f"{name}.q") for name in JOINTS], axis=1)
    assert q @ RATIOS == pytest.approx(np.full(11, OFFSET), abs=1e-13)
    # what does not fit at first is moved by the least motion of mass: M dq = r mu
    start = RATIOS / INERTIA * OFFSET / (RATIOS @ (RATIOS / INERTIA))
    expected = start + np.outer(result.time**2 / 2, rates)
    assert q == pytest.approx(expected, rel=1e-9)  # constant accelerations: any step is exact
    assert result.column("tendon.lambda[1]") == pytest.approx(np.full(11, lam), rel=1e-12)


def test_both_roads_agree_and_the_coupling_does_no_work():
    table = json.loads(three(gravity=(1.0, 2.0, -G)).spec().text)
    table["joint"][0]["position"] = OFFSET  # it fits: what is moved else, each road moves its way
    spec = spec_of_table(table, "test")
    keys = {"stop": 0.5, "step": 0.1, "inputs": PUSHES}
    ours = simulate(system_of(spec), **keys)
    absolute = simulate_absolute(spec, **keys, tolerance=1e-10)
    for name in absolute.names:
        if name in ours and not name.startswith("constraint."):
            # 1e-10 per internal step, and the second road adds up its own rounding
            assert absolute.column(name) == pytest.approx(ours.column(name), abs=1e-8), name
    signs = {"kinetic": 1, "potential": 1, "dissipated": 1, "input_work": -1}
    balance = sum(sign * ours.column(f"energy.{key}") for key, sign in signs.items())
    assert balance == pytest.approx(np.full(6, balance[0]), abs=1e-9)


def geared(kind, **keys):
    """A double pendulum of 3-D links whose joints are coupled."""
    it = Mechanism("geared")
    for k, name in enumerate(("upper", "lower")):
        it.body(name, mass=1.0 + k, com=[0.3 + 0.5 * k, 0.1, 0], inertia=np.diag([0.02, 0.1, 0.1]))
    it.joint("one", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0], velocity=1.0)
    it.joint("two", "revolute", "upper", "lower", point=[0.5, 0, 0], axis=[0, 1, 0.4])
    it.constraint("mesh", kind, joints=["one", "two"], **keys)
    return running(json.loads(it.output("joints", "reactions", "energy").spec().text))


def test_of_two_joints_it_is_a_gear():
    """q_b = ratio q_a + offset, bit for bit; three times the row, a third of the multiplier."""
    gear = geared("gear", ratio=-2.5, offset=0.4)
    same = geared("coupling", ratios=[2.5, 1.0], offset=0.4)
    larger = geared("coupling", ratios=[7.5, 3.0], offset=1.2)
    for _ in range(20):
        gear.step(0.02)
        same.step(0.02)
        larger.step(0.02)
    ours, theirs, thrice = map(named_outputs, (gear, same, larger))
    assert abs(ours["two.q"] - 0.4) > 0.5
    assert theirs == ours
    thrice["mesh.lambda[1]"] *= 3.0
    for name, value in ours.items():
        # the same steps with other roundings; energies add up
        assert thrice[name] == pytest.approx(value, rel=1e-9, abs=1e-10), name


@pytest.mark.parametrize("size", [1e-3, 1e4])
def test_how_large_the_ratios_are_does_not_matter(size):
    rates, lam = by_d_alembert(RATIOS)
    spec = three(ratios=(size * RATIOS).tolist(), offset=size * OFFSET).spec()
    result = simulate(system_of(spec), stop=0.5, step=0.5, inputs=PUSHES)
    assert [result.column(f"{n}.qdd")[-1] for n in JOINTS] == pytest.approx(rates, rel=1e-9)
    assert result.column("tendon.lambda[1]")[-1] == pytest.approx(lam / size, rel=1e-9)


def test_of_one_joint_it_holds_it():
    """2 q = 0.6 holds a pendulum at 0.3 rad: 2 lam carries m g l sin(q), whatever pushes it."""
    it = Mechanism("held", gravity=[0, 0, -G])
    it.body("bob", mass=MASS, com=[0, 0, -0.7], inertia={"shape": "point"})
    it.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, -1, 0])
    it.constraint("brake", "coupling", joints=["pin"], ratios=[2.0], offset=0.6)
    push = Trajectory(np.array([0.0]), ("pin.tau",), np.array([[5.0]]))
    spec = it.output("joints", "reactions").spec()
    result = simulate(system_of(spec), stop=1.0, step=0.5, inputs=push)
    assert result.column("pin.q") == pytest.approx([0.3] * 3, abs=1e-14)
    assert result.column("pin.qd") == pytest.approx([0.0] * 3, abs=1e-14)
    carries = (MASS * G * 0.7 * np.sin(0.3) - 5.0) / 2
    assert result.column("brake.lambda[1]") == pytest.approx([carries] * 3, rel=1e-12)


@pytest.mark.parametrize(("order", "unit"), [((0, 1, 2), "N.m"), ((2, 0, 1), "N")])
def test_the_multiplier_is_measured_by_the_last_joint(order, unit):
    joints, ratios = [JOINTS[k] for k in order], [float(RATIOS[k]) for k in order]
    table = system_of(three(joints=joints, ratios=ratios).spec()).table
    (multiplier,) = (v for v in table.outputs if v.name == "tendon.lambda[1]")
    assert multiplier.unit == unit
    assert "its ratio times as large" in multiplier.description


def test_a_ratio_that_changes_takes_effect_at_once():
    """From -0.5 and 2 to -0.25 and 1: the joints follow, and share forces by the new ratios."""
    run = Run(system_of(three(ratios=[1.0, "r", "-4*r"]).spec()))
    run.u[:] = PUSHES.values[0]
    run.step(0.1)
    run.p[0] = -0.25
    run.retune()
    ratios, found = np.array([1.0, -0.25, 1.0]), named_outputs(run)
    assert ratios @ [found[f"{name}.q"] for name in JOINTS] == pytest.approx(OFFSET, abs=1e-14)
    assert ratios @ [found[f"{name}.qd"] for name in JOINTS] == pytest.approx(0.0, abs=1e-13)
    rates, lam = by_d_alembert(ratios)
    assert [found[f"{name}.qdd"] for name in JOINTS] == pytest.approx(rates, rel=1e-12)
    assert found["tendon.lambda[1]"] == pytest.approx(lam, rel=1e-12)


def test_in_the_graph_it_ties_what_its_joints_carry_one_to_the_next():
    svg = graph_svg(structure_of(three().spec()))
    assert svg.count('<path class="constraint"') == 2
    assert svg.count(">tendon, coupling</text>") == 2


WHERE = 'constraint "tendon", '
SOME = 'give one or more, for example joints = ["a", "b"]'
SINGLE = "it has not one coordinate; name joints of these types: revolute, prismatic, helical"
UNKNOWN = 'joints: no joint "slid"; did you mean "slide"?'
NO_VALUE = "has no finite value; check the expression with the parameters' declared values"
EACH = "give one for each joint"
REFUSED = {
    "no joints": ({"joints": []}, [f"joints: no name; {SOME}"]),
    "an empty name": ({"joints": ["turn", "", "screw"]}, [f"joints: a name is empty; {SOME}"]),
    "unknown": ({"joints": ["turn", "slid", "screw"]}, [UNKNOWN]),
    "twice": (
        {"joints": ["turn", "slide", "turn"]},
        ['joints: "turn" stands there twice; name it once'],
    ),
    "two coordinates": (
        {"joints": ["turn", "slide", "pipe"]},
        [f'joints: "pipe" is cylindrical: {SINGLE}'],
    ),
    "too few ratios": ({"ratios": [1, 2]}, [f"ratios: 2 given, number of joints 3; {EACH}"]),
    "too many ratios": ({"ratios": [1] * 4}, [f"ratios: 4 given, number of joints 3; {EACH}"]),
    "no ratios": ({"ratios": []}, ["ratios: [] is no list of numbers; give one or more"]),
    "a number": ({"ratios": 3.0}, ["ratios: 3 is no list of numbers; give one or more"]),
    "a ratio of 0": (
        {"ratios": [1.0, "r + 0.5", 2.0]},
        ["ratios: number 2 is 0; leave that joint out"],
    ),
    "an unknown parameter": (
        {"ratios": [1.0, "rr", 2.0]},
        ['ratios: no parameter "rr" in "rr"; did you mean "r"?'],
    ),
    "all at once": (
        {"joints": ["turn", "slid"], "offset": "1/0"},
        [UNKNOWN, f'offset: "1/0" {NO_VALUE}'],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_coupling_is_refused(case):
    keys, texts = REFUSED[case]
    table = json.loads(three().spec().text)
    table["body"].append(table["body"][0] | {"name": "on_pipe"})
    table["joint"].append(
        table["joint"][0] | {"name": "pipe", "type": "cylindrical", "child": "on_pipe"}
    )
    table["constraint"][0] |= keys
    with pytest.raises(SpecError) as refused:
        spec_of_table(table, "test")
    assert [line.strip() for line in str(refused.value).splitlines()[1:]] == [
        WHERE + text for text in texts
    ]


@pytest.mark.parametrize("seed", [15, 87])
def test_rows_on_coordinates_of_cut_joints_are_met_to_their_rounding(seed):
    """What a cut joint says of itself follows the bodies while these are brought back."""
    run = wander(running(random_loops(seed, planar=True, extra="coupling")), seed)
    assert run.system.has_rows_on_cuts
    left = run.plant.closure(run.x, run.u)
    assert np.all(np.abs(left.phi) <= EPSILON * left.rounding)
