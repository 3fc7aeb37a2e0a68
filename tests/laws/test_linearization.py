"""A, B, C, D of the freedoms: against differences, closed forms, and other descriptions."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import roots_laguerre

from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.freedoms import SingularError, followers, freedoms_at
from mbd_fmu.analysis.linearization import Linearizer, linearize
from mbd_fmu.analysis.operating_point import operating_point
from mbd_fmu.errors import DataError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.system.system import system_of
from tests.answers import beads, bicycle_rolling, rolling_by_hinges, sorted_values

STEP = 1e-3  # of the differences: their error is its fourth power, and rounding over it
STENCIL = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))


def differences(function, step=STEP):
    """The derivative at 0, to the fourth order."""
    return sum(weight * function(k * step) for k, weight in STENCIL) / step


@pytest.fixture(params=sorted(library()))
def system(request):
    return system_of(read_model(library()[request.param]))


def test_every_model_against_differences_along_a_random_direction(system):
    """xi' and y change by [A B] and [C D] times any small change, on the constraints."""
    rng = np.random.default_rng(7)
    at = operating_point(system)
    linearizer = Linearizer(system)
    linear = linearizer.at(at)
    freedoms = freedoms_at(at, linearizer.tangents)
    picked = freedoms.picked
    n, nv = len(linear.states), len(at.v)
    xi, w = rng.normal(size=n), rng.normal(size=len(linear.inputs))
    du = np.zeros_like(at.u)
    du[list(system.table.acting)] = w
    acting = list(system.table.acting)
    along = freedoms.T @ xi + followers(at, linearizer.tangents, freedoms, "u", acting) @ w

    def moved(e):
        """A state on a curve with that direction, and what acts."""
        x = at.plant.retract(at.x, at.u, e * along[:nv])
        x[len(system.state_q) : len(system.state_q) + nv] += e * along[nv:]
        u = at.u + e * du
        if at.generic_rank is not None:
            x = Manifold(at.plant, u).project(x, at.generic_rank)
        return at.with_parts(x=x, u=u)

    def coordinates(e):
        """By how much what is picked differs from here."""
        there = moved(e)
        d = at.plant.displacement(at.x, at.u, there.x - at.x)
        return np.concatenate([d, there.v - at.v])[picked]

    def rates(e):
        """The rates of that: displacements are seen from axes that go along with the motion."""
        there = moved(e)

        def seen(h):
            x, f = at.x + h * at.rates, there.rates - at.rates
            return at.plant.displacement(x, at.u, there.x - at.x + h * f)

        return np.concatenate([differences(seen, 2e-4), there.vd])[picked]

    smooth = [k for k, v in enumerate(linear.outputs) if not v.name.startswith("constraint.")]
    for found, expected in (
        (xi, differences(coordinates)),
        (linear.A @ xi + linear.B @ w, differences(rates)),
        ((linear.C @ xi + linear.D @ w)[smooth], differences(lambda e: moved(e).y)[smooth]),
    ):
        # 1e-7 is what differences are worth: 1e-16 over the step, times sizes of forces
        np.testing.assert_allclose(
            found, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max(initial=1.0)
        )


def test_there_are_as_many_eigenvalues_as_freedoms_of_position_and_of_velocity(system):
    at = operating_point(system)
    J = at.J * system.row_weight[:, None] if system.rows else np.zeros((0, len(at.v)))
    free = [
        len(at.v) - np.linalg.matrix_rank(part, tol=1e-7) for part in (J[: system.n_holonomic], J)
    ]
    linear = linearize(system, outputs=[])
    assert (linear.n_positions, linear.n_velocities) == tuple(free)
    assert len(linear.eigenvalues) == sum(free)


@pytest.mark.parametrize(
    ("name", "positions", "velocities"),
    [("quarter_car", 2, 2), ("bicycle", 7, 3), ("rolling_disc", 5, 3)],
)
def test_known_freedoms(name, positions, velocities):
    """A wishbone of two freedoms has four eigenvalues; nonholonomic rows take velocities alone."""
    linear = linearize(system_of(read_model(library()[name])), outputs=[])
    assert (linear.n_positions, linear.n_velocities) == (positions, velocities)


