"""Springs with a law of their own: against closed forms, SciPy, and the other road."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from scipy.special import ellipk

from mbd_fmu import Mechanism, build_fmu, simulate, system_of
from mbd_fmu.elements.forces.nonlinear_spring import curve_of
from mbd_fmu.errors import SpecError
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.validate.runner import Fmu

TABLE = ((0.2, -30.0), (0.35, -4.0), (0.5, 0.0), (0.6, 3.0), (0.8, 40.0), (1.0, 41.0))


def sled(start=(0.0, 0.0), **keys):
    """A mass of 2 kg that slides along x, held by a spring at the origin."""
    it = Mechanism("sled", gravity=[0, 0, 0])
    it.parameter("k", 40.0).parameter("cubic", 300.0)
    it.body("sled", mass=2.0, com=[0.5, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    at = {"point": [0.5, 0, 0], "axis": [1, 0, 0], "position": start[0], "velocity": start[1]}
    it.joint("rail", "prismatic", "ground", "sled", **at)
    ends = {"parent": "ground", "child": "sled", "point": [0, 0, 0], "point2": [0.5, 0, 0]}
    it.force("spring", "nonlinear_spring", **ends, **{"length": 0.5} | keys)
    return it.output("joints", "energy").fmu(tolerance=1e-10)


def test_duffing_s_oscillator_has_the_period_of_its_elliptic_integral():
    """x'' = -a x - b x^3 from rest at A: T = 4 K(m) / sqrt(a + b A^2), m = b A^2 / 2 / that."""
    pull = "k*(length - 0.5) + cubic*(length - 0.5)**3"
    a, b, amplitude = 40.0 / 2, 300.0 / 2, 0.3
    square = a + b * amplitude**2
    period = 4 * ellipk(b * amplitude**2 / (2 * square)) / np.sqrt(square)
    result = simulate(
        system_of(sled(pull=pull).spec()),
        stop=3 * period,
        step=period / 4,
        settings={"rail.q_start": amplitude},
    )
    expected = amplitude * np.array([1, 0, -1, 0] * 3 + [1])
    # a tolerance of 1e-10 per step over some two hundred steps
    assert result.column("rail.q") == pytest.approx(expected, abs=1e-7)
    total = result.column("energy.kinetic") + result.column("energy.potential")
    held = 2 * (a * amplitude**2 / 2 + b * amplitude**4 / 4)
    assert total == pytest.approx(np.full(13, held), rel=1e-8)


@pytest.mark.parametrize("keys", [{"pull": "k*(length - 0.5) + 3*rate"}, {"table": None}])
def test_where_it_is_linear_it_is_the_spring_everybody_knows(keys):
    if "table" in keys:
        keys = {"table": [[0.1, -16.0], [0.5, 0.0], [0.9, 16.0]], "damping": 3.0}
    plain = sled(pull="0*length")
    plain.spring(
        *("plain", "ground", "sled"),
        point=[0, 0, 0],
        point2=[0.5, 0, 0],
        stiffness=40.0,
        damping=3.0,
        length=0.5,
    )
    run = {"stop": 1.0, "step": 0.1, "settings": {"rail.q_start": 0.3, "rail.qd_start": 1.0}}
    one, other = (simulate(system_of(it.spec()), **run) for it in (sled(**keys), plain))
    for name in one.names:
        assert one.column(name) == pytest.approx(other.column(name), abs=1e-8), name


def test_a_table_is_scipy_s_curve_and_goes_straight_on_beyond_it():
    curve, theirs = curve_of(TABLE), PchipInterpolator(*np.array(TABLE).T)
    for length in np.linspace(0.2, 1.0, 81):
        assert curve.value(length) == pytest.approx(float(theirs(length)), abs=1e-12)
        area = float(theirs.integrate(0.2, length))
        assert curve.integral(length) == pytest.approx(area, abs=1e-12)
    slopes = theirs.derivative()([0.2, 1.0])
    assert curve.value(0.1) == pytest.approx(-30.0 - 0.1 * slopes[0])
    assert curve.value(1.3) == pytest.approx(41.0 + 0.3 * slopes[1])


@pytest.mark.parametrize("seed", range(20))
def test_so_is_any_table_however_it_turns_round(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(2, 8)
    lengths, pulls = np.cumsum(rng.uniform(0.05, 2.0, n)), rng.integers(-3, 4, n).astype(float)
    curve = curve_of(tuple(zip(lengths.tolist(), pulls.tolist(), strict=True)))
    theirs = PchipInterpolator(lengths, pulls)
    assert curve.slopes == pytest.approx(theirs.derivative()(lengths[[0, -1]]), abs=1e-12)
    for length in np.linspace(lengths[0], lengths[-1], 50):
        assert curve.value(length) == pytest.approx(float(theirs(length)), abs=1e-12)


def test_a_table_that_rises_makes_a_force_that_rises():
    lengths = np.linspace(0.0, 1.5, 600)
    pulls = [curve_of(TABLE).value(length) for length in lengths]
    assert np.all(np.diff(pulls) >= -1e-13)  # rounding where it is level


LAWS = {
    "pull": {"pull": "k*(length - 0.4)*exp(length) + cubic*rate*length**2/100"},
    "table": {"table": [list(pair) for pair in TABLE], "damping": 1.5},
}


@pytest.mark.parametrize("kind", LAWS)
def test_energy_balances_and_both_roads_and_the_fmu_agree(kind, tmp_path):
    it, times = sled((0.25, -1.5), **LAWS[kind]), {"stop": 1.0, "step": 0.05}
    result = simulate(system_of(it.spec()), **times)
    balance = sum(result.column(f"energy.{n}") for n in ("kinetic", "potential", "dissipated"))
    # of a table the bend is not continuous, so steps that cross a point are less exact
    assert balance == pytest.approx(np.full(len(balance), balance[0]), rel=1e-7)
    absolute = simulate_absolute(it.spec(), **times, tolerance=1e-10)
    with Fmu(build_fmu(it.spec(), tmp_path / "sled.fmu").path) as fmu:
        native = fmu.run(result.time, tolerance=1e-10).trajectory
    for name in ("rail.q", "rail.qd", "energy.potential", "energy.dissipated"):
        assert absolute.column(name) == pytest.approx(result.column(name), abs=2e-6), name
        assert native.column(name) == pytest.approx(result.column(name), abs=1e-7), name


REFUSED = {
    "neither": ({}, "neither pull nor table says how it pulls; give one of them"),
    "both": ({"pull": "length", "table": [[0, 0], [1, 1]]}, "pull and table would each say"),
    "a damper beside": ({"pull": "length", "damping": 1.0}, "damping: stands beside pull"),
    "no text": ({"pull": 3.0}, "pull: 3 is no text; write an expression of length and rate"),
    "a strange name": ({"pull": "lenght"}, 'no parameter "lenght" in "lenght"; did you mean'),
    "no value": ({"pull": "1/(length - 0.5)"}, "has no finite value at length = 0.5"),
    "one point": ({"table": [[0.1, 2.0]]}, "is no list of two or more pairs of numbers"),
    "no pairs": ({"table": [0.1, 2.0]}, "is no list of two or more pairs of numbers"),
    "falling": ({"table": [[0.2, 1], [0.1, 2]]}, "the lengths [0.2, 0.1] do not rise; sort"),
    "hardly rising": ({"table": [[0, 0], [1e-60, 1]]}, "the lengths [0, 1e-60] do not rise"),
    "a negative damper": ({"table": [[0, 0], [1, 1]], "damping": -1}, "damping: -1; give 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_law_is_refused(case):
    keys, text = REFUSED[case]
    with pytest.raises(SpecError) as refused:
        sled(**keys).spec()
    assert text in str(refused.value)
    assert str(refused.value).count("\n") == 1


def test_what_hangs_on_a_parameter_that_cannot_be_read_is_not_judged():
    it = sled(pull="1/(stiff - 1) + length").parameter("stiff", 1.0, uint="N/m")
    with pytest.raises(SpecError) as refused:
        it.spec()
    assert str(refused.value).splitlines()[1:] == [
        '  parameter "stiff": unknown key "uint"; did you mean "unit"?'
    ]


@pytest.mark.parametrize("kind", LAWS)
def test_stiff_steps_know_its_derivatives_and_it_rides_on_a_base(kind):
    runs = []
    for solver in ("dopri5", "stiff"):
        it = sled((0.25, -1.5), **LAWS[kind]).moving_base().fmu(solver=solver)
        runs.append(simulate(system_of(it.spec()), stop=0.25, step=0.05))
    for name in runs[0].names:
        # both keep to 1e-10 per step; over a bend of a table they count it differently
        assert runs[0].column(name) == pytest.approx(runs[1].column(name), abs=2e-6), name


def test_a_parameter_must_not_have_the_name_of_a_variable():
    it = sled(pull="length").parameter("length", 1.0)
    with pytest.raises(SpecError, match="may be the parameter, or the variable; rename the param"):
        it.spec()
