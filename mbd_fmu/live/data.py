"""What a live page knows: the module, the scene, and which variable is what."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from mbd_fmu.drawing.scene import Path, scene_table
from mbd_fmu.elements.joint import JointType
from mbd_fmu.elements.names import Component
from mbd_fmu.errors import DataError
from mbd_fmu.live.drivable import has_gravity_parameter, movable_bodies
from mbd_fmu.live.ranges import TURN, Scale, goes_by_powers, slider_range
from mbd_fmu.live.scene_numbers import NOWHERE, SceneNumbers
from mbd_fmu.model.spec import Body, Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.spatial import Array
from mbd_fmu.system.prescribed import start_name
from mbd_fmu.system.result_columns import POSE, REACTION
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import DERIVED, Variable
from mbd_fmu.system.variables import flat_name
from mbd_fmu.topology.connect import BASE_BODY

PULL_INPUTS, GRAVITY_INPUTS = 8, 3
STEP = 1.0 / 60.0  # s between looks at a motion, as a screen has them
FEWEST_STEPS = 100  # of a motion that is over sooner than a second or two
MOST_PLOTTED = 3
COMPUTED = ("output", DERIVED)  # causalities of what is shown, never set
_ENERGIES = ("kinetic", "potential", "input_work", "dissipated")


class LiveData:
    """The table of a page; ``spec`` is the model, ``system`` the one that can be driven."""

    def __init__(self, spec: Spec, system: System) -> None:
        self.spec, self.system = spec, system
        self.variables = system.table.variables
        self._place = {v.name: k for k, v in enumerate(self.variables)}
        self._spell = flat_name if spec.fmu.naming == "flat" else str
        self._bodies = movable_bodies(spec)

    def text(self, module: bytes, recorded: Trajectory | None = None) -> str:
        """Write it for the page; the same model gives the same text."""
        return json.dumps(
            {
                "module": _letters(_packed(module)),
                "scene": scene_table(self.spec),
                "step": min(STEP, self.spec.fmu.stop_time / FEWEST_STEPS),
                "stop": self.spec.fmu.stop_time,
                "tolerance": self.spec.fmu.tolerance,
                "length": self.system.length,
                "gravity": [float(value_of(g, self.spec.nominal)) for g in self.spec.gravity],
                "mass": sum(map(self._mass, self.spec.bodies)),
                "drawn": {
                    "first": self._of_scene.start,
                    "paths": self._paths,
                    "nowhere": NOWHERE,
                },
                "variables": [*self._variables(recorded)],
                "poses": self._vectors([b.name for b in self.spec.bodies] + [BASE_BODY], POSE),
                "reactions": self._vectors([j.name for j in self.spec.joints], REACTION),
                "pulls": self._pulls(),
                "drives": [*self._drives()],
                "quaternions": [*self._quaternions()],
                "signals": [*self._signals()],
                "energy": self._named(f"energy.{name}" for name in _ENERGIES),
                "quality": self._named(["constraint.position_error"]),
                "plotted": self._plotted(),
                "recorded": recorded and self._recorded(recorded),
            },
            separators=(",", ":"),
        )

    def index(self, name: str) -> int:
        """Return where a variable stands in the table; -1 where there is none."""
        return self._place.get(self._spell(name), -1)

    def _variables(self, recorded: Trajectory | None) -> Iterator[dict[str, Any]]:
        scale = Scale(sum(map(self._mass, self.spec.bodies)), 2.0 * self.system.length)
        for k, v in enumerate(self.variables):
            low, high = self._range(k, v, scale)
            if recorded is not None and v.name in recorded:
                values = recorded.column(v.name)
                low, high = min(low or 0.0, values.min()), max(high or 0.0, values.max())
            yield {
                "name": v.name,
                "causality": v.causality,
                "role": self._role(k, v),
                "unit": v.unit,
                "start": v.start,
                "min": v.min,
                "max": v.max,
                "low": low,
                "high": high,
                "by_powers": goes_by_powers(v),
                "tunable": v.is_tunable,
                "description": v.description,
            }

    def _range(self, k: int, v: Variable, scale: Scale) -> tuple[float, float] | tuple[None, None]:
        if v.causality in COMPUTED:
            return None, None
        return TURN if any(k in four for four in self._quaternions()) else slider_range(v, scale)

    def _role(self, k: int, variable: Variable) -> str:
        table = self.system.table
        if variable.causality in COMPUTED:
            return "hidden" if k in self._of_scene else "output"
        if variable.causality == "input":
            if k < self._first_pull:
                return "input"
            return "hidden" if k < self._first_gravity else "gravity"
        if k < len(self.spec.parameters):
            return "parameter"
        return "solver" if k >= table.tolerance else "start"

    @property
    def _paths(self) -> tuple[Path, ...]:
        """Where those numbers of the scene stand in it that are computed."""
        found = (o.paths for o in self.system.spec.outputs if isinstance(o, SceneNumbers))
        return next(found, ())

    @property
    def _of_scene(self) -> range:
        """Where they stand in the table: last of what follows from parameters."""
        end = self.system.table.first_computed + self.system.table.n_derived
        return range(end - len(self._paths), end)

    @property
    def _first_gravity(self) -> int:
        end = self.system.table.first_computed
        has_own = has_gravity_parameter(self.spec) or not self._bodies
        return end if has_own else end - GRAVITY_INPUTS

    @property
    def _first_pull(self) -> int:
        return self._first_gravity - PULL_INPUTS * len(self._bodies)

    def _mass(self, body: Body) -> float:
        return float(value_of(body.mass, self.spec.nominal))

    def _pulls(self) -> dict[str, dict[str, float]]:
        return {
            body.name: {
                "first": self._first_pull + PULL_INPUTS * k,
                "count": PULL_INPUTS,
                "mass": self._mass(body),
            }
            for k, body in enumerate(self._bodies)
        }

    def _vectors(self, names: list[str], parts: tuple[str, ...]) -> dict[str, list[int]]:
        """Where vectors of elements stand, of those that have them all."""
        found = {name: [self.index(f"{name}.{part}") for part in parts] for name in names}
        return {name: places for name, places in found.items() if min(places) >= 0}

    def _drives(self) -> Iterator[dict[str, int]]:
        """Drives with a coordinate that they can hold: of as many freedoms as coordinates."""
        for joint in self.spec.joints:
            names = joint.kind.names
            rows = (names.drives, names.positions, names.velocities, names.accelerations)
            if joint.drive == "torque" and len({len(row) for row in rows}) == 1:
                for parts in zip(*rows, strict=True):
                    places = [self.index(f"{joint.name}.{part.name}") for part in parts]
                    if min(places) >= 0:
                        yield dict(zip(("input", "q", "qd", "qdd"), places, strict=True))

    def _quaternions(self) -> Iterator[list[int]]:
        """Parameters that are a turn to start from: four numbers of length 1, w first."""
        for joint in self.spec.joints:
            if joint.kind.quaternion:
                four = [start_name(part.name) for part in joint.kind.names.positions[:4]]
                places = [self.index(f"{joint.name}.{name}") for name in four]
                if min(places) >= 0:
                    yield places

    def _signals(self) -> Iterator[list[int]]:
        """Inputs that are position, velocity and acceleration of one scalar; -1: not an input.

        What follows a function of time has none: entries from its first on are those of others.
        """
        table = self.system.table
        inputs = {acting: table.n_parameters + k for k, acting in enumerate(table.acting)}
        for motion in table.told:
            for signal in motion.signals:
                yield [inputs.get(k, -1) for k in signal]

    def _named(self, names: Any) -> dict[str, int] | None:
        """Places by the last word of names, if all are there."""
        found = {name.rpartition(".")[2].removesuffix("_error"): self.index(name) for name in names}
        return found if min(found.values()) >= 0 else None

    def _plotted(self) -> list[int]:
        """What is plotted at first: coordinates of joints, those of balls and planes last."""
        told = [
            self.index(f"{joint.name}.{part.name}")
            for joint in sorted(self.spec.joints, key=lambda joint: joint.kind.nq > 1)
            for part in _telling(joint.kind)
        ]
        outputs = self.system.table.first_computed + self.system.table.n_derived
        known = [k for k in told if k >= outputs]
        return known[:MOST_PLOTTED] or [*range(outputs, min(outputs + 3, len(self.variables)))]

    def _recorded(self, inputs: Trajectory) -> dict[str, Any]:
        columns = [self._place.get(name, -1) for name in inputs.names]
        if min(columns, default=-1) < 0:
            unknown = [n for n, k in zip(inputs.names, columns, strict=True) if k < 0]
            raise DataError(f"input.csv: no inputs called {', '.join(unknown)}")
        time, values = (_letters(_bytes(part)) for part in (inputs.time, inputs.values))
        return {"name": "input.csv", "time": time, "columns": columns, "values": values}


def _telling(kind: JointType) -> tuple[Component, ...]:
    """Return the scalars of a joint that say something to a reader: a quaternion does not."""
    names = kind.names
    return (names.positions[4:] or names.velocities) if kind.quaternion else names.positions


def _packed(data: bytes) -> bytes:
    """Make it shorter, as browsers unpack it."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def _bytes(values: Array) -> bytes:
    return np.asarray(values, dtype="<f8").tobytes()


def _letters(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
