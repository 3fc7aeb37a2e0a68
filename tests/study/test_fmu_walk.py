"""Compiled code leads FMUs as the loop of Python does, and stops where they refuse."""

import numpy as np
import pytest

from mbd_fmu import read_model
from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.model.library import library
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.study.fmu_walk import FUNCTIONS, FmuWalk
from mbd_fmu.study.kept_fmus import KeptFmu
from mbd_fmu.study.targets import Course
from mbd_fmu.validate.runner import Fmu

TIMES = np.linspace(0.0, 0.3, 8)
OUTPUTS = ("elbow.q", "elbow.qdd", "shoulder.force.z", "energy.input_work")
INPUTS = Trajectory(
    np.array([0.0, 0.1, 0.17, 0.25]),  # rows begin between points of the run, too
    ("elbow.tau", "shoulder.tau"),
    np.array([[1.0, 0.0], [3.0, -2.0], [0.5, 4.0], [-6.0, 1.0]]),
)
SETTINGS = {"elbow.q_start": 0.4, "shoulder.qd_start": -0.2}


def course(**more):
    return Course(tuple(SETTINGS), TIMES, TIMES[1], OUTPUTS, **more)


@pytest.fixture(scope="module", params=["native", "python"])
def arm(request, fmu_of):
    with Fmu(fmu_of(read_model(library()["two_link_arm"]), request.param)) as fmu:
        yield fmu


@pytest.mark.parametrize("asked", [{}, {"inputs": INPUTS}, {"inputs": INPUTS, "interpolate": True}])
def test_a_walk_has_the_bits_of_the_loop_in_python(arm, asked):
    if "interpolate" in asked and not arm.description.coSimulation.canInterpolateInputs:
        pytest.skip("a Python FMU takes no rates of inputs")
    loop = arm.run(TIMES, settings=SETTINGS, outputs=OUTPUTS, **asked).trajectory.values
    walk = FmuWalk(arm, course(**asked))
    for keep in (False, True, True):
        arm.walk(walk, SETTINGS, keep=keep)
        assert np.array_equal(walk.values, loop)
    assert len(np.unique(loop[:, 0])) == len(TIMES)


def test_values_of_a_run_are_not_those_of_the_next(arm):
    kept = KeptFmu("arm.fmu", arm)
    way = course()
    first = kept.run(way, SETTINGS).values
    before = first.copy()
    other = kept.run(way, SETTINGS | {"elbow.q_start": 1.0}).values
    assert np.array_equal(first, before)
    assert not np.array_equal(first, other)


def test_what_is_refused_is_told_in_the_words_of_the_fmu(fmu_of):
    with Fmu(fmu_of(read_model(library()["slider_crank"]))) as fmu:
        way = Course(("L",), TIMES, TIMES[1], ("bearing.q",))
        with pytest.raises(FmuError, match="the rows of wrist_pin have no finite value") as error:
            fmu.walk(FmuWalk(fmu, way), {"L": 0.05})
        assert "fmi2ExitInitializationMode failed with status 3" in str(error.value)
        with pytest.raises(DataError, match="no_such"):
            fmu.walk(FmuWalk(fmu, way), {"no_such": 1.0})


def test_a_step_that_fails_ends_the_walk_there(fmu_of):
    """A force beyond all numbers: rows up to there are those of the run."""
    with Fmu(fmu_of(read_model(library()["two_link_arm"]))) as fmu:
        hopeless = Trajectory(np.array([0.0, 0.2]), ("elbow.tau",), np.array([[0.0], [1e300]]))
        walk = FmuWalk(fmu, course(inputs=hopeless))
        with pytest.raises(FmuError, match="fmi2"):
            fmu.walk(walk, SETTINGS)
        good = np.isfinite(walk.values).all(axis=1)
        assert good.tolist() == sorted(good.tolist(), reverse=True)
        assert 0 < good.sum() < len(TIMES)
        calm = fmu.run(TIMES, settings=SETTINGS, outputs=OUTPUTS).trajectory.values
        assert np.array_equal(walk.values[good], calm[good])
        # and the next run is as if it had not been
        fmu.walk(walk := FmuWalk(fmu, course()), SETTINGS, keep=True)
        assert np.array_equal(walk.values, calm)


def test_a_library_that_lacks_a_function_is_told_by_its_name(arm):
    walk = FmuWalk(arm, course())
    with pytest.raises(FmuError, match=f"no function {FUNCTIONS[2]}"):
        walk.through(0, lambda name: None if name == FUNCTIONS[2] else 1)
