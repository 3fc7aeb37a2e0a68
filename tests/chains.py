"""Chains of any length, for what has to hold whatever the size."""

from itertools import pairwise

import numpy as np

from mbd_fmu import Mechanism


def chain(n, groups=("joints",), **fmu):
    """Return a hanging chain of n rods with crossed hinges."""
    links = Mechanism(f"chain_{n}")
    for i in range(n):
        links.body(
            f"link{i}",
            mass=1.0,
            com=[0, 0, -0.1 * (i + 0.5)],
            inertia={"shape": "box", "size": [0.02, 0.03, 0.1]},
        )
        links.joint(
            f"hinge{i}",
            "revolute",
            "ground" if i == 0 else f"link{i - 1}",
            f"link{i}",
            point=[0, 0, -0.1 * i],
            axis=[1, 0, 0] if i % 2 else [0, 1, 0],
            position=0.1,
        )
    return links.output(*groups).fmu(**fmu).spec()


def held_chain(n):
    """Return a chain of n links in a half circle, whose last one is held, too."""
    it = Mechanism("held_chain", gravity=[0, -9.81, 0])
    turn = np.linspace(np.pi, 2 * np.pi, n + 1)
    ends = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1).tolist()
    for i, (a, b) in enumerate(pairwise(ends)):
        com = ((np.array(a) + b) / 2).tolist()
        it.body(f"link{i}", mass=1, com=com, inertia={"shape": "sphere", "radius": 0.05})
        carrier = f"link{i - 1}" if i else "ground"
        it.joint(f"pin{i}", "revolute", carrier, f"link{i}", point=a, axis=[0, 0, 1])
    it.joint("end", "revolute", f"link{n - 1}", "ground", point=ends[-1], axis=[0, 0, 1], cut=True)
    return it.output("joints").spec()


def chain_beside_a_loop(n):
    """Return a hanging chain of n rods, and a parallelogram that has nothing to do with it."""
    it = Mechanism("chain_beside_a_loop", gravity=[0, 0, -9.81])
    box = {"shape": "box", "size": [0.02, 0.03, 0.1]}
    for i in range(n):
        carrier, axis = f"link{i - 1}" if i else "ground", [i % 2, 1 - i % 2, 0]
        it.body(f"link{i}", mass=1.0, com=[0, 0, -0.1 * (i + 0.5)], inertia=box)
        at = {"point": [0, 0, -0.1 * i], "axis": axis, "position": 0.1}
        it.joint(f"hinge{i}", "revolute", carrier, f"link{i}", **at)
    upright, level = ({"shape": "box", "size": size} for size in ([0.1, 0.1, 1], [1, 0.1, 0.1]))
    hinge = {"axis": [0, 1, 0]}
    for k in (0, 1):
        it.body(f"crank{k}", mass=1, com=[5 + k, 0, 0.5], inertia=upright)
        it.joint(f"A{k}", "revolute", "ground", f"crank{k}", point=[5 + k, 0, 0], **hinge)
    it.body("bar", mass=1, com=[5.5, 0, 1], inertia=level)
    it.joint("B", "revolute", "crank0", "bar", point=[5, 0, 1], **hinge)
    it.joint("C", "revolute", "bar", "crank1", point=[6, 0, 1], **hinge, cut=True)
    return it.output("joints").spec()


def four_bars(n):
    """Return n parallelograms side by side, of one freedom: models/n_four_bar, longer."""
    bars = Mechanism(f"four_bars_{n}", gravity=[0, -9.81, 0])
    hinge = {"axis": [0, 0, 1], "drive": "none"}
    rod = {"shape": "box", "size": [0.05, 1.0, 0.05]}
    for i in range(n + 1):
        bars.body(f"link{i}", mass=1.0, com=[i, 0.5, 0], inertia=rod)
        bars.joint(
            f"A{i}", "revolute", "ground", f"link{i}", point=[i, 0, 0], velocity=-1.0, **hinge
        )
    rod = {"shape": "box", "size": [1.0, 0.05, 0.05]}
    for i in range(n):
        bars.body(f"bar{i}", mass=1.0, com=[i + 0.5, 1, 0], inertia=rod)
        bars.joint(f"B{i}", "revolute", f"link{i}", f"bar{i}", point=[i, 1, 0], **hinge)
        bars.joint(
            f"C{i}", "revolute", f"bar{i}", f"link{i + 1}", point=[i + 1, 1, 0], cut=True, **hinge
        )
    return bars.output("joints").spec()
