"""Laws that are written out: closed forms, books, the roads to a motion, what is refused."""

import numpy as np
import pytest

from mbd_fmu import Mechanism, build_fmu, run_batch, simulate, system_of
from mbd_fmu.errors import SpecError
from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.options import AUTO, KERNELS, STRAIGHT
from mbd_fmu.oracle.run import simulate_absolute
from mbd_fmu.validate.runner import Fmu

BOX = {"shape": "box", "size": [0.1, 0.2, 0.3]}


def sled(*, mass=2.0, q=0.1, qd=-0.3):
    """A mass that slides along x."""
    it = Mechanism("sled", gravity=[0, 0, 0])
    it.parameter("k", 40.0).parameter("d", 3.0).parameter("F", 2.0).parameter("w", 3.0)
    it.body("sled", mass=mass, com=[0.5, 0, 0], inertia=BOX)
    at = {"point": [0.5, 0, 0], "axis": [1, 0, 0], "position": q, "velocity": qd}
    it.joint("rail", "prismatic", "ground", "sled", **at, drive="none")
    return it.output("joints", "energy").fmu(tolerance=1e-10)


def balance(result):
    books = {n: result.column(f"energy.{n}") for n in ("kinetic", "potential", "dissipated")}
    return sum(books.values()) - result.column("energy.input_work")


def test_a_driven_damped_oscillator_moves_by_its_closed_form():
    """m x'' = -k x - d x' + F sin(w t): decaying at d / 2m about the steady motion."""
    it = sled().force("law", "joint_law", joint="rail", effort="-k*q - d*qd + F*sin(w*time)")
    result = simulate(it, stop=2.0, step=0.05)
    m, k, d, force, w = 2.0, 40.0, 3.0, 2.0, 3.0
    steady = force / (k - m * w**2 + 1j * w * d)  # times exp(i w t), the imaginary part of it
    t, decay = result.time, d / (2 * m)
    own = np.sqrt(k / m - decay**2)
    a = 0.1 - steady.imag
    b = (-0.3 - (1j * w * steady).imag + decay * a) / own
    x = (steady * np.exp(1j * w * t)).imag
    x += np.exp(-decay * t) * (a * np.cos(own * t) + b * np.sin(own * t))
    # a tolerance of 1e-10 in each of some hundred steps
    assert result.column("rail.q") == pytest.approx(x, abs=1e-8)
    assert balance(result) == pytest.approx(np.full(len(t), balance(result)[0]), abs=1e-8)


def test_work_is_booked_term_by_term():
    """The spring holds k q^2 / 2, the damper loses d q'^2, and what names the time works."""
    it = sled().force("law", "joint_law", joint="rail", effort="F*sin(w*time) - k*q - d*qd")
    same = sled()
    ends = {"point": [-0.5, 0, 0], "point2": [0.5, 0, 0]}
    same.spring("spring", "ground", "sled", **ends, stiffness="k", damping="d", length=1.0)
    same.force("push", "wrench", body="sled", point=[0.5, 0, 0], force=["F*sin(w*time)", 0, 0])
    one, other = (simulate(m, stop=1.0, step=0.05) for m in (it, same))
    for name in one.names:  # to the tolerance of the steps
        assert one.column(name) == pytest.approx(other.column(name), abs=1e-8), name


def test_energy_counts_from_rest():
    it = sled().force("law", "joint_law", joint="rail", effort="-k*(q - 0.2)**3", rest=0.2)
    held = simulate(it, stop=0.05, step=0.05).column("energy.potential")[0]
    assert held == pytest.approx(40.0 * 0.1**4 / 4, rel=1e-12)


def by_law(solver, text="k*(length - 0.9) + d*rate"):
    it = sled().output("forces").fmu(solver=solver)
    ends = {"parent": "ground", "child": "sled", "point": [-0.5, 0.2, 0], "point2": [0.5, 0, 0.1]}
    return it.force("spring", "nonlinear_spring", **ends, pull=text, length=0.9)


def by_spring(solver):
    it = sled().output("forces").fmu(solver=solver)
    ends = {"point": [-0.5, 0.2, 0], "point2": [0.5, 0, 0.1]}
    return it.spring("spring", "ground", "sled", **ends, stiffness="k", damping="d", length=0.9)


def on_every_road(it, fmu_of):
    """The FMU in both shapes of code, the Python FMU, NumPy, and many runs at once."""
    spec, times = it.spec(), {"stop": 1.0, "step": 0.05}
    for back_end in (("native", STRAIGHT), ("native", KERNELS), ("python", AUTO)):
        with Fmu(fmu_of(spec, *back_end)) as fmu:
            found = fmu.run(np.linspace(0, 1, 21)).trajectory
        yield found
    yield simulate(spec, **times)
    yield run_batch(spec, {"k": [30.0, 40.0, 50.0]}, **times).case(2)


