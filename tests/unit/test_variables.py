"""The table of variables against the list in the design: names, order, units, causality."""

from itertools import chain

import pytest

from mbd_fmu.errors import SpecError
from mbd_fmu.mechanics.frames import choose_frames
from mbd_fmu.model.spec import OUTPUT_GROUPS
from mbd_fmu.system.interface import variable_table
from mbd_fmu.system.outputs.block import STAGES
from mbd_fmu.system.start_values import start_position
from mbd_fmu.system.system import system_of
from mbd_fmu.system.units import known_unit
from mbd_fmu.system.variables import flat_name
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import forest_of

BODIES = [{"name": "cart"}, {"name": "arm"}, {"name": "bird"}, {"name": "plate"}]
JOINTS = [
    {"name": "rail", "type": "prismatic", "child": "cart"},
    {"name": "pin", "parent": "cart", "child": "arm", "position": 0.5, "velocity": "2*w0"},
    {"name": "fly", "type": "free", "child": "bird", "drive": "none"},
    {"name": "weld", "type": "rigid", "parent": "arm", "child": "plate"},
]
MORE = {
    "parameters": {
        "w0": {"value": 3.0, "unit": "rad/s", "min": 0, "max": 9, "description": "start rate"}
    },
    "output": [
        {
            "groups": list(OUTPUT_GROUPS),
            "point": [{"name": "tip", "body": "arm", "point": [1, 0, 0]}],
        }
    ],
}


def table_of(spec):
    forest = forest_of(spec)
    velocity = [0.0] * forest.nv
    for i, k in enumerate(forest.joint):
        velocity[forest.v[i]] = spec.joints[k].velocity or velocity[forest.v[i]]
    position = start_position(spec, forest, choose_frames(spec, forest))
    return variable_table(spec, forest, position, velocity)


@pytest.fixture(scope="module")
def full(mechanism):
    """Every kind of joint and every group of outputs."""
    return table_of(mechanism(BODIES, JOINTS, **MORE))


def names(variables):
    return [v.name for v in variables]


def xyz(*heads):
    return [f"{head}.{c}" for head in heads for c in "xyz"]


def wxyz(head):
    return [f"{head}.{c}" for c in "wxyz"]


def test_parameters_are_the_declared_ones_then_start_values_then_solver_settings(full):
    # pin.qd starts at an expression of a parameter: it has no start parameter of its own.
    assert names(full.parameters) == [
        "w0",
        "rail.q_start",
        "pin.q_start",
        *wxyz("fly.q_start"),
        *xyz("fly.r_start"),
        "rail.qd_start",
        *xyz("fly.w_start", "fly.v_start"),
        "solver.tolerance",
    ]


def test_inputs_are_the_drives_and_know_which_velocity_they_act_on(full):
    # The order is that of the bodies: rail (v 0), pin (v 1), fly (v 2 to 7), which is not driven.
    assert names(full.inputs) == ["rail.f", "pin.tau"]
    assert full.driven == ((0, 0), (1, 1))


def test_outputs_have_the_names_of_the_design(full):
    expected = [
        *(f"{joint}.{q}" for joint in ("rail", "pin") for q in ("q", "qd", "qdd")),
        *wxyz("fly.q"),
        *xyz("fly.r", "fly.w", "fly.v", "fly.wd", "fly.vd"),
        *chain.from_iterable(
            [
                *xyz(f"{b}.r", f"{b}.com", f"{b}.v", f"{b}.w", f"{b}.a", f"{b}.alpha"),
                *wxyz(f"{b}.quat"),
            ]
            for b in ("cart", "arm", "bird", "plate")
        ),
        *xyz("tip.r", "tip.v"),
        *(f"energy.{part}" for part in ("kinetic", "potential", "input_work", "dissipated")),
        *xyz(*(f"{j}.{what}" for j in ("rail", "pin", "weld") for what in ("force", "torque"))),
    ]
    assert sorted(names(full.outputs)) == sorted(expected)


def test_the_parts_of_the_table_are_the_whole_table(full):
    assert (*full.parameters, *full.inputs, *full.outputs) == full.variables
    causalities = {v.causality for v in full.parameters}, {v.causality for v in full.inputs}
    assert causalities == ({"parameter"}, {"input"})
    assert {v.causality for v in full.outputs} == {"output"}


def test_the_stages_follow_one_another_and_cover_the_outputs(full):
    references = list(chain.from_iterable(full.stage_range(stage) for stage in STAGES))
    first = full.n_parameters + full.n_inputs
    assert references == list(range(first, len(full.variables)))


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("pin.q", "positions"),
        ("arm.quat.w", "positions"),
        ("tip.r.x", "positions"),
        ("pin.qd", "velocities"),
        ("fly.w.x", "velocities"),
        ("arm.v.x", "velocities"),
        ("tip.v.x", "velocities"),
        ("energy.kinetic", "energies"),
        ("energy.potential", "energies"),
        ("energy.input_work", "work"),
        ("energy.dissipated", "work"),
        ("pin.qdd", "accelerations"),
        ("fly.wd.x", "accelerations"),
        ("arm.a.x", "accelerations"),
        ("arm.alpha.x", "accelerations"),
        ("pin.torque.x", "reactions"),
    ],
)
def test_a_variable_is_computed_in_the_stage_that_can(full, name, stage):
    assert names(full.variables).index(name) in full.stage_range(stage)


