"""Linearisation, equilibria and inverse problems by a model's methods, against other engines."""

import inspect

import numpy as np
import pytest

from mbd_fmu import Mechanism, Model, build_fmu, load
from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.signals.trajectory import Trajectory
from tests.api.loops import there

G = 9.81


@pytest.fixture(scope="module")
def robot():
    pytest.importorskip("pinocchio", reason="the second engine is not installed")
    from tests.api.robots import ROBOTS, Robot

    return Robot(*ROBOTS[0])


def pendulum():
    """A point on a rod: w0^2 = g / l."""
    it = Mechanism("bob").body("bob", mass=2.0, com=[0, 0, -0.5], inertia={"shape": "point"})
    it.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0], position=0.4)
    return load(it)


# --- Against Pinocchio, on a robot ---


def test_linearization_of_a_robot(robot):
    """A and B from Pinocchio's derivatives of the articulated-body algorithm."""
    import pinocchio as pin

    model, data, order = robot.model, robot.data, robot.order
    assert not robot.there.passive(robot.v).any()
    pin.computeABADerivatives(
        model, data, robot.q_there, robot.v_there, robot.tau[order].astype(float)
    )
    drives = dict(zip(robot.m.inputs, robot.tau, strict=True))
    linear = robot.m.linearize(robot.m.at(robot.q, robot.v, inputs=drives), outputs=[])
    assert [s.name for s in linear.states[: len(robot.q)]] == list(robot.m.coordinates)
    n = len(robot.q)
    at = np.ix_(order, order)
    for found, expected in (
        (linear.A[n:, :n][at], data.ddq_dq),
        (linear.A[n:, n:][at], data.ddq_dv),
        (linear.B[n:][at], np.triu(data.Minv) + np.triu(data.Minv, 1).T),
    ):
        assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()  # two roads
    assert np.array_equal(linear.A[:n], np.hstack([np.zeros((n, n)), np.eye(n)]))


def test_trim_of_a_robot_is_its_weight(robot):
    import pinocchio as pin

    zero = np.zeros(len(robot.v))
    expected = pin.rnea(robot.model, robot.data, robot.q_there, zero, zero)
    found = robot.m.equilibrium(robot.m.at(robot.q), trim=True)
    tau = np.array([found.solved[name] for name in robot.m.inputs])[robot.order]
    assert np.abs(tau - expected).max() <= 1e-9 * np.abs(expected).max()
    assert np.allclose(robot.m.inverse_dynamics(robot.q)[robot.order], expected, atol=1e-10)


def test_inverse_kinematics_of_a_robot(robot):
    import pinocchio as pin

    name, frame = list(robot.bodies)[-1]
    pin.framesForwardKinematics(
        robot.model, robot.data, robot.there.there(0.3 * robot.q, robot.v)[0]
    )
    target = robot.data.oMf[frame].translation.copy()
    found = robot.m.inverse_kinematics(
        {f"{name}.r.{c}": x for c, x in zip("xyz", target, strict=True)}
    )
    q_there = robot.there.there(found.q, robot.v)[0]
    pin.framesForwardKinematics(robot.model, robot.data, q_there)
    assert np.abs(robot.data.oMf[frame].translation - target).max() <= 1e-9  # m


def test_inverse_of_a_motion_is_the_recursive_newton_euler_of_every_row(robot):
    import pinocchio as pin

    time = np.linspace(0, 0.2, 5)
    q, v, a = robot.q, robot.v, robot.a
    table = {"time": time}
    for name, *x in zip(robot.m.coordinates, q, v, a, strict=True):
        table[name] = x[0] + x[1] * time + x[2] * time**2 / 2
        table[f"{name}d"] = x[1] + x[2] * time
        table[f"{name}dd"] = np.full(len(time), x[2])
    r = robot.m.inverse(table)
    for k, t in enumerate(time):
        now = robot.there.there(q + v * t + a * t**2 / 2, v + a * t)
        expected = pin.rnea(robot.model, robot.data, now[0], now[1], a[now[2]])
        found = np.array([r[name][k] for name in robot.m.inputs])[now[2]]
        assert np.abs(found - expected).max() <= 1e-10 * np.abs(expected).max()
    assert [t.name for t in r.plot().figure.data] == list(robot.m.inputs)
    assert "shoulder_link" in r.view().motion.poses


