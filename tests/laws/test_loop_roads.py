"""Relative coordinates with cut joints, and absolute ones with every joint as rows: one motion."""

import numpy as np
import pytest

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.oracle.run import AbsoluteRun
from tests.random_loops import (
    assert_same,
    named_inputs,
    named_outputs,
    random_loops,
    running,
    unique_reactions,
    wander,
)

EXTRA = ("distance", "point_in_plane", "gear", "coupling")
SHORT, LONG = range(10), range(10, 100)


def absolute_in_the_same_state(table, values, inputs):
    """The bodies where the other road has them."""
    run = AbsoluteRun(spec_of_table(table, "test"), 1e-6)
    names = [body["name"] for body in table["body"]]
    parts = [
        [values[f"{n}.{key}.{c}"] for n in names for c in axes]
        for key, axes in (("com", "xyz"), ("quat", "wxyz"), ("v", "xyz"), ("w", "xyz"))
    ]
    for joint in table["joint"]:
        positions = JOINTS[joint["type"]].names.positions
        run.near[joint["name"]] = np.array([values[f"{joint['name']}.{c.name}"] for c in positions])
    run.set(inputs)
    run.x = run.project(np.concatenate([*parts, np.zeros(3)]))
    return run


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize(
    "seed", [*SHORT, *(pytest.param(seed, marks=pytest.mark.slow) for seed in LONG)]
)
def test_both_roads_find_the_same_accelerations_and_reactions(seed, planar):
    """Also of reactions that redundant rows leave open, where the rule is the same."""
    table = random_loops(seed, planar=planar, extra=EXTRA[seed % 4], motor=True)
    run = wander(running(table), seed)
    values = named_outputs(run)
    other = absolute_in_the_same_state(table, values, named_inputs(run)).outputs()
    unique = {name for name in unique_reactions(run) if not name.startswith("energy.")}
    # turns since drawn have no sign
    assert_same(values, other, only=unique, but=["quat", ".q."])
    open_ = [name for name in values if ".force." in name or ".torque." in name]
    assert_same(values, other, only=open_)
    for energy in ("kinetic", "potential"):
        assert other[f"energy.{energy}"] == pytest.approx(values[f"energy.{energy}"], rel=1e-9)
