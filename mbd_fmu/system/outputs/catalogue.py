"""Outputs made of others: magnitudes and expressions, whether those are put out or not.

A catalogue knows everything that could be put out, all groups chosen, and all inputs and declared
parameters. What is made of it is computed as late as the latest it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mbd_fmu.elements.names import Component
from mbd_fmu.errors import Problem, nearest, shortened
from mbd_fmu.model.named_outputs import NamedOutput, OutputExpression, OutputMagnitude
from mbd_fmu.quantities.components import XYZ
from mbd_fmu.quantities.expressions import NESTED
from mbd_fmu.spatial import Array, Scalar, array, norm
from mbd_fmu.system.outputs.block import STAGES, Block, Solved, Stage


@dataclass(frozen=True)
class Source:
    """A number that outputs can be made of: its unit, how it is found, and what that takes."""

    unit: str
    value: Callable[[Solved], Scalar]
    stages: frozenset[Stage]


@dataclass(frozen=True)
class _Entry:
    """Entry k of a block; found once, for many may be made of it."""

    block: Block
    k: int

    def value(self, now: Solved) -> Scalar:
        name = self.block.components[self.k].name
        if name not in now.found:
            now.found[name] = self.block.formula(now)[self.k]
        return now.found[name]


@dataclass(frozen=True)
class _Input:
    """Entry k of all that acts."""

    k: int

    def value(self, now: Solved) -> Scalar:
        return now.u[self.k]


@dataclass(frozen=True)
class _Parameter:
    """A declared parameter."""

    name: str

    def value(self, now: Solved) -> Scalar:
        return now.at.tree.places.parameters[self.name]


@dataclass(frozen=True)
class _Magnitude:
    """Of a vector."""

    parts: Sequence[Source]

    def value(self, now: Solved) -> Array:
        return array([norm(array([part.value(now) for part in self.parts]))])


@dataclass(frozen=True)
class _Expression:
    """Of sources by name."""

    output: OutputExpression
    sources: Mapping[str, Source]

    def value(self, now: Solved) -> Array:
        law = self.output.value
        values = {name: source.value(now) for name, source in self.sources.items()}
        return array([0.0 if law is None else law.expression.value(values)])


class Catalogue:
    """All that outputs can be made of, by name, and what is made of it."""

    def __init__(
        self,
        blocks: Iterable[Block],
        inputs: Sequence[tuple[str, str]],
        parameters: Iterable[tuple[str, str]],
        outputs: Sequence[NamedOutput],
    ) -> None:
        self._known: dict[str, Source] = {}
        for name, unit in parameters:
            self._known[name] = Source(unit, _Parameter(name).value, frozenset())
        for k, (name, unit) in enumerate(inputs):
            # an input may be the velocity of the base: then what it is made of feels that
            self._known[name] = Source(unit, _Input(k).value, frozenset({Stage.VELOCITIES}))
        for block in blocks:
            self._enter(block)
        self._made_of = {output.name: output for output in outputs if _is_derived(output)}
        self._open: list[str] = []  # being made just now
        self._failed: set[str] = set()  # why is told already
        self.problems: list[Problem] = []

    def _enter(self, block: Block) -> None:
        stages = block.made_of | {block.stage}
        for k, component in enumerate(block.components):
            self._known[component.name] = Source(component.unit, _Entry(block, k).value, stages)

    def blocks(self) -> Iterator[Block]:
        """Yield all that is made of others; what cannot be is among the problems then."""
        made = (self._made(output) for output in self._made_of.values())
        yield from (block for block in made if block is not None)

    def _made(self, output: NamedOutput) -> Block | None:
        self._open.append(output.name)
        found = self._expression(output) if isinstance(output, OutputExpression) else None
        if isinstance(output, OutputMagnitude):
            found = self._magnitude(output)
        self._open.pop()
        if found is None:
            self._failed.add(output.name)
        else:
            self._enter(found)
        return found

    def _magnitude(self, output: OutputMagnitude) -> Block | None:
        problem = self._no_vector(output.of, f'magnitude "{shortened(output.name)}", of')
        if problem is not None:
            self.problems.append(problem)
            return None
        parts = [self._known[f"{output.of}.{x}"] for x in XYZ]
        text = f"magnitude of the vector {output.of}"
        named = Component(output.name, parts[0].unit, text)
        return _block(named, _Magnitude(parts).value, parts)

    def _no_vector(self, name: str, where: str) -> Problem | None:
        """Return why a name stands for no vector of three components."""
        quoted = f'"{shortened(name)}"'
        if f"{name}.w" in self._known:
            found = f"{quoted} is a quaternion, whose length is 1"
            return Problem(where, found, "name a vector of three components")
        if all(f"{name}.{x}" in self._known for x in XYZ):
            return None
        ends = tuple(f".{x}" for x in XYZ)
        vectors = {other[:-2] for other in self._known if other.endswith(ends)}
        vectors = {other for other in vectors if f"{other}.w" not in self._known}
        is_number = name in self._known or name in self._made_of
        found = (
            f"{quoted} is a single number" if is_number else f"no vector {quoted} among the outputs"
        )
        return Problem(where, found, nearest(name, vectors))

    def _expression(self, output: OutputExpression) -> Block | None:
        law = output.value
        where = f'expression "{shortened(output.name)}", value'
        vectors = sorted(law.expression.vectors) if law else []
        refused = [p for name in vectors if (p := self._no_vector(name, where)) is not None]
        if refused:
            self.problems += refused
            return None
        names = sorted(law.expression.names) if law else []
        sources = {name: self._source(name, output) for name in names}
        known = {name: source for name, source in sources.items() if source is not None}
        if len(known) < len(sources) or law is None:
            return None
        named = Component(output.name, output.unit, output.description or law.text.strip())
        return _block(named, _Expression(output, known).value, known.values())

    def _source(self, name: str, output: OutputExpression) -> Source | None:
        """Find what a name stands for; another of these may have to be made first."""
        where = f'expression "{shortened(output.name)}", value'
        if name in self._open:
            way = " -> ".join([*self._open[self._open.index(name) :], name])
            remedy = "let one of them do without the others"
            self.problems.append(Problem(where, f"it goes in a circle: {way}", remedy))
        elif name in self._known or name in self._failed:
            return self._known.get(name)
        elif len(self._open) > NESTED:
            remedy = f"put some of them into one: {NESTED} levels are the most"
            self.problems.append(Problem(where, "too many build on one another", remedy))
        elif name in self._made_of:
            return self._known.get(name) if self._made(self._made_of[name]) else None
        elif f"{name}.x" in self._known:
            remedy = f"name a component: {name}.x; or write norm({name})"
            self.problems.append(Problem(where, f'"{shortened(name)}" is a vector', remedy))
        else:
            found = f'no output, input or parameter "{shortened(name)}"'
            self.problems.append(Problem(where, found, nearest(name, self._all_names())))
        return None

    def _all_names(self) -> set[str]:
        return {*self._known, *self._made_of}


def _is_derived(output: NamedOutput) -> bool:
    return isinstance(output, OutputMagnitude | OutputExpression)


def _block(named: Component, formula: Callable[[Solved], Array], of: Iterable[Source]) -> Block:
    """Return a block that is computed as late as the latest it is made of."""
    stages = frozenset[Stage]().union(*(source.stages for source in of)) | {Stage.POSITIONS}
    return Block(max(stages, key=STAGES.index), (named,), formula, stages)
