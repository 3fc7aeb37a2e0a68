"""The scene an FMU carries inside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from mbd_fmu.drawing.scene import FORMAT, SCENE_FILE, Scene
from mbd_fmu.errors import FmuError
from mbd_fmu.host.foreign_archive import FmuArchive


def carried_scene(path: Path) -> dict[str, Any] | None:
    """Return the scene of one of our FMUs, or nothing of a foreign one."""
    with FmuArchive(path) as archive:
        if SCENE_FILE not in archive:
            return None
        data = archive.read(SCENE_FILE)
    try:
        scene: Any = json.loads(data)
    except (ValueError, RecursionError) as error:  # the second: of brackets in brackets
        raise FmuError(f"{path}: its scene cannot be read: {error}; build it anew") from None
    found = scene.get("format") if isinstance(scene, dict) else None
    if found != FORMAT:
        raise FmuError(f"{path}: its scene has format {found!r}, known is {FORMAT}; build it anew")
    problems = list(islice(_misfits("the scene", scene, Scene), 3))
    if not problems and not scene["bodies"]:
        problems = ["the scene has no bodies"]
    if problems:
        raise FmuError(f"{path}: {', '.join(problems)}; build it anew")
    return dict(scene)


# JSON's words for what our classes hold; one that is true or false is neither number nor text.
_WORDS = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    list: "a list",
}


def _misfits(where: str, value: Any, kind: Any) -> Iterator[str]:
    """Say where a value has not the shape of our class, and what would be right."""
    if is_dataclass(kind):
        if not isinstance(value, dict):
            yield f"{where} is no table"
            return
        hints = get_type_hints(kind)
        for field in fields(kind):
            inner = f"{where}, {field.name}"
            if field.name in value:
                yield from _misfits(inner, value[field.name], hints[field.name])
            else:
                yield f"{inner}: is missing"
    elif get_origin(kind) is list:
        if not isinstance(value, list):
            yield f"{where}: is not {_WORDS[list]}"
            return
        for k, entry in enumerate(value, start=1):
            yield from _misfits(f"{where}, {k}", entry, get_args(kind)[0])
    elif not _fits(value, kind):
        yield f"{where}: is not {_WORDS[kind]}"


def _fits(value: Any, kind: Any) -> bool:
    if kind is bool:
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        return False
    return kind is not float or -1e300 < value < 1e300  # also no "not a number"
