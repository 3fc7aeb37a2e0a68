"""The module in a page is the FMU: the same numbers to the last bit, in a real browser."""

import json

import numpy as np
import pytest
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

from mbd_fmu.build import build_fmu
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import find_model, table_beside
from tests.viewer.live import open_live, page_of, stepped

pytestmark = pytest.mark.xdist_group("browser")

STEPS, LENGTH = 1000, 0.002
# a tree, a loop, a base that is moved, a stiff one with a closed loop, a robot, six legs
MODELS = (
    "double_pendulum",
    "four_bar",
    "double_pendulum_moving_base",
    "flyball_governor",
    "six_axis_arm",
    "stewart_platform",
)


def native(path, given):
    """All variables that the FMU shows, after each step, by name; driven as the page is."""
    folder = extract(str(path))
    found = read_model_description(folder)
    own = {v.name: v.valueReference for v in found.modelVariables if v.causality != "local"}
    fmu = FMU2Slave(
        guid=found.guid,
        unzipDirectory=folder,
        modelIdentifier=found.coSimulation.modelIdentifier,
        instanceName="native",
    )
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    if given:
        fmu.setReal([own[name] for name in given], [values[0] for values in given.values()])
    fmu.exitInitializationMode()
    rows = []
    for k in range(STEPS):
        if given:
            fmu.setReal([own[name] for name in given], [values[k] for values in given.values()])
        fmu.doStep(k * LENGTH, LENGTH)
        rows.append(fmu.getReal(list(own.values())))
    fmu.terminate()
    fmu.freeInstance()
    return dict(zip(own, np.array(rows).T, strict=True))


def bits(values):
    """As whole numbers. Both zeros count as one: pulls that are zero may change its sign."""
    return (np.ascontiguousarray(values) + 0.0).view(np.uint64)


@pytest.mark.parametrize("name", MODELS)
def test_a_thousand_steps_in_the_browser_have_the_bits_of_the_fmu(name, opened, tmp_path):
    path = find_model(name)
    inputs = table_beside(path, "input.csv")
    given = {}
    if inputs is not None:
        rows = [inputs.row_at(k * LENGTH) for k in range(STEPS)]
        given = {n: inputs.column(n)[rows].tolist() for n in inputs.names}
    fmu = build_fmu(read_model(path), tmp_path / "native.fmu").path
    expected = native(fmu, given)

    place = {v["name"]: k for k, v in enumerate(json.loads(page_of(name).data)["variables"])}
    page = open_live(opened, tmp_path, name)
    rows = np.transpose(list(given.values())).tolist() if given else []
    found = stepped(page, rows, [place[n] for n in given], STEPS, LENGTH)
    assert set(expected) <= set(place)
    different = [n for n, y in expected.items() if (bits(y) != bits(found[:, place[n]])).any()]
    assert different == []
    assert np.ptp(list(expected.values()), axis=1).max() > 0.1  # something has moved
