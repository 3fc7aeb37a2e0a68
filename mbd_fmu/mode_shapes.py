"""Modes of a mechanism as a page: each one swings in 3-D."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import numpy as np

from mbd_fmu.analysis.modes import Mode, Modes, swinging
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.summaries.linear import counted, moving, number
from mbd_fmu.system.outputs.block import Stage
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.viewer.motion import Motion, motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, write_page

PICTURES = 60  # of a period
PERIOD = 2.0  # s, in which one period is shown, however long it lasts


def write_modes(path: Path, spec: Spec, found: Modes) -> str:
    """Write the page; return what is to be said about a page that was there before."""
    scene = scene_table(spec)
    shown = found.undamped or found.damped
    kind = "undamped" if found.undamped else "damped"
    body = "".join(
        f"<h2>{n}. {html.escape(_title(mode))}</h2>\n"
        f"<p>{html.escape(moving(mode.shape, found.coordinates))}</p>\n"
        + mechanism_html(scene, mode_motion(spec, found.point, mode), plays=True)
        for n, mode in enumerate(shown, start=1)
    )
    lead = (
        f"{counted(len(shown), f'{kind} mode')} about the equilibrium, each shown in {PERIOD:g} s "
        "per period, as large as can be seen well"
    )
    return write_page(path, page_html(f"{spec.name}: modes", lead, body))


def _title(mode: Mode) -> str:
    if abs(mode.eigenvalue) < 1e-6:
        return "0 Hz: nothing brings it back"
    if abs(mode.eigenvalue.imag) < 1e-9 * abs(mode.eigenvalue):
        how = "grows" if mode.eigenvalue.real > 0 else "dies away"
        return f"{how}, {number(mode.eigenvalue)} 1/s"
    damped = f", damping {mode.damping:.4f}" if abs(mode.damping) > 1e-9 else ""
    return f"{mode.frequency:.5g} Hz{damped}"


def mode_motion(spec: Spec, at: OperatingPoint, mode: Mode) -> Motion:
    """Return poses of the bodies over one period of a mode."""
    system = system_of(replace(spec, groups=("poses",)))
    plant, n = plant_of(system, at.p), len(system.state_q) + len(system.state_v)
    rest = np.zeros(system.nx - n)
    rows = [
        plant.outputs(Stage.POSITIONS, np.concatenate([x[:n], rest]), at.u, np.zeros(system.nz))
        for x in swinging(at, mode, PICTURES)
    ]
    names = [
        c.name for b in system.table.blocks if b.stage == Stage.POSITIONS for c in b.components
    ]
    time = np.linspace(0.0, PERIOD, PICTURES + 1)
    return motion_of(scene_table(spec), Trajectory(time, tuple(names), np.array(rows)))