@pytest.mark.parametrize("n", [1, 2, 8])
def test_a_hanging_chain_swings_as_the_zeros_of_laguerres_polynomial_say(n):
    """n beads on threads of length l: w^2 = s g / l with L_n(s) = 0; for two, 2 -+ sqrt 2.

    The thread above bead k, counted from the end, carries k weights, so small sways x follow
    k x_k+1 = (2 k - 1 - s) x_k - (k - 1) x_k-1: Laguerre's recurrence, with x_n+1 = 0.
    """
    length = 0.7
    linear = linearize(system_of(beads(n, length)), outputs=[])
    expected = np.sqrt(roots_laguerre(n)[0] * 9.81 / length)
    values = linear.eigenvalues
    assert (
        np.abs(values.real).max() < 1e-7 * expected.max()
    )  # roots of pairs that are the same twice
    found = np.sort(values.imag[values.imag > 0])
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert linear.stability == "neutral"


def test_cart_and_pole_by_hand():
    """Upright, with J = m l^2 / 3 about the hinge: A and B of any textbook."""
    m, M, h, g = 0.2, 1.0, 0.3, 9.81
    found = linearize(
        system_of(read_model(library()["cart_pole"])),
        state={"hinge.q": 0.0},
        outputs=["pole.com.z"],
    )
    # (M + m) x'' + m h a'' = F,  m h x'' + (4/3) m h^2 a'' = m g h a
    mass = np.array([[M + m, m * h], [m * h, 4 * m * h * h / 3]])
    K = np.linalg.solve(mass, np.array([[0, 0], [0, m * g * h]]))
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [K, np.zeros((2, 2))]])
    np.testing.assert_allclose(found.A, A, atol=1e-12)
    np.testing.assert_allclose(found.B[2:, 0], np.linalg.solve(mass, [1, 0]), rtol=1e-12)
    np.testing.assert_allclose(found.C, 0.0, atol=1e-12)
    assert [q.name for q in found.states] == ["rail.q", "hinge.q", "rail.qd", "hinge.qd"]
    assert [q.unit for q in found.states] == ["m", "rad", "m/s", "rad/s"]
    assert found.stability == "unstable"


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_a_sleeping_top_is_stable_from_the_known_spin_on(share):
    """I z'' - i C w z' - m g l z = 0 of its axis z = x + i y; in axes of the top, turned by w.

    Stable for C^2 w^2 > 4 I m g l: Goldstein, Classical Mechanics (1980), ch. 5.
    """
    m, height, C, across, g = 1.5, 0.25, 0.03, 0.02625, 9.81
    about_tip = across + m * height**2
    w = share * np.sqrt(4 * about_tip * m * g * height) / C
    linear = linearize(
        system_of(read_model(library()["heavy_top"])),
        state={"tip.q.w": 1.0, "tip.q.x": 0.0, "tip.w.z": w},
        outputs=[],
    )
    root = np.emath.sqrt(4 * about_tip * m * g * height - C**2 * w**2)
    seen = np.array([(1j * C * w + sign * root) / (2 * about_tip) - 1j * w for sign in (1, -1)])
    expected = [0, 0, *seen, *seen.conj()]
    np.testing.assert_allclose(
        sorted_values(linear.eigenvalues), sorted_values(expected), atol=1e-6
    )
    assert linear.is_steady
    assert linear.stability == ("unstable" if share < 1 else "neutral")


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_a_disc_rolls_upright_from_the_critical_speed_on(share):
    """(A + m r^2) lean'' = (m g r - C (C + m r^2) W^2 / A) lean: stable for W^2 > g / 3 r.

    The yaw follows the lean, A yaw' = C W lean; then it is the balance of the disc in a circle in
    tests/laws/test_equilibrium.py, to first order. See Neimark & Fufaev (1972).
    """
    m, r, g = 2.0, 0.3, 9.81
    A, C = m * r**2 / 4, m * r**2 / 2
    W = share * np.sqrt(g / (3 * r))
    linear = linearize(
        system_of(rolling_by_hinges(m, r)), state={"spin.qd": W, "place.qd[1]": W * r}, outputs=[]
    )
    square = (m * g * r - C * (C + m * r**2) * W**2 / A) / (A + m * r**2)
    pair = [np.emath.sqrt(square), -np.emath.sqrt(square)]
    values = linear.eigenvalues
    assert len(values) == 8
    for value in pair:
        assert np.abs(values - value).min() < 1e-9
    assert np.sum(np.abs(values) < 1e-6) == 6
    assert linear.is_steady
    assert linear.stability == ("unstable" if share < 1 else "neutral")


