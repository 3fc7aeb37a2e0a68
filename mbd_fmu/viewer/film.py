"""Pictures and films as files: a headless Chromium draws them, ffmpeg joins them."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.programs import run_program
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.host.writing import write_whole
from mbd_fmu.options import PICTURE_SIZE
from mbd_fmu.viewer.bundle import page_script
from mbd_fmu.viewer.motion import Motion
from mbd_fmu.viewer.page import PLAYER, mechanism_html, page_html

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "msedge"),
)
PICTURES_PER_SECOND = 25
MOST_PICTURES = 500
SECONDS = 300  # a software renderer draws some five pictures a second

_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-device-scale-factor=1",
)


def write_picture(
    path: Path,
    scene: Mapping[str, Any],
    motion: Motion,
    *,
    at: float,
    size: tuple[int, int] = PICTURE_SIZE,
    shows: Sequence[str] = (),
    camera: str = "",
) -> None:
    """Write a PNG of one instant."""
    (picture,) = _pictures(scene, motion, [at], size, shows, camera)
    write_whole({path: picture})


def write_film(
    path: Path,
    scene: Mapping[str, Any],
    motion: Motion,
    *,
    size: tuple[int, int] = PICTURE_SIZE,
    shows: Sequence[str] = (),
    camera: str = "",
) -> None:
    """Write a GIF or an MP4 of the whole motion in its own time; beyond 20 s in less."""
    ffmpeg = _program(("ffmpeg",), f"a film ({path.name})")
    start, stop = float(motion.time[0]), float(motion.time[-1])
    n = int(np.clip(round((stop - start) * PICTURES_PER_SECOND), 2, MOST_PICTURES))
    pictures = _pictures(scene, motion, np.linspace(start, stop, n).tolist(), size, shows, camera)
    looks = {
        ".gif": ["-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"],
        ".mp4": ["-pix_fmt", "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"],
    }[path.suffix.lower()]
    reads = ["-f", "image2pipe", "-framerate", str(PICTURES_PER_SECOND), "-c:v", "png", "-i", "-"]
    with scratch_folder() as folder:
        film = folder / f"film{path.suffix.lower()}"
        command = [ffmpeg, "-loglevel", "error", *reads, *looks, str(film)]
        done = _run(command, folder, f"{path}: ffmpeg wrote no film", data=b"".join(pictures))
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise MbdFmuError(f"{path}: ffmpeg could not write it: {said}")
        write_whole({path: film.read_bytes()})


def _run(
    command: list[str], folder: Path, failure: str, data: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    try:
        return run_program(command, seconds=SECONDS, folder=folder, data=data)
    except subprocess.TimeoutExpired:
        raise MbdFmuError(
            f"{failure} in {SECONDS} s; ask for a smaller size or a shorter motion"
        ) from None
    except OSError as error:
        raise MbdFmuError(f"cannot run {command[0]}: {error.strerror}") from None


def _pictures(
    scene: Mapping[str, Any],
    motion: Motion,
    times: Sequence[float],
    size: tuple[int, int],
    shows: Sequence[str],
    camera: str,
) -> list[bytes]:
    """Let the page draw itself at each time, and read the pictures out of it."""
    browser = _program(BROWSERS, "a picture")
    page_script(PLAYER)  # or say why not
    record = {"times": list(times), "size": list(size), "shows": list(shows)}
    body = mechanism_html(scene, motion, camera=camera, record=record)
    page = page_html(scene["model"], "", body)
    with scratch_folder() as folder:
        (folder / "page.html").write_text(page, encoding="utf-8")
        profile = f"--user-data-dir={folder / 'profile'}"
        address = (folder / "page.html").as_uri()
        command = [browser, *_FLAGS, *for_root(), profile, "--dump-dom", address]
        done = _run(command, folder, f"{browser} drew nothing")
    text, errors = (b.decode("utf-8", "replace") for b in (done.stdout, done.stderr))
    found = re.findall(r'<pre class="frame">data:image/png;base64,([^<]+)</pre>', text)
    if len(found) != len(times):
        said = "\n  ".join(errors.strip().splitlines()[-3:]) or "it gave no reason"
        raise MbdFmuError(f"{browser} drew {len(found)} of {len(times)} pictures\n  {said}")
    return [base64.b64decode(text) for text in found]


def for_root() -> list[str]:
    """Return what lets Chromium start for the superuser: its sandbox refuses to."""
    return ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def _program(names: Sequence[str], what: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise MbdFmuError(
        f"{what} takes {names[0]}, which is not on the PATH; install it, "
        "or open the page in a browser"
    )
