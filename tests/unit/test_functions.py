"""Our own elementary functions in C: how exact they are; the same bits on every platform."""

from __future__ import annotations

import ctypes
import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mbd_fmu.export.compile import PLATFORMS, compile_library, host_platform
from mbd_fmu.export.runtime_files import RUNTIME, whole_runtime, with_headers
from tests.emulators import command_for, compile_for, run_on

SEED = 11
N = 100_000
HERE = host_platform().name
FILES = ("functions.c", "exponentials.c")
SOURCES = with_headers(FILES, whole_runtime())
BITS = [Path(__file__).with_name("functions_bits.c"), *(RUNTIME / name for name in FILES)]

# A loop around each function, for speed: ``loop_exp(n, x, out)``.
ONE = ("tan", "asin", "acos", "atan", "exp", "log", "tanh")
TWO = ("atan2", "pow", "fmin", "fmax")
CALLS = {
    **{f: f"own_{f}(x[i])" for f in ONE},
    **{f: f"own_sincos(x[i]).{f}" for f in ("sin", "cos")},
    **{f: f"own_{f}(x[i], y[i])" for f in TWO},
}
LOOPS = '#include "functions.h"\n#include <stddef.h>\n' + "".join(
    f"""
__attribute__((visibility("default")))
void loop_{f}(size_t n, const double *x, {"const double *y, " if f in TWO else ""}double *out)
{{
    for (size_t i = 0; i < n; ++i) out[i] = {call};
}}
"""
    for f, call in CALLS.items()
)

exact_enough = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63,
    reason="no arithmetic to compare with: long double is double",
)


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    """Return a caller of the compiled functions: ``call("exp", x)``."""
    path = tmp_path_factory.mktemp("functions") / "functions.so"
    path.write_bytes(compile_library(SOURCES | {"loops.c": LOOPS}, host_platform()))
    library = ctypes.CDLL(str(path))

    def run(name, *arguments):
        arrays = [np.ascontiguousarray(a, dtype=float) for a in np.broadcast_arrays(*arguments)]
        out = np.empty(arrays[0].size)
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (*arrays, out)]
        getattr(library, f"loop_{name}")(ctypes.c_size_t(out.size), *pointers)
        return out

    return run


def ulps(found, exact):
    """Errors in units of the last place of the exact value."""
    exponent = np.frexp(np.abs(exact).astype(float))[1]
    return np.abs(found - exact) / np.ldexp(np.longdouble(1), np.maximum(exponent, -1021) - 53)


def samples(rng):
    """Arguments for each function: where mechanisms use it, its whole domain, its corners."""

    def size(low, high):  # all magnitudes alike, both signs
        return 10.0 ** rng.uniform(low, high, N) * rng.choice([-1, 1], N)

    turns = np.round(rng.uniform(-2e6, 2e6, N))
    quarter_turns = np.concatenate([turns * (np.pi / 2), np.round(turns / 1e5) * (np.pi / 2)])
    angles = [rng.uniform(-s, s, N) for s in (0.8, 7, 100, 2e6, 1e9)]
    angles += [quarter_turns, np.nextafter(quarter_turns, np.inf), size(-300, 300)]
    unit = [rng.uniform(-1, 1, N), size(-300, 0), 1 - 10.0 ** rng.uniform(-16, 0, N)]
    unit += [-unit[-1], np.array([-1.0, 1.0, 0.5, -0.5])]
    some, others = rng.normal(size=(2, N))
    return {
        **{name: [(x,) for x in angles] for name in ("sin", "cos", "tan")},
        **{name: [(x,) for x in unit] for name in ("asin", "acos")},
        "atan": [(some * 2,), (size(-300, 300),), (size(-2, 2),)],
        "atan2": [(some, others), (size(-300, 300), size(-300, 300)), (size(-3, 3), size(-3, 3))],
        "exp": [(some,), (rng.uniform(-708, 709, N),), (size(-300, 2),)],
        "log": [(np.abs(some),), (1 + size(-16, -0.1),), (np.abs(size(-323, 308)),)],
        "tanh": [(some,), (some * 10,), (size(-300, 2),)],
        "pow": [
            (np.abs(some), others * 3),
            (some, np.round(others * 9)),
            (np.abs(size(-10, 10)), rng.uniform(-30, 30, N)),
            (1 + size(-10, -1), size(0, 3)),
        ],
    }


IN_NUMPY = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "pow": "power",
}
# Measured at some ten million points each; functions.c tells the same.
BOUND = {"sin": 0.84, "cos": 0.84, "tan": 1.05, "asin": 0.51, "acos": 0.51, "atan": 0.51}
BOUND |= {"atan2": 0.51, "exp": 0.65, "log": 0.51, "tanh": 0.86, "pow": 0.65}


@exact_enough
@pytest.mark.parametrize("name", BOUND)
def test_errors_are_some_half_units_of_the_last_place(name, call):
    reference = getattr(np, IN_NUMPY.get(name, name))
    for arguments in samples(np.random.default_rng(SEED))[name]:
        exact = reference(*(a.astype(np.longdouble) for a in arguments))
        fits = np.abs(exact) < 1e308
        error = ulps(call(name, *arguments), exact)[fits]
        worst = np.argmax(error)
        assert error[worst] < BOUND[name], [float(a[fits][worst]).hex() for a in arguments]


@exact_enough
def test_results_below_the_smallest_normal_number_are_right_to_the_last_place(call):
    x = np.random.default_rng(SEED).uniform(-745, -708, N)
    assert np.max(ulps(call("exp", x), np.exp(x.astype(np.longdouble)))) < 0.77