def test_of_what_spins_in_its_own_axes_eigenvalues_are_of_an_instant():
    """The same disc on a free joint: gravity turns, seen from it; nothing is said of stability."""
    state = {"flight.q.w": 1.0, "flight.q.x": 0.0, "flight.r.y": 0.0, "flight.r.z": 0.0}
    state |= {"flight.w.y": 6.0, "flight.w.z": 0.0, "flight.v.x": 1.8}
    linear = linearize(system_of(read_model(library()["rolling_disc"])), state=state, outputs=[])
    assert np.abs(linear.accelerations).max() < 1e-9
    assert linear.is_steady is False
    assert linear.stability == "unknown"


def test_another_cut_gives_the_same_eigenvalues_and_responses():
    spec = read_model(library()["quarter_car"])
    frequencies = np.geomspace(0.1, 100, 7)
    found = []
    ring = ("lower_hinge", "upper_hinge", "lower_ball", "upper_ball")
    for name in ring:
        joints = tuple(replace(joint, cut=joint.name == name) for joint in spec.joints)
        system = system_of(replace(spec, joints=joints))
        assert [spec.joints[k].name for k in system.forest.cut] == [name]
        at = equilibrium(system).point
        linear = linearize(system, state=at, outputs=["carrier.com.z", "chassis.com.z"])
        found.append((sorted_values(linear.eigenvalues), linear.transfer(frequencies)))
    for values, response in found[1:]:
        np.testing.assert_allclose(values, found[0][0], rtol=1e-9)
        np.testing.assert_allclose(response, found[0][1], rtol=1e-8)


def test_a_free_joint_and_hinges_say_the_same_of_a_bicycle():
    """Another carrier of the same machine: eigenvalues other than zero are the same."""
    linear = bicycle_rolling(5.0)
    system = system_of(read_model(library()["bicycle"]))
    other = linearize(
        system,
        settings={"push": 0.0},
        preferred=["rear_axle.qd", "steer.qd", "flight.w.z"],
        outputs=[],
    )
    assert [q.name for q in other.states] != [q.name for q in linear.states]
    np.testing.assert_allclose(
        sorted_values(linear.eigenvalues)[-4:], sorted_values(other.eigenvalues)[-4:], rtol=1e-9
    )


def test_a_singular_position_has_no_tangents():
    """Two parallelograms drawn flat: beside it they could go on as antiparallelograms."""
    table = {
        "model": {"name": "flat"},
        "body": [
            {
                "name": n,
                "mass": 1.0,
                "com": [x, 0, 0],
                "inertia": {"shape": "rod", "length": 1.0, "axis": [1, 0, 0]},
            }
            for n, x in (("crank", 0.5), ("coupler", 2.0), ("rocker", 2.5))
        ],
        "joint": [
            {
                "name": n,
                "type": "revolute",
                "parent": a,
                "child": b,
                "point": [x, 0, 0],
                "axis": [0, 1, 0],
            }
            for n, a, b, x in (
                ("p", "ground", "crank", 0.0),
                ("q", "crank", "coupler", 1.0),
                ("r", "coupler", "rocker", 3.0),
                ("s", "rocker", "ground", 2.0),
            )
        ],
    }
    with pytest.raises(SingularError, match=r"singular position"):
        linearize(system_of(spec_of_table(table, "flat")))


def test_unknown_names_are_told():
    system = system_of(read_model(library()["cart_pole"]))
    with pytest.raises(DataError, match=r'no output "pole.con.x"; did you mean "pole.com.x"'):
        linearize(system, outputs=["pole.con.x"])
    with pytest.raises(DataError, match=r'no coordinate or velocity "hinge.p"'):
        linearize(system, state={"hinge.p": 1.0})
    with pytest.raises(DataError, match=r'no parameter or input "pole_mas"'):
        linearize(system, settings={"pole_mas": 1.0})
    bicycle = system_of(read_model(library()["bicycle"]))
    with pytest.raises(DataError, match=r"is an expression of parameters; set those"):
        linearize(bicycle, state={"rear_axle.qd": 1.0})
