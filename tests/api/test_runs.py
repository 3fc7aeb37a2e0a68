"""Runs: a model is compiled once, by all that its FMU is made of; inputs as people write them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mbd_fmu import MbdFmuError, Mechanism, load
from mbd_fmu.api import kept_fmus
from mbd_fmu.errors import CompileError, DataError
from mbd_fmu.export.compiler_cache import CHOICE, keep_object, kept_object
from mbd_fmu.export.identity import identity
from mbd_fmu.formats.model_files import read_model
from mbd_fmu.model.library import library
from mbd_fmu.signals.csv_files import write_csv
from mbd_fmu.signals.trajectory import Trajectory

KEPT = {}


@pytest.fixture(autouse=True)
def own_cache(monkeypatch):
    """FMUs of these tests are kept as long as they last, and the user's are not looked at."""
    monkeypatch.setattr(kept_fmus, "kept_object", lambda key, _: KEPT.get(key))
    monkeypatch.setattr(kept_fmus, "keep_object", lambda key, made, *_: KEPT.update({key: made}))


def mass(**more):
    """A kilogram on rails, without gravity: under a force f it accelerates by f."""
    it = Mechanism("mass", gravity=[0, 0, 0], **more).parameter("m", 1.0, unit="kg", min=0.1)
    it.body("cart", mass="m", com=[0, 0, 0], inertia={"shape": "box", "size": [1, 1, 1]})
    it.joint("rail", "prismatic", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    return it.fmu(stop_time=1.0, communication_step=0.1)


@pytest.fixture(scope="module")
def cart():
    return load(mass())


# where a run ends under f(t) over one second: its double integral; errors of the solver are below
LANDS = {
    "a number": ({"rail.f": 2.0}, {}, 1.0),
    "a function": ({"rail.f": lambda t: 6.0 * t}, {}, 1.0),  # on straight lines it is exact
    "columns": ({"time": [0.0, 0.5], "rail.f": [2.0, -2.0]}, {}, 0.5),
    "columns on lines": ({"time": [0.0, 1.0], "rail.f": [0.0, 6.0]}, {"interpolate": "linear"}, 1),
    "a held function": ({"time": [0.0, 0.5], "rail.f": np.cos}, {"interpolate": "held"}, None),
    "a DataFrame": (pd.DataFrame({"time": [0.0, 0.5], "rail.f": [2.0, -2.0]}), {}, 0.5),
    "an index": (pd.DataFrame({"rail.f": [2.0]}, index=pd.Index([0.0], name="time")), {}, 1.0),
    "a Trajectory": (Trajectory(np.zeros(1), ("rail.f",), np.array([[2.0]])), {}, 1.0),
    "nothing": (None, {}, 0.0),
    "an empty mapping": ({}, {}, 0.0),
}
LANDS["a held function"] = (
    *LANDS["a held function"][:2],
    np.cos(0) * (0.125 + 0.25) + np.cos(0.5) * 0.125,
)


@pytest.mark.parametrize("case", LANDS)
@pytest.mark.parametrize("backend", ["native", "python"])
def test_inputs_are_followed_as_they_are_written(cart, case, backend):
    inputs, more, expected = LANDS[case]
    r = cart.simulate(inputs=inputs, backend=backend, **more)
    assert r["rail.q"][-1] == pytest.approx(expected, abs=1e-9)
    assert r.time.tolist() == pytest.approx(np.linspace(0, 1, 11).tolist(), abs=1e-15)


def test_a_file_and_a_result_are_inputs_too(cart, tmp_path):
    write_csv(tmp_path / "in.csv", Trajectory(np.zeros(1), ("rail.f",), np.array([[2.0]])))
    assert cart.simulate(inputs=tmp_path / "in.csv")["rail.q"][-1] == pytest.approx(1.0, abs=1e-9)


def test_a_parameter_changes_the_motion_and_nothing_is_built_again(cart, monkeypatch):
    cart.simulate()
    monkeypatch.setattr(kept_fmus, "build_fmu", None)  # not to be called
    r = cart.simulate(
        stop=2.0, step=1.0, inputs={"rail.f": 2.0}, parameters={"m": 4.0, "rail.q_start": 3.0}
    )
    assert r["rail.q"].tolist() == pytest.approx([3.0, 3.25, 4.0], abs=1e-9)
    assert load(mass()).simulate().names == cart.simulate().names  # in another life


def test_whatever_makes_another_fmu_makes_another_key():
    spec = mass().spec()
    key = identity(spec)
    assert key == identity(mass().spec())
    seen = {key}
    for other in (
        replace(spec, groups=("joints",)),
        replace(spec, fmu=replace(spec.fmu, solver="stiff")),
        replace(spec, gravity=(0.0, 0.0, -1.0)),
        replace(spec, parameters=(replace(spec.parameters[0], value=2.0),)),
        mass(description="another").spec(),
    ):
        assert identity(other) not in seen
        seen.add(identity(other))


def test_every_model_can_be_written_down_for_its_key():
    written = {identity(read_model(folder)) for folder in library().values()}
    assert len(written) == len(library())


def test_the_newest_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv(CHOICE, str(tmp_path))
    for n in range(5):
        keep_object(bytes([n]) * 32, b"fmu", "some", 3)
    assert len(list((tmp_path / "mbd_fmu_some").iterdir())) == 3
    assert kept_object(bytes([4]) * 32, "some") == b"fmu"


def test_without_a_compiler_it_runs_in_numpy_and_says_so(monkeypatch):
    def missing(*_, **__):
        raise CompileError("no compiler here")

    monkeypatch.setattr(kept_fmus, "build_fmu", missing)
    m = load(mass(description="never built"))
    with pytest.warns(UserWarning, match="no compiler here; it is run in NumPy"):
        r = m.simulate(inputs={"rail.f": 2.0})
    assert r["rail.q"][-1] == pytest.approx(1.0, abs=1e-9)
    with pytest.raises(CompileError):
        m.simulate(backend="native")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"stop": -1}, "stop = -1; give a positive number"),
        ({"step": 0}, "step = 0; give a positive number"),
        ({"tolerance": np.nan}, "tolerance = nan; give a positive number"),
        ({"parameters": {"mm": 1, "rail": 2}}, 'no parameter "mm"; did you mean "m"?\n  no param'),
        ({"inputs": {"rail.g": 1.0}}, "inputs: no input named rail.g; the inputs are: rail.f"),
        ({"inputs": {"rail.f": "fast"}}, "inputs, \"rail.f\": 'fast' is no number"),
        (
            {"inputs": {"rail.f": [1, 2]}},
            'inputs, "rail.f": 2 values; give a number, or "time" beside',
        ),
        ({"inputs": {"rail.f": np.inf}}, 'inputs, "rail.f": some values are no finite numbers'),
        ({"inputs": {"time": [1, 0], "rail.f": [1, 2]}}, 'inputs: "time" does not ascend'),
        ({"inputs": {"time": [1, 2], "rail.f": [1, 2]}}, "the inputs begin at 1 s, the run at 0"),
        ({"inputs": 3}, "inputs: int is no table"),
        ({"interpolate": "cubic"}, 'interpolate is \'cubic\'; write "held" or "linear"'),
        ({"backend": "fortran"}, 'no backend "fortran"; known: native, python'),
    ],
    ids=str,
)
def test_what_cannot_be_run_is_refused_in_our_words(cart, given, said):
    with pytest.raises(MbdFmuError) as caught:
        cart.simulate(**given)
    assert str(caught.value).startswith(said)


