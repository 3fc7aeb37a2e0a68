"""Copied from ivp_testset/andrews, up to the 0.03 s of the test set."""

import numpy as np

from scripts.references._cases import renamed, rows
from scripts.references._ode import held
from tests.cases import case_of

CASE = "ivp_testset/andrews"
ANGLES = {"O": "beta", "F": "Theta", "B": "gamma", "A5": "delta", "A7": "epsilon"}


def inputs(_):
    return held(np.array([0.0]), **{"O.tau": case_of(CASE)["parameters"]["mom"]})


def reference(_, __):
    names = {}
    for ours, theirs in ANGLES.items():
        names[f"{ours}.q"] = lambda t, a=theirs: t.column(a) - t.column(a)[0]
        names[f"{ours}.qd"] = f"d_{theirs}"
    names |= {"pin_F.r.x": "F_x", "pin_F.r.y": "F_y"}
    return renamed(rows(CASE), names)
