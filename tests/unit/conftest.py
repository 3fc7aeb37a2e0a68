"""What several unit tests need: functions run on symbols, and small mechanisms in few words."""

import copy

import casadi as ca
import numpy as np
import pytest

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.errors import SpecError
from mbd_fmu.export.casadi_door import evaluator
from mbd_fmu.export.recorder import Recorder
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.options import STRAIGHT


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
def on_tape():
    """Return a caller that has a function written down on a tape, and carried out on numbers."""

    def call(function, numbers):
        recorder = Recorder(STRAIGHT)
        given = recorder.tape.symbols(len(numbers))
        with recorder.tape.listening():
            found = function(given).astype(object)
        return evaluator(recorder.routine("f", {"x": given}, {"y": found}))(numbers)

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
    kind = joint.get("type", "revolute")
    plain = {"type": kind, "parent": "ground", "point": [0, 0, 0]}
    if JOINTS[kind].has_axis:
        plain["axis"] = [0, 0, 1]
    if kind == "universal":
        plain["axis2"] = [1, 0, 0]
    if kind == "helical":
        plain["pitch"] = 0.1
    return plain | {"name": f"to_{joint['child']}"} | joint


PENDULUM = {
    "model": {"name": "pendulum"},
    "parameters": {"length": 2.0},
    "body": [{"name": "rod", "mass": 1.0, "com": [0, 0, -1], "inertia": {"shape": "point"}}],
    "joint": [
        {
            "name": "pin",
            "type": "revolute",
            "parent": "ground",
            "child": "rod",
            "point": [0, 0, 0],
            "axis": [0, 1, 0],
        }
    ],
}


def changed(table, changes):
    """Change a table in places like "body.0.mass"; None takes a key out."""
    for place, value in changes.items():
        *path, last = (int(key) if key.isdigit() else key for key in place.split("."))
        target = table
        for key in path:
            target = target[key] if isinstance(key, int) else target.setdefault(key, {})
        if value is None:
            del target[last]
        else:
            target[last] = value
    return table


@pytest.fixture(scope="session")
def problems_of():
    """Return what the reader finds wrong with a pendulum after changes like {"body.0.mass": -1}.

    None takes a key out.
    """

    def read(changes):
        try:
            spec_of_table(changed(copy.deepcopy(PENDULUM), changes), source="model.toml")
        except SpecError as error:
            head, *lines = str(error).splitlines()
        else:
            return []
        n = len(lines)
        assert head == f"model.toml: {n} problem{'s' if n > 1 else ''}"
        return [line.removeprefix("  ") for line in lines]

    return read
