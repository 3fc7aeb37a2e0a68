"""A mechanism in 3-D, to be looked at in a notebook, in a browser, or kept as a file."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError, nearest
from mbd_fmu.options import CAMERAS
from mbd_fmu.viewer.film import write_film, write_picture
from mbd_fmu.viewer.motion import Motion
from mbd_fmu.viewer.page import mechanism_html, page_html, write_motion

# In a notebook: as wide as it leaves room for, without headings.
HEIGHT = 600
_INSIDE = "<style>h1, p.lead { display: none }</style>"


@dataclass(frozen=True, eq=False)
class View:
    """Shapes, and how they move; a notebook shows it as it is."""

    scene: Mapping[str, Any]
    motion: Motion

    def save(self, path: str | Path, *, camera: str = "") -> Path:
        """Write a page (.html), a picture of the first instant (.png) or a film (.gif, .mp4).

        ``camera`` is front, side, top, iso, back, left or bottom.
        """
        if camera and camera not in CAMERAS:
            raise DataError(f"no camera {camera!r}; {nearest(camera, CAMERAS)}")
        path = Path(path)
        ending = path.suffix.lower()
        if ending == ".html":
            write_motion(path, self.scene, self.motion, camera=camera)
        elif ending == ".png":
            at = float(self.motion.time[0])
            write_picture(path, self.scene, self.motion, at=at, camera=camera)
        elif ending in (".gif", ".mp4"):
            write_film(path, self.scene, self.motion, camera=camera)
        else:
            raise DataError(f"{path}: a view is saved as .html, .png, .gif or .mp4")
        return path

    def __repr__(self) -> str:
        n = len(self.motion.time)
        return f"3-D view of {self.scene['model']}, {n} instants; .save(path) writes a page"

    def _repr_html_(self) -> str:
        body = mechanism_html(self.scene, self.motion, plays=len(self.motion.time) > 1)
        title, lead = self.scene["model"], self.scene["description"]
        page = page_html(title, lead, body, head=_INSIDE, whole=True)
        return (
            f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{HEIGHT}" '
            'style="border: 0"></iframe>'
        )
