"""States that no instance was ever in, with a checksum that is right; in a process of their own.

``python -m tests.fmu.forgery <case> <fmu> <folder>`` puts wrong numbers into every place of a state
and prints, as JSON, how many were refused and how many were taken up and followed.
"""

from __future__ import annotations

import json
import math
import struct
import sys
from ctypes import byref, c_void_p
from pathlib import Path

import numpy as np

from tests.fmu.cases import CASES, STEP, prepared, take_up, written
from tests.fmu.ctypes_fmu import ERROR, OK, Instance, Library, reals

NUMBERS = (math.nan, math.inf, -1.0, 1e300, 0.5)
WORD = 8


def first_number(guid: str) -> int:
    """Where the numbers begin: behind four words and the model."""
    return 4 * WORD + len(guid) + 1


def sealed(text: bytes) -> bytes:
    """Return a state with the checksum made right: FNV-1a of 64 bits over all but itself."""
    total = 14695981039346656037
    for byte in text[:24] + text[32:]:
        total = (total ^ byte) * 1099511628211 % 2**64
    return text[:24] + total.to_bytes(WORD, "little") + text[32:]


def forged(text: bytes, place: int, value: float) -> bytes:
    """Return a state with another number at a place."""
    return sealed(text[:place] + struct.pack("<d", value) + text[place + WORD :])


def refused(instance: Instance, text: bytes) -> bool:
    """Read a state and take it up, or be told why not."""
    state = c_void_p()
    status = instance.call("fmi2DeSerializeFMUstate", text, len(text), byref(state))
    if status == OK:
        assert instance.call("fmi2SetFMUstate", state) == OK
        assert instance.call("fmi2FreeFMUstate", byref(state)) == OK
        return False
    assert status == ERROR
    assert state.value is None, "a state was made of what was refused"
    assert "made up" in instance.recorder.texts()[-1]
    return True


def follow(instance: Instance) -> None:
    """Go on: what is handed out is finite, and what fails leaves no trace."""
    names = list(instance.library.reference)
    values = reals([0.0] * len(names))
    if instance.call("fmi2GetReal", instance.references(names), len(names), values) == OK:
        assert np.isfinite(list(values)).all()
    time = reals([0.0])
    if instance.call("fmi2GetRealStatus", 2, time) == OK:
        before = written(instance)
        if instance.step(time[0], STEP) == ERROR:
            instance.set_rates(dict.fromkeys(instance.library.names("input"), 0.0))
            after = written(instance)
            twin = Instance(instance.library)
            assert not refused(twin, before)
            twin.set_rates(dict.fromkeys(twin.library.names("input"), 0.0))
            assert written(twin) == after, "a step that failed left a trace"
            twin.free()


def main(name: str, fmu: str, folder: str) -> None:
    case, library = CASES[name], Library(Path(fmu), Path(folder))
    counts = {"refused": 0, "followed": 0}
    instance = prepared(case, library, "stepping")
    own = written(instance)
    for mode in ("initialization", "stepping"):
        text = written(prepared(case, library, mode))
        for place in range(first_number(library.guid), len(text), WORD):
            for value in NUMBERS:
                if refused(instance, forged(text, place, value)):
                    counts["refused"] += 1
                    assert written(instance) == own, "what was refused left a trace"
                    continue
                counts["followed"] += 1
                # only the stop time, the last but one, may be infinite
                is_stop_time = place == len(text) - 2 * WORD
                assert math.isfinite(value) or (is_stop_time and value > 0), place
                follow(instance)
                take_up(instance, own)
    print(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
