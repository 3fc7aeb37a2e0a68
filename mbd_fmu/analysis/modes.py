"""Modes of a mechanism at an equilibrium: how it swings by itself, undamped and damped.

Undamped, at rest: with xi' = S nu, nu' = K_a xi of the positions xi and velocities nu that are
picked, and the inertia M_r of these,

    K phi = w^2 M_r phi,    K = -M_r K_a S                                                    (1)

which is symmetric where all forces have a potential. Damped modes are the eigenvectors of A, at
rest or in a steady motion.

Source   Meirovitch, Fundamentals of Vibrations (2001), ch. 7.
Checked  tests/laws/test_modes.py
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eig, eigh

from mbd_fmu.analysis.equilibrium import Equilibrium, equilibrium
from mbd_fmu.analysis.freedoms import Quantity, freedoms_at, usual_sizes
from mbd_fmu.analysis.linearization import Linearization, Linearizer
from mbd_fmu.analysis.operating_point import OperatingPoint
from mbd_fmu.errors import MbdFmuError
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.spatial import Array
from mbd_fmu.system.system import System

SYMMETRIC = 1e-9  # of the largest entry: what rounding makes of a symmetric K
SWING = 0.25  # rad, or of the characteristic length: the largest displacement in pictures
NO_MODE = 1e-6  # of the largest coordinate: below it a mode moves no joint


@dataclass(frozen=True)
class Mode:
    """One mode: s = i w, or an eigenvalue of A, and displacements of all coordinates of joints."""

    eigenvalue: complex
    shape: Array  # complex, the largest one is 1 in rad or the characteristic length

    @property
    def frequency(self) -> float:
        """Of an undamped mode its own, of a damped one the natural one, in Hz."""
        return abs(self.eigenvalue) / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0


@dataclass(frozen=True)
class Modes:
    """All modes, slow ones first; ``undamped`` ones only of what rests."""

    point: OperatingPoint
    linearization: Linearization
    coordinates: tuple[Quantity, ...]
    undamped: tuple[Mode, ...]
    damped: tuple[Mode, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for programs; complex numbers as [re, im]."""

        def facts(mode: Mode) -> dict[str, Any]:
            return {
                "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
                "frequency": mode.frequency,
                "damping": mode.damping,
                "shape": [[float(d.real), float(d.imag)] for d in mode.shape],
            }

        return {
            "name": self.linearization.name,
            "coordinates": [{"name": q.name, "unit": q.unit} for q in self.coordinates],
            "undamped": [facts(mode) for mode in self.undamped],
            "damped": [facts(mode) for mode in self.damped],
            "stability": self.linearization.stability,
        }


def modes(
    system: System,
    at: OperatingPoint | Equilibrium | Mapping[str, float] | None = None,
    *,
    settings: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
) -> Modes:
    """Return the modes at an equilibrium: the one given, or that found from the state ``at``.

    ``settings`` are parameters and inputs, ``rates`` velocities that are given, as in
    ``equilibrium``.
    """
    if isinstance(at, Equilibrium):
        at = at.point
    if not isinstance(at, OperatingPoint):
        at = equilibrium(system, state=at, settings=settings, rates=rates).point
    elif settings or rates:
        raise ValueError("an equilibrium has its settings and rates already")
    linearizer = Linearizer(system)
    linear = linearizer.at(at, outputs=[])
    if not linear.n_velocities:
        raise MbdFmuError(f"{system.spec.name}: no freedom is left to swing")
    usual = usual_sizes(system)
    undamped = () if np.any(at.v) else tuple(_undamped(at, linearizer, linear, usual))
    damped = [
        Mode(pole.value, _scaled(linear.shapes @ pole.shape, usual)) for pole in linear.poles.each
    ]
    moving = tuple(mode for mode in damped if np.abs(mode.shape).max(initial=0.0) > NO_MODE)
    return Modes(at, linear, linear.coordinates, undamped, moving)


def _undamped(
    at: OperatingPoint, linearizer: Linearizer, linear: Linearization, usual: Array
) -> list[Mode]:
    """Solve (1)."""
    n, nv = linear.n_positions, len(at.v)
    freedoms = freedoms_at(at, linearizer.tangents)
    free = freedoms.T[nv:, n:]
    M_r, S = free.T @ at.M @ free, linear.A[:n, n:]
    K = -M_r @ linear.A[n:, :n] @ S
    if np.abs(K - K.T).max(initial=0.0) <= SYMMETRIC * np.abs(K).max(initial=0.0):
        squares, vectors = eigh((K + K.T) / 2.0, M_r)
    else:
        squares, vectors = eig(K, M_r)
    order = np.argsort(np.abs(squares))
    shapes = linear.shapes[:, :n] @ S @ vectors
    return [Mode(_rate(complex(squares[k])), _scaled(shapes[:, k], usual)) for k in order]


def _rate(square: complex) -> complex:
    """Return s of s^2 = -w^2: of both roots i w, or the one that grows."""
    s = cmath.sqrt(-square)
    return s if s.real else complex(0.0, abs(s.imag))


def _scaled(shape: Array, usual: Array) -> Array:
    largest = int(np.argmax(np.abs(shape / usual))) if len(shape) else 0
    if not len(shape) or abs(shape[largest]) == 0.0:
        return shape.astype(complex)
    return shape.astype(complex) / (shape[largest] / usual[largest])


def swinging(at: OperatingPoint, mode: Mode, count: int) -> list[Array]:
    """Return states over one period of a mode, of a size that can be seen, on the constraints."""
    found = []
    for phase in 2.0 * np.pi * np.arange(count + 1) / count:
        d = SWING * (mode.shape * np.exp(1j * phase)).imag
        x = at.plant.retract(at.x, at.u, d)
        if at.generic_rank is not None:
            x = Manifold(at.plant, at.u).project(x, at.generic_rank)
        found.append(x)
    return found
