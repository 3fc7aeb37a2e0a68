"""``mbd-fmu linearize``, ``equilibrium`` and ``modes``: what is printed, written and refused."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from mbd_fmu.cli import main
from mbd_fmu.model.library import library


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def command(*words):
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def test_linearize_prints_matrices_and_eigenvalues(run):
    code, out, _ = run("linearize", "cart_pole", "--at", "hinge.q=0", "--outputs", "*.q")
    assert code == 0
    assert out.startswith("cart_pole: 2 freedoms of position, 2 of velocity; 1 input, 2 outputs\n")
    assert "hinge.qd" in out
    assert "5.2942" in out  # sqrt(m g h (M + m) / det of the inertia)
    assert "unstable: 1 of 4 eigenvalues grow" in out


def test_linearize_for_programs_and_other_tools(run):
    words = ("linearize", "double_pendulum", "--equilibrium", "--outputs", "elbow.q,*.qdd")
    code, out, err = run(*words, "--json", "--npz", "a.npz", "--mat", "a.mat", "--bode", "a.html")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    values = np.array([complex(*pair) for pair in facts["eigenvalues"]])
    np.testing.assert_allclose(
        values, np.sort_complex(values)[np.argsort(np.abs(values))], atol=100
    )
    assert len(values) == 4
    assert [q["name"] for q in facts["outputs"]] == ["elbow.q", "shoulder.qdd", "elbow.qdd"]
    npz, mat = np.load("a.npz"), loadmat("a.mat")
    for key in "ABCD":
        np.testing.assert_array_equal(npz[key], facts[key])
        np.testing.assert_array_equal(mat[key], facts[key])
    assert list(npz["states"]) == [q["name"] for q in facts["states"]]
    assert [cell[0] for cell in mat["states"].ravel()] == list(npz["states"])
    assert [cell[0] for cell in mat["inputs_units"].ravel()] == ["N.m", "N.m"]
    text = Path("a.html").read_text(encoding="utf-8")
    assert text.count('class="plot"') == 3
    assert "frequency in Hz" in text


def test_what_runs_away_has_no_frequency(run):
    """The pole upright: sqrt(m g h (M + m) / det of the inertia), as above."""
    code, out, _ = run("modes", "cart_pole", "--at", "hinge.q=0")
    undamped = [line for line in out.split("\n\n")[0].splitlines() if line.startswith("2")]
    assert code == 0
    assert undamped[0].split()[:4] == ["2", "grows,", "5.2942", "1/s"]


def test_blanks_in_lists_of_names_are_no_matter(run):
    words = ("linearize", "double_pendulum", "--inputs", "", "--json", "--outputs")
    code, out, _ = run(*words, "elbow.q, shoulder.q")
    assert code == 0
    assert [q["name"] for q in json.loads(out)["outputs"]] == ["elbow.q", "shoulder.q"]


def test_linearize_about_a_steady_motion(run):
    """The bicycle at 5 m/s, between weave and capsize speed: nothing grows."""
    words = ("--equilibrium", "--rate", f"rear_axle.qd={5.0 / 0.3:.15g}", "--outputs", "", "--json")
    code, out, _ = run("linearize", "bicycle", *words)
    facts = json.loads(out)
    assert (code, facts["stability"]) == (0, "neutral")
    values = np.array([complex(*pair) for pair in facts["eigenvalues"]])
    weave = values[np.argmax(values.imag)]
    # Meijaard et al. (2007), table 2, v = 5 m/s
    assert weave == pytest.approx(-0.7753418821958424 + 4.46486771378823j, rel=1e-9)


def test_equilibrium_writes_a_model_that_rests(run, tmp_path):
    code, out, _ = run("equilibrium", "quarter_car", "-o", "rests.toml")
    assert code == 0
    assert "quarter_car: at rest, found in" in out
    assert "stable: what is disturbed dies away" in out
    code, out, _ = run("equilibrium", "rests.toml", "--json")
    facts = json.loads(out)
    assert (code, facts["steps"], facts["stability"]) == (0, 0, "stable")
    assert "# " in (tmp_path / "rests.toml").read_text(encoding="utf-8")


def test_equilibrium_writes_components_of_vectors_also_where_names_are_flat(run, tmp_path):
    """A weight on a spring sinks by its weight over the stiffness."""
    (tmp_path / "scale.toml").write_text(
        """
        model = { name = "scale", drive = "none" }
        parameters = { set = [2.0, 100.0] }
        body = [{ name = "pan", mass = "set[1]", com = [0, 0, 0], inertia = { shape = "point" } }]
        fmu = { naming = "flat" }
        [[joint]]
        name = "slide"
        type = "prismatic"
        parent = "ground"
        child = "pan"
        point = [0, 0, 0]
        axis = [0, 0, 1]
        stiffness = "set[2]"
        """,
        encoding="utf-8",
    )
    code, *_ = run("equilibrium", "scale.toml", "--set", "set_2=200", "-o", "rests.toml")
    assert code == 0
    written = tomllib.loads((tmp_path / "rests.toml").read_text(encoding="utf-8"))
    assert written["parameters"]["set"] == [2.0, 200.0]
    assert written["joint"][0]["position"] == pytest.approx(-2.0 * 9.81 / 200.0, rel=1e-9)


def test_equilibrium_of_a_robot_becomes_a_model_file_and_inputs_are_told(run):
    code, out, err = run("equilibrium", "gripper_arm", "--trim", "-o", "held.toml")
    assert code == 0, err
    assert "a model file holds no inputs; set these where it runs: " in err
    code, out, _ = run("show", "held.toml")
    assert code == 0
    assert out.startswith("gripper_arm")


def test_modes_are_printed_and_shown(run, tmp_path):
    code, out, _ = run("modes", "double_pendulum")
    assert code == 0
    assert "0.64791" in out
    assert "double_pendulum_modes.html  modes in motion" in out
    text = (tmp_path / "double_pendulum_modes.html").read_text(encoding="utf-8")
    assert text.count('<div class="mechanism" data-play>') == 2
    code, out, _ = run("modes", "double_pendulum", "--json", "-o", "other.html")
    assert [mode["frequency"] for mode in json.loads(out)["undamped"]] == pytest.approx(
        [0.64791, 1.5845], rel=1e-4
    )
    assert (tmp_path / "other.html").exists()


def test_every_command_that_seeks_an_equilibrium_takes_what_it_is_told_to_hold(run):
    """The elbow at a right angle, held there; the shoulder then swings with what it carries."""
    held = ("--at", "elbow.q=1.5707963", "--hold", "elbow.q", "--solve", "elbow.tau")
    found = {}
    for words in (("equilibrium",), ("linearize", "--equilibrium"), ("modes",)):
        code, out, err = run(words[0], "double_pendulum", *words[1:], *held, "--json")
        assert code == 0, err
        found[words[0]] = json.loads(out)
    poles = np.array(found["equilibrium"]["eigenvalues"])
    assert found["linearize"]["eigenvalues"] == pytest.approx(poles, abs=1e-12)
    turning = sorted(im for _, im in poles if im > 0)
    assert [m["eigenvalue"][1] for m in found["modes"]["damped"]] == pytest.approx(turning)
    assert turning != pytest.approx([4.07, 9.95], rel=0.05)  # those of hanging straight


def test_what_is_of_an_equilibrium_alone_is_refused_without_one(run):
    code, _, err = run("linearize", "double_pendulum", "--hold", "elbow.q", "--rate", "elbow.qd=1")
    assert code == 1
    assert "--rate, --hold: of an equilibrium that is to be found; add --equilibrium" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("linearize", "cart_pole", "--at", "hinge.q"),
            "--at 'hinge.q' has no =; write --at NAME=VALUE",
        ),
        (("linearize", "cart_pole", "--outputs", "nothing*"), 'no output "nothing*"'),
        (
            ("linearize", "cart_pole", "--inputs", "", "--bode", "a.html"),
            "needs an input and an output",
        ),
        (
            ("linearize", "a.fmu", "--equilibrium"),
            "--equilibrium: of models; an FMU is linearised at its start",
        ),
        (("linearize", "rolling_disc", "--rate", "flight.w.y=9"), "add --equilibrium"),
        (("equilibrium", "kepler_orbit"), "no equilibrium found"),
        (("equilibrium", "cart_pole", "--rate", "hinge.qd=1"), "the motion is not steady"),
        (
            ("equilibrium", "cart_pole", "--hold", "hinge"),
            'no coordinate of a joint of the tree "hinge"',
        ),
        (("modes", "a.fmu"), "an FMU is not read here"),
    ],
)
def test_what_cannot_be_is_said_in_one_message_and_leaves_nothing(words, said, run, tmp_path):
    code, out, err = run(*words)
    assert code == 1
    assert said in err
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_equilibrium_never_writes_over_the_model_it_reads(run, tmp_path):
    assert run("equilibrium", "quarter_car", "-o", "rests.toml")[0] == 0
    before = (tmp_path / "rests.toml").read_bytes()
    code, _, err = run("equilibrium", "rests.toml", "--at", "heave.q=0.01", "-o", "./rests.toml")
    assert code == 1
    assert "rests.toml: is the file to be read; name another one to write" in err
    assert (tmp_path / "rests.toml").read_bytes() == before


def test_a_failed_file_leaves_no_other(run, tmp_path):
    (tmp_path / "b.html").mkdir()
    code, _, err = run("linearize", "cart_pole", "--npz", "a.npz", "--bode", "b.html")
    assert code == 1
    assert "b.html" in err
    assert not (tmp_path / "a.npz").exists()
    assert library()["cart_pole"].is_dir()
