"""A scene follows the parameters: computed is what other declared values would give."""

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.drawing.scene import numbers_of, scene_of
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.live.drivable import drivable
from mbd_fmu.live.scene_numbers import NOWHERE, scene_numbers
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.system.outputs.block import Stage
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of

Y = [0, 1, 0]


def with_values(spec, values):
    """The same model with other declared values."""
    return replace(
        spec, parameters=tuple(replace(p, value=values[p.name]) for p in spec.parameters)
    )


def other_values(spec, share):
    """Each parameter moved by its own share, within its limits."""
    found = {}
    for k, p in enumerate(spec.parameters):
        value = p.value * (1 + share * (1 + k / 7)) or share
        low, high = (-np.inf if p.min is None else p.min), (np.inf if p.max is None else p.max)
        found[p.name] = min(max(value, low), high)
    return found


def followed(spec, values):
    """All numbers of the scene as a page has them, which knows its own model only."""
    numbers = scene_numbers(spec)
    found = dict(numbers_of(scene_of(spec)))
    computed = numbers.values(spec.named(values[p.name] for p in spec.parameters))
    return found | dict(zip(numbers.paths, computed, strict=True))


@pytest.mark.parametrize("name", sorted(library()))
def test_a_scene_at_other_values_is_that_of_a_model_that_declares_them(name):
    spec = read_model(library()[name])
    values = other_values(spec, 0.4)
    expected = dict(numbers_of(scene_of(with_values(spec, values))))
    found = followed(spec, values)
    assert found.keys() == expected.keys()
    for path, number in expected.items():
        assert found[path] == pytest.approx(number, rel=1e-12, abs=1e-12), path


def body_of(mechanism, inertia, name="b", **keys):
    return mechanism.body(name, mass=1, com=[0, 0, "h"], inertia=inertia, **keys)


def gear(ratio):
    pair = Mechanism("pair").parameter("h", 0.3).parameter("n", ratio)
    for name, place in (("a", [0, 0, 0]), ("b", ["h", 0, 0])):
        body_of(pair, {"shape": "point"}, name)
        pair.joint(f"j{name}", "revolute", "ground", name, point=place, axis=Y)
    return pair.constraint("mesh", "gear", joints=["ja", "jb"], ratio="n").spec()


def solid(**inertia):
    lone = Mechanism("lone").parameter("h", 0.3).parameter("n", 0.7)
    body_of(lone, inertia).joint(
        "j", "revolute", "ground", "b", point=["n", 0, 0], axis=[0, "h", "n"]
    )
    return lone.spec()


def slope():
    """A disc on a slope, held by a pin whose child is the ground, seen through."""
    disc = Mechanism("disc").parameter("h", 0.3).parameter("n", 0.7)
    look = {"shape": "box", "size": ["h", "n", 0.1], "center": [0, 0, "h"], "rpy": ["n", 0, "h"]}
    body_of(disc, {"shape": "sphere", "radius": "h"}, opacity="n", visual=[look])
    disc.constraint(
        *("roll", "rolling_disc"),
        body="b",
        center=[0, 0, "h"],
        axis=Y,
        radius="h",
        normal=["n", 0, 1],
    )
    return disc.spec()


def from_the_ground():
    arm = Mechanism("arm", frame="local").parameter("h", 0.3).parameter("n", 0.7)
    body_of(arm, [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    arm.joint(
        *("pin", "revolute", "b", "ground"),
        point=[0, 0, 1],
        point2=[0, "n", 0],
        rpy=["h", 0, 0],
        axis=Y,
    )
    return arm.spec()


@pytest.mark.parametrize(
    "spec",
    [
        *(gear(ratio) for ratio in (-2.0, 0.4, 3.0)),
        solid(shape="sphere", radius="n"),
        solid(shape="box", size=["n", 0, "h"]),
        solid(shape="cylinder", radius="h", length="n", axis=["h", 0, "n"]),
        solid(shape="cylinder", radius="h", length=0),
        solid(shape="rod", length="n"),
        solid(shape="point"),
        slope(),
        from_the_ground(),
    ],
    ids=lambda spec: spec.name,
)
def test_shapes_marks_and_planes_follow(spec):
    values = {"h": 0.37, "n": spec.parameters[1].value * 1.2}
    other = with_values(spec, values)
    expected, found = dict(numbers_of(scene_of(other))), followed(spec, values)
    assert found.keys() == expected.keys()
    differing = {path for path, x in numbers_of(scene_of(spec)) if x != expected[path]}
    assert {path[0] for path in differing} & {"bodies", "marks", "joints", "planes"}
    for path, number in expected.items():
        if path[0] == "normal":  # how it is looked at stays as declared
            continue
        assert found[path] == pytest.approx(number, rel=1e-12, abs=1e-12), path


def test_the_system_of_a_page_computes_them_with_the_parameters_that_follow_from_others():
    spec = read_model(library()["double_pendulum"])
    system = system_of(drivable(spec))
    p = system.nominal_parameters()
    p[2:4] = 1.5, 0.6  # L1, L2
    plant = plant_of(system, p)
    x, u = plant.start(), system.nominal_inputs()
    found = plant.outputs(Stage.DERIVED, x, u, np.zeros(system.nz))
    names = [v.name for v in system.table.derived]
    assert len(found) == len(names) > 0
    expected = dict(
        numbers_of(scene_of(with_values(spec, {"m1": 1, "m2": 1, "L1": 1.5, "L2": 0.6})))
    )
    told = {".".join(map(str, ("scene", *path))): x for path, x in expected.items()}
    assert found == pytest.approx([told[name] for name in names], rel=1e-12, abs=1e-12)


def test_what_has_no_value_is_told_as_nowhere():
    """Wheels of a gear of ratio 1 that turn the same way never touch."""
    spec = gear(3.0)
    numbers = scene_numbers(spec)
    found = dict(zip(numbers.paths, numbers.values({"h": 0.3, "n": 1.0}), strict=True))
    radii = [x for path, x in found.items() if path[-1] == "radius" and path[0] == "marks"]
    assert radii == [NOWHERE] * 2
    assert np.isfinite(list(found.values())).all()


def test_a_scene_of_numbers_alone_has_nothing_to_follow():
    spec = read_model(library()["excavator"])
    assert scene_numbers(spec).paths == ()
    assert drivable(spec).outputs == spec.outputs
