"""The result of a run is a motion: followed, and driven backwards, it is the run again."""

import numpy as np
import pytest

from mbd_fmu.analysis.inverse import drives_of
from mbd_fmu.analysis.inverse_motion import inverse_dynamics
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library, table_beside
from mbd_fmu.model.spec import with_groups
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of

# a tree that starts at rest, wheels that roll, a moving base, redundant loops, what flies, springs
MODELS = (
    *(
        "cart_pole",
        "rolling_disc",
        "chaplygin_sleigh",
        "double_pendulum_moving_base",
        "peaucellier",
    ),
    *("four_bar", "satellite", "quarter_car", "free_top_asymmetric", "three_masses_star"),
)


@pytest.mark.parametrize("name", MODELS)
def test_a_run_told_as_a_motion_gives_its_drives_and_reactions_back(name):
    folder = library()[name]
    system = system_of(with_groups(read_model(folder), "joints", "reactions"))
    inputs = table_beside(folder / "model.toml", "input.csv")
    ran = simulate(
        system, stop=0.04, step=0.01, inputs=inputs, settings={"solver.tolerance": 1e-11}
    )
    drives = drives_of(system)
    told, given = ran, {}
    if inputs is not None:
        rows = np.array([inputs.values[inputs.row_at(t)] for t in ran.time])
        given = dict(zip(inputs.names, rows.T, strict=True))
        others = [k for k in given if k not in drives]  # of the base, of wrenches: known
        columns = [ran.values, *(given[k][:, None] for k in others)]
        told = Trajectory(ran.time, (*ran.names, *others), np.concatenate(columns, axis=1))
    found = inverse_dynamics(system, told)
    forces = [v.name for v in system.table.outputs if v.unit == "N"]
    largest = max((np.abs(ran.column(name)).max() for name in forces), default=1.0)
    for drive in drives:
        assert np.abs(found.drives.column(drive) - given.get(drive, 0.0)).max() <= 1e-9 * largest
    for variable in system.table.outputs:
        if variable.name.startswith(("energy", "constraint")):
            continue  # work is an integral of its own, errors are rounding
        theirs, ours = ran.column(variable.name), found.outputs.column(variable.name)
        # the run stays on its constraints to rounding; accelerations are known as well as that
        size = largest if variable.unit in ("N", "N.m") else max(np.abs(theirs).max(), 1.0)
        assert np.abs(ours - theirs).max() <= 1e-9 * size, variable.name
