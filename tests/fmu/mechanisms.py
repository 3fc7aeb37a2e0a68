"""The mechanisms of these tests, as the reader takes them."""

from __future__ import annotations

import tomllib
from typing import Any

from mbd_fmu.model.library import library

ROTOR_INERTIA = 0.25  # kg m2, about the axle

_ALL_GROUPS = [{"groups": ["poses", "velocities", "joints", "reactions", "energy"]}]


def double_pendulum(arm_mass: float = 1.5, **fmu: Any) -> dict[str, Any]:
    """Return two driven links, the second joint damped and oblique so that nothing vanishes."""
    return {
        "model": {"name": "double_pendulum", "description": "Two driven links"},
        "parameters": {
            "arm_mass": {
                "value": arm_mass,
                "unit": "kg",
                "min": 0.1,
                "max": 10.0,
                "description": "mass of the lower link",
            }
        },
        "body": [
            {
                "name": "upper",
                "mass": 2.0,
                "com": [0.2, 0, 0],
                "inertia": {"shape": "rod", "length": 0.4, "axis": [1, 0, 0]},
            },
            {
                "name": "lower",
                "mass": "arm_mass",
                "com": [0.6, 0, 0.1],
                "inertia": [[0.01, 0, 0], [0, 0.02, 0.001], [0, 0.001, 0.02]],
            },
        ],
        "joint": [
            {
                "name": "shoulder",
                "type": "revolute",
                "parent": "ground",
                "child": "upper",
                "point": [0, 0, 0],
                "axis": [0, 1, 0],
                "position": 0.3,
            },
            {
                "name": "elbow",
                "type": "revolute",
                "parent": "upper",
                "child": "lower",
                "point": [0.4, 0, 0],
                "axis": [0, 1, 0.5],
                "velocity": 0.5,
                "damping": 0.2,
            },
        ],
        "output": _ALL_GROUPS,
        "fmu": fmu,
    }


def flyer(**fmu: Any) -> dict[str, Any]:
    """Return one body that flies and tumbles: quaternions, six drives."""
    return {
        "model": {"name": "flyer"},
        "body": [
            {
                "name": "hull",
                "mass": 3.0,
                "com": [0.1, 0, 0],
                "inertia": [[0.2, 0.01, 0], [0.01, 0.3, 0], [0, 0, 0.4]],
            }
        ],
        "joint": [
            {
                "name": "fly",
                "type": "free",
                "parent": "ground",
                "child": "hull",
                "point": [0, 0, 0],
                "velocity": [0.3, 2.0, 0.1, 1.0, 0, 2.0],
            }
        ],
        "output": _ALL_GROUPS,
        "fmu": fmu,
    }


def rotor(**fmu: Any) -> dict[str, Any]:
    """Return a disc on a vertical axle: gravity does nothing, I qdd = tau is the whole of it."""
    return {
        "model": {"name": "rotor"},
        "body": [
            {
                "name": "disc",
                "mass": 2.0,
                "com": [0, 0, 0],
                "inertia": [[0.2, 0, 0], [0, 0.2, 0], [0, 0, ROTOR_INERTIA]],
            }
        ],
        "joint": [
            {
                "name": "axle",
                "type": "revolute",
                "parent": "ground",
                "child": "disc",
                "point": [0, 0, 0],
                "axis": [0, 0, 1],
            }
        ],
        "fmu": fmu,
    }


def sprung_rotor() -> dict[str, Any]:
    """Return the rotor on a spring, pushed."""
    table = rotor()
    table["model"]["name"] = "sprung_rotor"
    table["parameters"] = {"stiffness": {"value": 1.0, "unit": "N.m/rad", "min": 0}}
    table["joint"][0] |= {"velocity": 1.0, "stiffness": "stiffness"}
    table["output"] = [{"groups": ["joints"]}]
    return table


def two_branches(**fmu: Any) -> dict[str, Any]:
    """Return two mechanisms that share the ground only: a pendulum, and the double pendulum."""
    table = double_pendulum(**fmu)
    table["model"]["name"] = "two_branches"
    table["body"].insert(
        0,
        {
            "name": "bob",
            "mass": 1.0,
            "com": [0.5, 3.0, 0],
            "inertia": {"shape": "rod", "length": 1.0, "axis": [1, 0, 0]},
        },
    )
    table["joint"].insert(
        0,
        {
            "name": "pin",
            "type": "revolute",
            "parent": "ground",
            "child": "bob",
            "point": [0, 3.0, 0],
            "axis": [0, 1, 0],
        },
    )
    return table


