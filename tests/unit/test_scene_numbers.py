"""A scene follows the parameters: what is computed of it is what other declared values would give."""

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.drawing.scene import numbers_of, scene_of, scene_table
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
