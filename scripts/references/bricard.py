"""Bricard's mechanism in maximal coordinates; 30 equations of rank 29."""

import numpy as np

from scripts.references._maximal import Mechanism
from scripts.references._ode import rows_of_time


def reference(spec, _):
    it = Mechanism(spec)
    r, _, R, v, w = it.unpack(it.start())
    _, J, _ = it.rows(r, R, v, w)
    sizes = np.linalg.svd(it.scaled(J, it.roots(R)[0]), compute_uv=False)
    assert sizes[-1] < 1e-12 * sizes[0] < 1e-6 * sizes[-2]
    keep = [f"hinge{k}.q" for k in range(1, 7)] + ["rod3.com", "rod3.quat", "energy"]
    found = it.simulate(rows_of_time(2.0, 0.02), keep=keep)
    energy = found.column("energy.kinetic") + found.column("energy.potential")
    assert np.ptp(energy) < 1e-10
    return found
