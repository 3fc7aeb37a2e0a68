"""Point masses without a joint fly as points: they move and do not turn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mbd_fmu import Mechanism, simulate, system_of
from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import SpecError
from mbd_fmu.summaries.mechanism import facts
from mbd_fmu.topology.connect import connected
from mbd_fmu.validate.runner import Fmu

POINT = {"shape": "point"}
ALL = ("poses", "velocities", "joints", "reactions", "energy")


def ball(com=(1.0, 2.0, 3.0), **keys):
    it = Mechanism("ball").fmu(tolerance=1e-9)
    return it.body("ball", mass=2.0, com=list(com), inertia=POINT, **keys).output(*ALL)


def columns(result, name):
    return np.stack([result.column(f"{name}.{c}") for c in "xyz"], axis=1)


def test_a_thrown_point_flies_on_a_parabola_and_keeps_its_axes():
    it = ball(velocity={"linear": [1.0, -2.0, 4.0]})
    result = simulate(system_of(it.spec()), stop=1.0, step=0.25)
    t = result.time[:, None]
    fallen = np.array([1.0, -2.0, 4.0]) * t + np.array([0, 0, -9.81]) * t**2 / 2
    assert_allclose(columns(result, "ball.com"), np.array([1, 2, 3]) + fallen, atol=1e-12)
    assert_allclose(columns(result, "ball.r"), fallen, atol=1e-12)
    faster = np.array([1, -2, 4]) + np.array([0, 0, -9.81]) * t
    assert_allclose(columns(result, "ball.v"), faster, atol=1e-12)
    for k in range(3):
        assert_allclose(result.column(f"ball_free.q[{k + 1}]"), fallen[:, k], atol=1e-12)
    assert np.all(result.column("ball.quat.w") == 1.0)
    assert not columns(result, "ball.w").any()
    assert not any(".force." in name or ".torque." in name for name in result.names)


@pytest.mark.parametrize("inertia", [POINT, [[0, 0, 0]] * 3, {"shape": "sphere", "radius": 0}])
def test_a_body_without_inertia_is_a_point_however_that_is_said(inertia):
    it = Mechanism("it").body("a", mass=1, com=[0, 0, 0], inertia=inertia)
    (flight,) = connected(it.spec()).joints
    assert (flight.name, flight.type, flight.fictitious) == ("a_free", "translational", True)
    assert facts(it.spec())["freedoms"] == 3


def swing(kind):
    """A bob on a rod of 1 m, let go at 1 rad: held by a distance, or turning about a pin."""
    start = [np.sin(1.0), 0, -np.cos(1.0)]
    it = ball(start)
    if kind == "pin":
        it.joint("pin", "revolute", "ground", "ball", point=[0, 0, 0], axis=[0, 1, 0])
    else:
        keys = {"parent": "ground", "child": "ball", "point": [0, 0, 0], "point2": start}
        it.constraint("rod", "distance", **keys)
    return simulate(system_of(it.spec()), stop=1.0, step=0.1)


def test_a_point_on_a_rod_swings_as_a_pendulum():
    rod, pin = swing("rod"), swing("pin")
    assert_allclose(columns(rod, "ball.com"), columns(pin, "ball.com"), atol=1e-7)
    pulled = np.linalg.norm(columns(pin, "pin.force"), axis=1)
    assert_allclose(np.abs(rod.column("rod.lambda[1]")), pulled, rtol=1e-6)


def sprung(**keys):
    it = ball((0, 0, 0))
    return it.spring(
        **{"name": "spring", "parent": "ground", "child": "ball", "point": [0, 0, 1]}
        | {"point2": [0, 0, 0], "stiffness": 50.0, "length": 1.0}
        | keys
    )


def test_a_point_on_a_spring_swings_at_its_own_frequency_in_the_fmu_too(fmu_of):
    spec = sprung().spec()
    with Fmu(fmu_of(spec)) as fmu:
        result = fmu.run(np.linspace(0.0, 1.0, 11), tolerance=1e-9).trajectory
    omega = np.sqrt(50.0 / 2.0)
    expected = -9.81 / omega**2 * (1 - np.cos(omega * result.time))
    assert_allclose(result.column("ball.r.z"), expected, atol=1e-7)
    assert_allclose(result.column("ball_free.q[3]"), expected, atol=1e-7)
    assert np.all(result.column("ball.quat.w") == 1.0)


TAKES_HOLD = {
    "a spring beside the centre": lambda: sprung(point2=[0.1, 0, 0]),
    "a bushing that turns": lambda: ball((0, 0, 0)).force(
        "rubber",
        "bushing",
        parent="ground",
        child="ball",
        point=[0, 0, 0],
        point2=[0, 0, 0],
        stiffness=[1, 1, 1, 1, 0, 0],
    ),
    "an edge": lambda: ball((0, 0, 0)).constraint(
        "edge", "knife_edge", body="ball", point=[0, 0, 0], axis=[1, 0, 0]
    ),
}


@pytest.mark.parametrize("name", TAKES_HOLD)
def test_what_would_turn_a_point_is_refused_with_both_remedies(name):
    """A torque on nothing: no finite motion answers it, and none is made up."""
    spec = TAKES_HOLD[name]().spec()
    assert connected(spec).joints[0].type == "free"
    with pytest.raises(SpecError) as caught:
        refuse_unusable(system_of(spec))
    (problem,) = caught.value.problems
    assert "no mass" in problem.found
    assert '"ball" ' in problem.remedy
    if name != "an edge":
        assert problem.where == 'body "ball"'
        assert problem.remedy.endswith("act at its mass centre, as on a point")


def test_a_joint_of_the_model_moves_a_point_and_carries_torques_of_a_solid():
    it = Mechanism("table", gravity=[0, 0, 0])
    it.body("table", mass=2, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 1})
    it.joint("slides", "translational", "ground", "table", point=[0, 0, 0], damping=[0, 0, 4.0])
    it.force("push", "wrench", body="table", point=[0, 1, 0]).output(*ALL)
    settings = {"push.force.x": 6.0, "slides.f[2]": 2.0, "slides.qd_start[3]": 1.0}
    result = simulate(system_of(it.spec()), stop=1.0, step=0.5, settings=settings)
    assert_allclose(result.column("slides.qdd[1]"), 3.0)
    assert_allclose(result.column("slides.qdd[2]"), 1.0)
    assert_allclose(result.column("slides.qd[3]"), np.exp(-2 * result.time), atol=1e-6)
    assert_allclose(result.column("slides.torque.z")[0], 6.0)  # against -6 N.m of the push
    assert_allclose(columns(result, "slides.force"), 0.0, atol=1e-12)