def test_a_run_that_fails_speaks_of_the_model_and_of_no_file(cart):
    with pytest.raises(MbdFmuError) as caught:
        cart.simulate(parameters={"m": 0.01})
    assert str(caught.value).startswith("mass: ")
    assert "m = 0.01" in str(caught.value)
    assert ".fmu" not in str(caught.value)


def test_an_fmu_runs_like_its_model(cart, tmp_path):
    path = cart.build(tmp_path / "mass.fmu").path
    fmu = load(path)
    inputs = {"rail.f": lambda t: np.sin(5 * t)}
    ours, theirs = cart.simulate(inputs=inputs), fmu.simulate(inputs=inputs)
    assert ours.names == theirs.names
    assert ours.units == theirs.units
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    with pytest.raises(DataError, match="backend is of models"):
        fmu.simulate(backend="python")


def test_both_roads_agree_on_a_loop():
    m = load("slider_crank")
    given = {"stop": 0.1, "step": 0.05, "tolerance": 1e-9}
    compiled, numpy = m.simulate(**given), m.simulate(**given, backend="python")
    for name in compiled:
        size = 1.0 + np.abs(numpy[name]).max()
        # the solver's tolerance, and what it makes of accelerations and forces
        assert np.abs(compiled[name] - numpy[name]).max() <= 1e-7 * size, name
