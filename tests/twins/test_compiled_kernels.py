"""Kernels and straight-line code as compilers leave them: one FMU of each, the same answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.system.system import system_of
from tests.fmu.ctypes_fmu import OK, Library
from tests.fmu.exchange import Exchange, directional
from tests.random_loops import random_loops
from tests.random_trees import random_tree

ROUNDING = 1e-12  # of the largest: constants are folded in one kind of code and not in the other
GROUPS = ("joints", "reactions")


def tree():
    """Return hinges, a slider, a screw, a ball, and joints with two, three and six freedoms."""
    return replace(random_tree(8, seed=6), groups=GROUPS)


def loop():
    """Return a plane loop of hinges and a slider, which has redundant rows; a ball hangs on it."""
    table = random_loops(5, planar=True, forces=False) | {"output": [{"groups": [*GROUPS]}]}
    return spec_of_table(table, "test")


MECHANISMS = {"tree": tree, "loop": loop}


@pytest.fixture(scope="module", params=MECHANISMS)
def pair(request, fmu_of):
    """Instances of both, at the same state under the same inputs."""
    spec = MECHANISMS[request.param]()
    found = []
    for code in (KERNELS, STRAIGHT):
        path = fmu_of(spec, code=code)
        it = Exchange(Library(path, path.parent)).run()
        rng = np.random.default_rng(7)
        inputs = it.library.names("input")
        now = np.array(it.get(inputs))
        assert it.set(dict(zip(inputs, now + rng.normal(size=len(now)), strict=True))) == OK
        it.x = moved(it.x, system_of(spec), rng)
        found.append(it)
    return found


def moved(x, system, rng):
    """Return a state away from the start; of a loop the start itself, where it is closed."""
    if system.rows:
        return x
    other = x + 0.3 * rng.normal(size=len(x))
    for k in system.states.quaternions:
        other[k : k + 4] /= np.linalg.norm(other[k : k + 4])
    return other


def assert_same(found, expected):
    assert np.abs(np.subtract(found, expected)).max() <= ROUNDING * np.abs(expected).max()


def test_their_derivatives_and_outputs_are_the_same(pair):
    outputs = pair[0].library.names("output")
    assert any(".torque." in name or ".force." in name for name in outputs)
    (rates, values), (other_rates, other_values) = (
        (it.derivatives(), it.get(outputs)) for it in pair
    )
    assert_same(rates, other_rates)
    assert_same(values, other_values)


def test_their_directional_derivatives_are_the_same(pair):
    rng = np.random.default_rng(8)
    names = [*pair[0].rates, *pair[0].library.names("output")]
    for knowns in (pair[0].states, pair[0].library.names("input")):
        seeds = dict(zip(knowns, rng.normal(size=len(knowns)), strict=True))
        assert_same(*(directional(it, names, seeds) for it in pair))
