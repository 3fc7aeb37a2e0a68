"""Every way in which a model can be wrong beyond the kind of its values, in its words."""

import numpy as np
import pytest

LETTERS = "use letters, digits and _, not starting with a digit"
ARITHMETIC = (
    "use numbers, parameters, + - * / ** and abs, acos, asin, atan, atan2, cos, exp, log, max, "
    "min, sign, sin, smooth_step, sqrt, tan, tanh, unit_step"
)
EDGE = {"point": [0, 0, 0], "axis": [1, 0, 0]}
DISC = {"center": [0, 0, 1], "axis": [1, 0, 0], "radius": 1}
DISCS = DISC | {"center2": [1, 0, 1]}

NAMES = [
    ({"joint.0.child": "rodd"}, 'joint "pin", child: no body "rodd"; did you mean "rod"?'),
    ({"joint.0.parent": "grund"}, 'joint "pin", parent: no body "grund"; did you mean "ground"?'),
    (
        {"output": [{"point": [{"name": "tip", "body": "rot", "point": [0, 0, 0]}]}]},
        'point "tip", body: no body "rot"; did you mean "rod"?',
    ),
    (
        {"output": [{"groups": ["pose"]}]},
        '[[output]], groups: no group "pose"; did you mean "poses"?',
    ),
    (
        {"body.0.mass": "2*lenght"},
        'body "rod", mass: no parameter "lenght" in "2*lenght"; did you mean "length"?',
    ),
    (
        {"body.0.inertia": {"shape": "boxx", "size": [1, 1, 1]}},
        'body "rod", inertia, shape: no shape "boxx"; did you mean "box"?',
    ),
    (
        {"joint.0.type": "rigd", "joint.0.axis": None},
        'joint "pin", type: no type "rigd"; did you mean "rigid"?',
    ),
    (
        {"joint.0.child": "ground"},
        'joint "pin": parent and child are both "ground"; join two different bodies',
    ),
    (
        {"joint.0.name": "energy"},
        'joint "energy": the name is taken by the outputs of the group energy; choose another',
    ),
    ({"parameters.sin": 1}, 'parameter "sin": the name is taken by expressions; choose another'),
    ({"parameters.pi": 3}, 'parameter "pi": the name is taken by expressions; choose another'),
    ({"parameters.time": 3}, 'parameter "time": the name is taken by the time; choose another'),
    ({"parameters.": 3}, f'parameter "": the name is empty; {LETTERS}'),
    ({"joint.0.name": "1st pin"}, f'joint "1st pin": the name does not fit FMI; {LETTERS}'),
    ({"parameters.L-1": 1}, f'parameter "L-1": the name does not fit FMI; {LETTERS}'),
    ({"model.name": "my pendulum"}, f'[model], name: "my pendulum" is no identifier; {LETTERS}'),
]

# elements that name a body, not a parent and a child
ONE_END = [
    (
        {"force": [{"name": "w", "type": "wrench", "body": "rot", "point": [0, 0, 0]}]},
        'force "w", body: no body "rot"; did you mean "rod"?',
    ),
    (
        {"force": [{"name": "w", "type": "wrench", "body": "ground", "point": [0, 0, 0]}]},
        'force "w", body: "ground" is no body that moves; name another one',
    ),
    (
        {"force": [{"name": "w", "type": "wrench", "body": "rod", "point": ["1/0", 0, 0]}]},
        'force "w", point: "1/0" has no finite value; '
        "check the expression with the parameters' declared values",
    ),
    (
        {"constraint": [{"name": "c", "type": "knife_edge", "body": "rot", **EDGE}]},
        'constraint "c", body: no body "rot"; did you mean "rod"?',
    ),
    (
        {"constraint": [{"name": "c", "type": "rolling_disc", "body": "ground", **DISC}]},
        'constraint "c", body: "ground" is no body that moves; name another one',
    ),
    (
        {"constraint": [{"name": "c", "type": "wheel_set", "bodies": ["rot", "rod"], **DISCS}]},
        'constraint "c", bodies: no body "rot"; did you mean "rod"?',
    ),
]

NOT_ARITHMETIC = [
    (
        {"body.0.velocity": {"angular": [0, "length", 0]}},
        'body "rod", velocity: holds expressions; '
        "give numbers, or the velocities of joints instead",
    ),
    (
        {"joint.0.drive": "motion", "joint.0.velocity": "length"},
        'joint "pin", drive: start values of a prescribed motion are expressions; give numbers',
    ),
    *(
        ({"body.0.mass": text}, f'body "rod", mass: "{text}" is more than arithmetic; {ARITHMETIC}')
        for text in ("length.real", "lambda: 1", "[1][0]", "length if 1 else 2")
    ),
    (
        {"body.0.mass": "__import__('os')"},
        """body "rod", mass: no function "__import__" in "__import__('os')"; """
        "known: abs, acos, asin, atan, atan2, cos, exp, log, max, "
        "min, sign, sin, smooth_step, sqrt, tan, tanh, unit_step",
    ),
    (
        {"body.0.mass": "2 kg"},
        'body "rod", mass: "2 kg" is no expression; write arithmetic, for example "m1*L1**2/12"',
    ),
]

LOCALLY = {"model.frame": "local"}
NO_ROTATION = 'joint "pin", matrix: is no rotation; give orthonormal rows, right-handed'

