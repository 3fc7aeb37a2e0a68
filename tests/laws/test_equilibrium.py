"""Rest, steady motions, trim and what is set free: against closed forms."""

import tomllib

import numpy as np
import pytest

from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.operating_point import operating_point
from mbd_fmu.analysis.search import NoEquilibriumError
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.formats.start_values import with_start_values
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.system.system import system_of
from tests.answers import beads, rolling_by_hinges, rotating_pendulum

G = 9.81


def model(name):
    return system_of(read_model(library()[name]))


def hanging_mass(**more):
    """1.5 kg on a slide upwards, on a spring of 200 N/m from the ground."""
    return spec_of_table(
        {
            "model": {"name": "mass"},
            "parameters": {"rest": {"value": 0.4, "unit": "m"}},
            "body": [
                {"name": "block", "mass": 1.5, "com": [0, 0, 0.5], "inertia": {"shape": "point"}}
            ],
            "joint": [
                {
                    "name": "slide",
                    "type": "prismatic",
                    "parent": "ground",
                    "child": "block",
                    "point": [0, 0, 0.5],
                    "axis": [0, 0, 1],
                    "damping": 3.0,
                    **more,
                }
            ],
            "force": [
                {
                    "name": "spring",
                    "type": "spring_damper",
                    "parent": "ground",
                    "child": "block",
                    "point": [0, 0, 0],
                    "point2": [0, 0, 0.5],
                    "stiffness": 200.0,
                    "length": "rest",
                }
            ],
        },
        "mass",
    )


def test_a_mass_sinks_into_its_spring():
    found = equilibrium(system_of(hanging_mass()))
    assert found.state["slide.q"] == pytest.approx(0.4 - 1.5 * G / 200 - 0.5, abs=1e-12)
    assert found.stability == "stable"
    assert found.is_at_rest
    w, zeta = np.sqrt(200 / 1.5), 3.0 / (2 * np.sqrt(200 * 1.5))
    (pole,) = found.linearization.poles.each
    assert pole.frequency == pytest.approx(w / (2 * np.pi), rel=1e-10)
    assert pole.damping == pytest.approx(zeta, rel=1e-10)


def test_the_length_of_a_spring_from_a_wanted_height():
    found = equilibrium(system_of(hanging_mass()), solve=["rest"], wanted={"block.com.z": 0.31})
    assert found.solved["rest"] == pytest.approx(0.31 + 1.5 * G / 200, abs=1e-11)
    assert found.point.output("block.com.z") == pytest.approx(0.31, abs=1e-11)


def test_the_ride_height_of_a_wishbone():
    """The loop closes, the height is what is wanted, and nothing accelerates."""
    system = model("quarter_car")
    tuned = next(v.name for v in system.table.parameters if "length" in v.name or "rest" in v.name)
    here = equilibrium(system).point.output("chassis.com.z")
    found = equilibrium(system, solve=[tuned], wanted={"chassis.com.z": here + 0.01})
    assert found.point.output("chassis.com.z") == pytest.approx(here + 0.01, abs=1e-10)
    assert found.residual < 1e-8
    assert found.point.output("constraint.position_error") < 1e-12


def test_which_forces_hold_a_pose():
    """A chain of two beads held level: torques are weights times levers."""
    system = system_of(beads(2, 0.7))
    found = equilibrium(system, state={"pin0.q": -np.pi / 2, "pin1.q": 0.0}, trim=True)
    weight = 0.4 * G
    assert abs(found.solved["pin0.tau"]) == pytest.approx(weight * (0.7 + 1.4), rel=1e-12)
    assert abs(found.solved["pin1.tau"]) == pytest.approx(weight * 0.7, rel=1e-12)
    assert found.state["pin0.q"] == -np.pi / 2


def test_more_drives_than_needed_share_the_load_with_the_least_squares():
    """Held by both its own drive and a wrench: of all ways to carry the weight, the least."""
    table = {
        "model": {"name": "shared"},
        "body": [{"name": "block", "mass": 2.0, "com": [0, 0, 0], "inertia": {"shape": "point"}}],
        "joint": [
            {
                "name": "slide",
                "type": "prismatic",
                "parent": "ground",
                "child": "block",
                "point": [0, 0, 0],
                "axis": [0, 0, 1],
            }
        ],
        "force": [{"name": "hand", "type": "wrench", "body": "block", "point": [0, 0, 0]}],
    }
    found = equilibrium(
        system_of(spec_of_table(table, "shared")), trim=True, solve=["slide.f", "hand.force.z"]
    )
    assert found.solved == pytest.approx({"slide.f": G, "hand.force.z": G}, rel=1e-12)


