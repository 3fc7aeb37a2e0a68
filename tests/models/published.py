"""Trajectories that others published, held against ours within the deviation stated for them.

The reference cases state how far each published curve is from a solution of high accuracy. Ours
is within 1e-6 of range of that solution (the tests beside this one), so it must be as near to the
published curve as stated, and that much more.
"""

import numpy as np

from mbd_fmu.signals.csv_files import read_csv

OURS = 1e-6  # of range: what our own tests allow
ROUNDING = 1e-8  # rad, m, and their rates: what is zero but for the rounding of angles as printed
DIGITS = 1.05  # deviations of ADAMS are stated with two digits
ADAMS = {
    "position": "Pos",
    "velocity": "Vel",
    "quaternion": "Quat",
    "spin": "Avel",
    "force": "Rforce",
    "torque": "Rtorque",
}


def published(shared, folder, name):
    """A published table, or None where they are kept apart."""
    path = shared / "published" / folder / f"{name}.csv"
    return read_csv(path) if (shared / "published").is_dir() else None


def assert_near_dymola(shared, name, case, time, found):
    """``found``: all columns whose deviation is stated, as ours."""
    theirs = published(shared, "msl", name)
    if theirs is None:
        return
    stated = case["dev_dymola_vs_hiacc"]
    assert set(found) == set(stated)
    assert np.allclose(theirs.time, time, rtol=0, atol=1e-9)
    for column, ours in found.items():
        expected = theirs.column(column)
        deviation = stated[column]
        if isinstance(deviation, dict):
            deviation = deviation["max_abs"]
        allowed = deviation + OURS * np.ptp(expected) + ROUNDING
        assert np.abs(ours - expected).max() <= allowed, column


def assert_near_adams(shared, name, case, time, pairs):
    """``pairs``: vectors by what they are, ours first; accelerations are no outputs of ours."""
    theirs = published(shared, "adams_chrono", f"{name}_Case01")
    if theirs is None:
        return
    assert np.allclose(theirs.time, time, rtol=0, atol=1e-9)
    stated = dict(text.split() for text in case["dev_adams_vs_hiacc"])
    compared = 0
    for what, (ours, _) in pairs.items():
        key = ADAMS[what]
        letters = ("_e0", "_e1", "_e2", "_e3") if key == "Quat" else ("_x", "_y", "_z")
        # the torque of this case holds that of the spring, as the note in the JSON says
        if key + letters[0] not in theirs or (name, key) == ("RotSpring", "Rtorque"):
            continue
        expected = np.stack([theirs.column(key + letter) for letter in letters], axis=1)
        if key == "Quat":  # q and -q are one rotation
            expected = expected * np.sign(np.sum(ours * expected, axis=1))[:, None]
        deviation, size = map(float, stated[key].split("/"))
        allowed = DIGITS * deviation + OURS * size + ROUNDING
        assert np.abs(ours - expected).max() <= allowed, key
        compared += 1
    assert compared >= 4
