"""C and NumPy refuse alike: a crank is told to go where its loop cannot follow."""

import numpy as np
import pytest

from mbd_fmu.errors import DataError
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.reference.run import Run
from mbd_fmu.reference.step import StepError
from mbd_fmu.system.system import system_of
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, Library

STEP = 0.02


def stretched():
    """Crank of 1 m, coupler of 2 m, rocker of 0.5 m: the crank swings, it does not turn round."""
    it = Mechanism("stretched", gravity=[0, -9.81, 0])
    a, b, d = np.zeros(2), np.array([0.0, 1.0]), np.array([2.0, 0.0])
    c = np.array([2.0, 0.5])
    for name, p, q in (("crank", a, b), ("coupler", b, c), ("rocker", c, d)):
        way = q - p
        rod = {"shape": "rod", "length": float(np.hypot(*way)), "axis": [*way, 0.0]}
        it.body(name, mass=1.0, com=[*(p + q) / 2, 0.0], inertia=rod)
    keys = {"axis": [0, 0, 1]}
    it.joint("A", "revolute", "ground", "crank", point=[*a, 0], drive="motion", **keys)
    it.joint("B", "revolute", "crank", "coupler", point=[*b, 0], **keys)
    it.joint("C", "revolute", "coupler", "rocker", point=[*c, 0], cut=True, **keys)
    it.joint("D", "revolute", "ground", "rocker", point=[*d, 0], **keys)
    return it.output("joints", "quality").spec()


def reach(direction):
    """How far the crank can go: where coupler and rocker are in line, by the law of cosines."""
    coupler, rocker, ground = np.hypot(2.0, 0.5), 0.5, 2.0
    longest, shortest = coupler + rocker, coupler - rocker
    upright = np.pi / 2  # of the crank, from the ground line
    to = longest if direction > 0 else shortest
    return abs(np.arccos((1.0 + ground**2 - to**2) / (2.0 * ground)) - upright)


@pytest.fixture(scope="module")
def library(fmu_of):
    path = fmu_of(stretched())
    return Library(path, path.parent)  # once: a library that is loaded must not be written again


def told(direction, k):
    return {"A.q": direction * k * STEP, "A.qd": direction, "A.qdd": 0.0}


def steps_of_native(library, direction):
    it = Instance(library).start()
    for k in range(200):
        assert it.set(told(direction, k)) == OK
        if it.step(k * STEP, STEP) == ERROR:
            assert "cannot be followed" in it.recorder.texts()[-1]
            it.free()
            return k
    raise AssertionError("it went on")


def steps_of_twin(direction):
    run = Run(system_of(stretched()))
    names = [v.name for v in run.system.table.inputs]
    for k in range(200):
        for name, value in told(direction, k).items():
            run.u[names.index(name)] = value
        try:
            run.step(STEP)
        except StepError:
            return k
    raise AssertionError("it went on")


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_both_roads_stop_where_the_loop_is_at_its_end(direction, library):
    steps = steps_of_native(library, direction)
    assert steps_of_twin(direction) == steps
    assert steps * STEP == pytest.approx(reach(direction), abs=2 * STEP)


def carried(motion):
    """A ball on a base that is told where to be, and how to turn."""
    it = Mechanism("carried", gravity=[0, 0, -9.81])
    it.body("ball", mass=1.0, com=[0, 0, -1], inertia={"shape": "sphere", "radius": 0.1})
    it.joint("hook", "revolute", "ground", "ball", point=[0, 0, 0], axis=[0, 1, 0])
    return it.moving_base(motion).output("joints").spec()


LOST = "the quaternion base.quat.w to base.quat.z has length 0, which is no orientation; give one"


@pytest.mark.parametrize("motion", ["full", "position"])
@pytest.mark.parametrize("n", [0, 1])
def test_both_roads_refuse_a_quaternion_without_length_by_name(motion, n, fmu_of, tmp_path):
    """At the start and later; told anew, they go on as if nothing had been."""
    library = Library(fmu_of(carried(motion)), tmp_path)
    it, other = Instance(library).start(), Instance(library).start()
    run, twin = (Run(system_of(carried(motion))) for _ in range(2))
    w = [v.name for v in run.system.table.inputs].index("base.quat.w")
    for k in range(n + 1):
        if k == n:
            assert it.set({"base.quat.w": 0.0}) == OK
            assert it.step(k * STEP, STEP) == ERROR
            assert it.recorder.texts()[-1].startswith(f"t = {k * STEP:.17g}: {LOST}")
            run.u[w] = 0.0
            with pytest.raises(DataError, match=LOST):
                run.step(STEP)
            assert it.set({"base.quat.w": 1.0}) == OK
            run.u[w] = 1.0
        assert [one.step(k * STEP, STEP) for one in (it, other)] == [OK, OK]
        run.step(STEP)
        twin.step(STEP)
    assert it.everything() == other.everything()
    np.testing.assert_array_equal(run.x, twin.x)
    it.free()
    other.free()
