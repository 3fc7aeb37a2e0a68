"""Tables of other tools as they are written; the numbers stand in the text beside them."""

import numpy as np
import pytest

from mbd_fmu.errors import DataError
from mbd_fmu.signals.any_table import read_any_table

TIME, X = [0.0, 0.5, 1.0], [1.5, 2.0, -3.25]


def read(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_any_table(path)


@pytest.mark.parametrize(
    "text",
    [
        "time,x\n0,1.5\n0.5,2\n1,-3.25\n",
        "\ufeffTime,x\r\n0,1.5\r\n0.5,2\r\n1,-3.25\r\n",
        "x,t\n1.5,0\n2,0.5\n-3.25,1\n",
        "time [s];x\n0;1,5\n0,5;2\n1;-3,25\n",
        "t (ms)\tx\n0\t1.5\n500\t2\n1000\t-3.25\n",
        "# made by a tool; 2 columns, all good\n#\ntime,x\n0,1.5\n0.5,2\n1,-3.25\n",
        "# time, x\n0,1.5\n0.5,2\n1,-3.25\n",
        "time,x,\n0,1.5,\n\n0.5,2,\n1,-3.25,\n",
        "time,x\n0,1.5\n0.5,9\n0.5,2\n1,-3.25\n",
    ],
)
def test_one_table_in_the_ways_of_many_tools(text, tmp_path):
    found = read(tmp_path, text)
    assert found.trajectory.names == ("x",)
    assert found.trajectory.time.tolist() == TIME
    assert found.trajectory.column("x").tolist() == X
    assert not found.left_out


def test_units_stand_apart_and_indices_stay(tmp_path):
    head = 'time [s],"v (m/s)",force[3],"R[1,2]",der(q),a [m],a [mm],w[rad/s],\n'
    found = read(tmp_path, head + "0,1,2,3,4,5,6,7,\n1,1,2,3,4,5,6,7,\n")
    names = ("v", "force[3]", "R[1,2]", "der(q)", "a [m]", "a [mm]", "w")
    assert found.trajectory.names == names
    assert found.units == {"v": "m/s", "a [m]": "m", "a [mm]": "mm", "w": "rad/s"}


def test_gaps_stay_gaps_and_columns_of_text_are_told(tmp_path):
    text = "time,x,state,y,none\n0,1,open,nan,\n1,,shut,2,\n2,3,open,NaN,\n3,4,open,inf,\n"
    found = read(tmp_path, text)
    assert found.trajectory.names == ("x", "y")
    gaps = [[1, np.nan], [np.nan, 2], [3, np.nan], [4, np.nan]]
    assert np.array_equal(found.trajectory.values, gaps, equal_nan=True)
    assert found.left_out == (
        'column "state" is "open" in row 2',
        'column "none" is "" in all rows',
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n", "no column of time among a, b"),
        ("time,x\n", "no data"),
        ("", "no data"),
        ("time,x\n0,1\n1\n", "row 3: 1 values for 2 columns"),
        ("time,x\n0,1\n1,2,3\n", "row 3: 3 values for 2 columns"),
        ("time,x\n0,1\n,2\n", "row 3: there is no time"),
        ("time,x\n0,1\nnoon,2\n", 'time is "noon" in row 3'),
        ("time,x\n1,1\n0,2\n", "row 3: time goes back"),
        ("time,x,x\n1,1,1\n", "columns stand twice: x"),
        ("time [days],x\n1,1\n", "none of s, sec, ms, us, min, h"),
        ("time,x\n0,1\n".encode("utf-16"), "not UTF-8"),
        ('time,x\n0,"1\n', "is a quote open"),
    ],
)
def test_what_cannot_be_understood_is_refused(text, told, tmp_path):
    with pytest.raises(DataError, match=told):
        read(tmp_path, text)
