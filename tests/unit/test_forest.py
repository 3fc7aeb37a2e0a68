"""The numbering of any tree, and what is no tree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbd_fmu.errors import SpecError
from mbd_fmu.export.system import system_of
from mbd_fmu.model.elements import COORDINATES
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import WORLD, forest_of

law = settings(derandomize=True, deadline=None)


@st.composite
def drawings(draw):
    """Bodies and joints of a random tree, listed in any order and direction."""
    names = [f"b{i}" for i in range(draw(st.integers(1, 8)))]
    joints = []
    for i, name in enumerate(names):
        carrier = draw(st.sampled_from(["ground", *names[:i]]))
        kind = draw(st.sampled_from(list(COORDINATES)))
        ends = [carrier, name]
        if kind != "free" and draw(st.booleans()):
            ends.reverse()
        joints.append({"name": f"j{i}", "type": kind, "parent": ends[0], "child": ends[1]})
    bodies = [{"name": name} for name in draw(st.permutations(names))]
    return bodies, draw(st.permutations(joints))


def ends(spec, forest, i):
    """Return the names of the carrier and the carried body of forest index i."""
    p = forest.parent[i]
    carrier = "ground" if p == WORLD else spec.bodies[forest.body[p]].name
    return carrier, spec.bodies[forest.body[i]].name


@law
@given(drawings())
def test_every_body_is_carried_by_one_joint_and_comes_after_its_carrier(mechanism, drawing):
    spec = mechanism(*drawing)
    forest = forest_of(spec)
    assert len(forest) == len(spec.bodies)
    assert sorted(forest.body) == sorted(forest.joint) == list(range(len(spec.bodies)))
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        assert WORLD <= forest.parent[i] < i
        carrier, carried = ends(spec, forest, i)
        declared = (carried, carrier) if forest.reversed[i] else (carrier, carried)
        assert (joint.parent, joint.child) == declared


@law
@given(drawings())
def test_bodies_near_the_ground_come_first(mechanism, drawing):
    forest = forest_of(mechanism(*drawing))
    depth = []
    for p in forest.parent:
        depth.append(0 if p == WORLD else depth[p] + 1)
    assert depth == sorted(depth)


@law
@given(drawings())
def test_coordinates_follow_one_another_without_gaps(mechanism, drawing):
    spec = mechanism(*drawing)
    forest = forest_of(spec)
    sizes = [COORDINATES[spec.joints[k].type] for k in forest.joint]
    for slices, total, column in ((forest.q, forest.nq, 0), (forest.v, forest.nv, 1)):
        assert [s.stop - s.start for s in slices] == [size[column] for size in sizes]
        assert [s.start for s in slices] == [0, *(s.stop for s in slices)][:-1]
        assert total == sum(size[column] for size in sizes)


def problems_of(spec):
    with pytest.raises(SpecError) as caught:
        system_of(spec)
    assert str(caught.value).startswith("mechanism: ")
    return [str(p) for p in caught.value.problems]


def test_a_joint_that_closes_a_loop_is_named_with_its_bodies(mechanism):
    spec = mechanism(
        [{"name": "crank"}, {"name": "rod"}],
        [
            {"child": "crank"},
            {"parent": "crank", "child": "rod"},
            {"name": "closing", "parent": "rod", "child": "ground"},
        ],
    )
    (problem,) = problems_of(spec)
    # Cut there, both bodies are carried by the ground itself.
    assert problem == (
        'joint "to_rod": closes a loop: "crank" and "rod" are connected already; '
        "remove it; closed loops are not available in this version"
    )


def test_two_joints_between_the_same_bodies_are_a_loop(mechanism):
    spec = mechanism(
        [{"name": "rod"}], [{"name": "a", "child": "rod"}, {"name": "b", "child": "rod"}]
    )
    (problem,) = problems_of(spec)
    assert problem.startswith('joint "b": closes a loop: "ground" and "rod" are connected already;')


def test_parts_that_hang_on_nothing_fly(mechanism):
    """Each part gets one free joint to the ground, at its first body; it is not driven."""
    spec = connected(
        mechanism(
            [{"name": "rod"}, {"name": "island"}, {"name": "hut"}],
            [{"child": "rod"}, {"parent": "island", "child": "hut"}],
        )
    )
    flights = [(j.name, j.parent, j.child, j.drive) for j in spec.joints if j.fictitious]
    assert flights == [("island_free", "ground", "island", "none")]
    assert forest_of(spec).cut == ()


def test_a_free_joint_leads_away_from_the_ground(mechanism):
    spec = mechanism(
        [{"name": "bird"}], [{"name": "fly", "type": "free", "parent": "bird", "child": "ground"}]
    )
    assert problems_of(spec) == [
        'joint "fly": a free joint that leads from "bird" towards the ground; '
        "swap parent and child: its coordinates place the child in the parent"
    ]


def test_all_loops_are_reported_at_once(mechanism):
    spec = mechanism([{"name": "rod"}], [{"name": n, "child": "rod"} for n in ("a", "b", "c")])
    assert len(problems_of(spec)) == 2
