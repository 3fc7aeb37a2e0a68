"""Signals by what they belong to, and those that stay still."""

import numpy as np
import pytest

from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.spec import OUTPUT_GROUPS, with_groups
from mbd_fmu.options import FIRSTS
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.system import system_of
from mbd_fmu.system.units import shown_unit
from mbd_fmu.system.variables import flat_name
from mbd_fmu.validate.invariants import closure_errors
from mbd_fmu.validate.signal_groups import lacks_first, signal_groups
from mbd_fmu.validate.signal_section import signal_section
from mbd_fmu.validate.still import still_signals

SCENE = {"bodies": [{"name": "rod"}], "joints": [{"name": "pin"}, {"name": "flight"}]}
KINDS = {  # by name: kind of its group, and what it is
    "pin.q": ("joint", "joints"),
    "pin.force.x": ("joint", "reactions"),
    "pin.tau": ("joint", "drives"),
    "pin.passive": ("joint", "forces"),
    "flight.passive[3]": ("joint", "forces"),
    "flight.r.x": ("joint", "joints"),
    "rod.r.x": ("body", "poses"),
    "rod.w.z": ("body", "velocities"),
    "tip.r.x": ("point", "poses"),
    "base.force.x": ("joint", "drives"),
    "pull.force.x": ("force", "forces"),
    "servo.ctrl": ("force", "drives"),
    "servo.effort": ("force", "forces"),
    "rolling.force2.x": ("constraint", "forces"),
    "span.length": ("other", "other"),
    "rod.a.x": ("body", "accelerations"),
    "rod.alpha.z": ("body", "accelerations"),
    "tip.a.x": ("point", "accelerations"),
    "link.lambda[1]": ("constraint", "reactions"),
    "energy.kinetic": ("energy", "energy"),
    "constraint.rank": ("quality", "quality"),
    "tank.level": ("other", "other"),
    "alone": ("other", "other"),
}


@pytest.mark.parametrize("spell", [str, flat_name], ids=["structured", "flat"])
@pytest.mark.parametrize("name", KINDS)
def test_a_name_tells_what_it_belongs_to(name, spell):
    (group,) = signal_groups([spell(name)], SCENE)
    assert (group.kind, group.vectors[0].family) == KINDS[name]


@pytest.mark.parametrize("spell", [str, flat_name], ids=["structured", "flat"])
@pytest.mark.parametrize("scene", [SCENE, None], ids=["scene", "names"])
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("force", ["spring.length", "spring.rate", "spring.force"]),
        ("force", ["servo.length", "servo.rate", "servo.effort"]),
        ("constraint", ["roll.force.x", "roll.torque.x", "roll.force2.x", "roll.torque2.x"]),
        ("other", ["span.length", "span.rate"]),
    ],
)
def test_an_element_is_told_by_all_that_it_has(kind, names, scene, spell):
    (group,) = signal_groups(map(spell, names), scene)
    assert (group.kind, group.name) == (kind, names[0].partition(".")[0])
    family = "other" if kind == "other" else "forces"
    assert {vector.family for vector in group.vectors} == {family}


def test_what_a_constraint_exerts_stands_beside_its_multipliers():
    (group,) = signal_groups(["link.lambda[1]", "link.force.x"], SCENE)
    assert (group.kind, [v.family for v in group.vectors]) == (
        "constraint",
        ["reactions", "forces"],
    )


def test_each_signal_of_every_model_is_drawn_once_and_belongs_to_an_element():
    for folder in library().values():
        spec = with_groups(read_model(folder), *OUTPUT_GROUPS)
        names = [v.name for v in system_of(spec).table.outputs]
        groups = signal_groups(names, scene_table(spec))
        drawn = [name for group in groups for vector in group.vectors for name in vector.members]
        assert sorted(drawn) == sorted(names), spec.name
        assert all(v.family in FIRSTS for group in groups for v in group.vectors), spec.name
        elements = {"body": spec.bodies, "force": spec.forces, "constraint": spec.constraints}
        for kind, own in elements.items():
            found = {group.name for group in groups if group.kind == kind}
            assert found <= {element.name for element in own}, spec.name


def table(**columns):
    names = tuple(name.replace("__", ".") for name in columns)
    return Trajectory(np.arange(3.0), names, np.array(list(columns.values()), dtype=float).T)


def test_a_signal_stays_still_beside_its_vector():
    """By a share of 1e-9; what is below 1e-12 is zero; what is no number is never still."""
    found = table(
        a__x=[1e3, 1e3, 1e3 + 1e-7], a__y=[1e3, -1e3, 0], b=[0, 1e-13, 0], c=[1, 1, 1 + 1e-8]
    )
    assert still_signals(found) == {"a.x", "b"}
    assert still_signals(table(a=[1, np.nan, 1])) == frozenset()


@pytest.mark.parametrize("spell", [str, flat_name], ids=["structured", "flat"])
def test_numbered_coordinates_of_one_unit_are_one_vector(spell):
    """Rounding of a second angle is nothing beside the first; a length has its own measure."""
    columns = {"foot.q[1]": [2.1, 2.0, 1.9], "foot.q[2]": [0, 1e-10, 0], "foot.q[3]": [0, 1e-10, 0]}
    units = {"foot.q[1]": "rad", "foot.q[2]": "rad", "foot.q[3]": "m"}
    names = tuple(map(spell, columns))
    found = Trajectory(np.arange(3.0), names, np.array(list(columns.values())).T)
    told = {spell(name): unit for name, unit in units.items()}
    assert still_signals(found, units=told) == {spell("foot.q[2]")}


def test_bodies_with_numbers_in_their_names_are_no_vector():
    assert still_signals(table(mass_1=[2.1, 2.0, 1.9], mass_2=[0, 1e-10, 0])) == frozenset()


def test_what_lacks_is_what_could_come_first_and_does_not():
    """Errors of constraints, which are numbers on a page, are of the quality."""
    names = ["pin.q", "constraint.position_error"]
    assert lacks_first(names, SCENE, "") == ""
    assert [first for first in FIRSTS if not lacks_first(names, SCENE, first)] == [
        "joints",
        "quality",
    ]
    section = signal_section(table(**{n.replace(".", "__"): [0, 1, 2] for n in names}), {})
    assert '<option value="quality">' in section


def test_what_is_off_its_reference_is_not_still():
    result = table(a=[1, 1, 1], b=[1, 1, 1], c=[1, 1, 1])
    reference = table(a=[1, 1, 1], b=[1, 1, 1.1])
    assert still_signals(result, reference) == {"a", "c"}


def test_the_floor_of_a_constraint_error_is_the_last_place_of_the_largest_coordinate():
    result = table(rod__com__x=[1, -8, 2], constraint__position_error=[1e-15, 3e-15, 2e-15])
    (error,) = closure_errors(result)
    assert (error.worst, error.at, error.scale) == (3e-15, 1.0, 8.0)
    assert error.floor == np.spacing(8.0)


@pytest.mark.parametrize(
    ("unit", "shown"), [("N.m", "N·m"), ("rad/s2", "rad/s²"), ("kg.m2", "kg·m²"), ("1", "")]
)
def test_units_are_written_as_people_do(unit, shown):
    assert shown_unit(unit) == shown
