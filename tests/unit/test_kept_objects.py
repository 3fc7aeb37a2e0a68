"""Objects of the runtime are compiled once, and a library is the same with and without them."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mbd_fmu.export import compile as compile_module
from mbd_fmu.export.compile import PLATFORMS, compile_library, host_platform
from mbd_fmu.export.compiler_cache import CHOICE, zig_environment
from mbd_fmu.export.runtime_files import whole_runtime, with_headers

HERE = host_platform()
OURS = with_headers(["functions.c", "vectors.c", "block.c"], whole_runtime())
SOURCES = OURS | {"own.c": '#include "functions.h"\ndouble twice(double x) { return 2.0 * x; }\n'}
N_OURS = sum(name.endswith(".c") for name in OURS)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of ours; zig's own stays where it was, to be quick."""
    zig = Path(compile_module._zig_program())
    environment = zig_environment(zig, tmp_path / "scratch")
    monkeypatch.setattr(compile_module, "zig_environment", lambda *_: environment)
    monkeypatch.delenv(CHOICE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "mbd_fmu" / "objects"


@pytest.fixture
def compiled(monkeypatch):
    """Names of the files that were compiled, one by one."""
    names: list[str] = []
    run = compile_module._run

    def counted(commands, *others):
        names.extend(c[c.index("-c") + 1] for c in commands if "-c" in c)
        return run(commands, *others)

    monkeypatch.setattr(compile_module, "_run", counted)
    return names


def test_the_runtime_is_compiled_once_and_the_library_stays_the_same(cache, compiled):
    first = compile_library(SOURCES, HERE)
    assert sorted(compiled) == ["block.c", "functions.c", "own.c", "vectors.c"]
    assert len(list(cache.iterdir())) == N_OURS
    compiled.clear()
    assert compile_library(SOURCES, HERE) == first
    assert compiled == ["own.c"]


@pytest.mark.parametrize("kept", [slice(-1), slice(0), slice(1, None)])
def test_an_object_that_is_damaged_is_made_again(cache, compiled, kept):
    first = compile_library(SOURCES, HERE)
    for path in cache.iterdir():
        path.write_bytes(path.read_bytes()[kept])
    compiled.clear()
    assert compile_library(SOURCES, HERE) == first
    assert len(compiled) == N_OURS + 1
    compiled.clear()
    compile_library(SOURCES, HERE)
    assert compiled == ["own.c"]


def test_what_is_not_ours_is_never_kept(cache, compiled):
    """Nor is what includes a header that was changed."""
    other = SOURCES | {"functions.h": SOURCES["functions.h"] + "\n/* another */\n"}
    compile_library(other, HERE)
    assert not cache.exists() or not list(cache.iterdir())
    assert len(compiled) == N_OURS + 1


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here")
def test_another_compiler_has_objects_of_its_own(cache, compiled):
    compile_library(SOURCES, HERE)
    before = {path.name for path in cache.iterdir()}
    compile_library(SOURCES, HERE, "gcc")
    assert len({path.name for path in cache.iterdir()} - before) == N_OURS
    compiled.clear()
    compile_library(SOURCES, HERE, "gcc")
    assert compiled == ["own.c"]


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here")
def test_platforms_that_share_a_home_share_no_objects(tmp_path, monkeypatch):
    keys = set()
    for platform in PLATFORMS.values():
        monkeypatch.setattr(compile_module, "host_platform", lambda here=platform: here)
        workshop = compile_module._workshop("gcc", platform, tmp_path)
        keys |= {workshop.key(OURS, options) for options in ((), ("-fno-unroll-loops",))}
    assert len(keys) == 2 * len(PLATFORMS)


def test_builds_that_overlap_do_not_disturb_each_other(cache):
    with ThreadPoolExecutor(4) as pool:
        libraries = set(pool.map(lambda _: compile_library(SOURCES, HERE), range(4)))
    assert len(libraries) == 1
    assert len(list(cache.iterdir())) == N_OURS


@pytest.mark.usefixtures("cache")
def test_without_a_folder_for_them_the_library_is_the_same(compiled, monkeypatch):
    first = compile_library(SOURCES, HERE)
    monkeypatch.setattr("mbd_fmu.export.compiler_cache._candidates", lambda: iter(()))
    compiled.clear()
    assert compile_library(SOURCES, HERE) == first
    assert len(compiled) == N_OURS + 1
