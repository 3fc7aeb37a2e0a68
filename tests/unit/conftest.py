"""What several unit tests need: functions run on symbols, and small mechanisms in few words."""

import casadi as ca
import numpy as np
import pytest

from mbd_fmu.model.reader import spec_of_table


@pytest.fixture(scope="session")
def on_symbols():
    """Return a caller that feeds symbols and returns the result's value at the given numbers."""

    def call(function, *arguments):
        arguments = [np.asarray(a, dtype=float) for a in arguments]
        symbols = [ca.SX.sym(f"x{k}", a.size) for k, a in enumerate(arguments)]
        objects = [np.empty(a.shape, dtype=object) for a in arguments]
        for target, symbol in zip(objects, symbols, strict=True):
            for n in range(target.size):
                target.flat[n] = symbol[n]
        result = function(*objects)
        assert isinstance(result, np.ndarray)
        assert result.dtype == object
        evaluate = ca.Function("f", symbols, [ca.vertcat(ca.SX(0, 1), *result.flat)])
        return np.array(evaluate(*(a.ravel() for a in arguments))).reshape(result.shape)

    return call


@pytest.fixture(scope="session")
def mechanism():
    """Return a builder of specifications: bodies and joints as changes of a plain one.

    A plain body has 1 kg and 1 kg.m2 at the origin; a plain joint turns about z at the origin.
    """

    def build(bodies, joints, **more):
        table = {
            "model": {"name": "mechanism"},
            "body": [
                {"mass": 1.0, "com": [0, 0, 0], "inertia": np.eye(3).tolist()} | body
                for body in bodies
            ],
            "joint": [_joint(joint) for joint in joints],
        }
        return spec_of_table(table | more, source="test")

    return build


def _joint(joint):
    plain = {"type": "revolute", "parent": "ground", "point": [0, 0, 0]}
    if joint.get("type", "revolute") in ("revolute", "prismatic"):
        plain["axis"] = [0, 0, 1]
    return plain | {"name": f"to_{joint['child']}"} | joint
