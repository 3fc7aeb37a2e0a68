"""Numbers of a scene that hang on parameters: the module of a page computes them.

They are no outputs of models: only the module of a page has them. They need nothing but parameters,
so they stand in a stage of their own, and no other number feels them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mbd_fmu.drawing.scene import Path, numbers_of, scene_of
from mbd_fmu.elements.names import Component
from mbd_fmu.export.tape import Tape
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.functions import greater, lesser
from mbd_fmu.quantities.vectors import Values
from mbd_fmu.spatial import Array, Scalar, array, is_number
from mbd_fmu.system.outputs.derived import NumbersOfParameters

PREFIX = "scene"  # before the way to a number; no name of a model has a dot
NOWHERE = 1e30  # at least so large is what has no value: wheels that cannot touch, no direction


@dataclass(frozen=True)
class SceneNumbers(NumbersOfParameters):
    """Those at some places of the scene of a mechanism."""

    kind: ClassVar[str] = "scene"

    spec: Spec
    paths: tuple[Path, ...]

    @property
    def components(self) -> tuple[Component, ...]:
        """By their places."""
        names = (".".join(map(str, path)) for path in self.paths)
        return tuple(Component(f"{self.name}.{name}", "1", "of the drawing") for name in names)

    def values(self, parameters: Values) -> Array:
        """Return them; a module puts out finite numbers only."""
        found = dict(numbers_of(scene_of(self.spec, parameters)))
        return array([_bounded(found[path]) for path in self.paths])


def scene_numbers(spec: Spec) -> SceneNumbers:
    """Find out which numbers of the scene hang on parameters."""
    symbols = spec.named(Tape().symbols(len(spec.parameters)))
    found = numbers_of(scene_of(spec, symbols))
    return SceneNumbers(PREFIX, spec, tuple(path for path, x in found if not is_number(x)))


def _bounded(x: Scalar) -> Scalar:
    return lesser(greater(x, -NOWHERE), NOWHERE)
