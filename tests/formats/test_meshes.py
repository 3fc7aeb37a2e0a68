"""Meshes of every format: where their corners are, and what is said of damaged ones."""

import numpy as np
import pytest

from mbd_fmu.cli import main
from mbd_fmu.drawing.scene import scene_of
from mbd_fmu.errors import SpecError
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.meshes import reading, trimesh_door
from mbd_fmu.formats.meshes.coarser import coarser
from mbd_fmu.formats.meshes.mesh import MeshError, Part, mesh_of
from mbd_fmu.formats.meshes.reading import read_mesh
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.model.builder import Mechanism
from tests.formats.arm import changed
from tests.formats.mesh_files import (
    FACES,
    TETRAHEDRON,
    binary_stl,
    dae,
    glb,
    gltf,
    gltf_parts,
    obj,
    text_stl,
)

T = TETRAHEDRON
CYLINDER = '<cylinder radius="0.05" length="0.4"/>'
BALL = {"shape": "sphere", "radius": 1}


@pytest.fixture
def read(tmp_path):
    def reader(name, data):
        (tmp_path / name).write_bytes(data)
        return read_mesh(tmp_path / name)

    return reader


@pytest.fixture
def robot(tmp_path):
    """The arm with a mesh in place of its cylinder."""

    def made(mesh, text=None, **choices):
        path = tmp_path / "arm.urdf"
        path.write_text(changed(CYLINDER, mesh, *([text] if text else [])), encoding="utf-8")
        return open_model(path, Choices(**choices))

    return made


@pytest.fixture
def without_extra(monkeypatch):
    """As if neither trimesh nor pycollada were installed."""
    whole = trimesh_door.importlib.util.find_spec
    reading._read.cache_clear()
    monkeypatch.setattr(
        trimesh_door.importlib.util,
        "find_spec",
        lambda name: None if name in ("trimesh", "collada") else whole(name),
    )


def triangles(mesh):
    """All triangles as sets of corners, each beginning with its least: order is kept."""
    found = []
    for part in mesh.parts:
        for a, b, c in part.vertices[part.triangles].tolist():
            first = min(range(3), key=lambda k: [a, b, c][k])
            found.append([*[a, b, c][first:], *[a, b, c][:first]])
    return sorted(found)


def expected(corners):
    return triangles(mesh_of([Part(np.asarray(corners, float), np.array(FACES))]))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("part.stl", text_stl(T)),
        ("part.stl", b"\n" + text_stl(T).replace(b"\n", b"\r\n")),
        ("part.STL", binary_stl(T)),
        ("part.stl", binary_stl(T, b"solid as many binary files begin")),
        ("part.stl", binary_stl(T) + b"more"),
        ("part.obj", obj(T)),
        ("part.obj", obj(T, back=True).replace(b"\n", b"\r\n")),
        ("part.dae", dae(T)),
        ("part.gltf", gltf(T)),
        ("part.glb", glb(T)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_corners_are_where_the_file_says_and_the_outside_is_outside(name, data, read):
    mesh = read(name, data)
    assert triangles(mesh) == expected(T)
    assert (mesh.count, mesh.whole, mesh.size.tolist()) == (4, 4, [1.0, 2.0, 3.0])
    assert sum(len(part.vertices) for part in mesh.parts) == 4  # each corner once


def test_our_own_readers_agree_with_the_library(read):
    """The same triangles as trimesh finds: a second engine."""
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=2)
    for name in ("ball.stl", "ball.obj"):
        kind = name[-3:]
        data = ball.export(file_type=kind)
        mesh = read(name, data.encode() if isinstance(data, str) else data)
        theirs = trimesh.load_mesh(
            trimesh.util.wrap_as_stream(data), file_type=kind, process=False
        ).triangles
        ours = np.concatenate([p.vertices[p.triangles] for p in mesh.parts])
        # both are decimal or single-precision numbers of the same file: equal, not near
        assert sorted(ours.reshape(-1, 9).tolist()) == sorted(theirs.reshape(-1, 9).tolist())


