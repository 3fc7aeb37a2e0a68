"""Where the start value of a coordinate or a velocity comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mbd_fmu.quantities.expressions import Expression
from mbd_fmu.spatial import Array, Scalar


@dataclass(frozen=True)
class FromParameter:
    """A parameter of its own."""

    index: int  # in p

    @property
    def own_parameters(self) -> tuple[int, ...]:
        """That one."""
        return (self.index,)

    def value(self, p: Array, named: Mapping[str, Scalar]) -> Scalar:
        """Look it up."""
        del named
        return p[self.index]


@dataclass(frozen=True)
class FromExpression:
    """An expression of the model's parameters, which are there for more than this."""

    expression: Expression
    own_parameters: tuple[int, ...] = ()

    def value(self, p: Array, named: Mapping[str, Scalar]) -> Scalar:
        """Evaluate it."""
        del p
        return self.expression.value(named)


@dataclass(frozen=True)
class Constant:
    """A number that no one may change: where turns of a cut joint are counted from."""

    number: float
    own_parameters: tuple[int, ...] = ()

    def value(self, p: Array, named: Mapping[str, Scalar]) -> Scalar:
        """Return it."""
        del p, named
        return self.number


StartValue = FromParameter | FromExpression | Constant
