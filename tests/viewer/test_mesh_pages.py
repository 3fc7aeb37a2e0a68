"""Meshes as a page draws them: places, mirrors, colours, shading."""

import numpy as np
import pytest

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import mechanism_html, page_html, write_page
from tests.formats.mesh_files import FACES, TETRAHEDRON, binary_stl, dae, glb, obj

pytestmark = pytest.mark.xdist_group("browser")  # one page serves many tests

T = TETRAHEDRON
VISUALS = {
    "plain": {"file": "part.stl", "scale": 0.5, "center": [1, 0, 0]},
    "mirrored": {"file": "part.obj", "scale": [1, -2, 0.5]},
    "own": {"file": "part.dae"},
    "painted": {"file": "part.dae", "color": "#00ff00"},
    "turned": {"file": "part.glb", "scale": [-1, 1, 1], "rpy": [0, 0, np.pi / 2]},
}
# Where the corners of each body are in the world, how they are shaded, and in which colour.
DRAWN = """(host) => Object.fromEntries(
  Object.entries(host.player.mechanism.carriers).map(([name, carrier]) => {
    const found = [];
    carrier.updateWorldMatrix(true, true);
    carrier.traverse((part) => {
      if (!part.isMesh || part.material.side !== 2) return;
      const place = part.position.clone();
      for (const kind of ["position", "normal"]) {
        const table = part.geometry.attributes[kind];
        found.push(Array.from({ length: table.count }, (_, k) => {
          place.fromBufferAttribute(table, k);
          return (kind === "normal" ? place : place.applyMatrix4(part.matrixWorld)).toArray();
        }));
      }
      found.push("#" + part.material.color.getHexString());
    });
    return [name, found];
  }))"""


@pytest.fixture(scope="module")
def drawn(opened, still, tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    files = {"part.stl": binary_stl(T), "part.obj": obj(T), "part.glb": glb(T)}
    for name, data in (files | {"part.dae": dae(T, color="0 0 1 1")}).items():
        (folder / name).write_bytes(data)
    flyers = Mechanism("flyers")
    for name, visual in VISUALS.items():
        look = {"shape": "mesh"} | visual | {"file": str(folder / visual["file"])}
        inertia = {"shape": "sphere", "radius": 1}
        flyers.body(name, mass=1, com=[0, 0, 0], inertia=inertia, visual=[look])
    scene, result = still(flyers.spec())
    page = folder / "page.html"
    write_page(page, page_html("flyers", "", mechanism_html(scene, motion_of(scene, result))))
    shown = opened(page)
    shown.wait_for_function("document.querySelector('.mechanism').player !== undefined")
    return shown.locator(".mechanism").evaluate(DRAWN)


@pytest.mark.parametrize(
    ("name", "corners", "color"),
    [
        ("plain", 0.5 * T + [1, 0, 0], None),
        ("mirrored", T * [1, -2, 0.5], None),
        ("own", T, "#0000ff"),
        ("painted", T, "#00ff00"),
        # mirrored along its own x first, then x to y and y to -x
        ("turned", [[0, 0, 0], [0, -1, 0], [-2, 0, 0], [0, 0, 3]], None),
    ],
)
def test_corners_and_colours_are_those_of_the_model(name, corners, color, drawn):
    places, _, shown = drawn[name]
    expected = np.asarray(corners, float)[np.ravel(FACES)].reshape(-1, 9)
    found = np.array(places).reshape(-1, 9)
    near = np.abs(_sorted(found) - _sorted(expected))
    assert near.max() < 1e-6  # single precision
    if color:
        assert shown == color


def test_edges_are_sharp_and_the_outside_is_bright(drawn):
    """Faces of a tetrahedron meet at more than 30 degrees: each has its own normal."""
    places, normals, _ = drawn["own"]
    for k in range(0, 12, 3):
        a, b, c = np.array(places[k : k + 3])
        across = np.cross(b - a, c - a)
        for normal in normals[k : k + 3]:
            assert np.allclose(normal, across / np.linalg.norm(across), atol=1e-6)
        assert across @ (a - T.mean(axis=0)) > 0


def _sorted(rows):
    """Rows of nine numbers: triangles by their corners, whichever comes first."""
    triangles = [sorted(map(tuple, np.round(row.reshape(3, 3), 5) + 0.0)) for row in rows]
    return np.array(sorted(triangles))
