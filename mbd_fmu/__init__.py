"""Mechanisms to self-contained FMI 2.0 co-simulation FMUs.

    import mbd_fmu

    m = mbd_fmu.load("arm.toml")  # or a robot, an FMU, a Mechanism
    r = m.simulate(stop=1)

Names are loaded when they are used: an FMU that carries part of this package needs no exporter.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "load": "mbd_fmu.api.loading",
    "Model": "mbd_fmu.api.model",
    "Result": "mbd_fmu.api.result",
    "Mechanism": "mbd_fmu.model.builder",
    "read_model": "mbd_fmu.formats.model_files",
    "build_fmu": "mbd_fmu.build",
    "system_of": "mbd_fmu.system.system",
    "simulate": "mbd_fmu.simulation",
    "run_batch": "mbd_fmu.study.batch",
    "read_study": "mbd_fmu.api.studies",
    "Experiment": "mbd_fmu.export.references",
    "validate_fmu": "mbd_fmu.validate.validation",
    "read_csv": "mbd_fmu.signals.csv_files",
    "write_csv": "mbd_fmu.signals.csv_files",
    "MbdFmuError": "mbd_fmu.errors",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module mbd_fmu has no attribute {name}")
    return getattr(importlib.import_module(_HOME[name]), name)
