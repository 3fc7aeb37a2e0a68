"""Which reactions are unique: every output of a joint stands in one of the two lists."""

import numpy as np
import pytest

from mbd_fmu.analysis.diagnosis import _independent, described, diagnose
from mbd_fmu.summaries.mechanism import drawn
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of

CORNERS = [[0, 0, 0], [0, 0, 1], [2, 0, 1.5], [2, 0, 0]]
BARS = ["crank", "coupler", "rocker"]


@pytest.fixture
def four_bar(mechanism):
    """Return a four-bar of hinges about y, which has three redundant rows."""

    def build(naming="structured", **crank_joint):
        bodies = [
            {"name": name, "com": np.mean(CORNERS[k : k + 2], axis=0).tolist()}
            for k, name in enumerate(BARS)
        ]
        ends = zip(["ground", *BARS], [*BARS, "ground"], strict=True)
        joints = [
            {"name": f"pin{k}", "parent": a, "child": b, "point": CORNERS[k], "axis": [0, 1, 0]}
            for k, (a, b) in enumerate(ends)
        ]
        joints[0] |= crank_joint
        joints[2]["type"] = "spherical" if crank_joint.get("drive") else "revolute"
        if joints[2]["type"] == "spherical":
            del joints[2]["axis"]
        return mechanism(bodies, joints, fmu={"naming": naming})

    return build


def reactions_of(system):
    """Outputs that are forces or torques of joints."""
    blocks = [b for b in system.table.blocks if b.stage == "reactions"]
    return {system.shown(c.name) for b in blocks for c in b.components}


def test_a_joint_with_prescribed_motion_stands_in_the_lists_with_its_drive(four_bar):
    system = system_of(four_bar(drive="motion"))
    found = diagnose(system)
    listed = [*found.unique, *found.shared]
    assert len(set(listed)) == len(listed)
    assert "pin0.tau" in found.unique  # virtual work settles it, whatever idle multipliers are
    own = {name for name in listed if name.startswith("pin0.")}
    # all but the torque about its axis, which is the drive
    assert own == {"pin0.tau", "pin0.torque.x", "pin0.torque.z"} | {
        f"pin0.force.{c}" for c in "xyz"
    }
    assert set(listed) <= reactions_of(system)
    assert found.shared  # hinges about parallel axes share the forces along them


def test_a_moving_base_takes_all_that_goes_through_it(mechanism):
    spec = mechanism([{"name": "arm"}], [{"child": "arm"}], base={"motion": "prescribed"})
    found = diagnose(system_of(spec))
    assert {f"base.{kind}.{c}" for kind in ("force", "torque") for c in "xyz"} <= set(found.unique)


@pytest.mark.parametrize("naming", ["structured", "flat"])
def test_lists_and_descriptions_name_variables_as_the_user_sees_them(naming, four_bar):
    system = system_of(four_bar(naming))
    found = diagnose(system)
    assert {*found.unique, *found.shared} <= reactions_of(system)
    told = {v.name: v.description for v in described(system, found).table.outputs}
    assert all(told[name].endswith("; unique") for name in found.unique)
    assert all("; not unique: " in told[name] for name in found.shared)
    assert ("pin0.force.y" if naming == "structured" else "pin0_force_y") in found.shared
    assert ("pin0.qd" if naming == "structured" else "pin0_qd") in drawn(four_bar(naming))


def test_what_multipliers_alone_do_is_the_difference_they_make(four_bar):
    """Of three at once: in what joints transmit, in reactions, and in what drives would take."""
    system = system_of(four_bar())
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    x, n = plant.start(), len(system.rows)
    vd, lam = np.ones(len(system.state_v)), np.random.default_rng(1).normal(size=(n, 3))
    exerted = plant.instant(x, u).exerted(lam)
    none = plant.instant(x, u, vd, np.zeros(n))
    for k in range(3):
        some = plant.instant(x, u, vd, lam[:, k])
        pairs = [
            (np.array(exerted.transmitted), np.subtract(some.transmitted, none.transmitted)),
            (np.array(exerted.reactions), np.subtract(some.reactions, none.reactions)),
            (np.concatenate(exerted.driving), some.driving - none.driving),
        ]
        for found, expected in pairs:
            # differences of loads of some ten newtons
            assert np.abs(found[..., k] - expected).max() < 1e-13 * np.abs(none.reactions).max()
            assert np.abs(expected).max() > 0.1


def greedy(A, tolerance):
    """Keep a row if all singular values of it and those kept are above the tolerance."""
    kept = []
    for k in range(len(A)):
        if (np.linalg.svd(A[[*kept, k]], compute_uv=False) > tolerance).sum() > len(kept):
            kept.append(k)
    return kept


@pytest.mark.parametrize("tolerance", [1e-7, 1e-4])
def test_rows_that_add_something_are_found_as_one_by_one(tolerance):
    """Repeated, summed, nothing; and a matrix of Kahan's, all of whose rows add more than they do.

    Golub & Van Loan (2013), sec. 5.4.3: its least singular value is far below each row's rest.
    """
    rng, n = np.random.default_rng(1), 12
    some = rng.normal(size=(4, n))
    kahan = np.diag(0.6 ** np.arange(n)) @ (np.eye(n) - 0.8 * np.triu(np.ones((n, n)), 1))
    for A in (
        np.vstack([some[:2], some[0], some.sum(axis=0), np.zeros(n), some[2:]]),
        kahan.T,
        np.vstack([kahan.T, some]),
    ):
        assert _independent(A, tolerance) == greedy(A, tolerance)
    assert len(greedy(kahan.T, 1e-4)) < n
    assert _independent(np.zeros((0, n)), tolerance) == []