def statue(**fmu: Any) -> dict[str, Any]:
    """Return a body welded to the ground, without energies: a mechanism that has no state."""
    table = rotor(**fmu)
    table["model"]["name"] = "statue"
    table["joint"] = [
        {"name": "weld", "type": "rigid", "parent": "ground", "child": "disc", "point": [0, 0, 1]}
    ]
    table["output"] = [{"groups": ["poses", "reactions"]}]
    return table


def four_bar(**fmu: Any) -> dict[str, Any]:
    """Return a plane four-bar of 3-D hinges: one freedom, three redundant rows."""
    a, b, c, d = [0, 0, 0], [0.5, 0, 1], [2.5, 0, 1.5], [2, 0, 0]
    return {
        "model": {"name": "four_bar", "description": "Crank, coupler and rocker"},
        "body": [
            _bar("crank", 1.0, a, b),
            _bar("coupler", 2.0, b, c),
            _bar("rocker", 1.5, c, d),
        ],
        "joint": [
            _hinge("a", "ground", "crank", a) | {"velocity": 1.0},
            _hinge("b", "crank", "coupler", b),
            _hinge("c", "coupler", "rocker", c),
            _hinge("d", "ground", "rocker", d),
        ],
        "output": [{"groups": ["poses", "velocities", "joints", "reactions", "energy", "quality"]}],
        "fmu": fmu,
    }


def parallelogram(**fmu: Any) -> dict[str, Any]:
    """Return a four-bar of equal sides that turns round, past its singular positions."""
    a, b, c, d = [0, 0, 0], [0, 0, 1], [2, 0, 1], [2, 0, 0]
    table = four_bar(**fmu)
    table["model"] = {"name": "parallelogram", "description": "Two cranks and a bar on top"}
    table["body"] = [
        _bar("crank", 1.0, a, b),
        _bar("coupler", 1.0, b, c),
        _bar("rocker", 1.0, c, d),
    ]
    for joint, point, velocity in zip(table["joint"], (a, b, c, d), (3, -3, 3, 3), strict=True):
        joint |= {"point": point, "velocity": velocity}
    return table


def bricard() -> dict[str, Any]:
    """Return six rods in space that move because of their special axes: four of five rows count."""
    return tomllib.loads((library()["bricard"] / "model.toml").read_text())


def disc(**fmu: Any) -> dict[str, Any]:
    """Return a disc that rolls on the ground, leaning: rows on positions and on velocities."""
    return {
        "model": {"name": "disc", "description": "A leaning disc that rolls"},
        "body": [
            {
                "name": "disc",
                "mass": 2.0,
                "com": [0, 0, 0.3],
                "inertia": [[0.045, 0, 0], [0, 0.09, 0], [0, 0, 0.045]],
                "velocity": {"linear": [1.8, 0, 0], "angular": [0, 6.0, 0.5]},
            }
        ],
        "constraint": [
            {
                "name": "floor",
                "type": "rolling_disc",
                "body": "disc",
                "center": [0, 0, 0.3],
                "axis": [0, 1, 0],
                "radius": 0.3,
            }
        ],
        "force": [{"name": "push", "type": "wrench", "body": "disc", "point": [0, 0, 0.3]}],
        "output": [{"groups": ["poses", "velocities", "joints", "reactions", "energy", "quality"]}],
        "fmu": fmu,
    }


# ---- With parameters: one that is fixed, one that may change between steps


def chain(**fmu: Any) -> dict[str, Any]:
    """Return the double pendulum with a damper that can be tuned."""
    table = double_pendulum(**fmu)
    table["model"]["name"] = "chain"
    table["parameters"]["drag"] = _tunable(0.2, "N.m.s/rad", 0.0, 5.0)
    table["joint"][1]["damping"] = "drag"
    return table


def riding(**fmu: Any) -> dict[str, Any]:
    """Return that chain on a base whose motion is told."""
    table = chain(**fmu) | {"base": {"motion": "prescribed"}}
    table["model"]["name"] = "riding"
    return table


