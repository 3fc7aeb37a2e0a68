"""A control loop of FMUs: PID controllers of our own making, and the arm they hold."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from mbd_fmu.export.archive import archive_bytes
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.host.writing import write_whole
from tests.importers.by_hand import ByHand

HERE = Path(__file__).parent
STEP, STEPS = 0.002, 500

# What is wanted of each joint, and how strongly. Per joint one instance of the same controller.
GAINS = {
    "shoulder_pan": {"setpoint": 0.4, "kp": 300.0, "ki": 100.0, "kd": 60.0},
    "shoulder_lift": {"setpoint": -0.4, "kp": 600.0, "ki": 300.0, "kd": 80.0},
    "elbow": {"setpoint": -0.5, "kp": 300.0, "ki": 200.0, "kd": 40.0},
    "wrist_1": {"setpoint": -0.2, "kp": 60.0, "ki": 20.0, "kd": 10.0},
    "wrist_2": {"setpoint": 0.5, "kp": 40.0, "ki": 10.0, "kd": 8.0},
    "wrist_3": {"setpoint": -0.7, "kp": 6.0, "ki": 2.0, "kd": 0.8},
}
ANGLES = [f"{joint}.q" for joint in GAINS]
TORQUES = [f"{joint}.tau" for joint in GAINS]


def build_pid(path: Path) -> Path:
    """Write the controller's FMU for this machine."""
    platform = host_platform()
    library = compile_library({"pid.c": (HERE / "pid.c").read_text(encoding="ascii")}, platform)
    files = {
        "modelDescription.xml": (HERE / "pid.xml").read_bytes(),
        f"binaries/{platform.name}/pid{platform.suffix}": library,
    }
    write_whole({path: archive_bytes(files)})
    return path


def loop_by_hand(
    arm_fmu: Path, pid_fmu: Path, schedule: Sequence[tuple[float, float]]
) -> np.ndarray:
    """Angles, then drives after each step: all step, then all values are passed on (Jacobi)."""
    with ExitStack() as stack:
        arm = stack.enter_context(ByHand(arm_fmu))
        pids = [stack.enter_context(ByHand(pid_fmu, gains)) for gains in GAINS.values()]

        def pass_on() -> list[float]:
            angles = arm.get(ANGLES)
            drives = [pid.get(["drive"])[0] for pid in pids]
            for pid, angle in zip(pids, angles, strict=True):
                pid.set({"measured": angle})
            arm.set(dict(zip(TORQUES, drives, strict=True)))
            return angles + drives

        pass_on()
        for fmu in (arm, *pids):
            fmu.slave.exitInitializationMode()
        rows = []
        for time, step in schedule:
            for fmu in (arm, *pids):
                fmu.slave.doStep(time, step)
            rows.append(pass_on())
    return np.array(rows)


def assert_held(rows: np.ndarray, arm_fmu: Path) -> None:
    """The arm comes nearer to where it is told to be: the loop is closed, with the right sign."""
    wanted = np.array([gains["setpoint"] for gains in GAINS.values()])
    with ByHand(arm_fmu) as arm:
        start = np.array(arm.get(ANGLES))
        arm.slave.exitInitializationMode()
    end = rows[-1, : len(GAINS)]
    assert (np.abs(end - wanted) < 0.5 * np.abs(start - wanted)).all(), (start, end, wanted)
