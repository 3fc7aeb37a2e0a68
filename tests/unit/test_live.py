"""What goes into a live page, without a browser."""

import base64
import json
import math
import zlib
from dataclasses import replace

import numpy as np
import pytest

from mbd_fmu.export.browser_module import browser_module
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.live.data import LiveData
from mbd_fmu.live.drivable import drivable, movable_bodies
from mbd_fmu.live.page import live_page
from mbd_fmu.live.ranges import Scale, goes_by_powers, rounded_up, slider_range
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.system.variable import Variable
from tests.declared import DERIVED, with_names

SCALE = Scale(mass=2.0, length=0.5)
WASM_IMPORTS = 2  # number of a section, WebAssembly core specification 5.5.2


def sections(module):
    """Numbers of the sections of a module, in order."""
    assert module[:8] == b"\0asm\1\0\0\0"
    at, found = 8, []
    while at < len(module):
        number, at = module[at], at + 1
        size = shift = 0
        while True:
            byte, at = module[at], at + 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        found.append(number)
        at += size
    return found


@pytest.fixture(scope="module")
def pendulum():
    return read_model(library()["pendulum"])


@pytest.fixture(scope="module")
def data(pendulum):
    return json.loads(live_page(pendulum).data)


def test_the_module_needs_nothing_from_its_page(data):
    module = zlib.decompress(base64.b64decode(data["module"]), wbits=-zlib.MAX_WBITS)
    assert WASM_IMPORTS not in sections(module)


def test_the_same_model_gives_the_same_page(pendulum, data, monkeypatch):
    monkeypatch.setattr("mbd_fmu.export.libraries.kept_object", lambda *_: None)
    system = system_of(drivable(pendulum))
    module = browser_module(system, like=system_of(pendulum))
    assert json.loads(LiveData(pendulum, system).text(module)) == data


def test_every_variable_of_the_fmu_is_there_with_its_limits(pendulum, data):
    found = {v["name"]: v for v in data["variables"]}
    for v in system_of(pendulum).table.variables:
        told = found[v.name]
        assert (told["causality"], told["unit"]) == (v.causality, v.unit)
        assert (told["start"], told["min"], told["max"]) == (v.start, v.min, v.max)
        assert told["tunable"] == v.is_tunable
        if v.causality != "output":
            assert told["low"] <= v.start <= told["high"]


def told_page(spec):
    """What a page is told of a model; its module is no matter."""
    return json.loads(LiveData(spec, system_of(drivable(spec))).text(b""))


def test_parameters_that_follow_from_others_are_shown_and_never_set():
    spec = spec_of_table(with_names(), "declared")
    found = told_page(spec)
    shown = [v for v in found["variables"] if v["role"] != "hidden"]
    derived = [v for v in shown if v["causality"] == "calculatedParameter"]
    assert {v["name"] for v in derived} == set(DERIVED)
    assert {(v["role"], v["low"], v["high"]) for v in derived} == {("output", None, None)}
    solver = [v["name"] for v in found["variables"] if v["role"] == "solver"]
    assert solver == ["solver.tolerance"]


def test_turns_to_start_from_are_four_numbers_between_minus_one_and_one():
    mechanism = Mechanism("turned")
    for name in ("one", "other"):
        mechanism.body(name, mass=1.0, com=[0, 0, 1], inertia={"shape": "sphere", "radius": 0.1})
    mechanism.joint("ball", "spherical", "ground", "one", point=[0, 0, 0])
    mechanism.joint("pin", "revolute", "one", "other", point=[0, 0, 1], axis=[0, 1, 0])
    found = told_page(mechanism.spec())
    names = [[found["variables"][k]["name"] for k in four] for four in found["quaternions"]]
    assert names == [[f"ball.q_start.{c}" for c in "wxyz"]]
    ranges = {(v["low"], v["high"]) for v in found["variables"] if v["name"] in names[0]}
    assert ranges == {(-1.0, 1.0)}


def test_a_pull_tells_its_inputs():
    found = told_page(two_hinges({}))
    names = [v["name"] for v in found["variables"]]
    for body, pull in found["pulls"].items():
        own = [k for k, name in enumerate(names) if name.startswith(f"pull.{body}.")]
        assert own == [*range(pull["first"], pull["first"] + pull["count"])]


def test_what_is_constant_is_not_plotted_at_first():
    """Nothing has a coordinate here, so the first outputs are."""
    table, kept = with_names(), ("name", "parent", "child", "point")
    table["joint"] = [
        {key: joint[key] for key in kept} | {"type": "rigid"} for joint in table["joint"][:3]
    ]
    found = told_page(spec_of_table(table, "still"))
    assert {found["variables"][k]["causality"] for k in found["plotted"]} == {"output"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kepler_orbit", ["r.x", "r.y", "r.z"]),  # the place of a planet
        ("free_top_symmetric", ["r.x", "r.y", "r.z"]),
        ("heavy_top", ["w.x", "w.y", "w.z"]),  # a ball joint: how it turns
        ("double_pendulum", ["q", "q"]),
    ],
)
def test_what_is_plotted_at_first_says_something(name, expected):
    """A quaternion says nothing to a reader: its numbers are passed over."""
    found = told_page(read_model(library()[name]))
    names = [found["variables"][k]["name"] for k in found["plotted"]]
    assert [plotted.partition(".")[2] for plotted in names] == expected


