"""A linear system as files of other tools: NumPy's NPZ and MATLAB's MAT.

Names and units are lists of texts: in MATLAB, cell arrays, as ``ss(A, B, C, D)`` and its
``StateName`` take them.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from scipy.io import savemat

from mbd_fmu.analysis.linearization import Linearization

KINDS = ("states", "inputs", "outputs", "coordinates")


def npz_bytes(linear: Linearization) -> bytes:
    """Return an NPZ file: A, B, C, D, names, units, eigenvalues and mode shapes."""
    contents: dict[str, Any] = _numbers(linear)
    contents |= {key: np.array(values, dtype=str) for key, values in _texts(linear).items()}
    stream = BytesIO()
    np.savez_compressed(stream, **contents)
    return stream.getvalue()


def mat_bytes(linear: Linearization) -> bytes:
    """Return a MAT file, version 5, with the same."""
    cells = {key: np.array(values, dtype=object) for key, values in _texts(linear).items()}
    stream = BytesIO()
    savemat(stream, {**_numbers(linear), **cells}, do_compression=True, oned_as="column")
    return stream.getvalue()


def _numbers(linear: Linearization) -> dict[str, Any]:
    return {
        **{key: getattr(linear, key) for key in "ABCD"},
        "at": linear.values,
        "eigenvalues": linear.eigenvalues,
        "mode_shapes": linear.mode_shapes,
        "n_positions": linear.n_positions,
    }


def _texts(linear: Linearization) -> dict[str, list[str]]:
    found = {kind: [q.name for q in getattr(linear, kind)] for kind in KINDS}
    found |= {f"{kind}_units": [q.unit for q in getattr(linear, kind)] for kind in KINDS}
    return found
