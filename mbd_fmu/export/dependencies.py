"""What depends on what: accelerations and start values feel all that they are coupled with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from mbd_fmu.elements.places import GROUND
from mbd_fmu.export.program import Program
from mbd_fmu.spatial import Array
from mbd_fmu.system.outputs.block import RATE_STAGES, Stage
from mbd_fmu.system.system import System
from mbd_fmu.topology.connect import BASE_BODY


def coupled(equations: Program, n: int) -> Array:
    """Which of n velocities and which rows are coupled by M and J, directly or through others."""
    m = len(equations.results["gamma"])
    found = np.zeros((n + m, n + m), dtype=bool)
    found[:n, :n], found[n:, :n] = (equations.is_there(key, n) for key in ("M", "J"))
    found |= found.T | np.eye(n + m, dtype=bool)
    _, part = connected_components(found)
    return np.equal.outer(part, part)


def solution_patterns(
    equations: Program, rates: Program, loads: Program, *, is_shared: bool
) -> dict[str, Array]:
    """Accelerations and multipliers feel everything they are coupled with by M and J.

    Where rows are redundant and loads shared, multipliers are those that load all joints least:
    then they also feel each other, and whatever else loads the same joints.
    """
    n = len(equations.results["f"])
    together = coupled(equations, n)
    loaded = loads.pattern("loads", "lam")
    _, part = connected_components(product(loaded.T, loaded))
    sharing = np.equal.outer(part, part)
    z_of = {}
    for name in ("x", "u", "p"):
        columns = {key: n if key in ("M", "J") else 1 for key in equations.results}
        felt = equations.patterns(columns, name)
        # M and J themselves act on all that they couple
        direct = np.vstack([felt["f"], felt["gamma"]]) | np.vstack([felt["M"], felt["J"]])
        solved = product(together, direct)
        of_rates = rates.pattern("xd", name) | product(rates.pattern("xd", "vd"), solved[:n])
        of_quality = _of_any(np.vstack([felt["sigma"], felt["phi"]]))
        of_rank = of_quality | _of_any(direct)
        multipliers = solved[n:]
        if is_shared:
            load = loads.pattern("loads", name) | product(loads.pattern("loads", "vd"), solved[:n])
            multipliers = product(sharing, multipliers | product(loaded.T, load))
        z_of[name] = np.vstack([of_rates, multipliers, of_quality, of_quality, of_rank])
    return z_of


def _of_any(depends: Array) -> Array:
    """What any of several results depends on, as one row."""
    return np.logical_or.reduce(depends, axis=0, keepdims=True)


def product(a: Array, b: Array) -> Array:
    """Return what depends on what through others: the product of two tables of booleans.

    Rows of the one are put together as rows of the other say, eight entries at a time; and once,
    where they say the same.
    """
    rows = np.packbits(b, axis=1)
    known: dict[bytes, Array] = {}
    found = np.zeros((len(a), rows.shape[1]), dtype=np.uint8)
    for k, through in enumerate(a):
        key = through.tobytes()
        if key not in known:
            known[key] = np.bitwise_or.reduce(rows[through], axis=0)
        found[k] = known[key]
    return np.unpackbits(found, axis=1, count=b.shape[1]).view(bool)


@dataclass(frozen=True)
class Assembling:
    """What brings start values to the constraints, in symbols."""

    equations: Program
    start: Program
    cut_coordinates: Program  # x with the coordinates of cut joints as the bodies say


def assembled_patterns(system: System, parts: Assembling) -> dict[str, Array]:
    """On which parameters and inputs the states depend after assembly.

    Where rows are coupled with it, a coordinate is moved by the least motion of mass: it feels the
    start values, the rows and the inertia of all that it is coupled with. Elsewhere it stays.
    """
    n_q, n = len(system.state_q), len(system.state_v)
    together = coupled(parts.equations, n)
    among, has_rows = together[:n], together[:n, n:].any(axis=1, keepdims=True)
    of_joint = _velocities_of_coordinates(system)
    n_tree = len(of_joint)
    found = {}
    moved = parts.cut_coordinates
    for name in ("p", "u"):
        given = parts.start.pattern("x", name)
        felt = parts.equations.patterns({"M": n, "phi": 1, "sigma": 1}, name)
        inertia, phi, sigma = felt.values()
        phi = np.vstack([phi, np.zeros((len(sigma) - len(phi), phi.shape[1]), dtype=bool)])
        of_q = has_rows & product(
            among, np.vstack([product(of_joint.T, given[:n_tree]) | inertia, phi])
        )
        q = given[:n_q] | np.vstack([product(of_joint, of_q), np.zeros_like(given[n_tree:n_q])])
        of_x = moved.pattern("moved", "x")[n_tree:n_q, :n_tree]
        q[n_tree:] |= moved.pattern("moved", name)[n_tree:n_q] | product(of_x, q[:n_tree])
        given_v = given[n_q : n_q + n]
        direct = np.vstack([given_v | inertia | product(of_joint.T, q[:n_tree]), sigma])
        v = given_v | has_rows & product(among, direct)
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
    void = np.zeros((table.n_derived + len(table.outputs), table.n_acting), dtype=bool)
    on_ground = [j.name for j in system.spec.joints if GROUND in (j.parent, j.child)]
    if on_ground != [BASE_BODY] or not system.spec.moving_base:
        return void
    carrier = (motion for motion in table.told if motion.name == BASE_BODY)  # none: moved by time
    velocity = [k for motion in carrier for k in motion.parts["v"]]
    first = 0
    for block in table.blocks:
        rows = range(first, first + len(block.components))
        first = rows.stop
        # an expression may be made of velocities, too
        if block.stage in RATE_STAGES and block.made_of <= {*RATE_STAGES, Stage.POSITIONS}:
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
