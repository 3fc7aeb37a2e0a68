"""Springs, dampers, friction and stops in joints: hand formulas, and the books of energy."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.reference.run import Run
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of


def slider(**keys):
    """One mass on a rail, without gravity."""
    it = Mechanism("slider", gravity=[0, 0, 0])
    it.body("block", mass=2.0, com=[0, 0, 0], inertia={"shape": "point"})
    it.joint("rail", "prismatic", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0], **keys)
    return it.spec()


def acceleration(spec, q, v):
    system = system_of(spec)
    x = np.array([q, v, 0.0, 0.0])
    return plant_of(system, system.nominal_parameters()).derivatives(x, np.zeros(1))[1]


def test_a_spring_pulls_back_to_its_rest():
    assert acceleration(slider(stiffness=30.0, rest=0.2), 0.5, 0.0) == pytest.approx(-30 * 0.3 / 2)


@pytest.mark.parametrize("v", [-2.0, -1e-4, 0.0, 3e-4, 5.0])
def test_friction_opposes_motion_and_fades_at_rest(v):
    expected = -(4.0 * np.tanh(v / 1e-3) + 0.5 * v) / 2
    assert acceleration(slider(friction=4.0, damping=0.5), 0.0, v) == pytest.approx(expected)


@pytest.mark.parametrize(("q", "force"), [(0.0, 0.0), (1.5, -1000 * 0.5), (-1.5, 1000 * 0.5)])
def test_stops_push_back_beyond_their_place_only(q, force):
    spec = slider(lower=-1.0, upper=1.0, stop_stiffness=1000.0)
    # before and beyond a stop its force differs from that of a hard one by k w^2 / (4 |x|)
    assert acceleration(spec, q, 0.0) * 2 == pytest.approx(
        force, abs=1000 * 1e-6 / (4 * 0.5) * 1.01
    )


def test_a_body_thrown_between_stops_keeps_its_books():
    """Energy moves to and fro between motion and stops; without dampers none is lost."""
    keys = {"lower": -0.1, "upper": 0.1, "stop_stiffness": 5e3, "velocity": 1.0}
    for damping, is_lost in ((0.0, False), (20.0, True)):
        system = system_of(slider(**keys, stop_damping=damping))
        run = Run(system, {"solver.tolerance": 1e-10})
        names = [v.name for v in system.table.outputs]
        rows = []
        for _ in range(60):
            run.step(0.02)
            rows.append(dict(zip(names, run.outputs(), strict=True)))
        turned = np.diff(np.sign([row["rail.qd"] for row in rows])) != 0
        assert np.sum(turned) >= 3
        balance = [
            r["energy.kinetic"] + r["energy.potential"] + r["energy.dissipated"] for r in rows
        ]
        assert np.ptp(balance) < 1e-7  # 1e-10 per internal step, some hundreds of steps
        assert bool(rows[-1]["energy.dissipated"] > 0.1) is is_lost


def test_every_freedom_of_a_joint_has_its_own_spring():
    it = Mechanism("it", gravity=[0, 0, 0])
    it.body("screw", mass=2.0, com=[0, 0, 0], inertia=np.diag([1.0, 1.0, 0.5]))
    keys = {"point": [0, 0, 0], "axis": [0, 0, 1], "stiffness": [3.0, 8.0], "damping": [0.1, 0.2]}
    it.joint("guide", "cylindrical", "ground", "screw", **keys)
    system = system_of(it.spec())
    x = np.array([0.4, 0.3, 2.0, -1.0, 0.0, 0.0])
    vd = plant_of(system, system.nominal_parameters()).derivatives(x, np.zeros(2))[2:4]
    assert vd == pytest.approx([-(3 * 0.4 + 0.1 * 2) / 0.5, -(8 * 0.3 - 0.2 * 1) / 2])


def test_dampers_of_a_ball_act_on_its_angular_velocity():
    it = Mechanism("it", gravity=[0, 0, 0])
    it.body("ball", mass=1.0, com=[0, 0, 0], inertia=np.eye(3) * 0.5)
    it.joint("socket", "spherical", "ground", "ball", point=[0, 0, 0], damping=[0.1, 0.2, 0.3])
    system = system_of(it.spec())
    x = np.array([1.0, 0, 0, 0, 1.0, 2.0, 3.0, 0, 0])
    vd = plant_of(system, system.nominal_parameters()).derivatives(x, np.zeros(3))[4:7]
    assert vd == pytest.approx([-0.2, -0.8, -1.8])
