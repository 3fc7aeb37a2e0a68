"""Both line drawings: no label hides another, nothing lies outside, whatever the mechanism."""

import re
from itertools import combinations

import numpy as np
import pytest
from lxml import etree

from mbd_fmu.drawing import graph, sketch
from mbd_fmu.drawing.bars import bars_of
from mbd_fmu.drawing.graph import graph_svg
from mbd_fmu.drawing.labels import Box, Label, placed, places_around, text_box
from mbd_fmu.drawing.sketch import sketch_svg
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.library import library
from mbd_fmu.system.system import system_of
from mbd_fmu.topology.structure import structure_of

SIZES = {"small": graph.SMALL, "name": graph.NAME}


def texts(svg):
    """Every text of a picture with the room it takes, and the room there is."""
    root = etree.fromstring(svg.encode())
    found = []
    for element in root.findall(".//{*}text"):
        x, y = float(element.get("x")), float(element.get("y"))
        size = float(element.get("font-size") or SIZES[element.get("class").split()[0]])
        found.append((element.text, text_box(element.text, size, (x, y - 0.35 * size))))
    left, top, width, height = map(float, root.get("viewBox").split())
    return root, found, Box(left, top, left + width, top + height)


def assert_readable(svg):
    root, found, frame = texts(svg)
    for (one, box), (other, box2) in combinations(found, 2):
        assert not box.overlaps(box2), f"{one} and {other}"
    for text, box in found:
        assert frame.holds(box), text
    for line in root.findall(".//{*}line"):  # those of springs, too
        x1, y1, x2, y2 = (float(line.get(key)) for key in ("x1", "y1", "x2", "y2"))
        assert frame.holds(Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return root, found


@pytest.mark.parametrize("name", sorted(library()))
def test_labels_of_a_graph_stand_apart_and_off_the_boxes(name):
    structure = structure_of(read_model(library()[name]))
    root, found = assert_readable(graph_svg(structure))
    labels = [box for text, box in found if ", " in text]
    assert len(labels) >= len(structure.joints)
    for rectangle in root.findall(".//{*}rect[@rx]"):
        x, y, width, height = (float(rectangle.get(key)) for key in ("x", "y", "width", "height"))
        assert not any(box.overlaps(Box(x, y, x + width, y + height)) for box in labels)


@pytest.mark.parametrize("name", sorted(library()))
def test_labels_of_a_line_drawing_stand_apart(name):
    spec = read_model(library()[name])
    _, found = assert_readable(sketch_svg(system_of(spec)))
    shown = {text for text, _ in found}
    assert shown >= {body.name for body in spec.bodies}
    assert shown >= {joint.name for joint in spec.joints if joint.type != "free"}


def crowd(n):
    """Bodies on one pin, all mass centres at one place, with long names."""
    it = Mechanism("crowd")
    for k in range(n):
        it.body(f"a_body_with_a_long_name_{k}", mass=1, com=[1, 0, 0], inertia={"shape": "point"})
        ends = "ground", f"a_body_with_a_long_name_{k}"
        it.joint(f"and_its_pin_{k}", "revolute", *ends, point=[0, 0, 0], axis=[0, 0, 1])
    return it.spec()


def test_even_a_crowd_is_readable():
    spec = crowd(8)
    assert_readable(graph_svg(structure_of(spec)))
    assert_readable(sketch_svg(system_of(spec)))


def test_couplings_between_the_same_bodies_do_not_hide_one_another():
    it = Mechanism("pair")
    it.body("a", mass=1, com=[1, 0, 0], inertia={"shape": "sphere", "radius": 0.1})
    it.joint("pin", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 0, 1])
    for k in range(3):
        keys = {"point": [0, 1, 0], "point2": [1, 0, 0], "stiffness": 1, "length": 1}
        it.spring(f"spring{k}", "ground", "a", **keys)
    root, _ = assert_readable(graph_svg(structure_of(it.spec())))
    paths = [path.get("d") for path in root.findall(".//{*}path")]
    assert len(set(paths)) == len(paths) == 4


def test_a_constraint_is_seen_in_the_graph():
    svg = graph_svg(structure_of(read_model(library()["andrews_squeezer"])))
    assert len(re.findall('<path class="constraint"', svg)) == 3
    assert "E3, point_on_line" in svg


