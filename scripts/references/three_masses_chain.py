"""Three masses in a row, each tied to the one before it by a spring: closed form by eigenvalues."""

from scripts.references._masses_and_springs import closed_form

ENDS = ((0, 1), (1, 2), (2, 3))  # each spring, from mass to mass; 0 is the ground


def reference(spec, _):
    return closed_form(spec, ENDS)
