"""Limits that follow from where parameters stand, against the quantities they stand in."""

import math
from dataclasses import replace

import pytest

from mbd_fmu import Mechanism
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.keys import Number
from mbd_fmu.errors import DataError, SpecError
from mbd_fmu.model.bounds import Limits, open_needs, parameter_limits
from mbd_fmu.reference.run import Run
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of

SPHERE = {"shape": "sphere", "radius": 1}


def body(mass=1.0, inertia=SPHERE, **limits):
    """A body on a pin; parameters m = 2, and L = 1 with limits, if any."""
    it = Mechanism("it").parameter("m", 2.0).parameter("L", 1.0, **limits)
    it.body("a", mass=mass, com=[1, 0, 0], inertia=inertia)
    it.joint("pin", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0], damping=0.1)
    return it


BOUNDED = [
    ("m", 0.0, math.inf),
    ("m/2", 0.0, math.inf),
    ("m*L**2/12", 0.0, math.inf),
    ("2*m - 1", 0.5, math.inf),
    ("3 - m", -math.inf, 3.0),
    ("-(1 - m)/4", 1.0, math.inf),
    ("6/m", 0.0, math.inf),
    ("m**3", 0.0, math.inf),
    ("pi*m*exp(L)", 0.0, math.inf),
    ("m*(L**2 + 1)*sqrt(L)", 0.0, math.inf),
    ("4 - 2*m/3 - 1", -math.inf, 4.5),
]


@pytest.mark.parametrize(("text", "low", "high"), BOUNDED)
def test_a_mass_bounds_the_parameter_it_grows_or_falls_with(text, low, high):
    found = parameter_limits(body(text).spec())["m"]
    assert found == pytest.approx((low, high))
    # the law behind it: at the limit the mass is 0, or infinite, and beyond it negative
    for limit, outward in ((low, -1e-3), (high, 1e-3)):
        if math.isfinite(limit):
            spec = body(text).spec()
            assert spec.bodies[0].mass.value({"m": limit + outward, "L": 1.0}) < 0


@pytest.mark.parametrize(
    "text", ["m*L", "m + L", "m**2", "m - L", "m**L", "cos(m)**2", "(m - L)**2", "m**0.5*L"]
)
def test_what_does_not_follow_is_not_claimed(text):
    """Both may be negative, or the mass is never."""
    assert parameter_limits(body(text).spec()) == {"m": Limits(), "L": Limits()}


def test_a_declared_limit_tells_the_sign_that_another_waits_for():
    assert parameter_limits(body("m*L", min=0.1).spec()) == {"m": Limits(0.0), "L": Limits(0.1)}
    assert parameter_limits(body("L", min=-3, max=9).spec())["L"] == (0.0, 9)
    assert parameter_limits(body("L", min=0.5).spec())["L"] == (0.5, math.inf)


PLACES = [
    {"inertia": [["m", 0, 0], [0, "m/2", 0], [0, 0, "m/2"]]},
    {"inertia": {"shape": "box", "size": ["m", 1, 1]}},
    {"inertia": {"shape": "cylinder", "radius": 1, "length": "m"}},
]


@pytest.mark.parametrize("keys", PLACES)
def test_moments_and_sizes_count_like_masses(keys):
    assert parameter_limits(body(**keys).spec())["m"] == (0.0, math.inf)


def test_springs_dampers_rods_and_rotors_bound_what_they_are_made_of():
    it = body().parameter("k", 1.0).parameter("d", 1.0).parameter("l", 1.0).parameter("v", 1.0)
    ends = {"parent": "ground", "child": "a", "point": [0, 0, 0], "point2": [1, 0, 1]}
    it.spring("s", **ends, stiffness="k", damping="2*d", length=1)
    it.constraint("rod", "distance", **ends, length="l")
    it._table["joint"][0] |= {"friction": 1.0, "friction_speed": "v"}
    it.parameter("r", 1.0)._table["joint"][0]["armature"] = "r/3"
    found = parameter_limits(it.spec())
    assert [found[name].low for name in "kdlvr"] == [0.0, 0.0, 1e-50, 1e-50, 0.0]


def test_the_fmu_and_the_simulation_know_the_limits():
    system = system_of(body("m/2").spec())
    (variable,) = (v for v in system.table.parameters if v.name == "m")
    assert (variable.min, variable.max) == (0.0, None)
    with pytest.raises(DataError, match="m = -1 is outside 0 to inf"):
        simulate(system, stop=1, step=1, settings={"m": -1})