ORIENTATIONS = [
    (LOCALLY | {"joint.0.matrix": np.diag([1, 1, 2]).tolist()}, NO_ROTATION),
    (LOCALLY | {"joint.0.matrix": np.diag([1, 1, -1]).tolist()}, NO_ROTATION),
    (
        LOCALLY | {"joint.0.matrix": [["length", 0, 0], [0, 1, 0], [0, 0, 1]]},
        'joint "pin", matrix: holds expressions; use rpy for angles that are parameters',
    ),
    (
        LOCALLY | {"joint.0.rpy": [0, 0, 0], "joint.0.quaternion": [1, 0, 0, 0]},
        'joint "pin": rpy and quaternion would each turn the child; give one of them',
    ),
]

RANGES = [
    (
        {"parameters.length": {"value": 5, "min": 0, "max": 3}},
        'parameter "length", value: 5 is outside min and max; keep it between 0.0 and 3.0',
    ),
    (
        {"parameters.length": {"value": -1, "min": 0}},
        'parameter "length", value: -1 is outside min and max; keep it between 0.0 and inf',
    ),
]

SPRING = {
    "name": "spring",
    "type": "spring_damper",
    "parent": "ground",
    "child": "rod",
    "point": [0, 0, 0],
    "point2": [0, 0, 1],
    "length": 1,
}

FORCES = [
    (
        {"force": [SPRING | {"child": "rodd"}]},
        'force "spring", child: no body "rodd"; did you mean "rod"?',
    ),
    (
        {"force": [SPRING | {"child": "ground"}]},
        'force "spring": parent and child are both "ground"; join two different bodies',
    ),
    (
        {"force": [SPRING | {"stifness": 1}]},
        'force "spring": unknown key "stifness"; did you mean "stiffness"?',
    ),
    ({"force": [SPRING | {"damping": -3}]}, 'force "spring", damping: -3; give 0 or more'),
    ({"force": [SPRING] * 2}, 'force "spring": a second force of this name; rename one'),
]

JOINTS = [
    (
        {"joint.0.type": "universal"},
        'joint "pin", axis2: missing; add it, for example axis2 = [0, 0, 1]',
    ),
    (
        {"joint.0.type": "helical"},
        'joint "pin", pitch: missing; add it, for example pitch = 1.0',
    ),
    (
        {"joint.0.lower": -1},
        'joint "pin", stop_stiffness: missing; add it, for example stop_stiffness = 1.0',
    ),
    (
        {"joint.0.type": "spherical"},
        'joint "pin": unknown key "axis"; '
        "known: armature, child, cut, damping, drive, effort, fixed, friction, friction_speed, "
        "motion, name, parent, point, position, speed, torque, type, velocity",
    ),
]

PLANNED = [
    ({"fmu.solver": "stif"}, '[fmu], solver: no solver "stif"; did you mean "stiff"?'),
    (
        {"parameters.length": {"value": 1, "tunable": "yes"}},
        'parameter "length", tunable: "yes" is neither true nor false; write true or false',
    ),
    (
        {"joint.0.drive": "motion", "joint.0.motion": "positon"},
        'joint "pin", motion: no motion "positon"; did you mean "position"?',
    ),
    (
        {"joint.0.drive": "motion", "joint.0.motion": "sin(time)"},
        'joint "pin", motion: "sin(time)" is no word for inputs; write a function of time in '
        'braces or brackets: motion = { expression = "sin(time)" }',
    ),
    (
        {"base": {"motion": "time"}},
        '[base], motion: "time" is no word for inputs; write a function of time in braces or '
        'brackets: motion = { position = [0, 0, "sin(time)"], rpy = [0, 0, "sin(time)"] }',
    ),
    (
        {"joint.0.motion": "position"},
        'joint "pin", motion: the joint is not driven by a motion; '
        'write drive = "motion", or leave it out',
    ),
    (
        {"base": {"motion": "velocty"}},
        '[base], motion: no motion "velocty"; did you mean "velocity"?',
    ),
    (
        {"base": {"motion": "perscribed"}},
        '[base], motion: no motion "perscribed"; did you mean "prescribed"?',
    ),
]


@pytest.mark.parametrize(
    ("changes", "text"),
    [*NAMES, *ONE_END, *NOT_ARITHMETIC, *ORIENTATIONS, *RANGES, *FORCES, *JOINTS, *PLANNED],
)
def test_one_mistake_is_one_problem_with_place_finding_and_remedy(changes, text, problems_of):
    assert problems_of(changes) == [text]


@pytest.mark.parametrize("kind", ["body", "joint"])
def test_a_name_stands_once_among_its_kind(kind, problems_of):
    rod = {"name": "rod", "mass": 1, "com": [0, 0, 0], "inertia": {"shape": "point"}}
    pin = {"name": "pin", "type": "rigid", "parent": "ground", "child": "rod", "point": [0, 0, 0]}
    twice = {"body": [rod, rod], "joint": [pin, pin]}[kind]
    (text,) = problems_of({kind: twice})
    assert text == f'{kind} "{twice[0]["name"]}": a second {kind} of this name; rename one'


def test_a_model_without_bodies_is_told_how_to_get_one(problems_of):
    assert problems_of({"body": [], "joint": []}) == [
        "file: no body; add [[body]] with name, mass, com and inertia"
    ]


def test_mistakes_of_all_kinds_are_reported_at_once(problems_of):
    cases = [NAMES[0], NAMES[3], NAMES[9], NOT_ARITHMETIC[3], RANGES[0], FORCES[0], PLANNED[0]]
    changes = {place: value for change, _ in cases for place, value in change.items()}
    assert sorted(problems_of(changes)) == sorted(text for _, text in cases)
