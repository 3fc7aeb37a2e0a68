"""Validation of many models at once: order, verdicts, files for programs, models that fail."""

import json
import os
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mbd_fmu.commands import console
from mbd_fmu.validate import batch
from mbd_fmu.validate.batch import Attempt, Settings, attempts
from mbd_fmu.validate.junit import write_junit

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture
def folder(tmp_path):
    """A folder of models: a right one, one with a wrong reference, one that is no model."""
    for name in ("pendulum", "kepler_orbit"):
        shutil.copytree(MODELS / name, tmp_path / "some" / name)
    table = tmp_path / "some" / "pendulum" / "reference.csv"
    header, first, *rest = table.read_text().splitlines()
    values = first.split(",")
    values[1] = repr(float(values[1]) + 0.25)
    table.write_text("\n".join([header, ",".join(values), *rest]))
    (tmp_path / "some" / "broken").mkdir()
    (tmp_path / "some" / "broken" / "model.toml").write_text("[model]\nname = 7\n")
    return tmp_path / "some"


def test_a_model_that_cannot_be_read_is_a_failed_row_and_the_others_go_on(run, folder):
    code, out, err = run("validate", folder, "--jobs", "2", "--junit", "out/found.xml")
    assert code == 1
    rows = [line.split()[:2] for line in out.splitlines()[1:4]]
    assert rows == [["broken", "FAIL"], ["kepler_orbit", "pass"], ["pendulum", "FAIL"]]
    assert "1 of 3 pass" in out
    assert re.search(r"^pendulum: pivot\.q: off by 0\.25 rad", out, re.MULTILINE)
    assert err.count("mbd-fmu: ") == 1
    assert "broken/model.toml" in err

    root = ET.parse("out/found.xml").getroot()
    (suite,) = root.findall("testsuite")
    told = {k: suite.get(k) for k in ("tests", "failures", "errors")}
    assert told == {"tests": "3", "failures": "1", "errors": "1"}
    cases = {case.get("name"): case for case in suite.findall("testcase")}
    assert list(cases) == ["broken", "kepler_orbit", "pendulum"]
    assert all(float(case.get("time")) >= 0 and case.get("classname") for case in cases.values())
    assert cases["kepler_orbit"].find("failure") is None
    assert "energy balance: off by" in cases["kepler_orbit"].find("system-out").text
    failure = cases["pendulum"].find("failure")
    assert failure.get("message").startswith("pivot.q: off by 0.25 rad")
    assert failure.text.startswith(failure.get("message"))
    assert "model.toml" in cases["broken"].find("error").text


def test_programs_read_the_same_verdicts(run, folder):
    shutil.rmtree(folder / "kepler_orbit")
    code, out, _ = run("validate", folder, "--json", "--jobs", "1")
    assert code == 1
    broken, pendulum = json.loads(out)
    assert (broken["name"], broken["passed"]) == ("broken", False)
    assert "model.toml" in broken["failures"][0]
    laws = {law["name"]: law for law in pendulum["invariants"]}
    assert set(laws) == {"energy balance", "length of quaternions"}
    assert laws["energy balance"]["passed"]
    assert laws["energy balance"]["worst"] < laws["energy balance"]["allowed"]
    assert pendulum["seconds"] > 0


def test_momentum_is_judged_where_a_model_flies(run):
    (found,) = json.loads(run("validate", "free_top_asymmetric", "--json")[1])
    laws = {law["name"] for law in found["invariants"] if law["passed"]}
    assert {"linear momentum", "angular momentum"} <= laws
    (found,) = json.loads(run("validate", "kepler_orbit", "--json")[1])
    assert not any("momentum" in law["name"] for law in found["invariants"])


def test_a_folder_without_models_is_told(run, tmp_path):
    code, _, err = run("validate", tmp_path)
    assert code == 1
    assert "no model.toml in it or in its folders" in err


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_no_process_at_all_is_wrong_usage(jobs, run):
    with pytest.raises(SystemExit) as caught:
        run("validate", "pendulum", "--jobs", jobs)
    assert caught.value.code == 2


def test_what_is_at_work_is_told_while_it_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "attempt", lambda t, _: Attempt(t.stem, t, 0.0, None, "no"))
    seen = []
    targets = [Path("b.fmu"), Path("a.fmu")]
    found = attempts(
        targets, Settings(tmp_path), 1, lambda done, names: seen.append((done, *names))
    )
    assert seen == [(0, "b"), (1, "a")]
    assert [a.path for a in found] == targets


def test_progress_names_the_models_at_work_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    monkeypatch.setenv("COLUMNS", "100")
    with console.counted_progress("validate", 3) as watch:
        watch(1, ["four_bar", "pendulum"])
    shown = capsys.readouterr().err
    assert "1/3" in shown
    assert "four_bar, pendulum" in shown


def test_progress_is_quiet_in_a_pipe(capsys):
    with console.counted_progress("validate", 3) as watch:
        watch(1, ["four_bar"])
    assert capsys.readouterr() == ("", "")


def ends_or_answers(target, _):
    """Stand for a validation: one target takes its process with it."""
    if target.stem == "deadly":
        os._exit(1)
    return Attempt(target.stem, target, 0.0, None, "answered")


def test_an_fmu_that_takes_its_process_with_it_does_not_take_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "attempt", ends_or_answers)
    targets = [Path(f"{name}.fmu") for name in ("one", "deadly", "two", "three", "four", "five")]
    found = {a.name: a.error for a in attempts(targets, Settings(tmp_path), 2)}
    assert list(found) == ["one", "deadly", "two", "three", "four", "five"]
    assert "ended without a word" in found.pop("deadly")
    assert set(found.values()) == {"answered"}


def test_messages_with_characters_xml_has_not_are_readable(tmp_path):
    ugly = Attempt("it", tmp_path, 1.5, None, "a \x00 <b> & \x1b[1m \ud800 ü")
    write_junit(tmp_path / "j.xml", [ugly])
    error = ET.parse(tmp_path / "j.xml").find(".//error")
    assert error.text == "a ? <b> & ?[1m ? ü"