def test_drives_found_for_a_motion_make_it(robot):
    """The inputs of one result are those of the next run: forward of inverse is 1."""
    time = np.linspace(0, 0.2, 41)
    table = {"time": time}
    for name, q, a in zip(robot.m.coordinates, robot.q, robot.a, strict=True):
        table[name] = q + a * time**2 / 2
    found = robot.m.inverse(table)
    start = {f"{name}_start": q for name, q in zip(robot.m.coordinates, robot.q, strict=True)}
    r = robot.m.simulate(
        0.2, 0.05, inputs=found, parameters=start, interpolate="linear", tolerance=1e-9
    )
    for name in robot.m.coordinates:
        expected = np.interp(r.time, time, table[name])
        # drives on straight lines over 5 ms: h^2 / 8 of second derivatives of some 1e2, over t^2/2
        assert np.abs(r[name] - expected).max() <= 1e-4


def test_a_path_of_a_robot(robot):
    import pinocchio as pin

    name, frame = list(robot.bodies)[-1]
    values = [0.0, 0.5, 1.0]
    path = robot.m.kinematics("elbow_joint.q", values)
    for k, value in enumerate(values):
        state = robot.m.at({"elbow_joint": value})
        pin.framesForwardKinematics(robot.model, robot.data, robot.there.there(state.q, robot.v)[0])
        found = [path[f"{name}.r.{c}"][k] for c in "xyz"]
        assert np.abs(found - robot.data.oMf[frame].translation).max() <= 1e-9  # m


def test_loads_of_a_robot_are_the_forces_in_its_joints(robot):
    """At the start, at rest, without drives; Pinocchio's forces go through the whole joint."""
    import pinocchio as pin

    r = robot.m.simulate(stop=0.01)
    q_there, zero, _ = robot.there.there(robot.m.at().q, np.zeros(len(robot.v)))
    a = pin.aba(robot.model, robot.data, q_there, zero, zero)
    pin.rnea(robot.model, robot.data, q_there, zero, a)
    reactions = robot.m.at().reactions
    loads = r.loads()
    for name, number in robot.there.theirs.items():
        expected = np.linalg.norm(robot.data.f[number].linear)
        assert np.linalg.norm(reactions[name].force) == pytest.approx(expected, rel=1e-10)
        assert loads[name].magnitude("force")[0] == pytest.approx(expected, rel=1e-10)


# --- Against absolute coordinates, on loops ---


def test_linearization_of_a_loop():
    """One freedom of a crank, by central differences of the oracle's accelerations."""
    m, q, v, h = load("slider_crank"), 0.9, -3.0, 1e-4
    state = m.at({"bearing": q}, {"bearing": v})
    linear = m.linearize(state, outputs=["bore.qdd"], preferred=["bearing.qd"])
    assert [s.name for s in linear.states] == ["bearing.q", "bearing.qd"]

    def acceleration(dq, dv, name="bearing.qdd"):
        return there(m, m.at({"bearing": q + dq}, {"bearing": v + dv}))[0][name]

    def slopes(name):
        by_q = (acceleration(h, 0, name) - acceleration(-h, 0, name)) / (2 * h)
        by_v = (acceleration(0, h, name) - acceleration(0, -h, name)) / (2 * h)
        return np.array([by_q, by_v])

    # the error of a difference: h^2 / 6 of a third derivative of some 1e2
    assert linear.A[1] == pytest.approx(slopes("bearing.qdd"), rel=1e-6, abs=1e-6)
    assert linear.A[0] == pytest.approx([0.0, 1.0], abs=1e-12)
    assert linear.C[0] == pytest.approx(slopes("bore.qdd"), rel=1e-6, abs=1e-6)


