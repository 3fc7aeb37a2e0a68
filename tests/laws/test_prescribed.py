"""Motions told by positions or velocities alone: forces and energies against closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from mbd_fmu.errors import SpecError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.reference.run import Run
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import energy_drift
from mbd_fmu.validate.runner import Fmu

G, MASS, LENGTH = 9.81, 2.0, 0.5
A, W = 0.1, 2 * np.pi  # of the shaking: 0.1 m, 1 Hz


def level(t):
    """Position, velocity and acceleration of the shaking."""
    return np.array([A * np.sin(W * t), A * W * np.cos(W * t), -A * W * W * np.sin(W * t)])


def shaken_pendulum(told):
    """A point on a rod, hung from a slider whose motion is told."""
    it = Mechanism("shaken_pendulum")
    it.body("slider", mass=1.0, com=[0, 0, 0], inertia={"shape": "point"})
    it.body("bob", mass=MASS, com=[0, 0, -LENGTH], inertia={"shape": "point"})
    rail = {"axis": [1, 0, 0], "drive": "motion", "motion": told, "velocity": A * W}
    it.joint("rail", "prismatic", "ground", "slider", point=[0, 0, 0], **rail)
    swing = {"axis": [0, -1, 0], "drive": "none", "position": 0.4}
    it.joint("pin", "revolute", "slider", "bob", point=[0, 0, 0], **swing)
    return it.spec()


def run_told(fmu_of, spec, inputs, *, rates=False):
    """Run an FMU at the times of its inputs; nothing is to be said about them."""
    with Fmu(fmu_of(spec)) as fmu:
        known = [k for k, name in enumerate(inputs.names) if name in fmu.names("input")]
        names = tuple(inputs.names[k] for k in known)
        given = Trajectory(inputs.time, names, inputs.values[:, known])
        found = fmu.run(inputs.time, inputs=given, interpolate=rates, tolerance=1e-10).trajectory
        assert fmu.warnings == []
    return found


def shaken(fmu_of, told, step, until=0.5, *, rates=False):
    times = step * np.arange(round(until / step) + 1)
    inputs = Trajectory(times, ("rail.q", "rail.qd", "rail.qdd"), level(times).T)
    return run_told(fmu_of, shaken_pendulum(told), inputs, rates=rates)


def by_hand(times):
    """Angle by SciPy, from L a'' = -(g sin a + X'' cos a); and what the drive must push with."""

    def bend(t, a):
        return -(G * np.sin(a) + level(t)[2] * np.cos(a)) / LENGTH

    a, a_dot = solve_ivp(
        lambda t, x: [x[1], bend(t, x[0])],
        (0, times[-1]),
        [0.4, 0.0],
        t_eval=times,
        rtol=1e-11,
        atol=1e-12,
    ).y
    pull = LENGTH * (bend(times, a) * np.cos(a) - a_dot**2 * np.sin(a))
    return a, (1.0 + MASS) * level(times)[2] + MASS * pull


def errors(result):
    """Largest error of the angle; and of the drive's force, of its largest, after the start."""
    angle, force = by_hand(result.time)
    late = result.time > 0.1
    off = np.abs(result.column("pin.q") - angle).max()
    return off, np.abs(result.column("rail.f") - force)[late].max() / np.abs(force).max()


@pytest.mark.parametrize(
    ("told", "rates", "lag"),
    [("position", False, 2.0), ("position", True, 1.0), ("velocity", False, 1.5)],
)
def test_forces_are_late_by_a_known_number_of_steps_and_right_in_the_limit(
    told, rates, lag, fmu_of
):
    """At 10 ms and at 1 ms: first order in the force, second in what swings freely."""
    (coarse_angle, coarse_force), (angle, force) = (
        errors(shaken(fmu_of, told, step, rates=rates)) for step in (0.01, 0.001)
    )
    for found, step in ((coarse_force, 0.01), (force, 0.001)):
        # the lag of the acceleration in radians of the shaking, less what does not follow it
        assert 0.3 * lag * W * step < found < lag * W * step
    assert coarse_force / force == pytest.approx(10, rel=0.1)
    assert coarse_angle / angle > 50
    assert angle < 1e-5


