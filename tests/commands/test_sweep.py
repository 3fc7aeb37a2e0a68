"""``sweep`` and ``plot`` as a user types them."""

import json
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu import read_study, write_csv
from mbd_fmu.commands.sweep import _tell
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.study.results import Head, Study


def test_a_sweep_writes_a_file_and_a_page_and_says_so(run, tmp_path):
    words = ["--set", "length=1:2:3", "--set", "mass=1,2", "--stop", "0.1", "--outputs", "pivot.*"]
    code, out, err = run("sweep", "pendulum", *words, "--compute", "p=mass*length", "--plot")
    found = read_study(tmp_path / "pendulum_study.npz")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"pendulum_study.npz  6 cases, {len(found.columns)} columns",
        "pendulum_study.html  plots",
    ]
    assert found["p"].tolist() == [1, 2, 1.5, 3, 2, 4]
    assert found.head.units["length"] == "m"


def test_a_sweep_for_programs_tells_what_failed(run):
    code, out, _ = run("sweep", "slider_crank", "--set", "L=0.05,0.3", "--stop", "0.1", "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["cases"], list(facts["failed"])) == (2, ["0"])
    assert "the rows of wrist_pin have no finite value" in facts["failed"]["0"]


def test_people_are_told_what_failed_in_whole_messages_and_equal_ones_once(run):
    words = ["sweep", "slider_crank", "--set", "L=0.05,0.06,0.3", "--stop", "0.1"]
    _, facts, _ = run(*words, "--json")
    said = json.loads(facts)["failed"]["0"]
    code, out, err = run(*words)
    assert code == 0
    assert "3 cases, 2 failed" in out
    assert err == f"mbd-fmu: case 0 and 1 more failed: {said}\n"


def test_of_many_reasons_the_first_are_told_and_how_many_there_are(capsys):
    messages = dict(enumerate(["one", "two", "one", "three", "four", "five", "four"]))
    head = Head("arm", ("k",), (), {}, {}, (0.0,), has_trajectories=False)
    failed = np.array([True] * 7 + [False])
    _tell(Namespace(json=False), Study(head, {"k": np.ones(8)}, failed, messages, Path("x.npz")))
    assert capsys.readouterr().err.splitlines() == [
        "mbd-fmu: case 0 and 1 more failed: one",
        "mbd-fmu: case 1 failed: two",
        "mbd-fmu: case 3 failed: three",
        "mbd-fmu: ... and 3 more for other reasons; see messages of the file",
    ]


def test_where_all_cases_failed_there_is_something_to_mend(run, tmp_path):
    words = ["--set", "L=0.05,0.06", "--stop", "0.1", "--plot"]
    code, out, err = run("sweep", "slider_crank", *words)
    assert code == 1
    assert "2 cases, 2 failed" in out
    assert "case 0 and 1 more failed: " in err
    page = (tmp_path / "slider_crank_study.html").read_text("utf-8")
    assert "All 2 cases failed" in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "lenght=1"], 'no parameter or input "lenght"; did you mean "length"?'),
        ([], "cases: none; give --set or --cases"),
        (["--set", "mass=1:2:2", "-o", "x.csv"], "x.csv: a study is written as .npz or .parquet"),
        (["--set", "mass=1", "--outputs", "pivot.qqq"], 'no output "pivot.qqq"'),
        (["--set", "mass=1", "--show", "mass"], "--show is of the page; give --plot, too"),
        (["--set", "mass=1", "--plot", "--show", "x"], 'no column "x"'),
        (["--set", "mass=1", "--compute", "a=b"], 'no column "b"'),
        (["--cases", "none.csv"], "none.csv: cannot be read"),
        (["--set", "mass=1", "--input", "in.csv"], "pivot.tau"),
        (["--set", "mass=1", "--jobs", "2", "--scheduler", "x"], "--jobs is of this machine"),
        (["--set", "mass=1,2", "--seed", "3"], "--seed is of a sample; give --sample lhs:N, too"),
    ],
    ids=str,
)
def test_wrong_arguments_are_told_and_leave_nothing(run, tmp_path, words, told):
    (tmp_path / "in.csv").write_text("time,strange.tau\n0,1\n")
    code, out, err = run("sweep", "pendulum", *words)
    assert (code, out) == (1, "")
    assert told in err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("words", ["lhs", "lhs:0", "lhs:x", "sobol:8", "lhs:8 --seed -1"])
def test_a_sample_that_is_none_is_wrong_usage(run, words):
    with pytest.raises(SystemExit) as end:
        run("sweep", "pendulum", "--set", "mass=1:2", "--sample", *words.split())
    assert end.value.code == 2


def test_a_file_that_is_replaced_is_told(run):
    words = ("sweep", "pendulum", "--set", "length=1,2", "--stop", "0.1", "--outputs", "pivot.q")
    assert run(*words)[1] == "pendulum_study.npz  2 cases, 6 columns\n"
    again = "pendulum_study.npz  2 cases, 6 columns; the file that was there is replaced\n"
    assert run(*words)[1] == again


