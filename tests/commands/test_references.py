"""FMUs that carry their own proof, and the files for others to check them."""

import hashlib
import subprocess
import sys
import zipfile
from xml.etree import ElementTree as ET

import fmpy
import fmpy.util
import numpy as np
import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.cli import main
from mbd_fmu.errors import DataError, FmuError, MbdFmuError
from mbd_fmu.export.references import FOLDER, Experiment, side_files
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.carried import carried_experiment
from mbd_fmu.validate.runner import check_fmu
from mbd_fmu.validate.validation import validate_fmu

CART = library()["cart_pole"]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The cart and pole, with its reference and inputs."""
    folder = tmp_path_factory.mktemp("references")
    assert main(["build", "cart_pole", "--reference", "-o", str(folder / "cart.fmu")]) == 0
    return folder / "cart.fmu"


def digests(folder):
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}


def test_beside_the_fmu_lie_the_files_of_the_cross_check(built):
    names = {path.name for path in built.parent.iterdir()}
    assert names == {"cart.fmu", "cart_ref.csv", "cart_in.csv", "cart_ref.opt"}
    for ours, theirs in (("cart_ref.csv", "reference.csv"), ("cart_in.csv", "input.csv")):
        one, other = read_csv(built.with_name(ours), repeats="held"), read_csv(CART / theirs)
        assert one.names == other.names
        assert np.array_equal(one.time, other.time)
        assert np.array_equal(one.values, other.values)
        assert not any("," in name or '"' in name for name in one.names)
    pairs = [line.split(",") for line in built.with_name("cart_ref.opt").read_text().splitlines()]
    options = {key: float(value) for key, value in pairs}
    time = read_csv(CART / "reference.csv").time
    assert options == {
        "StartTime": 0.0,
        "StopTime": time[-1],
        "StepSize": pytest.approx(np.diff(time).min(), rel=1e-12),
        "RelTol": 1e-9,
    }


def test_names_are_quoted_and_a_jump_is_a_time_that_stands_twice():
    """Rules of the FMI cross-check 4.1: inputs are read on straight lines."""
    reference = Trajectory(np.array([0.0, 0.5]), ("a.q",), np.zeros((2, 1)))
    steps = np.array([[1.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    inputs = Trajectory(np.array([0.0, 0.25, 0.5]), ("a.tau", "b.f"), steps)
    files = side_files("it", Experiment(reference, inputs))
    assert files["it_in.csv"].decode().splitlines() == [
        '"time","a.tau","b.f"',
        "0.0,1.0,0.0",
        "0.25,1.0,0.0",
        "0.5,1.0,0.0",
        "0.5,2.0,0.0",
    ]
    assert files["it_ref.csv"].startswith(b'"time","a.q"\n')


# CVode ends at each of 300 jumps and begins anew: its own errors add up
@pytest.mark.parametrize(("kind", "allowed"), [("CoSimulation", 1e-6), ("ModelExchange", 1e-5)])
def test_another_tool_gets_the_reference_from_the_files_alone(kind, allowed, built):
    """fmpy's own simulation, told nothing but what the .opt and the _in.csv say."""
    lines = built.with_name("cart_ref.opt").read_text().split()
    options = {key: float(value) for key, value in (line.split(",") for line in lines)}
    reference = read_csv(built.with_name("cart_ref.csv"))
    result = fmpy.simulate_fmu(
        str(built),
        fmi_type=kind,
        start_time=options["StartTime"],
        stop_time=options["StopTime"],
        step_size=options["StepSize"],
        output_interval=options["StepSize"],
        relative_tolerance=options["RelTol"],
        input=fmpy.util.read_csv(built.with_name("cart_in.csv")),
        output=["rail.q", "hinge.q"],
    )
    rows = np.searchsorted(result["time"], reference.time - 1e-9)
    assert np.allclose(result["time"][rows], reference.time, rtol=0, atol=1e-9)
    for name in ("rail.q", "hinge.q"):
        expected = reference.column(name)
        assert np.abs(result[name][rows] - expected).max() <= allowed * np.ptp(expected)


def test_what_lies_beside_an_fmu_can_be_given_back_to_us(built, capsys):
    words = ["--reference", str(built.with_name("cart_ref.csv"))]
    words += ["--input", str(built.with_name("cart_in.csv"))]
    assert main(["validate", str(built), *words]) == 0
    # on straight lines a jump would be lost without a word
    assert main(["validate", str(built), *words, "--interpolate", "linear"]) == 1
    assert "time does not ascend" in capsys.readouterr().err