def test_told_in_full_the_force_at_a_communication_point_has_an_error_of_second_order(fmu_of):
    """The acceleration told acts at once; the speed is off by h^2 q'''/2."""
    coarse, fine = (errors(shaken(fmu_of, "full", step))[1] for step in (0.01, 0.001))
    assert coarse < 2e-3
    assert coarse / fine > 50


@pytest.mark.parametrize("rates", [False, True])
@pytest.mark.parametrize("told", ["full", "position", "velocity"])
def test_the_books_balance_along_the_motion_that_is_followed(told, rates, fmu_of):
    """Steps of 20 ms are coarse for the shaking; the work is right none the less."""
    drift = energy_drift(shaken(fmu_of, told, 0.02, until=1.0, rates=rates))
    assert drift is not None
    assert drift[1] < 1e-8


def test_nothing_jumps_when_a_new_position_is_told():
    run = Run(system_of(shaken_pendulum("position")), {"solver.tolerance": 1e-7})
    for k in range(4):
        run.u = level(0.01 * k)[:1]
        run.step(0.01)
        before = run.outputs()
        run.u = level(0.01 * (k + 1))[:1]
        assert run.outputs().tolist() == before.tolist()


def turning(told):
    """A box on a base that moves and turns; the base alone is told."""
    it = Mechanism("turning")
    it.body("box", mass=2.0, com=[0.2, 0.1, 0], inertia=np.diag([0.1, 0.2, 0.3]).tolist())
    hinge = {"axis": [0, 1, 1], "drive": "none", "damping": 0.1}
    it.joint("pin", "revolute", "ground", "box", point=[0.1, 0, 0], **hinge)
    return it.moving_base(told).spec()


def base_at(t):
    """A base that starts from rest and turns about an axis that moves; rates by differences."""

    def pose(s):
        first = Rotation.from_rotvec([1.0 * s**3, 0.5 * s**4, 0])
        return first * Rotation.from_rotvec([0, 0, 2.0 * s**3])

    d = 1e-4
    w, after, before = (
        (pose(t + k * d + d) * pose(t + k * d - d).inv()).as_rotvec() / (2 * d) for k in (0, 1, -1)
    )
    return {
        "r": [t**3, 0.5 * t**4, 0.0],
        "quat": pose(t).as_quat(scalar_first=True),
        "v": [3 * t**2, 2 * t**3, 0.0],
        "w": w,
        "a": [6 * t, 6 * t**2, 0.0],
        "alpha": (after - before) / (2 * d),
    }


def base_inputs(step, until):
    times = step * np.arange(round(until / step) + 1)
    rows = [base_at(t) for t in times]
    names = [f"base.{p}.{c}" for p in rows[0] for c in ("wxyz" if p == "quat" else "xyz")]
    values = np.array([np.concatenate([*row.values()]) for row in rows])
    return Trajectory(times, tuple(names), values)


@pytest.mark.parametrize("rates", [False, True])
@pytest.mark.parametrize("told", ["position", "velocity"])
def test_a_base_that_turns_is_followed_with_its_rates_and_its_books_balance(told, rates, fmu_of):
    """Its angular acceleration has an error of first order, its orientation one of second."""
    offs = []
    for step in (0.02, 0.01):
        inputs = base_inputs(step, 0.6)
        found = run_told(fmu_of, turning(told), inputs, rates=rates)
        drift = energy_drift(found)
        assert drift is not None
        assert drift[1] < 1e-7
        names = [f"base.alpha.{c}" for c in "xyz"]
        offs.append(max(abs(found.column(n) - inputs.column(n))[-1] for n in names))
    assert offs[1] < 0.6 * offs[0]
    size = max(abs(inputs.column(name)[-1]) for name in names)
    assert offs[1] < 0.1 * size
    if told == "velocity":
        for c in "wxyz":
            off = abs(found.column(f"base.quat.{c}") - inputs.column(f"base.quat.{c}"))
            assert off.max() < 1e-3


