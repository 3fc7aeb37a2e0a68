"""Copied from closed_form/free_top_symmetric: Euler's uniform motion of a symmetric body."""

from scripts.references._cases import renamed, rows


def reference(_, __):
    found = rows("closed_form/free_top_symmetric", stop=5.0)
    names = {f"top.quat.{c}": f"q{c}" for c in "wxyz"} | {f"flight.w.{c}": f"w{c}" for c in "xyz"}
    return renamed(found, names)
