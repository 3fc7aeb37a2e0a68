"""Copied from msl/Engine1a_hiacc; forces in the plane, which are unique."""

from scripts.references._cases import renamed, rows

JOINTS = {"bearing": "bearing", "cylinder": "cylinder", "wrist_pin": "b1", "crank_pin": "b2"}


def reference(_, __):
    names = {"bearing.q": "inertia.phi", "bearing.qd": "inertia.w"}
    for body in ("rod", "piston"):
        names |= {f"{body}.com.{c}": f"{body}.com_{c}" for c in "yz"}
    names |= {f"rod.quat.{c}": f"rod.q{c}" for c in "wxyz"}
    for ours, theirs in JOINTS.items():
        names |= {f"{ours}.force.{c}": f"{theirs}.reac_f{c}" for c in "yz"}
    return renamed(rows("msl/Engine1a_hiacc", stop=2.0), names)