def test_held_inputs_inside_are_not_read_on_straight_lines(built):
    with pytest.raises(DataError, match="the inputs inside are held; leave --interpolate out"):
        validate_fmu(built, interpolate=True)


def test_inside_lies_a_manifest_that_leads_to_the_experiment(built):
    """Element and attribute names of FMI-LS-REF 1.0.0-alpha.1."""
    with zipfile.ZipFile(built) as archive:
        inside = {n: archive.read(n) for n in archive.namelist() if n.startswith("extra/")}
    manifest = ET.fromstring(inside[f"{FOLDER}/fmi-ls-manifest.xml"])
    assert manifest.tag == "fmiReferences"
    space = "{http://fmi-standard.org/fmi-ls-manifest}"
    assert manifest.attrib == {
        f"{space}fmi-ls-name": "org.fmi-standard.fmi-ls-ref",
        f"{space}fmi-ls-version": "1.0.0-alpha.1",
        f"{space}fmi-ls-description": "Layered Standard providing information on related files "
        "included in an FMU.",
    }
    related = {r.get("source"): r.get("role") for r in manifest.findall("Related")}
    assert related == {
        "experiments.xml": "experiment/validation",
        "cart_pole_ref.csv": "result",
        "cart_pole_in.csv": "other",
    }
    assert {f"{FOLDER}/{source}" for source in related} <= set(inside)
    (one,) = ET.fromstring(inside[f"{FOLDER}/experiments.xml"]).findall("Experiment")
    assert [child.tag for child in one] == ["Stimuli", "References"]
    assert float(one.get("stopTime")) == read_csv(CART / "reference.csv").time[-1]
    assert {"name", "startTime", "stepSize", "tolerance"} <= set(one.keys())
    assert check_fmu(built) == []


