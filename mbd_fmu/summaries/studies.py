"""The page of a study: parallel coordinates, points of any two columns, responses.

The numbers stand in it once, whatever is drawn of them: each column as what it is between its
least and its greatest value, in single precision, which no picture exceeds.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.spatial import Array
from mbd_fmu.study.results import Study
from mbd_fmu.study.summary import SUMMARIES
from mbd_fmu.summaries.study_columns import PARAMETERS, Shown, shown_columns
from mbd_fmu.system.units import shown_unit
from mbd_fmu.validate.signal_section import signals_head
from mbd_fmu.viewer.page import inside_script, page_html, table_html, text_of, write_page

SCRIPT = "study"
LISTED = 20  # cases that failed
NAMED = 40  # columns in one sentence
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")  # not of a name


def write_study_page(path: Path, study: Study, patterns: Sequence[str] = ()) -> str:
    """Write the page; ``patterns`` choose parameters and responses. Return as ``write_page``."""
    shown = shown_columns(study, patterns)
    drawn = (*shown.parameters, *shown.responses)
    lead = (
        f"{len(study)} cases, {len(shown.responses)} of {len(study.columns)} columns beside "
        "parameters"
    )
    body = _failures(study) + _left_out(study, shown)
    if len(drawn) > 1 and np.isfinite([study[name][~study.failed] for name in drawn]).any():
        body += _plots(study, shown)
    elif not study.failed.all():
        body += "<p>Nothing differs between the cases that were run.</p>"
    head = f"{signals_head()}<style>\n{text_of('study.css')}</style>\n"
    script = SCRIPT if 'class="study"' in body else ""
    title = f"Study of {study.head.model}"
    return write_page(path, page_html(title, lead, body, head=head, script=script))


def _plots(study: Study, shown: Shown) -> str:
    """Return all that is drawn; places of columns in the table are their names here."""
    names = (*shown.parameters, *shown.responses, *shown.others)
    axes = range(len(shown.parameters) + len(shown.responses))
    titles = [_titled(study, name) for name in names]
    # what is seen first: the first parameter and the first response, or what there is of one kind
    has_both = shown.parameters and shown.responses
    first, last = 0, len(shown.parameters) if has_both else 1
    choices = {"colour": last, "across": first, "up": last}
    lists = {label: _list(label, titles, k) for label, k in choices.items()}
    grid = "".join(_responses(study, shown))
    responses = f'<h2>Responses</h2><div class="grid">{grid}</div>' if grid else ""
    listed = " ".join(map(str, axes))
    return (
        f'<div class="study"><script type="application/json">{_table(study, names, titles)}'
        f'</script><div class="controls chosen">{lists["colour"]}<span class="bar"></span>'
        '<output class="count"></output>'
        '<button type="button" class="all" hidden>all cases</button></div>'
        '<h2>Parallel coordinates</h2><p class="hint">Drag along an axis to choose cases; '
        f'click it to let go.</p><div class="card"><div class="parallel" data-columns="{listed}">'
        '</div></div><h2>Any two</h2><div class="card"><div class="controls">'
        f'{lists["across"]}{lists["up"]}</div><div class="plane tall" data-kind="points" '
        f'data-x="{first}" data-y="{last}"></div></div>{responses}</div>'
    )


def _list(label: str, titles: Sequence[str], k: int) -> str:
    options = "".join(
        f'<option value="{n}"{" selected" if n == k else ""}>{html.escape(title)}</option>'
        for n, title in enumerate(titles)
    )
    return f'<label>{label} <select class="{label}">{options}</select></label>'


def _table(study: Study, names: Sequence[str], titles: Sequence[str]) -> str:
    """Return the numbers of all cases that did not fail."""
    there = ~study.failed
    columns = [
        _column(title, study[name][there]) for name, title in zip(names, titles, strict=True)
    ]
    table: dict[str, Any] = {"columns": columns}
    if study.failed.any():
        table["cases"] = np.flatnonzero(there).tolist()
    return inside_script(json.dumps(table, separators=(",", ":")))


def _column(title: str, values: Array) -> dict[str, Any]:
    there = values[np.isfinite(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)
    half = high / 2 - low / 2  # the whole may have no finite number
    part = np.where(np.isfinite(values), values, np.nan) / 2 - low / 2
    scaled = part / half if half > 0 else part * 0 + 0.5
    packed = base64.b64encode(scaled.astype("<f4").tobytes()).decode("ascii")
    return {"title": title, "low": low, "high": high, "values": packed}


def _titled(study: Study, name: str) -> str:
    """Name a column with its unit."""
    output, _, summary = name.rpartition(".")
    if name in study.head.units:
        unit = study.head.units[name]
    elif summary in SUMMARIES:
        unit = "s" if summary == "peak_time" else study.head.units.get(output, "1")
    else:
        unit = "1"
    return name if unit == "1" else f"{name} in\N{NO-BREAK SPACE}{shown_unit(unit)}"


def _responses(study: Study, shown: Shown) -> Iterator[str]:
    """Show each response over one parameter, over a grid of two, or over each of many."""
    many = len(shown.parameters)
    is_map = many == 2 and not shown.others and _is_grid(study, shown.parameters)
    is_curve = many == 1 and not shown.others
    kind = "map" if is_map else "curve" if is_curve else "points"
    for k, name in enumerate(shown.responses, start=many):
        title = html.escape(_titled(study, name))
        for x in range(1 if is_map else many):
            places = f'data-x="{x}" data-y="{1 if is_map else k}"'
            more = f' data-z="{k}"' if is_map else ""
            yield (
                f'<div class="card"><h3>{title}</h3>'
                f'<div class="plane" data-kind="{kind}" {places}{more}></div></div>'
            )


def _is_grid(study: Study, parameters: Sequence[str]) -> bool:
    """Whether the values of two parameters make one."""
    x, y = (len(np.unique(study[name])) for name in parameters)
    return x * y == len(study) and min(x, y) > 1


def _left_out(study: Study, shown: Shown) -> str:
    """Say what has no axis, and which cases have no line."""
    told = []
    if shown.empty:
        told.append(f"Without a finite number: {_named(shown.empty)}.")
    if shown.same:
        told.append(f"The same in all cases: {_named(shown.same)}.")
    names = (*shown.parameters, *shown.responses)
    whole = np.all([np.isfinite(study[name]) for name in names], axis=0)
    if missing := int((~study.failed & ~whole).sum()):
        told.append(f"{missing} cases lack a finite number somewhere: no line is theirs.")
    return "".join(f"<p>{html.escape(text)}</p>" for text in told) + _others(shown)


def _others(shown: Shown) -> str:
    """Say which parameters have no axis, and how to see them."""
    if not shown.others:
        return ""
    n = len(shown.parameters)
    why = "" if shown.is_asked else ", those that go most with the responses (rank correlation)"
    said = f"{n} of {n + len(shown.others)} parameters have axes{why}"
    rest = html.escape(", ".join(shown.others))
    return (
        f"<details><summary>{said}</summary><p>All are in the lists; <code>--show NAME</code> "
        f"gives others axes. Without: {rest}.</p></details>"
    )


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _failures(study: Study) -> str:
    """Return why cases failed: like reasons together, and the first cases with their values."""
    failed = np.flatnonzero(study.failed).tolist()
    if not failed:
        return ""
    groups: dict[str, list[int]] = {}
    for k in failed:
        groups.setdefault(_NUMBER.sub("#", study.messages[k]), []).append(k)
    most_first = sorted(groups.values(), key=lambda cases: -len(cases))
    reasons = [
        [str(len(cases)), html.escape(study.messages[cases[0]]), str(cases[0])]
        for cases in most_first[:LISTED]
    ]
    names = study.head.parameters[:PARAMETERS]
    rows = (
        [str(k), *(f"{study[name][k]:.6g}" for name in names), html.escape(study.messages[k])]
        for k in failed[:LISTED]
    )
    why = table_html(("cases", "why", "such as case"), reasons, "why cases failed", kind="words")
    head = ("case", *map(html.escape, names), "why")
    cases = table_html(head, rows, "cases that failed", kind="words")
    more = _more(len(groups), "reasons") + _more(len(failed), "cases")
    listed = f"<details><summary>case by case</summary>{cases}{more}</details>"
    if len(failed) == len(study):
        said = f"All {len(failed)} cases failed: there is nothing to draw."
        return f'<p class="fail">{said}</p>{why}{listed}'
    summary = f"<summary>{len(failed)} cases failed and are not drawn</summary>"
    return f"<details>{summary}{why}{listed}</details>"


def _more(number: int, what: str) -> str:
    return f"<p>and {number - LISTED} more {what}</p>" if number > LISTED else ""