def test_no_stage_is_unknown(full):
    with pytest.raises(ValueError, match="momenta"):
        full.stage_range("momenta")


def test_every_start_value_of_the_state_has_a_source(full):
    # q and v of rail, pin and fly.
    assert len(full.start) == (1 + 1 + 7) + (1 + 1 + 6)
    sources = [
        full.parameters[s.index].name.replace("_start", "")
        if s.own_parameters
        else s.expression.text
        for s in full.start
    ]
    assert sources == [
        *("rail.q", "pin.q", *wxyz("fly.q"), *xyz("fly.r")),
        *("rail.qd", "2*w0", *xyz("fly.w", "fly.v")),
    ]


def test_every_variable_has_a_known_unit_and_a_description(full):
    for variable in full.variables:
        assert variable.unit == "1" or known_unit(variable.unit), variable.name
        assert len(variable.description) > 8, variable.name
    descriptions = [v.description for v in full.variables]
    fly = [d for v, d in zip(full.variables, descriptions, strict=True) if v.name.startswith("fly")]
    assert len(set(fly)) == len(fly), "components are told apart by their descriptions"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("pin.tau", "N.m"),
        ("rail.f", "N"),
        ("pin.q", "rad"),
        ("rail.q", "m"),
        ("rail.q_start", "m"),
        ("fly.w_start.x", "rad/s"),
        ("arm.com.x", "m"),
        ("arm.v.x", "m/s"),
        ("arm.w.x", "rad/s"),
        ("arm.a.x", "m/s2"),
        ("arm.alpha.x", "rad/s2"),
        ("arm.quat.w", "1"),
        ("pin.force.x", "N"),
        ("pin.torque.x", "N.m"),
        ("energy.input_work", "J"),
        ("w0", "rad/s"),
        ("solver.tolerance", "1"),
    ],
)
def test_units_are_those_of_mechanics(full, name, unit):
    assert full.variables[names(full.variables).index(name)].unit == unit


def test_a_declared_parameter_keeps_what_was_said_about_it(full):
    w0 = full.parameters[0]
    assert (w0.start, w0.min, w0.max, w0.description) == (3.0, 0.0, 9.0, "start rate")


def test_start_values_are_those_of_the_model_and_drives_start_at_zero(full):
    start = {v.name: v.start for v in full.variables}
    assert start["pin.q_start"] == 0.5
    assert start["fly.q_start.w"] == 1
    assert start["fly.r_start.x"] == start["rail.q_start"] == 0
    assert start["pin.tau"] == start["rail.f"] == 0
    assert all(v.start is None for v in full.outputs)


@pytest.mark.parametrize(
    ("group", "outputs"),
    [
        ("poses", [*xyz("arm.r"), *wxyz("arm.quat"), *xyz("arm.com")]),
        ("velocities", xyz("arm.v", "arm.w")),
        ("joints", ["pin.q", "pin.qd", "pin.qdd"]),
        ("reactions", xyz("pin.force", "pin.torque")),
        (
            "energy",
            ["energy.kinetic", "energy.potential", "energy.input_work", "energy.dissipated"],
        ),
        ("quality", []),  # a tree has no constraints to supervise
    ],
)
def test_a_group_brings_its_outputs_and_no_others(group, outputs, mechanism):
    joint = {"name": "pin", "child": "arm"}
    table = table_of(mechanism([{"name": "arm"}], [joint], output=[{"groups": [group]}]))
    assert names(table.outputs) == outputs
    assert table.has_work == (group == "energy")


def test_by_default_all_groups_but_the_velocities_of_bodies_are_put_out(mechanism):
    table = table_of(mechanism([{"name": "arm"}], [{"name": "pin", "child": "arm"}]))
    assert {"pin.qd", "arm.com.z", "pin.force.y", "energy.kinetic"} <= set(names(table.outputs))
    assert "arm.v.x" not in names(table.outputs)


def test_the_step_is_a_parameter_only_where_it_acts(mechanism):
    bodies, joints = [{"name": "arm"}], [{"name": "pin", "child": "arm"}]
    fixed = table_of(mechanism(bodies, joints, fmu={"solver": "rk4", "step": 0.002}))
    assert fixed.parameters[-1].name == "solver.step"
    assert (fixed.parameters[-1].start, fixed.parameters[-1].unit) == (0.002, "s")
    adaptive = table_of(mechanism(bodies, joints, fmu={"tolerance": 1e-8}))
    assert names(adaptive.parameters)[-1] == "solver.tolerance"
    assert adaptive.parameters[-1].start == 1e-8


@pytest.mark.parametrize(
    ("name", "flat"),
    [("pin.q", "pin_q"), ("rod.quat.w", "rod_quat_w"), ("fly.tau[1]", "fly_tau_1"), ("m", "m")],
)
def test_flat_names_have_neither_dots_nor_brackets(name, flat):
    assert flat_name(name) == flat


