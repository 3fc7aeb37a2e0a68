"""Tables over time: reading, writing, looking up, and what is wrong with them."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from mbd_fmu.errors import DataError
from mbd_fmu.signals.csv_files import parse_csv, read_csv, write_csv
from mbd_fmu.signals.schedule import communication_points, merged_times, schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns

law = settings(derandomize=True, deadline=None)
RAMP = Trajectory(np.array([0.0, 1.0, 3.0]), ("a", "b"), np.array([[0, 9], [10, 8], [30, 6.0]]))


def csv(tmp_path, text, **encoding):
    path = tmp_path / "table.csv"
    path.write_text(text, **({"encoding": "utf-8"} | encoding))
    return path


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("tables") / "table.csv"


@law
@given(values=arrays(float, (3, 2), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_a_table_reads_back_bit_by_bit(values, scratch):
    write_csv(scratch, Trajectory(np.array([0.0, 0.1, 0.1 + 0.2]), ("rod.r.x", "pin.q"), values))
    back = read_csv(scratch)
    assert back.names == ("rod.r.x", "pin.q")
    assert back.time.tolist() == [0.0, 0.1, 0.1 + 0.2]
    assert back.values.tobytes() == values.tobytes()


def test_names_are_trimmed_and_empty_lines_skipped(tmp_path):
    table = read_csv(csv(tmp_path, "Time, a ,b\n0,1,2\n\n1,3,4\n"))
    assert table.names == ("a", "b")
    assert table.values.tolist() == [[1, 2], [3, 4]]


def test_columns_are_found_by_name():
    assert RAMP.column("b").tolist() == [9, 8, 6]
    assert "a" in RAMP
    assert "c" not in RAMP


@pytest.mark.parametrize(
    ("t", "held", "on_lines"),
    [(-1, 0, 0), (0, 0, 0), (0.5, 0, 5), (1, 10, 10), (2, 10, 20), (3, 30, 30), (9, 30, 30)],
)
def test_between_rows_values_are_held_or_on_straight_lines(t, held, on_lines):
    assert RAMP.values[RAMP.row_at(t)][0] == held
    assert RAMP.interpolated(t)[0] == on_lines


def test_a_row_begins_at_its_time_also_when_the_time_is_rounded():
    times = np.array([0.0, 0.1, 0.2, 0.3])
    table = Trajectory(times, (), np.zeros((4, 0)))
    assert table.row_at(0.1 * 3) == 3
    assert table.row_at(0.3 - 1e-12) == 3
    assert table.row_at(0.29) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no data; give a header row and at least one row of numbers"),
        ("time,a\n", "no data; give a header row and at least one row of numbers"),
        ("t,a\n0,1\n", 'the first column is "t"; it must be "time"'),
        ("time,a,b,a,b\n0,1,2,3,4\n", "columns stand twice: a, b"),
    ],
)
def test_a_table_that_is_none_says_so(text, message, tmp_path):
    path = csv(tmp_path, text)
    with pytest.raises(DataError) as caught:
        read_csv(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,a\n0,1\n1\n", ", row 3: 1 values for 2 columns; mend the row or the header"),
        ("time,a\n0,x\n", ', row 2, column "a": "x" is no finite number; mend it'),
        ("time,a\n0,1\n1,nan\n", ', row 3, column "a": "nan" is no finite number; mend it'),
        ("time,a\n0,1\ninf,1\n", ', row 3, column "time": "inf" is no finite number; mend it'),
        (
            "time,a\n0,1\n1,1\n1,2\n",
            ", row 4: time does not ascend; sort the rows and remove doubles",
        ),
    ],
)
def test_a_wrong_row_is_named_with_its_number_in_the_file(text, message, tmp_path):
    path = csv(tmp_path, text)
    with pytest.raises(DataError) as caught:
        read_csv(path)
    assert str(caught.value) == f"{path}{message}"


WIDE = ",".join(["time", *(f"c{k}" for k in range(100_000)), "c7", *(f"c{k}" for k in range(20))])
STRANGE = {
    "no header": (b"0,1\n1,2\n", 'the first column is "0"; it must be "time"'),
    "a long first line": (b"x" * 90_000, "no data"),
    "a long name": (b"x" * 90_000 + b"\n0\n", f'the first column is "{"x" * 40}..."; it must'),
    "a long field": (b"time,a\n0," + b"1" * 131_073, "line 2: field larger than field limit"),
    "a long number": (b"time,a\n0," + b"x" * 90_000, f'"{"x" * 40}..." is no finite number'),
    "an open quote": (b'time,a\n0,"1\n' + b"1,2\n" * 50_000, "is a quote open"),
    "a number after a quote": (b'time,a\n0,"1"2x\n', '"12x" is no finite number'),
    "a row that is too long": (b"time,a\n0,1,2\n", "3 values for 2 columns"),
    "NUL": (b"time,a\n0,1\0\n", "holds NUL characters, as UTF-16 does; save it as UTF-8"),
    "UTF-16": ("time,a\n0,1\n".encode("utf-16"), "not UTF-8 at byte 0; save it as UTF-8"),
    "UTF-16 without a mark": ("time,a\n0,1\n".encode("utf-16-le"), "holds NUL characters"),
    "UTF-32": ("time,a\n0,1\n".encode("utf-32-be"), "NUL characters"),
    "Latin": ("time,ä\n0,1\n".encode("latin-1"), "not UTF-8 at byte 5"),
    "a spreadsheet": (b"PK\x03\x04" + bytes(50), "NUL characters"),
    "many columns twice": (WIDE.encode() + b"\n0", "stand twice: c0, c1, c10, c11, c12, c13, c14"),
    "times that overflow": (b"time,a\n1e308,1\n-1e308,2\n", "row 3: time does not ascend"),
}


@pytest.mark.parametrize("case", STRANGE)
def test_whatever_was_taken_for_a_table_is_one_short_message(case):
    data, message = STRANGE[case]
    with pytest.raises(DataError) as caught:
        parse_csv(data, "it.csv")
    assert str(caught.value).startswith("it.csv")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_mark_before_the_header_says_utf_8():
    assert parse_csv("time,a\n0,1\n".encode("utf-8-sig"), "it.csv").names == ("a",)


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_a_device_that_never_ends_is_not_read():
    with pytest.raises(DataError, match="/dev/zero: is a device, which may never end"):
        read_csv("/dev/zero")


def test_many_unknown_columns_are_told_in_short():
    wide = Trajectory(np.zeros(1), tuple(f"c{k}" for k in range(50_000)), np.zeros((1, 50_000)))
    with pytest.raises(DataError, match=r"no input named c0, c1, .* and 49990 more; the inputs"):
        check_columns("in.csv", wide, ["pin.tau"], "input")


def test_a_missing_table_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: cannot be read: No such file"):
        read_csv(tmp_path / "none.csv")


def test_columns_that_name_nothing_are_refused_with_those_that_do():
    check_columns("in.csv", RAMP, ["a", "b", "c"], "input")
    with pytest.raises(DataError) as caught:
        check_columns("in.csv", RAMP, ["pin.tau"], "input")
    assert str(caught.value) == "in.csv: no input named a, b; the inputs are: pin.tau"
    with pytest.raises(DataError, match="the inputs are: none"):
        check_columns("in.csv", RAMP, [], "input")


@law
@given(st.floats(-5, 5), st.floats(1e-3, 5), st.floats(0.01, 1))
def test_communication_points_are_steps_apart_and_end_at_the_stop(start, duration, step):
    times = communication_points(start, start + duration, step)
    gaps = np.diff(times)
    # Points are sums of numbers up to 10: rounding is 1e-15; a last gap below 1e-9 is left out.
    assert times[0] == start
    assert times[-1] == pytest.approx(start + duration, abs=2e-9 * step + 1e-14)
    assert_allclose(gaps[:-1], step, atol=1e-14)
    assert np.all(gaps > 0)
    assert np.all(gaps <= step * (1 + 1e-12) + 1e-14)


@pytest.mark.parametrize(
    ("stop", "step", "n"), [(1.0, 0.1, 11), (0.3, 0.1, 4), (10.0, 1e-3, 10001), (1.0, 0.3, 5)]
)
def test_a_step_that_divides_the_time_leaves_no_sliver_at_the_end(stop, step, n):
    assert len(communication_points(0.0, stop, step)) == n


def test_a_table_saved_by_a_spreadsheet_with_a_byte_order_mark_is_read(tmp_path):
    assert read_csv(csv(tmp_path, "time,a\n0,1\n", encoding="utf-8-sig")).names == ("a",)


def test_a_table_that_is_not_utf8_is_refused_in_words(tmp_path):
    path = csv(tmp_path, "time,größe\n0,1\n", encoding="latin-1")
    with pytest.raises(DataError) as caught:
        read_csv(path)
    assert str(caught.value) == f"{path}: not UTF-8 at byte 7; save it as UTF-8"


def test_empty_lines_count_in_the_number_of_a_wrong_row(tmp_path):
    with pytest.raises(DataError, match='row 4, column "a"'):
        read_csv(csv(tmp_path, "time,a\n0,1\n\n1,x\n"))
    with pytest.raises(DataError, match="row 5: time does not ascend"):
        read_csv(csv(tmp_path, "time,a\n\n0,1\n\n0,2\n"))


def test_the_rows_of_the_inputs_become_times_of_the_run_without_near_doubles():
    times = np.array([0.0, 0.3, 1.0])
    inputs = Trajectory(np.array([-1.0, 0.0, 0.1 + 0.2, 0.5, 2.0]), (), np.zeros((5, 0)))
    # 0.1 + 0.2 is 0.3 but for rounding: the time that was asked for stays.
    assert merged_times(times, inputs).tolist() == [0.0, 0.3, 0.5, 1.0]
    assert merged_times(times, None) is times


def test_held_inputs_are_set_when_a_row_begins_and_left_alone_between():
    points = list(schedule(np.array([0.0, 0.5, 2.0, 3.0]), RAMP, interpolate=False))
    assert [point.time for point in points] == [0, 0.5, 1, 2, 3]
    assert [None if p.values is None else p.values[0] for p in points] == [0, None, 10, None, 30]
    assert all(point.rates is None for point in points)
    assert [point.is_asked for point in points] == [True, True, False, True, True]
    assert [point.length for point in points] == [0.5, 0.5, 1.0, 1.0, None]


def test_interpolated_inputs_move_on_at_the_slope_of_their_line():
    first, *_, last = schedule(np.array([1.5, 2.0, 3.0]), RAMP, interpolate=True)
    assert_allclose(first.values, [15, 7.5], rtol=1e-15)
    assert_allclose(first.rates, [10, -1], rtol=1e-12)
    assert last.values.tolist() == [30, 6]
    assert last.rates is None


def test_a_run_without_inputs_has_the_points_it_was_asked_for():
    points = list(schedule(np.array([0.0, 1.0]), None, interpolate=False))
    assert [(p.time, p.length, p.values, p.rates) for p in points] == [
        (0.0, 1.0, None, None),
        (1.0, None, None, None),
    ]


def test_inputs_that_begin_after_the_run_are_refused_with_the_remedy():
    with pytest.raises(DataError) as caught:
        list(schedule(np.array([-0.5, 1.0]), RAMP, interpolate=False))
    assert str(caught.value) == "the inputs begin at 0 s, the run at -0.5 s; add a row there"


def test_a_jump_of_held_inputs_is_read_back_as_one_row():
    held = parse_csv(b"time,u\n0,1\n1,1\n1,2\n2,2\n2,3\n", "x.csv", repeats="held")
    assert held.time.tolist() == [0, 1, 2]
    assert held.column("u").tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (b"time,u\n0,1\n1,1.5\n1,2\n", 4),  # a slope before the jump: not held
        (b"time,u\n0,1\n0,2\n", 3),  # a jump with nothing before it
        (b"time,u\n0,1\n1,1\n1,2\n1,3\n", 5),  # twice a jump
    ],
)
def test_a_time_that_stands_twice_and_is_no_jump_of_held_inputs_is_refused(data, row):
    with pytest.raises(DataError, match=rf"x\.csv, row {row}: time does not ascend"):
        parse_csv(data, "x.csv", repeats="held")


@law
@given(st.integers(0, 10_000))
def test_merged_times_are_all_that_are_asked_for_and_rows_not_too_near_to_one(seed):
    rng = np.random.default_rng(seed)
    times = np.unique(rng.integers(0, 40, 12)) * 0.1
    rows = np.unique(np.concatenate([times + rng.choice([0, 1e-12, -1e-12, 0.03], len(times))]))
    merged = merged_times(times, Trajectory(rows, (), np.zeros((len(rows), 0))))
    assert set(times) <= set(merged)
    assert np.all(np.diff(merged) > 1e-9)
    inside = rows[(rows > times[0]) & (rows < times[-1])]
    assert all(np.abs(merged - row).min() < 1e-8 for row in inside)


def test_long_runs_with_long_tables_begin_at_once():
    """Half a million points each: by the square of that it would be hours."""
    times = np.arange(500_000) * 1e-3
    rows = Trajectory(times + 5e-4, (), np.zeros((len(times), 0)))
    assert len(merged_times(times, rows)) == 2 * len(times) - 1
