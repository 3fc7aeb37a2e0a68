"""A mechanism led along one freedom: all positions over it, ratios, angles between links.

Ratios are exact: d(position)/d(drive) is the velocity of the position where the drive has velocity
1 and what is held has none. Angles between links are those at a point between two others. Of a
wheel with its axis n pointing outwards, x ahead and z up,

    camber = -asin(n_z)          the top leans outwards: positive
    toe    = atan2(n_x, |n_y|)   the front points inwards: positive                            (1)

Source   Haug, Computer Aided Kinematics and Dynamics (1989), ch. 3; signs of (1): ISO 8855:2011.
Checked  tests/analysis/test_kinematics.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from mbd_fmu.analysis.driven import Driven
from mbd_fmu.analysis.drivers import Driver, Now, drivers_of
from mbd_fmu.analysis.following import Start, drivers_named, started, told_by
from mbd_fmu.analysis.inverse import drives_of
from mbd_fmu.elements.places import BodyPoint
from mbd_fmu.errors import DataError, nearest
from mbd_fmu.mechanics.cuts import joint_ends
from mbd_fmu.model.spec import Spec
from mbd_fmu.reference.run import parameter_vector, split_settings
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.starts import FromParameter
from mbd_fmu.system.system import System


@dataclass(frozen=True)
class KinematicPath:
    """Positions over a drive, a row per value of it."""

    drive: str
    values: Array  # (n,)
    names: tuple[str, ...]
    positions: Array  # (n, len(names))
    ratios: Array  # likewise: d(position)/d(drive)
    derived: dict[str, Array]  # angles between links, camber, toe; in rad
    held: tuple[str, ...]
    units: dict[str, str] = field(repr=False)

    def column(self, name: str) -> Array:
        """Return a position, or what is derived."""
        if name in self.derived:
            return self.derived[name]
        return self.positions[:, self.names.index(name)]

    def ratio(self, name: str) -> Array:
        """Return d(position)/d(drive)."""
        return self.ratios[:, self.names.index(name)]


@dataclass(frozen=True)
class Pose:
    """A mechanism at a place that was asked for."""

    positions: dict[str, float]
    starts: dict[str, float]  # start values that put it there
    freedoms: tuple[str, ...]  # those that nothing asked for; they stay near where they were


def kinematic_path(
    system: System,
    drive: str,
    values: Array,
    *,
    hold: Sequence[str] = (),
    angles: Mapping[str, Sequence[str]] | None = None,
    wheels: Mapping[str, Array | None] | None = None,
    settings: Mapping[str, float] | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> KinematicPath:
    """Lead a mechanism along a coordinate, or any position, through ``values``.

    Freedoms besides are held: those named, then those that have drives, then others. ``angles``
    gives each angle the names of three joints or points; ``wheels`` bodies with their axes outwards
    in the start position, world axes; None: across (y), away from the middle.
    """
    plant, start = _put_together(system, settings)
    (driver,) = _one(system, drive)
    held = _held(plant, start, driver, hold)
    driven = Driven(plant, [driver, *held])
    every = drivers_of(system)
    derive = [*_angles(plant, angles or {}), *_wheels(plant, start, wheels or {})]
    still = driven.places(start.x, start.u)[1:]
    one = np.concatenate([np.ones(1), np.zeros(sum(d.size for d in held))])
    rows, x = [], start.x
    for value in values:
        when = f"{drive} = {value:g}"
        x = driven.moved(x, (start.u, start.u), [np.array([value]), *still], when)
        x = driven.going(x, start.u, one, when)
        now = driven.now(x, start.u)
        places = np.concatenate([d.place(now) for d in every])
        rates = np.concatenate([d.column_rates(now) for d in every])
        rows.append((places, rates, [formula(now) for _, formula in derive]))
        progress(float(value))
    names = tuple(column for d in every for column in d.columns)
    return KinematicPath(
        driver.columns[0],
        np.asarray(values, dtype=float),
        names,
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        {name: np.array([row[2][k] for row in rows]) for k, (name, _) in enumerate(derive)},
        tuple(column for d in held for column in d.columns),
        _units(every, [name for name, _ in derive]),
    )


def target_pose(
    system: System,
    targets: Mapping[str, float],
    *,
    hold: Sequence[str] = (),
    settings: Mapping[str, float] | None = None,
) -> Pose:
    """Bring a mechanism to where positions are as asked for: inverse kinematics.

    It is led there from its start, on the branch it starts on; freedoms that nothing asks for stay
    near where they were.
    """
    plant, start = _put_together(system, settings)
    held, asked = drivers_named(system, hold), drivers_named(system, targets)
    targets = _by_column(system, targets)
    if missing := [c for d in asked for c in d.columns if c not in targets]:
        raise DataError(f"a turn is told by all of its quaternion; give {', '.join(missing)}, too")
    driven = Driven(plant, [*held, *asked])
    still = driven.places(start.x, start.u)[: len(held)]
    told = [np.array([targets[column] for column in d.columns]) for d in asked]
    x = driven.moved(start.x, (start.u, start.u), [*still, *told], "target")
    now = driven.now(x, start.u)
    every = drivers_of(system)
    positions = {c: float(v) for d in every for c, v in zip(d.columns, d.place(now), strict=True)}
    return Pose(positions, _start_values(system, x), tuple(driven.untold(x, start.u)))


def led_values(given: ArrayLike) -> Array:
    """Return the values of a drive: one or more finite numbers."""
    try:
        values = np.atleast_1d(np.asarray(given, dtype=float))
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
        raise DataError("values of a drive are one or more finite numbers, in m or rad")
    return values


def unprescribed(spec: Spec) -> Spec:
    """Return a mechanism whose joints can all be led: motions are told here, not by inputs."""
    joints = (
        replace(j, drive="none", of_time=None) if j.drive == "motion" else j for j in spec.joints
    )
    return replace(spec, joints=tuple(joints))


def _put_together(system: System, settings: Mapping[str, float] | None) -> tuple[Plant, Start]:
    parameters, constant = split_settings(system, settings)
    plant = plant_of(system, parameter_vector(system, parameters))
    starts = [constant.get(v.name, v.start) for v in system.table.inputs]
    return plant, started(plant, system.acting(np.array(starts, dtype=float), plant.p))


def _one(system: System, name: str) -> list[Driver]:
    found = drivers_named(system, [name])
    if len(found) != 1 or found[0].size != 1:
        columns = [c for d in found if d.size == 1 for c in d.columns]
        remedy = f"name one of {', '.join(columns)}" if columns else "a turn has three freedoms"
        raise DataError(f'"{name}" is not one coordinate; {remedy}')
    return found


def _by_column(system: System, targets: Mapping[str, float]) -> dict[str, float]:
    """Return targets by columns: a joint of one coordinate may stand for it."""
    columns = {c for d in drivers_of(system) for c in d.columns}
    found: dict[str, float] = {}
    for name, value in targets.items():
        column = name if name in columns else _one(system, name)[0].columns[0]
        if column in found:
            raise DataError(f'"{column}" is asked for twice; give it once')
        found[column] = value
    return found


def _held(plant: Plant, start: Start, driver: Driver, hold: Sequence[str]) -> list[Driver]:
    """What stays: as named, then joints that have drives, then what else can move."""
    system = plant.system
    own = drivers_named(system, hold)
    if driver in own:
        raise DataError(f'"{driver.columns[0]}" is to lead and to be held; leave one of them out')
    joints = [system.joint(i).name for i in system.states.joints]
    driven = {name.rpartition(".")[0] for name in drives_of(system)}
    order = sorted(joints, key=lambda name: system.shown(name) not in driven)
    others = [d for d in drivers_named(system, order) if d not in (driver, *own)]
    return [*own, *told_by(plant, start, others, [driver, *own])]


def _start_values(system: System, x: Array) -> dict[str, float]:
    """Parameters that put the mechanism at x; positions that are expressions have none."""
    found = {}
    for entry, value in zip(system.table.start, x[: len(system.state_q)], strict=False):
        if isinstance(entry, FromParameter):
            found[system.table.parameters[entry.index].name] = float(value)
    return found


Formula = tuple[str, Callable[[Now], float]]


def _angles(plant: Plant, angles: Mapping[str, Sequence[str]]) -> list[Formula]:
    """Angles at the second of three points."""
    points, found = _points(plant), list[Formula]()
    for name, three in angles.items():
        if strange := [p for p in three if p not in points]:
            raise DataError(f'no joint or point "{strange[0]}"; {nearest(strange[0], points)}')
        places = [points[p] for p in three]

        def angle(now: Now, places: Sequence[BodyPoint] = tuple(places)) -> float:
            a, b, c = (now.at.motion.point(place)[0] for place in places)
            cross = float(np.linalg.norm(np.cross(a - b, c - b)))
            return float(np.arctan2(cross, (a - b) @ (c - b)))

        found.append((name, angle))
    return found


def _points(plant: Plant) -> dict[str, BodyPoint]:
    """Points that have names: of joints, as their children carry them, and of outputs."""
    spec, places = plant.system.spec, plant.tree.places
    found = {}
    for joint in spec.joints:
        M = joint_ends(joint, places).M
        found[joint.name] = BodyPoint(M.body, M.origin)
    return found | dict(zip((p.name for p in spec.points), plant.tree.points, strict=True))


def _wheels(plant: Plant, start: Start, wheels: Mapping[str, Array | None]) -> list[Formula]:
    """Camber and toe by (1)."""
    names = {plant.system.spec.bodies[k].name: i for i, k in enumerate(plant.system.forest.body)}
    at, found = plant.instant(start.x, start.u), list[Formula]()
    for name, axis in wheels.items():
        if name not in names:
            raise DataError(f'no body "{name}"; {nearest(name, names)}')
        i = names[name]
        outwards = axis
        if outwards is None:
            side = at.placed.point_W(i, plant.tree.p_BBcm[i])[1]
            outwards = np.array([0.0, -1.0 if side < 0.0 else 1.0, 0.0])
        n_B = at.placed.R_WB[i].T @ (outwards / np.linalg.norm(outwards))

        def camber(now: Now, i: int = i, n_B: Array = n_B) -> float:
            return float(-np.arcsin(np.clip((now.at.placed.R_WB[i] @ n_B)[2], -1.0, 1.0)))

        def toe(now: Now, i: int = i, n_B: Array = n_B) -> float:
            n = now.at.placed.R_WB[i] @ n_B
            return float(np.arctan2(n[0], abs(n[1])))

        found += [
            (plant.system.shown(f"{name}.camber"), camber),
            (plant.system.shown(f"{name}.toe"), toe),
        ]
    return found


def _units(every: Sequence[Driver], derived: Sequence[str]) -> dict[str, str]:
    units = {}
    for d in every:
        scalar = "rad" if d.turns[0] else "m"
        for k, column in enumerate(d.columns):
            units[column] = scalar if d.size == 1 else ("1" if k < 4 else "m")
    return units | dict.fromkeys(derived, "rad")