def test_naming_flat_changes_names_and_nothing_else(full, mechanism):
    flat = table_of(mechanism(BODIES, JOINTS, **MORE, fmu={"naming": "flat"}))
    assert names(flat.variables) == [flat_name(name) for name in names(full.variables)]
    assert [(v.unit, v.start) for v in flat.variables] == [
        (v.unit, v.start) for v in full.variables
    ]


def test_no_name_of_a_variable_has_a_comma_or_stands_twice(full):
    assert not any("," in name for name in names(full.variables))
    assert len(set(names(full.variables))) == len(full.variables)


def test_two_elements_that_would_share_variables_are_told_for_each_variable(mechanism):
    spec = mechanism(
        [{"name": "bird"}],
        [{"name": "bird", "type": "free", "child": "bird"}],
        output=[{"groups": ["poses", "joints"]}],
    )
    with pytest.raises(SpecError) as caught:
        system_of(spec)
    assert [str(p) for p in caught.value.problems] == [
        f'variable "bird.r.{c}": two elements of the model would both have it; '
        "rename the body, joint, point or parameter"
        for c in "xyz"
    ]


def test_flat_names_that_fall_together_are_refused(mechanism):
    spec = mechanism(
        [{"name": "arm"}],
        [{"name": "pin", "child": "arm"}],
        parameters={"pin_q": 1.0},
        fmu={"naming": "flat"},
    )
    with pytest.raises(SpecError, match='variable "pin_q": two elements'):
        system_of(spec)


def test_names_of_states_count_among_those_that_fall_together(mechanism):
    spec = mechanism(
        [{"name": "arm"}],
        [{"name": "pin", "child": "arm"}],
        parameters={"state_pin_q": 1.0},
        fmu={"naming": "flat"},
    )
    with pytest.raises(SpecError, match='variable "state_pin_q": two elements'):
        system_of(spec)


def test_descriptions_use_the_names_the_user_sees(mechanism):
    def descriptions(naming):
        spec = mechanism(
            [{"name": "arm"}, {"name": "bob"}],
            [
                {"name": "pin", "child": "arm"},
                {"name": "ball", "type": "spherical", "child": "bob"},
            ],
            fmu={"naming": naming},
        )
        return [v.description for v in system_of(spec).all_variables]

    assert any("ball.q.w" in text for text in descriptions("structured"))
    assert any("ball_q_w" in text for text in descriptions("flat"))
    assert not any("ball." in text or "pin." in text for text in descriptions("flat"))


def test_a_loop_takes_the_name_of_its_quality(mechanism):
    """Without a loop there is no such output, and the name is free."""
    bodies = [{"name": "constraint", "com": [1, 0, 0]}]
    door = [{"name": "one", "child": "constraint"}]
    system_of(mechanism(bodies, door))
    with pytest.raises(SpecError, match='body "constraint": the name is taken by the outputs of'):
        system_of(mechanism(bodies, [*door, {"name": "two", "child": "constraint"}]))
    groups = [{"groups": ["joints"]}]
    system_of(mechanism(bodies, [*door, {"name": "two", "child": "constraint"}], output=groups))


def test_a_prescribed_motion_makes_inputs_of_the_joint_and_its_drive_an_output(mechanism):
    joints = [
        {"name": "rail", "type": "prismatic", "child": "cart"},
        {
            "name": "pin",
            "parent": "cart",
            "child": "arm",
            "drive": "motion",
            "position": 0.5,
            "velocity": 6,
        },
    ]
    table = table_of(mechanism(BODIES[:2], joints, output=[{"groups": ["joints"]}]))
    assert names(table.inputs) == ["rail.f", "pin.q", "pin.qd", "pin.qdd"]
    assert [v.start for v in table.inputs] == [0, 0.5, 6, 0]
    assert [v.unit for v in table.inputs] == ["N", "rad", "rad/s", "rad/s2"]
    assert "pin.q_start" not in names(table.parameters)
    assert sorted(names(table.outputs)) == ["pin.tau", "rail.q", "rail.qd", "rail.qdd"]
    assert table.driven == ((0, 0),)
    assert [(m.joint, m.inputs) for m in table.motions] == [(1, slice(1, 4))]
    assert table.motions[0].signals == [(1, 2, 3)]
    assert table.motions[0].turn is None


def test_a_moving_base_has_the_inputs_of_the_design(mechanism):
    spec = mechanism(
        [{"name": "arm"}],
        [{"name": "pin", "child": "arm", "drive": "none"}],
        base={"motion": "prescribed"},
        output=[{"groups": ["poses"]}],
    )
    table = table_of(connected(spec))
    assert names(table.inputs) == [
        *xyz("base.r"),
        *wxyz("base.quat"),
        *xyz("base.v", "base.w", "base.a", "base.alpha"),
    ]
    start = {v.name: v.start for v in table.inputs}
    assert {name for name, value in start.items() if value} == {"base.quat.w"}
    assert start["base.quat.w"] == 1
    assert "base.com.x" not in names(table.outputs), "what is put in is not put out again"
    assert set(xyz("base.force", "base.torque")) <= set(names(table.outputs))
