"""The mechanisms of these tests, as the reader takes them."""

from __future__ import annotations

from typing import Any

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
