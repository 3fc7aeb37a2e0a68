"""The scene an FMU carries inside."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

from mbd_fmu.errors import FmuError
from mbd_fmu.export.scene import FORMAT, SCENE_FILE


def carried_scene(path: Path) -> dict[str, Any] | None:
    """Return the scene of one of our FMUs, or nothing of a foreign one."""
    try:
        with zipfile.ZipFile(path) as archive:
            if SCENE_FILE not in archive.namelist():
                return None
            scene: Any = json.loads(archive.read(SCENE_FILE))
    except (zipfile.BadZipFile, zlib.error, ValueError) as error:
        raise FmuError(f"{path}: its scene cannot be read: {error}; build it anew") from None
    found = scene.get("format") if isinstance(scene, dict) else None
    if found != FORMAT:
        raise FmuError(f"{path}: its scene has format {found}, known is {FORMAT}; build it anew")
    return dict(scene)
