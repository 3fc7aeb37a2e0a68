"""Pages of curves: a path of one freedom, and loads of joints."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mbd_fmu.analysis.kinematics import KinematicPath
from mbd_fmu.analysis.pin_loads import PinLoad, RunLoads
from mbd_fmu.model.named_outputs import JOINT, WORLD_AXES
from mbd_fmu.spatial import Array
from mbd_fmu.validate.plots import curve_plot, grid, plots_foot, plots_head
from mbd_fmu.viewer.page import page_html, write_page

STILL = 1e-9  # m or rad: what moves by less is not drawn
_PLANES = ((0, 1), (0, 2), (1, 2))


def write_path_page(page: Path, title: str, path: KinematicPath) -> str:
    """Write a page of what is derived, of points in their planes, and of joints, over the drive."""
    across = f"{path.drive} in {path.units[path.drive]}"
    body = "".join(
        f"<h2>{head}</h2>{plots}"
        for head, plots in (
            ("Derived", grid(_derived(path, across))),
            ("Paths of points", grid(_points(path))),
            ("Positions and ratios", grid(_positions(path, across))),
        )
        if plots
    )
    lead = f"{len(path.values)} positions along {path.drive}"
    return write_page(page, page_html(title, lead, body + plots_foot(), head=plots_head()))


def _derived(path: KinematicPath, across: str) -> Iterator[str]:
    for name, values in path.derived.items():
        yield curve_plot(name, {name: (path.values, values)}, across, path.units[name])


def _points(path: KinematicPath) -> Iterator[str]:
    """Where mass centres and points go, in the plane in which they move most."""
    for ending in (".r.x", "_r_x"):
        for name in path.names:
            if not name.endswith(ending):
                continue
            own = [name.removesuffix("x") + x for x in "xyz"]
            places = np.column_stack([path.column(column) for column in own])
            spans = np.ptp(places, axis=0)
            if np.sort(spans)[1] <= STILL:
                continue  # a straight line along an axis, or a place
            i, j = max(_PLANES, key=lambda plane: min(spans[plane[0]], spans[plane[1]]))
            curve = {name.removesuffix(ending): (places[:, i], places[:, j])}
            title = name.removesuffix(ending)
            yield curve_plot(title, curve, f"{'xyz'[i]} in m", f"{'xyz'[j]} in m", square=True)


def _positions(path: KinematicPath, across: str) -> Iterator[str]:
    for k, name in enumerate(path.names):
        values, ratios = path.positions[:, k], path.ratios[:, k]
        if np.ptp(values) > STILL and name != path.drive:
            per = f"ratio, per {path.units[path.drive]}"
            lines = {name: (path.values, values), per: (path.values, ratios)}
            yield curve_plot(name, lines, across, path.units[name])


def write_loads_page(page: Path, title: str, loads: RunLoads) -> str:
    """Write a page of what each joint carries: over time, and as a bearing sees it."""
    sections = "".join(
        f"<h2>{html.escape(load.pin.name)}</h2>{grid(_load_plots(load))}" for load in loads.pins
    )
    lead = f"{len(loads.pins)} joints over {loads.pins[0].time[-1]:g} s"
    return write_page(page, page_html(title, lead, sections + plots_foot(), head=plots_head()))


def _load_plots(load: PinLoad) -> Iterator[str]:
    axes = JOINT if JOINT in load.wrench else WORLD_AXES
    for kind, unit, first in (("force", "N", 0), ("torque", "N.m", 3)):
        wrench = load.wrench[axes][:, first : first + 3]
        size = load.magnitude(kind)
        if not np.any(size):
            continue
        lines: dict[str, tuple[Array, Array]] = {"magnitude": (load.time, size)}
        lines |= {x: (load.time, values) for x, values in zip("xyz", wrench.T, strict=True)}
        yield curve_plot(f"{kind}, {axes} axes", lines, "time in s", unit)
        if kind == "force" and load.pin.has_axis and axes == JOINT:
            round_it = {"force across the axis": (wrench[:, 0], wrench[:, 1])}
            yield curve_plot("round the pin", round_it, "x in N", "y in N", square=True)
