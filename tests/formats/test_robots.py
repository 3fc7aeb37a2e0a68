"""Robots of the package example-robot-data, against Pinocchio, which reads the same files."""

from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.system.system import system_of

pytest.importorskip("pinocchio", reason="the second engine is not installed")

import pinocchio as pin

from tests.formats.arm import changed
from tests.formats.pinocchio_robots import Twins

try:
    SHARE = Path(str(metadata.distribution("example-robot-data").locate_file("cmeel.prefix/share")))
except metadata.PackageNotFoundError:
    pytest.skip("the robots are not installed", allow_module_level=True)
ROBOTS = {path.stem: path for path in sorted(SHARE.glob("example-robot-data/robots/**/*.urdf"))}
ROBOTS["anymal_b"] = next(path for path in SHARE.rglob("anymal.urdf") if "anymal_b" in str(path))

# what no reader could make a mechanism of, with the first words of the reason
REFUSED = {
    "alex_psyonic_hands": ':1037: joint "Left_index_q2", mimic: no joint "index_q1"; did you mean',
    "romeo": ':1443: joints "LHand", "LFinger21", "LFinger31", "LThumb1", "LFinger12" and others: '
    "together they move no mass",
    "romeo_laas_small": ':327: body "body", inertia: has a negative principal moment',
    "ur3": ":6: robot: the attribute name is missing",
}
# a few that have it all: fixed and flying, humanoids, quadrupeds, mimics, merged links, prismatic
SAMPLE = (
    *("ur5_robot", "panda", "baxter", "tiago_no_hand", "xarm7", "kinova", "so100", "pr2"),
    *("g1_29dof_rev_1_0", "simple_humanoid", "talos_full_v2", "icub_reduced", "human"),
    *("solo12", "anymal", "a1", "go2", "hyq_no_sensors", "laikago", "bolt"),
    *("double_pendulum", "allegro_left_hand", "quadrotor_base", "TwoDofs"),
)
CASES = [(name, base) for name in sorted({*ROBOTS} - {*REFUSED}) for base in ("fixed", "free")]


def use(path, choices):
    """Read a robot and look at it as a build does."""
    opened = open_model(path, choices)
    with opened.located():
        refuse_unusable(system_of(opened.spec))


def compare(name, base, states):
    twins = Twins(ROBOTS[name], Choices(base=base, is_lenient=True))
    rng = np.random.default_rng(13)
    for _ in range(states):
        for what, error in twins.worst(rng).items():
            assert error <= 1e-10, f"{what} of {name} differ by {error:.1e}"


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("name", SAMPLE)
def test_a_robot_moves_as_in_the_second_engine(name, base):
    compare(name, base, states=2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "base"), CASES)
def test_every_robot_moves_as_in_the_second_engine(name, base):
    compare(name, base, states=20)


@pytest.mark.parametrize("name", ROBOTS)
def test_every_robot_is_read_or_refused_for_a_reason(name):
    choices = Choices(is_lenient=True)
    if name not in REFUSED:
        assert open_model(ROBOTS[name], choices).spec.bodies
        return
    with pytest.raises(MbdFmuError) as refused:
        use(ROBOTS[name], choices)
    assert str(refused.value).splitlines()[1].strip().startswith(f"{ROBOTS[name]}{REFUSED[name]}")


def is_read(path):
    try:
        open_model(path)
    except MbdFmuError:
        return False
    return True


def test_most_robots_need_no_leniency():
    assert sum(map(is_read, ROBOTS.values())) >= 40


def test_a_planar_joint_turns_and_slides_as_in_the_second_engine(tmp_path):
    """Ours counts along axes of the parent, Pinocchio's along those of the child."""
    path = tmp_path / "arm.urdf"
    text = changed('type="continuous"', 'type="planar"', changed('"0 1 1"', '"0 0 1"'))
    path.write_text(text, encoding="utf-8")
    twins, rng = Twins(path), np.random.default_rng(1)
    forest, model = twins.system.forest, twins.model
    for _ in range(20):
        q, v, tau = (rng.uniform(-1.5, 1.5, 4) for _ in range(3))
        x = np.concatenate([q, v, np.zeros(twins.system.nx - 8)])
        u = np.zeros(twins.system.table.n_inputs)
        for k, n in twins.system.table.driven:
            u[k] = tau[n]
        found = twins.plant.derivatives(x, u)[4:8]
        assert [forest.v[i] for i in (0, 1)] == [slice(0, 1), slice(1, 4)]
        c, s = np.cos(q[1]), np.sin(q[1])
        R = np.array([[c, -s], [s, c]])
        force = tau + twins.passive(v)
        q_there = np.array([q[0], q[2], q[3], c, s])
        v_there = np.array([v[0], *(R.T @ v[2:]), v[1]])
        f_there = np.array([force[0], *(R.T @ force[2:]), force[1]])
        a = pin.aba(model, twins.data, q_there, v_there, f_there)
        slides = R @ (a[1:3] + v[1] * np.array([-v_there[2], v_there[1]]))
        expected = np.array([a[0], a[3], *slides])
        # as the robots above
        assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()
