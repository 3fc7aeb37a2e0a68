"""Motions of robots that Pinocchio computed, through URDF files written from its numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.cli import main
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.formats.tables.looks import rpy_of
from mbd_fmu.signals.csv_files import read_csv, write_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of

FOLDER = Path(__file__).parents[1] / "references" / "robots"
AXES = {"JointModelRX": "1 0 0", "JointModelRY": "0 1 0", "JointModelRZ": "0 0 1"}
AXES["JointModelRUBX"] = "1 0 0"


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def urdf_of(robot):
    """Write the tree of a reference as any exporter would."""
    parts = ['<link name="root"/>']
    links = ["root", *(f"link{k}" for k in range(1, robot["dof"] + 1))]
    for k, joint in enumerate(robot["reduced_model"], start=1):
        inertia = np.array(joint["inertia_com"])
        moments = " ".join(
            f'i{"xyz"[i]}{"xyz"[j]}="{float(inertia[i, j])!r}"'
            for i in range(3)
            for j in range(i, 3)
        )
        kind = "continuous" if joint["type"].startswith("JointModelRUB") else "revolute"
        parts.append(
            f'<link name="{links[k]}"><inertial><origin xyz="{words(joint["com"])}"/>'
            f'<mass value="{joint["mass"]!r}"/><inertia {moments}/></inertial></link>'
            f'<joint name="{joint["joint"]}" type="{kind}">'
            f'<parent link="{links[joint["parent"]]}"/>'
            f'<child link="{links[k]}"/><origin xyz="{words(joint["placement_xyz"])}" '
            f'rpy="{words(rpy_of(np.array(joint["placement_R"])))}"/>'
            f'<axis xyz="{AXES[joint["type"]]}"/>'
            '<limit lower="-9" upper="9" effort="500" velocity="9"/></joint>'
        )
    return f'<robot name="{robot["title"].split(":")[0]}">\n' + "\n".join(parts) + "\n</robot>\n"


@pytest.fixture
def reference(request, tmp_path):
    robot = json.loads((FOLDER / f"{request.param}.json").read_text(encoding="utf-8"))
    path = tmp_path / f"{request.param}.urdf"
    path.write_text(urdf_of(robot), encoding="utf-8")
    return path, robot, read_csv(FOLDER / f"{request.param}.csv")


@pytest.mark.parametrize(
    "reference", ["ur5", "panda7", "solo12_fixedbase", "pendulum5"], indirect=True
)
def test_accelerations_are_those_of_the_reference(reference):
    path, robot, table = reference
    system = system_of(read_model(path))
    plant = plant_of(system, system.nominal_parameters())
    names = [system.spec.joints[k].name for k in system.forest.joint]
    assert {*names} == {*robot["joint_names"]}
    inputs = [v.name.removesuffix(".tau") for v in system.table.inputs]
    for row in range(0, len(table.time), 10):
        at = {name: values[row] for name, values in zip(table.names, table.values.T, strict=True)}
        x = np.array([*(at[f"q_{n}"] for n in names), *(at[f"v_{n}"] for n in names), 0.0, 0.0])
        u = np.array([at[f"tau_{n}"] for n in inputs])
        expected = np.array([at[f"a_{n}"] for n in names])
        found = plant.derivatives(x, u)[len(names) : 2 * len(names)]
        # the table has some twelve digits
        assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("reference", ["ur5"], indirect=True)
def test_an_fmu_from_urdf_moves_as_the_reference(reference, capsys):
    path, robot, table = reference
    names, fmu = robot["joint_names"], path.with_suffix(".fmu")
    assert main(["build", str(path), "-o", str(fmu)]) == 0
    tau = Trajectory(
        table.time,
        tuple(f"{n}.tau" for n in names),
        np.stack([table.column(f"tau_{n}") for n in names], axis=1),
    )
    write_csv(path.with_name("tau.csv"), tau)
    starts = [f"{n}.q_start={q}" for n, q in zip(names, robot["initial"]["q"], strict=True)]
    options = [word for start in starts for word in ("--set", start)]
    out = path.with_name("out.csv")
    command = ["simulate", str(fmu), "--input", str(path.with_name("tau.csv"))]
    assert main([*command, "--stop", "1", "--step", "0.01", *options, "-o", str(out)]) == 0
    capsys.readouterr()
    result = read_csv(out)
    for name in names:
        error = np.abs(result.column(f"{name}.q") - table.column(f"q_{name}")).max()
        # the FMU's tolerance of 1e-6, 354 times as much at the end as at the beginning
        assert error < 1e-4, name
