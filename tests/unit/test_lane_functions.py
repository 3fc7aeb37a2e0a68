"""Functions in lanes: in each one the bits that a double has alone, whatever is in the others."""

import ctypes

import numpy as np
import pytest

from mbd_fmu.export.compile import compile_library, host_platform
from mbd_fmu.export.runtime_files import whole_runtime, with_headers
from mbd_fmu.study.library import processor_lanes

ONE = ("tan", "asin", "acos", "atan", "exp", "log", "tanh")
IN_LANES = {
    **{f: f"lanes_{f}(x[i])" for f in ONE},
    **{f: f"lanes_sincos(x[i]).{f}" for f in ("sin", "cos")},
    **{f: f"lanes_{f}(x[i], y[i])" for f in ("atan2", "pow")},
    "sqrt": "root_of(x[i])",
    "fabs": "size_of(x[i])",
    "fmin": "lesser(x[i], y[i])",
    "fmax": "greater(x[i], y[i])",
    "sign": "lanes_sign(x[i])",
    "le": "lanes_le(x[i], y[i])",
}
ALONE = {
    **{f: f"own_{f}(x[i])" for f in ONE},
    **{f: f"own_sincos(x[i]).{f}" for f in ("sin", "cos")},
    **{f: f"own_{f}(x[i], y[i])" for f in ("atan2", "pow", "fmin", "fmax")},
    "sqrt": "sqrt(x[i])",
    "fabs": "fabs(x[i])",
    "sign": "(double)((x[i] > 0.0) - (x[i] < 0.0))",
    "le": "(double)(x[i] <= y[i])",
}


def loops(prefix, kind, calls):
    return "".join(
        f"""
__attribute__((visibility("default")))
void {prefix}_{f}(size_t n, const {kind} *x, const {kind} *y, {kind} *out)
{{
    (void)y;
    for (size_t i = 0; i < n; ++i) out[i] = {call};
}}
"""
        for f, call in calls.items()
    )


SOURCES = with_headers(["functions.c", "exponentials.c", "lane_functions.c"], whole_runtime()) | {
    "alone.c": '#include "functions.h"\n#include <math.h>\n#include <stddef.h>\n'
    + loops("alone", "double", ALONE),
    "together.c": '#define IN_LANES\n#include "lane_functions.h"\n#include <stddef.h>\n'
    + loops("together", "Real", IN_LANES),
}
WIDTHS = [w for w in (4, 8) if w <= processor_lanes("zig")]


@pytest.fixture(scope="module", params=WIDTHS)
def functions(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("lanes") / "lanes.so"
    path.write_bytes(compile_library(SOURCES, host_platform(), lanes=request.param))
    return request.param, ctypes.CDLL(str(path))


def aligned(values):
    """Where vectors may stand: at multiples of 64 bytes."""
    room = np.empty(values.size + 8)
    first = -room.ctypes.data % 64 // 8
    place = room[first : first + values.size]
    place[:] = values
    return place


def arguments(rng, n):
    """Each lane from another drawer: common, tiny, huge, at the corners, any bits at all."""
    corners = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.785, -0.785, 2.0**-27, 1.0, -1.0, 5e-324]
    quarters = np.round(rng.uniform(-2e6, 2e6, n)) * (np.pi / 2)
    drawers = [
        rng.uniform(-7, 7, n),
        rng.uniform(-1, 1, n),
        10.0 ** rng.uniform(-20, 20, n) * rng.choice([-1, 1], n),
        quarters,
        np.round(quarters / 1e5),
        rng.choice(corners, n),
        rng.integers(0, 2**64, n, dtype=np.uint64).view(float),
    ]
    return np.choose(rng.integers(0, len(drawers), n), drawers)


@pytest.mark.parametrize("name", IN_LANES)
def test_every_lane_has_the_bits_of_the_function_alone(functions, name):
    width, library = functions
    n = 40_000
    rng = np.random.default_rng(7)
    with np.errstate(all="ignore"):
        x, y = aligned(arguments(rng, n)), aligned(arguments(rng, n))
    alone, together = aligned(np.zeros(n)), aligned(np.zeros(n))
    for prefix, count, out in (("alone", n, alone), ("together", n // width, together)):
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, y, out)]
        getattr(library, f"{prefix}_{name}")(ctypes.c_size_t(count), *pointers)
    assert np.array_equal(np.isnan(alone), np.isnan(together))
    there = ~np.isnan(alone)
    assert there.sum() > n // 10
    assert np.array_equal(alone[there].view(np.int64), together[there].view(np.int64))


def test_the_processor_is_asked():
    assert processor_lanes("zig") in (1, 4, 8)
