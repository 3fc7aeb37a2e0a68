"""Runs in absolute coordinates: trees against the recursive road, loops against references."""

import json

import numpy as np
import pytest

from mbd_fmu.errors import MbdFmuError, SpecError
from mbd_fmu.export.system import system_of
from mbd_fmu.library import library
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.reference.absolute import AbsoluteRun, simulate_absolute
from mbd_fmu.reference.simulate import simulate
from mbd_fmu.trajectory import read_csv

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


def test_a_four_bar_of_redundant_hinges_follows_its_reference(shared):
    case = json.loads((shared / "closed_loop" / "drake_four_bar_passive.json").read_text())
    theirs = read_csv(shared / "closed_loop" / "drake_four_bar_passive.csv")
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


def test_bodies_that_cannot_meet_are_named():
    spec = door(("lower", -0.5), ("upper", 0.5))
    table = json.loads(spec.text)
    table["model"]["frame"] = "local"
    table["joint"][1] |= {"point": [0, 0, 0.5], "point2": [5, 0, 0.5]}  # five metres off
    with pytest.raises(MbdFmuError, match=r'do not close after 30 iterations: joint "\w+" by'):
        AbsoluteRun(spec_of_table(table, "test"), 1e-6)


def test_what_this_formulation_does_not_have_is_said():
    it = Mechanism("it")
    it.body("a", mass=1, com=[0, 0, 0], inertia=SOLID)
    it.joint("pin", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0], damping=1.0)
    it.body("dot", mass=1, com=[0, 0, 0], inertia={"shape": "point"})
    with pytest.raises(SpecError) as caught:
        AbsoluteRun(it.spec(), 1e-6)
    assert 'joint "pin": damping: not in this formulation' in str(caught.value)
    assert 'body "dot": has no mass or no inertia' in str(caught.value)
