"""Where a model comes from: a mechanism, of which all is known, or an FMU, with its variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from mbd_fmu.analysis.linearization import Linearization, linearize
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.analysis.pin_loads import Pin, pins_in_scene, pins_of
from mbd_fmu.api.kept_fmus import runnable_fmu
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.errors import CompileError, DataError, FmuError, MbdFmuError, nearest
from mbd_fmu.formats.model_files import Opened
from mbd_fmu.model.spec import Spec
from mbd_fmu.options import BACKENDS
from mbd_fmu.runs import Finished, Hear, Request, run_fmu, run_model
from mbd_fmu.seen import scene_in
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System, system_of
from mbd_fmu.system.variable import Variable
from mbd_fmu.validate.fmu_linearization import linearize_fmu
from mbd_fmu.validate.runner import Fmu


@dataclass(frozen=True)
class Chosen:
    """What of a linear system is wanted: columns of B, rows of C, all by default; velocities."""

    inputs: Sequence[str] | None
    outputs: Sequence[str] | None
    preferred: Sequence[str]


class Source(Protocol):
    """What a model asks of where it comes from."""

    @property
    def name(self) -> str:
        """The model's."""

    @property
    def description(self) -> str:
        """In a sentence."""

    @property
    def notices(self) -> tuple[str, ...]:
        """What was worth saying when it was read."""

    def variables(self, causality: str) -> tuple[Variable, ...]:
        """All of a causality."""

    def spec(self) -> Spec:
        """The mechanism; refused where only an FMU is known."""

    def system(self) -> System:
        """Its structure; likewise."""

    def scene(self) -> Mapping[str, Any]:
        """What it looks like."""

    def pins(self) -> Sequence[Pin]:
        """Joints that carry something."""

    def times(self, stop: float | None, step: float | None) -> Array:
        """Points of a run; the model's own where they are not given."""

    def run(self, request: Request, backend: str | None, progress: Hear, notice: Hear) -> Finished:
        """Run it."""

    def linearize(
        self, point: OperatingPoint | None, settings: Mapping[str, float], chosen: Chosen
    ) -> Linearization:
        """Linearise it at a point, or at its start with some parameters."""


@dataclass(frozen=True)
class OfMechanism:
    """A mechanism, with the account of its file if it was one of another format."""

    opened: Opened

    @property
    def name(self) -> str:
        """The model's."""
        return self.opened.spec.name

    @property
    def description(self) -> str:
        """In a sentence."""
        return self.opened.spec.description

    @property
    def notices(self) -> tuple[str, ...]:
        """What was worth saying when it was read."""
        return tuple(self.opened.notices)

    def variables(self, causality: str) -> tuple[Variable, ...]:
        """All of a causality."""
        return tuple(v for v in self.system().table.variables if v.causality == causality)

    def spec(self) -> Spec:
        """The mechanism."""
        return self.opened.spec

    def system(self) -> System:
        """Its structure."""
        return self._system

    @cached_property
    def _system(self) -> System:
        with self.opened.located():
            return system_of(self.opened.spec)

    def scene(self) -> Mapping[str, Any]:
        """What it looks like."""
        return scene_table(self.opened.spec)

    def pins(self) -> Sequence[Pin]:
        """Joints that carry something."""
        return pins_of(self._system.spec)

    def times(self, stop: float | None, step: float | None) -> Array:
        """Points of a run; the model's own where they are not given."""
        fmu = self.opened.spec.fmu
        return communication_points(0.0, stop or fmu.stop_time, step or fmu.communication_step)

    def run(self, request: Request, backend: str | None, progress: Hear, notice: Hear) -> Finished:
        """Run it compiled; or in NumPy, if that is wanted or nothing compiles here."""
        if backend not in (None, *BACKENDS):
            raise MbdFmuError(f'no backend "{backend}"; {nearest(str(backend), BACKENDS)}')
        spec = self.opened.spec
        with self.opened.located():
            if backend != "python":
                try:
                    with runnable_fmu(spec, progress) as fmu:
                        return run_fmu(fmu, request, progress=progress, notice=notice)
                except CompileError as error:
                    if backend is not None:
                        raise
                    notice(f"{error}; it is run in NumPy instead, which takes longer")
            return run_model(spec, request, progress=progress, notice=notice)

    def linearize(
        self, point: OperatingPoint | None, settings: Mapping[str, float], chosen: Chosen
    ) -> Linearization:
        """Linearise it by its symbols."""
        return linearize(
            self._system,
            state=point,
            settings=settings,
            inputs=chosen.inputs,
            outputs=chosen.outputs,
            preferred=chosen.preferred,
        )


@dataclass(frozen=True)
class OfFmu:
    """An FMU, ours or another's: known by its variables, and by what it does."""

    path: Path

    @cached_property
    def _fmu(self) -> Fmu:
        return Fmu(self.path)

    @property
    def name(self) -> str:
        """The model's."""
        return str(self._fmu.description.modelName)

    @property
    def description(self) -> str:
        """In a sentence."""
        return self._fmu.description.description or ""

    @property
    def notices(self) -> tuple[str, ...]:
        """None."""
        return ()

    def variables(self, causality: str) -> tuple[Variable, ...]:
        """All of a causality."""
        return self._fmu.variables(causality)

    def spec(self) -> Spec:
        """Refuse: an FMU does not tell its mechanism."""
        raise FmuError(
            f"{self.path}: an FMU is known by its variables alone; for its mechanism, as for mass "
            "matrices, Jacobians or another build, load the model it was built from"
        )

    def system(self) -> System:
        """Refuse likewise."""
        return system_of(self.spec())

    def scene(self) -> Mapping[str, Any]:
        """What it carries inside, if it is ours."""
        return scene_in(self.path)

    def pins(self) -> Sequence[Pin]:
        """Joints that carry something, as its scene has them."""
        return pins_in_scene(self.scene())

    def times(self, stop: float | None, step: float | None) -> Array:
        """Points of a run; those of its default experiment where they are not given."""
        return self._fmu.times(stop, step)

    def run(self, request: Request, backend: str | None, progress: Hear, notice: Hear) -> Finished:
        """Run it in fmpy."""
        if backend is not None:
            raise DataError(f"{self.path}: backend is of models; an FMU is run as it was built")
        return run_fmu(self.path, request, progress=progress, notice=notice)

    def linearize(
        self, point: OperatingPoint | None, settings: Mapping[str, float], chosen: Chosen
    ) -> Linearization:
        """Linearise it by its directional derivatives, at its start."""
        if point is not None or chosen.preferred:
            raise DataError(
                f"{self.path}: an FMU is linearised at its start; move that by parameters: "
                '{"elbow.q_start": 0.3}'
            )
        return linearize_fmu(
            self.path,
            settings=settings,
            inputs=lambda known: _among(known, chosen.inputs, "input"),
            outputs=lambda known: _among(known, chosen.outputs, "output"),
        )


def _among(known: list[str], names: Sequence[str] | None, what: str) -> list[str]:
    """Return the names that are chosen, all by default; refuse those that nothing has."""
    for name in names or ():
        if name not in known:
            raise DataError(f'no {what} "{name}"; {nearest(name, known)}')
    return known if names is None else list(names)
