"""``inverse`` and ``kinematics`` as a user types them."""

import csv
import json

import numpy as np
import pytest

from mbd_fmu.signals.csv_files import read_csv, write_csv
from mbd_fmu.signals.trajectory import Trajectory


def told(name, columns, time):
    write_csv(name, Trajectory(time, tuple(columns), np.column_stack(list(columns.values()))))


def test_inverse_gives_back_the_drives_of_a_run(run):
    time = np.linspace(0.0, 0.2, 5)
    inputs = Trajectory(time, ("shoulder.tau", "elbow.tau"), np.column_stack([14 + time, 5 - time]))
    write_csv("in.csv", inputs)
    words = ("--input", "in.csv", "--stop", 0.2, "--step", 0.05, "-o", "run.csv")
    assert run("simulate", "two_link_arm", *words)[0] == 0
    code, out, err = run("inverse", "two_link_arm", "run.csv", "-o", "out.csv")
    assert code == 0
    assert out.splitlines()[0].split()[:2] == ["drive", "unit"]
    assert "the motion is told by shoulder.q, elbow.q" in err
    assert "22 columns tell no motion: energy.kinetic" in err
    found, ran = read_csv("out.csv"), read_csv("run.csv")
    for name in inputs.names:  # the run knows its accelerations to rounding
        assert np.abs(found.column(name) - inputs.column(name)).max() <= 1e-11
    assert found.names[2:] == ran.names
    for name in ("elbow.force.x", "shoulder.torque.y", "elbow.qdd"):
        assert np.abs(found.column(name) - ran.column(name)).max() <= 1e-10


def test_inverse_for_programs_and_its_page(run, tmp_path):
    time = np.linspace(0, 1, 9)
    told("m.csv", {"shoulder.q": time, "elbow.q": 1.2 + 0 * time}, time)
    code, out, _ = run("inverse", "two_link_arm", "m.csv", "--json", "--plot", "-o", "o.csv")
    facts = json.loads(out)
    assert code == 0
    assert set(facts["drives"]) == {"shoulder.tau", "elbow.tau"}
    drive = facts["drives"]["shoulder.tau"]
    assert set(drive) == {"unit", "min", "t_min", "max", "t_max", "rms"}
    assert drive["min"] <= drive["rms"] <= drive["max"]
    assert (facts["redundant"], facts["told"]) == (0, ["shoulder.q", "elbow.q"])
    assert "<h1>two_link_arm</h1>" in (tmp_path / "o.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cart_pole", "m.csv"), "hinge.q lacks"),
        (("two_link_arm", "m.csv"), "nothing tells how shoulder.q, elbow.q moves"),
        (("cart_pole", "m.csv", "--weight", "rail.f"), "--weight 'rail.f' has no =; write --wei"),
        (("cart_pole", "m.csv", "--hold", "hinj"), 'did you mean "hinge'),
        (("cart_pole", "m.csv", "--drive", "hinj"), 'no drive "hinj"'),
        (("cart.fmu", "m.csv"), "an FMU is not read here"),
        (("cart_pole", "n.csv"), "n.csv: cannot be read"),
    ],
)
def test_inverse_refuses_in_one_message_and_leaves_nothing(run, tmp_path, words, said):
    time = np.linspace(0, 1, 9)
    told("m.csv", {"rail.q": time, "hinge.q": 0.3 + 0 * time}, time)
    code, out, err = run("inverse", *words)
    assert (code, out) == (1, "")
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["m.csv"]


def test_inverse_drives_what_the_model_leaves_undriven(run):
    time = np.linspace(0, 1, 9)
    told("m.csv", {"left_pivot.q": 0.5 * np.sin(time)}, time)
    code, out, _ = run("inverse", "four_bar", "m.csv", "--drive", "left_pivot", "-o", "o.csv")
    assert code == 0
    assert out.splitlines()[1].split()[:2] == ["left_pivot.tau", "N.m"]
    assert run("inverse", "four_bar", "m.csv", "-o", "p.csv")[0] == 1  # it has no drives


