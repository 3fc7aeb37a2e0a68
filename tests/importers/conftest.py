"""What importers are given: a mechanism of every kind, and a control loop."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import pytest

from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from tests.fmu.cases import CASES
from tests.importers.control import build_pid


def importer(name: str, needs: str = "") -> ModuleType:
    """Import an importer, or skip the file: not every platform has them all."""
    try:
        return import_module(name)
    except (ImportError, OSError) as error:
        reason = f"{name} cannot be loaded ({error})" + (f"; it needs {needs}" if needs else "")
        pytest.skip(reason, allow_module_level=True)


@pytest.fixture(
    scope="session",
    params=[pytest.param(n, marks=pytest.mark.xdist_group(f"importers {n}")) for n in CASES],
)
def case(request):
    """Open chain, moving base, loop, rolling disc; each is built by one worker only."""
    return CASES[request.param]


@pytest.fixture(scope="session")
def spec(case):
    return spec_of_table(case.table, "test")


@pytest.fixture(scope="session")
def fmu(spec, fmu_of):
    return fmu_of(spec)


@pytest.fixture(scope="session")
def arm(fmu_of):
    return fmu_of(read_model(library()["six_axis_arm"]))


@pytest.fixture(scope="session")
def pid(tmp_path_factory):
    return build_pid(tmp_path_factory.mktemp("pid") / "pid.fmu")
