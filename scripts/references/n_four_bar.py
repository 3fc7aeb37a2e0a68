"""Copied from iftomm/A02_N2_fourbar: elliptic functions; through three singular positions."""

from scripts.references._cases import renamed, rows


def reference(_, __):
    names = {
        "tip.r.x": "B0_x",
        "tip.r.y": "B0_y",
        "tip.v.x": "B0_vx",
        "tip.v.y": "B0_vy",
        "A0.qd": lambda t: -t.column("link_rate_clockwise"),
    }
    return renamed(rows("iftomm/A02_N2_fourbar", stop=3.0), names)
