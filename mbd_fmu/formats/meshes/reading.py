"""Which reader takes a mesh; what may be read; how much of it is drawn."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from mbd_fmu.errors import MbdFmuError, os_error_text, shortened
from mbd_fmu.formats.meshes.coarser import coarser
from mbd_fmu.formats.meshes.mesh import Mesh, MeshError, mesh_of
from mbd_fmu.formats.meshes.obj import read_obj
from mbd_fmu.formats.meshes.stl import read_stl
from mbd_fmu.formats.meshes.trimesh_door import NEEDS, read_parts
from mbd_fmu.host.reading import bounded_bytes

MOST_BYTES = 100_000_000
MOST_TRIANGLES = 50_000  # of a mesh that are drawn: some 0.8 MB of a page
KEPT = 100  # meshes that are remembered: a robot shows the same one several times


def read_mesh(path: Path) -> Mesh:
    """Return a mesh as it is drawn; raise ``MeshError`` with the reason if it cannot be."""
    path = path.resolve()
    try:
        facts = path.stat()
    except OSError as error:
        raise MeshError(error.strerror or "it cannot be read") from None
    return _read(path, facts.st_size, facts.st_mtime_ns)


@lru_cache(maxsize=KEPT)
def _read(path: Path, size: int, changed: int) -> Mesh:
    del size, changed  # what tells a file from the one that was read before
    data = _bytes(path)
    suffix = path.suffix.lower()

    def beside(name: str) -> bytes:
        return _bytes(_inside(path.parent, unquote(name)))

    if suffix == ".stl":
        parts = read_stl(data)
    elif suffix == ".obj":
        parts = read_obj(data, beside)
    elif suffix in NEEDS:
        parts = read_parts(data, suffix, beside)
    else:
        raise MeshError(f"{suffix or 'it'} is no format of ours; give STL, OBJ, DAE, glTF or GLB")
    return coarser(mesh_of(parts), MOST_TRIANGLES)


def _bytes(path: Path) -> bytes:
    try:
        return bounded_bytes(path, MOST_BYTES)
    except OSError as error:
        raise MeshError(os_error_text(error)) from None
    except MbdFmuError as error:
        raise MeshError(str(error).removeprefix(f"{path}: ")) from None


def _inside(folder: Path, name: str) -> Path:
    """Return a file that a mesh names; it lies beside the mesh or below."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise MeshError(f'it names "{shortened(name)}", which lies outside its folder')
    return path
