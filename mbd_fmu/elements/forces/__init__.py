"""The force types by name; each is the ``FORCE`` of a file of its own."""

from __future__ import annotations

from importlib import import_module

from mbd_fmu.elements.force import Force

TYPES = (
    *("spring_damper", "nonlinear_spring", "bushing", "inverse_square", "wrench", "actuator"),
    "joint_law",
)
FORCES: dict[str, type[Force]] = {name: import_module(f"{__name__}.{name}").FORCE for name in TYPES}
