"""What depends on what: accelerations and start values feel all that they are coupled with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mbd_fmu.elements.places import GROUND
from mbd_fmu.export.casadi_door import Column, column, is_there, pattern
from mbd_fmu.export.tangents import Symbol
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import RATE_STAGES
from mbd_fmu.system.plant import Equations
from mbd_fmu.system.system import System
from mbd_fmu.topology.connect import BASE_BODY


def gathered(eq: Equations) -> Column:
    """Return all of the equations in one column."""
    return column(eq.M.ravel(), eq.f, eq.J.ravel(), eq.gamma, eq.sigma, eq.phi)


def coupled(eq: Equations) -> Array:
    """Which velocities and rows are coupled by M and J, directly or through others."""
    m, n = eq.J.shape
    found = np.zeros((n + m, n + m), dtype=bool)
    found[:n, :n], found[n:, :n] = is_there(eq.M), is_there(eq.J)
    found |= found.T | np.eye(n + m, dtype=bool)
    for _ in range(int(np.ceil(np.log2(n + m + 1)))):
        found = found @ found
    return found


def solution_patterns(eq: Equations, rates: Column, vd: Column, it: Symbol) -> dict[str, Array]:
    """Accelerations and multipliers feel everything they are coupled with by M and J."""
    m, n = eq.J.shape
    together = coupled(eq)
    z_of = {}
    for name, symbol in it.given.items():
        direct = pattern(column(eq.f, eq.gamma), symbol)
        # M and J themselves act on all that they couple
        of_entries = pattern(column(eq.M.ravel(), eq.J.ravel()), symbol)
        direct |= of_entries.reshape(n + m, n, -1).any(axis=1)
        solved = together @ direct
        of_rates = pattern(rates, symbol) | pattern(rates, vd) @ solved[:n]
        of_quality = pattern(column(eq.sigma, eq.phi), symbol).any(axis=0, keepdims=True)
        of_rank = pattern(gathered(eq), symbol).any(axis=0, keepdims=True)
        z_of[name] = np.vstack([of_rates, solved[n:], of_quality, of_quality, of_rank])
    return z_of


@dataclass(frozen=True)
class Assembling:
    """What brings start values to the constraints, in symbols."""

    eq: Equations
    start: Column
    cut_coordinates: Column  # x with the coordinates of cut joints as the bodies say


def assembled_patterns(system: System, parts: Assembling, it: Symbol) -> dict[str, Array]:
    """On which parameters and inputs the states depend after assembly.

    Where rows are coupled with it, a coordinate is moved by the least motion of mass: it feels the
    start values, the rows and the inertia of all that it is coupled with. Elsewhere it stays.
    """
    eq, n_q, n = parts.eq, len(system.state_q), len(system.state_v)
    together = coupled(eq)
    among, has_rows = together[:n], together[:n, n:].any(axis=1, keepdims=True)
    of_joint = _velocities_of_coordinates(system)
    n_tree = len(of_joint)
    found = {}
    for name, symbol in (("p", it.p), ("u", it.u)):
        given = pattern(parts.start, symbol)
        inertia = pattern(column(eq.M.ravel()), symbol).reshape(n, n, -1).any(axis=1)
        phi, sigma = (pattern(column(y), symbol) for y in (eq.phi, eq.sigma))
        phi = np.vstack([phi, np.zeros((len(sigma) - len(phi), phi.shape[1]), dtype=bool)])
        of_q = has_rows & (among @ np.vstack([of_joint.T @ given[:n_tree] | inertia, phi]))
        q = given[:n_q] | np.vstack([of_joint @ of_q, np.zeros_like(given[n_tree:n_q])])
        of_x = pattern(parts.cut_coordinates, it.x)[n_tree:n_q, :n_tree]
        q[n_tree:] |= pattern(parts.cut_coordinates, symbol)[n_tree:n_q] | of_x @ q[:n_tree]
        given_v = given[n_q : n_q + n]
        felt = np.vstack([given_v | inertia | of_joint.T @ q[:n_tree], sigma])
        v = given_v | has_rows & (among @ felt)
        found[name] = np.vstack([q, v, given[n_q + n :]])
    return found


def _velocities_of_coordinates(system: System) -> Array:
    """Which velocities belong to the joint of which coordinate, of the tree's own joints."""
    forest = system.forest
    owners = (
        [i for i in system.free_joints for _ in range(place[i].stop - place[i].start)]
        for place in (forest.q, forest.v)
    )
    return np.equal.outer(*(np.array(joints, dtype=int) for joints in owners))


def without_effect(system: System) -> Array:
    """Which outputs do not feel which inputs although the operations mention them.

    Galilei: the velocity of a base that carries everything changes no acceleration and no force.
    """
    table = system.table
    void = np.zeros((len(table.outputs), table.n_acting), dtype=bool)
    on_ground = [j.name for j in system.spec.joints if GROUND in (j.parent, j.child)]
    if on_ground != [BASE_BODY] or not system.spec.moving_base:
        return void
    velocity = [k for motion in table.motions[:1] for k in motion.parts["v"]]
    first_output = table.n_parameters + table.n_inputs
    for stage in RATE_STAGES:
        rows = [vr - first_output for vr in table.stage_range(stage)]
        void[np.ix_(rows, velocity)] = True
    return void


def feeds(system: System) -> tuple[Array, Array]:
    """Which inputs are felt at once in what acts; and which parameters and inputs at the start.

    Where steps make a motion of what is told, it is felt later. An FMU that model exchange can use,
    too, says what holds there: all inputs are felt at once.
    """
    table = system.table
    n_p, acting = table.n_parameters, list(table.acting)
    waits = np.array(table.waiting, dtype=bool) & table.is_stepped
    inputs = np.arange(table.n_inputs)
    at_once = np.zeros((table.n_acting, table.n_inputs), dtype=bool)
    at_once[acting, inputs] = ~waits
    at_start = np.zeros((table.n_acting, n_p + table.n_inputs), dtype=bool)
    at_start[acting, n_p + inputs] = True
    for k, parameter in table.made:
        if parameter is not None:
            at_start[k, parameter] = True
    return at_once, at_start
