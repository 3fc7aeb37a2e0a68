"""What a step costs, without what an importer adds: a tight loop of raw calls."""

from __future__ import annotations

import time
from collections.abc import Mapping

from mbd_fmu.errors import FmuError
from mbd_fmu.validate.runner import Fmu


def seconds_per_step(fmu: Fmu, step: float, n: int, settings: Mapping[str, float]) -> float:
    """Return the mean time of ``fmi2DoStep`` over n steps, called through ctypes alone."""
    slave = fmu.slave
    slave.instantiate(callbacks=fmu.callbacks)
    try:
        slave.setupExperiment(startTime=0.0)
        slave.setReal([fmu.reference[name] for name in settings], list(settings.values()))
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        do_step, component = slave.dll.fmi2DoStep, slave.component
        times = [k * step for k in range(n)]
        status = 0
        begin = time.perf_counter()
        for t in times:
            status |= do_step(component, t, step, 1)
        seconds = time.perf_counter() - begin
    finally:
        slave.fmi2FreeInstance(slave.component)
    if status:
        raise FmuError(f"{fmu.path}: a timed step failed with status {status}")
    return seconds / n