# --- plot ---


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_study_is_looked_at_again_without_being_run(run, tmp_path, suffix):
    words = ["--set", "length=1:2:3", "--stop", "0.1", "--outputs", "pivot.*", "--plot"]
    run("sweep", "pendulum", *words, "-o", f"of/study{suffix}", "--show", "pivot.q.*")
    page = tmp_path / "of" / "study.html"
    before = page.read_bytes()
    code, out, err = run("plot", f"of/study{suffix}", "--show", "pivot.q.*")
    assert (code, out, err) == (0, f"{Path('of/study.html')}  plots of 3 cases\n", "")
    assert page.read_bytes() == before
    code, out, _ = run("plot", f"of/study{suffix}", "--compute", "twice=2*length", "--json")
    assert (code, json.loads(out)["columns"][-1]) == (0, "twice")
    assert '"title":"twice"' in page.read_text("utf-8")
    read_study(f"of/study{suffix}").save("api.html", show=["pivot.q.*"])
    assert (tmp_path / "api.html").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["made.npz", "--signals", "x", "--first", "forces"], "--signals, --first: of tables over"),
        (["made.csv", "--show", "x"], "--show: of studies, .npz and .parquet; made.csv is none"),
        (["made.npz"], "made.npz: is no file of a study; mbd-fmu sweep writes them"),
        (["none.npz"], "none.npz: cannot be read"),
    ],
)
def test_what_is_no_study_cannot_be_looked_at(run, tmp_path, words, told):
    (tmp_path / "made.npz").write_bytes(b"no archive")
    code, _, err = run("plot", *words)
    assert code == 1
    assert told in err


@pytest.fixture
def tables(tmp_path):
    """x = t^2 on two grids, the second moved by 0.25 and only from 0.5 to 1.5."""
    for name, times, move in (("a", np.linspace(0, 1, 11), 0.0), ("b", [0.5, 0.55, 1.5], 0.25)):
        t = np.array(times)
        values = np.column_stack([t**2 + move, -t, t if name == "a" else 3 * t])
        last = "own" if name == "a" else "other"
        write_csv(tmp_path / f"{name}.csv", Trajectory(t, ("boom.force.x", "boom.q", last), values))


@pytest.mark.usefixtures("tables")
def test_plot_draws_any_table(run, tmp_path):
    code, out, _ = run("plot", "a.csv")
    assert (code, out) == (0, "a_plot.html  3 signals\n")
    code, out, _ = run("plot", "a.csv", "--signals", "boom.*", "-o", "x.html", "--json")
    assert json.loads(out) == {"file": "x.html", "signals": ["boom.force.x", "boom.q"]}
    assert "boom.q" in (tmp_path / "x.html").read_text()


@pytest.mark.usefixtures("tables")
def test_plot_compares_where_both_have_rows_and_names(run):
    code, out, err = run("plot", "a.csv", "--compare", "b.csv", "--json")
    assert code == 0
    differences = json.loads(out)["differences"]
    assert set(differences) == {"boom.force.x", "boom.q"}
    # at 0.5 by 0.25; at 0.55 the chord of t^2 between rows 0.1 apart lies 0.05^2 above it
    assert differences["boom.force.x"]["max"] == pytest.approx(0.25, abs=1e-15)
    assert differences["boom.q"]["max"] < 1e-15
    assert "b.csv has no own; not drawn" in err
    assert "b.csv has 1 signals that a.csv has not" in err


def test_plot_draws_tables_of_other_tools_with_their_gaps(run, tmp_path):
    (tmp_path / "a.csv").write_text("x [mm];mode;t [s]\n1,5;on;0\n;on;1\n2,5;off;2\n4;on;3\n")
    (tmp_path / "b.csv").write_text("# tool\ntime\tx [m]\n0\t1.0\n1\t1\n2\tnan\n3\t3.75\n")
    code, out, err = run("plot", "a.csv", "--compare", "b.csv", "--json")
    assert code == 0
    assert 'a.csv: column "mode" is "on" in row 2; not drawn' in err
    assert "x is in mm and in m; as they are" in err
    # 0.5 at 0 s and 0.25 at 3 s; at 1 and 2 s one of them has a gap
    assert json.loads(out)["differences"]["x"]["max"] == 0.5


@pytest.mark.parametrize(
    ("pattern", "met"),
    [
        ("j.q[*]", ["j.q[1]", "j.q[2]"]),
        ("j.q[1]", ["j.q[1]"]),
        ("*[1]", ["j.q[1]", "hub[1]"]),
        ("R[?,*]", ["R[1,2]"]),
        ("*q*", ["j.q[1]", "j.q[2]", "j.q1"]),
    ],
)
def test_brackets_in_patterns_are_those_of_names(run, tmp_path, pattern, met):
    (tmp_path / "a.csv").write_text('time,j.q[1],j.q[2],j.q1,hub[1],"R[1,2]"\n0,1,2,3,4,5\n')
    code, out, _ = run("plot", "a.csv", "--signals", pattern, "--json")
    assert (code, json.loads(out)["signals"]) == (0, met)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a.csv", "--signals", "bom*", "--signals", "zz"], "signals: 2 problems"),
        (["still.csv"], "still.csv: has no signals beside time"),
        (["none.csv"], "cannot be read"),
        (["a.csv", "--compare", "late.csv"], "do not overlap"),
        (["a.csv", "--signals", "own", "--compare", "b.csv"], "has none of the signals"),
    ],
)
def test_what_cannot_be_drawn_is_told(run, tmp_path, words, told):
    (tmp_path / "late.csv").write_text("time,boom.q\n5,1\n6,1\n")
    (tmp_path / "still.csv").write_text("time\n5\n6\n")
    code, _, err = run("plot", *words)
    assert code == 1
    assert told in err
    assert not list(tmp_path.glob("*.html"))
