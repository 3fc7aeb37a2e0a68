"""The FMU manipulation toolbox checks our FMUs, puts them into containers and compiles them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest

from mbd_fmu.build import _native_files
from mbd_fmu.export.archive import archive_bytes
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.host.writing import write_whole
from mbd_fmu.options import ZIG
from mbd_fmu.system.system import system_of
from tests.importers.by_hand import names_of, summed, values_by_hand
from tests.importers.conftest import importer
from tests.importers.control import GAINS, STEP, loop_by_hand

importer("fmu_manipulation_toolbox")
H, N = 0.01, 30


def tool(name: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one of its commands; the modules are the commands."""
    command = [sys.executable, "-m", f"fmu_manipulation_toolbox.cli.{name}", *arguments]
    return subprocess.run(command, capture_output=True, check=False, cwd=folder, text=True)


# ---- The checker


def assert_clean(fmu, folder):
    done = tool("fmutool", "-input", str(fmu), "-check", folder=folder)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "compliant with FMI-2.0" in said
    assert "No semantic error" in said
    assert "ERROR" not in said
    assert "WARNING" not in said


def test_it_finds_nothing_wrong(fmu, tmp_path):
    assert_clean(fmu, tmp_path)


@pytest.mark.slow
def test_it_finds_nothing_wrong_with_any_model_of_the_library(library_model, tmp_path):
    """Without libraries, which it does not look at: nothing is compiled."""
    system = system_of(library_model[1])
    _, files = _native_files(system, symbols_of(system), (), ZIG, lambda _: None)
    write_whole({tmp_path / "model.fmu": archive_bytes(files)})
    assert_clean(tmp_path / "model.fmu", tmp_path)


def test_it_does_look(fmu, tmp_path):
    """An input that is called a parameter is found: silence means something."""
    broken = tmp_path / "broken.fmu"
    with zipfile.ZipFile(fmu) as archive, zipfile.ZipFile(broken, "w") as copy:
        for name in archive.namelist():
            text = archive.read(name)
            if name == "modelDescription.xml":
                text = text.replace(b'causality="input"', b'causality="parameter"', 1)
            copy.writestr(name, text)
    done = tool("fmutool", "-input", str(broken), "-check", folder=tmp_path)
    assert done.returncode != 0
    assert "cannot be combined" in done.stdout + done.stderr


# ---- Containers: an FMU that is an importer


def container(folder: Path, step: float, fmus: dict[str, Path], **wiring: object) -> Path:
    """Make ``box.fmu`` of some FMUs, which are called by their names inside."""
    for name, path in fmus.items():
        shutil.copy(path, folder / f"{name}.fmu")
    plan = {"name": "box.fmu", "step_size": step, "auto_link": False, "auto_parameter": True}
    plan["fmu"] = [f"{name}.fmu" for name in fmus]
    (folder / "box.json").write_text(json.dumps(plan | wiring), encoding="utf-8")
    done = tool("fmucontainer", "-container", "box.json", "-fmu-directory", ".", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "box.fmu"


def test_in_a_container_it_computes_the_same_bits(case, fmu, tmp_path):
    box = container(tmp_path, H, {"it": fmu})
    outputs = [v.variable.name for v in fmpy.read_model_description(str(fmu)).outputs]
    inputs, settings = [case.a, case.b], {case.fixed: 1.7, case.start: 0.1}
    inside = {f"it.{name}": value for name, value in settings.items()}
    found = values_by_hand(box, summed(H, N), inputs, inside, outputs)
    expected = values_by_hand(fmu, summed(H, N), inputs, settings, outputs)
    assert len(np.unique(expected, axis=0)) == N  # it does move
    assert np.array_equal(found, expected)


@pytest.mark.xdist_group("control loop")
def test_a_control_loop_in_a_container_computes_the_same_bits(arm, pid, tmp_path):
    links, starts = [], []
    for joint, gains in GAINS.items():
        links.append(["arm.fmu", f"{joint}.q", f"{joint}.fmu", "measured"])
        links.append([f"{joint}.fmu", "drive", "arm.fmu", f"{joint}.tau"])
        starts += [[f"{joint}.fmu", name, str(value)] for name, value in gains.items()]
    fmus = {"arm": arm} | dict.fromkeys(GAINS, pid)
    box = container(tmp_path, STEP, fmus, link=links, start=starts)
    names = [f"arm.{joint}.q" for joint in GAINS] + [f"{joint}.drive" for joint in GAINS]
    schedule = summed(STEP, 200)
    found = values_by_hand(box, schedule, [], {}, names)
    assert np.array_equal(found, loop_by_hand(arm, pid, schedule))


# ---- The sources


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_what_it_compiles_computes_the_same_bits(case, fmu, tmp_path):
    """An FMU without libraries, as for a platform that nobody has thought of."""
    bare, compiled = tmp_path / "bare.fmu", tmp_path / "compiled.fmu"
    with zipfile.ZipFile(fmu) as archive, zipfile.ZipFile(bare, "w") as copy:
        for name in archive.namelist():
            if not name.startswith("binaries/"):
                copy.writestr(name, archive.read(name))
    options = ["-compile-sources", "-link-libraries", "m"]  # it has no idea what we need
    done = tool("fmutool", "-input", str(bare), *options, "-output", str(compiled), folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    names, inputs = names_of(fmu), [case.a, case.b]
    found = values_by_hand(compiled, summed(H, N), inputs, {}, names)
    assert np.array_equal(found, values_by_hand(fmu, summed(H, N), inputs, {}, names))
