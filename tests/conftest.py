"""Fixtures and generators shared by all tests."""

from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from tests.building import Builder

ROOT = Path(__file__).resolve().parents[1]


def pytest_collection_modifyitems(items):
    """Soaks take what they take; the limit of time is for tests of the suite."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="session")
def fmu_of(tmp_path_factory):
    """Build each FMU once: ``fmu_of(spec, backend)``."""
    return Builder(tmp_path_factory)


def random_state(system, rng):
    """A state with unit quaternions, and inputs, of size one."""
    x = rng.normal(size=system.nx)
    for k in system.states.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    return x, rng.normal(size=system.table.n_inputs)


# Six legs and three parallelograms: a hundred thousand operations, half a minute each to compile.
HEAVY = {"stewart_platform", "delta_robot"}


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.slow) if name in HEAVY else name
        for name in sorted(library())
    ]
)
def library_model(request):
    """Every model that comes with the project."""
    folder = library()[request.param]
    return folder, read_model(folder)