@pytest.mark.parametrize("solver", ["dopri5", pytest.param("rk4", marks=pytest.mark.slow), "stiff"])
def test_a_law_that_says_what_a_spring_says_moves_as_it_does_bit_by_bit(solver, fmu_of):
    """States, work, force, loss and what it holds included."""
    laws, springs = (on_every_road(it, fmu_of) for it in (by_law(solver), by_spring(solver)))
    for one, other in zip(laws, springs, strict=True):
        compare_bits(one, other)


def compare_bits(one, other):
    assert one.names == other.names
    assert "spring.force" in one.names
    for name in one.names:
        assert np.array_equal(one.column(name), other.column(name)), name


def derivative_code(spec):
    system = system_of(spec)
    text = "".join(model_sources(system, symbols_of(system)).values())
    start = text.index("void model_derivatives(")
    return text[start : text.index("\n}\n", start)]


def test_their_derivatives_are_one_and_the_same_code():
    assert derivative_code(by_law("dopri5").spec()) == derivative_code(by_spring("dopri5").spec())
    other = by_law("dopri5", "k*(length - 0.9) + 2*d*rate").spec()
    assert derivative_code(by_law("dopri5").spec()) != derivative_code(other)


def arms(**fmu):
    """Three arms of several types of joints, with laws that name each other's coordinates."""
    it = Mechanism("arms").parameter("k", 30.0).parameter("a", 0.7)
    for i, name in enumerate("abc"):
        it.body(name, mass=1.0 + 0.3 * i, com=[0.3 * i + 0.2, 0.05, 0], inertia=BOX)
    it.joint("one", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0], position=0.2)
    axes = {"axis": [0, 0, 1], "axis2": [0, 1, 0]}
    it.joint("two", "universal", "a", "b", point=[0.3, 0, 0], **axes, velocity=[0.4, -0.5])
    it.joint("ball", "spherical", "b", "c", point=[0.6, 0, 0], velocity=[0.3, 0.1, -0.2])
    law = "-k*q - 0.5*qd + a*sin(5*time)*two.q[1] - 0.2*two.qd[2]*one.q + 0.3*ball.q.x"
    it.force("law", "joint_law", joint="one", effort=law)
    pull = "k*(length - 0.8) + 2*rate + max(a, 4*time) + 0.5*one.qd - 0.1*ball.w.y"
    ends = {"parent": "ground", "child": "c", "point": [0, 1, 0], "point2": [0.9, 0, 0]}
    it.force("pull", "nonlinear_spring", **ends, pull=pull, length=0.8)
    return it.output("joints", "poses", "reactions", "energy").fmu(**{"tolerance": 1e-9} | fmu)


def loop():
    """A four-bar with a law in the joint that is cut and one that names it."""
    it = Mechanism("loop").parameter("k", 5.0)
    a, b, c, d = [0, 0, 0], [0.5, 0, 1], [2.5, 0, 1.5], [2, 0, 0]
    for name, p, q in (("crank", a, b), ("coupler", b, c), ("rocker", c, d)):
        com = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
        it.body(name, mass=1.0, com=com, inertia=BOX)
    ends = {"a": ("ground", "crank"), "b": ("crank", "coupler"), "c": ("coupler", "rocker")}
    ends["d"] = ("ground", "rocker")
    for (name, pair), p in zip(ends.items(), (a, b, c, d), strict=True):
        it.joint(name, "revolute", *pair, point=p, axis=[0, 1, 0], cut=name == "d")
    it.force("cut", "joint_law", joint="d", effort="-k*q - 0.3*qd + sin(3*time)")
    it.force("of_cut", "joint_law", joint="a", effort="-k*d.q - 0.2*d.qd*a.q")
    return it.output("joints", "reactions", "energy").fmu(tolerance=1e-9)


