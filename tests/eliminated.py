"""What both eliminations of loops are tried on, and how exact they are."""

from mbd_fmu import read_model
from mbd_fmu.mechanics.constrained import EPSILON
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.random_loops import random_loops


def library_and_random(seeds):
    """Return the models of the library, and random loops in space and in a plane, by name."""
    found = {name: system_of(read_model(folder)) for name, folder in library().items()}
    return found | {
        f"random {seed}{' planar' * planar}": system_of(
            spec_of_table(random_loops(seed, planar=planar), "test")
        )
        for seed in range(seeds)
        for planar in (False, True)
    }


def share_of(factor):
    """Of the smallest pivot of a row."""
    return factor.doubt ** (-1 / 4)


def rounding_of(factor):
    """What a solution may be off by, as the energy measures it: see elimination.py."""
    return 100 * EPSILON * (1 / share_of(factor) ** 2 + factor.loss)
