"""Random calls in random order, right and wrong ones; in a process of their own.

``python -m tests.fmu.fuzz <fmu> <folder> <seed> <calls>`` prints, as JSON, how many calls of each
function worked. Whatever is called: nothing crashes, what is handed out is finite, an error says
why and leaves no trace.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from collections.abc import Callable
from ctypes import byref, c_int, c_void_p
from pathlib import Path

from tests.fmu.cases import written as written_down
from tests.fmu.ctypes_fmu import DISCARD, ERROR, OK, Instance, Library, integers, reals, references
from tests.fmu.exchange import EventInfo, Exchange

ODD = (math.nan, math.inf, -math.inf, 1e308, -1e300, 1e-320, 0.0, -1.0)


def written(instance: Instance) -> bytes:
    """Return the state; ranks follow from the rest when they are asked for, so they are."""
    if "constraint.rank" in instance.library.reference:
        instance.try_get(["constraint.rank"])
    return written_down(instance)


class Monkey:
    """Calls an instance, and looks at what comes back."""

    def __init__(self, library: Library, seed: int) -> None:
        self.chance = random.Random(seed)
        self.library = library
        self.variables = len(library.variables)
        self.n = len(library.names("local")) // 2
        self.instance = self.born()
        self.time = 0.0
        self.state = c_void_p()

    def born(self) -> Instance:
        return (Exchange if self.chance.random() < 0.5 else Instance)(self.library)

    # Arguments

    def some(self) -> list[int]:
        far = self.variables + 3
        count = self.chance.randrange(4)
        known = [self.chance.randrange(self.variables) for _ in range(count)]
        return [far if self.chance.random() < 0.01 else k for k in known]

    def number(self) -> float:
        if self.chance.random() < 0.05:
            return self.chance.choice(ODD)
        return self.chance.uniform(-1.0, 1.0)

    def numbers(self, n: int) -> list[float]:
        return [self.number() for _ in range(n)]

    # Calls: each returns a status, and asserts that what it was given is finite

    def call(self, function: str, *arguments: object) -> int:
        return self.instance.call(function, *arguments)

    def given(self, function: str, n: int, *before: object, count: bool = False) -> int:
        values = reals([7.0] * n)
        status = self.call(function, *before, values, *((n,) if count else ()))
        expected = [7.0] * n
        assert status == OK or list(values) == expected, f"{function} failed and wrote"
        assert all(map(math.isfinite, values)), f"{function} handed out what is no number"
        return status

    def get(self) -> int:
        vr = self.some()
        return self.given("fmi2GetReal", len(vr), references(vr), len(vr))

    def set(self) -> int:
        vr = self.some()
        return self.call("fmi2SetReal", references(vr), len(vr), reals(self.numbers(len(vr))))

    def set_rates(self) -> int:
        vr = self.some()
        orders, values = integers([1] * len(vr)), reals(self.numbers(len(vr)))
        return self.call("fmi2SetRealInputDerivatives", references(vr), len(vr), orders, values)

    def output_rates(self) -> int:
        vr = self.some()
        orders = integers([self.chance.choice((1, 1, 2)) for _ in vr])
        return self.given("fmi2GetRealOutputDerivatives", len(vr), references(vr), len(vr), orders)

    def directional(self) -> int:
        unknown, known = self.some(), self.some()
        seeds = reals(self.numbers(len(known)))
        arguments = references(unknown), len(unknown), references(known), len(known), seeds
        return self.given("fmi2GetDirectionalDerivative", len(unknown), *arguments)

    def setup(self) -> int:
        self.time = abs(self.number())
        return self.instance.setup(self.time)

    def enter(self) -> int:
        return self.instance.enter()

    def leave(self) -> int:
        return self.instance.leave()

    def step(self) -> int:
        length = self.number() if self.chance.random() < 0.1 else 0.01
        status = self.instance.step(self.time, length)
        if status == OK:
            self.time += length
        return status

    def states(self) -> int:
        return self.given("fmi2GetContinuousStates", self.n, count=True)

    def derivatives(self) -> int:
        return self.given("fmi2GetDerivatives", self.n, count=True)

    def set_states(self) -> int:
        return self.call("fmi2SetContinuousStates", reals(self.numbers(self.n)), self.n)

    def events(self) -> int:
        return self.call("fmi2NewDiscreteStates", byref(EventInfo()))

    def go_on(self) -> int:
        return self.call("fmi2EnterContinuousTimeMode")

    def stop(self) -> int:
        return self.call("fmi2EnterEventMode")

    def completed(self) -> int:
        return self.call("fmi2CompletedIntegratorStep", 1, byref(c_int()), byref(c_int()))

    def keep(self) -> int:
        return self.call("fmi2GetFMUstate", byref(self.state))

    def take_up(self) -> int:
        status = self.call("fmi2SetFMUstate", self.state) if self.state.value else OK
        seconds = reals([self.time])
        if self.call("fmi2GetRealStatus", 2, seconds) == OK:
            self.time = seconds[0]
        return status

    def reset(self) -> int:
        return self.call("fmi2Reset")

    def again(self) -> int:
        self.instance.free()
        self.instance = self.born()
        return OK


# How often each is called; the way to the first step is called often enough to be found.
CALLS: dict[Callable[[Monkey], int], int] = {
    Monkey.get: 20,
    Monkey.set: 10,
    Monkey.set_rates: 4,
    Monkey.output_rates: 6,
    Monkey.directional: 20,
    Monkey.setup: 8,
    Monkey.enter: 8,
    Monkey.leave: 3,
    Monkey.step: 15,
    Monkey.states: 4,
    Monkey.derivatives: 4,
    Monkey.set_states: 3,
    Monkey.events: 3,
    Monkey.go_on: 6,
    Monkey.stop: 2,
    Monkey.completed: 3,
    Monkey.keep: 3,
    Monkey.take_up: 3,
    Monkey.reset: 1,
    Monkey.again: 1,
}
# A step that fails takes the rates of the inputs with it; the others may have begun anew.
MARKS = (Monkey.step, Monkey.take_up, Monkey.reset, Monkey.again)


def main(fmu: str, folder: str, seed: str, calls: str) -> None:
    library = Library(Path(fmu), Path(folder))
    Exchange(library).free()  # its functions are told their arguments
    monkey = Monkey(library, int(seed))
    worked: Counter[str] = Counter()
    for chosen in monkey.chance.choices(list(CALLS), list(CALLS.values()), k=int(calls)):
        before = written(monkey.instance)
        del monkey.instance.recorder.messages[:]
        status = chosen(monkey)
        assert status in (OK, ERROR, DISCARD), (chosen.__name__, status)
        worked[chosen.__name__] += status == OK
        if status == ERROR:
            said = monkey.instance.recorder.texts("logStatusError")
            assert said, f"{chosen.__name__} failed without a word"
            assert chosen in MARKS or written(monkey.instance) == before, (chosen.__name__, said)
    print(json.dumps(worked))


if __name__ == "__main__":
    main(*sys.argv[1:])
