"""Model files that nobody means: each is refused in words, at once, whatever is in it."""

import time

import pytest

from mbd_fmu import Mechanism, simulate, system_of
from mbd_fmu.cli import main
from mbd_fmu.elements.constraints import CONSTRAINTS
from mbd_fmu.elements.forces import FORCES
from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.errors import QUOTED, MbdFmuError, SpecError
from mbd_fmu.model import couplings, joints
from mbd_fmu.model.couplings import read_constraint, read_force
from mbd_fmu.model.joints import read_joint
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.quantities.scope import Scope
from mbd_fmu.quantities.showing import show
from mbd_fmu.quantities.table import Table

MODEL = """
[model]
name = "pendulum"
[parameters]
L = 1.0
[[body]]
name = "rod"
mass = %s
com = [0, 0, -1]
inertia = { shape = "point" }
[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "rod"
point = [0, 0, 0]
axis = [0, 1, 0]
"""


@pytest.fixture
def refused(tmp_path):
    """Return the message that a model file gets, which comes within a second and is short."""

    def refuse(content):
        path = tmp_path / "model.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        start = time.process_time()
        with pytest.raises(MbdFmuError) as caught:
            read_model(path)
        assert time.process_time() - start < 1.0
        message = str(caught.value).replace(str(path), "it")
        assert max(map(len, message.splitlines())) < 5 * QUOTED
        return message

    return refuse


NO_VALUE = "has no finite value; check the expression with the parameters' declared values"


@pytest.mark.parametrize(
    "text",
    [
        "sin((-1)**0.5)",
        "(-L)**0.5 + 1",
        "log(0)",
        "log(-L)",
        "1e308*10",
        "0**-1",
        "9**9**9",
        "9**9**9**9**9",
        "-9**9**9 + 9**9**9",
        "asin(2)",
        "exp(1000)",
        "L/(L - 1)",
        "sqrt(-1)**2",
    ],
)
def test_an_expression_has_a_finite_real_value_or_is_refused(text, refused):
    """As in IEEE 754, and in the FMU: no complex numbers, no exceptions, no endless powers."""
    assert refused(MODEL % f'"{text}"') == (
        f'it: 1 problem\n  body "rod", mass: "{text}" {NO_VALUE}'
    )


