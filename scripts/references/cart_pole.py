"""Pinocchio under held inputs, DOP853 at 1e-12 over each row; every signal of the engine."""

from scripts.references._pinocchio import Tree


def reference(spec, inputs):
    return Tree(spec).simulate(inputs.time, inputs)
