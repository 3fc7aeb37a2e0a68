"""A linear system, an equilibrium and modes in words and rows of tables."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import numpy as np

from mbd_fmu.analysis.equilibrium import Equilibrium
from mbd_fmu.analysis.freedoms import Quantity
from mbd_fmu.analysis.linearization import Linearization
from mbd_fmu.analysis.modes import Mode
from mbd_fmu.spatial import Array

POLES = ("eigenvalue in 1/s", "frequency in Hz", "damping", "moves")
MODES = ("", "frequency in Hz", "damping", "moves")
MOST_COLUMNS = 12  # of A and B side by side, that a terminal has room for
MOVES = 0.05  # of the largest: what moves less is not told
MOST_NAMES = 4
_STABILITY = {
    "stable": "stable: what is disturbed dies away",
    "unstable": "unstable: {growing} of {all} eigenvalues grow",
    "neutral": "neutral: undamped, what is disturbed neither grows nor dies away",
    "drifting": "neutral: {idle} of {all} eigenvalues are zero, of coordinates and rates on which "
    "nothing depends; all else dies away",
}

_UNKNOWN = {
    False: "stability unknown: the linear system does not stay as it is, its eigenvalues are those "
    "of an instant",
    None: "stability unknown: it moves, and of an FMU nobody knows whether the linear system stays "
    "as it is",
}


def head(linear: Linearization) -> str:
    """Say how many freedoms there are, and whether anything accelerates."""
    freedoms = (
        f"{counted(linear.n_positions, 'freedom')} of position, {linear.n_velocities} of velocity"
    )
    sizes = f"{counted(len(linear.inputs), 'input')}, {counted(len(linear.outputs), 'output')}"
    lines = [f"{linear.name}: {freedoms}; {sizes}"]
    worst = np.abs(linear.accelerations).max(initial=0.0)
    if worst > 1e-6:
        k = int(np.argmax(np.abs(linear.accelerations)))
        state = linear.states[linear.n_positions + k]
        lines.append(
            f"no equilibrium: {state.name} accelerates by {linear.accelerations[k]:.4g} "
            f"{state.unit.removesuffix('/s')}/s2"
        )
    return "\n".join(lines)


def stability(linear: Linearization) -> str:
    """Say how what is disturbed behaves."""
    if not len(linear.eigenvalues):
        return "no freedom is left to be disturbed"
    if not linear.is_steady:
        return _UNKNOWN[linear.is_steady]
    poles, count = linear.poles, len(linear.eigenvalues)
    drifts = poles.stability == "neutral" and poles.idle + poles.dying == count
    text = _STABILITY["drifting" if drifts else poles.stability]
    return text.format(growing=poles.growing, idle=poles.idle, all=count)


def matrix_titles(linear: Linearization) -> list[str] | None:
    """Return the titles of the columns of A and B; none where they are too many."""
    columns = [q.name for q in (*linear.states, *linear.inputs)]
    fits = linear.states and len(columns) <= MOST_COLUMNS
    return ["rate of", *columns] if fits else None


def matrix_rows(linear: Linearization) -> list[list[str]]:
    """Return the rows of A and B."""
    both = np.hstack([linear.A, linear.B])
    tiny = 1e-12 * np.abs(both).max(initial=0.0)
    return [
        [state.name, *(f"{x:.5g}" if abs(x) > tiny else "0" for x in row)]
        for state, row in zip(linear.states, both, strict=True)
    ]


def pole_rows(linear: Linearization) -> list[list[str]]:
    """Return a row per eigenvalue, of a pair one."""
    found = []
    for pole in linear.poles.each:
        shape = linear.shapes @ pole.shape
        found.append(
            [
                number(pole.value, pole.tolerance),
                "0" if pole.is_idle else f"{pole.frequency:.5g}",
                "-" if pole.is_idle else _damping(pole.damping),
                moving(shape, linear.coordinates),
            ]
        )
    return found


def mode_rows(modes: Sequence[Mode], coordinates: Sequence[Quantity]) -> list[list[str]]:
    """Return a row per mode."""
    found = []
    for n, mode in enumerate(modes, start=1):
        is_still = mode.frequency <= 1e-6
        frequency = f"{mode.frequency:.5g}" if mode.frequency > 1e-6 else "0"
        moves = moving(mode.shape, coordinates)
        found.append([str(n), frequency, "-" if is_still else _damping(mode.damping), moves])
    return found


def undamped_rows(modes: Sequence[Mode], coordinates: Sequence[Quantity]) -> list[list[str]]:
    """Return a row per undamped mode; what runs away has no frequency."""
    found = []
    for mode, (n, frequency, _, moves) in zip(modes, mode_rows(modes, coordinates), strict=True):
        grows = frequency != "0" and mode.damping < 0.0
        found.append([n, f"grows, {number(mode.eigenvalue)} 1/s" if grows else frequency, moves])
    return found


def state_rows(found: Equilibrium) -> list[list[str]]:
    """Return name, value and unit of what is not as it was drawn, and of what was set free."""
    system = found.point.system
    n_q = len(system.state_q)
    names = system.states.names
    unit = [v.unit for v in system.states.variables]
    rows = [
        [names[k], f"{x:.9g}", unit[k]]
        for k, x in enumerate(found.point.x[: n_q + len(system.state_v)])
        if k < n_q or abs(x) > 1e-12
    ]
    rows += [[name, f"{x:.9g}", found.units[name]] for name, x in found.solved.items()]
    return rows


def number(value: complex, tiny: float = 0.0) -> str:
    """Write an eigenvalue; of a pair both at once."""
    real = value.real if abs(value.real) > tiny else 0.0
    if value.imag <= tiny:
        return f"{real:.6g}"
    return f"{real:.6g} ± {value.imag:.6g}i"


def moving(shape: Array, coordinates: Sequence[Quantity]) -> str:
    """Name the coordinates that move most, with size and phase relative to the largest."""
    size = np.abs(shape)
    largest = size.max(initial=0.0)
    if largest < 1e-9:
        return "velocities alone"
    order = [int(k) for k in np.argsort(-size, kind="stable") if size[k] > MOVES * largest]
    lead = complex(shape[order[0]])
    words = [coordinates[order[0]].name]
    words += [
        f"{coordinates[k].name} {_relative(complex(shape[k]) / lead)}" for k in order[1:MOST_NAMES]
    ]
    more = len(order) - MOST_NAMES
    return ", ".join(words) + (f", and {more} more" if more > 0 else "")


def _relative(share: complex) -> str:
    if abs(share.imag) < 0.01 * abs(share):  # half a degree
        return f"{share.real:.3g}"
    return f"{abs(share):.3g} at {math.degrees(cmath.phase(share)):.0f}°"


def _damping(ratio: float) -> str:
    return f"{ratio if abs(ratio) >= 5e-5 else 0.0:.4f}"  # no minus zeros


def counted(n: int, word: str) -> str:
    """Return so many of something, in words."""
    return f"{n} {word}{'s' if n != 1 else ''}"
