"""The constraint types by name; each is the ``CONSTRAINT`` of a file of its own."""

from __future__ import annotations

from importlib import import_module

from mbd_fmu.elements.constraint import Constraint

TYPES = (
    "distance",
    "point_on_line",
    "point_in_plane",
    "gear",
    "rack_pinion",
    "coupling",
    "knife_edge",
    "rolling_disc",
    "wheel_set",
)
CONSTRAINTS: dict[str, type[Constraint]] = {
    name: import_module(f"{__name__}.{name}").CONSTRAINT for name in TYPES
}