def test_an_equilibrium_of_a_loop_does_not_accelerate():
    m = load("four_bar")
    found = m.equilibrium(m.at({"left_pivot": 0.3}))
    state = m.at(found)
    names = [f"{name}.qdd" for name in m.joints]
    outputs, missed = there(m, state)
    assert missed <= 1e-9
    assert max(abs(outputs[name]) for name in names) <= 1e-8  # what its search leaves
    assert np.array_equal(state.q, found.point.x[: len(state.q)])


def test_a_run_of_a_loop():
    """The FMU against bodies in absolute coordinates, step by step."""
    m = load("slider_crank")
    inputs = Trajectory(np.zeros(1), ("bearing.tau",), np.array([[0.05]]))
    expected = simulate_absolute(m.spec(), stop=0.1, step=0.05, inputs=inputs, tolerance=1e-10)
    r = m.simulate(0.1, 0.05, inputs={"bearing.tau": 0.05}, tolerance=1e-10)
    assert np.abs(r["bearing.q"]).max() > 1e-3
    for name in ("bearing.q", "bore.qd", "wrist_pin.force.x", "rod.r.z"):
        size = 1.0 + np.abs(expected.column(name)).max()
        # two solvers at 1e-10 per internal step, and what forces make of it
        assert np.abs(r[name] - expected.column(name)).max() <= 1e-7 * size, name


def test_the_mode_of_a_loop():
    """One freedom: w^2 is the slope of the oracle's acceleration, by central differences."""
    m, h = load("four_bar"), 1e-4
    rest = m.equilibrium(m.at({"left_pivot": 0.3}))
    (mode,) = m.modes(rest).undamped
    at = rest.state["left_pivot.q"]

    def acceleration(dq):
        return there(m, m.at({"left_pivot": at + dq}))[0]["left_pivot.qdd"]

    slope = (acceleration(h) - acceleration(-h)) / (2 * h)
    # the error of a difference: h^2 / 6 of a third derivative of some 1e2
    assert (mode.eigenvalue**2).real == pytest.approx(slope, rel=1e-6)


def test_drives_and_loads_of_a_motion_of_a_loop():
    m, time = load("slider_crank"), np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    q, v, a = np.sin(4 * time), 4 * np.cos(4 * time), -16 * np.sin(4 * time)
    r = m.inverse({"time": time, "bearing.q": q, "bearing.qd": v, "bearing.qdd": a})
    loads = r.loads()
    for k in range(len(time)):
        state = m.at({"bearing": q[k]}, {"bearing": v[k]})
        outputs, _ = there(m, state, {"bearing.tau": r["bearing.tau"][k]})
        assert outputs["bearing.qdd"] == pytest.approx(a[k], abs=1e-7)  # rad/s2, of some 16
        force = np.linalg.norm([outputs[f"crank_pin.force.{c}"] for c in "xyz"])
        assert loads["crank_pin"].magnitude("force")[k] == pytest.approx(force, rel=1e-8)


def test_inverse_kinematics_leads_a_joint_that_closes_a_loop():
    m = load("four_bar")
    with pytest.raises(MbdFmuError, match=r'"right_pin" closes a loop.*inverse_kinematics'):
        m.at({"right_pin": 0.2})
    state = m.inverse_kinematics({"right_pin.q": 0.2})
    outputs, missed = there(m, state)
    assert missed <= 1e-9
    assert outputs["right_pin.q"] == pytest.approx(0.2, abs=1e-9)


def test_joints_of_prescribed_motions_are_led_like_any_other():
    """As by the command: a lift on a rope that inputs lead."""
    it = Mechanism("lift").body("cage", mass=3, com=[0, 0, 0], inertia={"shape": "point"})
    it.joint("rope", "prismatic", "ground", "cage", point=[0, 0, 0], axis=[0, 0, 1], drive="motion")
    m = load(it)
    assert m.kinematics("rope", [0.0, 2.0])["cage.r.z"].tolist() == [0.0, 2.0]
    assert m.inverse_kinematics({"cage.r.z": 1.5}).q == pytest.approx([1.5], abs=1e-12)
    for wrong in ([], [np.nan], ["a"], [[1.0]]):
        with pytest.raises(DataError, match="one or more finite numbers"):
            m.kinematics("rope", wrong)