ONE = "it: 1 problem\n  "
FILES = {
    "digits": (MODEL % ("9" * 5000), "it: a whole number has too many digits; write it as 1e9"),
    "hexadecimal digits": (
        MODEL % f"0x{'f' * 5000}",
        f'{ONE}body "rod", mass: a number of some 6021 digits is no number; '
        "give a number or an expression in quotes",
    ),
    "digits in an expression": (
        MODEL % f'"{"9" * 1900}"',
        f'{ONE}body "rod", mass: a number in "{"9" * 32} ... {"9" * 32}" is too large; '
        "write a smaller number",
    ),
    "lists": (
        MODEL % ("[" * 4000 + "]" * 4000),
        "it: lists or tables are nested too deeply; 20 levels are the most",
    ),
    "some lists": (
        MODEL % ("[" * 30 + "]" * 30),
        f"{ONE}file, body: more than 20 tables and lists inside each other; "
        "unfold them: nothing in a model is folded so",
    ),
    "parentheses": (
        MODEL % f'"{"(" * 400}1{")" * 400}"',
        f'{ONE}body "rod", mass: "{"(" * 32} ... {")" * 32}" is no expression; '
        'write arithmetic, for example "m1*L1**2/12"',
    ),
    "signs": (
        MODEL % f'"{"-" * 400}1"',
        f'{ONE}body "rod", mass: "{"-" * 32} ... {"-" * 31}1" is nested too deeply; '
        "declare parameters for its parts: 100 levels are the most",
    ),
    "letters": (
        MODEL % f'"{"1+" * 2000}1"',
        f'{ONE}body "rod", mass: "{"1+" * 16} ... {"+1" * 16}" has 4001 letters; '
        "declare parameters for its parts: 2000 are the most",
    ),
    "entries": (
        MODEL % f"[{'1,' * 20_000}]",
        f'{ONE}body "rod", mass: [{", ".join(["1"] * 23)}, ...] is no number; '
        "give a number or an expression in quotes",
    ),
    "size": (MODEL % f"[{'1,' * 600_000}]", "it: is larger than 1 MB; is it another file?"),
    "dots": (
        f"{MODEL % 1}{'a.' * 20_000}a = 1",
        "it: line 18: a key of more than 20 parts; "
        "keys of a model have three at most, as in output.point.name",
    ),
    "quoted dots": (
        (MODEL % 1) + "'a' . 'b'." * 20 + "a = 1",
        "it: line 18: a key of more than 20 parts; "
        "keys of a model have three at most, as in output.point.name",
    ),
    "UTF-16": ((MODEL % 1).encode("utf-16"), "it: is written in UTF-16; save it as UTF-8"),
    "UTF-16 without mark": (
        (MODEL % 1).encode("utf-16-le"),
        "it: is written in UTF-16; save it as UTF-8",
    ),
    "Latin-1": (
        b'[model]\ndescription = "K\xf6rper"\n',
        "it: line 2: the byte 0xf6 is no UTF-8, it may be Latin-1 or Windows-1252; "
        "save it as UTF-8",
    ),
    "a long name": (
        (MODEL % 1).replace("pendulum", "x" * 5000),
        f'{ONE}[model], name: "{"x" * 32} ... {"x" * 32}" has 5000 letters; 100 are the most',
    ),
    "a long text": (
        (MODEL % 1).replace("revolute", "x" * 900_000),
        f'{ONE}joint "pin", type: no type "{"x" * 32} ... {"x" * 32}"; '
        f"known: {', '.join(sorted(JOINTS))}",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_too_large_is_refused_and_quoted_in_short(name, refused):
    content, message = FILES[name]
    assert refused(content) == message


def test_a_byte_order_mark_is_no_statement(tmp_path):
    path = tmp_path / "model.toml"
    path.write_bytes((MODEL % 1).encode("utf-8-sig"))
    assert read_model(path).name == "pendulum"


def test_long_words_in_strings_and_lists_of_numbers_are_no_keys(tmp_path):
    path = tmp_path / "model.toml"
    numbers = ", ".join(["1.5"] * 200)
    path.write_text(f"{MODEL % 1}# {'word' * 99} and so on...............\n# [{numbers}]\n")
    assert read_model(path).name == "pendulum"


def test_thousands_of_bodies_are_refused_with_the_limit():
    loose = [
        {"name": f"b{k}", "mass": 1, "com": [k, 0, 0], "inertia": {"shape": "point"}}
        for k in range(5000)
    ]
    with pytest.raises(SpecError, match="file, body: 5000 of them; 2000 are the most"):
        spec_of_table({"model": {"name": "cloud"}, "body": loose}, "test")


def test_a_list_of_thousand_problems_is_cut_short_and_says_so():
    bodies = [{"name": f"b{k}", "mas": 1} for k in range(300)]
    with pytest.raises(SpecError) as caught:
        spec_of_table({"model": {"name": "cloud"}, "body": bodies}, "test")
    assert len(caught.value.problems) == 1200
    lines = str(caught.value).splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("test: 1200 problems", "  ... and 1000 more", 202)


def test_what_python_can_fold_and_a_file_cannot_is_refused_too():
    ring = []
    ring.append(ring)
    for value in (ring, {1: ring}):
        with pytest.raises(SpecError, match="more than 20 tables and lists inside each other"):
            Mechanism("ring").body("rod", mass=value).spec()
    with pytest.raises(SpecError, match="file, body: the key 3 is no text; use texts"):
        Mechanism("keys").body("rod", mass={3: 1}).spec()


MAGNITUDES = [
    ({"body.0.mass": 1e300}, 'body "rod", mass: 1e+300 is out of range'),
    ({"body.0.mass": "length*1e300"}, 'body "rod", mass: "length*1e300" is 2e+300: out of range'),
    ({"model.gravity": [0, 0, -1e300]}, "[model], gravity: -1e+300 is out of range"),
    ({"joint.0.velocity": 1e300}, 'joint "pin", velocity: 1e+300 is out of range'),
    ({"joint.0.axis": [1e200, 1e200, 0]}, 'joint "pin", axis: 1e+200 is out of range'),
    ({"parameters.length": 1e300}, 'parameter "length", value: 1e+300 is out of range'),
    (
        {"body.0.inertia": {"shape": "sphere", "radius": 1e200}},
        'body "rod", inertia, radius: 1e+200 is out of range',
    ),
]


@pytest.mark.parametrize(("changes", "text"), MAGNITUDES)
def test_numbers_have_a_range(changes, text, problems_of):
    """So that squares of lengths times masses are numbers, too. The same of two entries: once."""
    remedy = "numbers of a model are 1e+50 at most; choose other units"
    assert problems_of(changes) == [f"{text}; {remedy}"]


SMALL = [
    ({"body.0.mass": 1e-300}, 'body "rod", mass: 1e-300 kg; give 0, or 1e-50 kg or more'),
    (
        {"joint.0.axis": [1e-200, 0, 0]},
        'joint "pin", axis: [1e-200, 0, 0] has no direction; '
        "give a nonzero vector, for example [0, 0, 1]",
    ),
    (
        {"joint.0.type": "helical", "joint.0.pitch": 0},
        'joint "pin", pitch: 0 m; '
        "give the travel per turn; a joint that does not travel is revolute",
    ),
    (
        {"fmu.stop_time": 1e-300},
        "[fmu], stop_time: 1e-300 is out of range; give 1e-50 or more",
    ),
]


@pytest.mark.parametrize(("changes", "text"), SMALL)
def test_what_is_divided_by_is_not_next_to_nothing(changes, text, problems_of):
    assert problems_of(changes) == [text]


@pytest.mark.parametrize("name", ["base", "constraint", "time", "x" * 100])
def test_names_that_nothing_uses_are_free(name, problems_of):
    assert problems_of({"joint.0.name": name}) == []


def test_names_are_taken_by_what_uses_them(problems_of):
    assert problems_of({"joint.0.name": "base", "base": {"motion": "prescribed"}}) == [
        'joint "base": the name is taken by the moving base; choose another'
    ]
    assert problems_of({"joint.0.name": "energy", "output": [{"groups": ["joints"]}]}) == []


HIDDEN = [
    (
        {"fmu.solver": "cvode", "fmu.tolerence": 1e-6},
        ['no solver "cvode"; known: dopri5, rk4, stiff', 'unknown key "tolerence"; did you mean'],
    ),
    (
        {"joint.0.type": "hinge", "joint.0.dampin": 1, "joint.0.child": None},
        ["child: missing", 'no type "hinge"', 'unknown key "dampin"; did you mean "damping"?'],
    ),
    (
        {"body.0.inertia": {"shape": "ball", "radus": 1}},
        ['no shape "ball"', 'unknown key "radus"; did you mean "radius"?'],
    ),
    (
        {"joint.0.type": None, "joint.0.dampin": 1},
        ["type: missing", 'unknown key "dampin"; did you mean "damping"?'],
    ),
    (
        {"parameters.length": "2 m", "body.0.mass": -1, "joint.0.stiffness": "1/0"},
        [
            'parameter "length", value: "2 m" is no expression',
            'body "rod", mass: -1 kg',
            'joint "pin", stiffness: "1/0" has no finite value',
        ],
    ),
]


@pytest.mark.parametrize(("changes", "parts"), HIDDEN)
def test_no_problem_hides_another(changes, parts, problems_of):
    found = problems_of(changes)
    assert len(found) == len(parts)
    for text, part in zip(found, parts, strict=True):
        assert part in text


READERS = [
    *((kind, joints.JOINT_KEYS, lambda t, f=f: read_joint(t, f)) for kind in tuple(JOINTS) for f in
      ("world", "local")),
    *((kind, couplings.FORCE_KEYS, read_force) for kind in tuple(FORCES)),
    *((kind, couplings.CONSTRAINT_KEYS, lambda t: read_constraint(t, "world"))
      for kind in tuple(CONSTRAINTS)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "known", "read"), READERS)
def test_the_list_of_possible_keys_has_those_of_every_type(kind, known, read):
    table = Table("it", {"type": kind, "lower": 1}, [], Scope())
    read(table)
    assert table._asked <= known


def test_values_are_shown_as_a_file_has_them_and_no_longer_than_a_line():
    assert show({"name": "pin", "point": [0, 1.5]}) == '{ name = "pin", point = [0, 1.5] }'
    for value in ("x" * 10**7, [[1] * 10**6] * 9, {"a" * 999: {"b": [{}] * 999}}, 10**4000):
        assert len(show(value)) < 3 * QUOTED


def test_motions_beyond_all_numbers_end_with_a_word():
    """Accelerations that overflow within a step: shorter steps do not help, and none warns."""
    it = Mechanism("it", gravity=[0, 0, -1e50])
    solid = {"shape": "sphere", "radius": 1e-50}
    it.body("a", mass=1e-50, com=[1e-50, 0, 0], inertia=solid)
    ends = {"parent": "ground", "child": "a", "point": [0, 0, 0], "point2": [1e-50, 0, 0]}
    it.constraint("rod", "distance", **ends)
    with pytest.raises(MbdFmuError, match="cannot be followed with tolerance"):
        simulate(system_of(it.spec()), stop=1, step=0.5)


@pytest.mark.parametrize("command", ["show", "build", "simulate", "view"])
def test_commands_end_with_one_message_and_exit_code_1(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(MODEL % '"sin((-1)**0.5)"')
    assert main([command, "bad.toml"]) == 1
    assert capsys.readouterr().err == (
        f'mbd-fmu: bad.toml: 1 problem\n  body "rod", mass: "sin((-1)**0.5)" {NO_VALUE}\n'
    )
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]
