"""A gyroscope in gimbals by Pinocchio."""

from scripts.references._ode import rows_of_time
from scripts.references._pinocchio import Tree


def reference(spec, _):
    keep = ["yaw", "tilt", "spin.q", "wheel.quat", "energy"]
    return Tree(spec).simulate(rows_of_time(2.0, 0.01), keep=keep)
