"""The tutorials, walked through as they are written: every file, every command, every number."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mbd_fmu.cli import main
from mbd_fmu.export.compile import host_platform

DOCS = Path(__file__).resolve().parents[2] / "mbd_fmu" / "docs"
PAGES = ("tutorial.md", "my_robot.md", "excavator_loads.md", "lqr.md", "wishbone.md")
INSTALLED = "pip install ."  # which is how this test came to run
# Sizes, versions and folders that differ between machines.
VARIES = re.compile(r"\d+ kB|zig \S+|\S+(?=/excavator/model.sdf)")


REFUSED = re.compile(r"problem|cannot be")  # in what is printed: the command is refused


def blocks(page):
    """Return what stands in fences: its language, and its text."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def written(text):
    """Write or extend the file that the first line names."""
    name, _, more = text.partition("\n")[0].strip("<!-># ").partition(", ")
    assert more in ("", "at its end")
    with Path(name).open("a" if more else "w", encoding="utf-8") as file:
        file.write(text)


def assert_said(actual, claimed):
    """Lines of words and numbers; of numbers with decimals the last one may differ by one."""
    claimed = claimed.replace("linux64", host_platform().name)
    actual, claimed = (VARIES.sub("*", text).splitlines() for text in (actual, claimed))
    assert len(actual) == len(claimed), "\n".join(actual)
    for ours, theirs in zip(actual, claimed, strict=True):
        for a, b in zip(ours.split(), theirs.split(), strict=True):
            last = 10.0 ** -len(b.partition(".")[2])
            assert a == b or ("." in b and abs(float(a) - float(b)) < 1.01 * last), ours


@pytest.fixture
def done(tmp_path, monkeypatch, capfd):
    """Run one command in an empty folder; return its exit code and all it prints."""
    monkeypatch.chdir(tmp_path)

    def command(line):
        program, *words = line.split()
        if program == "mbd-fmu":
            try:
                code = main(words)
            except SystemExit as end:  # --version
                code = end.code
        else:
            assert program == "python"
            code = subprocess.run([sys.executable, *words], check=False).returncode
        said = capfd.readouterr()
        return code, said.err + said.out  # what is noticed comes before what is done

    return command


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_can_be_followed_word_by_word(page, done):
    found = blocks(page)
    for k, (language, text) in enumerate(found):
        if language in ("toml", "python", "xml"):
            written(text)
        elif language == "sh" and INSTALLED not in text:
            answers = [done(line) for line in text.splitlines()]
            followed, claimed = found[k + 1]
            assert followed == "", f"what does it print: {text}"
            assert_said("".join(said for _, said in answers), claimed)
            assert any(code for code, _ in answers) == bool(REFUSED.search(claimed))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_it_leads_to_exists(page):
    links = re.findall(r"\]\(([^)#]+)", (DOCS / page).read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (DOCS / link).is_file(), link
