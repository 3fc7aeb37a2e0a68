"""ecos runs our FMUs: the bits of fmpy, alone and in a control loop."""

from __future__ import annotations

import numpy as np
import pytest

from tests.importers.by_hand import drive, names_of, summed, values_by_hand
from tests.importers.conftest import importer
from tests.importers.control import GAINS, STEP, STEPS, assert_held, loop_by_hand

ecospy = importer("ecospy", "the package libtbb12")
H, N = 0.01, 30


def test_it_computes_the_bits_of_fmpy(case, fmu):
    """Every variable is asked for, also parameters and states, after each step."""
    names = names_of(fmu)
    inputs, settings = [case.a, case.b], {case.fixed: 1.7, case.start: 0.1}
    rows = []
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("it", fmu)
        structure.add_parameter_set("set", {f"it::{n}": value for n, value in settings.items()})
        with ecospy.EcosSimulation(H, structure=structure) as simulation:
            assert simulation.init(parameter_set="set")
            for k in range(N):
                for name, value in drive(inputs, k).items():
                    simulation.set_real(f"it::{name}", value)
                simulation.step()
                rows.append([simulation.get_real(f"it::{name}") for name in names])
            simulation.terminate()
    expected = values_by_hand(fmu, summed(H, N), inputs, settings, names)
    assert len(np.unique(expected, axis=0)) == N  # it does move
    assert np.array_equal(rows, expected)


def test_a_second_run_after_reset_gives_the_same_bits(fmu):
    names = names_of(fmu)
    runs = []
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("it", fmu)
        with ecospy.EcosSimulation(H, structure=structure) as simulation:
            for _ in range(2):
                simulation.init()
                simulation.step(5)
                runs.append([simulation.get_real(f"it::{name}") for name in names])
                simulation.reset()
    assert runs[0] == runs[1]


@pytest.mark.xdist_group("control loop")
def test_a_control_loop_computes_the_bits_of_fmpy(arm, pid):
    rows = []
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("arm", arm)
        for joint in GAINS:
            structure.add_model(joint, pid)
            structure.make_real_connection(f"arm::{joint}.q", f"{joint}::measured")
            structure.make_real_connection(f"{joint}::drive", f"arm::{joint}.tau")
        gains = {f"{j}::{name}": value for j, of in GAINS.items() for name, value in of.items()}
        structure.add_parameter_set("gains", gains)
        with ecospy.EcosSimulation(STEP, structure=structure) as simulation:
            assert simulation.init(parameter_set="gains")
            wanted = [f"arm::{joint}.q" for joint in GAINS] + [f"{j}::drive" for j in GAINS]
            for _ in range(STEPS):
                simulation.step()
                rows.append([simulation.get_real(name) for name in wanted])
    expected = loop_by_hand(arm, pid, summed(STEP, STEPS))
    assert_held(expected, arm)
    assert np.array_equal(rows, expected)
