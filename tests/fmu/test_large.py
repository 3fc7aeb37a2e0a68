"""Large trees and humanoids: by kernels, in fmpy, with exact derivatives; and stiff by columns."""

from importlib import metadata
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.validation import validate_fmu as problems_of
from scipy.integrate import solve_ivp

from mbd_fmu import build_fmu, system_of
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.export.description import LONGEST_LIST
from mbd_fmu.export.recorder import LONGEST_MOTION
from mbd_fmu.export.symbols import symbols_of
from mbd_fmu.formats.choices import Choices
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.options import KERNELS, STRAIGHT
from mbd_fmu.system.plant import plant_of
from tests.chains import chain, four_bars
from tests.conftest import random_state
from tests.fmu.ctypes_fmu import OK, Instance, Library
from tests.fmu.exchange import Exchange, directional

pytestmark = pytest.mark.xdist_group("large")  # built once, by one worker

STEP = 1e-6  # of central differences
# Of the largest change: the differences' own error, and rounding that the condition of a long
# chain's inertia, some 1e7, makes larger.
DIFFERENCES = 1e-5
# of the largest acceleration, likewise
ACCELERATIONS = 1e-8


def humanoid():
    try:
        folder = metadata.distribution("example-robot-data").locate_file("cmeel.prefix/share")
    except metadata.PackageNotFoundError:
        pytest.skip("the robots are not installed")
    path = next(Path(str(folder)).rglob("g1_29dof_rev_1_0.urdf"))
    return open_model(path, Choices(base="free", is_lenient=True)).spec


MECHANISMS = {"chain of 300": lambda: chain(300), "humanoid": humanoid}


@pytest.fixture(scope="module", params=MECHANISMS)
def spec(request):
    return MECHANISMS[request.param]()


@pytest.fixture(scope="module")
def fmu(spec, tmp_path_factory):
    return build_fmu(spec, tmp_path_factory.mktemp("large") / "large.fmu").path


def test_what_is_long_is_made_of_kernels(spec):
    routines = {r.name: r for r in symbols_of(system_of(spec)).routines}
    motion, changes = routines["derivatives"], routines["derivatives_tangent"]
    assert (len(motion.calls) > 1) == (motion.n_operations > LONGEST_MOTION)
    assert len({call.kernel for call in changes.calls}) < len(changes.calls)


def test_fmpy_finds_nothing_wrong_and_runs_it(fmu):
    assert problems_of(str(fmu)) == []
    result = fmpy.simulate_fmu(str(fmu), stop_time=0.02, output_interval=0.01)
    assert len(result) == 3
    assert all(np.isfinite(result[name]).all() for name in result.dtype.names)


def test_its_accelerations_are_those_of_numpy(spec, fmu, tmp_path):
    system = system_of(spec)
    plant = plant_of(system, system.nominal_parameters())
    it = Exchange(Library(fmu, tmp_path)).run()
    x, _ = random_state(system, np.random.default_rng(1))
    it.x = x
    expected = plant.derivatives(x, system.nominal_inputs())
    assert np.abs(it.derivatives() - expected).max() < ACCELERATIONS * np.abs(expected).max()


def test_directional_derivatives_are_differences(spec, fmu, tmp_path):
    system = system_of(spec)
    it = Exchange(Library(fmu, tmp_path)).run()
    rng = np.random.default_rng(2)
    x = it.x + 0.1 * rng.normal(size=system.nx)
    for k in system.states.quaternions:
        x[k : k + 4] /= np.linalg.norm(x[k : k + 4])
    outputs = [v.name for v in system.table.outputs]
    unknowns = [*it.rates, *outputs]
    for _ in range(2):
        seed = rng.normal(size=system.nx) / system.nx
        it.x = x
        exact = directional(it, unknowns, dict(zip(it.states, seed, strict=True)))
        ends = []
        for h in (STEP, -STEP):
            it.x = x + h * seed
            ends.append(np.concatenate([it.derivatives(), it.get(outputs)]))
        found = (ends[0] - ends[1]) / (2.0 * STEP)
        assert np.abs(exact - found).max() < DIFFERENCES * np.abs(found).max()


def test_code_of_a_chain_does_not_grow_with_it():
    """Kinds of kernels, of every routine; the calls do."""
    few, many = (symbols_of(system_of(chain(n)), KERNELS).routines for n in (20, 40))
    for one, other in zip(few, many, strict=True):
        kinds = [len({call.kernel for call in routine.calls}) for routine in (one, other)]
        assert kinds[0] == kinds[1], one.name


@pytest.mark.parametrize("code", [STRAIGHT, KERNELS])
def test_the_stiff_solver_takes_its_jacobian_from_a_routine_or_column_by_column(code, tmp_path):
    spec = chain(3, solver="stiff")
    names = {routine.name for routine in symbols_of(system_of(spec), code).routines}
    assert ("jacobian" in names) == (code == STRAIGHT)
    path = build_fmu(spec, tmp_path / "chain.fmu", code=code).path
    result = fmpy.simulate_fmu(str(path), stop_time=0.5, output_interval=0.1)
    other = build_fmu(chain(3), tmp_path / "other.fmu").path
    expected = fmpy.simulate_fmu(
        str(other), stop_time=0.5, output_interval=0.1, relative_tolerance=1e-9
    )
    for name in ("hinge0.q", "hinge2.q"):
        # both follow the motion: within the tolerance of the one that is asked for less, 1e-6
        assert np.abs(result[name] - expected[name]).max() < 1e-5


def test_an_unknown_kind_of_code_is_refused(tmp_path):
    with pytest.raises(MbdFmuError, match='no code "kernel"; did you mean "kernels"'):
        build_fmu(chain(2), tmp_path / "chain.fmu", code="kernel")


def test_what_depends_on_all_of_very_many_has_no_list(spec, fmu):
    """FMI 2.0 sec. 2.2.8: no list means all; any other list is exact."""
    symbols, system = symbols_of(system_of(spec)), system_of(spec)
    root = fmpy.read_model_description(str(fmu))
    knowns = system.table.n_inputs + system.nx
    for unknown, row in zip(root.derivatives, symbols.rates_depend, strict=True):
        if knowns > LONGEST_LIST and row.all():
            assert unknown.dependencies is None
        else:
            assert len(unknown.dependencies) == row.sum()


@pytest.mark.slow
def test_very_many_loops_are_built_and_move_as_one_of_them(tmp_path):
    """A hundred and thirty parallelograms: parts of long kernels share nothing there.

    Cranks turn alike and bars are carried along: q'' = g (m_c / 2 + m_b) / (I_c + m_b) sin q.
    """
    n, end = 130, 0.5
    about_pin = 0.25 + (1.0 + 0.05**2) / 12.0
    pace = 9.81 * ((n + 1) / 2 + n) / ((n + 1) * about_pin + n)
    library = Library(build_fmu(four_bars(n), tmp_path / "bars.fmu").path, tmp_path)
    it = Instance(library).start(tolerance=1e-8)
    for k in range(5):
        assert it.step(0.1 * k, 0.1) == OK
    exact = solve_ivp(
        lambda _, y: (y[1], pace * np.sin(y[0])),
        (0.0, end),
        (it.one("A0.q_start"), -1.0),
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
    ).y[:, -1]
    # the tolerance of a step, of which there are some dozen
    for name in ("A0", "A77", f"A{n}"):
        found = it.get([f"{name}.q", f"{name}.qd"])
        assert np.abs(np.subtract(found, exact)).max() < 1e-6
