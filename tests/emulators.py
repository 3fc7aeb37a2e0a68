"""Programs of other platforms: made by zig, run by qemu-user (ARM) and by wine (Windows)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from mbd_fmu.export.compile import (
    FLAGS,
    PLATFORMS,
    _zig_program,
    headers_of_the_standard,
    host_platform,
)
from mbd_fmu.export.compiler_cache import zig_environment

_ARM_ROOT = Path("/usr/aarch64-linux-gnu")  # of the package libc6-arm64-cross
_WINE_ROOT = "/usr/lib/wine"  # of the package wine64, which alone puts nothing on the PATH


def command_for(platform: str) -> list[str]:
    """Return what stands before a program to run it here; skip where there is none."""
    if platform == host_platform().name:
        return []
    if platform == "aarch64-linux":
        qemu = shutil.which("qemu-aarch64")
        if not qemu or not _ARM_ROOT.is_dir():
            pytest.skip("needs the packages qemu-user and libc6-arm64-cross")
        return [qemu, "-L", str(_ARM_ROOT)]
    if platform == "win64":
        wine = shutil.which("wine") or shutil.which("wine64")
        wine = wine or shutil.which("wine64", path=_WINE_ROOT)
        if not wine:
            pytest.skip("needs the package wine64")
        return [wine]
    pytest.skip(f"nothing here runs programs for {platform}")


def compile_for(platform: str, folder: Path, sources: Sequence[Path]) -> Path:
    """Compile C sources into a program of a platform."""
    program = folder / ("program.exe" if platform == "win64" else "program")
    includes = {f"-I{path.parent}" for path in sources} | {f"-I{headers_of_the_standard()}"}
    files = [str(path) for path in sources]
    command = [
        _zig_program(),
        "cc",
        "-target",
        PLATFORMS[platform].target,
        *FLAGS,
        *sorted(includes),
    ]
    environment = zig_environment(Path(command[0]), folder / "cache")
    subprocess.run([*command, *files, "-o", str(program), "-lm"], check=True, env=environment)
    return program


def run_on(platform: str, program: Path, *arguments: str) -> str:
    """Run a program of a platform and return what it prints."""
    done = subprocess.run(
        [*command_for(platform), str(program), *arguments],
        capture_output=True,
        check=False,
        cwd=program.parent,
        env=os.environ | {"WINEDEBUG": "-all"},
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout.replace("\r", "")
