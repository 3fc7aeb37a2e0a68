"""What <option> switches off, and what it adds: obeyed before anything else is read.

Source   MuJoCo 4.0, XML reference, option and option/flag.
"""

from __future__ import annotations

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.mujoco_door import Compiled
from mbd_fmu.formats.robots.placements import Triple, numbers

# arrays that have no effect any more when a flag of mjtDisableBit is set
_SILENT = {
    "constraint": (
        *("eq_active0", "dof_frictionloss", "tendon_frictionloss"),
        *("jnt_limited", "tendon_limited"),
    ),
    "equality": ("eq_active0",),
    "frictionloss": ("dof_frictionloss", "tendon_frictionloss"),
    "limit": ("jnt_limited", "tendon_limited"),
    "spring": (
        *("jnt_stiffness", "jnt_stiffnesspoly", "jnt_springyield"),
        *("tendon_stiffness", "tendon_stiffnesspoly", "tendon_springyield"),
    ),
    "damper": (
        *("dof_damping", "dof_dampingpoly", "tendon_damping", "tendon_dampingpoly"),
        *("actuator_damping", "actuator_dampingpoly"),
    ),
    "clampctrl": ("actuator_ctrllimited",),
}


def obey_flags(compiled: Compiled, line: int, account: Account) -> None:
    """Set to nothing what the file switches off; gravity and actuators ask what is off."""
    for flag in sorted(off(compiled)):
        for name in _SILENT.get(flag, ()):
            getattr(compiled.model, name)[:] = 0
        if flag in (*_SILENT, "gravity", "actuation"):
            account.note("option", line, f"the file switches {flag} off")


def off(compiled: Compiled) -> set[str]:
    """Return the flags that are switched off."""
    return compiled.flags("mjtDisableBit", compiled.model.opt.disableflags)


def gravity_of(compiled: Compiled) -> Triple:
    """Return the acceleration of gravity."""
    if "gravity" in off(compiled):
        return (0.0, 0.0, 0.0)
    return numbers(compiled.model.opt.gravity)


def check_option(compiled: Compiled, line: int, account: Account) -> None:
    """Refuse what acts on all bodies and is not carried; say what is of no meaning here."""
    option = compiled.model.opt
    for key in ("density", "viscosity"):
        value = float(getattr(option, key))
        if value:
            found = f"{key} {value:g}, of a fluid around all bodies, is not carried"
            account.doubt(line, "option", found, "set it to 0")
    integrator = compiled.word("mjtIntegrator", option.integrator)
    text = f"timestep {option.timestep:g} s and integrator {integrator} are of MuJoCo; the FMU has"
    account.note("option", line, f"{text} its own")
