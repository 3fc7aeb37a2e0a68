"""``loads`` as a user types it: of models, FMUs and tables."""

import csv
import json

import numpy as np
import pytest

from mbd_fmu.signals.csv_files import read_csv


@pytest.fixture(scope="module")
def built(fmu_of):
    """The FMU of a slider crank, and its model's name."""
    from mbd_fmu.formats.model_files import read_model
    from mbd_fmu.model.library import library

    return fmu_of(read_model(library()["slider_crank"]), "native")


def test_a_model_is_run_and_every_file_written(run, tmp_path):
    words = ("--stop", 0.2, "-o", "e.csv", "--series", "s.csv", "--plot", "p.html", "--fem", "fem")
    code, out, _ = run("loads", "slider_crank", *words)
    assert code == 0
    assert out.splitlines()[0].split()[:3] == ["joint", "force", "N"]
    series = read_csv("s.csv")
    with (tmp_path / "e.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:  # extremes are those of the series
        name = ".".join(filter(None, (row["joint"], row["kind"], row["axes"], row["component"])))
        assert float(row["max"]) == series.column(name).max()
        assert series.column(name)[series.row_at(float(row["t_min"]))] == float(row["min"])
    assert {row["axes"] for row in rows} == {"", "world", "parent", "child", "joint"}
    assert "round the pin" in (tmp_path / "p.html").read_text(encoding="utf-8")
    files = sorted(path.name for path in (tmp_path / "fem").iterdir())
    bodies = {name.partition(".")[0] for name in files}
    assert files == sorted(f"{body}.{end}" for body in bodies for end in ("csv", "json"))


def test_load_cases_in_files_balance(run, tmp_path):
    """What another program reads: rows of a case sum to nothing, about any point."""
    code, out, _ = run("loads", "quarter_car", "--stop", 0.1, "--fem", "fem", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["cases"]
    for path in (tmp_path / "fem").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        for case in {row["case"] for row in rows}:
            own = [row for row in rows if row["case"] == case]
            f, n, p = (
                np.array([[float(row[prefix + x]) for x in "xyz"] for row in own])
                for prefix in ("force.", "moment.", "")
            )
            largest = np.abs(f).max()
            about = p - np.array([0.3, -2.0, 1.0])
            assert np.abs(f.sum(axis=0)).max() <= 1e-10 * largest
            assert np.abs((n + np.cross(about, f)).sum(axis=0)).max() <= 1e-10 * largest
        body = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        assert {load["kind"] for load in body["cases"][0]["loads"]} >= {"gravity", "inertia"}


def test_a_bare_fmu_tells_what_its_outputs_tell(run, built):
    code, out, err = run("loads", built, "--stop", 0.1, "--axes", "joint")
    assert code == 0
    assert "force.z, joint axes" in out
    assert err == ""
    code, _, err = run("loads", built, "--stop", 0.1, "--fem", "fem")
    assert code == 1
    assert "does not tell masses and springs; add --model MODEL" in err


def test_fmu_and_table_with_their_model_give_the_same(run, built, tmp_path):
    common = ("--model", "slider_crank", "--json")
    of_fmu = json.loads(run("loads", built, "--stop", 0.1, "--fem", "a", *common)[1])
    assert run("simulate", built, "--stop", 0.1, "-o", "r.csv")[0] == 0
    of_table = json.loads(run("loads", "r.csv", "--fem", "b", *common)[1])
    assert of_table["extremes"] == of_fmu["extremes"]
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("r.csv",), "add --model MODEL"),
        (("slider_crank", "--model", "four_bar"), "a model is one itself"),
        (("slider_crank", "--at", 1), "add --fem FOLDER"),
        (("r.csv", "--model", "slider_crank", "--stop", 1), "a table is taken as it is"),
        (("r.csv", "--model", "slider_crank", "--set", "a=1"), "--input and --set are of runs"),
        (("r.csv", "--model", "slider_crank"), "r.csv: cannot be read"),
    ],
)
def test_what_does_not_fit_together_is_refused(run, words, said):
    code, out, err = run("loads", *words)
    assert (code, out) == (1, "")
    assert said in err
