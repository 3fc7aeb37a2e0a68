"""CasADi's DaeBuilder takes the model-exchange side: functions for optimal control.

Its Jacobians are our directional derivatives, in the pattern that our dependencies give: a
dependency that is missing would be a column of zeros.
"""

from __future__ import annotations

import zipfile

import casadi
import numpy as np
import pytest

from mbd_fmu.export.system import system_of
from mbd_fmu.reference.simulate import Run
from tests.importers.by_hand import ByHand, summed

STATES_OUTPUTS = ["ode", "y"]
JACOBIANS = ["jac_ode_x", "jac_ode_u", "jac_y_x", "jac_y_u"]


@pytest.fixture(scope="module")
def dae(fmu, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(folder)
    return casadi.DaeBuilder("it", str(folder), {})


@pytest.fixture(scope="module")
def on_the_way(spec):
    """The NumPy twin after some steps, with inputs: nothing is zero or at its start."""
    run = Run(system_of(spec))
    names = [v.name for v in run.system.table.inputs]
    told = ("base.r", "base.quat", "base.v", "base.w")  # stay one motion
    for i, name in enumerate(names):
        if not name.startswith(told):
            run.u[i] = 0.1 * (i + 1)
    for _ in range(5):
        run.step(0.02)
    return run


def relative(found, expected):
    """Largest deviation, relative to the largest number."""
    found, expected = np.asarray(found).ravel(), np.asarray(expected).ravel()
    return np.abs(found - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0))


def test_states_inputs_and_outputs_are_found(dae, on_the_way):
    table = on_the_way.system.table
    assert dae.u() == [v.name for v in table.inputs]
    assert dae.y() == [v.name for v in table.outputs]
    assert len(dae.x()) == on_the_way.system.nx
    assert all(name.startswith("state.") for name in dae.x())


def test_derivatives_and_outputs_are_those_of_numpy(dae, on_the_way):
    f = dae.create("f", ["x", "u"], STATES_OUTPUTS)
    ode, y = f(on_the_way.x, on_the_way.u)
    expected = on_the_way.plant.derivatives(on_the_way.x, on_the_way.u, on_the_way._rank)
    # loops are solved by other factorizations in C, with numbers up to the square of their condition
    assert relative(ode, expected) < 1e-10
    assert relative(y, on_the_way.outputs()) < 1e-10


def test_jacobians_are_those_of_central_differences(dae, on_the_way):
    """Of the motion: every state, every input, also off the constraints."""
    f = dae.create("f", ["x", "u"], ["ode"])
    jacobian = dae.create("J", ["x", "u"], JACOBIANS[:2])
    x, u = np.array(on_the_way.x), np.array(on_the_way.u)
    by_x, by_u = jacobian(x, u)
    h = 1e-6
    for matrix, n, moved in (
        (by_x, len(x), lambda d: f(x + d, u)),
        (by_u, len(u), lambda d: f(x, u + d)),
    ):
        expected = [((moved(h * e) - moved(-h * e)) / (2 * h)).full().ravel() for e in np.eye(n)]
        # what central differences of numbers of that size are good for
        assert relative(matrix.full(), np.transpose(expected)) < 1e-6
