"""Lagrange's heavy top, nutating."""

import numpy as np

from scripts.references._lagrange_top import columns
from scripts.references._ode import rows_of_time, table


def reference(spec, _):
    p, times = spec.nominal, rows_of_time(2.0, 0.01)
    A = p["across"] + p["mass"] * p["height"] ** 2
    found = columns(
        "tip",
        "top",
        times,
        m=p["mass"],
        level=p["height"],
        A=A,
        C=p["axial"],
        theta=np.pi / 6,
        w_body=spec.joints[0].velocity,
    )
    return table(times, found)
