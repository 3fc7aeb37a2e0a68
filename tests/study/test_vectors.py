"""Components of vectors in studies and from Python; what follows from others is not set."""

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu import read_study
from mbd_fmu.cli import main
from mbd_fmu.errors import DataError, MbdFmuError, SpecError
from mbd_fmu.formats.start_values import with_start_values
from mbd_fmu.formats.toml_text import toml_text
from mbd_fmu.study.batch import run_batch
from mbd_fmu.system.system import system_of
from tests.declared import VALUES, plainly, with_names


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.toml").write_text(toml_text(with_names(), "test"), encoding="utf-8")
    return tmp_path / "model.toml"


def test_a_sweep_over_a_component_is_the_runs_of_single_values(file, tmp_path):
    words = ["--set", "knee[3]=0.5,0.55", "--stop", "0.05", "--step", "0.01", "-o", "study.npz"]
    assert main(["sweep", str(file), *words, "--outputs", "A.q*"]) == 0
    study = read_study(tmp_path / "study.npz")
    assert study["knee[3]"].tolist() == [0.5, 0.55]
    model = mbd_fmu.load(file)
    for k, height in enumerate((0.5, 0.55)):
        run = model.simulate(stop=0.05, step=0.01, parameters={"knee[3]": height})
        assert study["A.q.final"][k] == run["A.q"][-1]
    assert study["A.q.final"][0] != study["A.q.final"][1]


def test_whole_vectors_are_set_from_python(file):
    model = mbd_fmu.load(file)
    whole = {"knee": [0.1, 0.03, 0.5], "rate": 40.0}
    parts = {"knee[1]": 0.1, "knee[2]": 0.03, "knee[3]": 0.5, "rate": 40.0}
    one, other = (model.simulate(stop=0.02, step=0.01, parameters=p) for p in (whole, parts))
    assert np.array_equal(one["A.q"], other["A.q"])
    in_numbers = model.at(parameters=whole)
    plain = mbd_fmu.load(_plain(VALUES | parts))
    # sums in another order
    assert np.allclose(in_numbers.mass_matrix, plain.at().mass_matrix, rtol=1e-13, atol=1e-15)


def _plain(values):
    from mbd_fmu.model.reader import spec_of_table

    return spec_of_table(plainly(values), "plain")


def test_python_tells_vectors_of_another_size_and_what_follows_from_others(file):
    model = mbd_fmu.load(file)
    with pytest.raises(DataError, match=r'"knee": \[1, 2\]; give 3 numbers'):
        model.simulate(parameters={"knee": [1, 2]})
    with pytest.raises(DataError, match='parameter "area" follows from others; set those'):
        model.simulate(parameters={"area": 1.0})
    assert list(model.derived)[:1] == ["area"]
    assert model.derived["area"].start == pytest.approx(0.0015, rel=1e-15)


def test_a_batch_takes_whole_vectors_for_each_case_or_for_all(file):
    system, asked = system_of(mbd_fmu.load(file).spec()), {"stop": 0.02, "step": 0.01}
    knee = np.array([[0.1, 0.03, 0.5], [0.1, 0.02, 0.55]])
    parts = {f"knee[{k + 1}]": column for k, column in enumerate(knee.T)}
    whole, apart = (run_batch(system, p, **asked) for p in ({"knee": knee}, parts))
    assert np.array_equal(whole.values, apart.values)
    both = run_batch(system, {"knee": knee[1], "rate": [40.0, 41.0]}, **asked)
    single = run_batch(system, {"knee": knee[1:], "rate": [40.0]}, **asked)
    assert np.array_equal(both.values[0], single.values[0])
    for wrong in ([1.0, 2.0], np.ones((2, 2)), 3.0, "x"):
        with pytest.raises(SpecError, match=r'"knee" is a vector of 3; give an array \(cases, 3\)'):
            run_batch(system, {"knee": wrong}, **asked)
    with pytest.raises(SpecError, match="a vector of 3"):
        run_batch(system, {"knee": knee, "knee[2]": 0.1}, **asked)


def test_a_sweep_of_a_vector_lists_its_components(file, capsys):
    assert main(["sweep", str(file), "--set", "knee=0,0,-1"]) == 1
    told = '"knee" is a vector of 3; give its components: knee[1], knee[2], knee[3]'
    assert told in capsys.readouterr().err


def test_studies_tell_what_follows_from_others(file, capsys):
    assert main(["sweep", str(file), "--set", "area=1,2"]) == 1
    told = '--set area=1,2: "area" follows from other parameters; set those'
    assert told in capsys.readouterr().err
    with pytest.raises(SpecError, match='parameters: "area" follows from other parameters'):
        run_batch(system_of(mbd_fmu.load(file).spec()), {"area": [1.0]}, stop=0.1, step=0.01)


def test_commands_set_components_and_tell_what_follows(file, capsys):
    words = ["simulate", str(file), "--stop", "0.01"]
    assert main([*words, "--set", "knee[2]=0.03", "-o", "out.csv"]) == 0
    for name, told in (
        ("area", 'parameter "area" follows from others; set those'),
        ("knee", 'no parameter "knee"; did you mean "knee[3]"?'),
    ):
        capsys.readouterr()
        assert main([*words, "--set", f"{name}=1"]) == 1
        assert told in capsys.readouterr().err


def test_show_lists_what_is_declared(file, capsys):
    assert main(["show", str(file)]) == 0
    text = capsys.readouterr().out
    assert "knee[1] [2] [3]" in text
    assert "points      middle (crank), foot, hip (rocker), toe" in text
    assert "derived     area" in text


def test_what_follows_from_others_is_not_sought(file):
    with pytest.raises(DataError, match='parameter "area" follows from others; set those'):
        mbd_fmu.load(file).equilibrium(solve=["area"], wanted={"A.q": 0.0})


def test_components_are_written_into_the_model_file(file):
    text = with_start_values(file.read_text(encoding="utf-8"), {}, {}, {"knee[3]": 0.5, "h": 0.1})
    file.write_text(text, encoding="utf-8")
    nominal = mbd_fmu.load(file).spec().nominal
    assert (nominal["knee[2]"], nominal["knee[3]"], nominal["h"]) == (0.02, 0.5, 0.1)
    assert nominal["area"] == 0.03 * 0.1


def test_a_vector_of_an_expression_of_numbers_is_not_taken_apart():
    text = 'name = "it"\n[parameters]\nknee = "[1, 2, 3]/10"\n'
    with pytest.raises(MbdFmuError, match='"knee" is written as an expression; write a list'):
        with_start_values(text, {}, {}, {"knee[3]": 0.5})
