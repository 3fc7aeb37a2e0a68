"""Inverse dynamics: the inverse of forward dynamics, and closed forms of what drives must do."""

import numpy as np
import pytest

from mbd_fmu.analysis.inverse import InverseDynamics, with_drives
from mbd_fmu.analysis.inverse_motion import UndrivenError, inverse_dynamics
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.analysis.in_motion import in_motion
from tests.random_loops import random_loops

G = 9.81


def assert_inverse(inverse, x, u, rank):
    plant, system = inverse.plant, inverse.system
    z = plant.solution(x, u, rank)
    n, m = len(system.state_q), len(system.state_v)
    found = inverse.at(x, u, z[n : n + m], rank)
    if found.redundant:  # other drives, of no greater size, and the same motion
        sizes = [np.linalg.norm(inverse.weight * d) for d in (found.drives, u[inverse.places])]
        assert sizes[0] <= sizes[1] * (1 + 1e-12)
        again = plant.solution(x, found.u, rank)
        assert np.abs(again - z)[: n + m].max() <= 1e-9 * (1 + np.abs(z).max())
        return
    scale = max(found.largest, 1.0)
    # rounding, times how ill-conditioned a mechanism is: excavators weigh tons
    assert np.abs(found.drives - u[inverse.places]).max(initial=0.0) <= 1e-11 * scale
    assert np.abs(found.z - z).max() <= 1e-11 * np.abs(z).max()
    assert all(abs(lack.size) <= 1e-11 * scale for lack in found.lacks)
    ours, theirs = (plant.outputs_of(x, u, answer) for answer in (found.z, z))
    assert np.abs(ours - theirs).max() <= 1e-11 * max(np.abs(theirs).max(), 1.0)


@pytest.mark.parametrize("name", sorted(library()))
def test_inverse_of_forward_is_one_on_every_model(name):
    """Drives come back, and with them every reaction and multiplier."""
    rng = np.random.default_rng(5)
    assert_inverse(*in_motion(read_model(library()[name]), rng))


@pytest.mark.parametrize("seed", range(6))
def test_inverse_of_forward_is_one_on_random_loops(seed):
    """Drives in joints that close loops, springs, dampers, redundant rows."""
    rng = np.random.default_rng(seed)
    spec = spec_of_table(random_loops(seed, planar=seed % 2 == 1, motor=seed >= 3), "random")
    assert_inverse(*in_motion(spec, rng))


def gears(ratio):
    """Two discs on one gear: two drives for one freedom."""
    m = Mechanism("gears", gravity=[0, 0, 0])
    for name, x, inertia in (("a", 0.0, 2.0), ("b", 1.0, 3.0)):
        m.body(name, mass=1.0, com=[x, 0, 0], inertia=np.diag([1.0, 1.0, inertia]))
        m.joint(f"{name}_pin", "revolute", "ground", name, point=[x, 0, 0], axis=[0, 0, 1])
    m.constraint("mesh", "gear", joints=["a_pin", "b_pin"], ratio=ratio)
    return m.spec()


def test_redundant_drives_share_by_least_squares():
    """tau_a + k tau_b = (I_a + k^2 I_b) qdd; least squares: in the ratio 1 to k, or by weights."""
    k, time = -1.5, np.linspace(0, 1, 9)
    qdd = 4.0
    table = Trajectory(
        time,
        ("a_pin.q", "a_pin.qd", "a_pin.qdd"),
        np.column_stack([qdd * time**2 / 2, qdd * time, qdd + 0 * time]),
    )
    need = (2.0 + k * k * 3.0) * qdd
    system = system_of(gears(k))
    found = inverse_dynamics(system, table)
    assert found.redundant == 1
    assert np.allclose(found.drives.column("a_pin.tau"), need / (1 + k * k), rtol=1e-12)
    assert np.allclose(found.drives.column("b_pin.tau"), need * k / (1 + k * k), rtol=1e-12)
    with pytest.raises(DataError, match=r"the weight of a_pin\.tau = 0; give a positive number"):
        inverse_dynamics(system, table, weights={"a_pin.tau": 0.0})
    # with weights w: least (w_a tau_a)^2 + (w_b tau_b)^2
    dear = inverse_dynamics(system, table, weights={"a_pin.tau": 3.0})
    share = need / (1 / 9 + k * k)
    assert np.allclose(dear.drives.column("a_pin.tau"), share / 9, rtol=1e-12)
    assert np.allclose(dear.drives.column("b_pin.tau"), share * k, rtol=1e-12)
    alone = inverse_dynamics(system, table, drives=["a_pin.tau"])
    assert alone.redundant == 0
    assert np.allclose(alone.drives.values[:, 0], need, rtol=1e-12)


