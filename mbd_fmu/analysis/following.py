"""A motion that a table tells, followed: states and accelerations of the whole mechanism.

Columns are taken one after the other, joints first, then points, then bodies, as long as each tells
a freedom that those before it did not. The others follow: what they say is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mbd_fmu.analysis.driven import DETERMINED, Driven
from mbd_fmu.analysis.drivers import Driver, drivers_of
from mbd_fmu.analysis.told import Told, motion_columns, told, told_inputs, with_rates
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.reference.assembly import NUDGE, Assembly
from mbd_fmu.signals.trajectory import Trajectory, few
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant
from mbd_fmu.system.system import System

WELL = 1e-2  # of the largest singular value: what tells a freedom well


@dataclass(frozen=True)
class Start:
    """A mechanism put together: its state, and the rank of its constraints in general position."""

    x: Array
    u: Array
    beside: Array  # a position a little further on, where nothing is singular by chance
    generic_rank: int | None


@dataclass(frozen=True)
class Followed:
    """A motion, a row per instant."""

    time: Array
    x: Array
    u: Array  # all that acts, as told
    vd: Array  # of the free velocities
    generic_rank: int | None
    told: tuple[str, ...]  # what it was told by,
    held: tuple[str, ...]  # what was held,
    differences: dict[str, float]  # by how much the table differs in what follows from that,
    unused: tuple[str, ...]  # and columns that tell no motion


def started(plant: Plant, u: Array) -> Start:
    """Put the mechanism together with its start values."""
    x = plant.start().astype(float)
    if not plant.system.rows:
        n = len(plant.system.state_v)
        return Start(x, u, plant.retract(x, u, NUDGE / (1.0 + np.arange(n))), None)
    assembly = Assembly(plant, u)
    found = assembly.assemble(x)
    return Start(found.x, u, assembly.beside(found.x), found.generic_rank.all)


def told_by(
    plant: Plant, start: Start, candidates: Iterable[Driver], first: Sequence[Driver] = ()
) -> list[Driver]:
    """Return those that tell a freedom more than those before; ``first`` are taken anyway.

    Joints come first: tables have their rates, too. Then those that tell as many freedoms as they
    have rows, so that nothing is told twice where that can be. What tells a freedom well is taken
    before what hardly does; a start may be singular by chance, as a straight arm is, and what is
    missing there is looked for beside it.
    """
    every = [*first, *candidates]
    driven, taken = Driven(plant, every), list(range(len(first)))
    rest = range(len(first), len(every))
    joints, others = ([k for k in rest if every[k].of_joint == own] for own in (True, False))
    for x, share in ((start.x, WELL), (start.x, DETERMINED), (start.beside, DETERMINED)):
        held, tells = driven.scaled_rows(x, start.u)
        rank = _rank([held, *(tells[k] for k in taken)], share)
        for group, whole in ((joints, False), (others, True), (others, False)):
            for k in group:
                if rank == len(plant.system.state_v) or k in taken:
                    continue
                more = _rank([held, *(tells[n] for n in taken), tells[k]], share)
                if more >= rank + (every[k].size if whole else 1):
                    taken, rank = [*taken, k], more
    return [every[k] for k in taken[len(first) :]]


def _rank(parts: Sequence[Array], share: float) -> int:
    """How many singular values are above a share of the largest."""
    A = np.concatenate(list(parts))
    sigma = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    return int(np.sum(sigma > share * sigma.max(initial=0.0)))


def drivers_named(system: System, names: Iterable[str]) -> list[Driver]:
    """Return what is meant by names of joints or of columns."""
    every = drivers_of(system)
    by_name = {column: [driver] for driver in every for column in driver.columns}
    for i in system.states.joints:
        joint = system.joint(i)
        own = {system.shown(f"{joint.name}.{c.name}") for c in joint.kind.names.positions}
        by_name.setdefault(joint.name, [d for d in every if own & set(d.columns)])
    found: dict[int, Driver] = {}
    for name in names:
        if name not in by_name:
            raise DataError(f'no joint or position "{name}"; {nearest(name, by_name)}')
        found |= {id(driver): driver for driver in by_name[name]}
    return list(found.values())


def follow(
    plant: Plant,
    table: Trajectory,
    *,
    hold: Sequence[str] = (),
    progress: Callable[[float], None] = lambda _: None,
) -> Followed:
    """Follow what a table tells, from the start values; what is held stays where it starts."""
    system = plant.system
    u = with_rates(system, table, told_inputs(system, table, plant.p))
    start = started(plant, u[0])
    held = drivers_named(system, hold)
    every = [d for d in drivers_of(system) if all(column in table for column in d.columns)]
    chosen = told_by(plant, start, every, held)
    driven = Driven(plant, [*held, *chosen])
    _refuse_untold(driven, start)
    n, places = len(table.time), driven.places(start.x, start.u)
    tells = [_still(d, p, n) for d, p in zip(held, places, strict=False)]
    tells += [told(driver, table) for driver in chosen]
    x, before = start.x, start.u
    rows: list[tuple[Array, Array]] = []
    for k, t in enumerate(table.time):
        when = f"t = {t:g}"
        x = driven.moved(x, (before, u[k]), [tell.place[k] for tell in tells], when)
        x = driven.going(x, u[k], _stacked([tell.rate[k] for tell in tells]), when)
        vd = driven.accelerating(x, u[k], _stacked([tell.acceleration[k] for tell in tells]), when)
        rows.append((x, vd))
        before = u[k]
        progress(float(t))
    states = np.array([row[0] for row in rows])
    rest = [driver for driver in every if driver not in chosen]
    return Followed(
        table.time,
        states,
        u,
        np.array([row[1] for row in rows]),
        start.generic_rank,
        tuple(column for driver in chosen for column in driver.columns),
        tuple(column for driver in held for column in driver.columns),
        _differences(Driven(plant, rest), table, states, u),
        _unused(system, table, every),
    )


def _refuse_untold(driven: Driven, start: Start) -> None:
    if names := driven.untold(start.beside, start.u):
        joints = dict.fromkeys(name.partition(".")[0] for name in names)
        remedy = " ".join(f"--hold {name}" for name in joints)
        raise DataError(
            f"nothing tells how {few(names)} moves; add columns of it, or let it rest: {remedy}"
        )


def _still(driver: Driver, place: Array, n: int) -> Told:
    """What does not move."""
    zeros = np.zeros((n, driver.size))
    return Told(np.tile(place, (n, 1)), zeros, zeros)


def _stacked(parts: Sequence[Array]) -> Array:
    return np.concatenate([np.zeros(0), *parts])


def _differences(driven: Driven, table: Trajectory, x: Array, u: Array) -> dict[str, float]:
    """By how much the table differs from what follows, at most; of a turn, by its angle."""
    found: dict[str, float] = {}
    for k in range(len(x)):
        now = driven.now(x[k], u[k])
        for driver in driven.drivers:
            value = np.array([table.column(name)[k] for name in driver.columns])
            miss = float(np.abs(driver.miss(now, value)[0]).max())
            found[driver.name] = max(found.get(driver.name, 0.0), miss)
    return found


def _unused(system: System, table: Trajectory, every: Iterable[Driver]) -> tuple[str, ...]:
    """Columns that tell no motion, and are no input."""
    used = {name for d in every for name in (*d.columns, *d.rates, *d.accelerations)}
    used |= {v.name for v in system.table.inputs}
    for motion in system.table.told:
        used |= set(motion_columns(system, motion))
    return tuple(name for name in table.names if name not in used)
