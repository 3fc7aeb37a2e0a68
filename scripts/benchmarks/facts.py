"""What is measured on: machine, compiler, versions."""

import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

OUT = Path(__file__).parents[2] / "out" / "bench"
PACKAGES = ("mbd-fmu", "pin", "mujoco", "exudyn", "scipy", "numpy", "casadi")


def facts() -> dict[str, str]:
    """Return what a reader needs to judge the numbers."""
    return {
        "machine": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": f"zig {_zig()}",
        "versions": ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
    }


def _processor() -> str:
    """Name of the processor, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def _zig() -> str:
    command = [sys.executable, "-m", "ziglang", "version"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"
