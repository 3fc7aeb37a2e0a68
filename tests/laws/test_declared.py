"""A model with points, vectors and derived parameters is the model with their numbers."""

import numpy as np
import pytest

from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.simulation import simulate
from mbd_fmu.system.system import system_of
from tests.declared import VALUES, plainly, with_names

OTHERS = [{}, {"w": 0.02, "rho": 7800.0}, {"knee[1]": 0.15, "knee[2]": -0.01, "knee[3]": 0.6}]


@pytest.mark.parametrize("changes", OTHERS, ids=["as declared", "section", "hard point"])
def test_it_moves_bit_by_bit_as_the_model_written_in_numbers(changes):
    """Sums and products stand in the same order in both, so that not one bit differs."""
    named = system_of(spec_of_table(with_names(), "named"))
    plain = system_of(spec_of_table(plainly(VALUES | changes), "plain"))
    if not changes:
        one = simulate(named, stop=0.03, step=0.01)
        other = simulate(plain, stop=0.03, step=0.01)
        assert one.names == other.names
        assert np.array_equal(one.values, other.values)
        return
    # frames of joints are chosen as declared, so other bits where the geometry has changed
    one = simulate(named, stop=0.03, step=0.01, settings=changes)
    other = simulate(plain, stop=0.03, step=0.01)
    for name in ("A.q", "A.qdd", "tip.r.x", "tip.r.z", "coupler.com.y", "energy.potential"):
        # rounding through three steps with a tolerance of 1e-6
        assert np.allclose(one.column(name), other.column(name), rtol=1e-9, atol=1e-9), name


def test_local_frames_by_points_are_local_frames_in_numbers():
    """A double pendulum in local frames: joints and a spring at points of their carriers."""
    points = {
        "eye": {"body": "upper", "at": [0, 0, "-L"]},
        "peg": [0.3, 0, 0.2],
        "hook": {"body": "lower", "at": "[0.1, 0, 0] + 0.5*[0, 0, -L]"},
    }
    spring = {"name": "s", "type": "spring_damper", "parent": "ground", "child": "lower"}
    spring |= {"point": "peg", "point2": "hook", "stiffness": 30.0, "damping": 1.0, "length": 0.1}
    head = {"type": "revolute", "axis": [0, 1, 0]}
    table = {
        "model": {"name": "local", "frame": "local"},
        "parameters": {"L": 0.7},
        "points": points,
        "body": [
            {"name": "upper", "mass": 1.0, "com": "eye/2", "inertia": {"shape": "point"}},
            {"name": "lower", "mass": 2.0, "com": "hook", "inertia": {"shape": "point"}},
        ],
        "joint": [
            head | {"name": "a", "parent": "ground", "child": "upper", "position": 0.4},
            head | {"name": "b", "parent": "upper", "child": "lower", "point": "eye"},
        ],
        "force": [spring],
    }
    numbers = {k: x for k, x in table.items() if k not in ("parameters", "points")}
    eye, hook = [0, 0, -0.7], [0.1, 0, -0.35]
    numbers["body"] = [table["body"][0] | {"com": [0, 0, -0.35]}, table["body"][1] | {"com": hook}]
    numbers["joint"] = [table["joint"][0], table["joint"][1] | {"point": eye}]
    numbers["force"] = [spring | {"point": [0.3, 0, 0.2], "point2": hook}]
    runs = [
        simulate(system_of(spec_of_table(t, "it")), stop=0.1, step=0.02) for t in (table, numbers)
    ]
    assert np.array_equal(runs[0].values, runs[1].values)
