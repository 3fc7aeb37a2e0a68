"""One run of the bench."""

import argparse
import tempfile
from pathlib import Path

from rich.console import Console

from mbd_fmu import build_fmu
from scripts.benchmarks.batches import MODELS, batch
from scripts.benchmarks.evaluations import measure
from scripts.benchmarks.facts import OUT, facts
from scripts.benchmarks.mechanisms import RUNS, chain, loops, ours, trees
from scripts.benchmarks.precision import curves
from scripts.benchmarks.report import show, write
from scripts.benchmarks.results import Curve, Results
from scripts.benchmarks.studies import studies
from scripts.benchmarks.timing import ROUNDS
from scripts.benchmarks.work import Work

QUICK_ROUNDS, QUICK_LOOPS = 100, ("four_bar", "andrews_squeezer")
QUICK_BATCHES = ("double_pendulum", "six_axis_arm")


def quick() -> list[Work]:
    """Return what is exported in seconds."""
    small = [work for work in loops(large=False) if work.name in QUICK_LOOPS]
    return [chain(2), chain(6), chain(12), ours("six_axis_arm"), *small]


def main() -> None:
    """Measure, show and write."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Speed beside other engines")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small mechanisms, under two minutes")
    size.add_argument(
        "--large", action="store_true", help="and chains of 300 and 1000, and 40 four-bars"
    )
    said = parser.parse_args()
    works = quick() if said.quick else [*trees(large=said.large), *loops(large=said.large)]
    rounds = QUICK_ROUNDS if said.quick else ROUNDS
    console = Console()
    measured, found = [], list[Curve]()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        build_fmu(chain(1).spec, folder / "first.fmu")  # compiles the runtime, once for all
        for work in works:
            with console.status(work.name):
                measured.append(measure(work, folder, rounds))
                if work.name in RUNS:
                    fmu = folder / f"{work.spec.name}.fmu"
                    again = folder / f"{work.spec.name}_again"
                    found += curves(work, RUNS[work.name], fmu, again)
        batches = []
        for name in QUICK_BATCHES if said.quick else MODELS:
            with console.status(f"batch of {name}"):
                batches.append(batch(name, folder, quick=said.quick))
        with console.status("studies"):
            swept = studies(folder, quick=said.quick)
    results = Results(facts(), tuple(measured), tuple(found), tuple(batches), swept)
    show(results, console if console.is_terminal else Console(width=200))
    for path in write(results, OUT):
        print(path)


if __name__ == "__main__":
    main()
