"""Runs of an FMU by fmpy, as a user's script has them."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave

from mbd_fmu.spatial import Array


class ByFmpy:
    """The FMU in fmpy, one instance for all cases; all outputs are read, if not said."""

    def __init__(self, path: Path, folder: Path, outputs: Sequence[str] | None = None) -> None:
        fmpy.extract(str(path), str(folder))
        found = fmpy.read_model_description(str(path))
        self.reference = {v.name: v.valueReference for v in found.modelVariables}
        identifier = found.coSimulation.modelIdentifier
        self.slave = FMU2Slave(
            guid=found.guid,
            modelIdentifier=identifier,
            unzipDirectory=str(folder),
            instanceName=identifier,
        )
        self.slave.instantiate()
        if outputs is None:
            outputs = [v.name for v in found.modelVariables if v.causality == "output"]
        self.wanted = [self.reference[name] for name in outputs]

    def run(self, settings: dict[str, float], times: Array) -> Array:
        """Return the outputs of one case."""
        slave = self.slave
        slave.reset()
        slave.setupExperiment(startTime=0.0)
        slave.setReal([self.reference[n] for n in settings], list(settings.values()))
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        rows = [slave.getReal(self.wanted)]
        for begin, end in pairwise(times):
            slave.doStep(float(begin), float(end - begin))
            rows.append(slave.getReal(self.wanted))
        return np.array(rows)

    def close(self) -> None:
        """Give the instance back."""
        self.slave.freeInstance()
