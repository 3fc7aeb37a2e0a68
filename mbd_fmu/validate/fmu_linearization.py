"""A, B, C, D of a bare FMU through the functions of the standard alone.

The importer's side of model exchange gives x' = f(x, u), y = g(x, u), and their directional
derivatives. On constraints not every x is possible; of an FMU of ours the possible changes T are
those that start values make (derivatives in initialization mode lead through the closing of loops)
and, of velocities, those that forces make: df/du. States picked by a pivoted QR decomposition tell
the others, and with E picking them A = E (df/dx) T as in ``analysis.linearization``. States of
integrated work are left out. In FMUs of others every state is a freedom.

Source   FMI 2.0.4, sec. 2.1.9 and 3.2; Golub & Van Loan (2013), sec. 5.5.
Checked  tests/twins/test_fmu_linearization.py
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.analysis.freedoms import Quantity, picked_rows
from mbd_fmu.analysis.linearization import Linearization
from mbd_fmu.analysis.steadiness import ACCELERATES
from mbd_fmu.errors import DataError, FmuError
from mbd_fmu.spatial import Array
from mbd_fmu.system.variable import DERIVED, refused_setting
from mbd_fmu.validate.runner import MODEL_EXCHANGE, Fmu

RANK = 1e-8  # of the largest singular value: what is no direction of its own
_WORK = re.compile(r"state[._]energy[._]")
_STARTS = "start value of "  # so the descriptions of ours begin
_RANK_NAMES = ("constraint.rank", "constraint_rank")
_FORCES = ("N", "N.m")  # what else is told, such as a motion, may move the constraints
_VELOCITY_UNITS = ("rad/s", "m/s")

Choice = Callable[[list[str]], Sequence[str]]


def linearize_fmu(
    path: Path,
    *,
    settings: Mapping[str, float] | None = None,
    inputs: Choice = lambda known: known,
    outputs: Choice = lambda known: known,
) -> Linearization:
    """Linearise an FMU at its start.

    ``settings`` are parameters and inputs; ``inputs`` and ``outputs`` choose from the names there
    are.
    """
    with Fmu(path, MODEL_EXCHANGE) as fmu:
        return _Look(fmu, dict(settings or {})).linearization(inputs, outputs)


@dataclass(frozen=True)
class _State:
    quantity: Quantity
    reference: int
    rate: int  # reference of its derivative


class _Look:
    def __init__(self, fmu: Fmu, settings: dict[str, float]) -> None:
        self.fmu, self.settings = fmu, settings
        if not fmu.gives_derivatives:
            raise FmuError(
                f"{fmu.path}: gives no directional derivatives; linearise the model it was built "
                "from, or build it with the native back end"
            )
        settable = fmu.names("parameter") + fmu.names("input")
        for name in settings:
            if name not in settable:
                raise DataError(refused_setting(name, settable, fmu.names(DERIVED)))
        self.states = [
            _State(
                Quantity(re.sub(r"^state[._]", "", v.derivative.name), fmu.unit(v.derivative.name)),
                v.derivative.valueReference,
                v.valueReference,
            )
            for v in fmu.description.modelVariables
            if v.derivative is not None and not _WORK.match(v.derivative.name)
        ]
        if not self.states:
            raise FmuError(f"{fmu.path}: has no continuous states; there is nothing to linearise")

    def linearization(self, inputs: Choice, outputs: Choice) -> Linearization:
        """Run it to its start and ask."""
        fmu, slave = self.fmu, self.fmu.slave
        chosen, wanted = list(inputs(fmu.names("input"))), list(outputs(fmu.names("output")))
        references = [state.reference for state in self.states]
        rates = [state.rate for state in self.states]
        acting = [fmu.reference[name] for name in fmu.names("input")]
        with fmu.instance():
            slave.setupExperiment(startTime=0.0)
            names = list(self.settings)
            slave.setReal([fmu.reference[n] for n in names], [self.settings[n] for n in names])
            slave.enterInitializationMode()
            started = self._slopes(references, self._start_references())
            led = self._slopes(references, acting)  # along with constraints that inputs move
            slave.exitInitializationMode()
            while slave.newDiscreteStates()[0]:
                pass
            slave.enterContinuousTimeMode()
            x, f = (np.array(slave.getReal(refs)) for refs in (references, rates))
            y = [fmu.reference[name] for name in wanted]
            A, B = self._slopes(rates, references), self._slopes(rates, acting)
            C, D = self._slopes(y, references), self._slopes(y, acting)
            rank = next((n for n in _RANK_NAMES if n in fmu.reference), None)
            held = int(slave.getReal([fmu.reference[rank]])[0]) if rank else 0
        moves = np.array([state.quantity.unit in _VELOCITY_UNITS for state in self.states])
        T = self._tangents(started, B, moves, held)
        picked = picked_rows(T, ~moves, A)
        T = T @ np.linalg.inv(T[picked])
        led = led - T @ led[picked]
        B, D = B + A @ led, D + C @ led
        columns = [fmu.names("input").index(name) for name in chosen]
        quantities = [state.quantity for state in self.states]
        n_positions = int(np.sum(~moves[picked]))
        return Linearization(
            name=fmu.description.modelName,
            A=(A @ T)[picked],
            B=B[picked][:, columns],
            C=C @ T,
            D=D[:, columns],
            states=tuple(quantities[k] for k in picked),
            inputs=self._quantities(chosen),
            outputs=self._quantities(wanted),
            n_positions=n_positions,
            values=x[picked],
            accelerations=f[picked][n_positions:],
            coordinates=tuple(q for q, moving in zip(quantities, moves, strict=True) if not moving),
            shapes=T[~moves],
            is_steady=self._is_steady(x[moves], f),
        )

    @staticmethod
    def _is_steady(velocities: Array, rates: Array) -> bool | None:
        """Say so where nothing changes; of a motion nobody knows whether A stays the same."""
        if np.abs(velocities).max(initial=0.0) > ACCELERATES:
            return None
        return bool(np.abs(rates).max(initial=0.0) <= ACCELERATES)

    def _slopes(self, unknowns: list[int], knowns: list[int]) -> Array:
        """Derivatives, a column per known."""
        found = [
            self.fmu.slave.getDirectionalDerivative(unknowns, [known], [1.0]) for known in knowns
        ]
        return np.array(found, dtype=float).reshape(len(knowns), len(unknowns)).T

    def _start_references(self) -> list[int]:
        """What starts states, in FMUs of ours."""
        variables: list[Any] = self.fmu.description.modelVariables
        return [
            v.valueReference
            for v in variables
            if v.causality == "parameter" and (v.description or "").startswith(_STARTS)
        ]

    def _tangents(self, started: Array, B: Array, moves: Array, held: int) -> Array:
        """Changes that states can make, a column each; all, where nothing says otherwise."""
        if not started.shape[1]:
            return np.eye(len(self.states))
        pushing = [k for k, n in enumerate(self.fmu.names("input")) if self.fmu.unit(n) in _FORCES]
        by_inputs = np.where(moves[:, None], B, 0.0)[:, pushing]
        units = [_of_length_one(part) for part in (started, by_inputs)]
        U, sigma, _ = np.linalg.svd(np.hstack(units), full_matrices=False)
        T: Array = U[:, sigma > RANK * sigma.max(initial=0.0)]
        asked = int(np.sum(moves)) - held
        given = np.linalg.matrix_rank(T[moves], tol=RANK)
        if T.shape[1] < 2 * asked or given < asked:
            raise FmuError(
                f"{self.fmu.path}: has {asked} freedoms of velocity, but its start values and "
                f"inputs lead to {T.shape[1]} changes of states only (start values that are "
                "expressions of parameters cannot be changed by themselves); linearise its model"
            )
        return T

    def _quantities(self, names: Sequence[str]) -> tuple[Quantity, ...]:
        return tuple(Quantity(name, self.fmu.unit(name)) for name in names)


def _of_length_one(columns: Array) -> Array:
    """Return the columns that are no rounding, each of length 1."""
    size = np.linalg.norm(columns, axis=0)
    kept = size > RANK * size.max(initial=0.0)
    return columns[:, kept] / size[kept]
