"""Parameters that follow from others: the FMU computes them as it does outputs."""

from __future__ import annotations

from collections.abc import Iterator

from mbd_fmu.elements.names import Component
from mbd_fmu.model.spec import Spec
from mbd_fmu.spatial import Array, array
from mbd_fmu.system.outputs.block import Block, Solved, Stage


def derived_blocks(spec: Spec) -> Iterator[Block]:
    """Yield all of them, if there are any."""
    derived = spec.derived_parameters

    def values(now: Solved) -> Array:
        named = now.at.tree.places.parameters
        return array([named[made.name] for made in derived])

    if derived:
        shown = (Component(made.name, made.unit, made.description) for made in derived)
        yield Block(Stage.DERIVED, tuple(shown), values)
