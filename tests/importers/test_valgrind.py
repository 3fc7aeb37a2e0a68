"""valgrind watches our libraries: no byte read that was not written, none lost, none beyond."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mbd_fmu.export.compile import host_platform
from mbd_fmu.model.reader import spec_of_table
from tests.emulators import compile_for
from tests.fmu import mechanisms
from tests.fmu.ctypes_fmu import Library

HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="valgrind watches Linux programs here"),
    pytest.mark.skipif(not shutil.which("valgrind"), reason="needs the package valgrind"),
]
WATCH = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all"]
# Refused on the tour: a GUID, and twice two steps, a reference and a state.
REFUSED = 1 + 2 * 4

SOLVERS = {"rk4": mechanisms.flyer(solver="rk4"), "stiff": mechanisms.loop(solver="stiff")}


def tour(fmu, folder):
    """Take the tour under valgrind; return what was said."""
    library = Library(fmu, folder)
    first = {kind: library.reference[library.names(kind)[0]] for kind in ("input", "output")}
    program = compile_for(host_platform().name, folder, [HERE / "tour.c"])
    numbers = (*first.values(), len(library.variables), len(library.names("local")) // 2)
    command = [*WATCH, str(program), str(library.file), library.guid, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stderr == ""
    return done.stdout


def test_it_finds_nothing_on_a_tour_of_all_functions(fmu, tmp_path):
    assert tour(fmu, tmp_path) == f"{REFUSED}\n"


@pytest.mark.parametrize("solver", SOLVERS)
def test_it_finds_nothing_with_other_solvers(solver, fmu_of, tmp_path):
    assert tour(fmu_of(spec_of_table(SOLVERS[solver], "test")), tmp_path) == f"{REFUSED}\n"


def test_it_does_look(tmp_path):
    """A program that reads beyond its place is found: silence means something."""
    source = tmp_path / "beyond.c"
    source.write_text(
        "#include <stdlib.h>\n"
        "int main(void) { volatile char *p = malloc(4); return p ? p[4] : 1; }\n",
        encoding="ascii",
    )
    program = compile_for(host_platform().name, tmp_path, [source])
    done = subprocess.run([*WATCH, str(program)], capture_output=True, check=False, text=True)
    assert done.returncode == 99
    assert "Invalid read" in done.stderr
