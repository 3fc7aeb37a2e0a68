"""The excavator in maximal coordinates, by a reader of SDF of its own, under held forces."""

import numpy as np

from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from scripts.references._maximal import Mechanism
from scripts.references._ode import held, rows_of_time
from scripts.references._sdf import world_drawing

POINTS = (  # of the overlay
    ("teeth", "bucket", [0.95, 0.0, -0.55]),
    ("boom_tip", "arm", [0.0, 0.0, 0.0]),
    ("bucket_centre", "bucket", [0.55, 0.0, -0.25]),
)
DRIVES = ("swing", "boom_cylinder", "arm_cylinder", "bucket_cylinder")


def inputs(_):
    """About what carries the weight, in N; the arm is drawn in while the house swings."""
    t = rows_of_time(1.0, 0.01)
    return held(
        t,
        **{
            "swing.tau": 2.0e4 * np.sin(np.pi * t),
            "boom_cylinder.f": 1.486e5 + 6.0e3 * np.sin(4.0 * t),
            "arm_cylinder.f": -2.07e4 - 4.0e3 * np.sin(3.0 * t),
            "bucket_cylinder.f": -1.34e3 + 1.5e3 * np.sin(5.0 * t),
        },
    )


def reference(_, inputs):
    spec = world_drawing(library()["excavator"] / "model.sdf", DRIVES, POINTS)
    reactions = ["boom_pin", "arm_pin", "bucket_pin", "boom_rod_end", "arm_rod_end", "bar_end"]
    keep = [*DRIVES, *reactions, *(name for name, _, _ in POINTS), "energy.kinetic"]
    found = Mechanism(spec).simulate(inputs.time, inputs, keep=keep, reactions=reactions)
    # a ball carries no torque: its rows would compare zeros
    chosen = [k for k, name in enumerate(found.names) if "end.torque" not in name]
    return Trajectory(found.time, tuple(found.names[k] for k in chosen), found.values[:, chosen])