def test_a_face_of_many_corners_is_a_fan(read):
    mesh = read("square.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    corners = [[[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 0, 0], [1, 1, 0], [0, 1, 0]]]
    assert triangles(mesh) == sorted(corners)


@pytest.mark.parametrize("up", ["X_UP", "Y_UP", "Z_UP"])
def test_the_unit_of_collada_counts_and_what_is_up_does_not(up, read):
    mesh = read("part.dae", dae(T, unit=0.25, up=up))
    assert triangles(mesh) == expected(0.25 * T)


@pytest.mark.parametrize(
    ("name", "data", "corners"),
    [
        # a right angle about z: x to y, y to -x; then moved along x
        (
            "part.dae",
            dae(T, place="<translate>5 0 0</translate><rotate>0 0 1 90</rotate>"),
            [[5, 0, 0], [5, 1, 0], [3, 0, 0], [5, 0, 3]],
        ),
        ("part.dae", dae(T, place="<scale>2 1 1</scale>"), T * [2, 1, 1]),
        (
            "part.glb",
            glb(T, node={"rotation": [0, 0, 0.5**0.5, 0.5**0.5], "translation": [5, 0, 0]}),
            [[5, 0, 0], [5, 1, 0], [3, 0, 0], [5, 0, 3]],
        ),
    ],
    ids=["turned and moved", "scaled", "turned and moved, glTF"],
)
def test_nodes_place_what_they_hold(name, data, corners, read):
    found = np.array(triangles(read(name, data)))
    rounded = np.round(found) + 0.0
    assert triangles_of(rounded) == expected(corners)
    assert np.abs(found - rounded).max() < 1e-6  # pycollada turns in single precision


def triangles_of(corners):
    return triangles(mesh_of([Part(corners.reshape(-1, 3), np.arange(12).reshape(-1, 3))]))


def test_a_mirrored_node_keeps_its_outside(read):
    mesh = read("part.glb", glb(T, node={"scale": [-1, 1, 1]}))
    turned = [[a, c, b] for a, b, c in FACES]
    mirrored = Part(T * [-1, 1, 1], np.array(turned))
    assert triangles(mesh) == triangles(mesh_of([mirrored]))


@pytest.mark.parametrize(
    ("name", "data", "color"),
    [
        ("part.stl", binary_stl(T), ""),
        ("part.dae", dae(T), ""),
        ("part.dae", dae(T, color="1 0.5 0 1"), "#ff8000"),
        # linear light 0.5 is 1.055 * 0.5**(1/2.4) - 0.055 = 0.7354 on a screen, 188 of 255
        ("part.gltf", gltf(T, color=[1, 0.5, 0]), "#ffbc00"),
        ("part.glb", glb(T, color=[0, 0, 1]), "#0000ff"),
        ("part.glb", glb(T), ""),
    ],
    ids=["STL", "DAE without", "DAE", "glTF", "GLB", "GLB without"],
)
def test_the_colour_of_a_file_is_read(name, data, color, read):
    assert [part.color for part in read(name, data).parts] == [color]


def test_materials_of_obj_lie_beside_it(read, tmp_path):
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n")
    lines = obj(T, head="mtllib a.mtl").decode().splitlines()
    lines.insert(5, "usemtl red")
    lines.insert(7, "usemtl green")
    mesh = read("part.obj", "\n".join(lines).encode())
    assert {part.color: len(part.triangles) for part in mesh.parts} == {"#ff0000": 1, "#00ff00": 3}
    assert triangles(mesh) == expected(T)
    (tmp_path / "a.mtl").unlink()
    assert [part.color for part in read("other.obj", "\n".join(lines).encode()).parts] == [""]


def test_data_of_gltf_may_lie_beside_it_and_nowhere_else(tmp_path):
    folder = tmp_path / "meshes"
    folder.mkdir()
    data = gltf_parts(T)[1]
    for place in (folder / "part one.bin", tmp_path / "secret.bin"):
        place.write_bytes(data)
    path = folder / "part.gltf"
    path.write_bytes(gltf(T, uri="part%20one.bin"))
    assert triangles(read_mesh(path)) == expected(T)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    outside = ("../secret.bin", str(tmp_path / "secret.bin"), "link.bin", "file:///etc/passwd")
    for uri in (*outside, "..%2fsecret.bin", "http://localhost/secret.bin", "part one.png"):
        path.write_bytes(gltf(T, uri=uri))
        with pytest.raises(MeshError, match=r"lies outside|is not read|No such file"):
            read_mesh(path)


WHOLE = {
    "part.stl": binary_stl(T),
    "text.stl": text_stl(T),
    "part.obj": obj(T),
    "part.dae": dae(T, color="1 0 0 1"),
    "part.gltf": gltf(T),
    "part.glb": glb(T, color=[1, 0, 0]),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_damaged_file_is_refused_in_one_sentence(name, read, capfd):
    """Cut anywhere, or with bytes changed: a mesh or a reason, and no other end."""
    data, rng = WHOLE[name], np.random.default_rng(1)
    cuts = [data[:n] for n in range(0, len(data), max(len(data) // 25, 1))]
    for _ in range(25):
        bytes_ = bytearray(data)
        for place in rng.integers(0, len(data), 3):
            bytes_[place] = rng.integers(0, 256)
        cuts.append(bytes(bytes_))
    refusals = []
    for k, cut in enumerate(cuts):
        try:
            read(f"{k}_{name}", cut)
        except MeshError as error:
            refusals.append(str(error))
    assert len(refusals) >= 10  # of the cuts alone
    assert not any("\n" in text for text in refusals)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("part.stl", binary_stl(T)[:-60], "it ends early: 2 of 4 triangles are there"),
        ("part.stl", text_stl(T)[:-60], "it ends early: there is no endsolid"),
        ("part.stl", b"", "it ends early: 0 of 0 triangles"),
        ("part.stl", binary_stl(T * np.nan), "a corner is at no finite place"),
        ("part.stl", binary_stl(0 * T), "it has no triangles"),
        ("part.obj", obj(T) + b"\nf 1 2 9", "a triangle has a corner that is not there"),
        ("part.obj", b"v 1 2\nf 1 1 1", "a corner is no three numbers"),
        ("part.dae", dae(T, unit=-1), "its unit is -1 m"),
        ("part.dae", dae(T, head='<!DOCTYPE a [<!ENTITY b "c">]>'), "it has a document type"),
        ("part.dae", dae(T).replace(b'url="#g"', b'url="#h"'), "it is damaged: "),
        ("part.gltf", gltf(T).replace(b'"count": 4', b'"count": 40000000'), "it promises 4e+07"),
        ("part.ply", b"ply", ".ply is no format of ours"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said(name, data, text, read):
    with pytest.raises(MeshError) as refused:
        read(name, data)
    assert str(refused.value).startswith(text)


def test_large_files_are_not_read(read, monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    with pytest.raises(MeshError, match=r"is larger than 0.0001 MB"):
        read("part.stl", binary_stl(T))


def test_a_coarser_mesh_stays_near_the_surface():
    """A sphere of 20,480 triangles: corners move by less than the diagonal of a cell."""
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=5)
    mesh = mesh_of([Part(ball.vertices, ball.faces)])
    assert coarser(mesh, mesh.count) is mesh
    found = coarser(mesh, 5000)
    assert 2000 < found.count <= 5000
    assert found.whole == mesh.whole == 20480
    (part,) = found.parts
    radii = np.linalg.norm(part.vertices, axis=1)
    # 5000 triangles on 4 pi m2 are cells of some 0.07 m; means of points of a sphere lie inside it
    assert radii.max() <= 1 + 1e-12
    assert radii.min() > 1 - 0.07**2


def test_dust_is_refused():
    """Triangles that are each smaller than a cell have no surface to keep."""
    corners = np.random.default_rng(2).random((50, 1, 3)) + 1e-9 * np.eye(3)
    with pytest.raises(MeshError, match="its 50 triangles do not hang together"):
        coarser(mesh_of([Part(corners.reshape(-1, 3), np.arange(150).reshape(-1, 3))]), 10)


def test_scale_and_mirror_of_a_robot_reach_the_scene(robot, tmp_path):
    (tmp_path / "part.dae").write_bytes(dae(T, color="0 0 1 1"))
    mesh = '<mesh filename="part.dae" scale="1 -2 0.5"/>'
    (solid,) = scene_of(robot(mesh).spec).bodies[0].solids
    assert (solid.kind, solid.scale, solid.mesh) == ("mesh", [1.0, -2.0, 0.5], 0)
    assert solid.color == "#808080"  # the robot's own material comes first
    plain = changed('<material name="grey"/>', "")
    scene = scene_of(robot(mesh, plain).spec)
    assert scene.bodies[0].solids[0].color == ""
    assert [part.color for part in scene.meshes[0].parts] == ["#0000ff"]


def test_a_file_that_is_seen_twice_is_carried_once(tmp_path, monkeypatch):
    (tmp_path / "part.stl").write_bytes(binary_stl(T))
    monkeypatch.chdir(tmp_path)
    flyer = Mechanism("flyer")
    for name in ("one", "two"):
        visual = [{"shape": "mesh", "file": "part.stl", "scale": [1, 1, -1]}]
        flyer.body(name, mass=1, com=[0, 0, 0], inertia=BALL, visual=visual)
    scene = scene_of(flyer.spec())
    assert [body.solids[0].mesh for body in scene.bodies] == [0, 0]
    assert len(scene.meshes) == 1


def test_a_mesh_that_cannot_be_read_is_a_grey_box_of_the_inertia(robot, tmp_path):
    """Of 2 kg and moments 0.02, 0.03, 0.04 kg m2: m (b2 + c2) / 12 and so on give the edges."""
    (tmp_path / "part.stl").write_bytes(b"solid")
    opened = robot('<mesh filename="part.stl"/>')
    (box,) = opened.spec.bodies[0].visual
    assert (box.shape, box.color, box.center) == ("box", "#9a9a9a", (0.0, 0.0, 0.2))
    # 6 (sum - 2 I) / m, sum = 0.09: 6 * 0.05 / 2, 6 * 0.03 / 2, 6 * 0.01 / 2
    assert np.allclose(box.size, np.sqrt([0.15, 0.09, 0.03]), rtol=1e-12, atol=0)
    (note,) = [e for e in opened.report.noted if "box" in e.text]
    assert note.text == "drawn as a box: it ends early: there is no endsolid"
    assert (note.what, note.line) == ('link "upper", mesh "part.stl"', 12)


def test_a_box_is_no_larger_than_the_shapes_of_the_link(robot):
    collision = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>'
    text = changed("</link>", collision)
    (box,) = robot('<mesh filename="none.stl"/>', text).spec.bodies[0].visual
    assert max(box.size) == 0.1


def test_a_link_without_mass_has_a_box_of_its_shapes_or_a_small_one(robot):
    visual = '<visual><geometry><mesh filename="none.stl"/></geometry></visual>'
    for more, size in (("", 0.05), ('<collision><geometry><sphere radius="0.2"/>', 0.2)):
        ends = "</geometry></collision>" if more else ""
        link = f'<link name="tool">{visual}{visual}{more}{ends}</link>'
        opened = robot(CYLINDER, changed('<link name="tool"/>', link))
        (box,) = opened.spec.bodies[1].visual
        assert box.size == (size,) * 3
        assert len([e for e in opened.report.noted if "drawn as a box" in e.text]) == 2


def test_a_mesh_in_millimetres_is_told(robot, tmp_path):
    (tmp_path / "part.stl").write_bytes(binary_stl(100 * T))
    opened = robot('<mesh filename="part.stl"/>')
    (note,) = [e.text for e in opened.report.noted if "mesh is" in e.text]
    assert note == "the mesh is 300 m long; is it in millimetres? scale 0.001 would mend that"
    scaled = robot('<mesh filename="part.stl" scale="0.001 0.001 0.001"/>')
    assert not scaled.report.noted


def test_an_inertia_is_compared_with_the_size_of_the_mesh(robot, tmp_path):
    (tmp_path / "part.stl").write_bytes(binary_stl(T))
    heavy = changed('<mass value="2.0"/>', '<mass value="0.00001"/>')
    opened = robot('<mesh filename="part.stl"/>', heavy)
    (note,) = [e.text for e in opened.report.noted if "gyration" in e.text]
    # sqrt(0.04 / 1e-5) = 63.2 m against 3 m
    assert note.startswith("the radius of gyration is 63.2456 m and the link's shapes are 3 m long")


@pytest.mark.usefixtures("without_extra")
def test_without_the_extra_stl_and_obj_are_read_and_the_rest_says_what_to_install(
    robot, tmp_path, monkeypatch
):
    for name, data in WHOLE.items():
        (tmp_path / name).write_bytes(data)
    install = 'pip install "mbd-fmu[meshes]"'
    for name in ("part.stl", "part.obj"):
        opened = robot(f'<mesh filename="{name}"/>')
        assert [v.shape for v in opened.spec.bodies[0].visual] == ["mesh"]
    for name in ("part.dae", "part.gltf", "part.glb"):
        opened = robot(f'<mesh filename="{name}"/>')
        assert [v.shape for v in opened.spec.bodies[0].visual] == ["box"]
        (note,) = [e.text for e in opened.report.noted if "box" in e.text]
        assert note.endswith(f"takes a library that is not installed; {install}")
    monkeypatch.chdir(tmp_path)
    visual = [{"shape": "mesh", "file": "part.dae"}]
    flyer = Mechanism("flyer").body("it", mass=1, com=[0, 0, 0], inertia=BALL, visual=visual)
    with pytest.raises(SpecError) as refused:
        scene_of(flyer.spec())
    assert install in str(refused.value)


def test_show_lists_what_is_drawn_as_a_box(tmp_path, capsys):
    path = tmp_path / "arm.urdf"
    path.write_text(changed(CYLINDER, '<mesh filename="part.dae"/>'))
    assert main(["show", str(path)]) == 0
    text = capsys.readouterr().out
    assert 'line 12: link "upper", mesh "part.dae": drawn as a box: there is no such file' in text
