"""Copied from closed_loop/five_bar_2dof, with its held torques."""

from scripts.references._cases import renamed, rows

CASE = "closed_loop/five_bar_2dof"


def inputs(_):
    return renamed(rows(CASE), {"motor1.tau": "u_tau1", "motor2.tau": "u_tau2"})


def reference(_, __):
    names = {}
    for k in "12":
        names[f"motor{k}.q"] = lambda t, k=k: t.column(f"q{k}") - t.column(f"q{k}")[0]
        names[f"motor{k}.qd"] = f"q{k}dot"
        for ours, theirs in ((f"motor{k}", f"m{k}"), (f"elbow{k}", f"e{k}")):
            names |= {f"{ours}.force.{c}": f"{theirs}.reac_f{c}" for c in "xyz"}
            names |= {f"{ours}.torque.{c}": f"{theirs}.reac_t{c}" for c in "xy"}
    names |= {"tip.r.x": "tip_x", "tip.r.y": "tip_y"}
    return renamed(rows(CASE), names)
