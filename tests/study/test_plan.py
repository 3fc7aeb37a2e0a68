"""Cases of a study: products, tables, samples; and all that is wrong with them at once."""

from itertools import product

import numpy as np
import pytest

from mbd_fmu.errors import DataError, SpecError
from mbd_fmu.study.plan import MOST, Sampling, read_plan
from mbd_fmu.system.variable import Variable

KNOWN = [Variable(n, "parameter", "1", "") for n in ("k", "c", "m")]
KNOWN += [Variable("L", "parameter", "m", "", min=0.1, max=2.0)]


def plan(*settings, table=None, sampling=None):
    return read_plan(settings, table, sampling, KNOWN)


def test_cases_are_the_product_of_all_axes_and_the_first_changes_most_slowly(tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text("m,L\n1,0.5\n2,0.25\n")
    found = plan("k=1:3:3", "c=5,7", table=table)
    assert found.names == ("m", "L", "k", "c")
    expected = [(*ml, k, c) for ml, k, c in product([(1, 0.5), (2, 0.25)], [1, 2, 3], [5, 7])]
    assert found.values.tolist() == [list(row) for row in expected]


def test_a_grid_holds_both_ends_and_a_single_value_is_a_constant():
    found = plan("k=1e4:1e5:50", "c=3")
    assert found.values[0].tolist() == [1e4, 3]
    assert found.values[-1].tolist() == [1e5, 3]
    assert np.ptp(np.diff(found.values[:, 0])) < 1e-10  # rounding of numbers up to 1e5


def test_a_latin_hypercube_meets_each_of_n_parts_of_each_range_once():
    n = 40
    found = plan("k=10:20", "c=1,2", "L=0.5:1.5", sampling=Sampling(n, 1))
    assert found.names == ("c", "k", "L")
    assert len(found) == 2 * n
    for name, low in (("k", 10.0), ("L", 0.5)):
        width = 10.0 if name == "k" else 1.0
        column = found.values[:n, found.names.index(name)]
        parts = np.floor((column - low) / width * n).astype(int)
        assert sorted(parts) == list(range(n))


def test_a_seed_gives_the_same_sample_and_another_seed_another():
    first, again, other = (plan("k=0:1", sampling=Sampling(8, s)).values for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("settings", "sampling", "told"),
    [
        (["kk=1:2:3"], None, 'no parameter or input "kk"; did you mean "k"?'),
        (["k"], None, "--set k: no name and value"),
        (["=3"], None, "no name and value"),
        (["k=1:2:x"], None, 'k=1:2:x: "1:2:x" is no number'),
        (["k=1:2:3:4"], None, "is no number, list or range"),
        (["k=1_000"], None, '"1_000" is no number, list or range'),
        (["k=1:2_0:3"], None, '"1:2_0:3" is no number, list or range'),
        (["k=1:2:0"], None, "0 values"),
        (["k=1,,2"], None, "is no number"),
        (["k=1:2"], None, "a range without a number of values; say how many"),
        (["k=1,2", "k=3"], None, '"k" was given already, by --set k=1,2'),
        (["k=nan"], None, '"k" is not finite'),
        (["L=0:3:4"], None, '"L" = 0 is outside its bounds, and 1 more; it goes from 0.1 to 2'),
        (["L=1:3"], Sampling(9, 0), '"L" = 3 is outside its bounds'),
        (["k=1:2:3"], Sampling(9, 0), "no range to take from"),
        (["k=2:1"], Sampling(9, 0), "a range that is empty"),
        (["k=0:1:1000", "c=0:1:1001"], None, "1,001,000; at most"),
        ([], None, "cases: none; give --set or --cases"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told(settings, sampling, told):
    with pytest.raises(SpecError) as error:
        plan(*settings, sampling=sampling)
    assert told in str(error.value)


def test_all_that_is_wrong_is_told_at_once(tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text("m,x\n1,2\n")
    with pytest.raises(SpecError) as error:
        plan("kk=1", "c=a", "L=5", "m=2", table=table)
    assert len(error.value.problems) == 5


@pytest.mark.parametrize(
    "text",
    ["k;c\n1,5;2\n3;-4e-1\n", "k\tc\n1.5\t2\n3\t-0.4\n", "# a plan\nk, c,\n1.5, 2,\n3,-0.4,\n"],
)
def test_a_table_of_cases_is_separated_as_tables_that_are_drawn(text, tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text(text)
    found = plan(table=table)
    assert found.names == ("k", "c")
    assert found.values.tolist() == [[1.5, 2.0], [3.0, -0.4]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("k,c\n1,\n", 'row 2, column "c": "" is no finite number'),
        ("k;c\n1;2\n1_0;2\n", 'row 3, column "k": "1_0" is no finite number'),
        ("k;c\n1\n", "row 2: 1 values for 2 columns, separated by ';'"),
        ("k,k\n1,2\n", "columns stand twice: k"),
        ("k\ninf\n", '"inf" is no finite number'),
    ],
)
def test_a_table_of_cases_has_a_number_in_every_place(text, told, tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text(text)
    with pytest.raises(DataError) as error:
        plan(table=table)
    assert told in str(error.value)


def test_the_most_cases_are_not_laid_out_before_they_are_counted():
    with pytest.raises(SpecError):
        plan(*(f"{n}=1:2:{MOST}" for n in ("k", "c", "m")))
