"""Loads as they are drawn do the work that the drives and wrenches of the mechanism do."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.runs import Request, run_model
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.viewer.motion import motion_of


@pytest.mark.parametrize("name", ["cart_pole", "double_pendulum"])
def test_power_of_drawn_drives_is_that_of_the_inputs(name):
    """Sum of F v + M w over the loads, less that on the parents, against d(input work)/dt.

    Velocities of bodies by differences of their poses: to the square of the step.
    """
    folder = library()[name]
    spec, inputs = read_model(folder), read_csv(folder / "input.csv")
    request = Request(stop=0.4, step=1e-3, inputs=inputs, interpolate=True)
    found = run_model(spec, request, progress=lambda _: None, notice=lambda _: None)
    scene, result = scene_table(spec), found.result
    motion = motion_of(scene, result, inputs, interpolate=True)
    parents = {joint["name"]: joint["carrier"] for joint in scene["joints"]}
    power = sum(
        _power(motion, load, load.body) - _power(motion, load, parents[load.name])
        for load in motion.loads
    )
    work = np.gradient(result.column("energy.input_work"), result.time)
    inner = slice(5, -5)
    assert np.abs(work).max() > 1e-2
    assert np.abs(power - work)[inner].max() < 1e-3 * np.abs(work).max()


def _power(motion, load, body):
    """What a load would do to a body that its point is carried by at this instant."""
    if body == "ground":
        return np.zeros(len(motion.time))
    step = motion.time[1] - motion.time[0]
    on = motion.poses[load.body]
    place = on[:, :3] + _turn(on).apply(load.point)
    pose = motion.poses[body]
    turns = _turn(pose)
    w = np.zeros_like(place)
    w[1:-1] = (turns[2:] * turns[:-2].inv()).as_rotvec() / (2 * step)
    v = np.gradient(pose[:, :3], step, axis=0) + np.cross(w, place - pose[:, :3])
    return np.sum(load.values[:, :3] * v + load.values[:, 3:] * w, axis=1)


def _turn(pose):
    return Rotation.from_quat(pose[:, [4, 5, 6, 3]])