@pytest.mark.parametrize("start", [0.02, 3.0])
def test_it_sinks_to_where_it_would_come_to_rest(start):
    """Near upright it does not stay there: Newton's method alone would."""
    found = equilibrium(system_of(beads(1, 0.7)), state={"pin0.q": start})
    assert np.cos(found.state["pin0.q"]) == pytest.approx(1.0, abs=1e-12)


def test_exactly_upright_it_stays_and_is_called_unstable():
    found = equilibrium(system_of(beads(1, 0.7)), state={"pin0.q": np.pi})
    assert found.state["pin0.q"] == pytest.approx(np.pi, abs=1e-9)
    assert found.stability == "unstable"


def test_a_governor_rises_from_the_critical_speed_on():
    """cos a = g / (l w^2) above w^2 = g / l; both branches with the eigenvalues of a free shaft."""
    m, length, J = 0.8, 0.5, 0.3
    system = system_of(rotating_pendulum(m, length, J))
    critical = np.sqrt(G / length)
    slow = equilibrium(system, rates={"spin.qd": 0.9 * critical}, state={"arm.q": 0.1})
    assert slow.state["arm.q"] == pytest.approx(0.0, abs=1e-9)
    assert slow.stability == "neutral"
    w = 1.3 * critical
    low = equilibrium(system, rates={"spin.qd": w})
    assert low.state["arm.q"] == 0.0
    assert low.stability == "unstable"
    grows = low.linearization.eigenvalues.real.max()
    assert grows == pytest.approx(np.sqrt(w**2 - G / length), rel=1e-10)
    high = equilibrium(system, rates={"spin.qd": w}, state={"arm.q": 0.1})
    angle = np.arccos(G / (length * w**2))
    assert abs(high.state["arm.q"]) == pytest.approx(angle, rel=1e-9)
    s, c = np.sin(angle), np.cos(angle)
    # theta'' = W^2 s c - g s / l with (J + m l^2 s^2) W constant
    ml = m * length**2
    square = w**2 * (s**2 + 4 * ml * s**2 * c**2 / (J + ml * s**2))
    assert high.linearization.eigenvalues.imag.max() == pytest.approx(np.sqrt(square), rel=1e-9)
    assert high.stability == "neutral"


def test_a_disc_rolls_in_a_circle_at_the_rates_its_lean_asks_for():
    """In axes of the lean w = (0, n, yaw' c), n = spin' + yaw' s; the centre moves by r n ahead.

    Momentum about it turns by the contact's force m a - m g at the arm r:

        (C + m r^2) n yaw' c - A yaw'^2 s c + m g r s = 0
    """
    m, r = 2.0, 0.3
    A, C = m * r**2 / 4, m * r**2 / 2
    lean, w = 0.35, 2.0
    s, c = np.sin(lean), np.cos(lean)
    n = (A * w * w * s * c - m * G * r * s) / ((C + m * r * r) * w * c)
    W = n - w * s
    found = equilibrium(
        system_of(rolling_by_hinges(m, r)),
        state={"lean.q": lean},
        hold=["lean.q"],
        rates={"yaw.qd": w, "lean.qd": 0.0},
        solve=["spin.qd"],
    )
    assert found.state["lean.q"] == pytest.approx(lean, abs=1e-12)
    assert found.solved["spin.qd"] == pytest.approx(W, rel=1e-9)
    assert found.linearization.is_steady


def test_what_hangs_on_a_stop_is_told():
    stop = {"stop_stiffness": 1e5, "stop_damping": 10.0}
    found = equilibrium(system_of(hanging_mass(lower=-0.05, **stop)))
    assert found.stops == ("slide.q hangs on its lower stop at -0.05 m",)
    assert found.state["slide.q"] == pytest.approx(-0.05, abs=1e-3)
    assert equilibrium(system_of(hanging_mass(lower=-0.5, **stop))).stops == ()


def test_a_drive_that_must_leave_its_limit_is_told():
    """1.5 kg at the spring's own length weigh m g: more than 10 N, less than 20 N."""
    told = []
    for effort in (10.0, 20.0):
        found = equilibrium(
            system_of(hanging_mass(effort=effort)), settings={"rest": 0.5}, trim=True
        )
        assert found.solved["slide.f"] == pytest.approx(1.5 * G, rel=1e-9)
        told.append(found.limits)
    assert told == [(f"slide.f goes up to {1.5 * G:.6g} N; its limit is 10",), ()]


