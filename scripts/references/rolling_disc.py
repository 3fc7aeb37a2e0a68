"""Copied from closed_form/rolling_disk; angles become quaternions, the contact becomes the centre.

R = Rz(yaw) Rx(lean) Ry(spin); the centre is above the contact by the radius along Rz Rx e_z.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from scripts.references._cases import rows
from scripts.references._ode import quaternions, table


def reference(spec, _):
    found = rows("closed_form/rolling_disk")
    yaw, lean, spin = (found.column(n) for n in ("yaw", "lean", "spin"))
    R = Rotation.from_euler("ZXY", np.stack([yaw, lean, spin], axis=1))
    contact = np.stack([found.column("contact_x"), found.column("contact_y"), 0 * yaw], axis=1)
    upright = Rotation.from_euler("ZX", np.stack([yaw, lean], axis=1))
    com = contact + spec.nominal["radius"] * upright.apply([0.0, 0.0, 1.0])
    assert np.abs(com[:, 2] - found.column("center_z")).max() < 1e-12
    yaw_rate, lean_rate, spin_rate = (found.column(f"{n}_rate") for n in ("yaw", "lean", "spin"))
    w = (
        yaw_rate[:, None] * np.array([0, 0, 1.0])
        + lean_rate[:, None] * Rotation.from_euler("Z", yaw[:, None]).apply([1.0, 0, 0])
        + spin_rate[:, None] * upright.apply([0, 1.0, 0])
    )
    spin = R.inv().apply(w)
    return table(found.time, {"disc.com": com, "disc.quat": quaternions(R), "flight.w": spin})
