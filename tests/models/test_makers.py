"""The references of the models are what their makers make, here and anywhere."""

import numpy as np
import pytest

from mbd_fmu.model.library import library
from mbd_fmu.signals.csv_files import read_csv
from scripts.make_references import made

pytest.importorskip("pinocchio", reason="the engine behind many references is not installed")

SLOW = {"bricard", "flyball_governor", "slider_crank_ball"}  # some ten seconds each


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in sorted(library())],
)
def test_a_reference_is_what_its_maker_makes(name):
    for file, found in made(name).items():
        kept = read_csv(library()[name] / file)
        assert kept.names == found.names
        assert np.array_equal(kept.time, found.time)
        for column, one, other in zip(kept.names, kept.values.T, found.values.T, strict=True):
            # 1e-12 per row on any machine, errors grow along the motion; forces that are zero round
            assert np.abs(one - other).max() <= 1e-9 * np.abs(one).max() + 1e-11, column