# Muller et al., Handbook of Floating-Point Arithmetic (2010), sec. 11.3: of all doubles this one is
# nearest to a multiple of pi/2. The sine of 10^22 is as often quoted as it is got wrong.
def test_angles_that_are_hard_to_reduce(call):
    assert call("cos", [6381956970095103.0 * 2.0**797])[0] == -4.6871659242546276e-19
    assert call("sin", [1e22])[0] == -0.8522008497671888


SPECIAL = """
    sin -0.0 = -0.0; sin inf = nan; sin -inf = nan; sin nan = nan; sin 5e-324 = 5e-324
    cos 0.0 = 1.0; cos inf = nan; cos nan = nan
    tan -0.0 = -0.0; tan inf = nan; tan nan = nan
    asin 1.0 = pi/2; asin -1.0 = -pi/2; asin 1.1 = nan; asin -0.0 = -0.0; asin nan = nan
    acos 1.0 = 0.0; acos -1.0 = pi; acos 0.0 = pi/2; acos -1.1 = nan; acos nan = nan
    atan inf = pi/2; atan -inf = -pi/2; atan -0.0 = -0.0; atan 1.0 = pi/4; atan nan = nan
    atan2 0.0 1.0 = 0.0; atan2 -0.0 1.0 = -0.0; atan2 0.0 -1.0 = pi; atan2 -0.0 -1.0 = -pi
    atan2 0.0 0.0 = 0.0; atan2 0.0 -0.0 = pi; atan2 1.0 0.0 = pi/2; atan2 -1.0 0.0 = -pi/2
    atan2 inf inf = pi/4; atan2 inf -inf = 3*pi/4; atan2 1.0 inf = 0.0; atan2 1.0 -inf = pi
    atan2 5e-324 1e300 = 0.0; atan2 1e300 5e-324 = pi/2; atan2 5e-324 5e-324 = pi/4
    atan2 nan 1.0 = nan; atan2 1.0 nan = nan; atan2 1.7e308 1.7e308 = pi/4
    exp 0.0 = 1.0; exp inf = inf; exp -inf = 0.0; exp 710.0 = inf; exp -750.0 = 0.0; exp nan = nan
    log 1.0 = 0.0; log 0.0 = -inf; log inf = inf; log -1.0 = nan; log nan = nan
    tanh inf = 1.0; tanh -inf = -1.0; tanh -0.0 = -0.0; tanh 400.0 = 1.0; tanh nan = nan
    pow 3.0 2.0 = 9.0; pow -3.0 3.0 = -27.0; pow 2.0 0.5 = 2**0.5; pow -8.0 0.3 = nan
    pow 0.0 2.0 = 0.0; pow 0.0 -1.0 = inf; pow -0.0 3.0 = -0.0; pow -0.0 -1.0 = -inf
    pow 0.0 0.0 = 1.0; pow 2.0 1024.0 = inf; pow 2.0 -1080.0 = 0.0; pow 2.0 -1074.0 = 5e-324
    pow inf 2.0 = inf; pow inf -1.0 = 0.0; pow -inf 3.0 = -inf; pow 0.5 inf = 0.0
    pow 1.0 inf = 1.0; pow -1.0 1e300 = 1.0; pow 1e-300 1e300 = 0.0; pow 10.0 22.0 = 1e22
    pow nan 0.0 = nan; pow 1.0 nan = nan; pow 3.0 1e-300 = 1.0; pow 2.0 inf = inf
    fmin nan 1.0 = 1.0; fmin 1.0 nan = 1.0; fmin 1.0 2.0 = 1.0; fmin -inf 2.0 = -inf
    fmax nan 1.0 = 1.0; fmax 1.0 nan = 1.0; fmax 1.0 2.0 = 2.0; fmax -inf 2.0 = 2.0
"""


@pytest.mark.parametrize("case", re.split(r"[;\n]\s*", SPECIAL.strip()))
def test_special_arguments(case, call):
    (name, *arguments), result = (side.split() for side in case.split(" = "))
    expected = eval(result[0], {"pi": math.pi, "inf": math.inf, "nan": math.nan})
    found = call(name, *([float(a)] for a in arguments))[0]
    assert repr(float(found)) == repr(float(expected))


# ---- The same bits


@pytest.fixture(scope="module")
def bits_here(tmp_path_factory):
    return run_on(HERE, compile_for(HERE, tmp_path_factory.mktemp("bits"), BITS))


@pytest.mark.parametrize(
    "options", ["-O0", "-O3", "-O3 -march=native", "-O2 -march=native -std=c99"]
)
def test_another_compiler_gives_the_same_bits_at_every_level(options, bits_here, tmp_path):
    if not shutil.which("gcc"):
        pytest.skip("no gcc here")
    program = tmp_path / "bits"
    # no -ffp-contract=off: functions.h sees to it, though the processor has fused operations
    files = [*map(str, BITS), f"-I{RUNTIME}", "-o", str(program), "-lm"]
    subprocess.run(["gcc", *options.split(), "-Wall", "-Wextra", "-Werror", *files], check=True)
    assert run_on(HERE, program) == bits_here


@pytest.mark.xdist_group("platforms")
@pytest.mark.parametrize("platform", sorted(PLATFORMS.keys() - {HERE}))
def test_other_platforms_give_the_same_bits(platform, bits_here, tmp_path):
    command_for(platform)  # skips before anything is compiled
    assert run_on(platform, compile_for(platform, tmp_path, BITS)) == bits_here