def loop(**fmu: Any) -> dict[str, Any]:
    """Return the four-bar with a base that can be tuned: its loop must follow."""
    table = four_bar(**fmu)
    table["model"]["name"] = "loop"
    table["parameters"] = {
        "coupler_mass": {"value": 2.0, "unit": "kg", "min": 0.1, "max": 10.0},
        "span": _tunable(2.0, "m", 1.5, 2.5),
    }
    table["body"][1]["mass"] = "coupler_mass"
    table["body"][2]["com"] = ["span + 0.25", 0, 0.75]
    table["joint"][3]["point"] = ["span", 0, 0]
    return table


def actuated(**fmu: Any) -> dict[str, Any]:
    """Return the four-bar with a boom on it, which a coupling leads, an actuator and a spring.

    The coupling and the actuator take hold of joints of the tree and of the one that is cut.
    """
    table = four_bar(**fmu)
    table["model"]["name"] = "actuated"
    table["parameters"] = {
        "lead": _tunable(0.8, "1", 0.2, 2.0),
        "servo": _tunable(6.0, "1", 0.0, 50.0),
    }
    tip = [2.5, 0, 1.5]
    table["body"].append(_bar("boom", 0.5, tip, [3.0, 0, 2.0]))
    table["joint"][3]["cut"] = True
    table["joint"].append(_hinge("e", "rocker", "boom", tip))
    ratios = [1.0, "lead", -0.5]
    table["constraint"] = [
        {"name": "tendon", "type": "coupling", "joints": ["a", "d", "e"], "ratios": ratios}
    ]
    lift = {"name": "lift", "type": "actuator", "joints": ["b", "d"], "ratios": [2.0, "-lead"]}
    lift |= {"gain": "servo", "stiffness": "servo", "damping": 0.3, "lower": -2, "upper": 2}
    band = {"name": "band", "type": "actuator", "joints": ["e"], "gain": 0}
    table["force"] = [lift, band | {"stiffness": 2.0, "rest": 0.4, "bias": -0.5}]
    return table


def rolling(**fmu: Any) -> dict[str, Any]:
    """Return the disc with a radius that can be tuned: it must stay on the ground."""
    table = disc(**fmu)
    table["model"]["name"] = "rolling"
    table["parameters"] = {
        "disc_mass": {"value": 2.0, "unit": "kg", "min": 0.1, "max": 10.0},
        "radius": _tunable(0.3, "m", 0.2, 0.4),
    }
    table["body"][0]["mass"] = "disc_mass"
    table["constraint"][0]["radius"] = "radius"
    return table


def tethered(**fmu: Any) -> dict[str, Any]:
    """Return the body that flies on a rod; of its seven coordinates one row holds one."""
    table = flyer(**fmu)
    table["model"]["name"] = "tethered"
    table["parameters"] = {
        "reach": {"value": 1.0, "unit": "m"},
        "hull_mass": {"value": 3.0, "unit": "kg", "min": 0.1},
    }
    table["body"][0]["mass"] = "hull_mass"
    rod = {"name": "rod", "type": "distance", "parent": "ground", "child": "hull"}
    table["constraint"] = [
        rod | {"point": [1.2, 0.1, 0], "point2": [0.3, 0.2, 0.1], "length": "reach"}
    ]
    return table


def told_crank(**fmu: Any) -> dict[str, Any]:
    """Return the four-bar of ``loop`` with a crank whose motion is told."""
    table = loop(**fmu)
    table["model"]["name"] = "told_crank"
    table["joint"][0] |= {"drive": "motion"}
    return table


def led(**fmu: Any) -> dict[str, Any]:
    """Return the double pendulum with a shoulder led by positions, on a base led by velocities."""
    table = double_pendulum(**fmu) | {"base": {"motion": "velocity"}}
    table["model"]["name"] = "led"
    table["joint"][0] |= {"drive": "motion", "motion": "position", "velocity": 0.2}
    return table


def _tunable(value: float, unit: str, low: float, high: float) -> dict[str, Any]:
    return {"value": value, "unit": unit, "min": low, "max": high, "tunable": True}


def _bar(name: str, mass: float, start: list[float], end: list[float]) -> dict[str, Any]:
    centre = [(x + y) / 2 for x, y in zip(start, end, strict=True)]
    size = [abs(x - y) + 0.05 for x, y in zip(start, end, strict=True)]
    return {"name": name, "mass": mass, "com": centre, "inertia": {"shape": "box", "size": size}}


def _hinge(name: str, parent: str, child: str, point: list[float]) -> dict[str, Any]:
    ends = {"name": name, "type": "revolute", "parent": parent, "child": child}
    return {**ends, "point": point, "axis": [0, 1, 0]}
