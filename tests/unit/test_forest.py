"""The numbering of any tree, and where loops are cut."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.places import WORLD
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import forest_of

law = settings(derandomize=True, deadline=None)


@st.composite
def drawings(draw):
    """Bodies and joints of a random tree, listed in any order and direction."""
    names = [f"b{i}" for i in range(draw(st.integers(1, 8)))]
    joints = []
    for i, name in enumerate(names):
        carrier = draw(st.sampled_from(["ground", *names[:i]]))
        kind = draw(st.sampled_from(list(JOINTS)))
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
def test_a_regular_order_of_the_users_is_kept(mechanism, drawing):
    """Carriers come first where the names b0, b1, ... do; joints in any order do not matter."""
    bodies, joints = drawing
    spec = mechanism(sorted(bodies, key=lambda body: body["name"]), joints)
    forest = forest_of(spec)
    assert forest.body == tuple(range(len(bodies)))
    assert [spec.joints[k].name[1:] for k in forest.joint] == [b.name[1:] for b in spec.bodies]


@law
@given(drawings())
def test_any_other_order_is_changed_only_where_a_carrier_comes_too_late(mechanism, drawing):
    """Numbering what is numbered changes nothing; the first body comes right after its carriers."""
    spec = mechanism(*drawing)
    forest = forest_of(spec)
    again = replace(spec, bodies=tuple(spec.bodies[k] for k in forest.body))
    assert forest_of(again).body == tuple(range(len(forest)))
    first, carriers = forest.body.index(0), 0
    while (forest.parent[first - carriers]) != WORLD:
        carriers += 1
        assert forest.parent[first - carriers + 1] == first - carriers
    assert carriers == first


def test_a_moving_base_comes_before_all_and_what_flies_in_its_turn(mechanism):
    names = ["tail", "bird", "stone", "arm"]
    joints = [{"child": "arm"}, {"parent": "bird", "child": "tail"}, {"child": "stone"}]
    spec = connected(
        mechanism([{"name": name} for name in names], joints, base={"motion": "prescribed"})
    )
    order = [spec.bodies[k].name for k in forest_of(spec).body]
    assert order == ["base", "tail", "bird", "stone", "arm"]  # the tail flies, and carries the bird


@pytest.mark.parametrize("first", ["crank", "rod"])
def test_beside_a_cut_the_order_is_the_users_too(mechanism, first):
    """Both stand on the ground once the middle is cut: either may be the first."""
    names = [first, *({"crank", "rod"} - {first})]
    spec = mechanism([{"name": name} for name in names], loop())
    assert [spec.bodies[k].name for k in forest_of(spec).body] == names


@law
@given(drawings())
def test_coordinates_follow_one_another_without_gaps(mechanism, drawing):
    spec = mechanism(*drawing)
    forest = forest_of(spec)
    kinds = [spec.joints[k].kind for k in forest.joint]
    sizes = [(kind.nq, kind.nv) for kind in kinds]
    for slices, total, column in ((forest.q, forest.nq, 0), (forest.v, forest.nv, 1)):
        assert [s.stop - s.start for s in slices] == [size[column] for size in sizes]
        assert [s.start for s in slices] == [0, *(s.stop for s in slices)][:-1]
        assert total == sum(size[column] for size in sizes)


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


def loop(**changes):
    """Return a crank and a rod between two pins of the ground, with changes by joint."""
    joints = {
        "left": {"child": "crank"},
        "middle": {"parent": "crank", "child": "rod"},
        "right": {"parent": "rod", "child": "ground"},
    }
    return [{"name": name} | joint | changes.get(name, {}) for name, joint in joints.items()]


def cuts(spec):
    return [spec.joints[k].name for k in forest_of(spec).cut]


@law
@given(drawings(), st.data())
def test_every_joint_is_in_the_forest_or_cut(mechanism, drawing, data):
    bodies, joints = drawing
    names = ["ground", *(body["name"] for body in bodies)]
    pairs = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    extra = [
        {"name": f"loop{n}", "parent": parent, "child": child}
        for n, (parent, child) in enumerate(data.draw(st.lists(pairs, max_size=4)))
    ]
    plain = [joint | {"type": "rigid"} for joint in joints]  # a free one could come out reversed
    forest = forest_of(mechanism(bodies, [*extra, *plain]))
    assert sorted(forest.joint + forest.cut) == list(range(len(extra) + len(joints)))
    assert len(forest.cut) == len(extra)
    assert all(p < i for i, p in enumerate(forest.parent))


@pytest.mark.parametrize(
    ("changes", "cut"),
    [
        ({}, "middle"),  # the tree is shallow: both bodies stand on the ground
        ({"left": {"cut": True}}, "left"),
        ({"left": {"type": "free"}}, "left"),  # six freedoms leave no constraint
        ({"middle": {"drive": "motion"}}, "right"),
        ({"left": {"type": "free"}, "right": {"cut": True}}, "right"),
    ],
)
def test_a_loop_is_cut_where_it_is_wished_for(changes, cut, mechanism):
    assert cuts(mechanism([{"name": "crank"}, {"name": "rod"}], loop(**changes))) == [cut]


def test_of_two_joints_between_the_same_bodies_the_later_one_is_cut(mechanism):
    joints = [{"name": "first", "child": "rod"}, {"name": "second", "child": "rod"}]
    assert cuts(mechanism([{"name": "rod"}], joints)) == ["second"]
