"""The script of pages: made of these sources, with the licences of others, the same every time."""

import errno
import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

import mbd_fmu
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.viewer import bundle, sources
from mbd_fmu.viewer.bundle import NoBundleError, page_script
from mbd_fmu.viewer.page import page_html

VIEWER = Path(mbd_fmu.__file__).parent / "viewer"
ROOT = VIEWER.parents[1]
SCRIPT = ROOT / "scripts" / "bundle_pages.py"


@pytest.fixture
def bundler():
    spec = importlib.util.spec_from_file_location("bundle_pages", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A copy of the sources with a bundle of one line."""
    for path in (*VIEWER.glob("*.js"), *VIEWER.glob("package*.json")):
        shutil.copy(path, tmp_path)
    (tmp_path / sources.BUNDLE).mkdir()
    made = tmp_path / sources.BUNDLE / "page.js"
    made.write_text(f"{sources.FIRST_LINE}{sources.fingerprint(tmp_path)}\nstart();\n")
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    monkeypatch.setattr(bundle, "fingerprint", lambda: sources.fingerprint(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("elsewhere")
def test_a_bundle_of_these_sources_goes_into_the_page():
    assert page_script("page").endswith("\nstart();\n")
    text = page_html("one", "", '<div class="mechanism"></div>')
    assert "\nstart();\n</script>" in text


@pytest.mark.parametrize("name", ["player.js", "package.json", "package-lock.json", "new.js"])
def test_a_bundle_of_other_sources_is_refused(name, elsewhere):
    path = elsewhere / name
    path.write_text((path.read_text() if path.exists() else "") + "\n")
    with pytest.raises(MbdFmuError) as caught:
        page_script("page")
    assert not isinstance(caught.value, NoBundleError)
    assert "page.js, is older than its sources" in str(caught.value)
    assert str(caught.value).endswith("run scripts/bundle")
    text = page_html("one", "", '<div class="mechanism"></div>')
    assert f"On this page nothing moves: {caught.value}.</p>" in text
    assert "<script" not in text


def test_a_page_without_a_bundle_says_why_and_what_to_do(elsewhere):
    (elsewhere / sources.BUNDLE / "page.js").unlink()
    (elsewhere / sources.BUNDLE / sources.NOT_MADE).write_text("npm is <away>\n")
    text = page_html("one", "", '<div class="mechanism"></div>')
    assert (
        "On this page nothing moves: the script of pages is not there: npm is &lt;away&gt;; "
        "run scripts/environment where npm can be reached.</p>" in text
    )
    assert "<script" not in text


def test_a_page_that_needs_no_script_has_none(elsewhere):
    (elsewhere / sources.BUNDLE / "page.js").unlink()
    text = page_html("one", "", "<p>table</p>")
    assert "<script" not in text
    assert "On this page" not in text


@pytest.mark.parametrize(
    ("classes", "without"),
    [
        (["mechanism"], "nothing moves"),
        (["signals"], "no signals are drawn"),
        (["mechanism", "signals"], "nothing moves and no signals are drawn"),
        (["live", "mechanism"], "nothing moves"),
        (["study"], "no cases are drawn"),
        ([], "no script runs"),
    ],
)
def test_a_page_says_what_it_is_without(classes, without, elsewhere):
    (elsewhere / sources.BUNDLE / "page.js").unlink()
    body = "".join(f'<div class="{name}"></div>' for name in classes)
    text = page_html("one", "", body, script="page")
    assert f"On this page {without}: the script of pages is not there" in text


def test_the_same_sources_give_the_same_bytes_with_all_licences(bundler):
    """Bundled anew, in another folder, and compared with what is there."""
    if not (VIEWER / "node_modules" / "esbuild").is_dir():
        pytest.skip("needs the packages that scripts/bundle fetches")
    try:
        node, _ = bundler._programs()
    except bundler.CannotBundleError as error:
        pytest.skip(str(error))
    esbuild = [*node, str(VIEWER / "node_modules" / "esbuild" / "bin" / "esbuild")]
    choices = json.loads((VIEWER / "package.json").read_text())["bundle"]
    lock = json.loads((VIEWER / "package-lock.json").read_text())["packages"]
    named = {}
    for page in choices["pages"]:
        made = bundler._bundled(esbuild, page, choices["options"])
        there = page_script(page.removesuffix(".js")).partition("\n")[2]
        digests = [hashlib.sha256(text.encode()).hexdigest() for text in (made, there)]
        assert digests[0] == digests[1]
        named[page] = dict(re.findall(r"^/\*!\n(\S+) (\S+)\n\nThe MIT License", made, re.MULTILINE))
        used = imported(VIEWER / page)
        assert named[page] == {name: lock[f"node_modules/{name}"]["version"] for name in used}
    plots_alone = [page for page in named if "three" not in named[page]]
    assert plots_alone == ["table.js", "study.js"]


def imported(script, seen=None):
    """Packages that a script of ours imports, itself or through others of ours."""
    seen = set() if seen is None else seen
    seen.add(script)
    found = set()
    for name in re.findall(r'^(?:import|\}).*?"(.+?)";$', script.read_text(), re.MULTILINE):
        path = (script.parent / name).resolve()
        if not name.startswith("."):
            found.add(name.partition("/")[0])
        elif path not in seen:
            found |= imported(path, seen)
    return found


def test_a_bundle_is_written_whole_or_not_at_all(bundler, tmp_path, monkeypatch):
    """The disk is full in the middle of the second script: those of before stay."""
    monkeypatch.setattr(bundler, "FOLDER", tmp_path)
    before = {"page.js": "old page", "run.js": "old run"}
    bundler._write(before | {"gone.js": "of no use"})
    bundler._write(before)
    write = Path.write_text

    def half(path, text, **how):
        if path.name == "run.js":
            write(path, text[: len(text) // 2], **how)
            raise OSError(errno.ENOSPC, "full")
        return write(path, text, **how)

    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(OSError, match="full"):
        bundler._write({"page.js": "new page", "run.js": "new run"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


def test_what_cannot_be_bundled_is_told_in_one_line(bundler, tmp_path, monkeypatch):
    monkeypatch.setattr(bundler, "FOLDER", tmp_path)
    monkeypatch.setattr(bundler.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(bundler.shutil, "which", lambda _: None)
    with pytest.raises(bundler.CannotBundleError):
        bundler.bundle()
    said = bundler.problem()
    assert said.startswith("pages do not move: their script is not there: no node here; ")
    assert said.endswith("run scripts/environment where npm can be reached")
    assert "\n" not in said


def test_of_what_npm_says_the_telling_line_is_kept(bundler):
    said = (
        "npm warn config nothing\nnpm error code ECONNREFUSED\nnpm error errno ECONNREFUSED\n"
        "npm error FetchError: request to http://registry/three failed, reason: connect\n"
    )
    assert bundler._gist(said).startswith("FetchError: request to http://registry/three failed")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Made by the back end itself: in an environment of its own the packages would be fetched."""
    builder = pytest.importorskip("hatchling.builders.wheel", reason="needs hatchling")
    try:
        page_script("page")
    except MbdFmuError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = builder.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as file:
        yield file


def test_a_wheel_carries_the_scripts_of_pages_with_the_licences_of_others(wheel):
    lock = json.loads((VIEWER / "package-lock.json").read_text())["packages"]
    for page in json.loads((VIEWER / "package.json").read_text())["bundle"]["pages"]:
        text = wheel.read(f"mbd_fmu/viewer/bundle/{page}").decode()
        assert sources.stands_for(text) == sources.fingerprint()
        for name in imported(VIEWER / page):
            version = lock[f"node_modules/{name}"]["version"]
            assert f"/*!\n{name} {version}\n\nThe MIT License" in text


def test_a_wheel_carries_models_styles_and_our_licence_and_no_package_of_others(wheel):
    names = set(wheel.namelist())
    tracked = set(git_files("mbd_fmu", "models"))
    given = {name for name in names if ".dist-info/" not in name} - {
        f"mbd_fmu/viewer/bundle/{path.name}" for path in (VIEWER / "bundle").glob("*.js")
    }
    assert given == {re.sub("^models/", "mbd_fmu/_models/", name) for name in tracked}
    (licence,) = (name for name in names if name.endswith("/licenses/mbd_fmu/docs/LICENSE.txt"))
    assert wheel.read(licence) == (ROOT / "mbd_fmu/docs/LICENSE.txt").read_bytes()


def git_files(*folders):
    """What is in the repository of these folders, as it lies here."""
    command = ["git", "ls-files", "--", *folders]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"needs the repository: {error}")
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_script_of_others_is_in_the_repository():
    """None that is in a package, whatever it is called, and none that was made of others."""
    ours = [ROOT / name for name in git_files() if name.endswith((".js", ".mjs", ".css", ".map"))]
    assert VIEWER / "player.js" in ours
    assert not [path for path in ours if {"node_modules", "bundle"} & set(path.parts)]
    longest = {path: max(map(len, path.read_text().splitlines())) for path in ours}
    assert not [path for path, length in longest.items() if length > 300]  # as minified ones have
    by_size = {}
    for path in ours:
        by_size.setdefault(path.stat().st_size, []).append(path)
    packages = VIEWER / "node_modules"
    theirs = (p for p in packages.rglob("*") if p.suffix in (".js", ".mjs", ".css") and p.is_file())
    for path in theirs:
        for own in by_size.get(path.stat().st_size, ()):
            assert own.read_bytes() != path.read_bytes(), f"{own} is {path}"


def test_the_lock_knows_every_package_by_its_hash_and_none_by_an_address():
    packages = json.loads((VIEWER / "package-lock.json").read_text())["packages"]
    for name, entry in packages.items():
        if name:
            assert entry["integrity"].startswith("sha512-")
            assert "resolved" not in entry
    assert "://" not in re.sub(r'"funding": \{.*?\}', "", json.dumps(packages))
