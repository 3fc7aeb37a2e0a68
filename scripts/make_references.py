"""Write reference.csv of the models: the pendulum in closed form, the driven ones from Pinocchio.

scripts/make_references            all of them
scripts/make_references cart_pole  one
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mbd_fmu.export.system import system_of  # noqa: E402
from mbd_fmu.model.reader import read_model  # noqa: E402
from mbd_fmu.trajectory import Trajectory, read_csv, write_csv  # noqa: E402
from tests.oracles.pendulum import swinging_rod  # noqa: E402
from tests.oracles.pinocchio_engine import PinocchioEngine  # noqa: E402

MODELS = ("pendulum", "double_pendulum", "cart_pole", "six_axis_arm")


def closed_form_pendulum(spec) -> Trajectory:
    time = np.round(np.arange(501) * 0.02, 2)
    mass, length = spec.nominal["mass"], spec.nominal["length"]
    (theta_0,) = spec.joints[0].position
    columns = swinging_rod(time, mass=mass, length=length, theta_0=theta_0)
    names = ("pivot.q", "pivot.qd", "pivot.qdd", "pivot.force.x", "pivot.force.y")
    return Trajectory(time, names, np.stack(columns, axis=1))


def driven_tree(spec, folder: Path) -> Trajectory:
    start = np.array([j.position[0] if j.position else 0.0 for j in spec.joints])
    inputs = read_csv(folder / "input.csv")
    return PinocchioEngine(spec).simulate(start, np.zeros(len(start)), inputs)


def main(names: list[str]) -> None:
    for name in names or MODELS:
        folder = ROOT / "models" / name
        spec = read_model(folder)
        found = closed_form_pendulum(spec) if name == "pendulum" else driven_tree(spec, folder)
        known = {v.name for v in system_of(spec).table.outputs}
        assert set(found.names) <= known, set(found.names) - known
        write_csv(folder / "reference.csv", found)
        print(f"{name}: {len(found.time)} rows, {len(found.names)} signals")


if __name__ == "__main__":
    main(sys.argv[1:])