def test_a_label_takes_the_first_place_that_is_free():
    wall = Box(0, 0, 100, 100)
    label = Label("name", 10, [(50, 50), (50, 95), (200, 50), (300, 50)])
    frame = Box(-1000, -1000, 1000, 1000)
    assert placed([label], [wall], [], frame) == [(200, 50)]
    assert placed([label], [], [], frame) == [(50, 50)]
    assert placed([label], [], [], Box(250, 0, 350, 100)) == [(300, 50)]
    assert placed([label, label], [], [], frame) == [(50, 50), (50, 95)]


def test_a_line_is_avoided_where_that_costs_little():
    label = Label("name", 10, [(50, 50), (50, 80)])
    frame = Box(0, 0, 100, 100)
    line = ((0.0, 50.0), (100.0, 50.0))
    assert placed([label], [], [line], frame) == [(50, 80)]
    own = Label("name", 10, label.places, own=frozenset([line]))
    assert placed([own], [], [line], frame) == [(50, 50)]


def test_places_around_a_symbol_keep_off_it():
    symbol = Box(-6, -6, 6, 6)
    for place in places_around((0.0, 0.0), "a_name", 11, 9.0):
        assert not text_box("a_name", 11, place).overlaps(symbol)


def test_the_line_drawing_shows_a_pole_in_its_whole_length():
    """Hinged at its end: twice as far as its mass centre."""
    it = Mechanism("pole").body(
        "pole", mass=1, com=[0, 0, 1], inertia={"shape": "rod", "length": 2}
    )
    it.joint("hinge", "revolute", "ground", "pole", point=[0, 0, 0], axis=[0, 1, 0])
    svg = sketch_svg(system_of(it.spec()))
    (bar,) = etree.fromstring(svg.encode()).findall(".//{*}line[@class='bar']")
    (dot,) = etree.fromstring(svg.encode()).findall(".//{*}circle[@r='4']")
    y1, y2, middle = float(bar.get("y1")), float(bar.get("y2")), float(dot.get("cy"))
    assert abs(y2 - y1) == pytest.approx(sketch.HEIGHT - 2 * sketch.MARGIN, abs=0.2)
    assert (y1 + y2) / 2 == pytest.approx(middle, abs=0.2)


@pytest.mark.parametrize(
    ("inertia", "edges"),
    [
        ({"shape": "box", "size": [0.3, 0.2, 0.2]}, 12),
        ({"shape": "cylinder", "radius": 0.3, "length": 0.1}, 2 * 16 + 4),
        ({"shape": "sphere", "radius": 0.3}, 3 * 16),
        ({"shape": "rod", "length": 0.3}, 0),
    ],
)
def test_a_body_that_is_not_long_is_drawn_by_its_edges(inertia, edges):
    """They reach as far as the solid does."""
    spec = Mechanism("it").body("it", mass=1, com=[0, 0, 0], inertia=inertia).spec()
    bars = bars_of(spec, spec.bodies[0])
    assert len(bars.edges) == edges
    assert len(bars.thick) == (edges == 0)
    far = max(np.abs(end).max() for bar in bars.edges + bars.thick for end in bar)
    assert far == pytest.approx(0.3 if "radius" in inertia else 0.15)


def test_springs_and_mass_centres_hang_on_the_bars():
    """A bar between two pins; the mass centre and a spring beside it, each tied to the bar."""
    it = Mechanism("it").body("it", mass=1, com=[0.5, 0, 0.3], inertia={"shape": "point"})
    for name, x in (("a", 0), ("b", 1)):
        it.joint(name, "revolute", "ground", "it", point=[x, 0, 0], axis=[0, 1, 0])
    it.spring("s", "ground", "it", point=[0, 0, 5], point2=[0.2, 0, 1], stiffness=1, length=1)
    spec = it.spec()
    bars = bars_of(spec, spec.bodies[0])
    assert np.array(bars.thick).tolist() == [[[0, 0, 0], [1, 0, 0]]]
    centre, spring = np.array(bars.thin)
    assert np.allclose(centre, [[0.5, 0, 0], [0.5, 0, 0.3]])
    assert np.allclose(spring[1], [0.2, 0, 1])
