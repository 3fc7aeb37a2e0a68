"""Robots and mechanisms in SDF, against engines and references that never saw the file.

Each is written as SDF with every pose in another frame (sdf_writer.py); what is compared was made
from the original: by Pinocchio from the URDF, or by the makers of the references of our models.
"""

from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model, read_model
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.formats.sdf_writer import sdf_of_model, sdf_of_urdf

MODELS = Path(__file__).parents[2] / "models"
# humanoids, quadrupeds, arms; mimics, damping, links without mass, roots that are the world
ROBOTS = ("panda", "baxter", "tiago_no_hand", "pr2", "talos_full_v2", "solo12", "double_pendulum")
BOLTED = ("ur5_robot", "xarm7", "TwoDofs")  # to a link called world: they do not fly


@pytest.mark.parametrize(
    ("name", "base"),
    [*((n, base) for n in ROBOTS for base in ("fixed", "free")), *((n, "fixed") for n in BOLTED)],
)
def test_a_robot_in_sdf_moves_as_in_the_second_engine(tmp_path, name, base):
    pytest.importorskip("pinocchio", reason="the second engine is not installed")
    robots = pytest.importorskip("tests.formats.test_robots").ROBOTS
    from tests.formats.pinocchio_robots import Twins

    rng = np.random.default_rng(len(name))
    path = tmp_path / f"{name}.sdf"
    path.write_text(sdf_of_urdf(robots[name], rng), encoding="utf-8")
    twins = Twins(robots[name], Choices(base=base, is_lenient=True), path)
    for _ in range(2):
        for what, error in twins.worst(rng).items():
            # as for URDF; rounding of chains of frames is some 1e-15 each
            assert error <= 1e-10, f"{what} of {name} differ by {error:.1e}"


@pytest.mark.parametrize(
    ("name", "stop"),
    [("four_bar", 0.3), ("slider_crank_ball", 0.1), ("stewart_platform", 0.05)],
)
def test_a_closed_loop_moves_as_its_reference(tmp_path, name, stop):
    spec = read_model(MODELS / name / "model.toml")
    path = tmp_path / f"{name}.sdf"
    path.write_text(sdf_of_model(spec, np.random.default_rng(7)), encoding="utf-8")
    opened = open_model(path)
    assert any("closes a loop" in entry.text for entry in opened.report.imported)
    reference = read_csv(MODELS / name / "reference.csv")
    table = MODELS / name / "input.csv"
    starts = {f"{j.name}.qd_start": float(j.velocity[0]) for j in spec.joints if j.velocity}
    run = simulate(
        system_of(opened.spec),
        stop=stop,
        step=float(reference.time[1]),
        settings=starts,
        inputs=read_csv(table) if table.exists() else None,
    )
    columns = [n for n in reference.names if n.endswith((".q", ".qd")) and n in run.names]
    assert len(columns) >= 2
    for column in columns:
        expected = reference.column(column)
        error = np.abs(run.column(column) - expected[: len(run.time)]).max()
        # the solver's tolerance of 1e-6
        assert error <= 1e-6 * np.abs(expected).max(), column
