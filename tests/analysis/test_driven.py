"""Being led along: what cannot be reached, told or made is said with its place and its size."""

import re

import numpy as np
import pytest

from mbd_fmu.analysis.driven import Driven, UnreachableError
from mbd_fmu.analysis.following import drivers_named, follow, started
from mbd_fmu.analysis.kinematics import kinematic_path, target_pose
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of


def system(name):
    return system_of(read_model(library()[name]))


def plant(name):
    found = system(name)
    return plant_of(found, found.nominal_parameters())


def test_what_is_out_of_reach_is_missed_by_the_distance_from_the_stretched_arm():
    """Links of 0.4 and 0.3 m reach 0.7 m; what is asked for lies at 1 m, straight down."""
    with pytest.raises(UnreachableError) as caught:
        target_pose(system("two_link_arm"), {"tool.r.x": 0.0, "tool.r.y": -1.0})
    found = re.search(r"tool\.r\.y misses by ([\d.]+) m", str(caught.value))
    assert found, str(caught.value)
    assert float(found[1]) == pytest.approx(0.3, abs=1e-3)  # three digits are printed


def test_a_path_beyond_reach_is_refused_with_its_time():
    time = np.linspace(0, 1, 11)
    values = np.column_stack([0.5 + 0.35 * time, 0 * time])
    with pytest.raises(UnreachableError, match=r"t = 0\.6: tool\.r\.x, tool\.r\.y cannot be"):
        follow(plant("two_link_arm"), Trajectory(time, ("tool.r.x", "tool.r.y"), values))


def straight_arm():
    arm = system("two_link_arm")
    p = arm.nominal_parameters()
    names = [v.name for v in arm.table.parameters]
    p[names.index("shoulder.q_start")] = p[names.index("elbow.q_start")] = 0.0
    return plant_of(arm, p)


def test_a_position_that_tells_no_velocity_is_called_singular():
    """Straight, the arm's tip moves across only: its way along the arm tells nothing."""
    time, zeros = np.linspace(0, 1, 7), np.zeros(7)
    table = Trajectory(time, ("tool.r.x", "tool.r.y"), np.column_stack([0.7 + zeros, zeros]))
    with pytest.raises(UnreachableError, match=r"t = 0: singular position: .* how .*\.q moves"):
        follow(straight_arm(), table)


def test_an_arm_that_starts_straight_is_told_to_start_bent():
    """Which way it is to bend, nobody could say."""
    time = np.linspace(0, 1, 7)
    table = Trajectory(
        time, ("tool.r.x", "tool.r.y"), np.column_stack([0.6 - 0.1 * time, 0 * time])
    )
    with pytest.raises(UnreachableError, match=r"bent the right way \(--set JOINT\.q_start=VALUE"):
        follow(straight_arm(), table)


def test_freedoms_that_nothing_tells_are_named_with_the_remedy():
    time = np.linspace(0, 1, 7)
    with pytest.raises(DataError, match=r"how elbow\.q moves; .*--hold elbow"):
        follow(plant("two_link_arm"), Trajectory(time, ("shoulder.q",), time[:, None]))
    held = follow(
        plant("two_link_arm"), Trajectory(time, ("shoulder.q",), time[:, None]), hold=["elbow"]
    )
    assert np.allclose(held.x[:, 1], 1.2, atol=1e-15)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(DataError, match='did you mean "elbow'):
        drivers_named(system("two_link_arm"), ["elbo"])


def test_a_branch_is_kept_through_a_whole_turn():
    """The four-bar of three equal links: after a turn of the left link all is as before."""
    path = kinematic_path(system("four_bar"), "left_pivot", np.linspace(0, 2 * np.pi, 19))
    assert np.abs(path.positions[-1] - path.positions[0])[path.names.index("coupler.r.x")] <= 1e-12


def test_rows_of_loops_and_of_what_is_told_are_met_to_rounding():
    found = plant("excavator")
    start = started(found, found.system.nominal_inputs())
    drivers = drivers_named(found.system, ["teeth.r.x", "teeth.r.z", "swing.q", "boom_pin.q"])
    driven = Driven(found, drivers)
    assert driven.untold(start.x, start.u) == []
    told = driven.places(start.x, start.u)
    told[0] += 0.3
    x = driven.moved(start.x, (start.u, start.u), told, "there")
    now = driven.now(x, start.u)
    assert np.abs(now.at.rows.phi).max() <= 1e-13
    assert max(np.abs(d.miss(now, t)[0]).max() for d, t in zip(drivers, told, strict=True)) <= 1e-12


def test_columns_that_follow_are_compared_and_others_named():
    time = np.linspace(0, 1, 9)
    q = 0.3 * time
    names = ("left_pivot.q", "left.r.x", "left.com.x", "note")
    table = Trajectory(time, names, np.column_stack([q, 0 * q, 0 * q, q]))
    found = follow(plant("four_bar"), table)
    assert found.told == ("left_pivot.q",)
    assert found.unused == ("note",)
    assert found.differences["left.r.x"] <= 1e-14  # the pivot stays where it is,
    # and the mass centre, drawn at (1/2, -sqrt(15)/2), turns about y
    expected = np.abs(0.5 * np.cos(q) - np.sqrt(15) / 2 * np.sin(q)).max()
    assert found.differences["left.com.x"] == pytest.approx(expected, abs=1e-12)