def test_what_no_limit_tells_is_refused_by_its_value():
    """Neither parameter has a limit, but their difference is a mass."""
    system = system_of(body("m - L").spec())
    Run(system, {"m": -1.0, "L": -2.0})
    with pytest.raises(SpecError, match='body "a", mass: -1 kg; give a mass of 0 or more'):
        Run(system, {"m": 1.0, "L": 2.0})
    with pytest.raises(SpecError, match='body "a", mass: "1/m" has no finite value'):
        Run(system_of(body("1/m").spec()), {"m": 0.0})


def test_what_limits_do_not_guarantee_is_left_to_be_looked_at():
    """So that an FMU carries no code for what its description tells."""
    for text, _, _ in BOUNDED:
        assert [need.where for need in open_needs(body(text).spec())] in ([], ['body "a", mass'])
        if "L" not in text:
            assert not open_needs(body(text).spec())
    for text in ("m - L", "m*L", "m + L", "m**2 - 1"):
        (need,) = open_needs(body(text).spec())
        assert (need.where, need.quantity.text, need.least) == ('body "a", mass', text, 0.0)
    assert not open_needs(body("m*L", min=0.1).spec())
    assert not open_needs(body("m**2").spec())


def test_keys_of_a_joint_s_own_bound_parameters_too(monkeypatch):
    coarse = replace(JOINTS["helical"], keys=(Number("pitch", least=0.5),))
    monkeypatch.setitem(JOINTS, "helical", coarse)
    at = {"point": [0, 0, 0], "axis": [0, 0, 1]}
    it = body().body("b", mass=1.0, com=[0, 0, 1], inertia=SPHERE)
    fine = it.joint("screw", "helical", "a", "b", **at, pitch="m/2").spec()
    assert parameter_limits(fine)["m"] == Limits(1.0, math.inf)
    it = body().body("b", mass=1.0, com=[0, 0, 1], inertia=SPHERE)
    with pytest.raises(SpecError, match=r"pitch: 0\.25; give 0\.5 or more"):
        it.joint("screw", "helical", "a", "b", **at, pitch="m/8").spec()


THROUGH = [  # mass, what the derived d is, and what that bounds m to
    ("d", "m - 1", 1.0, math.inf),
    ("2*d - 1", "m/3", 1.5, math.inf),
    ("3 - d", "2*m", -math.inf, 1.5),
    ("d", "m*L**2", 0.0, math.inf),
    ("d**3", "-m + 5", -math.inf, 5.0),
]


@pytest.mark.parametrize(("mass", "text", "low", "high"), THROUGH)
def test_limits_go_through_what_is_derived(mass, text, low, high):
    it = body(mass, min=0.1).parameter("d", text)
    if math.isfinite(high):
        it.parameter("m", min(high, 1.0))
    spec = it.spec()
    assert parameter_limits(spec)["m"] == pytest.approx((low, high))
    written_out = body(mass.replace("d", f"({text})"), min=0.1)
    if math.isfinite(high):
        written_out.parameter("m", min(high, 1.0))
    assert parameter_limits(written_out.spec())["m"] == pytest.approx((low, high))
    assert bool(open_needs(spec)) == bool(open_needs(written_out.spec()))


def test_declared_limits_of_what_is_derived_bound_what_it_is_made_of():
    it = body("m").parameter("d", "2*m + 1", min=3, max=9)
    assert parameter_limits(it.spec())["m"] == pytest.approx((1.0, 4.0))
    assert open_needs(it.spec()) == []


def test_limits_that_bound_no_single_parameter_are_looked_at():
    """m L is at most 3: neither m nor L has a limit by that."""
    spec = body("m", min=0, max=5).parameter("d", "m*L", min=0, max=3).spec()
    assert parameter_limits(spec)["m"] == Limits(0.0, math.inf)
    (need,) = open_needs(spec)
    assert need.where == '3, the most of parameter "d", less it'
    assert Run(system_of(spec), {"m": 3.0}) is not None
    with pytest.raises(SpecError, match=r'parameter "d", value: 3\.5 is outside min and max'):
        Run(system_of(spec), {"m": 3.5})
