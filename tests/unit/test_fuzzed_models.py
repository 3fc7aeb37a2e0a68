"""Models of the library spoilt at random: each is told what is wrong with it, or works.

Never a traceback, never a warning of NumPy (warnings are errors here), never a wait.
"""

import copy
import random
import re
import time
import tomllib

import pytest

from mbd_fmu.analysis.checks import refuse_unusable
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import read_model, spec_of_table
from mbd_fmu.summaries.mechanism import drawn, facts
from mbd_fmu.system.system import system_of

SMALL = (
    *("cart_pole", "chain", "chaplygin_sleigh", "double_pendulum_moving_base", "five_bar"),
    *("flyball_governor", "four_bar", "free_top_symmetric", "gyroscope", "heavy_top"),
    *("kepler_orbit", "pendulum", "quarter_car", "rolling_disc", "scara", "slider_crank"),
    *("spatial_slider_crank", "spherical_pendulum", "three_masses_star", "wheel_set"),
)
NUMBERS = (
    *(0, -1, 1, 1e-9, -1e6, 1e12, 1e49, -1e50, 1e51, 1e-49, 1e-60, 1e200, 1e308, 1e-308),
    *(float("inf"), float("nan"), -0.0, 10**400, 3.0, 2**70),
)
VALUES = (
    *NUMBERS,
    *("", "ground", "1/0", "L", "m*-1", "(-1)**0.5", "9**9**9", "log(0)", "sin", "x" * 300),
    *("revolute", "free", "spherical", "translational", "point", "motion", "none", "rigid"),
    *(True, [], {}, [0, 0, 0], [0, 0, 1], [1e49, 1e49, 0], [1] * 7, [[1, 0, 0]] * 3, {"a": {}}),
    *({"shape": "point"}, {"shape": "rod", "length": 0}, {"shape": "sphere", "radius": 1e25}),
)
LETTERS = "\"'[]{}=.,#-_\n\t 0e9ax\\\x00\u00fc\U0001f600"


def places(value, path=()):
    """Every place in a nested table."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def spoilt_table(table, rng):
    """A table with up to three values changed, taken out, renamed or doubled."""
    table = copy.deepcopy(table)
    for _ in range(rng.randint(1, 3)):
        path = rng.choice(list(places(table)))
        target = table
        for key in path[:-1]:
            target = target[key]
        way = rng.randrange(6)
        if way == 0:
            del target[path[-1]]
        elif way == 1 and isinstance(target, list):
            target.append(copy.deepcopy(target[path[-1]]))
        elif way == 2 and isinstance(target, dict):
            target[path[-1] + "x"] = target.pop(path[-1])
        elif isinstance(target[path[-1]], int | float) and way < 5:
            target[path[-1]] = rng.choice(NUMBERS)
        else:
            target[path[-1]] = copy.deepcopy(rng.choice(VALUES))
    return table


def spoilt_text(text, rng):
    """A text with letters or lines changed, or its numbers."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        way = rng.randrange(4)
        if way == 0:
            text = text[:at] + rng.choice(LETTERS) + text[at + rng.randint(0, 3) :]
        elif way == 1:
            lines = text.splitlines(keepends=True)
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = "".join(lines)
        elif way == 2:
            lines = text.splitlines(keepends=True)
            del lines[rng.randrange(len(lines))]
            text = "".join(lines) or " "
        else:
            number = rng.choice(list(re.finditer(r"\d[\d.]*", text)))
            text = text[: number.start()] + f"{rng.choice(NUMBERS)}" + text[number.end() :]
    return text


def look(read):
    """Read a model and look at it as ``show`` and ``build`` do; return what is said against it."""
    said = ""
    began = time.process_time()
    try:
        spec = read()
        assert time.process_time() - began < 1.0
        drawn(spec)
        facts(spec)
        refuse_unusable(system_of(spec))
    except MbdFmuError as error:
        said = str(error)
    # start values far off are looked for a fit with care, by each of the three
    assert time.process_time() - began < 10.0
    assert all(len(line) < 2000 for line in said.splitlines())
    return not said


def fuzz(seed, count, tmp_path):
    rng = random.Random(seed)
    texts = [(library()[name] / "model.toml").read_text(encoding="utf-8") for name in SMALL]
    path, worked = tmp_path / "model.toml", 0
    for n in range(count):
        text = rng.choice(texts)
        if n % 2:
            path.write_text(spoilt_text(text, rng), encoding="utf-8")
            worked += look(lambda: read_model(path))
        else:
            table = spoilt_table(tomllib.loads(text), rng)
            worked += look(lambda table=table: spec_of_table(table, "fuzzed"))
    assert 0 < worked < count  # both ways out are tried


def test_spoilt_models_are_told_what_is_wrong_or_work(tmp_path):
    fuzz(1, 120, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 16))
def test_thousands_of_spoilt_models_are_told_what_is_wrong_or_work(seed, tmp_path):
    fuzz(seed, 500, tmp_path)
