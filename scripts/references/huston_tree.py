"""Huston's tree by Pinocchio: one free flyer, seven ball joints with dampers."""

from scripts.references._ode import rows_of_time
from scripts.references._pinocchio import Tree


def reference(spec, _):
    keep = [f"body{k}.com" for k in range(1, 9)] + ["body3.quat", "energy"]
    return Tree(spec).simulate(rows_of_time(1.0, 0.02), keep=keep)
