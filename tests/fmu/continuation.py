"""Runs that are interrupted: the program of the other process.

``python -m tests.fmu.continuation points <fmu> <folder> <file>`` takes up each state in the file
and prints a digest of what follows; ``... cycles <fmu> <folder> <n>`` makes, steps and frees
instances and prints the memory in use, in bytes, on the way.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import random
import sys
from pathlib import Path

from tests.fmu.cases import STEP, take_up, written
from tests.fmu.ctypes_fmu import OK, Instance, Library, Recorder


def disturbed(instance: Instance, chance: random.Random, tunable: tuple[str, float, float]) -> None:
    """Set an input or two, rates and now and then the parameter."""
    inputs = [n for n in instance.library.names("input") if ".quat." not in n and n != "a.q"]
    for name in chance.sample(inputs, min(2, len(inputs))):
        assert instance.set({name: chance.uniform(-0.5, 0.5)}) == OK
        assert instance.set_rates({name: chance.uniform(-1.0, 1.0)}) == OK
    if chance.random() < 0.3:
        name, low, high = tunable
        assert instance.set({name: chance.uniform(low, high)}) == OK


def followed(instance: Instance, seed: int, tunable: tuple[str, float, float]) -> str:
    """Return a digest of the bits of all variables over the next steps."""
    chance, digest = random.Random(seed), hashlib.sha256()
    for k in range(5):
        if k:
            disturbed(instance, chance, tunable)
        length = chance.choice((STEP, 0.0037, 0.02))
        assert instance.step(instance.last_time(), length) == OK, instance.recorder.texts()
        digest.update(instance.everything())
    digest.update(written(instance))
    return digest.hexdigest()


def points(fmu: str, folder: str, file: str) -> None:
    library = Library(Path(fmu), Path(folder))
    instance = Instance(library).start()  # one for all: nothing of it may shine through
    for point in json.loads(Path(file).read_text(encoding="utf-8")):
        take_up(instance, bytes.fromhex(point["state"]))
        print(followed(instance, point["seed"], point["tunable"]))


def memory() -> int:
    """Return the bytes this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def cycles(fmu: str, folder: str, n: str) -> None:
    library, recorder = Library(Path(fmu), Path(folder)), Recorder()
    c = library.c
    state, size = ctypes.c_void_p(), ctypes.c_size_t()
    text = ctypes.create_string_buffer(100_000)
    for k in range(int(n)):
        if k % (int(n) // 10) == 0:
            print(memory())
        it = library.instantiate(recorder)
        assert c.fmi2EnterInitializationMode(it) == OK
        assert c.fmi2ExitInitializationMode(it) == OK
        assert c.fmi2DoStep(it, 0.0, STEP, 1) == OK
        assert c.fmi2GetFMUstate(it, ctypes.byref(state)) == OK
        assert c.fmi2SerializedFMUstateSize(it, state, ctypes.byref(size)) == OK
        assert c.fmi2SerializeFMUstate(it, state, text, size.value) == OK
        assert c.fmi2DeSerializeFMUstate(it, text, size.value, ctypes.byref(state)) == OK
        assert c.fmi2SetFMUstate(it, state) == OK
        assert c.fmi2FreeFMUstate(it, ctypes.byref(state)) == OK
        c.fmi2FreeInstance(it)
    print(memory())


if __name__ == "__main__":
    {"points": points, "cycles": cycles}[sys.argv[1]](*sys.argv[2:])
