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
