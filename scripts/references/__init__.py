"""Makers of references, one file per model; files with a leading underscore are their tools.

Every maker has ``reference(spec, inputs)``, which returns a trajectory in names of the FMU, and,
where the model is driven, ``inputs(spec)``. None of them calls the mechanics of mbd_fmu: what they
share with it is the reader of model files, so that a maker works with the user's numbers
(tests/oracles/test_independence.py). None needs anything that is not in the project.
"""
