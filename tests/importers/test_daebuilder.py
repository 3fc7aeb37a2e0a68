"""CasADi's DaeBuilder takes the model-exchange side: functions for optimal control.

Its Jacobians are our directional derivatives, in the pattern that our dependencies give: a
dependency that is missing would be a column of zeros.
"""

from __future__ import annotations

import zipfile

import casadi
import numpy as np
import pytest

from mbd_fmu.reference.run import Run
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu


@pytest.fixture(scope="module")
def folder(fmu, tmp_path_factory):
    """It wants an FMU unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def dae(folder):
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
    f = dae.create("f", ["x", "u"], ["ode", "y"])
    ode, y = f(on_the_way.x, on_the_way.u)
    expected = on_the_way.plant.derivatives(on_the_way.x, on_the_way.u, on_the_way._rank)
    # C and NumPy solve loops by different factorizations: rounding times their condition
    assert relative(ode, expected) < 1e-10
    assert relative(y, on_the_way.outputs()) < 1e-10


def test_a_parameter_counts_from_the_next_function_on(case, spec, folder, on_the_way):
    """It takes parameters for constants: they are set before a function is made."""
    dae = casadi.DaeBuilder("it", str(folder), {})
    dae.set([case.fixed], [1.7])
    ode = dae.create("f", ["x", "u"], ["ode"])(on_the_way.x, on_the_way.u)
    other = Run(system_of(spec), {case.fixed: 1.7})
    expected = other.plant.derivatives(on_the_way.x, on_the_way.u, on_the_way._rank)
    assert relative(ode, expected) < 1e-10  # as above
    assert relative(ode, dae_ode(folder, on_the_way)) > 1e-4


def dae_ode(folder, run):
    return casadi.DaeBuilder("it", str(folder), {}).create("f", ["x", "u"], ["ode"])(run.x, run.u)


@pytest.mark.parametrize("of", ["ode", "y"])
def test_jacobians_are_those_of_central_differences(of, dae, on_the_way):
    f = dae.create("f", ["x", "u"], [of])
    x, u = np.array(on_the_way.x), np.array(on_the_way.u)
    by_x, by_u = dae.create("J", ["x", "u"], [f"jac_{of}_x", f"jac_{of}_u"])(x, u)
    along_x = np.eye(len(x))
    if of == "y" and on_the_way.system.rows:
        # derivatives of reactions hold for changes that keep the constraints: along the motion
        along_x = on_the_way.plant.derivatives(x, u, on_the_way._rank).reshape(1, -1)
    h = 1e-6
    for matrix, along, moved in (
        (by_x, along_x, lambda d: f(x + d, u)),
        (by_u, np.eye(len(u)), lambda d: f(x, u + d)),
    ):
        expected = [((moved(h * d) - moved(-h * d)) / (2 * h)).full().ravel() for d in along]
        # what central differences of numbers of that size are good for
        assert relative(matrix.full() @ along.T, np.transpose(expected)) < 1e-6


def test_cvodes_arrives_where_co_simulation_does(case, dae, fmu, on_the_way):
    """An integrator with exact Jacobians, and 0.1 s: too short to drift off the constraints."""
    x0 = Run(on_the_way.system).x
    u = on_the_way.system.nominal_inputs()
    x = casadi.MX.sym("x", len(x0))
    ode = dae.create("f", ["x", "u"], ["ode"])(x, u)
    options = {"abstol": 1e-10, "reltol": 1e-10}
    end = casadi.integrator("end", "cvodes", {"x": x, "ode": ode}, 0.0, 0.1, options)(x0=x0)["xf"]
    y = dae.create("y", ["x", "u"], ["y"])(end, u)
    with Fmu(fmu) as slave:
        ours = slave.run(np.array([0.0, 0.05, 0.1]), tolerance=1e-10).trajectory
    found = float(y[dae.y().index(case.output)])
    assert abs(found - ours.column(case.output)[-1]) < 1e-8  # two integrators at 1e-10
