"""FMUs for tests: built once for all workers of a session, handed out as copies."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from pathlib import Path

import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.model.spec import Spec
from mbd_fmu.options import AUTO


class Builder:
    """Builds what was not built before; a copy may be unpacked beside itself."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        base = factory.getbasetemp()
        # workers have folders of their own inside that of the session
        self._shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
        self._shared.mkdir(exist_ok=True)
        self._copies: dict[str, Path] = {}

    def __call__(self, spec: Spec, backend: str = "native", code: str = AUTO) -> Path:
        """Return an FMU in a folder of its own."""
        text = f"{backend} {code} {spec.groups} {spec.text}"
        key = hashlib.sha256(text.encode()).hexdigest()[:20]
        if key not in self._copies:
            built = self._shared / f"{key}.fmu"
            with (self._shared / f"{key}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not built.exists():
                    build_fmu(spec, built, backend=backend, code=code)
            folder = self._factory.mktemp(spec.name)
            self._copies[key] = Path(shutil.copy(built, folder / f"{spec.name}.fmu"))
        return self._copies[key]
