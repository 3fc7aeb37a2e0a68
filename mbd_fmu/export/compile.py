"""C to shared library, by the compiler in the ``ziglang`` package or by one that is chosen.

zig compiles for every platform from every platform; a system compiler only for its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.errors import CompileError
from mbd_fmu.export.compiler_cache import (
    CHOICE,
    installation,
    keep_object,
    kept_object,
    zig_environment,
)
from mbd_fmu.export.runtime_files import IN_LANES, PART, whole_runtime, with_headers
from mbd_fmu.host.programs import processors, run_program, run_programs
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.options import ZIG

# Seconds for one library. The first build for Windows makes zig's C library, 1 to 2 minutes; large
# mechanisms compile for minutes.
LIMIT, LIMIT_CHOICE = 1200.0, "MBD_FMU_COMPILE_SECONDS"

# Contraction off and no fast-math: the same bits from every compiler. Level 1: higher ones run no
# faster and compile longer. Functions stand in sections of their own: the linker leaves out what
# nobody calls. Only what the headers of the standard export is visible.
FLAGS = (
    "-std=c99",
    "-O1",
    "-ffunction-sections",
    "-fdata-sections",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-g0",
)
# Loops of the runtime stay as they are: its rows are short, and code for long ones, which zig makes
# at this level, is larger and slower. Those of motions go over three axes and four orders: known
# numbers, so they are written out; else a moving base takes twice the time.
_NO_VECTORS = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")
_PLAIN_LOOPS = (*_NO_VECTORS, "-fno-unroll-loops")
_COUNTED_LOOPS = ("course.c", "turns.c")
# Several cases in the lanes of a vector, in files that say so: by how many there are.
_VECTORS = {1: (), 4: ("-mavx2",), 8: ("-mavx2", "-mavx512f", "-mavx512dq", "-mavx512vl")}
# A return address that was written over ends the process. zig's own cache takes libraries with and
# without its -fstack-protector-strong for the same, so clang is told directly.
_GUARD = ("-fPIC", "-fstack-protector-strong")
_GUARD_BY_ZIG = ("-fPIC", "-Xclang", "-stack-protector", "-Xclang", "2")
_ELF_LINK = ("-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,-soname,model.so", "-lm")
# A module for the browser keeps return addresses where no program can write, and is laid out when
# it is linked. It is called, not run.
_MODULE_LINK = ("-mexec-model=reactor", "-Wl,--gc-sections")
_MODULE_STACK = "-Wl,-z,stack-size=1048576"
# Instructions of any processor, in the order that those of the last ten years like: up to 1.5 times
# as fast. What compilers take for "generic" keeps too few operations under way at once.
_TUNING = {"x86_64": ("-mtune=skylake",)}


@dataclass(frozen=True)
class Platform:
    """A platform of the standard: where its library lies in the archive, and what zig calls it."""

    name: str
    target: str
    suffix: str


PLATFORMS = {
    p.name: p
    for p in (
        Platform("linux64", "x86_64-linux-gnu.2.17", ".so"),
        Platform("win64", "x86_64-windows-gnu", ".dll"),
        Platform("darwin64", "x86_64-macos.11.0", ".dylib"),
        Platform("aarch64-linux", "aarch64-linux-gnu.2.17", ".so"),
        Platform("aarch64-darwin", "aarch64-macos.11.0", ".dylib"),
    )
}
BROWSER = Platform("browser", "wasm32-wasi", ".wasm")  # none of the standard


def host_platform() -> Platform:
    """Return the platform this Python runs on."""
    arm = platform.machine().lower() in ("arm64", "aarch64")
    names = {
        ("Linux", False): "linux64",
        ("Linux", True): "aarch64-linux",
        ("Windows", False): "win64",
        ("Darwin", False): "darwin64",
        ("Darwin", True): "aarch64-darwin",
    }
    try:
        return PLATFORMS[names[platform.system(), arm]]
    except KeyError:
        raise CompileError(
            f"no FMI platform for {platform.system()} on {platform.machine()}; "
            f"choose one with --platforms: {', '.join(PLATFORMS)}"
        ) from None


def compile_library(
    sources: Mapping[str, str], target: Platform, compiler: str = ZIG, *, lanes: int = 1
) -> bytes:
    """Compile C sources, given by file name, into one shared library.

    Those of the runtime as it lies here are compiled once for all models. Files for several cases
    in the ``lanes`` of a vector ask the processor to have as many.
    """
    with scratch_folder() as folder:
        for name, text in sources.items():
            (folder / name).write_text(text, encoding="ascii")
        workshop = _workshop(compiler, target, folder)
        names = sorted(name for name in sources if name.endswith(".c"))
        _make_objects(workshop, names, sources, _VECTORS[lanes])
        objects = [_object(name) for name in names]
        library = f"library{target.suffix}"
        workshop.make({library: ["-s", *objects, *_linking(target)]})
        return (folder / library).read_bytes()


def _linking(target: Platform) -> Sequence[str]:
    """What makes one file of objects, beside the objects."""
    if target == BROWSER:
        return (*_MODULE_LINK, _MODULE_STACK)
    if target.suffix == ".so":
        return ("-shared", *_ELF_LINK)
    return ("-shared",)


def compiler_key(target: Platform, compiler: str = ZIG) -> bytes:
    """Say in one hash all that makes a library beside its sources: compiler, options, headers."""
    with scratch_folder() as folder:
        return _workshop(compiler, target, folder).identity


def _make_objects(
    workshop: _Workshop, names: Sequence[str], sources: Mapping[str, str], vectors: Sequence[str]
) -> None:
    """Compile the files that are not compiled already, those of the runtime for later as well."""
    folder, runtime = workshop.folder, whole_runtime()
    tasks: dict[str, Sequence[str]] = {}
    keys: dict[str, bytes] = {}
    for name in sorted(names, key=lambda name: -len(sources[name])):  # the longest task comes first
        needs = with_headers([name], sources)
        is_ours = needs == with_headers([name], runtime)
        options = _options(name, is_ours=is_ours)
        if IN_LANES in sources[name]:
            options = (*options, *vectors)
        if is_ours:
            key = workshop.key(needs, options)
            found = kept_object(key)
            if found is not None:
                (folder / _object(name)).write_bytes(found)
                continue
            keys[_object(name)] = key
        tasks[_object(name)] = ["-c", name, *options, f"-I{headers_of_the_standard()}"]
    workshop.make(tasks)
    for made, key in keys.items():
        keep_object(key, (folder / made).read_bytes())


def _options(name: str, *, is_ours: bool) -> Sequence[str]:
    """What a file is compiled with beyond the flags of all."""
    if is_ours:
        return _NO_VECTORS if name in _COUNTED_LOOPS else _PLAIN_LOOPS
    return _NO_VECTORS if name.startswith(PART) else ()


def _object(name: str) -> str:
    return str(Path(name).with_suffix(".o"))


@dataclass(frozen=True)
class _Workshop:
    """A compiler for a platform, at work in a folder."""

    compiler: str
    target: Platform
    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    identity: bytes  # of compiler, platform, options and headers of the standard

    def key(self, sources: Mapping[str, str], options: Sequence[str]) -> bytes:
        """Say in one hash what an object is made of."""
        parts = (*options, *(text for pair in sources.items() for text in pair))
        return _hash([self.identity, *(part.encode() for part in parts)])

    def make(self, tasks: Mapping[str, Sequence[str]]) -> None:
        """Make files, each by the compiler with its arguments, or say why not."""
        # No absolute path on the command line but the headers': none can end up in the library.
        commands = [[*self.command, *words, "-o", made] for made, words in tasks.items()]
        outcomes = _run(commands, self.folder, self.environment)
        failed = [done for done in outcomes if done.returncode]
        if not failed and all((self.folder / made).exists() for made in tasks):
            return
        done = (failed or outcomes)[0]
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[:4000]
        if "NoSpaceLeft" in said or "No space left" in said:
            places = filter(None, [str(self.folder.parent), self.environment.get(CHOICE)])
            said += f"\nfree some space in {' and in '.join(places)}, "
            said += f"or name other folders in TMPDIR and {CHOICE}"
        raise CompileError(
            f"{self.compiler} failed for {self.target.name} (exit code {done.returncode}):\n{said}"
        )


def _workshop(compiler: str, target: Platform, folder: Path) -> _Workshop:
    command = _command(compiler, target)
    is_zig = compiler == ZIG
    environment = (
        zig_environment(Path(command[0]), folder / "cache") if is_zig else dict(os.environ)
    )
    guard = _GUARD_BY_ZIG if is_zig else _GUARD
    tuning = _TUNING.get(target.target.split("-")[0], ())
    flags = (*FLAGS, *tuning, *(() if target == BROWSER else guard))
    standard = sorted(headers_of_the_standard().glob("fmi2*.h"))
    identity = _hash(
        [
            _identity(Path(command[0]), compiler, folder),
            *(option.encode() for option in (target.name, *command[1:], *flags)),
            *(path.read_bytes() for path in standard),
        ]
    )
    return _Workshop(compiler, target, (*command, *flags), folder, environment, identity)


def _identity(program: Path, compiler: str, folder: Path) -> bytes:
    """Tell one compiler from another, and from itself after an update."""
    if compiler == ZIG:
        return installation(program).encode()
    found = program.resolve()
    said = describe_compiler(compiler, folder)
    return f"{found} {found.stat().st_size} {found.stat().st_mtime_ns} {said}".encode()


def _hash(parts: Iterable[bytes]) -> bytes:
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def _run(
    commands: Sequence[Sequence[str]], folder: Path, environment: Mapping[str, str]
) -> list[subprocess.CompletedProcess[bytes]]:
    limit = _limit()
    try:
        return run_programs(
            commands, at_once=processors(), seconds=limit, folder=folder, environment=environment
        )
    except subprocess.TimeoutExpired:
        raise CompileError(
            f"the compiler was not done after {limit:g} s and was ended; the mechanism is large, "
            f"or another program holds the cache {environment.get(CHOICE, '')}: try again, "
            f"or allow more seconds in {LIMIT_CHOICE}"
        ) from None
    except OSError as error:
        raise CompileError(f"cannot run the compiler {commands[0][0]}: {error}") from None


def _limit() -> float:
    text = os.environ.get(LIMIT_CHOICE) or str(LIMIT)
    try:
        limit = float(text)
    except ValueError:
        limit = 0.0
    if not limit > 0:
        raise CompileError(f"{LIMIT_CHOICE} is {text!r}; give a positive number of seconds")
    return limit


def describe_compiler(compiler: str = ZIG, folder: Path | None = None) -> str:
    """Say which compiler will run, with its version; ``folder`` is for temporary files."""
    if compiler == ZIG:
        version = [_zig_program(), "version"]
    else:
        version = [_system_program(compiler), "--version"]
    try:
        said = run_program(version, seconds=60, folder=folder).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    lines = said.splitlines() or ["unknown version"]
    return f"{compiler} {lines[0]}" if compiler == ZIG else lines[0]


def _command(compiler: str, target: Platform) -> list[str]:
    if compiler == ZIG:
        return [_zig_program(), "cc", "-target", target.target]
    if target != host_platform():
        raise CompileError(
            f"{compiler} compiles for this machine only; use --compiler {ZIG} for {target.name}"
        )
    return [_system_program(compiler)]


def _system_program(compiler: str) -> str:
    program = shutil.which(compiler)
    if program is None:
        raise CompileError(
            f'no compiler "{compiler}" found; use --compiler {ZIG}, which needs none'
        )
    return program


def _zig_program() -> str:
    """Return the path of the compiler inside the ziglang package."""
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        raise CompileError(
            "the package ziglang is missing; pip install ziglang, or use --compiler cc"
        )
    return str(Path(package.origin).parent / f"zig{'.exe' if os.name == 'nt' else ''}")


def headers_of_the_standard() -> Path:
    """fmpy carries the headers fmi2*.h; found without importing it."""
    package = importlib.util.find_spec("fmpy")
    if package is None or package.origin is None:
        raise CompileError("the package fmpy is missing; pip install fmpy")
    return Path(package.origin).parent / "c-code"