def test_an_fmu_alone_proves_itself_in_an_empty_folder_and_a_fresh_process(built, tmp_path):
    alone = tmp_path / "alone.fmu"
    alone.write_bytes(built.read_bytes())
    words = [sys.executable, "-m", "mbd_fmu", "validate", "alone.fmu"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[1].split()
    signals = len(read_csv(CART / "reference.csv").names)
    assert row[:3] == ["cart_pole", "pass", str(signals)]
    assert [path.name for path in tmp_path.iterdir()] == ["alone.fmu"]


def test_a_reference_inside_can_fail(built, tmp_path):
    """One value changed in the archive is one failure."""
    wrong = tmp_path / "wrong.fmu"
    table = f"{FOLDER}/cart_pole_ref.csv"
    with zipfile.ZipFile(built) as source, zipfile.ZipFile(wrong, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == table:
                header, first, rest = data.split(b"\n", 2)
                data = b"\n".join([header, first.replace(b"0.0,0.0,", b"0.0,0.5,", 1), rest])
            target.writestr(name, data)
    assert [f.split(":")[0] for f in validate_fmu(wrong).failures] == ["rail.q"]


def test_the_reference_changes_bytes_but_not_the_identity_of_an_fmu(tmp_path, built, fmu_of):
    """Behaviour is the same, so the GUID and the library are; two builds give the same bytes."""
    plain = fmu_of(read_model(CART))
    experiment = Experiment(read_csv(CART / "reference.csv"), read_csv(CART / "input.csv"))
    again = build_fmu(read_model(CART), tmp_path / "cart.fmu", experiment=experiment)
    assert digests(tmp_path) == digests(built.parent)
    assert {path.name for path in again.side_files} == digests(tmp_path).keys() - {"cart.fmu"}
    with zipfile.ZipFile(plain) as one, zipfile.ZipFile(again.path) as other:
        extra = set(other.namelist()) - set(one.namelist())
        assert all(name.startswith(f"{FOLDER}/") for name in extra)
        assert len(extra) == 4
        assert all(one.read(name) == other.read(name) for name in one.namelist())


def test_without_inputs_there_is_no_file_of_inputs():
    reference = Trajectory(np.array([0.0, 0.25, 0.5]), ("pin.q",), np.zeros((3, 1)))
    files = side_files("it", Experiment(reference))
    assert set(files) == {"it_ref.csv", "it_ref.opt"}
    assert files["it_ref.opt"] == b"StartTime,0.0\nStopTime,0.5\nStepSize,0.25\nRelTol,1e-09\n"


def test_steps_meet_the_rows_of_inputs_between_those_of_results():
    time = np.array([0.0, 0.2, 0.4])
    reference = Trajectory(time, ("pin.q",), np.zeros((3, 1)))
    inputs = Trajectory(np.arange(4) * 0.1, ("pin.tau",), np.zeros((4, 1)))
    assert Experiment(reference, inputs).step == pytest.approx(0.1)


@pytest.fixture
def lonely(tmp_path, monkeypatch):
    """A model without a reference beside it, in an empty folder."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.toml").write_bytes((CART / "model.toml").read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("table", "words", "message"),
    [
        (None, ["--reference"], "no reference.csv beside it; add one, or name a table"),
        (
            "time,rail.p\n0,0\n1,0\n",
            ["--reference", "r.csv"],
            "no output named rail.p; the outputs",
        ),
        ("time,rail.q\n0,0\n", ["--reference", "r.csv"], "the reference has one row"),
        ("time\n0\n1\n", ["--reference", "r.csv"], "the reference has no signals"),
        ("time,rail.q\n0,0\n1,0\n", ["--reference", "r.csv", "--input", "r.csv"], "no input named"),
        (None, ["--input", "r.csv"], "--input belongs to a reference; add --reference"),
        (None, ["--reference", "r.csv"], "r.csv: cannot be read"),
    ],
)
def test_a_reference_that_does_not_fit_is_told_and_nothing_is_written(
    table, words, message, lonely, capsys
):
    if table:
        (lonely / "r.csv").write_text(table)
    before = sorted(lonely.iterdir())
    assert main(["build", "model", *words]) == 1
    assert message in capsys.readouterr().err
    assert sorted(lonely.iterdir()) == before


def test_a_side_file_that_cannot_be_written_leaves_no_fmu(lonely):
    (lonely / "it_ref.opt").mkdir()
    experiment = Experiment(read_csv(CART / "reference.csv"))
    with pytest.raises(MbdFmuError, match="cannot be written: Is a directory"):
        build_fmu(read_model(CART), lonely / "it.fmu", experiment=experiment)
    assert {path.name for path in lonely.iterdir()} == {"it_ref.opt", "model"}


def archive(path, **files):
    with zipfile.ZipFile(path, "w") as target:
        for name, text in files.items():
            target.writestr(f"{FOLDER}/{name.replace('__', '.').replace('_', '-')}", text)
    return path


LEADS = '<fmiReferences><Related source="{}" role="experiment"/></fmiReferences>'


def test_an_archive_without_experiment_carries_none(tmp_path):
    assert carried_experiment(archive(tmp_path / "a.fmu")) is None
    other = '<fmiReferences><Related source="model.mo" role="model"/></fmiReferences>'
    assert carried_experiment(archive(tmp_path / "b.fmu", fmi_ls_manifest__xml=other)) is None


@pytest.mark.parametrize(
    ("manifest", "experiments", "message"),
    [
        ("<fmiReferences>", "", "fmi-ls-manifest.xml is no XML"),
        (LEADS.format("gone.xml"), "", 'names "gone.xml", which is not in the archive'),
        (LEADS.format("../../../etc/passwd"), "", "not in the archive"),
        (
            LEADS.format("e.xml"),
            '<Experiments><Experiment><References source="r.csv"/></Experiment></Experiments>',
            'names "r.csv", which is not in the archive; build it anew, or give --reference',
        ),
        (
            LEADS.format("e.xml"),
            '<Experiments><Experiment><References source="r.h5" type="application/hdf5"/>'
            "</Experiment></Experiments>",
            "application/hdf5, which is not read here",
        ),
    ],
)
def test_a_manifest_that_leads_nowhere_is_told(manifest, experiments, message, tmp_path):
    path = archive(tmp_path / "a.fmu", fmi_ls_manifest__xml=manifest, e__xml=experiments)
    with pytest.raises(FmuError) as caught:
        carried_experiment(path)
    assert message in str(caught.value)


def test_a_wrong_table_inside_is_told_with_its_place(tmp_path):
    path = archive(
        tmp_path / "a.fmu",
        fmi_ls_manifest__xml=LEADS.format("e.xml"),
        e__xml='<Experiments><Experiment><References source="r.csv"/></Experiment></Experiments>',
        r__csv="time,a\n0,x\n",
    )
    with pytest.raises(DataError, match=r'r\.csv, row 2, column "a": "x" is no finite number'):
        carried_experiment(path)
