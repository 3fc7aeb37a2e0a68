"""Kernels and straight-line code as compilers leave them: one FMU of each, the same answers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from tests.fmu.ctypes_fmu import OK, Library
from tests.fmu.exchange import Exchange, directional
from tests.random_loops import random_loops, wander
from tests.random_trees import random_tree

# Of the largest of its kind: constants are folded in one kind of code and not in the other.
ROUNDING = 1e-12
GROUPS = ("joints", "reactions")
ARMS = [(arm, k) for arm in range(3) for k in range(2)]


def tree():
    """Return hinges, a slider, a screw, a ball, and joints with two, three and six freedoms."""
    return replace(random_tree(8, seed=6), groups=GROUPS)


def loop():
    """Return a plane loop of hinges and a slider, which has redundant rows; a ball hangs on it."""
    table = random_loops(5, planar=True, forces=False) | {"output": [{"groups": [*GROUPS]}]}
    return spec_of_table(table, "test")


def rods():
    """Return three arms of two links on balls, each link held by a rod: rows that are alike."""
    links = [(f"link{arm}{k}", f"link{arm}{k - 1}" if k else "ground", arm, k) for arm, k in ARMS]
    table = {
        "model": {"name": "rods"},
        "body": [
            {
                "name": link,
                "mass": 1.0 + k,
                "com": [k + 0.5, arm + 0.1, 0.2],
                "inertia": {"shape": "box", "size": [1.0, 0.2, 0.3]},
            }
            for link, _, arm, k in links
        ],
        "joint": [
            {
                "name": f"{link}_ball",
                "type": "spherical",
                "parent": carrier,
                "child": link,
                "point": [k + 0.1, arm + 0.3, 0.2],
            }
            for link, carrier, arm, k in links
        ],
        "constraint": [
            {
                "name": f"{link}_rod",
                "type": "distance",
                "parent": "ground",
                "child": link,
                "point": [k + 0.7, arm + 1.0, -0.4],
                "point2": [k + 0.9, arm + 0.2, 0.1],
            }
            for link, _, arm, k in links
        ],
        "output": [{"groups": [*GROUPS, "forces"]}],
    }
    return spec_of_table(table, "test")


MECHANISMS = {"tree": tree, "loop": loop, "rods": rods}


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
    """Return a state away from the start, on the constraints."""
    if system.rows:
        return wander(Run(system), 9).x
    other = x + 0.3 * rng.normal(size=len(x))
    for k in system.states.quaternions:
        other[k : k + 4] /= np.linalg.norm(other[k : k + 4])
    return other


def assert_same(names, found, expected):
    """Each kind of number is judged by the largest of its kind: speeds apart from forces."""
    there = sorted(zip(map(kind_of, names), found, expected, strict=True))
    for kind, numbers in groupby(there, key=lambda one: one[0]):
        _, some, others = map(np.array, zip(*numbers, strict=True))
        assert np.abs(some - others).max() <= ROUNDING * np.abs(others).max(), kind


def kind_of(name):
    """Return what is left of a name: ``qd`` of ``der(state.elbow.qd[2])``."""
    return re.sub(r"(\[\d+\]|\.[wxyz])?\)?$", "", name).rsplit(".", 1)[-1]


@pytest.mark.parametrize("name", ["equations", "closure", "loads", "motion"])
def test_rows_that_are_alike_are_one_kernel_called_again(name):
    (routine,) = (r for r in symbols_of(system_of(rods()), KERNELS).routines if r.name == name)
    called = Counter(id(call.kernel) for call in routine.calls)
    assert max(called.values()) >= 3


def test_the_kind_of_a_number_is_read_off_its_name():
    names = ("pin.force.x", "pin.q[2]", "ball.q.w", "der(state.pin.qd)", "der(state.ball.w.z)")
    assert [kind_of(name) for name in names] == ["force", "q", "q", "qd", "w"]


def test_their_derivatives_and_outputs_are_the_same(pair):
    outputs = pair[0].library.names("output")
    assert {"force", "torque"} & {kind_of(name) for name in outputs}
    (rates, values), (other_rates, other_values) = (
        (it.derivatives(), it.get(outputs)) for it in pair
    )
    assert_same(pair[0].rates, rates, other_rates)
    assert_same(outputs, values, other_values)


def test_their_directional_derivatives_are_the_same(pair):
    rng = np.random.default_rng(8)
    rates, outputs = pair[0].rates, pair[0].library.names("output")
    for knowns in (pair[0].states, pair[0].library.names("input")):
        seeds = dict(zip(knowns, rng.normal(size=len(knowns)), strict=True))
        for names in (rates, outputs) if seeds else ():
            assert_same(names, *(directional(it, names, seeds) for it in pair))
