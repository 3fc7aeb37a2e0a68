"""What q, v and tau may be, and what is said of what they may not be."""

import numpy as np
import pytest

from mbd_fmu import MbdFmuError, Mechanism, load
from mbd_fmu.errors import DataError

SOLID = {"shape": "box", "size": [0.3, 0.2, 0.1]}


def ball_and_pin(**pin):
    it = Mechanism("ball_and_pin")
    it.body("one", mass=1, com=[0, 0, 0.5], inertia=SOLID)
    it.body("two", mass=1, com=[0, 0, 1.5], inertia=SOLID)
    it.joint("ball", "spherical", "ground", "one", point=[0, 0, 0])
    it.joint("pin", "revolute", "one", "two", point=[0, 0, 1], axis=[1, 0, 0], **pin)
    return load(it)


def refused(ask):
    with pytest.raises(MbdFmuError) as caught:
        ask()
    return str(caught.value)


def test_what_is_left_out_of_q_is_at_its_start_and_of_v_at_rest():
    m = ball_and_pin(position=0.25, velocity=3.0)
    assert m.at().q.tolist() == [1, 0, 0, 0, 0.25]
    assert m.at().v.tolist() == [0, 0, 0, 0]
    turned = m.at({"ball": [0, 1, 0, 0]}, {"pin": -1})
    assert turned.q.tolist() == [0, 1, 0, 0, 0.25]
    assert turned.v.tolist() == [0, 0, 0, -1]
    assert m.at(parameters={"pin.q_start": 0.5}).q[-1] == 0.5


def test_quaternions_are_given_whole_and_of_length_one():
    m = ball_and_pin()
    nearly = m.at({"ball": [0.999, 0, 0, 0]})
    assert nearly.q[:4].tolist() == [1, 0, 0, 0]
    assert "give all four, of length 1" in refused(lambda: m.at({"ball": [1, 1, 0, 0]}))
    assert "give all four, of length 1" in refused(lambda: m.at({"ball.q.w": 0.5}))
    assert "give all four, of length 1" in refused(lambda: m.at([0, 0, 0, 0, 0]))


def test_all_that_is_wrong_is_said_at_once():
    m = ball_and_pin()
    said = refused(lambda: m.at({"pinn": 1, "ball": 2.0, "pin": np.nan}))
    assert said.splitlines() == [
        'q: no joint "pinn"; did you mean "pin"?',
        '  q of "ball": 2.0; give 4 finite numbers: ball.q.w, ball.q.x, ball.q.y, ball.q.z',
        '  q of "pin": nan; give 1 finite number: pin.q',
    ]
    assert refused(lambda: m.at(None, [1, 2])) == (
        "v: 2 values; give 4, in this order: ball.w.x, ball.w.y, ball.w.z, pin.qd"
    )
    assert "pin.qd is no finite number" in refused(lambda: m.at(None, [0, 0, 0, np.inf]))
    assert "'left' is no vector" in refused(lambda: m.at("left"))
    assert refused(lambda: m.at(inputs={"pin.tua": 1})) == (
        'no input "pin.tua"; did you mean "pin.tau"?'
    )
    assert refused(lambda: m.jacobian("three")).startswith('no body or point "three"; known: one')
    assert "give three numbers" in refused(lambda: m.jacobian(("one", [1, 2])))
    assert 'no parameter "m"' in refused(lambda: m.mass_matrix(parameters={"m": 1}))


def test_numbers_are_numbers_and_rigid_joints_have_none():
    m = ball_and_pin()
    assert refused(lambda: m.at(parameters={"pin.q_start": "left"})) == (
        "\"pin.q_start\": 'left'; give a finite number"
    )
    assert refused(lambda: m.at(inputs={"pin.tau": np.nan})) == (
        '"pin.tau": nan; give a finite number'
    )
    arm = load("two_link_arm")
    assert refused(lambda: arm.at({"grip": 0.1})) == 'q: joint "grip" has no freedom; leave it out'


def test_drives_come_from_tau_or_from_inputs_but_once():
    m = ball_and_pin(drive="torque")
    by_tau = m.forward_dynamics(tau={"pin": 2.0})
    assert np.array_equal(by_tau, m.forward_dynamics(inputs={"pin.tau": 2.0}))
    assert np.array_equal(by_tau, m.forward_dynamics(tau=[0, 0, 0, 2.0]))
    both = refused(lambda: m.forward_dynamics(tau={"pin": 1.0}, inputs={"pin.tau": 2.0}))
    assert both == '"pin.tau" is given by tau and by inputs; give it once'


def test_forces_act_along_freedoms_that_have_no_input():
    """The law of a pendulum: m l^2 a = tau, about its pin, without gravity."""
    it = Mechanism("bob", gravity=[0, 0, 0])
    it.body("bob", mass=2.0, com=[0, 0, -0.5], inertia={"shape": "point"})
    it.joint("pin", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0], drive="none")
    m = load(it)
    assert not m.inputs
    assert m.forward_dynamics(tau=[3.0]) == pytest.approx([3.0 / (2.0 * 0.25)], rel=1e-14)
    assert m.inverse_dynamics(a={"pin": 6.0}) == pytest.approx([3.0], rel=1e-14)


def test_a_prescribed_joint_goes_where_q_says_and_its_drive_comes_out():
    """A mass on a slider that is led upward: f = m (g + a)."""
    it = Mechanism("lift").body("cage", mass=3.0, com=[0, 0, 0], inertia=SOLID)
    it.joint("rope", "prismatic", "ground", "cage", point=[0, 0, 0], axis=[0, 0, 1], drive="motion")
    m = load(it)
    s = m.at({"rope": 2.0}, {"rope": 1.0}, inputs={"rope.qdd": 0.5})
    assert s.poses["cage"].position.tolist() == [0, 0, 2]
    assert s.v.tolist() == [1]
    assert s["rope.f"] == pytest.approx(3.0 * (9.81 + 0.5), rel=1e-14)
    assert m.inverse_dynamics([2.0], [1.0], [0.5]) == pytest.approx([3.0 * 10.31], rel=1e-14)
    assert s.accelerations.tolist() == [0.5]


def test_positions_that_cannot_close_a_loop_say_which_joint_misses():
    m = load("four_bar")
    said = refused(lambda: m.mass_matrix([0.3, 0.0, 0.0]))
    assert said.startswith("the positions cannot be made to fit; these miss most: ")
    assert '"right_pin"' in said
    said = refused(lambda: m.at(None, [1.0, 0.0, 0.0]))
    assert "velocities cannot be made to fit" in said


def test_what_moves_no_mass_is_named_when_it_is_to_accelerate():
    it = Mechanism("idle").body("one", mass=0, com=[0, 0, 0], inertia={"shape": "point"})
    it.joint("pin", "revolute", "ground", "one", point=[0, 0, 0], axis=[0, 1, 0])
    m = load(it)
    assert m.mass_matrix().tolist() == [[0.0]]
    assert 'joint "pin"' in refused(m.forward_dynamics)


def test_an_unknown_output_is_one_of_our_errors_and_a_key_error():
    with pytest.raises(DataError, match=r'no output "pin.x"'):
        load("pendulum").at()["pin.x"]
    with pytest.raises(KeyError):
        load("pendulum").parameters["mas"]
