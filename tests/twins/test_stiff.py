"""The stiff solver in NumPy and in C: one method, with Jacobians by differences and exact ones."""

import json

import numpy as np
import pytest

from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from tests.fmu import mechanisms
from tests.fmu.test_stiff import pendulum_on_bushing, stiff


def library_table(name):
    return json.loads(read_model(library()[name]).text)


def with_stiff_hinge():
    table = mechanisms.four_bar()
    table["joint"][1] |= {"stiffness": 1e5, "damping": 1e3}
    return table


def with_rotors():
    table = with_stiff_hinge()
    for k, joint in enumerate(table["joint"]):
        joint["armature"] = 0.1 + 0.2 * k
    return table


TABLES = {
    "double_pendulum": library_table("double_pendulum"),
    "flyer": mechanisms.flyer(),
    "pendulum on a bushing": pendulum_on_bushing(1e7, 1e3),
    "rolling disc": mechanisms.disc(),
    "four-bar with a stiff hinge": with_stiff_hinge(),
    "four-bar with rotors": with_rotors(),
    "four-bar, Baumgarte": mechanisms.four_bar(stabilization="baumgarte"),
    "moving base": mechanisms.double_pendulum() | {"base": {"motion": "prescribed"}},
}
MOTION = {"base.w.x": 1.0, "base.alpha.y": 2.0, "base.a.x": 1.0}


@pytest.mark.parametrize("name", sorted(TABLES))
def test_positions_and_velocities_agree(name, fmu_of):
    spec = spec_of_table(stiff(TABLES[name]), "test")
    system = system_of(spec)
    names = tuple(v.name for v in system.table.inputs if v.name.endswith((".tau", "force.x")))
    times = communication_points(0.0, 0.1, 0.01)
    values = np.random.default_rng(4).normal(size=(len(times), len(names)))
    inputs = Trajectory(times, names, values) if names else None
    settings = {"solver.tolerance": 1e-7}
    settings |= {key: value for key, value in MOTION.items() if name == "moving base"}
    keys = {"inputs": inputs, "interpolate": True, "settings": settings}
    expected = simulate(system, stop=0.1, step=0.01, **keys)
    with Fmu(fmu_of(spec)) as fmu:
        found = fmu.run(times, **keys).trajectory
    first = system.table.n_parameters + system.table.n_inputs
    for stage in ("positions", "velocities", "energies"):
        columns = [vr - first for vr in system.table.stage_range(stage)]
        one, other = found.values[:, columns], expected.values[:, columns]
        error = np.abs(one - other).max(initial=0.0) / max(1.0, np.abs(other).max(initial=0.0))
        # one method in two languages; a Jacobian that is off by 1e-9 moves a step by 1e-9 h^2
        assert error < 1e-10, (stage, error)
