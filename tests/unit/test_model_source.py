"""Generated and written C agree: the Model of runtime/model.h is filled as it is declared there."""

from __future__ import annotations

import re

import pytest

from mbd_fmu.errors import CompileError
from mbd_fmu.export.c_code import EACH_STEP, PARTS_HEADER, identified, model_sources
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.runtime import runtime_sources
from mbd_fmu.export.runtime_files import PART, whole_runtime
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.system import system_of
from tests.fmu import mechanisms

GUID = "12345678-1234-1234-1234-123456789abc"


def system_with(table, **fmu):
    return system_of(spec_of_table({**table, "fmu": {**table.get("fmu", {}), **fmu}}, "test"))


SYSTEMS = {
    "tree": system_with(mechanisms.double_pendulum()),
    "stiff tree": system_with(mechanisms.double_pendulum(), solver="stiff"),
    "equal steps": system_with(mechanisms.double_pendulum(), solver="rk4"),
    "loops": system_with(mechanisms.four_bar()),
    "stiff loops": system_with(mechanisms.four_bar(), solver="stiff"),
}
LARGE = system_of(read_model(library()["seven_body_tree"]))
FEW = 3000  # operations in a file


@pytest.fixture(params=SYSTEMS)
def system(request):
    return SYSTEMS[request.param]


def prototypes():
    """Names of what each function of the Model takes and gives; all are rows of doubles."""
    declared = re.findall(r"void \(\*(\w+)\)\((.*?)\);", whole_runtime()["model.h"], re.DOTALL)
    parts = {name: re.findall(r"(const )?double \*(\w+)", text) for name, text in declared}
    return {
        name: ([n for const, n in found if const], [n for const, n in found if not const])
        for name, found in parts.items()
    }


def test_routines_take_and_give_what_the_model_says_in_its_order(system):
    """The compiler counts them; that none are exchanged is looked at here."""
    declared = prototypes()
    for routine in symbols_of(system).routines:
        name = routine.name
        if name.removesuffix("_tangent") in STAGES:
            name = "tangent" if name.endswith("_tangent") else "compute"
        takes, gives = declared[name]
        assert [argument for argument, _ in routine.arguments] == takes, routine.name
        assert [*routine.results, "memory"] == gives, routine.name


@pytest.mark.parametrize("damage", ["double *x", "const double *p, double *x, double *y"])
def test_a_routine_of_another_form_does_not_compile(damage):
    system = SYSTEMS["tree"]
    sources = model_sources(system, symbols_of(system))
    head = "model_start(const double *p, double *x, double *memory)"
    assert head in sources["model.c"]
    damaged = sources["model.c"].replace(head, f"model_start({damage})")
    damaged = damaged.replace("(void)p;", "").replace("(void)memory;", "")
    with pytest.raises(CompileError, match="start"):
        compile_library(runtime_sources(system) | sources | {"model.c": damaged}, host_platform())


def test_every_field_of_the_model_is_declared(system):
    declared = whole_runtime()["model.h"]
    model_c = model_sources(system, symbols_of(system))["model.c"]
    for field in re.findall(r"^    \.(\w+) = ", model_c, re.MULTILINE):
        assert re.search(rf"\b{field}\b", declared), field


def test_the_guid_stands_in_one_place():
    system = SYSTEMS["tree"]
    sources = identified(model_sources(system, symbols_of(system)), GUID)
    assert sum(text.count(GUID) for text in sources.values()) == 1


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_parts_and_kernels_are_declared_and_stand_once_in_files_of_bounded_size(code, monkeypatch):
    monkeypatch.setattr("mbd_fmu.export.c_code.FILE_SIZE", FEW)
    sources = model_sources(LARGE, symbols_of(LARGE, code))
    files = {name: text for name, text in sources.items() if name.startswith(PART)}
    defined = {
        n: re.findall(r"^void (model_\w+)\(", text, re.MULTILINE) for n, text in files.items()
    }
    assert len(files) > 1
    for text in files.values():
        assert len(re.findall(r"^ *const double a\d+ = [^rs]", text, re.MULTILINE)) <= 2 * FEW
    declared = re.findall(r"^void (model_\w+)\(.*\);$", sources[PARTS_HEADER], re.MULTILINE)
    assert declared == [name for names in defined.values() for name in names]
    inside = re.findall(r"^static void (model_\w+)\(", sources["model.c"], re.MULTILINE)
    called = re.findall(r"^    \{?(model_\w+)[(,].*[;,]$", sources["model.c"], re.MULTILINE)
    assert {*declared} == {*called} - {*inside}
    if code == STRAIGHT:
        # what is left in model.c in parts is what steps wait for
        assert {name.rpartition("_")[0] for name in {*called} & {*inside}} <= {
            f"model_{name}" for name in EACH_STEP
        }


def test_a_small_mechanism_is_one_file():
    assert [*model_sources(SYSTEMS["tree"], symbols_of(SYSTEMS["tree"]))] == ["model.c"]


def test_the_library_does_not_know_how_many_compilers_worked_at_once(monkeypatch):
    monkeypatch.setattr("mbd_fmu.export.c_code.FILE_SIZE", FEW)
    sources = runtime_sources(LARGE) | model_sources(LARGE, symbols_of(LARGE))
    libraries = []
    for processors in (1, 2, 16):
        monkeypatch.setattr("mbd_fmu.export.compile.processors", lambda n=processors: n)
        libraries.append(compile_library(sources, host_platform()))
    assert libraries[0] == libraries[1] == libraries[2]


def test_the_core_knows_no_standard():
    """Whoever binds it to another one, to a page or to a batch leaves out what is named fmi2."""
    for name, text in whole_runtime().items():
        if not name.startswith("fmi2"):
            assert not re.search(r"fmi2[A-Z]", text), name


def test_a_mechanism_ships_what_it_needs_and_no_more():
    def differ(one, other):
        found = {*runtime_sources(SYSTEMS[one])} ^ {*runtime_sources(SYSTEMS[other])}
        return {name for name in found if name.endswith(".c")}

    loops = {"loops", "manifold", "assembly", "solution", "tangents", "start", "scratch"}
    assert differ("tree", "loops") == {f"{n}.c" for n in (*loops, "constrained", "sparse", "tree")}
    assert differ("tree", "stiff tree") == {"dopri5.c", "stiff.c"}
    assert differ("tree", "equal steps") == {"dopri5.c", "adaptive.c", "rk4.c"}
    assert "manifold.h" not in runtime_sources(SYSTEMS["tree"])
