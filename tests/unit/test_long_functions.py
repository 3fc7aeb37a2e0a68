"""Long routines and kernels are cut into parts, in C: whatever these hand to each other."""

from __future__ import annotations

import ctypes
import math

import pytest

from mbd_fmu.export import c_functions
from mbd_fmu.export.c_functions import straight_functions, straight_memory
from mbd_fmu.export.c_kernels import KernelCode, layout_of, placed
from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.program import Call, Kernels, Operation, Program, Value

X = (1.5, -0.25, 3.0)
N = 2  # operations in one part
# x_k, then results; each pair of lines is a part
SOME_SHARE = (
    *(Operation("add", (0, 1)), Operation("mul", (3, 3))),
    *(Operation("sub", (1, 2)), Operation("neg", (5,))),  # takes nothing of others, and hands none
    *(Operation("mul", (4, 2)), Operation("sq", (7,))),
)
NONE_SHARES = (*SOME_SHARE[:4], Operation("mul", (2, 2)), Operation("sq", (7,)))
PARTS = {
    "some share": (SOME_SHARE, ((X[0] + X[1]) ** 2 * X[2]) ** 2),
    "none shares": (NONE_SHARES, X[2] ** 4),
}


def program(operations):
    kernels = Kernels()
    kernel = kernels.kernel(3, 0, operations, (4, 6, 8))
    source = {k: ("x", k) for k in range(3)}
    call = Call(kernel, (0, 1, 2), (), (3, 4, 5))
    return Program("f", (("x", 3),), source, (call,), {"y": tuple(map(Value, (3, 4, 5)))})


def compiled(functions, tmp_path):
    """Return a library in which all functions are seen."""
    sight = '#define OPEN __attribute__((visibility("default")))\n'
    text = sight + "\n".join(f"OPEN {f.head};\n{f.text}" for f in functions)
    path = tmp_path / "functions.so"
    path.write_bytes(compile_library({"functions.c": text}, host_platform()))
    return ctypes.CDLL(str(path))


@pytest.mark.parametrize("memory_is_lent", [False, True])
@pytest.mark.parametrize("case", PARTS)
def test_a_part_of_a_routine_may_share_nothing(case, memory_is_lent, tmp_path, monkeypatch):
    monkeypatch.setattr(c_functions, "CHUNK", N)
    if memory_is_lent:
        monkeypatch.setattr(c_functions, "FEW", 0)
    operations, last = PARTS[case]
    routine = program(operations)
    functions = straight_functions(routine)
    assert len(functions) == 1 + len(operations) // N
    library = compiled(functions, tmp_path)
    x, y = (ctypes.c_double * 3)(*X), (ctypes.c_double * 3)()
    library.model_f(x, y, (ctypes.c_double * (1 + straight_memory(routine)))())
    assert list(y) == [(X[0] + X[1]) ** 2, X[2] - X[1], last]


@pytest.mark.parametrize("case", PARTS)
def test_a_part_of_a_kernel_may_share_nothing(case, tmp_path, monkeypatch):
    monkeypatch.setattr(c_functions, "CHUNK", N)
    operations, last = PARTS[case]
    routine = program(operations)
    code = KernelCode()
    functions = code.functions(routine)
    assert len(functions) == 1 + len(operations) // N
    library = compiled(functions, tmp_path)
    code.routine(routine)  # tells how much memory it takes
    layout = layout_of(routine)
    _, places = placed(routine.calls[0], layout)
    memory = (ctypes.c_double * max(code.memory, 1))(*X, *[math.nan] * (code.memory - len(X)))
    library.model_kernel_0(1, (ctypes.c_int * len(places))(*places), None, memory)
    found = [memory[layout.place[n]] for n in (3, 4, 5)]
    assert found == [(X[0] + X[1]) ** 2, X[2] - X[1], last]
