"""Straight-line code, kernels, and the text of the mechanics run on numbers: all say the same."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from mbd_fmu import Mechanism
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
from tests.chains import held_chain
from tests.conftest import random_state
from tests.fmu import mechanisms
from tests.suspension import suspension

NAMES = (
    *("six_axis_arm", "satellite", "quarter_car", "double_pendulum_moving_base"),
    *("spatial_slider_crank", "bricard", "rolling_disc", "gripper_arm", "wheel_set"),
)
ROUNDING = 1e-12  # of the largest entry: a few hundred operations, each of 1e-16


def stiff(table):
    return spec_of_table({**table, "fmu": {**table.get("fmu", {}), "solver": "stiff"}}, "test")


def coupled_rods():
    """Two rods that slide in a body which turns: what couples them is numbers, the way symbols.

    Axes lie across all others, so that what cancels on the body leaves rounding behind.
    """
    tree = Mechanism("coupled_rods")
    box, axes = {"shape": "box", "size": [0.1, 0.2, 0.3]}, ([0.3, 0.5, 0.7], [-0.9, 0.2, 0.4])
    tree.body("arm", mass=2.0, com=[0.3, 0.1, 0], inertia=box)
    tree.body("disc", mass=1.5, com=[0.1, 0.2, 0.3], inertia=box)
    tree.joint("hip", "revolute", "ground", "arm", point=[0, 0, 0], axis=axes[0])
    tree.joint("axle", "revolute", "arm", "disc", point=[0.1, 0.3, 0.2], axis=[0.1, -0.8, 0.3])
    for k, axis in enumerate(axes):
        tree.body(f"end{k}", mass=1.0, com=[0.7, 0.1 * k, 0.3], inertia=box)
        tree.joint(f"rod{k}", "prismatic", "disc", f"end{k}", point=[0.5, k, 0.2], axis=axis)
    tree.constraint("tendon", "coupling", joints=["rod0", "rod1"], ratios=[1.0, -1.3])
    return tree.spec()


@cache
def system_named(name):
    if name == "stiff tree":
        return system_of(stiff(mechanisms.double_pendulum()))
    if name == "stiff loop":
        return system_of(stiff(mechanisms.four_bar()))
    if name == "coupled rods":
        return system_of(coupled_rods())
    if name == "held chain":
        return system_of(held_chain(20))
    if name.startswith("named outputs"):
        return system_of(spec_of_table(suspension(loop="loop" in name), "test"))
    return system_of(read_model(library()[name]))


@cache
def programs(name, code):
    return {program.name: program for program in symbols_of(system_named(name), code).routines}


MADE = (
    *("stiff tree", "stiff loop", "coupled rods", "named outputs", "named outputs of a loop"),
    "held chain",
)


@pytest.fixture(params=(*NAMES, *MADE))
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
    sizes |= {"force": len(system.state_v), "row": len(system.rows), "factor": 5000}
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
        assert deviation(found, expected) < ROUNDING, key


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
