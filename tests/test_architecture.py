"""The drawing in mbd_fmu/docs/decisions.md, kept true: imports point one way, doors are few."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import mbd_fmu
from mbd_fmu.export.slave import PACKAGES, carried_modules
from mbd_fmu.version import VERSION

ROOT = Path(mbd_fmu.__file__).parent

# From the bottom up: whole packages and single files. A module may import from its own package and
# from those before it, never from those after it, and nothing behind TYPE_CHECKING.
LAYERS = (
    *("version", "errors", "options", "tables", "host"),
    *("spatial", "signals", "quantities"),
    *("elements", "model", "schema", "formats", "topology", "mechanics", "system"),
    *("reference", "oracle", "drawing"),
    *("export", "analysis", "build", "simulation", "viewer", "live", "validate"),
    *(
        "study",
        "runs",
        "seen",
        "carried_loads",
        "summaries",
        "mode_shapes",
        "api",
        "commands",
        "cli",
    ),
)
DOORS = {
    "casadi": {"export/casadi_door.py"},
    "lxml": {"export/description.py"},
    "fmpy": {"validate/runner.py"},
    "pythonfmu": {"reference/slave.py"},
    "plotly": {"validate/plots.py"},
    "mujoco": {"formats/mjcf/mujoco_door.py"},
    "rich": {"commands/console.py"},
    # not what a Python FMU carries: it needs NumPy alone
    "scipy": {
        *("oracle/forces.py", "oracle/laws.py", "oracle/time_functions.py"),
        "export/dependencies.py",
        "study/plan.py",
        *(f"analysis/{p.name}" for p in (ROOT / "analysis").glob("*.py")),
    },
    "pyarrow": {"study/parquet.py"},
    "distributed": {"study/cluster.py"},
    "tomllib": {"model/reader.py"},
    "tomlkit": {"formats/start_values.py"},
    "trimesh": {"formats/meshes/trimesh_door.py"},
    "xacro": {"formats/xacro_door.py"},
}
# What is read and traced: numbers multiplied there stand in the FMU, and are the same everywhere.
ON_THE_ROAD = (
    *("quantities/", "elements/", "model/", "formats/", "mechanics/", "system/", "drawing/scene"),
)
OF_A_LIBRARY = ("np.dot", "np.einsum", "np.inner", "np.matmul", "np.linalg.norm")
# What may multiply with @ there, with the reason.
OFF_THE_ROAD = {
    "model/checks.py": "it judges",
    "model/joints.py": "it judges",
    "formats/meshes/coarser.py": "whole numbers",
    "mechanics/constrained.py": "it solves in numbers; the FMU has C for it",
    "mechanics/elimination.py": "it chooses in numbers, but for what is equal but for rounding",
    "system/weightless.py": "it judges",
}
MODULES = sorted(path for path in ROOT.rglob("*.py") if not path.name.startswith("__"))


def layer(module):
    """Rank of a module: that of the package it belongs to, or of itself at the top."""
    return LAYERS.index(module.split(".")[0])


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            yield node.module
            yield from (alias.name for alias in node.names if alias.name == "TYPE_CHECKING")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way_and_dependencies_have_one_door(path):
    relative = path.relative_to(ROOT)
    own = layer(".".join(relative.with_suffix("").parts))
    for name in imports(path):
        top = name.split(".")[0]
        assert name != "TYPE_CHECKING", f"{relative} has a back door"
        if top == "mbd_fmu":
            rest = name.removeprefix("mbd_fmu").removeprefix(".")
            assert not rest or layer(rest) <= own, f"{relative} reaches up to {name}"
        elif top in DOORS:
            assert relative.as_posix() in DOORS[top], f"{relative} opens a second door to {top}"


def test_tests_ask_scripts_for_nothing_but_what_they_test():
    """Scripts use mechanisms and instances of the tests; what both need stands there."""
    of_scripts = {
        *("test_bench.py", "test_demo_page.py", "test_element_tables.py", "test_makers.py"),
        "test_throughput.py",
    }
    asking = {
        path.name
        for path in (ROOT.parent / "tests").rglob("*.py")
        if any(name.split(".")[0] == "scripts" for name in imports(path))
    }
    assert asking == of_scripts


def test_no_file_is_part_of_a_circle():
    """Within a package, too, imports lead down: following them never leads back."""
    files = {".".join(p.relative_to(ROOT).with_suffix("").parts): p for p in MODULES}
    leads = {
        name: {i.removeprefix("mbd_fmu.") for i in imports(path)} & set(files)
        for name, path in files.items()
    }
    done = set()
    while leaves := {name for name in leads if name not in done and leads[name] <= done}:
        done |= leaves
    assert not set(leads) - done


def test_a_python_fmu_carries_whole_packages_and_all_it_stands_on():
    carried = {path.relative_to(ROOT).as_posix() for path in carried_modules()}
    for relative in carried:
        for name in imports(ROOT / relative):
            if name.startswith("mbd_fmu."):
                own = name.removeprefix("mbd_fmu.").replace(".", "/")
                assert {f"{own}.py", f"{own}/__init__.py"} & carried, f"{relative} needs {name}"
    for package in PACKAGES:
        own = {p.relative_to(ROOT).as_posix() for p in (ROOT / package).rglob("*.py")}
        assert own <= carried


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
        assert text.count("\n") <= 350, path.name


def test_numbers_on_the_road_to_an_fmu_are_multiplied_in_an_order_of_our_own():
    """``@`` and lengths by NumPy are a library's, whose last digits depend on the processor."""
    road = {path.relative_to(ROOT).as_posix(): path for path in MODULES}
    found = {
        name
        for name, path in road.items()
        if name.startswith(ON_THE_ROAD)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.MatMult)
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in OF_A_LIBRARY)
    }
    assert found == set(OFF_THE_ROAD)


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
    carriers = {"arrangement.py", "cuts.py", "row_table.py", "tree.py", "equations.py"}
    carriers |= {"outputs.py"}  # of the oracle
    for path in [*(ROOT / "mechanics").glob("*.py"), *(ROOT / "oracle").glob("*.py")]:
        if path.name.startswith("__") or path.name in carriers:
            continue
        head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert re.search(r"^Source ", head, re.MULTILINE), path.name
        assert re.search(r"^Checked ", head, re.MULTILINE), path.name
        for test in re.findall(r"tests/\S+\.py", head):
            assert (ROOT.parent / test).exists(), f"{path.name} names {test}"
