"""The page on the Python interface: its examples run and print what it says."""

import re
from pathlib import Path

import mbd_fmu

PAGE = (Path(mbd_fmu.__file__).parent / "docs" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_every_public_name_has_an_example():
    code = "".join(text for language, text in BLOCKS if language == "python")
    headings = " ".join(re.findall(r"^## (.*):", PAGE, re.MULTILINE))
    for name in mbd_fmu.__all__:
        assert f"`{name}`" in headings, name
        assert re.search(rf"from mbd_fmu import .*\b{name}\b", code), name


def test_the_examples_print_what_the_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scope = {}
    for k, (language, text) in enumerate(BLOCKS):
        if language != "python":
            continue
        exec(compile(text, f"api.md, block {k}", "exec"), scope)
        said = capsys.readouterr().out
        follows = BLOCKS[k + 1] if k + 1 < len(BLOCKS) else ("python", "")
        assert said == (follows[1] if follows[0] == "" else "")
