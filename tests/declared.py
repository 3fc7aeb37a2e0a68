"""A four-bar with a spring, written twice: with points, vectors and derived numbers, and plainly.

Every place of the one is the result of a formula written here a second time, in NumPy, for the
other. Bars are made of a section w x h of a material; the coupler hangs on two hard points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

VALUES = {
    "w": 0.03,
    "h": 0.05,
    "rho": 2700.0,
    "knee[1]": 0.1,
    "knee[2]": 0.02,
    "knee[3]": 0.55,
    "rate": 80.0,
}
DERIVED = ("area", "per_metre", "crank_length", "mid[1]", "mid[2]", "mid[3]", "double_rate")
FOOT, HIP, TOE = np.zeros(3), np.array([1.0, 0.02, 0.8]), np.array([1.2, 0.0, 0.0])


def derived(p: dict[str, float]) -> dict[str, float]:
    """What follows from the parameters."""
    knee = _knee(p)
    return {
        "area": p["w"] * p["h"],
        "per_metre": p["rho"] * (p["w"] * p["h"]),
        "crank_length": float(np.sqrt(((knee - FOOT) ** 2).sum())),
        **{f"mid[{k + 1}]": float(x) for k, x in enumerate((knee + HIP) / 2)},
        "double_rate": 2 * p["rate"],
    }


def with_names(naming: str = "structured") -> dict[str, Any]:
    """Return the model with declarations; those that follow stand before those they follow from."""
    return {
        "model": {"name": "declared", "gravity": [0, 0, -9.81], "drive": "none"},
        "parameters": {
            "per_metre": {"value": "rho*area", "unit": "kg", "min": 0, "max": 100},
            "area": {"value": "w*h", "unit": "m2"},
            "w": {"value": VALUES["w"], "unit": "m", "min": 0},
            "h": VALUES["h"],
            "rho": VALUES["rho"],
            "knee": {
                "value": [VALUES[f"knee[{k}]"] for k in (1, 2, 3)],
                "unit": "m",
                "min": -5,
                "max": [5, 6, 7],
                "description": "where crank and coupler meet",
            },
            "mid": "(knee + hip)/2",
            "crank_length": {"value": "norm(knee - foot)", "unit": "m"},
            "rate": {"value": VALUES["rate"], "unit": "N/m", "min": 0, "tunable": True},
            "double_rate": {"value": "2*rate", "unit": "N/m"},
        },
        "points": {
            "middle": {"body": "crank", "at": "(foot + knee)/2"},
            "foot": [0, 0, 0],
            "hip": {"body": "rocker", "at": HIP.tolist()},
            "toe": {"at": TOE.tolist()},
        },
        "body": [
            _bar("crank", "crank_length*per_metre", "middle", "crank_length", "knee - foot")
            | {"visual": [_cylinder("foot", "knee")]},
            _bar("coupler", "per_metre", "mid", 0.9, "hip - knee"),
            _bar("rocker", 2.0, "(hip + toe)/2", 0.8, "toe - hip") | {"origin": "toe"},
        ],
        "joint": [
            _hinge("A", "ground", "crank", "foot") | {"drive": "torque"},
            _ball("B", "crank", "coupler", "knee"),
            _ball("C", "coupler", "rocker", "hip"),
            _hinge("D", "ground", "rocker", "toe"),
        ],
        "force": [_spring("foot + [0, 0, 1]", "mid", "double_rate")],
        "output": [{"point": [_tip("mid + 0.1*(hip - knee)")]}],
        "fmu": {"naming": naming},
    }


def plainly(p: dict[str, float]) -> dict[str, Any]:
    """Return the same model in numbers."""
    found, knee = derived(p), _knee(p)
    mid = np.array([found[f"mid[{k}]"] for k in (1, 2, 3)])
    length, mass = found["crank_length"], found["per_metre"]
    table = with_names()
    del table["parameters"], table["points"]
    del table["model"]["drive"]
    table["body"] = [
        _bar("crank", length * mass, (FOOT + knee) / 2, length, knee - FOOT)
        | {"visual": [_cylinder(FOOT, knee)]},
        _bar("coupler", mass, mid, 0.9, HIP - knee),
        _bar("rocker", 2.0, (HIP + TOE) / 2, 0.8, TOE - HIP) | {"origin": TOE.tolist()},
    ]
    places = (FOOT, knee, HIP, TOE)
    drives = ("torque", "none", "none", "none")
    table["joint"] = [
        joint | {"point": place.tolist(), "drive": drive}
        for joint, place, drive in zip(table["joint"], places, drives, strict=True)
    ]
    table["force"] = [_spring(FOOT + np.array([0, 0, 1]), mid, found["double_rate"])]
    table["output"] = [{"point": [_tip(mid + 0.1 * (HIP - knee))]}]
    return table


def _knee(p: dict[str, float]) -> np.ndarray:
    return np.array([p[f"knee[{k}]"] for k in (1, 2, 3)])


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _bar(name: str, mass: Any, com: Any, length: Any, axis: Any) -> dict[str, Any]:
    rod = {"shape": "cylinder", "radius": 0.05, "length": length, "axis": _plain(axis)}
    return {"name": name, "mass": mass, "com": _plain(com), "inertia": rod}


def _cylinder(start: Any, end: Any) -> dict[str, Any]:
    return {"shape": "cylinder", "radius": 0.01, "from": _plain(start), "to": _plain(end)}


def _hinge(name: str, parent: str, child: str, point: str) -> dict[str, Any]:
    head = {"name": name, "type": "revolute", "parent": parent, "child": child}
    return head | {"point": point, "axis": [0, 1, 0]}


def _ball(name: str, parent: str, child: str, point: str) -> dict[str, Any]:
    return {"name": name, "type": "spherical", "parent": parent, "child": child, "point": point}


def _spring(point: Any, point2: Any, stiffness: Any) -> dict[str, Any]:
    ends = {
        "parent": "ground",
        "child": "coupler",
        "point": _plain(point),
        "point2": _plain(point2),
    }
    own = {"stiffness": stiffness, "damping": 3.0, "length": 0.2}
    return {"name": "spring", "type": "spring_damper", **ends, **own}


def _tip(point: Any) -> dict[str, Any]:
    return {"name": "tip", "body": "coupler", "point": _plain(point)}
