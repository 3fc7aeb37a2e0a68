"""Parameters that follow from others in the FMU: read, never set, and always up to date."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from mbd_fmu.errors import DataError
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.reference.run import Run
from mbd_fmu.reference.slave import MechanismSlave
from mbd_fmu.system.system import system_of
from tests.declared import DERIVED, VALUES, derived, plainly, with_names
from tests.fmu.cases import STEP
from tests.fmu.ctypes_fmu import ERROR, OK, integers, reals
from tests.fmu.exchange import directional
from tests.fmu.test_description import Description

OTHER = VALUES | {"w": 0.041, "knee[2]": 0.031, "knee[3]": 0.5, "rate": 33.0}


@pytest.fixture(scope="module")
def library(library_of):
    return library_of(with_names())


def values(it, names=DERIVED):
    return dict(zip(names, it.get(names), strict=True))


def test_the_description_says_what_they_are_and_what_they_follow_from(fmu_of):
    it = Description(fmu_of(with_names()))
    found = it.of_causality("calculatedParameter")
    assert sorted(v.get("name") for v in found) == sorted(DERIVED)
    for variable in found:
        is_tunable = variable.get("name") == "double_rate"
        assert variable.get("variability") == ("tunable" if is_tunable else "fixed")
        assert variable.get("initial") == "calculated"
        assert "start" not in variable[0].attrib
    initially = it.dependencies("InitialUnknowns")
    assert {name: initially[name] for name in DERIVED} == {
        "area": {"w", "h"},
        "per_metre": {"rho", "w", "h"},
        "crank_length": {"knee[1]", "knee[2]", "knee[3]"},
        "mid[1]": {"knee[1]"},
        "mid[2]": {"knee[2]"},
        "mid[3]": {"knee[3]"},
        "double_rate": {"rate"},
    }
    assert not set(DERIVED) & set(it.dependencies("Outputs"))
    assert initially["crank.com.y"] >= {"knee[2]"}
    limits = next(v for v in found if v.get("name") == "per_metre")[0]
    assert (limits.get("unit"), limits.get("min"), limits.get("max")) == ("kg", "0.0", "100.0")


def test_they_follow_in_every_mode(library, new):
    it = new(library)
    assert values(it) == pytest.approx(derived(VALUES), rel=1e-15)  # before anything was begun
    assert it.set({"w": OTHER["w"]}) == OK
    assert it.setup() == OK
    assert it.enter() == OK
    assert it.set({n: OTHER[n] for n in ("knee[2]", "knee[3]", "rate")}) == OK
    assert values(it) == pytest.approx(derived(OTHER), rel=1e-15)
    assert it.leave() == OK
    assert it.step(0.0, STEP) == OK
    assert it.set({"rate": 12.0}) == OK
    assert it.one("double_rate") == 24.0
    assert it.call("fmi2Reset") == OK
    assert values(it) == pytest.approx(derived(VALUES), rel=1e-15)


def test_they_cannot_be_set(library, new):
    it = new(library)
    for mode in (lambda: OK, it.setup, it.enter, it.leave):
        assert mode() == OK
        assert it.set({"area": 1.0}) == ERROR
        found = "fmi2SetReal: parameter area follows from others; set those"
        assert it.recorder.texts()[-1] == found
        assert values(it)["area"] == derived(VALUES)["area"]


def test_they_have_no_derivative_in_time(library, new):
    it = new(library).start()
    assert it.set_rates({"area": 1.0}) == ERROR
    found = it.call(
        "fmi2GetRealOutputDerivatives", it.references(["area"]), 1, integers([1]), reals([0.0])
    )
    assert found == ERROR
    assert it.recorder.texts()[-1] == "fmi2GetRealOutputDerivatives: area is no output"


def test_the_limits_of_what_follows_are_kept(library, new):
    """rho w h is at most 100: no limit of one of them says so."""
    it = new(library)
    assert it.set({"rho": 90000.0}) == OK
    assert it.setup() == OK
    it.enter()
    assert it.leave() == ERROR
    told = '100, the most of parameter "per_metre", less it: -35 with these parameters; '
    assert told + "it must not be negative" in it.recorder.texts()


def test_what_follows_and_is_no_finite_number_is_told_by_its_name(library, new):
    it = new(library)
    assert it.set({"h": 1e307}) == OK  # so is w h, but rho w h is beyond all numbers
    assert it.setup() == OK
    it.enter()
    assert it.leave() == ERROR
    (told,) = it.recorder.texts()
    assert "per_metre is inf at t = 0; is every input and parameter of a sane size?" in told


def test_it_moves_as_the_same_mechanism_in_numbers(library, library_of, new):
    """Folded numbers round as those computed, to some last digits."""
    names = [n for n in library.names("output") if not n.startswith("constraint.")]
    one = new(library).start({n: OTHER[n] for n in ("w", "knee[2]", "knee[3]", "rate")})
    other = new(library_of(plainly(OTHER))).start()
    for k in range(10):
        found, expected = np.array(one.get(names)), np.array(other.get(names))
        # the solver's tolerance is 1e-6; rounding of loads of 100 N is far below
        assert np.abs(found - expected).max() < 1e-9
        assert one.step(k * STEP, STEP) == OK
        assert other.step(k * STEP, STEP) == OK


def test_directional_derivatives_go_through_what_follows(library, new):
    """Along w, h, rho and the components of a vector, while initializing; against differences."""
    rng = np.random.default_rng(5)
    names = [n for n in library.names("output") if not n.startswith("constraint.")]
    names += list(DERIVED)
    given = list(VALUES)
    d = dict(zip(given, rng.uniform(0.3, 1.0, len(given)), strict=True))
    d = {n: x * max(abs(VALUES[n]), 0.02) for n, x in d.items()}

    def at(h):
        it = new(library)
        assert it.set({n: VALUES[n] + h * d[n] for n in given}) == OK
        assert it.setup(tolerance=1e-10) == OK
        assert it.enter() == OK
        return it

    found = directional(at(0.0), names, d)
    h = 1e-5
    sides = [np.array(at(sign * h).get(names)) for sign in (1, -1)]
    expected = (sides[0] - sides[1]) / (2 * h)
    # central differences: h^2, and rounding over h
    assert np.abs(found - expected).max() < 1e-6 * (1 + np.abs(expected).max())
    exact = derived({n: VALUES[n] + 1e-3 * d[n] for n in given})
    k = names.index("per_metre")
    assert abs(found[k] * 1e-3 - (exact["per_metre"] - derived(VALUES)["per_metre"])) < 2e-5


# ---- The Python FMU


@pytest.fixture
def slave(tmp_path: Path):
    table = with_names()
    file = tmp_path / "model.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    kind = type("Slave", (MechanismSlave,), {"model": file})
    return kind(instance_name="it", resources=str(tmp_path), visible=False)


def references(slave, names):
    every = [v.name for v in slave.table.variables]
    return [every.index(name) for name in names]


def test_the_python_twin_follows_and_refuses_alike(slave):
    expected = list(derived(VALUES).values())
    assert slave.get_real(references(slave, derived(VALUES))) == pytest.approx(expected, rel=1e-15)
    given = ["w", "knee[2]", "knee[3]", "rate"]
    slave.set_real(references(slave, given), [OTHER[n] for n in given])
    found = slave.get_real(references(slave, derived(OTHER)))
    assert found == pytest.approx(list(derived(OTHER).values()), rel=1e-15)
    with pytest.raises(ValueError, match="parameter area follows from others; set those"):
        slave.set_real(references(slave, ["area"]), [1.0])
    slave.exit_initialization_mode()
    slave.do_step(0.0, 0.01)
    slave.set_real(references(slave, ["rate"]), [12.0])
    assert slave.get_real(references(slave, ["double_rate"])) == [24.0]


def test_numpy_refuses_alike():
    system = system_of(spec_of_table(with_names(), "it"))
    with pytest.raises(DataError, match='parameter "area" follows from others; set those'):
        Run(system, {"area": 1.0})


def test_both_back_ends_describe_the_same(fmu_of):
    native, python = (
        Description(fmu_of(with_names(), backend)) for backend in ("native", "python")
    )
    for one, other in zip(native.variables, python.variables, strict=False):
        assert etree.tostring(one).strip() == etree.tostring(other).strip()


def test_flat_names_are_flat(fmu_of):
    names = Description(fmu_of(with_names(naming="flat"))).names
    assert {"knee_1", "knee_2", "knee_3", "mid_1"} <= set(names)
