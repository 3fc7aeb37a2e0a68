"""libcosim runs our FMUs: the bits of fmpy, alone and in a control loop."""

from __future__ import annotations

from pathlib import Path

import fmpy
import numpy as np
import pytest

from tests.importers.by_hand import drive, names_of, nanoseconds, values_by_hand
from tests.importers.conftest import importer
from tests.importers.control import GAINS, STEP, STEPS, assert_held, loop_by_hand

importer("libcosimpy")
from libcosimpy.CosimExecution import CosimExecution  # noqa: E402
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level  # noqa: E402
from libcosimpy.CosimManipulator import CosimManipulator  # noqa: E402
from libcosimpy.CosimObserver import CosimObserver  # noqa: E402
from libcosimpy.CosimSlave import CosimLocalSlave  # noqa: E402

H, N = 0.01, 30


@pytest.fixture(autouse=True)
def _quiet():
    """It switches all our categories on and prints them; that is not what is tested."""
    log_output_level(CosimLogLevel.WARNING)


class Execution:
    """An execution, its FMUs by name, and the last values of everything."""

    def __init__(self, step: float, fmus: dict[str, Path]) -> None:
        self.it = CosimExecution.from_step_size(round(step * 1e9))
        self.slaves = [CosimLocalSlave(str(path), name) for name, path in fmus.items()]
        self.index = {
            name: self.it.add_local_slave(slave)
            for name, slave in zip(fmus, self.slaves, strict=True)
        }
        self.reference = {
            (name, v.name): v.valueReference
            for name, path in fmus.items()
            for v in fmpy.read_model_description(str(path)).modelVariables
        }
        self.last = CosimObserver.create_last_value()
        self.override = CosimManipulator.create_override()
        assert self.it.add_observer(self.last)
        assert self.it.add_manipulator(self.override)

    def begin_with(self, fmu: str, values: dict[str, float]) -> None:
        for name, value in values.items():
            reference = self.reference[fmu, name]
            assert self.it.real_initial_value(self.index[fmu], reference, value)

    def set(self, fmu: str, values: dict[str, float]) -> None:
        references = [self.reference[fmu, name] for name in values]
        assert self.override.slave_real_values(self.index[fmu], references, list(values.values()))

    def get(self, fmu: str, names: list[str]) -> list[float]:
        references = [self.reference[fmu, name] for name in names]
        return list(self.last.last_real_values(self.index[fmu], references))

    def connect(self, source: tuple[str, str], sink: tuple[str, str]) -> None:
        ends = (self.index[source[0]], self.reference[source])
        failed = self.it.connect_real_variables(*ends, self.index[sink[0]], self.reference[sink])
        assert not failed


def test_it_computes_the_bits_of_fmpy(case, fmu):
    """Every variable is asked for, also parameters and states, after each step."""
    names = names_of(fmu)
    inputs, settings = [case.a, case.b], {case.fixed: 1.7, case.start: 0.1}
    execution = Execution(H, {"it": fmu})
    assert execution.it.num_slave_variables(execution.index["it"]) == len(names)
    execution.begin_with("it", settings)
    rows = []
    for k in range(N):
        execution.set("it", drive(inputs, k))
        assert execution.it.step()
        rows.append(execution.get("it", names))
    expected = values_by_hand(fmu, nanoseconds(H, N), inputs, settings, names)
    assert len(np.unique(expected, axis=0)) == N  # it does move
    assert np.array_equal(rows, expected)


def test_its_steps_differ_in_their_last_bits():
    """What the test above lives with: no two hosts agree on how long 10 ms are."""
    steps = [step for _, step in nanoseconds(H, N)]
    assert len(set(steps)) > 1
    assert np.ptp(steps) < 1e-15


@pytest.mark.xdist_group("control loop")
def test_a_control_loop_computes_the_bits_of_fmpy(arm, pid):
    execution = Execution(STEP, {"arm": arm} | dict.fromkeys(GAINS, pid))
    for joint, gains in GAINS.items():
        execution.begin_with(joint, gains)
        execution.connect(("arm", f"{joint}.q"), (joint, "measured"))
        execution.connect((joint, "drive"), ("arm", f"{joint}.tau"))
    rows = []
    for _ in range(STEPS):
        assert execution.it.step()
        angles = execution.get("arm", [f"{joint}.q" for joint in GAINS])
        rows.append(angles + [execution.get(joint, ["drive"])[0] for joint in GAINS])
    expected = loop_by_hand(arm, pid, nanoseconds(STEP, STEPS))
    assert_held(expected, arm)
    assert np.array_equal(rows, expected)
