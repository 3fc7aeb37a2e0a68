"""``mbd-fmu view``: pages, pictures and films of models, FMUs and tables."""

import shutil
import struct
import zipfile

import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.cli import main
from mbd_fmu.drawing.scene import FORMAT, SCENE_FILE
from mbd_fmu.export.references import Experiment
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model
from mbd_fmu.signals.csv_files import read_csv, write_csv
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.runner import Fmu


@pytest.fixture(scope="module")
def pendulum(fmu_of, tmp_path_factory):
    """An FMU of the pendulum, and a table fmpy made of it."""
    folder = tmp_path_factory.mktemp("pendulum")
    path = shutil.copy(fmu_of(read_model(library()["pendulum"])), folder / "pendulum.fmu")
    with Fmu(path) as fmu:
        result = fmu.run(communication_points(0.0, 0.2, 0.02)).trajectory
    write_csv(folder / "result.csv", result)
    return folder


def run(capsys, *arguments):
    code = main(["view", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_model_becomes_a_page(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "pendulum", "--stop", "0.1")
    assert (code, err) == (0, "")
    assert out == "pendulum_motion.html  6 instants over 0.1 s\n"
    assert 'class="mechanism" data-play' in (tmp_path / "pendulum_motion.html").read_text()


def test_an_fmu_becomes_a_page(pendulum, tmp_path, capsys):
    page = tmp_path / "p.html"
    code, out, _ = run(capsys, pendulum / "pendulum.fmu", "--step", "0.05", "-o", page)
    assert code == 0
    assert out.startswith(f"{page}  ")


@pytest.mark.parametrize("scene", ["pendulum", "FMU"])
def test_a_table_becomes_a_page_with_the_scene_of_its_model(scene, pendulum, tmp_path, capsys):
    source = pendulum / "pendulum.fmu" if scene == "FMU" else scene
    page = tmp_path / "p.html"
    code, out, _ = run(capsys, pendulum / "result.csv", "--scene", source, "-o", page)
    assert code == 0
    assert out == f"{page}  11 instants over 0.2 s\n"


def test_a_table_finds_the_fmu_of_its_name_beside_it(pendulum, tmp_path, capsys):
    shutil.copy(pendulum / "pendulum.fmu", tmp_path / "run.fmu")
    shutil.copy(pendulum / "result.csv", tmp_path / "run.csv")
    assert run(capsys, tmp_path / "run.csv", "-o", tmp_path / "p.html")[0] == 0


def test_pages_of_view_and_simulate_do_not_replace_one_another(
    pendulum, tmp_path, capsys, monkeypatch
):
    """Nor do those of two tables; a page that is replaced is told."""
    monkeypatch.chdir(tmp_path)
    words = ["--stop", "0.1", "--plot", "-o", "closed.csv"]
    assert main(["simulate", "pendulum", *words]) == 0
    plots = (tmp_path / "closed.html").read_bytes()
    assert "replaced" not in capsys.readouterr().out
    for table in ("closed.csv", shutil.copy(pendulum / "result.csv", tmp_path / "open.csv")):
        code, out, _ = run(capsys, table, "--scene", "pendulum")
        assert (code, "replaced" in out) == (0, False)
    pages = {path.name for path in tmp_path.glob("*.html")}
    assert pages == {"closed.html", "closed_motion.html", "open_motion.html"}
    assert (tmp_path / "closed.html").read_bytes() == plots
    _, out, _ = run(capsys, "open.csv", "--scene", "pendulum", "-o", "closed_motion.html")
    assert out.endswith("; another page was there and is replaced\n")
    assert main(["simulate", "pendulum", *words, "--step", "0.05"]) == 0
    assert "closed.html  the motion and plots; another page was there" in capsys.readouterr().out


def test_a_table_alone_has_no_shapes(pendulum, capsys):
    code, _, err = run(capsys, pendulum / "result.csv")
    assert code == 1
    assert "a table has no shapes; name the FMU or model it came from: --scene MODEL|FMU" in err


def test_a_table_of_another_model_is_refused(pendulum, capsys):
    code, _, err = run(capsys, pendulum / "result.csv", "--scene", "four_bar")
    assert code == 1
    assert "the result has no pose of" in err


def test_a_foreign_fmu_carries_no_scene(tmp_path, capsys):
    """What is no archive at all is told likewise, in words."""
    (tmp_path / "other.fmu").write_bytes(b"no zip")
    code, _, err = run(capsys, tmp_path / "other.fmu")
    assert code == 1
    assert "Traceback" not in err
    assert "other.fmu" in err


@pytest.mark.usefixtures("chromium")
def test_a_picture_has_the_size_asked_for(pendulum, tmp_path, capsys):
    png = tmp_path / "pictures" / "p.png"
    code, out, _ = run(
        capsys,
        *(pendulum / "pendulum.fmu", "--png", png, "--at", "0.1", "--size", "320x200"),
        *("--show", "paths,reactions"),
    )
    assert code == 0
    assert out == f"{png}  320 x 200\n"
    data = png.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (320, 200)


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize(("kind", "magic"), [("gif", (0, b"GIF89a")), ("mp4", (4, b"ftyp"))])
def test_films_are_written_where_ffmpeg_is(kind, magic, pendulum, tmp_path, capsys):
    if not shutil.which("ffmpeg"):
        pytest.skip("needs the package ffmpeg")
    film = tmp_path / f"p.{kind}"
    code, _, err = run(
        capsys, pendulum / "pendulum.fmu", "--stop", "0.2", f"--{kind}", film, "--size", "160x121"
    )
    assert (code, err) == (0, "")
    first, word = magic
    assert film.read_bytes()[first : first + len(word)] == word


@pytest.mark.parametrize(
    ("option", "file", "program"), [("--png", "p.png", "chromium"), ("--mp4", "p.mp4", "ffmpeg")]
)
def test_a_missing_program_is_named(option, file, program, pendulum, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = run(capsys, pendulum / "pendulum.fmu", option, tmp_path / file)
    assert code == 1
    assert f"takes {program}, which is not on the PATH; install it" in err
    assert not (tmp_path / file).exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--png", "p.jpg"), "p.jpg does not end in .png"),
        (("--size", "big"), "big is no size in pixels, such as 1280x800"),
        (("--show", "path"), 'nothing called path; did you mean "paths"?'),
    ],
)
def test_wrong_usage_is_told(arguments, text, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["view", "pendulum", *arguments])
    assert stop.value.code == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("target", "arguments", "text"),
    [
        ("result.csv", ("--scene", "pendulum", "--stop", "1"), "--stop and --step are of runs"),
        ("pendulum.fmu", ("--scene", "pendulum"), "--scene is of tables"),
        ("pendulum.fmu", ("--show", "paths"), "--show and --size are of pictures and films"),
        ("pendulum.fmu", ("--at", "1"), "--at is of a picture; add --png"),
        ("pendulum.fmu", ("--png", "p.png", "--open"), "--open opens a page; add -o OUT.html"),
        ("pendulum.fmu", ("--png", "p.png", "--at", "99"), "the motion lasts from 0 to"),
    ],
)
def test_nothing_that_is_asked_for_is_ignored(
    target, arguments, text, pendulum, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, pendulum / target, *arguments)
    assert code == 1
    assert text in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (b"\xff", "its scene cannot be read"),
        (b"[]", f"its scene has format None, known is {FORMAT}; build it anew"),
        (b'{"format": 7}', "its scene has format 7"),
    ],
)
def test_a_damaged_scene_is_told(scene, text, tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "it.fmu", "w") as archive:
        archive.writestr(SCENE_FILE, scene)
    code, _, err = run(capsys, tmp_path / "it.fmu")
    assert code == 1
    assert text in err


def test_the_inputs_inside_an_fmu_are_used_unless_others_are_given(tmp_path, capsys):
    """Pages hold the motion: the same inputs give the same page, others another."""
    folder = library()["cart_pole"]
    reference, inputs = (read_csv(folder / f"{name}.csv") for name in ("reference", "input"))
    fmu = tmp_path / "cart_pole.fmu"
    build_fmu(read_model(folder), fmu, experiment=Experiment(reference, inputs))
    write_csv(tmp_path / "idle.csv", Trajectory(inputs.time, inputs.names, 0 * inputs.values))

    def page(*more):
        assert run(capsys, fmu, "--stop", "0.1", "-o", tmp_path / "p.html", *more)[0] == 0
        return (tmp_path / "p.html").read_text()

    assert page() == page("--input", folder / "input.csv")
    assert page() != page("--input", tmp_path / "idle.csv")
