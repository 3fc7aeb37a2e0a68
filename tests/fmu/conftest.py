"""FMUs built once per session, and their libraries loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.model.spec import Spec
from mbd_fmu.options import AUTO
from tests import declared
from tests.building import Builder
from tests.fmu import mechanisms
from tests.fmu.cases import CASES, Case
from tests.fmu.ctypes_fmu import Instance, Library

FmuOf = Callable[..., Path]
LibraryOf = Callable[..., Library]
MakeInstance = Callable[..., Instance]

# Every shape of FMU there is to check: mechanism, back end.
SHAPES = {
    "double_pendulum": (mechanisms.double_pendulum(), "native"),
    "flyer": (mechanisms.flyer(), "native"),
    "rk4": (mechanisms.double_pendulum(solver="rk4"), "native"),
    "flat": (mechanisms.flyer(naming="flat"), "native"),
    "two_branches": (mechanisms.two_branches(), "native"),
    **{name: (case.table, "native") for name, case in CASES.items()},
    "declared": (declared.with_names(), "native"),
    "flat_declared": (declared.with_names(naming="flat"), "native"),
    "python": (mechanisms.double_pendulum(), "python"),
    "python_declared": (declared.with_names(), "python"),
    "python_flyer": (mechanisms.flyer(), "python"),
    "python_loop": (mechanisms.loop(), "python"),
}
NATIVE = [name for name, (_, backend) in SHAPES.items() if backend == "native"]


@pytest.fixture(scope="session")
def fmu_of(tmp_path_factory: pytest.TempPathFactory) -> FmuOf:
    """Return a builder of tables that remembers what was built."""
    build = Builder(tmp_path_factory)

    def fmu(table: dict[str, Any] | Spec, backend: str = "native", code: str = AUTO) -> Path:
        spec = table if isinstance(table, Spec) else spec_of_table(table, "test")
        return build(spec, backend, code)

    return fmu


@pytest.fixture(scope="session")
def library_of(fmu_of: FmuOf) -> LibraryOf:
    """Return a loader that remembers what it has loaded."""
    loaded: dict[Path, Library] = {}

    def library(table: dict[str, Any] | Spec, code: str = AUTO) -> Library:
        path = fmu_of(table, code=code)
        if path not in loaded:
            loaded[path] = Library(path, path.parent)
        return loaded[path]

    return library


@pytest.fixture(scope="session")
def shape(fmu_of: FmuOf) -> Callable[[str], Path]:
    """Return the FMU of a shape by its name."""
    return lambda name: fmu_of(*SHAPES[name])


@pytest.fixture(scope="session", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    """Each case in turn."""
    return CASES[request.param]


@pytest.fixture(scope="session")
def library(case: Case, library_of: LibraryOf) -> Library:
    """The library of the case."""
    return library_of(case.table)


@pytest.fixture(scope="session")
def double_pendulum(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.double_pendulum())


@pytest.fixture(scope="session")
def flyer(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.flyer())


@pytest.fixture(scope="session")
def rk4_pendulum(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.double_pendulum(solver="rk4"))


@pytest.fixture(scope="session")
def flat_flyer(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.flyer(naming="flat"))


@pytest.fixture(scope="session")
def four_bar(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.four_bar())


@pytest.fixture(scope="session")
def two_branches(library_of: LibraryOf) -> Library:
    return library_of(mechanisms.two_branches())


@pytest.fixture(scope="session", params=["dopri5", "rk4"])
def rotor(request: pytest.FixtureRequest, library_of: LibraryOf) -> Library:
    """Both solvers integrate its polynomials without error."""
    return library_of(mechanisms.rotor(solver=request.param))


@pytest.fixture
def new() -> Iterator[MakeInstance]:
    """Return a maker of instances, which are given back at the end of the test."""
    made: list[Instance] = []

    def make(library: Library, **options: Any) -> Instance:
        made.append(Instance(library, **options))
        return made[-1]

    yield make
    for instance in made:
        instance.free()
