"""Every model that comes with the project: it builds, is clean, and matches its reference."""

import zipfile

import numpy as np
import pytest

from mbd_fmu.export.system import system_of
from mbd_fmu.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.reference.simulate import simulate
from mbd_fmu.trajectory import Trajectory, read_csv
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.runner import check_fmu
from mbd_fmu.validate.validation import validate_fmu


def beside(folder, name):
    return read_csv(folder / name) if (folder / name).is_file() else None


def test_a_model_matches_its_reference(library_model, fmu_of):
    folder, spec = library_model
    reference = read_csv(folder / "reference.csv")
    found = validate_fmu(fmu_of(spec), reference=reference, inputs=beside(folder, "input.csv"))
    assert found.failures == []
    assert len(found.signals) == len(reference.names) > 0
    assert found.energy is not None


def test_a_model_s_library_is_small(library_model, fmu_of):
    """Under 300 kB per platform, as promised."""
    _, spec = library_model
    with zipfile.ZipFile(fmu_of(spec)) as archive:
        sizes = [e.file_size for e in archive.infolist() if e.filename.startswith("binaries/")]
    assert len(sizes) == 1
    assert sizes[0] < 300_000


@pytest.mark.parametrize("name", ["pendulum", "cart_pole", "four_bar", "rolling_disc"])
def test_a_model_s_python_fmu_is_clean(name, fmu_of):
    assert check_fmu(fmu_of(read_model(library()[name]), "python")) == []


def test_a_model_has_a_readme_that_states_the_origin_of_its_reference(library_model):
    folder, spec = library_model
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "reference.csv" in text
    assert spec.name == folder.name
    for parameter in spec.parameters:
        assert f"`{parameter.name}`" in text


@pytest.mark.parametrize("signal", ["pivot.q", "pivot.force.y"])
def test_a_signal_that_is_off_by_a_ten_thousandth_fails(signal, fmu_of):
    folder = library()["pendulum"]
    reference = read_csv(folder / "reference.csv")
    values = reference.values.copy()
    values[:, reference.names.index(signal)] *= 1.0001
    wrong = Trajectory(reference.time, reference.names, values)
    found = validate_fmu(fmu_of(read_model(folder)), reference=wrong)
    assert not found.passed
    assert any(text.startswith(signal) for text in found.failures)


def test_a_mass_that_is_off_by_a_hundredth_fails():
    folder = library()["cart_pole"]
    reference, inputs = read_csv(folder / "reference.csv"), read_csv(folder / "input.csv")
    wrong = simulate(
        system_of(read_model(folder)),
        stop=0.3,
        step=0.01,
        inputs=inputs,
        settings={"pole_mass": 0.202},
    )
    rows = reference.time <= 0.3 + 1e-9
    part = Trajectory(reference.time[rows], reference.names, reference.values[rows])
    assert max(s.max_relative for s in compare(wrong, part)) > 1e-4
    assert np.isfinite(wrong.values).all()
