"""A line drawing of a mechanism at its start, in SVG: bodies as bars, joints as symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np

from mbd_fmu.export.scene import COLORS
from mbd_fmu.export.system import System
from mbd_fmu.mechanics.closures import End
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.spatial import Array
from mbd_fmu.topology.connect import BASE_BODY

WIDTH, HEIGHT, MARGIN = 640, 420, 56

_STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #1c2733; }
  .bar { stroke-width: 7; stroke-linecap: round; stroke-opacity: .8; fill: none; }
  .hinge { fill: white; stroke: #1c2733; stroke-width: 2; }
  .force { stroke: #2f8a4b; stroke-width: 2; stroke-dasharray: 4 3; }
  .rod { stroke: #1c2733; stroke-width: 2; }
  .ground { stroke: #55626e; stroke-width: 2; }
  .axis { stroke: #8a97a3; stroke-width: 1.5; }
  .small { font-size: 11px; fill: #55626e; }
"""


@dataclass(frozen=True)
class _View:
    """From metres in the world to pixels."""

    right: Array
    up: Array
    middle: Array
    scale: float

    def __call__(self, place: Array) -> tuple[float, float]:
        d = place - self.middle
        x, y = float(self.right @ d), float(self.up @ d)
        return WIDTH / 2 + self.scale * x, HEIGHT / 2 - self.scale * y


def sketch_svg(system: System) -> str:
    """Draw a mechanism as it is assembled at the start."""
    at = _start(system)
    joints = {i: _point(at, *_end_of(system, i)) for i in range(len(system.forest.every_joint))}
    centres = [at.placed.point_W(i, at.tree.p_BBcm[i]) for i in range(len(system.forest))]
    shown = [i for i in joints if not system.joint(i).leads_anywhere]
    view = _view(np.array([*centres, *(joints[i] for i in shown)]))
    parts = [*_bars(system, view, joints, centres), *_couplings(at, view)]
    parts += [part for i in shown for part in _symbol(system, view, i, joints[i])]
    parts += _triad(view)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">\n<style>{_STYLE}</style>\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _start(system: System) -> Instant:
    plant, u = system.plant(system.nominal_parameters()), system.nominal_inputs()
    x = plant.start()
    if system.rows:
        x = Manifold(plant, u).assemble(x).x
    return plant.instant(x, u)


def _end_of(system: System, i: int) -> tuple[int, Array]:
    """Joint point of joint i on its carried body, or on the child of a cut joint."""
    if i < len(system.forest):
        return i, np.zeros(3)
    tree = system.plant(system.nominal_parameters()).tree
    mount = tree.cuts[i - len(system.forest)].M
    return mount.body, mount.origin


def _point(at: Instant, body: int, place: Array) -> Array:
    return at.motion.point(End(body, place))[0]


def _view(points: Array) -> _View:
    """Look along the normal of a plane mechanism, else from the front, right and above."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    spread = np.ptp(points, axis=0)
    flat = [k for k in range(3) if spread[k] < 1e-6 * max(spread.max(), 1e-9)]
    axes = {0: ((0, 1, 0), (0, 0, 1)), 1: ((1, 0, 0), (0, 0, 1)), 2: ((1, 0, 0), (0, 1, 0))}
    if flat:
        right, up = (np.array(axis, dtype=float) for axis in axes[flat[0]])
    else:
        right = np.array([np.cos(0.6), np.sin(0.6), 0.0])
        towards = np.array([np.sin(0.6) * np.cos(0.45), -np.cos(0.6) * np.cos(0.45), np.sin(0.45)])
        up = np.cross(towards, right)
    d = points - middle
    size = [np.abs(d @ right).max(), np.abs(d @ up).max()]
    room = [WIDTH / 2 - MARGIN, HEIGHT / 2 - MARGIN]
    fits = [r / s for r, s in zip(room, size, strict=True) if s > 1e-9]
    return _View(right, up, middle, min(fits, default=100.0))


def _bars(
    system: System, view: _View, joints: dict[int, Array], centres: list[Array]
) -> Iterator[str]:
    """Yield each body: from joint to joint, by way of the mass centre where that says more."""
    order = {system.spec.bodies[k].name: i for i, k in enumerate(system.forest.body)}
    for name, i in order.items():
        if name == BASE_BODY and system.spec.moving_base:
            continue
        color = COLORS[i % len(COLORS)]
        ends = [
            joints[j]
            for j in joints
            if name in (system.joint(j).parent, system.joint(j).child)
            and not system.joint(j).leads_anywhere
        ]
        if len(ends) == 2:
            yield _line("bar", view(ends[0]), view(ends[1]), f' stroke="{color}"')
        else:
            for end in ends:
                yield _line("bar", view(end), view(centres[i]), f' stroke="{color}"')
        x, y = view(centres[i])
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>'
        yield f'<text x="{x + 8:.1f}" y="{y + 16:.1f}" style="fill: {color}">{escape(name)}</text>'


def _couplings(at: Instant, view: _View) -> Iterator[str]:
    for line in at.tree.lines:
        a, b = (view(_point(at, end.body, end.place)) for end in line.ends)
        yield _line("force", a, b)
    for restriction in at.tree.restrictions:
        if restriction.type == "distance":
            pair = restriction.parent, restriction.child
            a, b = (view(_point(at, end.body, end.place)) for end in pair)
            yield _line("rod", a, b)


def _symbol(system: System, view: _View, i: int, where: Array) -> Iterator[str]:
    """Yield a circle for what turns, a square for what slides, a diamond for the rest."""
    joint = system.joint(i)
    x, y = view(where)
    on_base = {joint.parent, joint.child} & {"ground", BASE_BODY}
    if on_base:
        yield _line("ground", (x - 12, y + 11), (x + 12, y + 11))
        for k in range(-1, 2):
            yield _line("ground", (x + 8 * k, y + 11), (x + 8 * k - 5, y + 17))
    box = f'x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12"'
    if joint.type in ("revolute", "spherical", "universal", "helical"):
        yield f'<circle class="hinge" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
        if joint.type != "revolute":
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="#1c2733"/>'
    elif joint.type in ("prismatic", "cylindrical"):
        yield f'<rect class="hinge" {box}/>'
    else:
        turned = f'transform="rotate(45 {x:.1f} {y:.1f})"'
        yield f'<rect class="hinge" {box} {turned}/>'
    text = escape(joint.name)
    yield f'<text class="small" x="{x + 9:.1f}" y="{y - 8:.1f}">{text}</text>'


def _triad(view: _View) -> Iterator[str]:
    """Yield the world's axes, as far as the view shows them."""
    x, y = 30.0, HEIGHT - 30.0
    for name, axis in zip("xyz", np.eye(3), strict=True):
        dx, dy = 22.0 * float(view.right @ axis), -22.0 * float(view.up @ axis)
        if np.hypot(dx, dy) > 4:
            yield _line("axis", (x, y), (x + dx, y + dy))
            place = f'x="{x + 1.35 * dx - 3:.1f}" y="{y + 1.35 * dy + 4:.1f}"'
            yield f'<text class="small" {place}>{name}</text>'


def _line(kind: str, a: tuple[float, float], b: tuple[float, float], more: str = "") -> str:
    ends = f'x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"'
    return f'<line class="{kind}" {ends}{more}/>'
