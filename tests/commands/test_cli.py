"""The commands as a user types them: what they print, what they write, how they end."""

import json
import re
from pathlib import Path

import pytest
from lxml import etree

from mbd_fmu.signals.csv_files import read_csv

ROOT = Path(__file__).resolve().parents[2]

FOUR_BAR = """
[model]
name = "four_bar"
[[body]]
name = "crank"
mass = 1
com = [0, 0, 0.1]
inertia = { shape = "rod", length = 0.2 }
[[body]]
name = "coupler"
mass = 1
com = [0.2, 0, 0.2]
inertia = { shape = "rod", length = 0.4, axis = [1, 0, 0] }
[[body]]
name = "rocker"
mass = 1
com = [0.4, 0, 0.1]
inertia = { shape = "rod", length = 0.2 }
"""
for _name, _parent, _child, _point in (
    ("a", "ground", "crank", [0, 0, 0]),
    ("b", "crank", "coupler", [0, 0, 0.2]),
    ("c", "coupler", "rocker", [0.4, 0, 0.2]),
    ("d", "rocker", "ground", [0.4, 0, 0]),
):
    FOUR_BAR += f"""
[[joint]]
name = "{_name}"
type = "revolute"
parent = "{_parent}"
child = "{_child}"
point = {_point}
axis = [0, 1, 0]
"""


def test_models_lists_what_comes_with_the_project(run):
    code, out, _ = run("models")
    assert code == 0
    assert re.search(r"^cart_pole +A pole hinged to a cart", out, re.MULTILINE)
    listed = json.loads(run("models", "--json")[1])
    assert set(listed) == {path.parent.name for path in ROOT.glob("models/*/reference.csv")}


def test_show_draws_the_tree_and_lists_the_interface(run):
    code, out, _ = run("show", "double_pendulum")
    assert code == 0
    assert "ground\n└─ shoulder (revolute, 1 freedom) ─ 1 upper\n" in out
    assert "   └─ elbow (revolute, 1 freedom) ─ 2 lower\n" in out
    assert "body-connection array (0, 1)" in out
    assert "inputs      shoulder.tau, elbow.tau\n" in out


def test_show_for_programs_has_the_keys_of_the_contract(run):
    facts = json.loads(run("show", "six_axis_arm", "--json")[1])
    assert set(facts) >= {
        *("bodies", "joints", "body_connection_array", "incidence", "path_matrix", "chains"),
        *("cut_joints", "coordinates", "freedoms", "gruebler", "rank", "redundant"),
        *("unique_reactions", "variables"),
    }
    assert facts["body_connection_array"] == [0, 1, 2, 3, 4, 5]
    assert facts["freedoms"] == facts["gruebler"] == 6
    assert facts["path_matrix"][0] == [1] * 6


def test_show_prints_hustons_array_as_he_does_and_its_powers(run):
    """R. L. Huston's bodies are numbered by him; the numbers are kept. [001]"""
    out = run("show", "huston_tree")[1]
    assert (
        "  body-connection array (0, 1, 2, 1, 2, 1, 1, 7)\n"
        "  L^0 1 2 3 4 5 6 7 8\n"
        "  L^1 0 1 2 1 2 1 1 7\n"
        "  L^2 0 0 1 0 1 0 0 1\n"
        "  L^3 0 0 0 0 0 0 0 0\n"
        "  u   0 1 2 1 2 1 1 2\n"
    ) in out
    facts = json.loads(run("show", "huston_tree", "--json")[1])
    assert facts["bodies"] == [f"body{k}" for k in range(1, 9)]
    assert [joint["name"] for joint in facts["joints"]] == [f"joint{k}" for k in range(1, 9)]
    assert facts["body_connection_array"] == facts["powers"][1] == [0, 1, 2, 1, 2, 1, 1, 7]
    assert facts["powers"][-1] == [0] * 8
    assert facts["u"] == [0, 1, 2, 1, 2, 1, 1, 2]
    names = [v["name"] for v in facts["variables"] if v["name"].endswith(".r.x")]
    assert names == [f"body{k}.r.x" for k in range(1, 9)]


