"""A tetrahedron in every format of meshes, written by hand from what the formats say."""

import base64
import json
import struct

import numpy as np

# Corners at the origin and along the axes: each coordinate tells its axis.
TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


def text_stl(corners):
    lines = ["solid one"]
    for face in FACES:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += ["  vertex {:g} {:g} {:g}".format(*corners[k]) for k in face]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid one"]).encode()


def binary_stl(corners, head=b""):
    facets = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(x for k in face for x in corners[k]), 0) for face in FACES
    )
    return head.ljust(80) + struct.pack("<I", len(FACES)) + facets


def obj(corners, *, head="", back=False):
    """Faces count from 1, or back from the last corner."""
    lines = [head, *("v {} {} {}".format(*place) for place in corners)]
    n = len(corners)
    lines += ["f " + " ".join(f"{k - n if back else k + 1}//1" for k in f) for f in FACES]
    return "\n".join(lines).encode()


def dae(corners, *, unit=1.0, up="Z_UP", color="", place="", head=""):
    """One triangle set, perhaps with a material and within a node that is placed."""
    effect = (
        f'<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert><diffuse>'
        f"<color>{color}</color></diffuse></lambert></technique></profile_COMMON></effect>"
        f'</library_effects><library_materials><material id="m"><instance_effect url="#e"/>'
        f"</material></library_materials>"
    )
    bind = (
        "<bind_material><technique_common>"
        '<instance_material symbol="s" target="#m"/></technique_common></bind_material>'
    )
    numbers = " ".join(f"{x:g}" for x in np.ravel(corners))
    return f"""<?xml version="1.0"?>{head}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01</created><modified>2020-01-01</modified>
<unit name="u" meter="{unit}"/><up_axis>{up}</up_axis></asset>
{effect if color else ""}<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="{np.size(corners)}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(corners)}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(FACES)}"{' material="s"' if color else ""}>
<input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(str(k) for face in FACES for k in face)}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="z"><node id="n">{place}
<instance_geometry url="#g">{bind if color else ""}</instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#z"/></scene></COLLADA>""".encode()


def gltf_parts(corners, color=None, node=None):
    """The tree of a glTF, and its data."""
    data = np.array(FACES, "<u2").tobytes() + np.array(corners, "<f4").tobytes()
    cut = 2 * np.size(FACES)
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0} | (node or {})],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5123, "count": np.size(FACES), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(corners), "type": "VEC3"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": cut},
            {"buffer": 0, "byteOffset": cut, "byteLength": len(data) - cut},
        ],
        "buffers": [{"byteLength": len(data)}],
    }
    if color is not None:
        tree["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [*color, 1.0]}}]
        tree["meshes"][0]["primitives"][0]["material"] = 0
    return tree, data


def gltf(corners, *, uri="", **more):
    """With its data inside, or in a file beside it."""
    tree, data = gltf_parts(corners, **more)
    inside = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    tree["buffers"][0]["uri"] = uri or inside
    return json.dumps(tree).encode()


def glb(corners, **more):
    tree, data = gltf_parts(corners, **more)
    text = json.dumps(tree).encode()
    text, data = text.ljust(-(-len(text) // 4) * 4), data.ljust(-(-len(data) // 4) * 4, b"\0")
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
