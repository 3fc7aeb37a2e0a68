"""Three masses, two of them tied to the first by a spring each: closed form by eigenvalues."""

from scripts.references._masses_and_springs import closed_form

ENDS = ((0, 1), (1, 2), (1, 3))  # each spring, from mass to mass; 0 is the ground


def reference(spec, _):
    return closed_form(spec, ENDS)
