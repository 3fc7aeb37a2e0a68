"""Mechanisms in which something hangs on the time."""

from __future__ import annotations

from typing import Any

from tests.fmu import mechanisms


def timed(**fmu: Any) -> dict[str, Any]:
    """Return the double pendulum, carried, pushed, driven and pulled by functions of time."""
    table = mechanisms.double_pendulum(**fmu)
    table["model"]["name"] = "timed"
    table["parameters"]["push"] = {"value": 1.5, "unit": "N", "min": 0, "tunable": True}
    table["base"] = {
        "motion": {
            "position": ["0.1*sin(3*time)", 0, {"polynomial": [0, 0.1, 0.05]}],
            "rpy": [{"sine": {"amplitude": 0.2, "frequency": 0.7, "phase": 0.4}}, 0, "0.3*time"],
        }
    }
    table["joint"][1]["torque"] = "push*cos(4*time)"
    wrench = {"name": "gust", "type": "wrench", "body": "lower", "point": [0.7, 0, 0]}
    law = {"name": "law", "type": "joint_law", "joint": "shoulder"}
    line = {"name": "line", "type": "nonlinear_spring", "parent": "ground", "child": "lower"}
    table["force"] = [
        wrench | {"axes": "body", "force": ["push*exp(-time)", 0.3, "time"]},
        law | {"effort": "-3*q - 0.2*qd + push*sin(5*time)*elbow.q"},
        line
        | {"point": [0, 1, 0], "point2": [0.8, 0, 0], "length": 1}
        | {"pull": "20*(length - 1) + 0.5*rate + 0.4*elbow.qd + smooth_step(time, 0.01, 0.3)"},
    ]
    return table


def timed_crank(**fmu: Any) -> dict[str, Any]:
    """Return the four-bar of ``loop`` with a crank that follows an expression of time."""
    table = mechanisms.loop(**fmu)
    table["model"]["name"] = "timed_crank"
    table["joint"][0] |= {"drive": "motion", "motion": {"expression": "0.2*sin(2*time) + time/2"}}
    for key in ("position", "velocity", "fixed"):
        table["joint"][0].pop(key, None)
    return table
