"""A wheel on an arm of a chassis that flies, with every kind of output that a model can name."""

from __future__ import annotations

from typing import Any

from mbd_fmu.model.named_outputs import AXES
from mbd_fmu.model.spec import OUTPUT_GROUPS

AXLE, UP, AHEAD = [0.1, 1, 0.2], [0, 0.1, 1], [1, 0.05, 0.1]
HUB = [0.1, 1.0, 0.9]


def suspension(*, loop: bool = True, groups: Any = OUTPUT_GROUPS, **fmu: Any) -> dict[str, Any]:
    """Return the mechanism; as a loop a rod holds the wheel, as a tree nothing but its joints."""
    bodies = {"chassis": (10.0, [0, 0, 1]), "arm": (2.0, [0.1, 0.5, 1.0]), "wheel": (3.0, HUB)}
    table: dict[str, Any] = {
        "model": {"name": "suspension"},
        "parameters": {"k": {"value": 50.0, "unit": "N/m", "min": 0}},
        "points": {"eye": {"at": ["k/200", 0.2, -0.4], "body": "chassis"}},
        "body": [_body(name, k, *of) for k, (name, of) in enumerate(bodies.items())],
        "joint": [
            {"name": "fly", "type": "free", "parent": "ground", "child": "chassis"}
            | {"point": [0, 0, 1], "position": [0.8, 0.6, 0, 0, 0.1, -0.2, 0.3]}
            | {"velocity": [0.1, -0.3, 0.2, 0.5, 0.1, -0.4], "damping": [0.1, 0, 0.2, 0, 0, 0.3]},
            {"name": "hinge", "type": "revolute", "parent": "chassis", "child": "arm"}
            | {"point": [0, 0.2, 1], "axis": [1, 0.1, 0], "position": 0.2, "velocity": 0.7}
            | {"stiffness": 2.0, "rest": 0.1, "damping": 0.3, "lower": -0.4, "stop_stiffness": 5.0}
            | {"stop_width": 0.2, "friction": 0.1, "friction_speed": 0.5},
            {"name": "knuckle", "type": "revolute", "parent": "arm", "child": "wheel"}
            | {"point": [0.1, 0.9, 1], "axis": UP, "position": 0.1},
        ],
        "force": [
            {"name": "coil", "type": "spring_damper", "stiffness": "k", "length": 0.4}
            | {"damping": 2.0, **_between([0, 0.2, 1.5], [0.1, 0.8, 1])},
            {"name": "hard", "type": "nonlinear_spring", "length": 0.4}
            | {"pull": "9*(length - 0.4)**3 + rate", **_between([0.1, 0.2, 1.4], [0.1, 0.8, 1.1])},
            {"name": "magnet", "type": "inverse_square", "strength": 0.3}
            | _between([0, 0.3, 1.3], [0, 0.7, 1]),
            {"name": "mount", "type": "bushing", "damping": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
            | {"stiffness": [1, 2, 3, 4, 5, 6], **_between([0, 0.2, 1.5], [0, 0.8, 1])},
            {"name": "motor", "type": "actuator", "joints": ["hinge", "knuckle"], "bias": 0.2}
            | {"ratios": [1.0, -2.0], "stiffness": 3.0, "rest": 0.1, "damping": 0.1},
            {"name": "gust", "type": "wrench", "body": "wheel", "point": HUB, "axes": "body"}
            | {"force": ["k/25", 0, 1.5]},
        ],
        "output": [{"groups": list(groups), **_named(loop=loop)}],
        "fmu": fmu,
    }
    if loop:
        rod = _between([0.4, 0.2, 1], [0.4, 0.95, 1.1])
        table["constraint"] = [{"name": "rod", "type": "distance", **rod}]
    return table


def _body(name: str, k: int, mass: float, com: list[float]) -> dict[str, Any]:
    moments = [[0.3 + 0.1 * k, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.35]]
    return {"name": name, "mass": mass, "com": com, "inertia": moments, "origin": [0.1 * k, 0, 1]}


def _between(point: list[float], point2: list[float]) -> dict[str, Any]:
    return {"parent": "chassis", "child": "wheel", "point": point, "point2": point2}


def _named(*, loop: bool) -> dict[str, Any]:
    """Return one of each kind and of each choice."""
    hub = {"body": "wheel", "point": HUB, "acceleration": True}
    pair = {"parent": "chassis", "child": "wheel"}
    expressions = [
        {"name": "power", "value": "hinge.tau*hinge.qd + 0*twice", "unit": "W"},
        {"name": "twice", "value": "2*camber + k/50 + pinned**2", "description": "of all kinds"},
        {"name": "pull", "value": "coil.force*coil.rate/(1 + arm.com.x**2)", "unit": "W"},
        {"name": "sight", "value": "norm([hub.r.x, hub.r.y, hub.r.z] - 2*eye)", "unit": "m"},
        {"name": "push", "value": "norm(knuckle.force) - dot(2*seen.v, wheel.com - eye)"},
        {"name": "spent", "value": "energy.input_work - energy.dissipated", "unit": "J"},
    ]
    if loop:
        expressions.append({"name": "pushed", "value": "2*rod.lambda[1]", "unit": "N"})
    return {
        "point": [
            {"name": "tip", "body": "arm", "point": [0.2, 0.3, 0.4]},
            {"name": "hub", **hub},
            {"name": "seen", **hub, "relative_to": "chassis"},
            {"name": "felt", **hub, "in_axes_of": "wheel"},
            {"name": "mixed", **hub, "relative_to": "arm", "in_axes_of": "chassis"},
        ],
        "distance": [
            {"name": "gap", **pair, "point": [0.3, 0.1, 1], "point2": [0.1, 1, 0.6]},
            {"name": "height", "parent": "ground", "child": "wheel"}
            | {"point": [0, 0, 0], "point2": HUB},
        ],
        "angle": [
            {"name": "camber", **pair, "axis": AXLE, "axis2": AXLE, "about": AHEAD},
            {"name": "toe", **pair, "axis": AXLE, "axis2": AXLE, "about": UP},
            {"name": "lean", "parent": "ground", "child": "wheel", "axis": UP, "axis2": AXLE},
        ],
        "rpy": [
            {"name": "attitude", "body": "chassis"},
            {"name": "steered", "body": "wheel", "relative_to": "chassis"},
        ],
        "relative_pose": [
            {"name": "carried", "body": "wheel", "relative_to": "chassis"},
            {"name": "back", "body": "chassis", "relative_to": "wheel"},
        ],
        "reaction": [{"name": f"in_{a}", "joint": "knuckle", "axes": a} for a in AXES],
        "magnitude": [{"name": "pinned", "of": "knuckle.force"}, {"name": "fast", "of": "seen.v"}],
        "expression": expressions,
    }