def test_show_tells_loops_cuts_rank_and_what_is_unique(run, tmp_path):
    (tmp_path / "four_bar.toml").write_text(FOUR_BAR)
    code, out, _ = run("show", "four_bar.toml")
    assert code == 0
    assert "closed kinematic chain: " in out
    assert "cut joints: b (revolute)" in out
    facts = json.loads(run("show", "four_bar.toml", "--json")[1])
    (chain,) = facts["chains"]
    assert chain["kinematic"] is True
    assert set(chain["couplings"]) == set("abcd")
    assert facts["cut_joints"] == ["b"]
    assert facts["gruebler"] == -2  # 3 freedoms of the tree less 5 rows
    assert (facts["rank"], facts["freedoms"]) == (2, 1)
    assert facts["redundant"] == {"b": 3}
    assert facts["unique_reactions"] == [f"{j}.force.{c}" for j in "adcb" for c in "xz"]
    assert len(facts["shared_reactions"]) == 12
    assert "free motion: with a.qd 1 rad/s: " in out
    assert run("build", "four_bar.toml")[0] == 0


def test_the_picture_of_the_graph_names_every_body_and_coupling(run, tmp_path):
    (tmp_path / "four_bar.toml").write_text(FOUR_BAR)
    assert run("show", "four_bar.toml", "--graph", "graph.svg")[0] == 0
    root = etree.fromstring((tmp_path / "graph.svg").read_bytes())
    texts = " ".join(root.itertext())
    for word in ("ground", "crank", "coupler", "rocker", "a, revolute", "b, revolute, cut"):
        assert word in texts
    assert len(root.findall(".//{*}path[@class='cut']")) == 1


def test_build_says_what_it_made_and_with_which_compiler(run, tmp_path):
    code, out, _ = run("build", "pendulum", "-o", "p.fmu")
    assert code == 0
    assert (tmp_path / "p.fmu").is_file()
    assert re.search(r"compiler +zig \d+\.\d+", out)
    facts = json.loads(run("build", "pendulum", "--json")[1])
    assert Path(facts["fmu"]).name == "pendulum.fmu"
    assert facts["library_bytes"]["linux64"] < 300_000
    assert facts["motion_operations"] == facts["operations"]["derivatives"]


def test_operations_of_a_loop_are_those_of_its_fast_way(run):
    facts = json.loads(run("build", "four_bar", "--json")[1])
    assert facts["motion_operations"] == facts["operations"]["motion"] > 100
    assert f"operations {facts['motion_operations']} per evaluation" in run("build", "four_bar")[1]


def test_simulate_runs_a_model_and_its_fmu_alike(run, tmp_path):
    run("build", "cart_pole", "-o", "cart.fmu")
    inputs = ROOT / "models" / "cart_pole" / "input.csv"
    words = ("--stop", 0.2, "--step", 0.01, "--input", inputs, "--set", "pole_mass=0.3")
    assert run("simulate", "cart_pole", *words, "-o", "model.csv")[0] == 0
    assert run("simulate", "cart.fmu", *words, "-o", "fmu.csv", "--plot")[0] == 0
    model, fmu = read_csv(tmp_path / "model.csv"), read_csv(tmp_path / "fmu.csv")
    assert model.names == fmu.names
    # one algorithm in two languages; rounding grows over 20 steps
    assert abs(model.values - fmu.values).max() < 1e-9
    page = (tmp_path / "fmu.html").read_text()
    assert "hinge.q" in page
    assert "<script src=" not in page


def test_a_page_of_a_run_has_the_shapes_of_its_values(run, tmp_path):
    """A pole twice as long as half of it: 0.8 m, where the model declares 0.6 m."""
    words = ("--stop", 0.02, "--set", "half_length=0.4", "-o", "long.csv", "--plot")
    assert run("simulate", "cart_pole", *words)[0] == 0
    page = (tmp_path / "long.html").read_text()
    text = page.split('class="scene">')[1].split("</script>")[0]
    _, pole = json.loads(text)["bodies"]
    assert (pole["com"], pole["solids"][0]["end"]) == ([0.0, 0.0, 0.4], [0.0, 0.0, 0.8])


