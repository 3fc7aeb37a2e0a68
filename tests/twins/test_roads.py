"""NumPy, CasADi, the native FMU and the Python FMU are four roads to the same numbers."""

import json

import numpy as np
import pytest

from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.conftest import random_state
from tests.random_trees import random_tree

# Trees; loops are compared in tests/fmu/test_loops.py.
NAMES = ("pendulum", "double_pendulum", "cart_pole", "six_axis_arm")
SPECS = {name: read_model(library()[name]) for name in NAMES}
SPECS |= {f"random tree of {n}": random_tree(n, n) for n in (1, 4, 9)}
SPECS["random tree of 4 with rotors"] = random_tree(4, 4, rotors=True)
SPECS["actuated tree"] = spec_of_table(
    json.loads(SPECS["double_pendulum"].text)
    | {
        "force": [
            {"name": "lift", "type": "actuator", "joints": ["shoulder", "elbow"], "gain": 3.0}
            | {"ratios": [2.0, -0.7], "stiffness": 4.0, "rest": 0.1, "damping": 0.3, "bias": 1.0},
            {"name": "band", "type": "actuator", "joints": ["elbow"], "gain": 0, "stiffness": 2.0},
        ]
    },
    "test",
)


@pytest.fixture(params=sorted(SPECS))
def spec(request):
    return SPECS[request.param]


def relative(actual, expected):
    """Largest deviation, relative to the largest number of the same vector."""
    return np.abs(actual - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0))


def start_settings(system, x):
    """Start values that put the FMU into the state x; the library's models start from numbers."""
    names = [v.name for v in system.table.parameters]
    starts = enumerate(system.table.start)
    settings = {names[k]: x[i] for i, start in starts for k in start.own_parameters}
    assert len(settings) == system.forest.nq + system.forest.nv
    return settings


@pytest.mark.parametrize("backend", ["native", "python"])
def test_fmus_give_the_numbers_of_numpy_at_random_states(spec, backend, fmu_of):
    system = system_of(spec)
    plant = plant_of(system, system.nominal_parameters())
    inputs = [v.name for v in system.table.inputs]
    with Fmu(fmu_of(spec, backend)) as fmu:
        for seed in range(3):
            x, u = random_state(system, np.random.default_rng(seed))
            x[system.forest.nq + system.forest.nv :] = 0.0  # work counts from the start
            settings = start_settings(system, x) | dict(zip(inputs, u, strict=True))
            found = fmu.run(np.array([0.0]), settings=settings).trajectory.values[0]
            assert relative(found, plant.all_outputs(x, u)) < 1e-12


@pytest.mark.parametrize("backend", ["native", "python"])
def test_trajectories_agree_to_the_tolerance_of_integration(spec, backend, fmu_of):
    system = system_of(spec)
    names = tuple(v.name for v in system.table.inputs)
    rng = np.random.default_rng(4)
    times = communication_points(0.0, 0.1, 0.01)
    inputs = Trajectory(times, names, rng.normal(size=(len(times), len(names))))
    settings = {"solver.tolerance": 1e-9}
    expected = simulate(system, stop=0.1, step=0.01, inputs=inputs, settings=settings)
    with Fmu(fmu_of(spec, backend)) as fmu:
        found = fmu.run(times, inputs=inputs, settings=settings).trajectory
    # one algorithm in two languages: they differ by rounding, amplified over 10 steps
    assert relative(found.values, expected.values) < 1e-10


def test_inputs_on_straight_lines_agree_too(fmu_of):
    spec = SPECS["double_pendulum"]
    inputs = Trajectory(
        np.array([0.0, 0.05, 0.2]),
        ("shoulder.tau", "elbow.tau"),
        np.array([[0.0, 1.0], [2.0, -1.0], [-1.0, 0.5]]),
    )
    settings = {"solver.tolerance": 1e-9}
    expected = simulate(
        system_of(spec), stop=0.2, step=0.01, inputs=inputs, interpolate=True, settings=settings
    )
    held = simulate(system_of(spec), stop=0.2, step=0.01, inputs=inputs, settings=settings)
    with Fmu(fmu_of(spec)) as fmu:
        found = fmu.run(
            expected.time, inputs=inputs, interpolate=True, settings=settings
        ).trajectory
    assert relative(found.values, expected.values) < 1e-10  # as above
    assert relative(held.values, expected.values) > 1e-2
