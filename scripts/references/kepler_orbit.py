"""Copied from closed_form/kepler_e06: the exact ellipse."""

from scripts.references._cases import renamed, rows


def reference(_, __):
    found = rows("closed_form/kepler_e06")
    names = {"planet.com.x": "x", "planet.com.y": "y", "planet.v.x": "vx", "planet.v.y": "vy"}
    return renamed(found, names)
