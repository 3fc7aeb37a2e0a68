"""Parts that fly and bases that move, written out as joints and bodies."""

import pytest

from mbd_fmu.topology.connect import BASE_BODY, connected


def joints(spec):
    return [(j.name, j.type, j.parent, j.child) for j in spec.joints]


def test_a_mechanism_that_stands_on_the_ground_stays_as_it_is(mechanism):
    spec = mechanism([{"name": "rod"}], [{"child": "rod"}])
    assert connected(spec) == spec


def test_each_part_that_flies_gets_one_free_joint_at_the_mass_centre_of_its_first_body(mechanism):
    hull = {"name": "hull", "com": [1, 2, 3]}
    spec = connected(
        mechanism(
            [{"name": "rod"}, hull, {"name": "wing"}, {"name": "ball"}],
            [{"child": "rod"}, {"parent": "wing", "child": "hull"}],
        )
    )
    assert joints(spec)[2:] == [
        ("hull_free", "free", "ground", "hull"),
        ("ball_free", "free", "ground", "ball"),
    ]
    flight = spec.joints[2]
    assert flight.point == flight.point2 == (1, 2, 3)
    assert (flight.fictitious, flight.drive) == (True, "none")
    assert not any(j.fictitious for j in spec.joints[:2])


def test_the_name_of_a_fictitious_joint_gives_way_to_one_of_the_model(mechanism):
    bodies = [{"name": "rod"}, {"name": "ball"}]
    spec = connected(mechanism(bodies, [{"name": "ball_free", "child": "rod"}]))
    assert [j.name for j in spec.joints] == ["ball_free", "ball_free_"]


@pytest.mark.parametrize("ends", [("ground", "rod"), ("rod", "ground")])
def test_on_a_moving_base_all_that_stood_on_the_ground_stands_on_the_base(ends, mechanism):
    spring = {
        "name": "spring",
        "type": "spring_damper",
        "parent": "ground",
        "child": "rod",
        "point": [0, 0, 0],
        "point2": [0, 0, 1],
        "length": 1,
    }
    spec = connected(
        mechanism(
            [{"name": "rod"}, {"name": "ball"}],
            [{"name": "pin", "parent": ends[0], "child": ends[1]}],
            force=[spring],
            base={"motion": "prescribed"},
        )
    )
    assert joints(spec) == [
        (BASE_BODY, "free", "ground", BASE_BODY),
        ("pin", "revolute", *(BASE_BODY if end == "ground" else end for end in ends)),
        ("ball_free", "free", "ground", "ball"),  # what flies does not ride
    ]
    assert spec.joints[0].drive == "motion"
    assert spec.joints[0].point == spec.joints[0].point2 == (0, 0, 0)
    base = spec.bodies[0]
    assert (base.name, base.mass, base.com, base.origin) == (BASE_BODY, 0, (0, 0, 0), (0, 0, 0))
    assert (spec.forces[0].parent, spec.forces[0].child) == (BASE_BODY, "rod")


@pytest.mark.parametrize("more", [{}, {"base": {"motion": "prescribed"}}])
def test_what_is_connected_stays_as_it_is(more, mechanism):
    bodies = [{"name": "rod"}, {"name": "ball"}]
    spec = connected(mechanism(bodies, [{"child": "rod"}], **more))
    assert connected(spec) == spec
