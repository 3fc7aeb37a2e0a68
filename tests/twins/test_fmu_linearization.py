"""A bare FMU linearised by the functions of the standard: the same as its model."""

import zipfile

import numpy as np
import pytest

from mbd_fmu.analysis.linearization import linearize
from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.fmu_linearization import linearize_fmu

FREQUENCIES = np.geomspace(0.05, 20, 5)


def led_slider(**more):
    """A crank whose motion is prescribed, rod, and a mass on a spring that the loop drags along."""
    return spec_of_table(
        {
            "model": {"name": "led"},
            "body": [
                {
                    "name": n,
                    "mass": 1.0,
                    "com": c,
                    "inertia": {"shape": "box", "size": [0.1, 0.1, 0.1]},
                }
                for n, c in (
                    ("crank", [0.1, 0, 0.1]),
                    ("rod", [0.5, 0, 0.1]),
                    ("bob", [0.8, 0, -0.2]),
                )
            ],
            "joint": [
                {
                    "name": "drive",
                    "type": "revolute",
                    "parent": "ground",
                    "child": "crank",
                    "point": [0, 0, 0],
                    "axis": [0, 1, 0],
                    "drive": "motion",
                },
                {
                    "name": "pin",
                    "type": "revolute",
                    "parent": "crank",
                    "child": "rod",
                    "point": [0.2, 0, 0.2],
                    "axis": [0, 1, 0],
                },
                {
                    "name": "tip",
                    "type": "revolute",
                    "parent": "rod",
                    "child": "bob",
                    "point": [0.8, 0, 0],
                    "axis": [0, 1, 0],
                },
            ],
            "constraint": [
                {
                    "name": "guide",
                    "type": "point_in_plane",
                    "parent": "ground",
                    "child": "rod",
                    "point": [0, 0, 0],
                    "point2": [0.8, 0, 0],
                    "axis": [0, 0, 1],
                }
            ],
            **more,
        },
        "led",
    )


@pytest.mark.parametrize(
    ("spec", "settings", "outputs"),
    [
        (
            read_model(library()["quarter_car"]),
            {},
            ["carrier.com.z", "heave.force.x", "suspension"],
        ),
        (read_model(library()["bicycle"]), {"push": 0.0}, ["steer.q", "rear_frame.com.y"]),
        (led_slider(), {}, ["bob.com.x", "tip.q", "pin.force.z", "guide.lambda[1]"]),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_it_is_that_of_the_model(spec, settings, outputs, fmu_of):
    """Eigenvalues and responses do not depend on which coordinates are picked."""
    system = system_of(spec)
    known = {v.name for v in system.table.outputs}
    outputs = [name for name in outputs if name in known]
    expected = linearize(system, settings=settings, outputs=outputs)
    found = linearize_fmu(fmu_of(spec), settings=settings, outputs=lambda _: outputs)
    assert (found.n_positions, found.n_velocities) == (expected.n_positions, expected.n_velocities)
    assert [q.name for q in found.outputs] == outputs
    assert found.outputs == expected.outputs
    assert found.inputs == expected.inputs
    poles = [np.poly(linear.A) for linear in (found, expected)]
    np.testing.assert_allclose(*poles, rtol=1e-8, atol=1e-8 * np.abs(poles[1]).max())
    responses = [linear.transfer(FREQUENCIES) for linear in (found, expected)]
    np.testing.assert_allclose(*responses, rtol=1e-7, atol=1e-9 * np.abs(responses[1]).max())


def test_velocities_are_those_of_the_coordinates_picked(fmu_of):
    """Of any six that would tell the others, as well: every hinge picked comes with its rate."""
    found = linearize_fmu(fmu_of(read_model(library()["stewart_platform"])), outputs=lambda _: [])
    names, n = [q.name for q in found.states], found.n_positions
    hinges = [name.replace(".q[", ".qd[") for name in names[:n] if name.startswith("foot")]
    assert len(hinges) > 2
    assert set(hinges) <= set(names[n:])


def test_in_fmus_of_others_every_state_is_a_freedom(fmu_of, tmp_path):
    """One of ours that no longer says so: of a tree of hinges the answer is the same."""
    spec = read_model(library()["cart_pole"])
    path, other = fmu_of(spec), tmp_path / "other.fmu"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "modelDescription.xml":
                data = data.replace(b"start value of", b"begins")
            new.writestr(entry, data)
    found, expected = linearize_fmu(other), linearize(system_of(spec))
    for key in "ABCD":
        np.testing.assert_allclose(getattr(found, key), getattr(expected, key), atol=1e-12)
    assert found.states == expected.states


def test_refusals(fmu_of):
    spec = read_model(library()["cart_pole"])
    with pytest.raises(DataError, match=r'no parameter or input "rail"'):
        linearize_fmu(fmu_of(spec), settings={"rail": 1.0})
    with pytest.raises(FmuError, match=r"no FMI 2\.0 model-exchange FMU"):
        linearize_fmu(fmu_of(spec, "python"))