def two_hinges(first):
    """Two arms: the first turns as told, the second by three inputs."""
    mechanism = Mechanism("two")
    for name in ("one", "other"):
        mechanism.body(name, mass=1.0, com=[0, 0, 1], inertia={"shape": "sphere", "radius": 0.1})
        more = {"drive": "motion"} | (first if name == "one" else {})
        mechanism.joint(
            f"at_{name}", "revolute", "ground", name, point=[0, 0, 0], axis=[0, 1, 0], **more
        )
    return mechanism.spec()


@pytest.mark.parametrize("first", [{}, {"motion": {"expression": "sin(time)"}}])
def test_signals_are_the_inputs_of_one_motion(first):
    """A motion that is a function of time has none; those of the next are not its own."""
    found = told_page(two_hinges(first))
    names = [[found["variables"][k]["name"] for k in signal] for signal in found["signals"]]
    led = ["at_other"] if first else ["at_one", "at_other"]
    assert names == [[f"{name}.{part}" for part in ("q", "qd", "qdd")] for name in led]


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        (Variable("q", "parameter", "rad", "", 0.5), (-math.pi, math.pi)),
        (Variable("m", "parameter", "kg", "", 2.0, min=0.0), (0.0, 6.0)),
        (Variable("c", "parameter", "1", "", -2.0), (-6.0, 0.0)),
        (Variable("tau", "input", "N.m", "", 0.0, -7.0, 7.0), (-7.0, 7.0)),
        (Variable("tau", "input", "N.m", "", 0.0), (-10.0, 10.0)),  # 2 kg, 9.81 m/s2, 0.5 m
        (Variable("f", "input", "N", "", 0.0), (-20.0, 20.0)),
        (Variable("x", "input", "m", "", 3.0), (-0.5, 3.0)),
        (Variable("s", "input", "m", "", 0.0, min=0.0), (0.0, 0.5)),
    ],
)
def test_sliders_go_as_far_as_variables_say_or_units_suggest(variable, expected):
    assert slider_range(variable, SCALE) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((1e-14, 0.1), True),
        ((0.01, 1.2), False),
        ((0.0, 1e6), False),  # 0 is no power of ten
        ((1e-6, None), False),  # such a limit only keeps 0 away
        ((-1e6, 1e6), False),
    ],
)
def test_sliders_between_limits_far_apart_go_by_powers_of_ten(limits, expected):
    assert goes_by_powers(Variable("x", "parameter", "1", "", 1.0, *limits)) is expected


@pytest.mark.parametrize(("x", "expected"), [(1.0, 1.0), (1.1, 2.0), (0.03, 0.05), (70.0, 100.0)])
def test_ranges_are_round(x, expected):
    assert rounded_up(x) == pytest.approx(expected, rel=1e-15)


def test_what_is_fixed_to_the_ground_cannot_be_pulled():
    mechanism = Mechanism("fixed")
    for name in ("plate", "post", "arm"):
        mechanism.body(name, mass=1.0, com=[0, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    mechanism.joint("bolt", "rigid", "ground", "plate", point=[0, 0, 0])
    mechanism.joint("weld", "rigid", "post", "plate", point=[0, 0, 0])
    mechanism.joint("hinge", "revolute", "post", "arm", point=[0, 0, 1], axis=[0, 1, 0])
    spec = mechanism.spec()
    assert [body.name for body in movable_bodies(spec)] == ["arm"]
    assert len(movable_bodies(replace(spec, moving_base=True))) == 3


class Swung:
    """A pendulum on its way: a rod of 2 kg and 1.5 m, turned about z by q, with inputs by name."""

    q, qd, inertia = 0.7, 1.3, 2.0 * 1.5**2 / 3.0

    def __init__(self, spec):
        system = system_of(drivable(spec))
        self.plant = plant_of(system, np.array([v.start for v in system.table.parameters]))
        self.names = [v.name for v in system.table.inputs]
        self.x = np.array(self.plant.start(), dtype=float)
        self.x[:2] = self.q, self.qd
        c, s = math.cos(self.q), math.sin(self.q)
        self.R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def moment(self, **given):
        """About the pivot, of inputs: what they add to the acceleration, times the inertia."""
        u = np.zeros(len(self.names))
        for name, values in given.items():
            keys = [n for n in self.names if n.startswith(name.replace("__", "."))]
            u[[self.names.index(key) for key in keys]] = values
        rate = [self.plant.derivatives(self.x, at)[1] for at in (u, np.zeros(len(u)))]
        return (rate[0] - rate[1]) * self.inertia


def test_a_pull_is_a_spring_from_a_point_of_the_body_to_a_place(pendulum):
    swung = Swung(pendulum)
    held, target = np.array([0.1, -0.9, 0.05]), np.array([0.4, 0.3, -0.2])
    place = swung.R @ held
    velocity = np.cross([0.0, 0.0, swung.qd], place)
    force = 50.0 * (target - place) - 7.0 * velocity
    found = swung.moment(
        pull__rod__point=held,
        pull__rod__target=target,
        pull__rod__stiffness=50.0,
        pull__rod__damping=7.0,
    )
    assert found == pytest.approx(np.cross(place, force)[2], rel=1e-12)
    assert swung.moment(pull__rod__point=held, pull__rod__target=target) == 0.0


def test_added_gravity_pulls_at_the_mass_centre(pendulum):
    swung = Swung(pendulum)
    gravity = np.array([0.5, 9.81, -3.0])
    expected = np.cross(swung.R @ [0.0, -0.75, 0.0], 2.0 * gravity)[2]
    assert swung.moment(gravity__added=gravity) == pytest.approx(expected, rel=1e-12)
