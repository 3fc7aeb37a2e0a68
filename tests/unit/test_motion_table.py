"""Poses and reactions out of tables, whoever wrote them."""

import base64
import json

import numpy as np
import pytest

from mbd_fmu.errors import DataError
from mbd_fmu.signals.csv_files import parse_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.system.result_columns import POSE, REACTION
from mbd_fmu.system.variables import flat_name
from mbd_fmu.viewer.motion import MOST_ROWS, motion_of

SCENE = {"bodies": [{"name": "rod"}, {"name": "bob"}], "joints": [{"name": "pin"}], "loads": []}


def table(names, n=3):
    values = np.arange(n * len(names), dtype=float).reshape(n, -1)
    return Trajectory(np.linspace(0.0, 1.0, n), tuple(names), values)


def names_of(*bodies, spell="{}.{}"):
    return [spell.format(body, part) for body in bodies for part in POSE]


@pytest.mark.parametrize(
    "prefix", ["", "model.root.arm.", "arm."], ids=["ours", "OMSimulator", "Modelica"]
)
@pytest.mark.parametrize("spell", [str, flat_name], ids=["structured", "flat"])
def test_poses_are_found_behind_the_name_of_an_instance(spell, prefix):
    result = table([f"{prefix}{spell(name)}" for name in names_of("rod", "bob")])
    motion = motion_of(SCENE, result)
    assert np.array_equal(motion.poses["rod"], result.values[:, :7])
    assert np.array_equal(motion.poses["bob"], result.values[:, 7:])
    assert motion.reactions == {}


def test_reactions_come_along_where_the_table_has_them():
    result = table([*names_of("rod", "bob"), *(f"pin.{part}" for part in REACTION)])
    assert np.array_equal(motion_of(SCENE, result).reactions["pin"], result.values[:, 14:])


def test_bodies_without_a_pose_are_named_with_the_remedy():
    with pytest.raises(
        DataError, match=r"no pose of bob; the columns rod.r.x .* output group poses"
    ):
        motion_of(SCENE, table(names_of("rod")))


def test_the_pose_of_a_moving_base_comes_from_the_inputs():
    result = table(names_of("rod", "bob"))
    inputs = table(names_of("base"), n=2)
    base = motion_of(SCENE, result, inputs).poses["base"]
    assert np.array_equal(base[1], inputs.values.mean(axis=0))
    assert "base" not in motion_of(SCENE, result).poses


def test_long_results_are_thinned_and_keep_their_ends():
    result = table(names_of("rod", "bob"), n=2 * MOST_ROWS + 2)
    written = json.loads(motion_of(SCENE, result).to_json())
    time = np.frombuffer(base64.b64decode(written["time"]), "<f8")
    assert len(time) <= MOST_ROWS + 1
    assert (time[0], time[-1]) == (0.0, 1.0)
    assert len(base64.b64decode(written["poses"]["rod"])) == 8 * 7 * len(time)


def test_a_time_that_stands_again_counts_once_where_that_is_allowed():
    data = b"time,a\n0,1\n1,2\n1,3\n2,4\n"
    assert parse_csv(data, "x.csv", repeats="last").values[:, 0].tolist() == [1.0, 3.0, 4.0]
    with pytest.raises(DataError, match="row 4: time does not ascend"):
        parse_csv(data, "x.csv")
    with pytest.raises(DataError, match="row 4: time does not ascend"):
        parse_csv(b"time,a\n0,1\n1,2\n0.5,3\n", "x.csv", repeats="last")
