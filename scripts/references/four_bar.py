"""Copied from closed_loop/drake_four_bar_passive; forces in the plane, which are unique."""

from scripts.references._cases import renamed, rows

JOINTS = {"left_pivot": "WA", "left_pin": "AB", "right_pivot": "WC"}


def reference(_, __):
    found = rows("closed_loop/drake_four_bar_passive", every=2)
    names = {
        "left_pivot.q": lambda t: t.column("qA") - t.column("qA")[0],
        "left_pivot.qd": "qAdot",
        "right_pivot.q": lambda t: t.column("qC") - t.column("qC")[0],
    }
    for ours, theirs in JOINTS.items():
        names |= {f"{ours}.force.{c}": f"{theirs}.reac_f{c}" for c in "xz"}
    return renamed(found, names)