def test_velocities_to_begin_with_are_refused():
    """An equilibrium has those that are given as rates, and no others."""
    with pytest.raises(DataError, match=r"sought from rest; .* --rate slide.qd=0.2"):
        equilibrium(system_of(hanging_mass()), state={"slide.q": 0.1, "slide.qd": 0.2})
    found = equilibrium(system_of(hanging_mass()))
    assert equilibrium(system_of(hanging_mass()), state=found.state).steps == 0


def test_what_falls_is_named_alone_with_its_unit():
    ball = {"name": "ball", "mass": 1.0, "com": [0, 0, 1], "inertia": {"shape": "point"}}
    spec = spec_of_table({"model": {"name": "falls"}, "body": [ball]}, "falls")
    with pytest.raises(
        NoEquilibriumError, match=r"ended, ball\S* accelerates by -9.81 m/s2; begin"
    ):
        equilibrium(system_of(spec))


def test_what_falls_for_ever_has_none():
    with pytest.raises(
        NoEquilibriumError, match=r"no equilibrium found.*spindle\.qd\[2\] accelerates"
    ):
        equilibrium(model("scara"))
    found = equilibrium(model("scara"), hold=["spindle.q[2]"], solve=["spindle.f"])
    assert found.solved["spindle.f"] == pytest.approx(_carried("scara"), rel=1e-9)


def test_what_no_parameter_can_reach_is_told_with_what_is_missing():
    """A spring's length does not move a mass sideways, nor far beyond its limits upwards."""
    system = system_of(hanging_mass())
    with pytest.raises(NoEquilibriumError, match=r"block\.com\.x is 0, not 0\.2"):
        equilibrium(system, solve=["rest"], wanted={"block.com.x": 0.2})


def test_what_is_held_stays_though_rates_are_given():
    """A bicycle's steer held while it rolls: straight on, with the torque that takes: none."""
    found = equilibrium(
        model("bicycle"),
        rates={"rear_axle.qd": 15.0},
        hold=["steer.q", "rear_axle.q"],
        solve=["steer.tau"],
    )
    assert found.state["steer.q"] == 0.0
    assert found.solved["steer.tau"] == pytest.approx(0.0, abs=1e-9)


def _carried(name):
    """The weight of what the last joint of an upright arm carries."""
    spec = read_model(library()[name])
    joint = next(j for j in spec.joints if j.name == "spindle")
    return G * sum(
        float(value_of(b.mass, spec.nominal)) for b in spec.bodies if b.name == joint.child
    )


def test_a_balance_of_an_instant_is_no_steady_motion():
    with pytest.raises(NoEquilibriumError, match=r"the motion is not steady"):
        equilibrium(system_of(beads(1, 0.7)), rates={"pin0.qd": 1.0})


def test_unknown_names_and_dependent_rates_are_told():
    system = model("bicycle")
    with pytest.raises(DataError, match=r'no velocity of a joint of the tree "rear_axle.q"'):
        equilibrium(system, rates={"rear_axle.q": 1.0})
    with pytest.raises(DataError, match=r"the rate of front_axle.qd follows from others"):
        equilibrium(
            system,
            rates={"rear_axle.qd": 10.0, "front_axle.qd": 10.0, "steer.qd": 0.0, "flight.w.x": 0.0},
        )
    with pytest.raises(DataError, match=r'no output "pole"'):
        equilibrium(system, wanted={"pole": 1.0})


@pytest.mark.parametrize(
    ("name", "rates"), [("quarter_car", {}), ("flyball_governor", {"spin.qd": 6.0})]
)
def test_start_values_written_back_are_an_equilibrium_and_leave_the_text_alone(name, rates):
    folder = library()[name]
    text = (folder / "model.toml").read_text(encoding="utf-8")
    found = equilibrium(model(name), rates=rates)
    positions, velocities = found.joint_values
    written = with_start_values(text, positions, velocities, {})
    kept = [line for line in text.splitlines() if not line.startswith(("position", "velocity"))]
    left = [line for line in written.splitlines() if not line.startswith(("position", "velocity"))]
    assert left == kept
    again = system_of(spec_of_table(tomllib.loads(written), name))
    at = operating_point(again)
    n = len(again.state_q) + len(again.state_v)
    np.testing.assert_allclose(at.x[:n], found.point.x[:n], atol=1e-11)
    # 1e-15 of coordinates times the stiffness of the governor's rods, over its masses
    assert np.abs(at.vd).max() < 1e-6
