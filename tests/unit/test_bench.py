"""The bench compares what is the same, tells slow from fast, and writes down what it found."""

import io
import json
from dataclasses import asdict, replace

import pytest
from numpy import asarray
from rich.console import Console

from mbd_fmu import build_fmu
from scripts.benchmarks.engines.ours import Ours, Steps
from scripts.benchmarks.evaluations import able, agreeing
from scripts.benchmarks.mechanisms import chain, ours
from scripts.benchmarks.report import show, write
from scripts.benchmarks.results import Batch, Compared, Curve, Export, Measured, Point, Results
from scripts.benchmarks.timing import Timing, ratio, take_turns

CASES = {"tree": chain(3), "loop": ours("four_bar", seconds=0.2)}


@pytest.fixture(scope="module", params=CASES)
def built(request, tmp_path_factory):
    work, folder = CASES[request.param], tmp_path_factory.mktemp(request.param)
    fmu = Ours(work, build_fmu(work.spec, folder / "it.fmu").path, folder)
    yield fmu
    fmu.close()


def test_engines_that_are_installed_agree_and_others_are_told(built):
    engines, left_out = able(built.work)
    assert engines, "neither Pinocchio nor MuJoCo is installed"
    differences, others = agreeing(built, engines)
    assert set(differences) == set(engines), others
    assert all(differences[name] <= engines[name].tolerance for name in engines)
    assert all(left_out.values())


def test_engines_that_compute_something_else_are_refused(built):
    heavier = replace(built.work, spec=replace(built.work.spec, gravity=(0.0, 0.0, -9.9)))
    engines = able(heavier)[0]  # gravity by a hundredth more than ours
    differences, left_out = agreeing(built, engines)
    assert not differences
    assert set(left_out) == set(engines)
    assert all("differ from ours" in reason for reason in left_out.values())


def test_timed_steps_begin_at_the_start_each_time(built):
    steps = Steps(built)
    steps.repeat(3)
    first = steps.instance.everything()
    steps.repeat(3)
    assert steps.instance.everything() == first
    assert steps.instance.last_time() == pytest.approx(3 * Steps.LENGTH)
    steps.close()


def test_a_slow_function_takes_longer_than_a_fast_one():
    def work(size):
        return lambda times: [sum(range(size)) for _ in range(times)]

    times = take_turns({"slow": work(20_000), "fast": work(1000)}, rounds=30)
    middle, low, high = ratio(times["slow"], times["fast"])
    assert middle > 5  # of 20, less what starting a sum takes
    assert low <= middle * 1.5
    assert high >= middle / 1.5


def test_the_price_of_a_call_is_taken_off_and_percentiles_are_those_of_the_samples():
    samples = [float(k) for k in range(101)]
    timing, price = Timing(5 + asarray(samples)), Timing(asarray([5.0]))
    assert timing.without(price).seconds == pytest.approx(10.0)
    assert timing.without(price).spread == pytest.approx(9.0)


def test_results_are_written_for_people_and_programs(tmp_path):
    export = Export(2.0, 1.5, 120_000_000, 56_000, 76)
    peer = Compared("mujoco", 2e-6, 1.1, 0.0, 4.0, 3.5, 4.5, 1e-14)
    left_out = {"exudyn": "takes no <loops>"}
    sizes = (2, 2, 5)
    found = Measured("four_bar", *sizes, export, 1e-3, 5e-7, 1.2, 3e-6, 1.1, (peer,), left_out)
    curve = Curve("four_bar", "mbd_fmu", (Point(1e-3, 1e-4, 1e-5), Point(1e-6, 1e-7, 1e-4)))
    batches = (
        Batch("arm", 8, 1e-4, 3e-4, 1e-3, 3.0, 2.9, 3.1),
        Batch("four_bar", 1, 1e-4, 1e-4, 1e-3, 1.0, 0.9, 1.1),
    )
    results = Results({"machine": "two cores"}, (found,), (curve,), batches)
    as_json, page, tables = (path.read_text("utf-8") for path in write(results, tmp_path / "new"))
    assert json.loads(as_json) == json.loads(json.dumps(asdict(results)))
    assert "two cores" in page
    assert "takes no &lt;loops&gt;" in page
    assert "<script src" not in page
    assert "| four_bar | 2 | 5 | 0.5 µs (x1.20) | - | 2 µs: 4 (3.5 to 4.5) | - |" in tables
    assert "| arm | 8 | 10,000 | 3,333 | 3.00 (2.90 to 3.10) | 1,000 | 10 |" in tables
    assert "| four_bar | - | 10,000 | 10,000 | - | 1,000 | 10 |" in tables
    shown = io.StringIO()
    show(results, Console(file=shown, width=200))
    assert "2 µs: 4 (3.5 to 4.5)" in shown.getvalue()
