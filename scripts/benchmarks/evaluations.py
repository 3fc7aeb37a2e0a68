"""One mechanism: engines that compute the same, timed in turns."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from scripts.benchmarks.engines import peers
from scripts.benchmarks.engines.engine import CalledFromPython, Engine, UnableError
from scripts.benchmarks.engines.ours import Ours, Steps
from scripts.benchmarks.exports import export, startup_seconds
from scripts.benchmarks.results import Compared, Measured
from scripts.benchmarks.timing import Timing, ratio, take_turns
from scripts.benchmarks.work import State, Work

OURS, STEP, PRICE = "mbd_fmu", "step", "price of a call of "
SEED = 1


class DisagreementError(Exception):
    """Engines that do not compute the same: their times must not be compared."""


def measure(work: Work, folder: Path, rounds: int) -> Measured:
    """Export a mechanism and time it, beside all engines that can compute it."""
    fmu = folder / f"{work.spec.name}.fmu"
    exported = export(work, fmu)
    ours = Ours(work, fmu, folder / work.spec.name)
    engines, left_out = able(work)
    differences, others = agreeing(ours, engines)
    engines = {name: engines[name] for name in differences}
    steps = Steps(ours)
    times = take_turns(_tasks(ours, steps, engines), rounds)
    found = Measured(
        work.name,
        len(work.links),
        work.system.forest.nv,
        len(work.system.rows),
        exported,
        startup_seconds(work, fmu),
        times[OURS].seconds,
        times[OURS].spread,
        times[STEP].seconds,
        times[STEP].spread,
        tuple(_compared(name, times, differences[name]) for name in engines),
        left_out | others,
    )
    steps.close()
    ours.close()
    return found


def able(work: Work) -> tuple[dict[str, Engine], dict[str, str]]:
    """Return the engines that can compute a mechanism, and why others cannot."""
    engines, left_out = {}, {}
    for name, module in peers().items():
        try:
            engines[name] = module.Peer(work)
        except UnableError as reason:
            left_out[name] = str(reason)
    return engines, left_out


def agreeing(ours: Ours, engines: Mapping[str, Engine]) -> tuple[dict[str, float], dict[str, str]]:
    """Put all into a moving state; return how far they are apart, and whom to leave out."""
    state, differences, left_out = moving(ours), {}, {}
    for name, engine in engines.items():
        try:
            differences[name] = difference(ours, engine, state)
        except DisagreementError as error:
            left_out[name] = str(error)
    ours.take(state)
    return differences, left_out


def moving(ours: Ours) -> State:
    """Put ours into a state in which it moves, and return that."""
    if ours.work.has_loops:
        x = ours.moving_state(ours.work.seconds)
        ours.take_states(x)
        return ours.work.state_of(x)
    state = ours.work.random_state(SEED)
    ours.take(state)
    return state


def difference(ours: Ours, engine: Engine, state: State) -> float:
    """Return how far accelerations are apart, relative to the largest; refuse what is too far.

    Both stay in the moving state, whatever they are compared in.
    """
    compared = state if engine.has_moving_rows or not ours.work.has_loops else state.at_rest()
    ours.take(compared)
    engine.take(compared)
    own, other = ours.accelerations(), engine.accelerations()
    found = float(np.abs(own - other).max() / np.abs(own).max())
    if not found <= engine.tolerance:
        raise DisagreementError(
            f"accelerations differ from ours by {found:.1e} of the largest, "
            f"more than {engine.tolerance:.1e}"
        )
    ours.take(state)
    engine.take(state)
    return found


def _tasks(ours: Ours, steps: Steps, engines: dict[str, Engine]):
    prices = {
        PRICE + name: engine.repeat_nothing
        for name, engine in engines.items()
        if isinstance(engine, CalledFromPython)
    }
    evaluations = {name: engine.repeat for name, engine in engines.items()}
    return {OURS: ours.repeat, STEP: steps.repeat} | evaluations | prices


def _compared(name: str, times: dict[str, Timing], apart: float) -> Compared:
    price = times.get(PRICE + name)
    net = times[name].without(price) if price else times[name]
    call = price.seconds if price else 0.0
    return Compared(name, net.seconds, net.spread, call, *ratio(net, times[OURS]), apart)