@pytest.mark.parametrize("mechanism", [arms, loop])
def test_energy_balances_and_all_roads_agree(mechanism, tmp_path):
    spec = mechanism().spec()
    result = simulate(spec, stop=0.6, step=0.05)
    total = balance(result)
    size = np.abs(result.column("energy.kinetic")).max()
    # steps of 1e-9 each; where the law has a kink they are shorter, not worse
    assert total == pytest.approx(np.full(len(total), total[0]), abs=1e-6 * size)
    absolute = simulate_absolute(spec, stop=0.6, step=0.05, tolerance=1e-9)
    with Fmu(build_fmu(spec, tmp_path / "it.fmu").path) as fmu:
        native = fmu.run(result.time, tolerance=1e-9).trajectory
    for name in set(result.names) & set(absolute.names):
        if name.startswith("constraint."):
            continue
        size = 1 + np.abs(result.column(name)).max()
        # both integrate with 1e-9 per step; quadrature and Gauss' rule are better than that
        assert absolute.column(name) == pytest.approx(result.column(name), abs=1e-5 * size), name
        assert native.column(name) == pytest.approx(result.column(name), abs=1e-8 * size), name


LAW = {"joint": "rail"}
JOINTS = {
    "unknown": ({"joint": "rial", "effort": "q"}, 'joints: no joint "rial"; did you mean "rail"?'),
    "missing": (LAW, "effort: missing; add it"),
    "no text": (LAW | {"effort": 3}, "3 is no text; write an expression of q and qd and time"),
    "name": (LAW | {"effort": "k*p"}, 'no parameter "p" in "k*p"; '),
    "time": (LAW | {"effort": "k*tmie"}, 'no parameter "tmie" in "k*tmie"; did you mean "time"?'),
    "joint": (LAW | {"effort": "rial.q"}, 'effort: no joint "rial"; did you mean "rail"?'),
    "coordinate": (
        LAW | {"effort": "rail.qdd"},
        '"rail.qdd": joint "rail" is prismatic and has no "qdd"; it has q, qd',
    ),
    "body": (LAW | {"effort": "sled.q"}, 'effort: no joint "sled"'),
    "value": (LAW | {"effort": "1/q"}, '"1/q" has no finite value at q = 0; check the expression'),
}


@pytest.mark.parametrize("case", JOINTS)
def test_a_law_that_says_nothing_is_refused(case):
    keys, expected = JOINTS[case]
    with pytest.raises(SpecError) as caught:
        sled().force("law", "joint_law", **keys).spec()
    assert expected in str(caught.value)
    assert 'force "law"' in str(caught.value)


def test_a_parameter_cannot_be_called_as_a_variable():
    it = sled().parameter("q", 1.0).force("law", "joint_law", joint="rail", effort="-k*q")
    with pytest.raises(SpecError, match='"q" may be the parameter, or the variable; rename'):
        it.spec()


def test_a_joint_of_several_coordinates_has_no_law_of_its_own():
    it = arms().force("more", "joint_law", joint="two", effort="1")
    with pytest.raises(SpecError, match='"two" is universal: it has not one coordinate'):
        it.spec()


def test_time_stands_only_where_things_change():
    it = sled()
    it.body("other", mass="2 + time", com=[0, 0, 0], inertia=BOX)
    with pytest.raises(SpecError, match='no parameter "time" in "2 \\+ time"; only laws and'):
        it.spec()


def test_its_effort_is_put_out():
    it = sled().force("law", "joint_law", joint="rail", effort="-k*q - d*qd + F*sin(w*time)")
    result = simulate(it.output("joints", "forces"), stop=0.5, step=0.1)
    q, qd = result.column("rail.q"), result.column("rail.qd")
    expected = -40.0 * q - 3.0 * qd + 2.0 * np.sin(3.0 * result.time)
    assert result.column("law.effort") == pytest.approx(expected, abs=1e-13)
    assert result.column("rail.qdd") == pytest.approx(expected / 2.0, abs=1e-12)  # of 2 kg


@pytest.mark.parametrize("name", ["in", "lambda"])
def test_a_joint_may_be_called_by_a_word_of_python(name):
    """m x'' = -k x: to the closed form, also where the oracle reads the law."""
    it = Mechanism("sled", gravity=[0, 0, 0]).parameter("k", 40.0)
    it.body("sled", mass=2.0, com=[0, 0, 0], inertia=BOX)
    at = {"point": [0, 0, 0], "axis": [1, 0, 0], "position": 0.1, "drive": "none"}
    it.joint(name, "prismatic", "ground", "sled", **at)
    it.force("law", "joint_law", joint=name, effort=f"-k*{name}.q")
    spec = it.output("joints").fmu(tolerance=1e-9).spec()
    ours = simulate(spec, stop=0.5, step=0.05)
    absolute = simulate_absolute(spec, stop=0.5, step=0.05, tolerance=1e-9)
    for result in (ours, absolute):  # a tolerance of 1e-9 in each of some hundred steps
        x = 0.1 * np.cos(np.sqrt(20.0) * result.time)
        assert result.column(f"{name}.q") == pytest.approx(x, abs=1e-7)
