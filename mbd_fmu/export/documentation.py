"""documentation/index.html inside the FMU: what it is, what its variables mean, what to expect."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from mbd_fmu.drawing.sketch import sketch_svg
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import Variable
from mbd_fmu.version import VERSION

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1c2733; max-width: 60em; margin: 2em auto;
  padding: 0 1em; }
h1 { font-size: 1.7em; margin-bottom: 0; } h2 { font-size: 1.2em; margin-top: 1.8em; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .25em .8em .25em 0;
  border-bottom: 1px solid #e3e8ec; }
td:first-child { font-family: ui-monospace, monospace; white-space: nowrap; }
svg { border: 1px solid #e3e8ec; border-radius: 6px; max-width: 100%; height: auto; }
.quiet { color: #55626e; }
"""

SOLVERS = {
    "dopri5": "Dormand-Prince 5(4), steps by error control with solver.tolerance",
    "rk4": "classical Runge-Kutta of order 4, equal steps of at most solver.step",
    "stiff": "Rosenbrock method of order 4, linearly implicit with exact Jacobian, error control",
}
STABILIZATIONS = {
    "projection": "after each internal step positions and velocities are projected back",
    "baumgarte": "Baumgarte's feedback with solver.alpha and solver.beta",
    "none": "none: the constraints drift with the integration error",
}
_BESIDE = {"live": "Drive it by hand: the same code, in this browser"}
CONVENTIONS = (
    "SI units and radians; display units are declared beside them.",
    (
        "World axes are those of the model file; r is the origin of a body as drawn, com its mass "
        "centre, quat its orientation since drawn as a unit quaternion w, x, y, z."
    ),
    (
        "force and torque of a joint: what its constraint exerts on the child, at the joint point "
        "the child carries, in world axes, without drives, springs and friction of the joint."
    ),
    (
        "A positive drive torque or force acts on the child along its freedom; the parent takes "
        "the opposite."
    ),
    "Inputs are held over a step, or move on at the derivatives the importer sets.",
)


def index_page(system: System, beside: Iterable[str] = ()) -> bytes:
    """Write the page; it needs nothing from outside. ``beside`` it lie others, of these names."""
    spec, table = system.spec, system.table
    title = escape(spec.name)
    links = (f'<p><a href="{name}.html">{_BESIDE[name]}</a></p>' for name in beside)
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{escape(spec.description or 'A mechanism.')}</p>",
        *links,
        sketch_svg(system),
        '<p class="quiet">As assembled at the start.</p>',
        "<h2>The mechanism</h2>",
        _listing(_facts(system)),
        "<h2>Conventions</h2>",
        _listing(CONVENTIONS),
        "<h2>Solver</h2>",
        _listing(_solver(system)),
        "<h2>Parameters and start values</h2>",
        _variables(table.parameters),
        *(("<h2>Derived parameters</h2>", _variables(table.derived)) if table.derived else ()),
        "<h2>Inputs</h2>",
        _variables(table.inputs),
        "<h2>Outputs</h2>",
        _variables(table.outputs),
        "<h2>Limits</h2>",
        _listing(_limits(system)),
        "<h2>Licence</h2>",
        (
            f"<p>Made by mbd-fmu {VERSION}. The code of its runtime is under the MIT licence; the "
            "model belongs to its author.</p>"
        ),
    ]
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )
    return page.encode()


def _facts(system: System) -> list[str]:
    spec, forest = system.spec, system.forest
    prescribed = len(system.table.motions)
    facts = [
        f"{len(forest)} bodies, {len(system.state_v)} velocities, {system.nx} states",
        "Joints: "
        + ", ".join(f"{system.joint(i).name} ({system.joint(i).type})" for i in _joints(system)),
    ]
    if system.rows:
        cut = [spec.joints[k].name for k in forest.cut]
        names = [*(f"joint {name}" for name in cut), *(c.name for c in spec.constraints)]
        facts.append(f"{len(system.rows)} rows of constraints: {', '.join(names)}")
    if prescribed:
        facts.append(f"{prescribed} joints follow prescribed motions")
    return facts


def _joints(system: System) -> range:
    return range(len(system.forest.every_joint))


def _solver(system: System) -> list[str]:
    fmu = system.spec.fmu
    lines = [SOLVERS[fmu.solver]]
    if system.rows:
        lines.append(f"Constraints: {STABILIZATIONS[fmu.stabilization]}.")
    return [*lines, "A step that fails leaves the state as it was and says what is to blame."]


def _limits(system: System) -> list[str]:
    lines = ["Bodies are rigid; there is no contact and no impact."]
    if system.rows:
        lines.append(
            "Reactions called not unique share redundant constraints by least squares, with "
            f"torques per {system.length:.4g} m."
        )
    return [*lines, *dict.fromkeys(c.limitation for c in system.spec.constraints if c.limitation)]


def _listing(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _variables(variables: Iterable[Variable]) -> str:
    rows = [
        f"<tr><td>{escape(v.name)}</td><td>{escape(v.unit)}</td>"
        f"<td>{'' if v.start is None else format(v.start, 'g')}</td>"
        f"<td>{escape(v.description)}</td></tr>"
        for v in variables
    ]
    if not rows:
        return "<p>None.</p>"
    head = "<tr><th>name</th><th>unit</th><th>start</th><th>meaning</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"
