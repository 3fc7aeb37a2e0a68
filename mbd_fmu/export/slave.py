"""The Python back end: the NumPy road behind the interface of FMI, through pythonfmu.

The archive carries the model, this package's modules without the exporter, and pythonfmu itself;
the importing tool's process needs a Python with NumPy. The C library is pythonfmu's own.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from mbd_fmu.errors import CompileError
from mbd_fmu.system.system import System

PACKAGE = Path(__file__).parents[1]

# What the NumPy road needs of this package: all it stands on, up to the slave itself.
MODULES = ("__init__", "errors", "spatial")
PACKAGES = (
    *("host", "signals", "quantities", "elements", "model", "topology", "mechanics", "system"),
    "reference",
)

_SCRIPT = '''\
"""Entry point for pythonfmu: one class per module, named as slavemodule.txt says."""

from pathlib import Path

from mbd_fmu.reference.slave import MechanismSlave

KEPT = globals()  # pythonfmu drops one reference too many; see MechanismSlave


class Mechanism(MechanismSlave):
    """{name}, simulated in NumPy."""

    model = Path(__file__).with_name("model.json")
'''

_MISSING = "the package pythonfmu is missing, or not whole; pip install --force-reinstall pythonfmu"


def slave_files(system: System) -> dict[str, bytes]:
    """Return the files of a Python FMU, without its description."""
    name = system.spec.name
    files = {
        "resources/model.json": system.spec.text.encode(),
        "resources/slavemodule.txt": f"slave_{name}".encode(),
        f"resources/slave_{name}.py": _SCRIPT.format(name=name).encode(),
    }
    for path in carried_modules():
        files[f"resources/mbd_fmu/{path.relative_to(PACKAGE).as_posix()}"] = path.read_bytes()
    pythonfmu = _pythonfmu_folder()
    for path in sorted(pythonfmu.glob("*.py")):
        files[f"resources/pythonfmu/{path.name}"] = path.read_bytes()
    for library in sorted((pythonfmu / "resources" / "binaries").rglob("*")):
        if library.suffix in (".so", ".dll", ".dylib"):
            files[f"binaries/{library.parent.name}/{name}{library.suffix}"] = library.read_bytes()
    return files


def carried_modules() -> list[Path]:
    """Return the files of this package that a Python FMU carries."""
    modules = [PACKAGE / f"{name}.py" for name in MODULES]
    return [*modules, *(p for name in PACKAGES for p in sorted((PACKAGE / name).rglob("*.py")))]


def _pythonfmu_folder() -> Path:
    """Find what was installed: a Python FMU that is open here has put its own copy on the path."""
    try:
        installed = importlib.metadata.distribution("pythonfmu")
        folder = Path(str(installed.locate_file("pythonfmu")))
    except importlib.metadata.PackageNotFoundError:
        raise CompileError(_MISSING) from None
    if not (folder / "resources" / "binaries").is_dir():
        raise CompileError(_MISSING)
    return folder
