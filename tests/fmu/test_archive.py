"""The archive as a file: its names, its bytes, what is in the library, and builds that fail."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.drawing.scene import SCENE_FILE
from mbd_fmu.errors import CompileError, MbdFmuError, SpecError
from mbd_fmu.export.c_code import model_sources
from mbd_fmu.export.compile import _zig_program
from mbd_fmu.export.compiler_cache import CHOICE, zig_environment
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.fmu.conftest import NATIVE, SHAPES
from tests.fmu.ctypes_fmu import library_suffix, platform_folder
from tests.fmu.elf import read_elf
from tests.fmu.mechanisms import double_pendulum, rotor
from tests.fmu.standard import C_LIBRARY, FUNCTIONS

ROOT = Path(__file__).parents[2]

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")


def entries(path: Path) -> list[zipfile.ZipInfo]:
    with zipfile.ZipFile(path) as archive:
        return archive.infolist()


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# ---- Names in the zip


@pytest.fixture(params=SHAPES)
def fmu(request, shape):
    return shape(request.param)


def test_names_are_relative_with_forward_slashes_and_plain_letters(fmu):
    # raw names: zipfile turns backslashes into slashes on Windows
    raw = [entry.orig_filename for entry in entries(fmu)]
    assert [n for n in raw if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_./-]*", n)] == []
    assert [n for n in raw if ".." in n.split("/")] == []


def test_no_name_stands_twice(fmu):
    names = [entry.filename.lower() for entry in entries(fmu)]
    assert len(set(names)) == len(names)


def test_entries_are_plain_files_stored_or_deflated(fmu):
    for entry in entries(fmu):
        assert entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        assert stat.S_ISREG(entry.external_attr >> 16)
        assert not entry.flag_bits & 0x1  # not encrypted


def test_only_folders_of_the_standard_stand_at_the_top(fmu):
    # FMI 2.0.5 sec. 2.3; vendor data goes under extra/<reverse domain>
    known = {"modelDescription.xml", "binaries", "sources", "resources", "documentation", "extra"}
    assert {entry.filename.split("/")[0] for entry in entries(fmu)} <= known
    ours = [e.filename for e in entries(fmu) if e.filename.startswith("extra/")]
    assert ours == [SCENE_FILE]


@pytest.mark.parametrize("name", NATIVE)
def test_a_native_fmu_holds_what_belongs_into_it_and_nothing_else(name, shape):
    identifier = SHAPES[name][0]["model"]["name"]
    library = f"binaries/{platform_folder()}/{identifier}{library_suffix()}"
    system = system_of(spec_of_table(SHAPES[name][0], "test"))
    written = {*runtime_sources(system), *model_sources(system, symbols_of(system))}
    expected = {library, "documentation/index.html", "modelDescription.xml", SCENE_FILE}
    expected |= {f"sources/{file}" for file in written}
    assert {entry.filename for entry in entries(shape(name))} == expected


def test_a_python_fmu_says_which_script_to_run_and_has_it(shape):
    files = contents(shape("python"))
    module = files["resources/slavemodule.txt"].decode()
    assert "(MechanismSlave):" in files[f"resources/{module}.py"].decode()


_FROM_OUTSIDE = """
import fmpy, sys
result = fmpy.simulate_fmu("model.fmu", stop_time=0.02, output_interval=0.01)
assert len(result) == 3
ours = [m.__file__ for n, m in sys.modules.items() if n.split(".")[0] == "mbd_fmu"]
assert ours and all("resources" in name for name in ours), ours
"""


@pytest.mark.parametrize("name", [n for n, (_, backend) in SHAPES.items() if backend == "python"])
def test_a_python_fmu_carries_all_it_needs_of_this_package(name, shape, tmp_path):
    """In a process that has never heard of us; elsewhere in these tests our modules are loaded."""
    (tmp_path / "model.fmu").write_bytes(shape(name).read_bytes())
    subprocess.run([sys.executable, "-c", _FROM_OUTSIDE], check=True, cwd=tmp_path, timeout=120)


@pytest.mark.parametrize("name", ["double_pendulum", "python"])
def test_libraries_lie_in_folders_of_the_standard(name, shape):
    folders = {e.filename.split("/")[1] for e in entries(shape(name)) if "binaries/" in e.filename}
    assert platform_folder() in folders
    assert folders <= {"linux64", "win64", "darwin64", "aarch64-linux", "aarch64-darwin"}


# ---- The same bytes every time

# Builds both back ends from a model on standard input.
_BUILD = """
import json, sys
from mbd_fmu.build import build_fmu
from mbd_fmu.model.reader import spec_of_table
spec = spec_of_table(json.load(sys.stdin), "test")
for backend in ("native", "python"):
    build_fmu(spec, backend + ".fmu", backend=backend)
