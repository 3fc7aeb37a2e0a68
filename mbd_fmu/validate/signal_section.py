"""The signals of a run on a page: groups that unfold, a search, what comes first, one cursor."""

from __future__ import annotations

import html
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from mbd_fmu.options import FIRSTS
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.comparison import aligned
from mbd_fmu.validate.invariants import ClosureError, closure_errors
from mbd_fmu.validate.signal_figures import (
    Compared,
    Figure,
    energy_figure,
    error_figure,
    vector_figure,
)
from mbd_fmu.validate.signal_groups import (
    OTHER,
    Group,
    Vector,
    families_of,
    lacks_first,
    signal_groups,
)
from mbd_fmu.validate.still import still_signals
from mbd_fmu.viewer.page import inside_script, text_of

LABELS = ("FMU", "reference", "error")
ENERGY = "energy energy.kinetic energy.potential energy.input_work energy.dissipated"  # searched


def signals_head() -> str:
    """Return what the head of a page with signals needs."""
    return f"<style>\n{text_of('signals.css')}</style>\n"


def signal_section(
    result: Trajectory,
    units: Mapping[str, str],
    *,
    reference: Trajectory | None = None,
    labels: tuple[str, str, str] = LABELS,
    scene: Mapping[str, Any] | None = None,
    first: str = "",
) -> str:
    """Return all signals of a table, or those of a reference with what is between the two.

    ``scene`` tells bodies and joints; ``first`` is what comes first, one of ``FIRSTS``.
    """
    names = reference.names if reference is not None else result.names
    if reference is not None:
        reference = Trajectory(reference.time, names, aligned(result, reference)[1])
    still = still_signals(result, reference, units)
    of = Compared(result, reference, units, labels, still)
    errors = closure_errors(result)
    numbers = {error.name for error in errors}
    groups = signal_groups([name for name in names if name not in numbers], scene)
    families = families_of(names, scene)
    times = inside_script(json.dumps(of.times()))
    lack = lacks_first(names, scene, first)
    said = f'<p class="lack">There are {html.escape(lack)}.</p>' if lack else ""
    return (
        f'<div class="signals" data-first="{html.escape(first)}">'
        f'<script type="application/json" class="times">{times}</script>'
        f"{_controls(families, still.intersection(names) - numbers, len(names))}{said}"
        f"{''.join(_unfolding(*entry, of) for entry in _with_numbers(groups, errors, of))}</div>"
    )


def _with_numbers(
    groups: Sequence[Group], errors: Sequence[ClosureError], of: Compared
) -> Iterable[tuple[Group, str]]:
    """Yield groups with what stands in them before their plots: balance, errors of constraints."""
    energy = energy_figure(of)
    extra = {
        "energy": _card(ENERGY, "energy", energy) if energy else "",
        "quality": "".join(_error(error, of) for error in errors),
    }
    there = {group.kind for group in groups}
    missing = [Group(kind, "", ()) for kind in extra if extra[kind] and kind not in there]
    for group in (*groups, *missing):
        yield group, extra.pop(group.kind, "")


def _controls(families: Collection[str], still: Iterable[str], n: int) -> str:
    options = "".join(
        f'<option value="{family}">{family}</option>' for family in FIRSTS if family in families
    )
    n_still = len(list(still))
    stay = (
        f'<p class="still">{n_still} of {n} signals do not change and are not drawn. '
        '<button type="button" class="show-still" aria-pressed="false">show them</button></p>'
        if n_still
        else ""
    )
    return (
        '<div class="controls"><label>search <input type="search" class="search" '
        'placeholder="part of a name, or boom_*.force.*"></label>'
        f'<label>first <select class="first"><option value="">as listed</option>{options}'
        '</select></label><button type="button" class="unfold" aria-pressed="false">unfold all'
        '</button><output class="found"></output></div>' + stay
    )


def _unfolding(group: Group, before: str, of: Compared) -> str:
    """Return a group; the page opens the first."""
    cards = "".join(
        _card(" ".join([vector.title, *vector.members]), vector.family, figure, still=still)
        for vector in group.vectors
        for figure, still in [(vector_figure(vector, of), _all_still(vector, of))]
    )
    name = {"energy": "energy", "quality": "quality", OTHER: group.name or "other signals"}.get(
        group.kind, group.name
    )
    n = sum(len(vector.members) for vector in group.vectors)
    counted = f"{n} signal{'' if n == 1 else 's'}" if n else ""
    kind = group.kind if group.kind not in (OTHER, name) else ""
    said = ", ".join(filter(None, [kind, counted]))
    numbers, plots = (before, "") if group.kind == "quality" else ("", before)
    return (
        f'<details class="group" data-kind="{group.kind}"><summary><b>{html.escape(name)}</b> '
        f'<span class="what">{said}</span></summary>{numbers}'
        f'<div class="grid">{plots}{cards}</div></details>'
    )


def _all_still(vector: Vector, of: Compared) -> bool:
    return all(name in of.still for name in vector.members)


def _error(error: ClosureError, of: Compared) -> str:
    """Tell the largest error with the floor it is compared with; its course only on demand."""
    unit = html.escape(error.unit)
    times = f": {error.worst / error.floor:.3g} times that" if error.floor > 0 else ""
    course = _card("", "quality", error_figure(error.name, error.unit, of))
    return (
        f'<div class="closure" data-names="{html.escape(error.name)}">'
        f"<p><b>{html.escape(error.name)}</b> at most "
        f'<data value="{error.worst!r}">{error.worst:.2e}</data> {unit}, at {error.at:g} s. '
        f"Rounding floor {error.floor:.1e} {unit}, the last place of the largest {error.what}, "
        f"{error.scale:.4g} {unit}{times}.</p>"
        f"<details><summary>over time</summary>{course}</details></div>"
    )


def _card(names: str, family: str, figure: Figure, *, still: bool = False) -> str:
    data = inside_script(json.dumps(figure, separators=(",", ":")))
    return (
        f'<div class="card" data-names="{html.escape(names)}" data-family="{family}"'
        f'{" data-still" if still else ""}><div class="plot">'
        f'<script type="application/json">{data}</script></div></div>'
    )
