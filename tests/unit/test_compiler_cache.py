"""Where zig keeps its files: one folder per installation, and always one that can be written."""

import os
import stat
import tempfile
from importlib import metadata
from pathlib import Path

import pytest

from mbd_fmu.export import compiler_cache
from mbd_fmu.export.compiler_cache import CHOICE, zig_environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders as Linux has them")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user who has said nothing about caches."""
    monkeypatch.delenv(CHOICE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def zig_in(environment):
    """An environment with its own compiler."""
    program = environment / "ziglang" / "zig"
    program.parent.mkdir(parents=True)
    program.touch()
    return program


def cache_of(program):
    return Path(zig_environment(program, program.parent / "scratch")[CHOICE])


def test_two_environments_never_share_a_lock_and_one_shares_its_cache(home, tmp_path):
    one, other = zig_in(tmp_path / "one"), zig_in(tmp_path / "other")
    assert cache_of(one) == cache_of(one)
    assert cache_of(one) != cache_of(other)
    assert cache_of(one).parent == cache_of(other).parent == home / ".cache" / "mbd_fmu"
    # a second way to the same installation is no second installation
    (tmp_path / "link").symlink_to(tmp_path / "one")
    assert cache_of(tmp_path / "link" / "ziglang" / "zig") == cache_of(one)


@pytest.mark.usefixtures("home")
def test_another_version_in_the_same_place_is_another_compiler(tmp_path, monkeypatch):
    program = zig_in(tmp_path / "one")
    before = cache_of(program)
    assert metadata.version("ziglang") in before.name
    monkeypatch.setattr(compiler_cache.metadata, "version", lambda _: "9.9.9")
    assert cache_of(program) != before


def test_what_the_user_says_is_left_alone(home, tmp_path, monkeypatch):
    monkeypatch.setenv(CHOICE, "/somewhere/else")
    monkeypatch.setenv("ZIG_LOCAL_CACHE_DIR", "/and/here")
    environment = zig_environment(zig_in(tmp_path / "one"), tmp_path / "scratch")
    assert environment == dict(os.environ)
    assert not home.exists()


def test_the_users_cache_folder_is_where_he_has_put_it(home, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_of(zig_in(tmp_path / "one")).parent == tmp_path / "xdg" / "mbd_fmu"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")  # the XDG rules ignore it
    assert cache_of(zig_in(tmp_path / "two")).parent == home / ".cache" / "mbd_fmu"


def test_without_a_home_that_can_be_written_it_lies_among_temporary_files(
    home, tmp_path, monkeypatch
):
    home.write_text("a file, no folder")
    cache = cache_of(zig_in(tmp_path / "one"))
    assert cache.parent == tmp_path / "tmp" / f"mbd_fmu_cache_{os.getuid()}"
    assert stat.S_IMODE(cache.parent.stat().st_mode) == 0o700
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert cache_of(zig_in(tmp_path / "two")).parent == cache.parent


@pytest.mark.parametrize("trap", ["link", "file", "open to all"])
def test_a_folder_that_others_may_write_to_is_not_trusted(trap, home, tmp_path):
    """What lies in the cache becomes part of libraries."""
    home.write_text("a file, no folder")
    folder = tmp_path / "tmp" / f"mbd_fmu_cache_{os.getuid()}"
    if trap == "link":
        folder.symlink_to(tmp_path)
    elif trap == "file":
        folder.touch()
    else:
        folder.mkdir()
        folder.chmod(0o777)
    program = zig_in(tmp_path / "one")
    assert cache_of(program) == program.parent / "scratch"
