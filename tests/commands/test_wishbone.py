"""The corner of docs/wishbone.md on another road: rods of constant length, energies, no names."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import mbd_fmu
from mbd_fmu import run_batch
from mbd_fmu.analysis.equilibrium import equilibrium
from mbd_fmu.analysis.modes import modes
from mbd_fmu.model.reader import spec_of_table
from mbd_fmu.system.system import system_of
from tests.laid_out import WIDTH, laid_out
from tests.wishbone import Corner
from tests.written_out import written_out

PAGE = (Path(mbd_fmu.__file__).parent / "docs" / "wishbone.md").read_text(encoding="utf-8")
TEXT = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
TABLE = tomllib.loads(TEXT)
ANSWERS = ("camber", "toe", "spring.length")


@pytest.fixture(scope="module")
def spec():
    return spec_of_table(TABLE, "wishbone.md")


def corner(**moved):
    return Corner({name: p["value"] for name, p in TABLE["parameters"].items()} | moved)


def table_of(columns):
    """Return the rows of the page's table with as many numbers."""
    row = rf"^ *[\d.]+(?: +-?[\d.]+){{{columns - 1}}}$"
    return np.array([line.split() for line in re.findall(row, PAGE, re.MULTILINE)], dtype=float)


def test_camber_toe_and_strut_are_those_of_rods_of_constant_length(spec):
    heights = [0.22, 0.24, 0.26]
    lifted = {"tie_inner[3]": heights, "heave.q_start": 0.06, "damping": 0, "bump": 0}
    found = run_batch(spec, lifted, stop=0.6, step=0.05, outputs=["travel", *ANSWERS])
    assert not found.failed
    assert np.ptp(found.column("travel"), axis=1).min() > 0.11
    for k, height in enumerate(heights):
        other, run = corner(tie_inner=[-0.12, 0.4, height]), found.case(k)
        for row, travel in enumerate(run.column("travel")):
            ours = [run.column(name)[row] for name in ANSWERS]
            expected = [*other.angles(travel), other.strut(travel)]
            assert ours == pytest.approx(expected, rel=0, abs=1e-12)


def test_the_preload_is_what_virtual_work_says(spec):
    rest = equilibrium(system_of(spec), hold=["heave.q"], solve=["preload"])
    # central differences over 2 x 0.3 mm
    assert rest.solved["preload"] == pytest.approx(corner().preload(), rel=1e-6)


@pytest.mark.parametrize("rate", [30e3, 120e3])
def test_the_ride_frequency_is_that_of_the_energies(rate, spec):
    other = corner(spring_rate=rate)
    preload = other.preload()
    settings = {"spring_rate": rate, "preload": preload}
    (mode,) = modes(system_of(spec), settings=settings).undamped
    # second differences over 0.3 mm
    assert mode.frequency == pytest.approx(other.ride(preload), rel=1e-6)


def test_the_page_has_the_ride_frequencies_of_the_energies():
    found = table_of(8)
    assert len(found) == 8
    for rate, _, _, frequency, *_ in found:
        other = corner(spring_rate=1e3 * rate)
        # the rate is told with four digits, the swing is 2 mm
        assert frequency == pytest.approx(other.ride(other.preload()), rel=1e-4)


def test_the_page_has_toe_and_camber_of_rods_of_constant_length():
    found = table_of(5)
    assert len(found) == 8
    for height, *angles in found:
        other = corner(tie_inner=[-0.12, 0.4, 1e-3 * height])
        (out, toe_out), (up, toe_in) = other.angles(-0.05), other.angles(0.05)
        expected = np.degrees([toe_out, toe_in, out, up])
        # three digits, and 0.005 mm of height, which are 0.0004 degrees
        assert angles == pytest.approx(expected, rel=0, abs=1.1e-3)


def test_without_names_it_moves_to_the_same_bits(spec):
    table = written_out(TABLE)
    assert "points" not in table
    assert all(isinstance(p["value"], (int, float)) for p in table["parameters"].values())
    plain = spec_of_table(table, "without names")
    moved = {"tie_inner[3]": [0.23, 0.25], "lower_front[2]": [0.36, 0.37], "wheel[1]": [0, 0.01]}
    flat = {re.sub(r"\[(\d)\]", r"_\1", name): values for name, values in moved.items()}
    asked = {"stop": 0.5, "step": 0.05, "outputs": ["travel", "heave.q", *ANSWERS]}
    named, other = run_batch(spec, moved, **asked), run_batch(plain, flat, **asked)
    assert not named.failed
    np.testing.assert_array_equal(named.values, other.values)
    assert np.ptp(named.values, axis=0).max() > 1e-3


def test_the_rule_that_lays_models_out_keeps_what_they_say():
    for table in (TABLE, written_out(TABLE)):
        lines = laid_out(table)
        assert tomllib.loads("\n".join(lines)) == table
        assert max(map(len, lines)) <= WIDTH
        assert all(lines)


def test_the_page_is_laid_out_by_the_rule():
    """But for zeros at the ends of numbers, and empty lines."""
    said = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
    assert len(said) == len(laid_out(TABLE))
    assert max(map(len, said)) <= WIDTH


def test_names_halve_the_lines_as_the_page_says():
    named, plain = laid_out(TABLE), laid_out(written_out(TABLE))
    assert 2 * len(named) <= len(plain)
    (shown,) = re.findall(r"^```\n(\".*?)\n```$", PAGE, re.MULTILINE)
    assert f"    {shown}," in plain
    assert f"| lines | {len(named)} | {len(plain)} |" in PAGE
    for width, text in (
        (80, "with 80 signs it is {} against {}"),
        (120, "with 120 it is {} against {}"),
    ):
        lengths = (len(laid_out(table, width)) for table in (TABLE, written_out(TABLE)))
        assert text.format(*lengths) in PAGE
    signs = (len("\n".join(lines)) + 1 for lines in (named, plain))
    assert "| signs | {} | {} |".format(*signs) in PAGE
    hard = [p for p in TABLE["parameters"].values() if isinstance(p["value"], list)]
    follows = [p for p in TABLE["parameters"].values() if isinstance(p["value"], str)]
    n = len(follows) + len(TABLE["points"])
    assert f"Of the {len(named)} lines, {len(hard)} declare hard points and {n} what" in PAGE
    typed = len(named) - len(hard) - n - 1  # the heading of points, too
    assert f"{typed} lines would do" in PAGE


def test_without_names_nothing_is_left_out_that_names_say():
    plain = written_out(TABLE)
    tie_rod, spring = plain["constraint"][0], plain["force"][0]
    assert (tie_rod["parent"], tie_rod["child"]) == ("chassis", "upright")
    assert (spring["parent"], spring["child"]) == ("chassis", "lower_arm")
    assert plain["output"][0]["point"][0]["body"] == "upright"
    assert not any("body" in parameter for parameter in plain["parameters"].values())
