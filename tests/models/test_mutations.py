"""A model that is wrong by a little fails its validation: each fault alone, in several models."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.model.library import library, table_beside
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.validate.momentum import flight_of
from mbd_fmu.validate.validation import validate_fmu

DEGREE = np.pi / 180


def named(table, kind, name):
    (found,) = [entry for entry in table[kind] if entry["name"] == name]
    return found


def heavier(table):
    """Mass of the pole: +1 %."""
    named(table, "body", "pole")["mass"] = "1.01*pole_mass"


def turned(table):
    """The axis of the hinge: turned by a degree."""
    named(table, "joint", "hinge")["axis"] = [np.sin(DEGREE), np.cos(DEGREE), 0]


def weaker_gravity(table):
    """As on a mountain: -0.1 %."""
    table["model"]["gravity"] = [0, -9.81 * 0.999, 0]


def softer(table):
    """The spring in the middle: -1 %."""
    named(table, "force", "spring2")["stiffness"] = "0.99*k2"


def longer_spring(table):
    """The first spring is a millimetre longer."""
    named(table, "force", "spring1")["length"] = 1.001


def damped(table):
    """A little friction of air where there is none."""
    named(table, "force", "spring3")["damping"] = 0.01


def shifted(table):
    """A pivot of the loop: a millimetre aside."""
    named(table, "joint", "right_pivot")["point"] = ["-span - 0.001", 0, 0]


def thicker(table):
    """A moment of inertia of the coupler: +1 %."""
    named(table, "body", "coupler")["inertia"][1][1] = "1.01*normal"


def slower(table):
    """Start velocity of the loop: -1 %."""
    named(table, "joint", "left_pivot")["velocity"] = 2.97


def screwed(table):
    """The wrong type of joint: a hinge that is a screw, five centimetres per turn."""
    named(table, "joint", "pivot").update({"type": "helical", "pitch": 0.05})


def quicker_sleigh(table):
    """The sleigh turns quicker at the start: +1 %."""
    named(table, "joint", "ice")["velocity"] = [3.03, -0.4, 0]


def skewed_edge(table):
    """The knife edge: turned by a degree."""
    named(table, "constraint", "edge")["axis"] = [np.sin(DEGREE), np.cos(DEGREE), 0]


def longer_sleigh(table):
    """The mass centre: a millimetre further in front of the edge."""
    named(table, "body", "sleigh")["com"] = ["offset + 0.001", 0, 0]


def lopsided(table):
    """A top whose second moment is larger: +1 %."""
    named(table, "body", "top")["inertia"][1][1] = "1.01*across"


MODEL_FAULTS = [
    ("cart_pole", heavier),
    ("cart_pole", turned),
    ("pendulum", weaker_gravity),
    ("pendulum", screwed),
    ("three_masses_chain", softer),
    ("three_masses_chain", longer_spring),
    ("three_masses_chain", damped),
    ("four_bar", shifted),
    ("four_bar", thicker),
    ("four_bar", slower),
    ("chaplygin_sleigh", quicker_sleigh),
    ("chaplygin_sleigh", skewed_edge),
    ("chaplygin_sleigh", longer_sleigh),
    ("free_top_symmetric", lopsided),
]


def verdict(fmu_of, name, change_model=None, change_reference=None, change_inputs=None):
    """What ``mbd-fmu validate`` finds about one of our models with one thing changed."""
    model = library()[name] / "model.toml"
    spec = read_model(model)
    if change_model is not None:
        table = json.loads(spec.text)
        change_model(table)
        spec = spec_of_table(table, f"{name}, changed")
    reference, inputs = table_beside(model, "reference.csv"), table_beside(model, "input.csv")
    return validate_fmu(
        fmu_of(spec),
        reference=change_reference(reference) if change_reference else reference,
        inputs=change_inputs(inputs) if change_inputs else inputs,
        flight=flight_of(spec),
    )


@pytest.mark.parametrize("name", sorted({name for name, _ in MODEL_FAULTS}))
def test_unchanged_these_models_pass(name, fmu_of):
    assert verdict(fmu_of, name).failures == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [pytest.param(name, fault, id=f"{name}, {fault.__name__}") for name, fault in MODEL_FAULTS],
)
def test_a_wrong_model_fails(name, fault, fmu_of):
    found = verdict(fmu_of, name, change_model=fault)
    assert not found.passed
    assert found.problems == ()  # it is a sound FMU, of another mechanism
    # not by a hair: ten times what is allowed
    assert found.worst.max_relative > 1e-5


def column_times(factor, name):
    def change(table):
        values = table.values.copy()
        values[:, table.names.index(name)] *= factor
        return replace(table, values=values)

    return change


def swapped(one, other):
    def change(table):
        names = list(table.names)
        i, j = names.index(one), names.index(other)
        names[i], names[j] = other, one
        return replace(table, names=tuple(names))

    return change


def late(table):
    """Every row a thousandth of a second later than it was."""
    return replace(table, time=table.time + np.where(table.time > 0, 1e-3, 0.0))


REFERENCE_FAULTS = {
    "sign of a reaction, loop": ("four_bar", column_times(-1, "left_pin.force.z")),
    "sign of a reaction, tree": ("pendulum", column_times(-1, "pivot.force.x")),
    "sign of a multiplier": ("chaplygin_sleigh", column_times(-1, "edge.lambda[1]")),
    "a hundredth too large": ("cart_pole", column_times(1.01, "hinge.qdd")),
    "swapped columns": ("cart_pole", swapped("rail.q", "hinge.q")),
    "swapped forces": ("four_bar", swapped("left_pin.force.x", "left_pin.force.z")),
    "late": ("pendulum", late),
}


@pytest.mark.parametrize("fault", REFERENCE_FAULTS)
def test_a_wrong_reference_fails(fault, fmu_of):
    name, change = REFERENCE_FAULTS[fault]
    found = verdict(fmu_of, name, change_reference=change)
    assert not found.passed
    assert found.worst.max_relative > 1e-4


@pytest.mark.parametrize("factor", [-1.0, 1.001])
def test_a_wrong_input_fails(factor, fmu_of):
    found = verdict(fmu_of, "cart_pole", change_inputs=column_times(factor, "rail.f"))
    assert not found.passed
    assert all(law.passed for law in found.invariants)  # wrong, but no law of nature is broken


def test_laws_catch_what_no_reference_looks_at(fmu_of):
    """A flying body whose axial moment is not the one declared: its momentum is not kept."""
    spec = read_model(library()["free_top_symmetric"])
    declared = flight_of(spec)
    other = replace(declared, inertias=declared.inertias * np.diag([1.0, 1.0, 1.01]))
    found = validate_fmu(fmu_of(spec), flight=other)
    assert [text.partition(":")[0] for text in found.failures] == ["angular momentum"]
