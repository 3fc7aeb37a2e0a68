"""mbd-fmu view --live and build --live."""

import re
import zipfile

import pytest

from mbd_fmu.cli import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_view_writes_one_file(tmp_path, capsys):
    page = tmp_path / "live.html"
    code, out, _ = run(capsys, "view", "pendulum", "--live", "--camera", "top", "-o", page)
    assert code == 0
    assert out.startswith(f"{page}  0.")
    text = page.read_text(encoding="utf-8")
    assert '<div class="live" data-camera="top">' in text
    assert not re.search(r'(src|href)="', text)  # nothing from outside


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.fmu"], "a.fmu is none: name its model file"),
        (["a.csv"], "a.csv is none: name its model file"),
        (["pendulum", "--stop", "3"], "driven by hand has no use for --stop"),
        (["pendulum", "--png", "a.png", "--at", "1"], "has no use for --at, --png"),
    ],
)
def test_what_a_live_page_has_no_use_for_is_refused(capsys, words, said):
    code, _, err = run(capsys, "view", *words, "--live")
    assert code == 1
    assert said in err


def test_an_fmu_carries_the_page_and_is_the_same_fmu(tmp_path, capsys):
    paths = [tmp_path / name for name in ("one.fmu", "two.fmu", "plain.fmu")]
    for path in paths:
        live = [] if path.stem == "plain" else ["--live"]
        assert run(capsys, "build", "pendulum", "-o", path, *live)[0] == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as made, zipfile.ZipFile(paths[2]) as plain:
        assert {*made.namelist()} - {*plain.namelist()} == {"documentation/live.html"}
        for name in {*plain.namelist()} - {"documentation/index.html"}:
            assert made.read(name) == plain.read(name), name
        assert b'href="live.html"' in made.read("documentation/index.html")
        assert b"live.html" not in plain.read("documentation/index.html")
