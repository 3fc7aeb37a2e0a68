"""Parameters that follow from others: the FMU computes them as it does outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.elements.keys import Key
from mbd_fmu.elements.names import Component
from mbd_fmu.model.named_outputs import NamedOutput
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.outputs.block import Block, Solved, Stage


@dataclass(frozen=True)
class NumbersOfParameters(NamedOutput):
    """What follows from parameters by a function; no model says that: who drives one adds it."""

    keys: ClassVar[tuple[Key, ...]] = ()

    @property
    def components(self) -> tuple[Component, ...]:
        """How the numbers are called."""
        raise NotImplementedError

    def values(self, parameters: Values) -> Array:
        """Return them."""
        raise NotImplementedError


def derived_blocks(spec: Spec) -> Iterator[Block]:
    """Yield all of them, if there are any."""
    derived = spec.derived_parameters

    def values(now: Solved) -> Array:
        named = now.at.tree.places.parameters
        return array([named[made.name] for made in derived])

    if derived:
        shown = (Component(made.name, made.unit, made.description) for made in derived)
        yield Block(Stage.DERIVED, tuple(shown), values)


def following_blocks(output: NumbersOfParameters) -> Iterator[Block]:
    """Yield what follows by a function."""

    def values(now: Solved) -> Array:
        return output.values(now.at.tree.places.parameters)

    yield Block(Stage.DERIVED, output.components, values)
