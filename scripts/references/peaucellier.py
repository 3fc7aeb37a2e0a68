"""Copied from closed_loop/peaucellier, with its held torque; S moves on x = 0.59375 exactly."""

import numpy as np

from scripts.references._cases import renamed, rows

CASE = "closed_loop/peaucellier"
JOINTS = {
    "crank": "jQ",
    "O_A": "jOA",
    "O_C": "jOC",
    "P_A": "jPA",
    "P_C": "jPC",
    "A_S": "jAS",
    "C_S": "jCS",
}


def inputs(_):
    return renamed(rows(CASE), {"crank.tau": "u_tau_crank"})


def reference(_, __):
    names = {
        "crank.q": lambda t: t.column("crank_angle") - t.column("crank_angle")[0],
        "crank.qd": "crank_rate",
        "S.r.x": lambda t: np.full_like(t.time, 0.59375),
        "S.r.y": "S_y",
    }
    for ours, theirs in JOINTS.items():
        names |= {f"{ours}.force.{c}": f"{theirs}.reac_f{c}" for c in "xy"}
    return renamed(rows(CASE), names)
