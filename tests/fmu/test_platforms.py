"""Libraries for five platforms from one machine: what they offer and need, and that they agree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mbd_fmu.build import build_fmu
from mbd_fmu.export.compile import PLATFORMS, compile_library, host_platform
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from tests.emulators import command_for, compile_for, run_on
from tests.fmu import mechanisms
from tests.fmu.elf import AARCH64, X86_64, read_elf
from tests.fmu.macho import read_macho
from tests.fmu.pe import read_pe
from tests.fmu.standard import C_LIBRARY, FUNCTIONS, HEADERS

# One worker waits for the compiler to make the C libraries of other systems, and for wine to set
# itself up, which takes minutes on a new machine and more on a busy one; the others go on.
pytestmark = [pytest.mark.xdist_group("platforms"), pytest.mark.timeout(1800)]

MASTER = Path(__file__).with_name("master.c")
HERE = host_platform().name
OTHERS = sorted(PLATFORMS.keys() - {HERE})
STEPS, STEP = 200, 0.005


def arm():
    return read_model(library()["six_axis_arm"])


def four_bar(**fmu):
    return spec_of_table(mechanisms.four_bar(**fmu), "test")


SPECS = {
    "four_bar": four_bar,
    "six_axis_arm": arm,
    "disc": lambda: spec_of_table(mechanisms.disc(), "test"),
    "stiff": lambda: four_bar(solver="stiff"),
    "rk4": lambda: spec_of_table(mechanisms.flyer(solver="rk4"), "test"),
    "rotor": lambda: spec_of_table(mechanisms.rotor(), "test"),
}


def few(*quick):
    """All mechanisms, those that are not quick by hand only."""
    return [pytest.param(n, marks=() if n in quick else pytest.mark.slow) for n in SPECS]


@pytest.fixture(scope="module")
def fmu_for(tmp_path_factory):
    """The folder of an FMU for some platforms, unpacked. Warnings of the compiler are errors."""
    folders = {}

    def unpacked(name, platforms=(HERE,)):
        if (name, platforms) not in folders:
            folder = tmp_path_factory.mktemp(name)
            build_fmu(SPECS[name](), folder / "model.fmu", platforms=platforms)
            with zipfile.ZipFile(folder / "model.fmu") as archive:
                archive.extractall(folder)
            folders[name, platforms] = folder
        return folders[name, platforms]

    return unpacked


def library_in(folder, platform):
    (path,) = (folder / "binaries" / platform).iterdir()
    return path


def sources_in(folder):
    return {path.name: path.read_text() for path in (folder / "sources").iterdir()}


@pytest.fixture(scope="module")
def everywhere(fmu_for):
    return fmu_for("rotor", ("all",))


def test_all_means_five_platforms_of_the_standard(everywhere):
    found = [str(p.relative_to(everywhere)) for p in (everywhere / "binaries").rglob("*.*")]
    assert sorted(found) == [
        "binaries/aarch64-darwin/rotor.dylib",
        "binaries/aarch64-linux/rotor.so",
        "binaries/darwin64/rotor.dylib",
        "binaries/linux64/rotor.so",
        "binaries/win64/rotor.dll",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_no_compiler_warns(name, fmu_for):
    assert len(list((fmu_for(name, ("all",)) / "binaries").iterdir())) == len(PLATFORMS)


# ---- What they offer and need


@pytest.mark.parametrize(("platform", "machine"), [("linux64", X86_64), ("aarch64-linux", AARCH64)])
def test_on_linux_it_offers_the_standard_and_needs_an_old_c_library(platform, machine, everywhere):
    elf = read_elf(library_in(everywhere, platform).read_bytes())
    assert elf.machine == machine
    assert elf.exported == FUNCTIONS
    # on ARM the value that guards the stack is the loader's
    loader = {"aarch64-linux": {"ld-linux-aarch64.so.1"}}.get(platform, set())
    assert set(elf.needed) <= {"libc.so.6", "libm.so.6"} | loader
    assert elf.imported <= C_LIBRARY | ({"__stack_chk_guard"} if loader else set())
    assert "__stack_chk_fail" in elf.imported
    versions = [tuple(map(int, re.findall(r"\d+", version))) for version in elf.versions]
    assert versions
    assert max(versions) <= (2, 17)


@pytest.mark.parametrize(("platform", "cpu"), [("darwin64", "x86_64"), ("aarch64-darwin", "arm64")])
def test_on_macos_it_offers_the_standard_and_needs_the_system(platform, cpu, everywhere):
    macho = read_macho(library_in(everywhere, platform).read_bytes())
    assert macho.cpu == cpu
    by_the_linker = {"___dso_handle", "__mh_dylib_header"}
    assert macho.exported - by_the_linker == {f"_{name}" for name in FUNCTIONS}
    assert macho.needed == ("/usr/lib/libSystem.B.dylib",)
    assert macho.search_paths == ()
    by_the_compiler = {"dyld_stub_binder", "_memset_pattern16", "___strcat_chk"}
    by_the_compiler |= {"___stack_chk_guard", "___bzero"}  # the last: memset of zeros
    assert "___stack_chk_fail" in macho.imported
    assert macho.imported - by_the_compiler <= {f"_{name}" for name in C_LIBRARY}
    assert macho.oldest_system == (11, 0)
    assert macho.is_signed or cpu == "x86_64"  # Apple's own processors load nothing unsigned


def test_on_windows_it_offers_the_standard_and_needs_the_system(everywhere):
    pe = read_pe(library_in(everywhere, "win64").read_bytes())
    assert pe.exported == FUNCTIONS
    # the C library of Windows 10 and newer, and what starts and ends a library
    assert {n for n in pe.needed if not n.startswith("api-ms-win-crt-")} <= {"KERNEL32.dll"}


# ---- What they compute


def bits_of(folder, platform, scratch, library=None):
    """Run the library of a platform: the bits of all variables at each step."""
    text = (folder / "modelDescription.xml").read_text()
    causality = re.findall(r'<ScalarVariable [^>]*causality="(\w+)"', text)
    program = compile_for(platform, scratch, [MASTER])
    copy = f"copy{PLATFORMS[platform].suffix}"
    (scratch / copy).write_bytes(library or library_in(folder, platform).read_bytes())
    return run_on(
        platform,
        program,
        f"./{copy}",
        re.search(r'guid="([^"]+)"', text)[1],
        str(len(causality)),
        str(causality.index("input") if "input" in causality else 0),
        str(causality.count("input")),
        str(STEPS),
        str(STEP),
    )


@pytest.fixture(scope="module")
def bits_here(fmu_for, tmp_path_factory):
    found = {}

    def bits(name):
        if name not in found:
            found[name] = bits_of(fmu_for(name), HERE, tmp_path_factory.mktemp("here"))
        return found[name]

    return bits


@pytest.mark.parametrize("platform", OTHERS)
@pytest.mark.parametrize("name", few("four_bar", "six_axis_arm"))
def test_every_platform_computes_the_same_bits(name, platform, fmu_for, bits_here, tmp_path):
    command_for(platform)  # skips before anything is done
    here = bits_here(name)
    assert len(set(here.splitlines())) == STEPS + 1  # it does move
    library = compile_library(sources_in(fmu_for(name)), PLATFORMS[platform])
    assert bits_of(fmu_for(name), platform, tmp_path, library) == here


# ---- The sources inside


@pytest.mark.skipif(not shutil.which("cmake") or not shutil.which("gcc"), reason="no cmake, no gcc")
@pytest.mark.parametrize("name", few("four_bar"))
def test_fmpy_compiles_the_sources_to_a_library_with_the_same_bits(
    name, fmu_for, bits_here, tmp_path
):
    copy = Path(shutil.copy(fmu_for(name) / "model.fmu", tmp_path))
    before = copy.read_bytes()
    options = ["--all-warnings", "--warning-as-error"]
    command = [sys.executable, "-m", "fmpy", "compile", str(copy), *options]
    subprocess.run(command, check=True, capture_output=True)
    assert copy.read_bytes() != before
    with zipfile.ZipFile(copy) as archive:
        archive.extractall(tmp_path / "compiled")
    assert bits_of(tmp_path / "compiled", HERE, tmp_path) == bits_here(name)


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc here")
@pytest.mark.parametrize("options", [["-O2", "-march=native"], ["-O0"]], ids=" ".join)
@pytest.mark.parametrize("name", ["four_bar", "six_axis_arm"])  # the second in several files
def test_no_option_is_needed_for_the_same_bits(name, options, fmu_for, bits_here, tmp_path):
    folder = tmp_path / "compiled"
    shutil.copytree(fmu_for(name), folder, ignore=shutil.ignore_patterns("*.so"))
    library = folder / "binaries" / HERE / f"{name}.so"
    files = [*map(str, (folder / "sources").glob("*.c")), f"-I{HEADERS}", "-o", str(library)]
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = ["gcc", "-shared", "-fPIC", *options, *warnings, *files, "-lm"]
    subprocess.run(command, check=True)
    assert bits_of(folder, HERE, tmp_path) == bits_here(name)
    # none of our names can be mistaken for one of the process, such as glibc's `advance`
    assert read_elf(library.read_bytes()).exported == FUNCTIONS


@pytest.mark.parametrize(
    "platform", [HERE, *(pytest.param(p, marks=pytest.mark.slow) for p in OTHERS)]
)
def test_the_libraries_are_made_of_the_sources_alone(platform, everywhere):
    backwards = dict(sorted(sources_in(everywhere).items(), reverse=True))  # order does not matter
    again = compile_library(backwards, PLATFORMS[platform])
    assert again == library_in(everywhere, platform).read_bytes()


@pytest.mark.parametrize(("name", "parts"), [("rotor", 0), ("six_axis_arm", 1)])
def test_the_sources_are_listed_and_hold_no_header_of_the_standard(name, parts, fmu_for):
    """One is small, the other has parts of its equations in a file of their own."""
    folder = fmu_for(name, ("all",) if name == "rotor" else (HERE,))
    text = (folder / "modelDescription.xml").read_text()
    lists = re.findall(r"<SourceFiles>(.*?)</SourceFiles>", text, re.DOTALL)
    assert len(lists) == len(re.findall("<(?:ModelExchange|CoSimulation) ", text))
    names = {path.name for path in (folder / "sources").iterdir()}
    assert sum(name.startswith("model_part_") for name in names) == parts
    for files in lists:
        listed = re.findall(r'<File name="([^"]+)"/>', files)
        assert listed == sorted(name for name in names if name.endswith(".c"))
    assert names & {path.name for path in HEADERS.iterdir()} == set()
