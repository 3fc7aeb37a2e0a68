"""The drawing in mbd_fmu/docs/decisions.md, kept true: imports point one way, doors are few."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import mbd_fmu
from mbd_fmu.version import VERSION

ROOT = Path(mbd_fmu.__file__).parent

# From the bottom up: a module may import from its own layer and from those before it.
LAYERS = (
    ("errors", "version", "stopping", "scratch", "programs", "writing", "foreign_archive"),
    ("spatial",),
    ("trajectory",),
    ("model",),
    ("topology",),
    ("mechanics",),
    ("reference.start_values",),
    ("export.units", "export.variables", "export.told", "export.outputs", "export.interface"),
    ("export.system", "export.plant"),
    ("reference",),
    ("export",),
    ("build", "library"),
    ("viewer",),
    ("validate",),
    ("structure",),
    ("listing",),
    ("show", "drawing"),
    ("commands",),
    ("cli",),
)
DOORS = {
    "casadi": {"export/casadi_door.py"},
    "lxml": {"export/description.py"},
    "fmpy": {"validate/runner.py"},
    "pythonfmu": {"export/slave_runtime.py"},
    "plotly": {"validate/plots.py"},
    "rich": {"commands/console.py"},
    "tomllib": {"model/reader.py"},
}
MODULES = sorted(path for path in ROOT.rglob("*.py") if not path.name.startswith("__"))


def layer(module):
    """Rank of a module; the longest name that fits counts."""
    fits = [
        (len(name), rank)
        for rank, names in enumerate(LAYERS)
        for name in names
        if module == name or module.startswith(f"{name}.")
    ]
    assert fits, f"{module} has no layer"
    return max(fits)[1]


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way_and_dependencies_have_one_door(path):
    relative = path.relative_to(ROOT)
    own = layer(".".join(relative.with_suffix("").parts))
    for name in imports(path):
        top = name.split(".")[0]
        if top == "mbd_fmu":
            rest = name.removeprefix("mbd_fmu").removeprefix(".")
            assert not rest or layer(rest) <= own, f"{relative} reaches up to {name}"
        elif top in DOORS:
            assert relative.as_posix() in DOORS[top], f"{relative} opens a second door to {top}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_fit_a_reader(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 350, f"{path.name} is long; which noun wants a file of its own?"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = node.end_lineno - node.lineno + 1
            assert length <= 70, f"{path.name}: {node.name} has {length} lines"


def test_the_runtime_is_plain_ascii_without_tabs():
    for path in (ROOT / "runtime").iterdir():
        text = path.read_text(encoding="ascii")
        assert "\t" not in text, path.name
        assert text.count("\n") <= 450, path.name


def test_the_version_is_said_once():
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION


def test_public_names_exist():
    for name in mbd_fmu.__all__:
        assert getattr(mbd_fmu, name) is not None


def test_the_top_level_has_what_was_agreed():
    allowed = {"pyproject.toml", "README.md", "mbd_fmu", "models", "tests", "scripts", "out"}
    names = {path.name for path in ROOT.parent.iterdir() if not path.name.startswith(".")}
    assert names <= allowed | {name for name in names if name.endswith(".egg-info")}


def test_every_mechanics_file_states_its_source_and_its_check():
    """Files that hold formulas say where they come from; carriers of data do not."""
    carriers = {"arrangement.py", "closures.py", "row_table.py", "tree.py", "equations.py"}
    for path in (ROOT / "mechanics").glob("*.py"):
        if path.name.startswith("__") or path.name in carriers:
            continue
        head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert re.search(r"^Source ", head, re.MULTILINE), path.name
        assert re.search(r"^Checked ", head, re.MULTILINE), path.name
        for test in re.findall(r"tests/\S+\.py", head):
            assert (ROOT.parent / test).exists(), f"{path.name} names {test}"