def test_a_motion_that_was_measured_may_lack_some_force():
    """Two pendulums side by side, one driven: what moves the other is missing."""
    it = Mechanism("two")
    for name, drive in (("one", "torque"), ("other", "none")):
        it.body(name, mass=1, com=[0, 0, -1], inertia={"shape": "point"})
        keys = {"point": [0, 0, 0], "axis": [0, 1, 0], "drive": drive}
        it.joint(f"{name}_pin", "revolute", "ground", name, **keys)
    t = np.linspace(0, 1, 11)
    motion = {"time": t, "one_pin.q": t, "other_pin.q": 1e-3 * t}
    m = load(it)
    with pytest.raises(MbdFmuError, match="the drives cannot make this motion: other_pin"):
        m.inverse(motion)
    r = m.inverse(motion, tolerance=0.01)
    assert r["one_pin.tau"] == pytest.approx(G * np.sin(t), abs=1e-9)


def test_a_path_of_a_loop_is_that_of_absolute_coordinates():
    m, values = load("slider_crank"), [0.0, 0.4, 0.9]
    path = m.kinematics("bearing.q", values)
    for k, value in enumerate(values):
        outputs, _ = there(m, m.at({"bearing": value}, {"bearing": 1.0}))
        assert path["wrist_pin.q"][k] == pytest.approx(outputs["wrist_pin.q"], abs=1e-9)
        assert path.ratio("bore.q")[k] == pytest.approx(outputs["bore.qd"], abs=1e-9)
    assert "bore.q" in repr(path)
    assert "<table>" in path._repr_html_()
    with pytest.raises(KeyError, match="no position"):
        path["bore.x"]


# --- Closed forms, and what is refused ---


def test_a_pendulum_swings_about_its_equilibrium():
    m = pendulum()
    found = m.equilibrium()
    assert m.at(found).q == pytest.approx([0.0], abs=1e-9)
    linear = m.linearize(found)
    assert sorted(linear.eigenvalues.imag) == pytest.approx(
        [-np.sqrt(G / 0.5), np.sqrt(G / 0.5)], rel=1e-12
    )
    tilted = m.linearize(m.at({"pin": 0.3}))
    assert tilted.A[1, 0] == pytest.approx(-G / 0.5 * np.cos(0.3), rel=1e-12)
    same = m.linearize({"pin": 0.3}, parameters={})
    np.testing.assert_array_equal(same.A, tilted.A)  # q goes where a state goes
    assert m.modes({"pin": 0.3}).undamped[0].frequency == pytest.approx(
        np.sqrt(G / 0.5) / (2 * np.pi), rel=1e-12
    )
    held = m.equilibrium(hold=["pin.q"], solve=["pin.tau"])
    assert held.solved["pin.tau"] == pytest.approx(2.0 * G * 0.5 * np.sin(0.4), rel=1e-12)


def test_a_chain_of_two_has_the_modes_of_the_closed_form():
    """Two equal points on rods: w^2 = (2 -+ sqrt 2) g / l; Landau & Lifshitz (1976), sec. 23."""
    it = Mechanism("two")
    for name, parent, z in (("one", "ground", 0.0), ("other", "one", -0.5)):
        it.body(name, mass=2.0, com=[0, 0, z - 0.5], inertia={"shape": "point"})
        it.joint(f"pin_{name}", "revolute", parent, name, point=[0, 0, z], axis=[0, 1, 0])
    m = load(it)
    found = m.modes()
    expected = np.sqrt((2 + np.array([-1, 1]) * np.sqrt(2)) * G / 0.5) / (2 * np.pi)
    assert [mode.frequency for mode in found.undamped] == pytest.approx(expected, rel=1e-10)
    same = m.modes(m.equilibrium(m.at({"pin_one": 0.1})))
    assert [mode.frequency for mode in same.undamped] == pytest.approx(expected, rel=1e-8)
    with pytest.raises(DataError, match="already"):
        m.modes(m.equilibrium(), inputs={"pin_one.tau": 1.0})


