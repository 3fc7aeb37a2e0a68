"""Every model that comes with the project: it builds, is clean, and matches its reference.

And its directional derivatives are those of central differences.
"""

import re
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.checks import warnings_of
from mbd_fmu.model.library import library
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.comparison import compare
from mbd_fmu.validate.runner import check_fmu
from mbd_fmu.validate.validation import validate_fmu
from tests.fmu.ctypes_fmu import OK, Instance, Library
from tests.fmu.exchange import Exchange, directional


def beside(folder, name):
    return read_csv(folder / name) if (folder / name).is_file() else None


# mobile by special axes only: rows are redundant on the constraints, and not beside them
SPECIAL = {"bricard"}
# 27 freedoms; 13 bodies with loops, twice; a gear and a parameter in nine bodies; 18 freedoms
LARGE = {"bicycle", "huston_tree", "stewart_platform", "excavator", "gripper_arm", "quadruped"}


def one_worker(name):
    """Run all tests that build a model in one process: one builds, the other need not wait."""
    return pytest.param(name, marks=pytest.mark.xdist_group(f"model {name}"))


@pytest.fixture(params=[one_worker(name) for name in sorted(library())])
def built_model(request):
    """Every model, to be built."""
    folder = library()[request.param]
    return folder, read_model(folder)


@pytest.fixture(params=sorted(library()))
def model(request):
    """Every model, to be read and not to be built."""
    folder = library()[request.param]
    return folder, read_model(folder)


def test_a_model_matches_its_reference(built_model, fmu_of):
    """And its library is small: under 400 kB per platform."""
    folder, spec = built_model
    path = fmu_of(spec)
    reference = read_csv(folder / "reference.csv")
    found = validate_fmu(path, reference=reference, inputs=beside(folder, "input.csv"))
    assert found.failures == []
    assert len(found.signals) == len(reference.names) > 0
    assert found.energy is not None
    with zipfile.ZipFile(path) as archive:
        sizes = [e.file_size for e in archive.infolist() if e.filename.startswith("binaries/")]
    assert len(sizes) == 1
    assert sizes[0] < (1_200_000 if spec.name in LARGE else 400_000)


# ---- Directional derivatives


def differences(values_at, h=1e-5):
    """The derivative of values at 0: central differences with two widths, extrapolated."""
    wide, narrow = ((values_at(width) - values_at(-width)) / (2 * width) for width in (h, h / 2))
    return (4 * narrow - wide) / 3


def assert_close(found, expected, names):
    """1e-6 of the largest: what differences of numbers of that size are good for."""
    size = 1.0 + np.abs(expected).max(initial=0)
    worst = int(np.argmax(np.abs(found - expected)))
    assert abs(found[worst] - expected[worst]) <= 1e-6 * size, (
        names[worst],
        found[worst],
        expected[worst],
    )


def on_its_way(it, rng):
    """Some steps under inputs that are not zero; prescribed motions stay what they are."""
    drives = (".tau", ".f", ".force.x", ".torque.z", "base.a.x")
    inputs = [n for n in it.library.names("input") if n.rsplit("[")[0].endswith(drives)]
    values = dict(zip(inputs, rng.uniform(-1, 1, size=len(inputs)), strict=True))
    assert it.set(values) == OK
    for k in range(5):
        assert it.step(0.004 * k, 0.004) == OK, it.recorder.messages
    return values


def test_a_model_s_directional_derivatives_are_exact(built_model, fmu_of, tmp_path):
    """Of outputs and of the motion, along inputs and along states, somewhere on its way."""
    rng = np.random.default_rng(1)
    library = Library(fmu_of(built_model[1]), tmp_path)
    outputs = [n for n in library.names("output") if not n.startswith("constraint.")]
    has_rows = len(outputs) < len(library.names("output"))
    stepping, it = Instance(library).start(tolerance=1e-8), Exchange(library).run()
    values = on_its_way(stepping, rng)
    assert it.set(values) == OK
    x = np.array(stepping.get(it.states))
    it.x = x

    inputs = [n for n in library.names("input") if ".quat." not in n]  # they must keep length 1
    if inputs:
        u, d = np.array(it.get(inputs)), rng.normal(size=len(inputs))
        names = [*outputs, *it.rates]

        def along_inputs(h):
            assert it.set(dict(zip(inputs, u + h * d, strict=True))) == OK
            return np.array(it.get(names))

        found = directional(it, names, dict(zip(inputs, d, strict=True)))
        assert_close(found, differences(along_inputs, 1e-3), names)
        along_inputs(0.0)

    # Derivatives of outputs through constraints hold for changes that keep them: along the motion.
    size = np.abs(it.derivatives()).max()
    motion = it.derivatives() / size if size else rng.normal(size=it.n)
    anywhere = rng.normal(size=it.n)
    for names, d in (
        (it.rates, motion if built_model[1].name in SPECIAL else anywhere),
        (outputs, motion if has_rows else anywhere),
    ):

        def along_states(h, names=names, d=d):
            it.x = x + h * d
            return np.array(it.get(names))

        it.x = x
        found = directional(it, names, dict(zip(it.states, d, strict=True)))
        assert_close(found, differences(along_states), names)
    it.free()
    stepping.free()


@pytest.mark.parametrize(
    "name", ["cart_pole", "heavy_top", "pendulum", "scara", "slider_crank", "three_masses_star"]
)
def test_a_model_s_python_fmu_is_clean(name, fmu_of):
    assert check_fmu(fmu_of(read_model(library()[name]), "python")) == []


def test_there_are_models_enough():
    assert len(library()) >= 30


def test_a_model_has_a_readme_that_states_the_origin_of_its_reference(model):
    folder, spec = model
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {folder.name}\n")
    assert spec.name == folder.name
    assert spec.description
    for parameter in spec.parameters:
        assert f"`{parameter.name}`" in text
        assert parameter.description
    _, mark, origin = text.partition("**Reference.** `reference.csv`")
    assert mark
    assert "scripts/make_references" in origin
    assert "No output of ours went into it." in " ".join(origin.split())
    if (folder / "input.csv").is_file():
        assert "`input.csv`" in text
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (folder / picture).is_file()


def test_a_model_stands_in_the_gallery_with_its_picture(model):
    """A picture of another size was not drawn by scripts/gallery."""
    folder, spec = model
    gallery = (folder.parent / "README.md").read_text(encoding="utf-8")
    assert f'href="{folder.name}/README.md"' in gallery
    assert f'src="{folder.name}/figure.png"' in gallery
    assert spec.description in gallery
    assert f"![{folder.name}](figure.png)" in (folder / "README.md").read_text(encoding="utf-8")
    header = (folder / "figure.png").read_bytes()[:24]
    assert struct.unpack(">II", header[16:]) == (480, 320)


def test_a_model_can_be_seen_and_its_reference_made_again(model):
    """Every body is drawn; there is a maker, and its table is small."""
    folder, spec = model
    assert all(body.visual for body in spec.bodies)
    maker = Path(__file__).parents[2] / "scripts" / "references" / f"{folder.name}.py"
    assert '"""' in maker.read_text(encoding="utf-8")
    for name in ("reference.csv", "input.csv"):
        if (folder / name).is_file():
            assert (folder / name).stat().st_size < 400_000
            assert len(read_csv(folder / name).time) <= 501


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


def test_no_model_of_ours_warns_about_itself(library_model):
    _, spec = library_model
    assert warnings_of(spec) == []
