"""The mechanisms that are measured."""

from dataclasses import replace

from mbd_fmu import read_model
from mbd_fmu.model.library import library
from scripts.benchmarks.work import Work, bare, with_cuts
from tests.chains import chain as chain_of
from tests.chains import chain_beside_a_loop, held_chain
from tests.chains import four_bars as four_bars_of
from tests.random_trees import random_tree


def chain(n: int) -> Work:
    """Return a hanging chain of n rods with crossed hinges."""
    return Work(f"chain of {n}", chain_of(n))


def tree(n: int) -> Work:
    """Return a random tree of hinges."""
    spec = random_tree(n, seed=1, types=("revolute",))
    return Work(f"random tree of {n}", replace(spec, name=f"tree_{n}", groups=("joints",)))


def four_bars(n: int) -> Work:
    """Return n parallelograms side by side."""
    return Work(f"{n} four-bars", four_bars_of(n), seconds=0.1)


def held(n: int) -> Work:
    """Return a chain of n links whose last one is held, too."""
    return Work(f"chain of {n}, held", replace(held_chain(n), name=f"held_{n}"), seconds=0.05)


def beside(n: int) -> Work:
    """Return a chain of n rods, and a four-bar that has nothing to do with it."""
    spec = replace(chain_beside_a_loop(n), name=f"beside_{n}")
    return Work(f"chain of {n}, four-bar", spec, seconds=0.05)


def ours(name: str, **more) -> Work:
    """Return a model of the library, bare."""
    return Work(name, bare(read_model(library()[name])), **more)


def stewart_platform() -> Work:
    """Return the platform, carried by its first leg and tied to the others."""
    found = ours("stewart_platform", seconds=0.05)
    return replace(found, spec=with_cuts(found.spec, lambda name: name in BALLS))


BALLS = tuple(f"ball{k}" for k in range(2, 7))
# of the test set: as long as its run, driven by its torque; without its spring
ANDREWS = {"seconds": 0.03, "efforts": {"O": 0.033}}
# where precision is measured, over so many seconds
RUNS = {"four_bar": 2.0, "andrews_squeezer": 0.03, "stewart_platform": 0.2}


def trees(*, large: bool) -> list[Work]:
    """Return what has no loops."""
    return [
        *(chain(n) for n in (2, 6, 12, 30, 100, *((300, 1000) if large else ()))),
        *(ours(name) for name in ("six_axis_arm", "seven_axis_arm", "quadruped")),
        tree(31),
    ]


def loops(*, large: bool) -> list[Work]:
    """Return what has loops."""
    return [
        ours("four_bar", seconds=0.2),
        ours("andrews_squeezer", **ANDREWS),
        ours("delta_robot", seconds=0.1),
        stewart_platform(),
        *(four_bars(n) for n in (10, *((40,) if large else ()))),
        *(held(n) for n in (20, *((100,) if large else ()))),
        *(beside(n) for n in (30, *((100,) if large else ()))),
    ]