def test_what_no_drive_gives_is_named_with_its_size():
    """A cart pushed at rest, its pole held 0.3 rad off by nothing: it lacks m g l sin(0.3)."""
    system = system_of(read_model(library()["cart_pole"]))
    time = np.linspace(0, 1, 7)
    table = Trajectory(time, ("rail.q", "hinge.q"), np.column_stack([0 * time, 0.3 + 0 * time]))
    with pytest.raises(UndrivenError, match=r"hinge\.q lacks -?[\d.]+ N\.m at t = ") as caught:
        inverse_dynamics(system, table)
    size = abs(float(str(caught.value).split("lacks ")[1].split(" N.m")[0]))
    plant = plant_of(system, system.nominal_parameters())
    mass, arm = float(plant.tree.mass[1]), float(np.linalg.norm(plant.tree.p_BBcm[1]))
    assert size == pytest.approx(mass * G * arm * np.sin(0.3), rel=1e-3)  # four digits are printed
    driven, drives = with_drives(system.spec, ["hinge", "rail"])
    found = inverse_dynamics(system_of(driven), table, drives=drives)
    assert abs(found.drives.column("hinge.tau")[0]) == pytest.approx(
        mass * G * arm * np.sin(0.3), rel=1e-12
    )


def test_end_point_and_joint_motion_take_the_same_drives():
    """A two-link arm on a straight line: told by its tip, and by its joints in closed form."""
    a, b, time = 0.4, 0.3, np.linspace(0, 1, 61)
    s = 10 * time**3 - 15 * time**4 + 6 * time**5
    x, y = 0.5 - 0.3 * s, -0.2 + 0.35 * s
    elbow = np.arccos((x**2 + y**2 - a**2 - b**2) / (2 * a * b))
    shoulder = np.arctan2(y, x) - np.arctan2(b * np.sin(elbow), a + b * np.cos(elbow))
    system = system_of(read_model(library()["two_link_arm"]))
    by_tip = inverse_dynamics(
        system, Trajectory(time, ("tool.r.x", "tool.r.y"), np.column_stack([x, y]))
    )
    by_joints = inverse_dynamics(
        system, Trajectory(time, ("shoulder.q", "elbow.q"), np.column_stack([shoulder, elbow]))
    )
    assert np.abs(by_tip.outputs.column("elbow.q") - elbow).max() <= 1e-12
    # the tip is a polynomial of the spline's degree; the joints are not, and are missed by some
    # (1/60)^4 of their sixth derivatives, which at the ends are near 1e3
    difference = np.abs(by_tip.drives.values - by_joints.drives.values).max()
    assert difference <= 1e-4 * np.abs(by_tip.drives.values).max()
    told = [f"{joint}.{c}" for joint in ("shoulder", "elbow") for c in ("q", "qd", "qdd")]
    columns = np.column_stack([by_tip.outputs.column(name) for name in told])
    again = inverse_dynamics(system, Trajectory(time, tuple(told), columns))
    assert np.abs(again.drives.values - by_tip.drives.values).max() <= 1e-12 * 20


def test_a_pendulum_takes_the_torque_and_carries_the_force_of_the_book():
    """tau = (I + m l^2) qdd + m g l sin q; the pin: m (g + l (qd^2 cos q + qdd sin q)) upwards."""
    length, mass = 0.7, 2.0
    m = Mechanism("p")
    m.body("bob", mass=mass, com=[0, 0, -length], inertia=np.diag([0.1, 0.1, 0.1]))
    m.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0])
    time = np.linspace(0, 1, 21)
    q, qd, qdd = np.sin(2 * time), 2 * np.cos(2 * time), -4 * np.sin(2 * time)
    table = Trajectory(time, ("pin.q", "pin.qd", "pin.qdd"), np.column_stack([q, qd, qdd]))
    found = inverse_dynamics(system_of(m.spec()), table)
    tau = (0.1 + mass * length**2) * qdd + mass * G * length * np.sin(q)
    assert np.abs(found.drives.column("pin.tau") - tau).max() <= 1e-12 * np.abs(tau).max()
    up = mass * (G + length * (qd**2 * np.cos(q) + qdd * np.sin(q)))
    assert np.abs(found.outputs.column("pin.force.z") - up).max() <= 1e-12 * np.abs(up).max()
    # and the work of the drive is what the energies gain: of a spline through its power
    energy = found.outputs.column("energy.kinetic") + found.outputs.column("energy.potential")
    work = found.outputs.column("energy.input_work")
    assert np.abs(energy - energy[0] - work).max() <= 1e-6 * np.ptp(energy)


def test_names_that_are_no_drives_are_refused():
    system = system_of(read_model(library()["two_link_arm"]))
    plant = plant_of(system, system.nominal_parameters())
    with pytest.raises(DataError, match=r'no drive "elbow\.tua"; did you mean "elbow\.tau"'):
        InverseDynamics(plant, ["elbow.tua"])
    with pytest.raises(DataError, match="to weigh"):
        InverseDynamics(plant, ["elbow.tau"], {"shoulder.tau": 2.0})
    with pytest.raises(DataError, match='joint "grip" has no freedom'):
        with_drives(system.spec, ["grip"])