"""
USER = "qwertzuiop"  # appears nowhere by chance


@pytest.fixture(scope="module")
def built_elsewhere(tmp_path_factory):
    """The double pendulum, built by another process with everything around it changed."""
    folder = tmp_path_factory.mktemp(f"home_of_{USER}")
    scratch = folder / "scratch"
    scratch.mkdir()
    environment = os.environ | {
        "HOME": str(folder),
        CHOICE: zig_environment(Path(_zig_program()), scratch)[CHOICE],  # to be quick
        "TZ": "Asia/Kathmandu",
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "4711",
        "PYTHONPATH": str(ROOT),
        "SOURCE_DATE_EPOCH": "1234567890",
        "HOSTNAME": USER,
        "LOGNAME": USER,
        "TMPDIR": str(scratch),
        "USER": USER,
    }
    subprocess.run(
        [sys.executable, "-c", _BUILD],
        input=json.dumps(double_pendulum()),
        cwd=folder,
        env=environment,
        check=True,
        text=True,
        timeout=60,
        umask=0o077,
    )
    assert list(scratch.iterdir()) == []  # nothing forgotten there
    return folder


@pytest.mark.parametrize("backend", ["native", "python"])
def test_another_process_place_time_zone_and_language_build_the_same_bytes(
    backend, built_elsewhere, fmu_of
):
    here, there = fmu_of(double_pendulum(), backend), built_elsewhere / f"{backend}.fmu"
    assert there.read_bytes() == here.read_bytes()
    assert there.stat().st_mode == here.stat().st_mode


def test_building_twice_in_one_process_gives_the_same_bytes(tmp_path, fmu_of):
    again = tmp_path / "another_name.fmu"
    build_fmu(spec_of_table(double_pendulum(), "elsewhere.toml"), again)
    assert again.read_bytes() == fmu_of(double_pendulum()).read_bytes()


def test_beside_an_open_python_fmu_another_is_built_whole(tmp_path, fmu_of):
    """What is open has put its own pythonfmu, without libraries, on the path of this process."""
    first = fmu_of(double_pendulum(), "python")
    with Fmu(first) as fmu:
        fmu.run(np.array([0.0, 0.01]))
        build_fmu(spec_of_table(double_pendulum(), "test"), tmp_path / "it.fmu", backend="python")
    assert (tmp_path / "it.fmu").read_bytes() == first.read_bytes()


def test_another_value_of_a_parameter_is_another_guid(fmu_of):
    guids = {
        re.search(rb'guid="([^"]+)"', contents(fmu_of(table))["modelDescription.xml"])[1]
        for table in (
            double_pendulum(),
            double_pendulum(arm_mass=2.5),
            double_pendulum(solver="rk4"),
        )
    }
    assert len(guids) == 3


@pytest.mark.parametrize("backend", ["native", "python"])
def test_the_archive_names_neither_place_nor_user(backend, built_elsewhere):
    path = built_elsewhere / f"{backend}.fmu"
    forbidden = [USER, str(ROOT), sysconfig.get_path("purelib"), str(built_elsewhere)]
    found = [
        (name, word)
        for name, data in [("the archive", path.read_bytes()), *contents(path).items()]
        for word in forbidden
        if word.encode() in data
    ]
    assert found == []


@pytest.mark.parametrize("name", NATIVE)
def test_a_native_fmu_holds_no_absolute_path(name, shape):
    for data in contents(shape(name)).values():
        assert re.findall(rb"/(?:home|root|tmp|usr|var|work|Users|private)/[ -~]*", data) == []
        assert re.findall(rb"[A-Z]:\\[ -~]*", data) == []


# ---- The library


@pytest.fixture(params=NATIVE)
def library(request, shape):
    files = contents(shape(request.param))
    (data,) = (files[name] for name in files if name.startswith("binaries/"))
    return data


@linux_only
def test_the_library_exports_the_functions_of_the_standard_and_nothing_else(library):
    assert read_elf(library).exported == FUNCTIONS


@linux_only
def test_the_library_needs_only_the_c_library(library):
    elf = read_elf(library)
    assert set(elf.needed) <= {"libc.so.6", "libm.so.6"}
    assert elf.search_paths == ()


@linux_only
def test_the_library_calls_nothing_that_prints_opens_or_changes_the_process(library):
    assert read_elf(library).imported <= C_LIBRARY


@linux_only
def test_a_return_address_that_was_written_over_is_noticed(library):
    assert "__stack_chk_fail" in read_elf(library).imported


@linux_only
def test_the_library_has_no_global_state(library):
    # what the loader fills in and then protects is not state
    loader = {".data.rel.ro", ".dynamic", ".got", ".got.plt", ".relro_padding"}
    loader |= {".init_array", ".fini_array"}
    state = {n: size for n, size in read_elf(library).writable.items() if n not in loader and size}
    assert state == {}


def test_the_library_is_small(library):
    assert len(library) < 300_000


# ---- Builds that fail


def singular_rotor():
    table = rotor()
    table["body"][0]["inertia"] = {"shape": "point"}
    return table


class StoppedByUserError(Exception):
    """Stands for Ctrl-C at the worst moment."""


def _stop_at_archive(stage: str) -> None:
    if stage == "archive":
        raise StoppedByUserError("stopped by the user")


FAILURES = {
    "a joint that moves no mass": (singular_rotor(), {}, SpecError, "moves no mass"),
    "a compiler that is not there": (
        rotor(),
        {"compiler": "no_such_cc"},
        CompileError,
        "no_such_cc",
    ),
    "a platform that does not exist": (rotor(), {"platforms": ["linux"]}, MbdFmuError, "linux64"),
    "a back end that does not exist": (rotor(), {"backend": "pyhton"}, MbdFmuError, "python"),
    "a user who stops it": (rotor(), {"progress": _stop_at_archive}, StoppedByUserError, "stopped"),
}
if os.name == "posix":  # Python is no C compiler
    FAILURES["a compiler that fails"] = (
        rotor(),
        {"compiler": sys.executable},
        CompileError,
        "failed",
    )


@pytest.mark.parametrize("older", [None, b"an older FMU"], ids=["new", "over an older file"])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_build_that_fails_leaves_the_folder_as_it_was(failure, older, tmp_path):
    table, options, error, words = FAILURES[failure]
    path = tmp_path / "rotor.fmu"
    if older:
        path.write_bytes(older)
    with pytest.raises(error, match=words):
        build_fmu(spec_of_table(table, "test"), path, **options)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == (
        {"rotor.fmu": older} if older else {}
    )


def test_an_archive_that_cannot_be_finished_leaves_the_folder_as_it_was(tmp_path, monkeypatch):
    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    path = tmp_path / "rotor.fmu"
    path.write_bytes(b"an older FMU")
    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(MbdFmuError, match=r"rotor\.fmu: cannot be written: No space left"):
        build_fmu(spec_of_table(rotor(), "test"), path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"rotor.fmu": b"an older FMU"}


def test_a_build_replaces_an_older_file_and_makes_the_folder(tmp_path, fmu_of):
    path = tmp_path / "deep" / "folder" / "rotor.fmu"
    for _ in range(2):
        build_fmu(spec_of_table(rotor(), "test"), path)
        assert path.read_bytes() == fmu_of(rotor()).read_bytes()
        assert [p.name for p in path.parent.iterdir()] == ["rotor.fmu"]


def test_the_build_tells_what_it_made(tmp_path):
    path = tmp_path / "rotor.fmu"
    built = build_fmu(spec_of_table(rotor(), "test"), path)
    files = contents(path)
    library = files[f"binaries/{platform_folder()}/rotor{library_suffix()}"]
    assert built.library_bytes == {platform_folder(): len(library)}
    assert f'guid="{built.guid}"'.encode() in files["modelDescription.xml"]
    assert files["modelDescription.xml"].count(b"<ScalarVariable ") == built.variables


def test_a_python_fmu_of_a_model_named_like_a_keyword_works_or_is_refused(fmu_of):
    table = rotor()
    table["model"]["name"] = "class"
    with contextlib.suppress(MbdFmuError):  # to refuse it is as good
        script = contents(fmu_of(table, "python"))["resources/slave_class.py"]
        compile(script, "slave_class.py", "exec")
