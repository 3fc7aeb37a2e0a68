"""fmpy has one logger per process: messages still come to those they are for."""

from __future__ import annotations

import gc

import fmpy
import numpy as np
import pytest
from fmpy.fmi2 import FMU2Slave

from mbd_fmu.errors import FmuError
from mbd_fmu.validate.runner import Fmu
from tests.fmu import mechanisms

TIMES = np.array([0.0, 0.01])


@pytest.mark.parametrize("backend", ["native", "python"])
def test_of_two_fmus_each_hears_its_own(backend, fmu_of):
    path = fmu_of(mechanisms.double_pendulum(), backend)
    with Fmu(path) as one, Fmu(path) as other:
        with pytest.raises(FmuError, match=r"arm_mass.* is outside 0\.1 to 10"):
            one.run(TIMES, settings={"arm_mass": 100.0})
        assert one.messages
        assert other.messages == []


def test_after_us_fmpy_prints_as_before(fmu_of, tmp_path, capsys):
    """It would call a function that is gone, and end the process."""
    path = fmu_of(mechanisms.double_pendulum())
    with Fmu(path) as ours:
        ours.run(TIMES)
    del ours
    gc.collect()
    description = fmpy.read_model_description(str(path))
    slave = FMU2Slave(
        guid="wrong",
        unzipDirectory=fmpy.extract(str(path), str(tmp_path)),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="theirs",
    )
    with pytest.raises(Exception, match="instantiate"):
        slave.instantiate()
    assert "[ERROR] fmi2Instantiate: the GUID is not" in capsys.readouterr().out
    slave.freeLibrary()
