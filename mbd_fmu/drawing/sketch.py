"""A line drawing of a mechanism at its start, in SVG: bodies as bars, joints as symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mbd_fmu.drawing.bars import Bars, bars_of
from mbd_fmu.drawing.labels import Box, Point
from mbd_fmu.drawing.scene import COLORS
from mbd_fmu.drawing.sheet import Sheet
from mbd_fmu.elements.places import GROUND, BodyPoint
from mbd_fmu.elements.symbols import CIRCLE, DOTTED_CIRCLE, SQUARE
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.tree import Tree
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.reference.assembly import nominal_start
from mbd_fmu.spatial import Array, rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import System
from mbd_fmu.topology.connect import BASE_BODY

WIDTH, HEIGHT, MARGIN = 640, 420, 56
NAME, SMALL = 12, 11  # sizes of the font

_STYLE = """
  text { font-family: system-ui, sans-serif; fill: #55626e; text-anchor: middle;
    stroke: white; stroke-width: 3; stroke-opacity: .8; paint-order: stroke; }
  .bar { stroke-width: 7; stroke-linecap: round; stroke-opacity: .8; }
  .arm { stroke-width: 2.5; stroke-linecap: round; stroke-opacity: .8; }
  .edge { stroke-width: 1; stroke-opacity: .6; }
  .hinge { fill: white; stroke: #1c2733; stroke-width: 2; }
  .force { stroke: #2f8a4b; stroke-width: 2; stroke-dasharray: 4 3; }
  .rod { stroke: #1c2733; stroke-width: 2; }
  .ground { stroke: #55626e; stroke-width: 2; }
  .axis { stroke: #8a97a3; stroke-width: 1.5; }
  .leader { stroke: #8a97a3; stroke-width: .7; fill: none; }
"""


@dataclass(frozen=True)
class _View:
    """From metres in the world to pixels."""

    right: Array
    up: Array
    middle: Array
    scale: float

    def __call__(self, place: Array) -> Point:
        d = place - self.middle
        x, y = float(self.right @ d), float(self.up @ d)
        return WIDTH / 2 + self.scale * x, HEIGHT / 2 - self.scale * y


@dataclass(frozen=True)
class _Drawn:
    """A body in the world, ready to be drawn."""

    name: str
    color: str
    centre: Array
    bars: Bars

    @property
    def places(self) -> list[Array]:
        """What lies in the plane of a plane mechanism, however thick its bodies are."""
        return [self.centre, *(end for bar in self.bars.thick + self.bars.thin for end in bar)]

    @property
    def corners(self) -> list[Array]:
        return [end for edge in self.bars.edges for end in edge]


def sketch_svg(system: System) -> str:
    """Draw a mechanism as it is assembled at the start."""
    at = _start(system)
    joints = {i: _point(at, *_end_of(at.tree, i)) for i in _shown_joints(system)}
    bodies = list(_bodies(system, at))
    couplings = list(_couplings(at))
    ends = [end for _, *pair in couplings for end in pair]
    places = [*(p for b in bodies for p in b.places), *ends, *joints.values()]
    view = _view(np.array(places), np.array(places + [p for b in bodies for p in b.corners]))
    sheet = Sheet(WIDTH, HEIGHT)
    for body in bodies:
        _draw_body(sheet, view, body)
    for kind, a, b in couplings:
        sheet.line(kind, view(a), view(b))
    for i, place in joints.items():
        _draw_joint(sheet, system, i, view(place))
    _draw_triad(sheet, view)
    return sheet.svg(_STYLE)


def _start(system: System) -> Instant:
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    x = plant.start()
    if system.rows:
        x = nominal_start(system.spec)[1].x
    return plant.instant(x, u)


def _shown_joints(system: System) -> list[int]:
    joints = range(len(system.forest.every_joint))
    return [i for i in joints if not system.joint(i).leads_anywhere]


def _end_of(tree: Tree, i: int) -> tuple[int, Array]:
    """Joint point of joint i on its carried body, or on the child of a cut joint."""
    if i < len(tree.forest):
        return i, np.zeros(3)
    mount = tree.cuts[i - len(tree.forest)].M
    return mount.body, mount.origin


def _point(at: Instant, body: int, place: Array) -> Array:
    return at.motion.point(BodyPoint(body, place))[0]


def _bodies(system: System, at: Instant) -> Iterator[_Drawn]:
    for i, k in enumerate(system.forest.body):
        body = system.spec.bodies[k]
        if body.name == BASE_BODY and system.spec.moving_base:
            continue
        r = at.placed.point_W(i, at.tree.origin_B[i]).astype(float)
        R = rotation_matrix(at.placed.quat_WU[i]).astype(float)
        origin = vector_of(body.origin, system.spec.nominal).astype(float)
        bars = bars_of(system.spec, body)
        seen = Bars(
            *(
                [(r + R @ (a - origin), r + R @ (b - origin)) for a, b in kind]
                for kind in (bars.thick, bars.thin, bars.edges)
            )
        )
        centre = at.placed.point_W(i, at.tree.p_BBcm[i]).astype(float)
        color = COLORS[(k - system.spec.moving_base) % len(COLORS)]  # as in the scene
        yield _Drawn(body.name, color, centre, seen)


def _couplings(at: Instant) -> Iterator[tuple[str, Array, Array]]:
    """Yield springs and rods with their ends."""
    for kind, placed in (("force", at.tree.forces), ("rod", at.tree.constraints)):
        for ends in (element.line_ends for element in placed):
            if ends is not None:
                a, b = (at.motion.point(end)[0] for end in ends)
                yield kind, a, b


def _view(places: Array, everything: Array) -> _View:
    """Look along the normal of a plane mechanism, else from the front, right and above."""
    spread = np.ptp(places, axis=0)
    flat = [k for k in range(3) if spread[k] < 1e-6 * max(spread.max(), 1e-9)]
    axes = {0: ((0, 1, 0), (0, 0, 1)), 1: ((1, 0, 0), (0, 0, 1)), 2: ((1, 0, 0), (0, 1, 0))}
    if 0 < len(flat) < 3:
        right, up = (np.array(axis, dtype=float) for axis in axes[flat[0]])
    else:
        right = np.array([np.cos(0.6), np.sin(0.6), 0.0])
        towards = np.array([np.sin(0.6) * np.cos(0.45), -np.cos(0.6) * np.cos(0.45), np.sin(0.45)])
        up = np.cross(towards, right)
    middle = (everything.min(axis=0) + everything.max(axis=0)) / 2
    d = everything - middle
    size = [np.abs(d @ right).max(), np.abs(d @ up).max()]
    room = [WIDTH / 2 - MARGIN, HEIGHT / 2 - MARGIN]
    fits = [r / s for r, s in zip(room, size, strict=True) if s > 1e-9]
    return _View(right, up, middle, min(fits, default=100.0))


def _draw_body(sheet: Sheet, view: _View, body: _Drawn) -> None:
    color = f' stroke="{body.color}"'
    bars = body.bars
    for kind, lines in (("edge", bars.edges), ("bar", bars.thick), ("arm", bars.thin)):
        for a, b in lines:
            sheet.line(kind, view(a), view(b), color)
    x, y = view(body.centre)
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{body.color}"/>'
    sheet.symbol(dot, Box(x, y, x, y).grown(4))
    sheet.name(body.name, NAME, (x, y), 7.0, f' style="fill: {body.color}"')


def _draw_joint(sheet: Sheet, system: System, i: int, where: Point) -> None:
    """Draw a circle for what turns, a square for what slides, a diamond for the rest."""
    joint = system.joint(i)
    x, y = where
    own = Box(x, y, x, y).grown(7)
    if {joint.parent, joint.child} & {GROUND, BASE_BODY}:
        sheet.line("ground", (x - 12, y + 11), (x + 12, y + 11))
        for k in range(-1, 2):
            sheet.line("ground", (x + 8 * k, y + 11), (x + 8 * k - 5, y + 17))
        sheet.symbol("", Box(x - 13, y + 10, x + 12, y + 18))
    box = f'x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12"'
    sketch = joint.kind.symbol.sketch
    if sketch in (CIRCLE, DOTTED_CIRCLE):
        sheet.symbol(f'<circle class="hinge" cx="{x:.1f}" cy="{y:.1f}" r="6"/>', own)
        if sketch == DOTTED_CIRCLE:
            sheet.symbol(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="#1c2733"/>', own)
    elif sketch == SQUARE:
        sheet.symbol(f'<rect class="hinge" {box}/>', own)
    else:
        turned = f'transform="rotate(45 {x:.1f} {y:.1f})"'
        sheet.symbol(f'<rect class="hinge" {box} {turned}/>', own)
    sheet.name(joint.name, SMALL, where, 9.0, "")


def _draw_triad(sheet: Sheet, view: _View) -> None:
    """Draw the world's axes, as far as the view shows them."""
    x, y = 30.0, HEIGHT - 30.0
    for name, axis in zip("xyz", np.eye(3), strict=True):
        dx, dy = 22.0 * float(view.right @ axis), -22.0 * float(view.up @ axis)
        if np.hypot(dx, dy) > 4:
            sheet.line("axis", (x, y), (x + dx, y + dy))
            sheet.text(name, SMALL, (x + 1.35 * dx, y + 1.35 * dy))
