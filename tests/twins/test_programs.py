"""Straight-line code, kernels, and the text of the mechanics run on numbers: all say the same."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.reference.assembly import Assembly
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.fmu import mechanisms

NAMES = (
    *("six_axis_arm", "satellite", "quarter_car", "double_pendulum_moving_base"),
    *("spatial_slider_crank", "bricard", "rolling_disc", "gripper_arm", "wheel_set"),
)
ROUNDING = 1e-12  # of the largest entry: a few hundred operations, each of 1e-16
SLOPES = 1e-10  # derivatives of what is divided by pivots lose some digits more


def stiff(table):
    return spec_of_table({**table, "fmu": {**table.get("fmu", {}), "solver": "stiff"}}, "test")


@cache
def system_named(name):
    if name == "stiff tree":
        return system_of(stiff(mechanisms.double_pendulum()))
    if name == "stiff loop":
        return system_of(stiff(mechanisms.four_bar()))
    return system_of(read_model(library()[name]))


@cache
def programs(name, code):
    return {program.name: program for program in symbols_of(system_named(name), code).routines}


@pytest.fixture(params=(*NAMES, "stiff tree", "stiff loop"))
def name(request):
    return request.param


def given(system, rng):
    """Return something for every argument that a routine may have; the state is one that closes."""
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    x, acting = random_state(system, rng)
    if system.rows:
        x, acting = Assembly(plant, u).assemble(plant.start()).x, u
    sizes = {"z": system.nz, "vd": len(system.state_v), "lam": len(system.rows)}
    sizes |= {"d": len(system.state_v), "w": system.n_loads, "mu": len(system.state_v)}
    found = {key: rng.normal(size=n) for key, n in sizes.items()}
    found |= {"x": x, "u": acting, "p": system.nominal_parameters()}
    found |= {f"d{key}": rng.normal(size=len(value)) for key, value in found.items()}
    return found | {"ddu": rng.normal(size=len(acting)), "ddq": rng.normal(size=system.nx)}


def deviation(actual, expected):
    return np.abs(actual - expected).max(initial=0) / (1.0 + np.abs(expected).max(initial=0))


def carried_out(program, values):
    return evaluator(program)(*(values[argument][:n] for argument, n in program.arguments))


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_programs_give_the_numbers_of_numpy(name, code):
    system = system_named(name)
    plant, found = plant_of(system, system.nominal_parameters()), programs(name, code)
    values = given(system, np.random.default_rng(1))
    x, u, z, vd, lam, d = (values[key] for key in ("x", "u", "z", "vd", "lam", "d"))
    expected = {stage: plant.outputs(stage, x, u, z) for stage in STAGES if stage in found}
    if not system.rows:
        expected["derivatives"] = plant.derivatives(x, u)
    else:
        eq, left = plant.equations(x, u), plant.closure(x, u)
        rows = [left.J.ravel(), left.sigma, left.phi, left.rounding]
        parts = (eq.M.ravel(), eq.f, eq.J.ravel(), eq.gamma, eq.sigma, eq.phi, eq.rounding)
        expected |= {
            "equations": np.concatenate(parts),
            "closure": np.concatenate(rows),
            "rates": plant.rates(x, u, vd),
            "loads": plant.loads(x, u, vd, lam),
            "retract": plant.retract(x, u, d),
            "displacement": plant.displacement(x, u, values["dx"]),
            "cut_coordinates": plant.cut_coordinates(x, u),
        }
    assert expected
    for key, numbers in expected.items():
        assert deviation(carried_out(found[key], values), numbers) < ROUNDING, key


def test_kernels_give_the_numbers_of_straight_line_code(name):
    """All routines, derivatives among them."""
    system = system_named(name)
    values = given(system, np.random.default_rng(2))
    one, other = programs(name, STRAIGHT), programs(name, KERNELS)
    assert {*one} - {*other} <= {"jacobian", "residual_jacobian", "rates_by_vd"}
    for key, program in other.items():
        assert program.arguments == one[key].arguments
        assert {k: len(v) for k, v in program.results.items()} == {
            k: len(v) for k, v in one[key].results.items()
        }
        found, expected = (carried_out(p, values) for p in (program, one[key]))
        assert deviation(found, expected) < SLOPES, key


def test_the_residual_is_what_the_equations_leave_over(name):
    """From the forces that a motion takes, and from M, f, J and gamma."""
    system = system_named(name)
    if not system.rows:
        pytest.skip("has no rows")
    plant = plant_of(system, system.nominal_parameters())
    values = given(system, np.random.default_rng(3))
    x, u, vd, lam = (values[key] for key in ("x", "u", "vd", "lam"))
    eq, left = plant.equations(x, u), plant.residual(x, u, vd, lam)
    assert deviation(left.force, eq.f - eq.M @ vd + eq.J.T @ lam) < ROUNDING
    assert deviation(left.row, eq.gamma - eq.J @ vd) < ROUNDING
    assert deviation(plant.pull(x, u, lam), eq.J.T @ lam) < ROUNDING


def test_kernels_leave_no_dependency_out(name):
    """Straight-line code is simplified as a whole, so it may know of fewer."""
    one, other = (symbols_of(system_named(name), code) for code in (STRAIGHT, KERNELS))
    for key in ("depends_on_input", "depends_on_state", "rates_depend", "depends_initially"):
        assert not (getattr(one, key) & ~getattr(other, key)).any(), key
