"""Chains of any length, for what has to hold whatever the size."""

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
