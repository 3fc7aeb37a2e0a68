"""Lists for a terminal: every name is there, under the element it belongs to, in short lines."""

import re

import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.summaries.listing import LINE, listed, number_rows, wrapped
from mbd_fmu.summaries.mechanism import drawn
from mbd_fmu.system.system import system_of


def whole(lines):
    """Names out of the lines of a grouped list: ``foot  r.x .y`` is foot.r.x and foot.r.y."""
    names, element = [], ""
    for line in lines:
        owner, text = re.fullmatch(r"  (\S*) +(.*?),?", line).groups()
        element = owner or element
        for item in text.split(", "):
            first, *further = item.split(" ")
            stem = re.sub(r"(\.\w|\[\d+\])$", "", first)
            names += [f"{element}.{part}" for part in (first, *(stem + end for end in further))]
    return [name.removeprefix("model.") for name in names]


@pytest.mark.parametrize("name", ["huston_tree", "stewart_platform", "six_axis_arm"])
def test_parameters_stand_by_the_element_they_belong_to(name):
    spec = read_model(library()[name])
    lines = drawn(spec).splitlines()
    first = lines.index("parameters") + 1
    last = next(k for k, line in enumerate(lines) if line.startswith("inputs"))
    grouped = whole(lines[first:last])
    names = [v.name for v in system_of(spec).table.parameters]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) == set(names)


@pytest.mark.parametrize("name", sorted(library()))
def test_no_line_is_longer_than_a_terminal(name):
    """But the first, which holds the description, and warnings, which are sentences."""
    lines = drawn(read_model(library()[name])).splitlines()[1:]
    assert max(len(line) for line in lines if not line.startswith("warning: ")) <= LINE


def test_reactions_that_are_not_unique_stand_by_joint():
    lines = drawn(read_model(library()["four_bar"])).splitlines()
    first = lines.index("reactions that are not unique") + 1
    pins = [f"{side}_{kind}" for side in ("left", "right") for kind in ("pivot", "pin")]
    assert [line.split() for line in lines[first : first + 4]] == [
        [pin, "torque.x", ".z,", "force.y"] for pin in pins
    ]


def test_what_fits_a_line_is_one():
    assert listed("inputs  ", ["a.tau", "b.tau"], owner=lambda name: name[0]) == [
        "inputs  a.tau, b.tau"
    ]
    assert listed("inputs  ", [], owner=str) == ["inputs  none"]


def test_what_the_model_declares_keeps_its_name():
    """Though it may look like that of an element; flat names of elements are known, too."""
    it = Mechanism("it").parameter("pin_mass", 1.0).parameter("model_mass", 1.0).fmu(naming="flat")
    for k in range(4):
        it.body(f"link{k}", mass="pin_mass", com=[0, 0, k], inertia={"shape": "rod", "length": 1})
        ends = "ground" if k == 0 else f"link{k - 1}", f"link{k}"
        it.joint(f"pin{k or ''}", "spherical", *ends, point=[0, 0, k])
    lines = drawn(it.spec()).splitlines()
    first = lines.index("parameters")
    assert lines[first + 1] == "  model   pin_mass, model_mass"
    assert lines[first + 2].startswith("  pin     q_start_w, q_start_x, ")


def test_lists_break_between_items_only():
    text = ", ".join(f"pin{k}.qd {k} rad/s" for k in range(20))
    lines = wrapped(text)
    assert len(lines) > 1
    assert all(re.search(r"rad/s,?$", line) for line in lines)
    assert " ".join(line.strip() for line in lines) == text


def test_rows_of_numbers_too_long_for_a_line_come_in_blocks():
    rows = {"K": range(1, 61), "u": range(60)}
    lines = number_rows(rows)
    assert max(map(len, lines)) <= LINE
    for name, row in rows.items():
        parts = [line.split()[1:] for line in lines if line.split()[0] == name]
        assert [int(n) for part in parts for n in part] == list(row)
