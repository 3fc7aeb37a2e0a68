"""MuJoCo's own reader and compiler of MJCF; nothing else of this package knows it.

What stands in a file and what a mechanism is are far apart: defaults, frames, includes, inertias of
shapes, units. MuJoCo's compiler settles all of that, and we take the arrays it leaves.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.spatial import Array

INSTALL = 'reading MJCF takes the package mujoco: pip install "mbd-fmu[mjcf]"'
OLDEST = 4  # version: its arrays are read
_LISTS = {  # of a specification, by the word of mjtObj
    "body": "bodies",
    "joint": "joints",
    "geom": "geoms",
    "mesh": "meshes",
    "tendon": "tendons",
    "equality": "equalities",
    "actuator": "actuators",
}
_LINE = re.compile(r"line (\d+)")
_WHERE = re.compile(r"[,;]? *\(?line \d+\)?")


@dataclass(frozen=True)
class Compiled:
    """A model as MuJoCo understands it: its arrays, called as in mjmodel.h."""

    model: Any
    elements: Mapping[tuple[str, int], Any]  # as the file says them, by kind and number
    places: tuple[Array, Array]  # of bodies in the world at qpos0: origins, quaternions
    warnings: tuple[str, ...]  # of MuJoCo
    engine: Any

    def count(self, kind: str) -> int:
        """Return how many there are of a kind."""
        numbers = {"body": "nbody", "joint": "njnt", "equality": "neq"}
        return int(getattr(self.model, numbers.get(kind, f"n{kind}")))

    def name(self, kind: str, k: int) -> str:
        """Return the name of an element; empty where it has none."""
        objects = self.engine.mjtObj
        found = self.engine.mj_id2name(self.model, getattr(objects, f"mjOBJ_{kind.upper()}"), k)
        return found or ""

    def line(self, kind: str, k: int) -> int:
        """Return the line of an element in whichever file it stands; 0 where it is not known."""
        found = _LINE.search(self.elements[kind, k].info) if (kind, k) in self.elements else None
        return int(found[1]) if found else 0

    def word(self, enum: str, value: int) -> str:
        """Return what a number of an enumeration is called: 3 of mjtJoint is "hinge"."""
        return str(getattr(self.engine, enum)(int(value)).name).partition("_")[2].lower()

    def flags(self, enum: str, bits: int) -> set[str]:
        """Return the flags that are set, likewise."""
        members: dict[str, Any] = getattr(self.engine, enum).__members__
        named = {k: int(v) for k, v in members.items() if not k.startswith("mjN")}
        return {name.partition("_")[2].lower() for name, bit in named.items() if bits & bit}


def compiled_of(path: Path) -> Compiled:
    """Read and compile a file; what MuJoCo refuses becomes an error of ours."""
    engine = _engine(path)
    heard: list[str] = []
    with _listening(engine, heard):
        try:
            spec = engine.MjSpec.from_file(str(path))
            for room in ("memory", "nstack", "njmax", "nconmax"):
                setattr(spec, room, -1)  # of a simulation there, which is none of ours
            # nobody looks at them
            spec.compiler.passthrough = engine.mjtPassthrough.mjPASSTHROUGH_TEXTURES
            model = spec.compile()
        except (ValueError, engine.FatalError) as error:
            raise _refused(path, str(error)) from None
        data = engine.MjData(model)
        engine.mj_kinematics(model, data)
    elements = {(kind, e.id): e for kind, many in _LISTS.items() for e in getattr(spec, many)}
    places = data.xpos.copy(), data.xquat.copy()
    return Compiled(model, elements, places, tuple(dict.fromkeys(heard)), engine)


@contextmanager
def _listening(engine: Any, heard: list[str]) -> Iterator[None]:
    """Hear the warnings, which otherwise go to the terminal and to a file MUJOCO_LOG.TXT."""
    before = engine.get_mju_user_warning()
    engine.set_mju_user_warning(heard.append)
    try:
        with warnings.catch_warnings(record=True) as more:
            warnings.simplefilter("always")
            yield
        heard += [" ".join(str(warning.message).split()) for warning in more]
    finally:
        engine.set_mju_user_warning(before)


def _engine(path: Path) -> Any:
    """Return MuJoCo, imported where somebody has a file for it."""
    try:
        import mujoco  # noqa: PLC0415  takes long, and is not always installed
    except ImportError:
        raise MbdFmuError(f"{path}: {INSTALL}") from None
    if int(mujoco.__version__.partition(".")[0]) < OLDEST:
        raise MbdFmuError(f"{path}: mujoco {mujoco.__version__} is too old; {INSTALL}")
    return mujoco


def _refused(path: Path, message: str) -> MbdFmuError:
    """Say where and what, as MuJoCo does in two lines."""
    found = _LINE.search(message)
    place = f"{path}:{found[1]}" if found else str(path)
    text = "; ".join(_sentences(_WHERE.sub("", message).splitlines()))
    return MbdFmuError(f"{place}: MuJoCo refuses the file: {text}")


def _sentences(lines: Sequence[str]) -> list[str]:
    """Leave out what says nothing: that it is an error, and of what has no name."""
    plain = [line.strip().removeprefix("XML ").removeprefix("Error: ").strip() for line in lines]
    return [line for line in plain if line and not line.startswith("Element name ''")]
