"""What moves no mass is named: the joint, the body where mass is missing, and what helps."""

import time

import numpy as np
import pytest

from mbd_fmu import Mechanism
from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.analysis.diagnosis import diagnose
from mbd_fmu.errors import SpecError
from mbd_fmu.reference.run import Run
from mbd_fmu.summaries.mechanism import drawn
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.system.weightless import weightless_problems
from tests.random_trees import random_tree

POINT = {"shape": "point"}
SOLID = {"shape": "sphere", "radius": 0.1}
UNDETERMINED = "so its acceleration is not determined"


def problems(it):
    """What a build refuses; looking at the mechanism gives the same words, or none."""
    system = system_of(it.spec())
    with pytest.raises(SpecError) as caught:
        refuse_unusable(system)
    return [str(problem) for problem in caught.value.problems]


def arm(upper_mass=1.0, tip_mass=0.0, **keys):
    it = Mechanism("arm")
    it.body("upper", mass=upper_mass, com=[0.5, 0, 0], inertia=POINT)
    it.body("tip", mass=tip_mass, com=[1.5, 0, 0], inertia=POINT)
    it.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    it.joint(
        **{"name": "elbow", "type": "revolute", "parent": "upper", "child": "tip"}
        | {"point": [1, 0, 0], "axis": [0, 1, 0]}
        | keys
    )
    return it


ELBOW = (
    f'joint "elbow": it moves no mass, for "tip" has none, {UNDETERMINED}; '
    'give "tip" a mass off the axis or an inertia about it, or make the joint rigid'
)


def test_a_tip_without_mass_is_named_and_not_what_carries_it():
    assert problems(arm()) == [ELBOW]


def test_the_body_is_the_carried_one_however_the_joint_is_declared():
    assert problems(arm(parent="tip", child="upper")) == [ELBOW]


def test_a_joint_that_carries_nothing_but_empty_bodies_names_the_farthest():
    it = arm(upper_mass=0.0, type="rigid", axis=None)
    it._table["joint"][1].pop("axis")
    (text,) = problems(it)
    assert text.startswith('joint "shoulder": it moves no mass, for "upper", "tip" has none')
    assert 'give "tip" a mass off the axis' in text


def test_a_body_that_cannot_be_felt_beyond_a_free_joint_is_not_enough():
    """In line, a point at the end of a free link resists no push across it."""
    (text,) = problems(arm(upper_mass=0.0, tip_mass=1.0))
    assert text.startswith('joint "shoulder": it moves no mass, for "upper" has none')


def test_a_point_on_a_ball_turns_about_the_line_to_it_without_moving():
    it = Mechanism("bob").body("bob", mass=1, com=[0, 0, -1], inertia=POINT)
    it.joint("ball", "spherical", "ground", "bob", point=[0, 0, 0])
    assert problems(it) == [
        f'joint "ball": it moves no mass in w.z, {UNDETERMINED}; give "bob" an inertia about every '
        'axis, for example that of a sphere, or make the joint "universal"'
    ]


def test_a_point_on_a_free_joint_of_the_model_is_told_of_the_joint_for_points():
    it = Mechanism("planet").body("planet", mass=1, com=[0, 0, -1], inertia=POINT)
    it.joint("flight", "free", "ground", "planet", point=[0, 0, -1])
    (text,) = problems(it)
    assert text.startswith('joint "flight": it moves no mass in w.')
    assert text.endswith('or make the joint "translational": a point does not turn')


def ring(*masses):
    """A four-bar of hinges about y, and a ghost on a slide, all weightless but for ``masses``."""
    corners = [[0, 0, 0], [0, 0, 1], [2, 0, 1.5], [2, 0, 0]]
    it = Mechanism("ring")
    bodies = ["crank", "coupler", "rocker"]
    for k, (name, mass) in enumerate(zip(bodies, masses, strict=True)):
        com = np.mean(corners[k : k + 2], axis=0).tolist()
        it.body(name, mass=mass, com=com, inertia=SOLID)
    for k, (a, b) in enumerate(zip(["ground", *bodies], [*bodies, "ground"], strict=True)):
        it.joint(f"pin{k}", "revolute", a, b, point=corners[k], axis=[0, 1, 0])
    return it


