"""A mechanism run in absolute coordinates: slow, independent, and at home in closed loops.

Start positions and velocities come from the tree; what cut joints and constraints then miss is
taken out by projection, mass-weighted, as after every internal step: positions on the rows that
have any, then velocities on all of them.

Source   [004]; Gauss' principle (1829) for the metric of projections.
Checked  tests/laws/test_absolute_run.py, tests/laws/test_loop_roads.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from mbd_fmu.elements.motion_of_time import BY_TIME
from mbd_fmu.errors import MbdFmuError, Problem, SpecError
from mbd_fmu.mechanics.frames import choose_frames
from mbd_fmu.mechanics.kinematics import BodyMotion, point_velocity
from mbd_fmu.mechanics.reactions import characteristic_length
from mbd_fmu.mechanics.tree import tree_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.oracle.equations import AbsoluteRoad, Moment, rank_of
from mbd_fmu.oracle.jets import State
from mbd_fmu.oracle.motion import Inputs, start_motion
from mbd_fmu.oracle.outputs import of_bodies, of_joint
from mbd_fmu.quantities.vectors import vector_of
from mbd_fmu.reference.step import Stepper
from mbd_fmu.signals.schedule import communication_points, schedule
from mbd_fmu.signals.trajectory import Trajectory, check_columns
from mbd_fmu.spatial import Array
from mbd_fmu.system.start_values import start_position, start_velocity
from mbd_fmu.topology.forest import forest_of

CLOSED = 1e-12  # metres, or sines of angles: where Newton's method may stop
AGREED = 1e-9  # metres or radians per second, as a share of the velocities: they fit together
ITERATIONS = 30
EXTRA = 3  # states beside those of the bodies: work, dissipated energy, time since the step began


@dataclass
class _ProjectedStepper(Stepper):
    """Comes back to the constraints after every internal step."""

    back: Callable[[Array], Array] = field(default=lambda x: x)

    def normalized(self, x: Array) -> Array:
        return self.back(super().normalized(x))


class AbsoluteRun:
    """Bodies in motion under constraint rows.

    Angles are counted over many turns from where they were after the last internal step; a joint
    turns by less than half a turn in one. The rank of the rows is found where they hold, and kept
    in between, where rows that say the same seem to say different things.
    """

    def __init__(self, spec: Spec, tolerance: float, *, frame: str = "fixed") -> None:
        refuse_unavailable(spec)
        self.road = AbsoluteRoad(spec, frame=frame)
        self.spec = self.road.spec
        self.n = len(self.spec.bodies)
        places = tuple(3 * self.n + 4 * k for k in range(self.n))
        self.stepper = _ProjectedStepper("dopri5", tolerance, 0.0, places, back=self.project)
        self.inputs = self.road.start_inputs()
        self.near = {
            j.name: vector_of(j.position or j.drawn_position, spec.nominal).astype(float)
            if j.of_time is None
            else j.of_time.start(j.kind.layout, spec.nominal).q
            for j in self.spec.joints
        }
        self.rank: int | None = None
        self.rank_of_positions: int | None = None
        forest = forest_of(self.spec)
        frames = choose_frames(self.spec, forest)
        self.tree = tree_of(self.spec, forest, frames, spec.nominal)
        v = vector_of(tuple(start_velocity(self.spec, forest, frames)), spec.nominal).astype(float)
        q = vector_of(tuple(start_position(self.spec, forest, frames)), spec.nominal).astype(float)
        self.x = self._started(q, v)

    def set(self, values: Mapping[str, float]) -> None:
        """Give inputs new values.

        What is told where to be is there at once, and carries along what hangs on it: the other
        joints of the tree keep their coordinates.
        """
        places = self.inputs.places(self.spec)
        for name, value in values.items():
            kept, at = places[name]
            kept[at] = value
        if not self.inputs.motions:
            return
        forest, moment = self.tree.forest, self.moment(self.x)
        q, v = self._tree_coordinates(moment)
        for i, k in enumerate(forest.joint):
            name = moment.pairs[k].link.joint.name
            if name in self.inputs.motions:
                prescribed = self.inputs.motions[name].prescribed()
                q[forest.q[i]], v[forest.v[i]] = prescribed.q, prescribed.v
                self.near[name] = prescribed.q  # in the turn that is meant
        self.x = self.project(self._placed(q, v, self.x[-EXTRA:]))

    def state(self, x: Array) -> State:
        """Cut x into its parts."""
        n = self.n
        p, quat, v, w = np.split(x[:-EXTRA], [3 * n, 7 * n, 10 * n])
        parts = (p.reshape(n, 3), quat.reshape(n, 4), v.reshape(n, 3), w.reshape(n, 3))
        return State(*parts, self.near)

    def moment(self, x: Array) -> Moment:
        """The mechanism at x; x knows how long ago the inputs were set."""
        return self.road.moment(self.state(x), self.inputs.later(x[-1]))

    def step(self, length: float) -> None:
        """Advance under inputs that are held, motions going on."""
        self.x = self.stepper.advance(lambda _, x: self.rate(x), length, self.x)
        self.inputs = self.inputs.later(length)
        self.x[-1] = 0.0

    def rate(self, x: Array) -> Array:
        """dx/dt."""
        moment = self.moment(x)
        solution = moment.solve(rank=self.rank)
        state = moment.state
        turning = self.road.quaternion_rates(state, state.w)
        parts = (state.v, turning, *np.split(solution.acceleration, 2, axis=1))
        extra = (*moment.powers(solution), 1.0)
        return np.concatenate([*(part.ravel() for part in parts), extra])

    def project(self, x: Array) -> Array:
        """Move bodies, then velocities, back on the constraints by the least motion of mass."""
        x, moment = self._closed(x, self.inputs.later(x[-1]), self.rank_of_positions)
        self.near = _coordinates(moment)
        self.rank, self.rank_of_positions = rank_of(moment.rows), rank_of(moment.position_rows)
        return self._going(x, moment)

    def _started(self, q: Array, v: Array) -> Array:
        """Close the loops at the start: positions first, then velocities.

        Start values that were given stay if the others can make up for it, fixed ones in any case.
        """
        none = np.zeros(EXTRA)
        x = self._placed(q, v, none)
        try:
            _, moment = self._closed(x, self._held(x, "position", given=True))
        except MbdFmuError:
            _, moment = self._closed(x, self._held(x, "position", given=False))
        self.near = _coordinates(moment)
        x = self._placed(self._tree_coordinates(moment)[0], v, none)
        for given in (True, False):
            moment = self.road.moment(self.state(x), self._held(x, "velocity", given=given))
            going = self._going(x, moment)
            missed = moment.rows.value + moment.rows.J @ (self.state(going).u - moment.state.u)
            if np.abs(missed).max(initial=0.0) < AGREED * max(1.0, np.abs(v).max(initial=0.0)):
                break
        return self.project(going)

    def _closed(self, x: Array, held: Inputs, rank: int | None = None) -> tuple[Array, Moment]:
        """Bodies that meet; rows of a known rank are taken for that at first."""
        for k in range(ITERATIONS):
            moment = self.road.moment(self.state(x), held)
            if np.abs(moment.residuals).max(initial=0.0) < CLOSED:
                return x, moment
            # a rank found in a singular position is too small elsewhere
            known = rank if k < ITERATIONS // 2 else None
            x = self._moved(x, moment.least(-moment.residuals, moment.position_rows, known))
        raise MbdFmuError(self._misfit(moment))

    def _going(self, x: Array, moment: Moment) -> Array:
        """Velocities that the constraints allow."""
        u = moment.state.u + moment.least(-moment.rows.value, moment.rows, rank_of(moment.rows))
        v, w = np.split(u.reshape(self.n, 6), 2, axis=1)
        return np.concatenate([x[: 7 * self.n], v.ravel(), w.ravel(), x[-EXTRA:]])

    def _held(self, x: Array, level: str, *, given: bool) -> Inputs:
        """Inputs with which joints stay at the start values of a level: fixed ones, or given."""
        motions = dict(self.inputs.motions)
        for k, pair in enumerate(self.moment(x).pairs):
            joint, free = pair.link.joint, pair.freedoms
            in_tree = k in self.tree.forest.joint
            stays = joint.fixed or (given and in_tree and getattr(joint, level) is not None)
            if stays and joint.drive != "motion":
                q = tuple(free.q) if level == "velocity" else joint.position
                v = joint.velocity or tuple(free.rate.value)
                held = replace(joint, position=q, velocity=v)
                motions[joint.name] = start_motion(held, self.spec.nominal)
        return replace(self.inputs, motions=motions)

    def _tree_coordinates(self, moment: Moment) -> tuple[Array, Array]:
        """q and v of the joints of the tree, in its order."""
        forest = self.tree.forest
        q, v = np.zeros(forest.nq), np.zeros(forest.nv)
        for i, k in enumerate(forest.joint):
            free = moment.pairs[k].freedoms
            q[forest.q[i]], v[forest.v[i]] = free.q, free.rate.value
        return q, v

    def _moved(self, x: Array, motion: Array) -> Array:
        state = self.state(x)
        shift, turn = np.split(motion.reshape(self.n, 6), 2, axis=1)
        quat = state.quat + self.road.quaternion_rates(state, turn)
        quat = quat / np.linalg.norm(quat, axis=1)[:, None]
        return np.concatenate([(state.p + shift).ravel(), quat.ravel(), x[7 * self.n :]])

    def _misfit(self, moment: Moment) -> str:
        worst = [(np.abs(e.rows.g).max(initial=0.0), e.kind, e.name) for e in moment.elements]
        listed = sorted(worst, reverse=True)[:5]
        text = ", ".join(f'{kind} "{name}" by {value:.3g}' for value, kind, name in listed)
        return f"{self.spec.name}: the joints do not close after {ITERATIONS} iterations: {text}"

    def _placed(self, q: Array, v: Array, extra: Array) -> Array:
        """Place the bodies along the tree; q and v in its order."""
        motion = BodyMotion(self.tree, q, v)
        order = {k: i for i, k in enumerate(self.tree.forest.body)}
        parts: list[list[Array]] = [[], [], [], []]
        for i in (order[k] for k in range(self.n)):
            R, quat, w = motion.turning(i)
            com = self.tree.p_BBcm[i]
            velocity = motion.placed.R_WB[i] @ point_velocity(motion.V_B[i], com)
            in_axes = R.T @ w if self.road.frame == "body" else w
            values = (motion.placed.point_W(i, com), quat, velocity, in_axes)
            for part, value in zip(parts, values, strict=True):
                part.append(value)
        placed = np.concatenate([np.array(part).ravel() for part in parts]).astype(float)
        return np.concatenate([placed, extra])

    def outputs(self) -> dict[str, float]:
        """Everything the FMU puts out, under its names, and more of the constraints."""
        moment = self.moment(self.x)
        solution = moment.solve(rank=self.rank, length=characteristic_length(self.spec))
        found = dict(of_bodies(self.spec, moment))
        for pair in moment.pairs:
            found |= of_joint(pair, moment, solution)
        for name, lam in solution.reactions.lam.items():
            found |= {f"{name}.lambda[{i}]": float(x) for i, x in enumerate(lam, start=1)}
        return found | {
            "energy.kinetic": moment.kinetic_energy(),
            "energy.potential": moment.potential_energy(),
            "energy.input_work": float(self.x[-3]),
            "energy.dissipated": float(self.x[-2]),
            "constraint.position_error": float(np.abs(moment.residuals).max(initial=0)),
            "constraint.velocity_error": float(np.abs(moment.rows.value).max(initial=0)),
            "constraint.rank": float(rank_of(moment.rows)),
        }


def _coordinates(moment: Moment) -> dict[str, Array]:
    """What each joint is at."""
    return {pair.link.joint.name: pair.freedoms.q for pair in moment.pairs}


def refuse_unavailable(spec: Spec) -> None:
    """Say what this formulation does not have, rather than leave it out."""
    remedy = "give it some, fix it to another body, or use the recursive formulation"
    bodies = AbsoluteRoad(replace(spec, moving_base=False)).bodies
    problems = [
        Problem(f'body "{body.name}"', "has no mass or no inertia about some axis", remedy)
        for body, data in zip(spec.bodies, bodies, strict=True)
        if not (data.mass > 0 and np.linalg.eigvalsh(data.inertia)[0] > 0)
    ]
    led = [(f'joint "{joint.name}"', joint.motion) for joint in spec.joints]
    led += [("[base]", spec.base_motion)] if spec.moving_base else []
    problems += [
        Problem(
            f"{where}, motion",
            f"the absolute formulation makes no rates of a {motion}",
            'write "full", or use the recursive formulation',
        )
        for where, motion in led
        if motion not in ("full", BY_TIME)
    ]
    if problems:
        raise SpecError(spec.name, problems)


def simulate_absolute(
    spec: Spec,
    *,
    stop: float,
    step: float,
    inputs: Trajectory | None = None,
    settings: Mapping[str, float] | None = None,
    tolerance: float = 1e-6,
    frame: str = "fixed",
    progress: Callable[[float], None] = lambda _: None,
) -> Trajectory:
    """Run a mechanism, loops and all, from 0 to ``stop``; inputs are held."""
    if settings:
        raise MbdFmuError("the absolute formulation takes no --set; write the value into the model")
    run = AbsoluteRun(spec, tolerance, frame=frame)
    times = communication_points(0.0, stop, step)
    if inputs is not None:
        check_columns("inputs", inputs, run.inputs.places(run.spec), "input")
    rows = []
    for point in schedule(times, inputs, interpolate=False):
        if inputs is not None and point.values is not None:
            run.set(dict(zip(inputs.names, point.values, strict=True)))
        if point.is_asked:
            rows.append(run.outputs())
            progress(point.time)
        if point.length is not None:
            run.step(point.length)
    return Trajectory(times, tuple(rows[0]), np.array([list(row.values()) for row in rows]))
