"""What an output depends on is listed: nothing that changes it is missing."""

import numpy as np
import pytest

from mbd_fmu import Mechanism, system_of
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.reference.assembly import nominal_start

STEP = 1e-3  # of a state: large enough to be seen, whatever the sign
SEEN = 1e-6


def four_bar_beside_a_pendulum(**base):
    """Return both on one base: M and J know nothing of each other's, but the base carries both."""
    both = Mechanism("both", gravity=[0, -9.81, 0])
    box, hinge = {"shape": "box", "size": [0.3, 0.4, 0.5]}, {"axis": [0, 0, 1], "drive": "none"}
    both.body("base", mass=2.0, com=[0.1, 0, 0], inertia=box)
    both.joint("hold", base.pop("type"), "ground", "base", point=[0, 0, 0], **base)
    for name, com in (("a", [0, 0.5, 0.1]), ("b", [0.5, 1, 0.2]), ("c", [1, 0.5, 0.1])):
        both.body(name, mass=1.0, com=com, inertia=box)
    both.joint("A", "revolute", "base", "a", point=[0, 0, 0], **hinge)
    both.joint("B", "revolute", "a", "b", point=[0, 1, 0], **hinge)
    both.joint("C", "revolute", "b", "c", point=[1, 1.2, 0], **hinge)
    both.joint("D", "revolute", "c", "ground", point=[1, 0, 0], **hinge)
    both.body("bob", mass=3.0, com=[0.3, -0.5, 0.4], inertia=box)
    both.joint(
        *("P", "revolute", "base", "bob"),
        point=[0.3, 0, 0.4],
        axis=[1, 0, 0],
        drive="none",
        position=0.4,
    )
    return system_of(both.output("joints", "reactions").spec())


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
@pytest.mark.parametrize(
    "base", [{"type": "rigid"}, {"type": "prismatic", "axis": [1, 0, 0], "drive": "motion"}]
)
def test_shared_reactions_feel_all_that_loads_the_same_joints(base, code):
    """Redundant rows take the multipliers that load all joints least: also what others load."""
    system = four_bar_beside_a_pendulum(**base)
    assembly, start = nominal_start(system.spec)
    assert start.generic_rank.all < len(system.rows)
    listed, u = symbols_of(system, code).depends_on_state, assembly.u
    before = assembly.plant.all_outputs(start.x, u)
    place = list(system.states.names).index("P.q")
    moved = start.x.copy()
    moved[place] += STEP
    changes = np.abs(assembly.plant.all_outputs(moved, u) - before) > SEEN
    names = np.array([v.name for v in system.table.outputs])
    assert any(name.startswith("A.") for name in names[changes])
    assert names[changes & ~listed[:, place]].tolist() == []