def test_kinematics_writes_positions_and_ratios_along_the_drive(run, tmp_path):
    words = ("--drive", "left_pivot=0:3:7", "--angle", "mu=left_pin,right_pin,right_pivot")
    code, out, _ = run("kinematics", "four_bar", *words, "-o", "o.csv", "--plot")
    assert code == 0
    assert out.splitlines()[1].split()[0] == "mu"
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["left_pivot.q"]) for row in rows] == pytest.approx(np.linspace(0, 3, 7))
    names = (tmp_path / "o.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert len(set(names)) == len(names)  # the drive is there once
    travel = [float(row["left_pin.q"]) for row in rows]
    slope = np.diff(travel)[0] / np.diff([float(row["left_pivot.q"]) for row in rows])[0]
    own = [float(row["d(left_pin.q)/d(left_pivot.q)"]) for row in rows[:2]]
    assert min(own) <= slope <= max(own)
    page = (tmp_path / "o.html").read_text(encoding="utf-8")
    assert "<h2>Derived</h2>" in page
    assert "<h2>Positions and ratios</h2>" in page


def test_kinematics_of_a_wheel_for_programs(run):
    words = ("--drive", "carrier.com.z=0.27:0.35:5", "--wheel", "carrier", "--json")
    code, out, _ = run("kinematics", "quarter_car", *words)
    facts = json.loads(out)
    assert code == 0
    assert facts["held"] == ["heave.q"]
    assert set(facts["derived"]) == {"carrier.camber", "carrier.toe"}
    assert facts["positions"]["carrier.com.z"] == pytest.approx(np.linspace(0.27, 0.35, 5))
    camber = facts["derived"]["carrier.camber"]
    assert facts["extremes"]["carrier.camber"]["max"] == max(camber)


def test_kinematics_reaches_a_target(run):
    words = ("--target", "tool.r.x=0.35", "--target", "tool.r.y=-0.4")
    code, out, _ = run("kinematics", "two_link_arm", *words)
    assert code == 0
    elbow = float(next(line.split()[1] for line in out.splitlines() if line.startswith("elbow.q")))
    cosine = (0.35**2 + 0.4**2 - 0.4**2 - 0.3**2) / (2 * 0.4 * 0.3)
    assert elbow == pytest.approx(np.arccos(cosine), rel=1e-8)  # nine digits are printed
    facts = json.loads(run("kinematics", "two_link_arm", *words, "--json")[1])
    assert facts["start_values"]["elbow.q_start"] == pytest.approx(np.arccos(cosine), abs=1e-12)
    assert facts["freedoms_not_asked_for"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--target", "tool.r.x=3"), "target: tool.r.x cannot be as told"),
        (("--target", "tool.r.x=a"), "has no number after ="),
        (("--target", "tool.r.x=0.1", "--plot"), "--plot: of a path"),
        (("--drive", "elbo=0:1:3"), "did you mean"),
    ],
)
def test_kinematics_refuses_in_one_message(run, words, said):
    code, out, err = run("kinematics", "two_link_arm", *words)
    assert (code, out) == (1, "")
    assert said in err


@pytest.mark.parametrize("way", ["elbow=0:1", "elbow=0:1:0", "=0:1:3", "elbow=0:inf:3"])
def test_ways_that_are_none_are_wrong_usage(run, way):
    with pytest.raises(SystemExit) as caught:
        run("kinematics", "two_link_arm", "--drive", way)
    assert caught.value.code == 2


ARM = """
[model]
name = "arm"
[[body]]
name = "link"
mass = 2
com = [0.5, 0, 0]
inertia = { shape = "point" }
[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "link"
point = [0, 0, 0]
axis = [0, -1, 0]
"""


def test_inputs_that_are_set_act_all_the_time_and_limits_are_watched(run, tmp_path):
    """A weight of 2 kg at 0.5 m, and a pull of 10 N upwards at 1 m: 9.81 - 10 N.m."""
    wrench = '[[force]]\nname = "pull"\ntype = "wrench"\nbody = "link"\npoint = [1, 0, 0]\n'
    effort = "effort = 5\n"
    (tmp_path / "arm.toml").write_text(ARM + effort + wrench, encoding="utf-8")
    time = np.linspace(0, 1, 6)
    told("m.csv", {"pin.q": 0 * time}, time)
    code, _, err = run("inverse", "arm.toml", "m.csv", "-o", "a.csv")
    assert code == 0
    assert "pin.tau goes up to 9.81 N.m; its limit is 5" in err
    code, _, err = run("inverse", "arm.toml", "m.csv", "--set", "pull.force.z=10", "-o", "b.csv")
    assert code == 0
    assert "limit" not in err
    found = read_csv("b.csv")
    assert np.abs(found.column("pin.tau") + 0.19).max() <= 1e-12
    assert np.all(found.column("pull.force.z") == 10.0)


def test_joints_with_prescribed_motion_are_led_like_others(run, tmp_path):
    (tmp_path / "arm.toml").write_text(ARM + 'drive = "motion"\n', encoding="utf-8")
    code, out, _ = run("kinematics", "arm.toml", "--drive", "pin=0:1:3", "--json")
    assert code == 0
    heights = json.loads(out)["positions"]["link.com.z"]
    assert heights == pytest.approx(0.5 * np.sin([0, 0.5, 1.0]), abs=1e-14)