def test_validate_passes_what_is_right_and_fails_what_is_not(run, tmp_path):
    code, out, _ = run("validate", "cart_pole", "--report", "report.html")
    assert code == 0
    assert "pass" in out
    assert "cart_pole" in (tmp_path / "report.html").read_text()
    reference = (ROOT / "models" / "cart_pole" / "reference.csv").read_text()
    header, first, *rest = reference.splitlines()
    wrong = first.split(",")
    wrong[1] = "0.01"
    (tmp_path / "wrong.csv").write_text("\n".join([header, ",".join(wrong), *rest]))
    code, out, _ = run("validate", "cart_pole", "--reference", "wrong.csv")
    assert code == 1
    assert "rail.q: off by 0.01 m" in out
    found = json.loads(run("validate", "cart_pole", "--reference", "wrong.csv", "--json")[1])
    assert [f.split(":")[0] for f in found[0]["failures"]] == ["rail.q"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "cartpole"], 'no model of ours; did you mean "cart_pole"?'),
        (
            ["build", "pendulum", "--compiler", "nocc"],
            'no compiler "nocc" found; use --compiler zig',
        ),
        (
            ["build", "pendulum", "--platforms", "linux"],
            'no platform "linux"; did you mean "linux64"?',
        ),
        (["build", "pendulum", "-o", "."], "cannot be written"),
        (["simulate", "pendulum", "--set", "mas=1"], 'no parameter "mas"; did you mean "mass"?'),
        (["simulate", "pendulum", "--set", "mass"], "write --set NAME=VALUE"),
        (["simulate", "pendulum", "--input", "none.csv"], "none.csv: cannot be read"),
        (["simulate", "none.fmu"], "none.fmu: cannot be read as an FMU"),
        (["simulate", "a.fmu", "--formulation", "absolute"], "--formulation is of models"),
        (
            ["simulate", "pendulum", "--stop", "0.1", "-o", "no/folder.csv"],
            "no/folder.csv: No such file",
        ),
    ],
)
def test_what_the_user_can_mend_is_one_message_and_exit_code_1(words, message, run):
    code, out, err = run(*words)
    assert code == 1
    assert err.startswith("mbd-fmu: ")
    assert message in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    "words", [[], ["build"], ["simulate", "pendulum", "--stop", "-1"], ["fly"]]
)
def test_wrong_usage_is_exit_code_2(words, run):
    with pytest.raises(SystemExit) as caught:
        run(*words)
    assert caught.value.code == 2


def test_closed_loops_run_in_absolute_coordinates(run, tmp_path):
    """A four-bar that stands as a rectangle, and falls; its joints stay closed."""
    (tmp_path / "four_bar.toml").write_text(FOUR_BAR)
    words = ("--stop", 0.05, "--step", 0.01, "--formulation", "absolute", "-o", "out.csv")
    code, _, err = run("simulate", "four_bar.toml", *words)
    assert code == 1  # rods without thickness have no inertia about their own axis
    assert 'body "crank": has no mass or no inertia' in err
    solid = re.sub(
        r'shape = "rod", length = [\d.]+(, axis = \[1, 0, 0\])?',
        'shape = "sphere", radius = 0.1',
        FOUR_BAR,
    )
    (tmp_path / "four_bar.toml").write_text(solid)
    assert run("simulate", "four_bar.toml", *words)[0] == 0
    result = read_csv(tmp_path / "out.csv")
    assert result.column("constraint.position_error").max() < 1e-11
    assert set(result.column("constraint.rank")) == {17.0}


STIFF = """
[model]
name = "held"
[[body]]
name = "rod"
mass = 1
com = [0.5, 0, 0]
inertia = { shape = "box", size = [1, 0.1, 0.1] }
[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "rod"
point = [0, 0, 0]
axis = [0, 1, 0]
stiffness = 1e6
damping = 1e4
"""


def test_simulate_says_that_a_motion_is_stiff_and_what_helps(run):
    Path("model.toml").write_text(STIFF)
    code, out, err = run("simulate", "model.toml", "--stop", "0.02")
    assert code == 0
    assert "3 rows" in out
    assert re.fullmatch(
        r"mbd-fmu: t = \S+: the motion is stiff: .*; write solver = \"stiff\" into \[fmu\]\n", err
    )
    assert run("build", "model.toml")[0] == 0
    code, _, err = run("simulate", "held.fmu", "--stop", "0.02")
    assert code == 0
    assert re.fullmatch(r"mbd-fmu: .* build the FMU with solver = \"stiff\" in \[fmu\]\n", err)


def test_simulate_with_the_stiff_solver_has_nothing_to_say(run):
    Path("model.toml").write_text(STIFF + '[fmu]\nsolver = "stiff"\n')
    assert run("simulate", "model.toml", "--stop", "0.02")[::2] == (0, "")