def test_modes_of_a_robot_are_those_of_its_stiffness_and_mass(robot):
    """Held by its weight's torques, K is the derivative of Pinocchio's generalized gravity."""
    import pinocchio as pin

    held = robot.m.equilibrium(robot.m.at(robot.q), trim=True)
    found = robot.m.modes(held)
    K = pin.computeGeneralizedGravityDerivatives(robot.model, robot.data, robot.q_there)
    M = pin.crba(robot.model, robot.data, robot.q_there, pin.Convention.WORLD)
    M = np.triu(M) + np.triu(M, 1).T
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
    ours = np.sort([-(mode.eigenvalue**2).real for mode in found.undamped])
    assert np.abs(ours - squares).max() <= 1e-8 * np.abs(squares).max()


def test_an_fmu_is_linearized_by_its_own_derivatives(tmp_path):
    m = pendulum()
    fmu = load(m.build(tmp_path / "bob.fmu").path)
    linear = fmu.linearize(outputs=["pin.q"], parameters={"pin.q_start": 0.3})
    assert linear.A[1, 0] == pytest.approx(-G / 0.5 * np.cos(0.3), rel=1e-12)
    assert linear.C.tolist() == [[1.0, 0.0]]
    with pytest.raises(DataError, match=r'no output "pin.qq"'):
        fmu.linearize(outputs=["pin.qq"])
    with pytest.raises(DataError, match="an FMU is linearised at its start"):
        fmu.linearize(m.at())
    with pytest.raises(MbdFmuError, match="load the model it was built from"):
        fmu.equilibrium()


def test_answers_show_themselves(tmp_path):
    m = pendulum()
    found = m.equilibrium()
    modes = m.modes(found)
    linear = m.linearize(found, outputs=["pin.q"])
    assert f"{np.sqrt(G / 0.5) / (2 * np.pi):.5g}" in repr(linear)  # Hz
    assert "pin.q" in repr(found)
    assert "pin.q" in repr(modes)
    for answer in (found, modes, linear):
        assert "<table>" in answer._repr_html_()
    swings = modes.view(1).motion
    assert swings.poses["bob"].shape == (len(swings.time), 7)
    with pytest.raises(DataError, match="no mode 2; there are 1, from 1"):
        modes.view(2)
    page = modes.save(tmp_path / "modes.html").read_text(encoding="utf-8")
    assert "1 undamped mode about" in page


def test_build_takes_the_keywords_of_build_fmu():
    own, whole = (list(inspect.signature(f).parameters) for f in (Model.build, build_fmu))
    assert own[1:] == whole[1:]


def test_a_state_brings_its_inputs_and_parameters():
    m = pendulum()
    with pytest.raises(DataError, match="a state has its inputs and parameters already"):
        m.equilibrium(m.at(), inputs={"pin.tau": 1.0})
    still = Mechanism("still").body("bob", mass=1, com=[0, 0, -1], inertia={"shape": "point"})
    still.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0], drive="none")
    m = load(still)
    with pytest.raises(DataError, match="a tau that no input gives"):
        m.linearize(m.at(tau=[1.0]))


def test_loads_are_the_peaks_of_the_reactions():
    r = load("double_pendulum").simulate(stop=0.5)
    loads = r.loads()
    size = np.linalg.norm(r["elbow.force"], axis=1)
    assert np.array_equal(loads["elbow"].magnitude("force"), size)
    (row,) = [line for line in repr(loads).splitlines() if line.startswith("elbow")]
    assert row.split()[1:3] == [f"{size.max():.6g}", f"{r.time[size.argmax()]:.6g}"]
    with pytest.raises(DataError, match='no axes "body"'):
        r.loads("body")


def test_one_name_is_as_good_as_a_list_of_one():
    m = load("cart_pole")
    one = m.linearize(inputs="rail.f", outputs="hinge.q")
    several = m.linearize(inputs=["rail.f"], outputs=["hinge.q"])
    assert one.C.shape == (1, 4)
    assert one.C.tolist() == several.C.tolist()
    assert m.equilibrium({"hinge": 3.0}, hold="rail.q").stability