@pytest.mark.parametrize("rates", [False, True])
@pytest.mark.parametrize("told", ["position", "velocity"])
def test_both_roads_are_led_alike(told, rates, fmu_of):
    inputs = base_inputs(0.02, 0.2)
    found = run_told(fmu_of, turning(told), inputs, rates=rates)
    system = system_of(turning(told))
    known = [v.name for v in system.table.inputs]
    given = Trajectory(inputs.time, tuple(known), np.stack([inputs.column(n) for n in known], 1))
    settings = {"solver.tolerance": 1e-10}
    keys = {"inputs": given, "interpolate": rates, "settings": settings}
    expected = simulate(system, stop=0.2, step=0.02, **keys)
    size = 1.0 + np.abs(expected.values).max()
    assert np.abs(found.values - expected.values).max() < 1e-9 * size


def boom(told):
    """A boom lifted by a cylinder: base pin, rod in a tube, and the eye that closes the loop."""
    it = Mechanism("boom")
    foot, eye = np.array([0.8, 0, -0.6]), np.array([2.0, 0, 0.4])
    along = (eye - foot) / np.linalg.norm(eye - foot)
    for name, mass, com, size in (
        ("boom", 1500.0, [2.5, 0, 0.3], [5.0, 0.4, 0.5]),
        ("tube", 120.0, (foot + 0.3 * along).tolist(), [0.7, 0.2, 0.2]),
        ("rod", 80.0, (eye - 0.4 * along).tolist(), [0.8, 0.1, 0.1]),
    ):
        it.body(name, mass=mass, com=com, inertia={"shape": "box", "size": size})
    free = {"axis": [0, 1, 0], "drive": "none"}
    it.joint("pin", "revolute", "ground", "boom", point=[0, 0, 0], **free)
    it.joint("foot", "revolute", "ground", "tube", point=foot.tolist(), **free)
    cylinder = {"axis": along.tolist(), "drive": "motion", "motion": told}
    it.joint("cylinder", "prismatic", "tube", "rod", point=foot.tolist(), **cylinder)
    it.joint("eye", "revolute", "rod", "boom", point=eye.tolist(), cut=True, **free)
    return it.spec()


def stroke(t):
    """A stroke of 0.3 m in 1.5 s, from rest to rest, with an acceleration that does not jump."""
    w = 2 * np.pi / 1.5
    q = 0.2 * (t - np.sin(w * t) / w)
    return np.stack([q, 0.2 * (1 - np.cos(w * t)), 0.2 * w * np.sin(w * t)], axis=-1)


def test_the_force_of_a_cylinder_told_by_positions_is_that_of_the_full_motion(fmu_of):
    """In a loop: positions alone, at 10 ms, leave 2 % of the force open, dead rates a fifth."""
    times = 0.01 * np.arange(151)
    names = ("cylinder.q", "cylinder.qd", "cylinder.qdd")
    full = Trajectory(times, names, stroke(times))
    exact, made = (run_told(fmu_of, boom(told), full) for told in ("full", "position"))
    with Fmu(fmu_of(boom("full"))) as fmu:
        dead = fmu.run(times, inputs=Trajectory(times, names[:1], full.values[:, :1])).trajectory
        (text,) = fmu.warnings
    off = [np.abs(r.column("cylinder.f") - exact.column("cylinder.f")).max() for r in (made, dead)]
    largest = np.abs(exact.column("cylinder.f")).max()
    assert off[1] > 0.15 * largest
    assert off[0] < 0.02 * largest
    assert "cylinder.q moves, but not at the rate that cylinder.qd tells" in text
    for result in (exact, made):
        drift = energy_drift(result)
        assert drift is not None
        assert drift[1] < 1e-7


def test_the_second_road_says_that_it_makes_no_rates():
    """It takes motions in full; dead rates in silence would be a wrong force."""
    with pytest.raises(SpecError) as caught:
        simulate_absolute(turning("position"), stop=0.1, step=0.01)
    assert "[base], motion: the absolute formulation makes no rates of a position" in str(
        caught.value
    )
