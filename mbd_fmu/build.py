"""The whole road on one page: specification -> system -> equations -> C -> library -> FMU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.analysis.diagnosis import Diagnosis, described, diagnose
from mbd_fmu.drawing.scene import SCENE_FILE, scene_json
from mbd_fmu.errors import MbdFmuError, nearest
from mbd_fmu.export.archive import archive_bytes, content_guid
from mbd_fmu.export.c_code import identified, model_sources
from mbd_fmu.export.compile import PLATFORMS, Platform, compile_library, host_platform
from mbd_fmu.export.description import Capabilities, model_description, with_guid
from mbd_fmu.export.documentation import index_page
from mbd_fmu.export.references import Experiment, carried_files, refuse_unknown, side_files
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.slave import slave_files
from mbd_fmu.export.symbols import Symbols, operation_count, symbols_of
from mbd_fmu.host.writing import target_of, write_whole
from mbd_fmu.model.spec import Spec, Specified, spec_of
from mbd_fmu.options import AUTO, BACKENDS, CODES, ZIG
from mbd_fmu.system.system import System, system_of

Progress = Callable[[str], None]
DOCUMENTATION = "documentation"  # a folder of the archive


@dataclass(frozen=True)
class Built:
    """What was made."""

    path: Path
    guid: str
    backend: str
    platforms: tuple[str, ...]
    library_bytes: dict[str, int]  # per platform
    operations: dict[str, int]  # per routine
    variables: int
    diagnosis: Diagnosis
    side_files: tuple[Path, ...] = ()  # for the FMI cross-check

    @property
    def loops(self) -> str | None:
        """How most evaluations solve the constraints: sparse or dense; None of a tree."""
        if "equations" not in self.operations:
            return None
        return "sparse" if "motion" in self.operations else "dense"

    @property
    def motion_operations(self) -> int:
        """Operations of one evaluation: of loops by the fast way, else without the dense solve."""
        found = self.operations
        routines = ("motion",) if "motion" in found else ("derivatives", "equations", "rates")
        return sum(found.get(name, 0) for name in routines)


def build_fmu(
    model: Spec | Specified,
    out: str | Path | None = None,
    *,
    backend: str = "native",
    platforms: Sequence[str] = ("host",),
    compiler: str = ZIG,
    code: str = AUTO,
    experiment: Experiment | None = None,
    pages: Mapping[str, str] | None = None,
    progress: Progress = lambda _: None,
) -> Built:
    """Make an FMU of a mechanism.

    With an ``experiment`` the FMU carries its own proof, and files for others to check it lie
    beside it; ``pages``, by what links to them say, lie in its documentation. Neither changes
    anything about the FMU, so the GUID does not know of them.
    """
    spec = spec_of(model)
    path = Path(out) if out else Path(f"{spec.name}.fmu")
    targets = platforms_of(platforms)
    if backend not in BACKENDS:
        raise MbdFmuError(f'no backend "{backend}"; {nearest(backend, BACKENDS)}')
    if code not in CODES:
        raise MbdFmuError(f'no code "{code}"; {nearest(code, CODES)}')
    if backend == "python" and (tuple(platforms), compiler, code) != (("host",), ZIG, AUTO):
        raise MbdFmuError(
            "the Python back end compiles nothing; leave platforms, compiler and code out"
        )

    with _written(path):
        target_of(path)  # refused before the work, not after

    progress("structure")
    system = system_of(spec)
    refuse_unusable(system)
    if experiment is not None:
        refuse_unknown(experiment, system.table)
    diagnosis = diagnose(system)
    system = described(system, diagnosis)
    progress("equations")
    symbols = symbols_of(system, code)
    if backend == "python":
        guid, files = _python_files(system, symbols)
    else:
        guid, files = _native_files(system, symbols, targets, compiler, progress)
    files |= _documentation(system, pages or {})
    files[SCENE_FILE] = scene_json(spec).encode()
    contents: dict[Path, bytes] = {}
    if experiment is not None:
        files |= carried_files(spec.name, experiment)
        contents |= {path.with_name(n): b for n, b in side_files(path.stem, experiment).items()}
    progress("archive")
    with _written(path):
        write_whole({path: archive_bytes(files)} | contents)
    libraries = {n.split("/")[1]: len(b) for n, b in files.items() if n.startswith("binaries/")}
    return Built(
        path,
        guid,
        backend,
        tuple(libraries),
        libraries,
        operation_count(symbols.routines),
        files["modelDescription.xml"].count(b"<ScalarVariable "),
        diagnosis,
        tuple(contents),
    )


def _documentation(system: System, pages: Mapping[str, str]) -> dict[str, bytes]:
    files = {f"{DOCUMENTATION}/{name}.html": text.encode() for name, text in pages.items()}
    return files | {f"{DOCUMENTATION}/index.html": index_page(system, tuple(pages))}


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Tell what cannot be written, and why."""
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise MbdFmuError(f"{name}: cannot be written: {error.strerror}") from None


def _native_files(
    system: System,
    symbols: Symbols,
    targets: Sequence[Platform],
    compiler: str,
    progress: Progress,
) -> tuple[str, dict[str, bytes]]:
    sources = runtime_sources(system) | model_sources(system, symbols)
    capabilities = Capabilities(
        interpolates_inputs=True,
        keeps_states=True,
        has_derivatives=True,
        needs_python=False,
        sources=tuple(sorted(name for name in sources if name.endswith(".c"))),
    )
    description = model_description(system, symbols, capabilities)
    guid = content_guid([description, *(sources[name].encode() for name in sorted(sources))])
    sources = identified(sources, guid)
    files = {"modelDescription.xml": with_guid(description, guid)}
    files |= {f"sources/{name}": text.encode() for name, text in sources.items()}
    for target in targets:
        progress(f"library for {target.name}")
        name = f"binaries/{target.name}/{system.spec.name}{target.suffix}"
        files[name] = compile_library(sources, target, compiler)
    return guid, files


def _python_files(system: System, symbols: Symbols) -> tuple[str, dict[str, bytes]]:
    files = slave_files(system)
    capabilities = Capabilities(
        interpolates_inputs=False, keeps_states=False, has_derivatives=False, needs_python=True
    )
    description = model_description(system, symbols, capabilities)
    guid = content_guid([description, *(files[name] for name in sorted(files))])
    return guid, files | {"modelDescription.xml": with_guid(description, guid)}


def platforms_of(names: Sequence[str]) -> tuple[Platform, ...]:
    """Return the platforms asked for by name, by ``host`` or by ``all``."""
    found: dict[str, Platform] = {}
    for name in names:
        if name == "all":
            found |= PLATFORMS
        elif name == "host":
            found[host_platform().name] = host_platform()
        elif name in PLATFORMS:
            found[name] = PLATFORMS[name]
        else:
            raise MbdFmuError(f'no platform "{name}"; {nearest(name, [*PLATFORMS, "host", "all"])}')
    return tuple(found.values())