def test_a_loop_without_mass_names_joints_bodies_and_remedy():
    system = system_of(ring(0, 0, 0).spec())
    for look in (refuse_unusable, diagnose, Run):
        with pytest.raises(SpecError) as caught:
            look(system)
        (problem,) = caught.value.problems
        assert problem.where.startswith('joints "pin0", "pin')
        assert problem.found.startswith("together they move no mass, so their acceleration is not")
        for body in ("crank", "coupler", "rocker"):
            assert f'"{body}"' in problem.remedy
        assert problem.remedy.endswith("a mass and an inertia, or make a joint rigid")
    refuse_unusable(system_of(ring(0, 1, 0).spec()))  # one body is enough where a loop holds all


def test_a_weightless_part_beside_a_loop_is_told_apart():
    it = ring(1, 1, 1).body("ghost", mass=0, com=[0, 0, 0], inertia=POINT)
    it.joint("slide", "prismatic", "coupler", "ghost", point=[1, 0, 1], axis=[0, 1, 0])
    assert problems(it) == [
        f'joint "slide": it moves no mass, {UNDETERMINED}; '
        'give "ghost" a mass and an inertia, or make a joint rigid'
    ]


def test_a_parameter_that_takes_the_mass_away_is_refused_in_the_same_words():
    it = arm(tip_mass="m").parameter("m", 1.0)
    with pytest.raises(SpecError, match='joint "elbow": it moves no mass, for "tip" has none'):
        Run(system_of(it.spec()), {"m": 0.0})


@pytest.mark.parametrize("seed", range(5))
def test_mechanisms_of_solid_bodies_all_move_mass(seed):
    system = system_of(random_tree(6, seed))
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    assert weightless_problems(plant, plant.start(), u) == []


def test_hundreds_of_joints_are_looked_at_in_no_time():
    """The walk is linear in the bodies: this would take an hour by the fourth power."""
    it = Mechanism("rope")
    for k in range(400):
        it.body(f"b{k}", mass=1.0, com=[k + 0.5, 0, 0], inertia=SOLID)
        carrier = f"b{k - 1}" if k else "ground"
        it.joint(f"j{k}", "revolute", carrier, f"b{k}", point=[k, 0, 0], axis=[0, 1, 0])
    system, began = system_of(it.spec()), time.process_time()
    refuse_unusable(system)
    assert time.process_time() - began < 30.0


def test_show_warns_of_what_a_build_refuses():
    """The tree is drawn all the same, and what is missing stands below it."""
    text = drawn(arm().spec())
    assert "2 bodies" in text
    assert f"warning: arm: 1 problem\n  {problems(arm())[0]}" in text


def disc(axis=(0, 1, 0), height=0.5):
    it = Mechanism("coin")
    it.body("coin", mass=1, com=[0, 0, height], inertia=SOLID)
    keys = {"body": "coin", "center": [0, 0, height], "axis": list(axis), "radius": 0.5}
    return it.constraint("rolls", "rolling_disc", **keys)


def test_a_disc_that_lies_flat_at_the_start_is_refused():
    """It touches nowhere in particular, so that its rows have no value."""
    assert problems(disc(axis=[0, 0, 1])) == [
        'constraint "rolls", axis: the disc of "coin" lies flat on its plane at the start and '
        "touches no one point; let the axis lean away from the normal; that of an upright wheel is "
        "along the plane"
    ]


def test_a_disc_a_million_metres_away_is_refused():
    assert problems(disc(height=1e6)) == [
        'constraint "rolls", center: the centre of "coin" is 1e+06 m above the plane at the start; '
        "draw it, or start it, where the disc touches: at 0.5 m"
    ]
    assert "is -1e+06 m above" in problems(disc(height=-1e6))[0]


def test_both_discs_of_a_set_are_looked_at_and_coarse_drawings_are_assembled():
    it = Mechanism("set")
    for name, y in (("left", 1), ("right", -1)):
        it.body(name, mass=1, com=[0, y, 9], inertia=SOLID)
    it.joint("axle", "revolute", "left", "right", point=[0, 0, 9], axis=[0, 1, 0])
    keys = {"bodies": ["left", "right"], "center": [0, 1, 9], "center2": [0, -1, 9]}
    it.constraint("rolls", "wheel_set", **keys, axis=[0, 1, 0], radius=0.5)
    assert len(problems(it)) == 2
    refuse_unusable(system_of(disc(height=0.7).spec()))
