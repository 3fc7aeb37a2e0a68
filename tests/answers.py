"""Mechanisms with answers of closed form, for tests of linearisation, equilibria and modes."""

import numpy as np

from mbd_fmu.analysis.linearization import linearize
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of

POINT = {"shape": "point"}


def beads(n, length, damping=0.0):
    """A hanging chain of n equal beads on threads without mass, in a plane."""
    bodies = [
        {"name": f"bead{k}", "mass": 0.4, "com": [0, 0, -(k + 1) * length], "inertia": POINT}
        for k in range(n)
    ]
    joints = [
        {
            "name": f"pin{k}",
            "type": "revolute",
            "parent": f"bead{k - 1}" if k else "ground",
            "child": f"bead{k}",
            "point": [0, 0, -k * length],
            "axis": [0, 1, 0],
            "damping": damping,
        }
        for k in range(n)
    ]
    return spec_of_table({"model": {"name": "beads"}, "body": bodies, "joint": joints}, "beads")


def rolling_by_hinges(mass, radius):
    """A thin rolling disc whose place, yaw, lean and spin are joints of their own."""
    nothing = {"mass": 0.0, "com": [0, 0, radius], "inertia": POINT}
    across, along = mass * radius**2 / 4, mass * radius**2 / 2
    inertia = [[across, 0, 0], [0, along, 0], [0, 0, across]]
    center = [0, 0, radius]
    chain = [
        ("place", "translational", "ground", "carrier", {}),
        ("yaw", "revolute", "carrier", "heading", {"axis": [0, 0, 1]}),
        ("lean", "revolute", "heading", "frame", {"axis": [1, 0, 0]}),
        ("spin", "revolute", "frame", "disc", {"axis": [0, 1, 0]}),
    ]
    return spec_of_table(
        {
            "model": {"name": "rolling"},
            "body": [
                *({"name": name, **nothing} for name in ("carrier", "heading", "frame")),
                {"name": "disc", "mass": mass, "com": center, "inertia": inertia},
            ],
            "joint": [
                {
                    "name": n,
                    "type": t,
                    "parent": a,
                    "child": b,
                    "point": center,
                    "drive": "none",
                    **more,
                }
                for n, t, a, b, more in chain
            ],
            "constraint": [
                {
                    "name": "rolling",
                    "type": "rolling_disc",
                    "body": "disc",
                    "center": center,
                    "axis": [0, 1, 0],
                    "radius": radius,
                }
            ],
        },
        "rolling",
    )


def rotating_pendulum(mass, length, inertia):
    """A pendulum hinged to a shaft that turns freely: the governor of the textbooks."""
    return spec_of_table(
        {
            "model": {"name": "governor"},
            "body": [
                {
                    "name": "shaft",
                    "mass": 1.0,
                    "com": [0, 0, 0],
                    "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, inertia]],
                },
                {"name": "ball", "mass": mass, "com": [0, 0, -length], "inertia": POINT},
            ],
            "joint": [
                {
                    "name": "spin",
                    "type": "revolute",
                    "parent": "ground",
                    "child": "shaft",
                    "point": [0, 0, 0],
                    "axis": [0, 0, 1],
                },
                {
                    "name": "arm",
                    "type": "revolute",
                    "parent": "shaft",
                    "child": "ball",
                    "point": [0, 0, 0],
                    "axis": [0, 1, 0],
                },
            ],
        },
        "governor",
    )


def bicycle_rolling(speed):
    """The bicycle of the library linearised about straight running."""
    system = system_of(read_model(library()["bicycle"]))
    return linearize(system, settings={"push": 0.0, "speed": speed}, outputs=[])


def sorted_values(values):
    """Eigenvalues in an order of their own, that rounding does not change."""
    values = np.asarray(values, dtype=complex)
    order = np.lexsort(
        (np.round(values.imag, 6), np.round(values.real, 6), np.round(np.abs(values), 6))
    )
    return values[order]
