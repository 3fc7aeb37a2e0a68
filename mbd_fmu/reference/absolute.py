"""A mechanism run in absolute coordinates: slow, independent, and at home in closed loops.

Start positions and velocities come from the tree; what the cut joints then miss is taken out by
projection, mass-weighted, as after every internal step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mbd_fmu.errors import MbdFmuError, Problem, SpecError
from mbd_fmu.mechanics.absolute import AbsoluteRoad, State, quaternion_rates
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.mechanics.frames import choose_frames
from mbd_fmu.mechanics.joints import JOINTS
from mbd_fmu.mechanics.tree import tree_of
from mbd_fmu.model.quantities import vector_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.reference.assemble import start_position, start_velocity
from mbd_fmu.reference.step import Stepper
from mbd_fmu.spatial import Array, rotation_matrix
from mbd_fmu.topology.connect import connected
from mbd_fmu.topology.forest import forest_of
from mbd_fmu.trajectory import Trajectory, check_columns, communication_points, schedule

CLOSED = 1e-12  # metres, or sines of angles: where Newton's method may stop
ITERATIONS = 30


@dataclass
class _ProjectedStepper(Stepper):
    """Comes back to the constraints after every internal step."""

    back: Callable[[Array], Array] = field(default=lambda x: x)

    def normalized(self, x: Array) -> Array:
        return self.back(super().normalized(x))


class AbsoluteRun:
    """Bodies in motion under constraint rows."""

    def __init__(self, spec: Spec, tolerance: float) -> None:
        refuse_unavailable(spec)
        self.spec = spec
        self.road = AbsoluteRoad(spec)
        self.n = len(spec.bodies)
        places = tuple(3 * self.n + 4 * k for k in range(self.n))
        self.stepper = _ProjectedStepper("dopri5", tolerance, 0.0, places, back=self.project)
        self.drives = {
            joint.name: np.zeros(len(JOINTS[joint.type].names.drives))
            for joint in spec.joints
            if joint.drive == "torque"
        }
        self.x = self.project(self._start())

    def state(self, x: Array) -> State:
        """Cut x into its parts."""
        n = self.n
        p, quat, v, w = np.split(x, [3 * n, 7 * n, 10 * n])
        return State(p.reshape(n, 3), quat.reshape(n, 4), v.reshape(n, 3), w.reshape(n, 3))

    def step(self, length: float) -> None:
        """Advance under drives that are held."""
        self.x = self.stepper.advance(lambda _, x: self.rate(x), length, self.x)

    def rate(self, x: Array) -> Array:
        """dx/dt."""
        state = self.state(x)
        acceleration = self.road.solve(state, self.drives).acceleration
        parts = (state.v, quaternion_rates(state.quat, state.w), *np.split(acceleration, 2, axis=1))
        return np.concatenate([part.ravel() for part in parts])

    def project(self, x: Array) -> Array:
        """Move bodies, then velocities, back on the constraints by the least motion of mass."""
        for _ in range(ITERATIONS):
            state = self.state(x)
            g = self.road.residuals(state)
            if np.abs(g).max(initial=0.0) < CLOSED:
                break
            x = self._moved(x, self._least(state, -g))
        else:
            raise MbdFmuError(self._misfit(x))
        state = self.state(x)
        J, _, _ = self.road.constraints(state)
        speed = np.hstack([state.v, state.w]).ravel()
        speed = speed + self._least(state, -(J @ speed))
        v, w = np.split(speed.reshape(self.n, 6), 2, axis=1)
        return np.concatenate([state.p.ravel(), state.quat.ravel(), v.ravel(), w.ravel()])

    def _least(self, state: State, wanted: Array) -> Array:
        """The motion (v, w of all bodies) of least mass-weighted size that gives ``wanted``."""
        J, _, _ = self.road.constraints(state)
        inverse = np.zeros((6 * self.n, 6 * self.n))
        for k, body in enumerate(self.road.bodies):
            R = rotation_matrix(state.quat[k])
            at = slice(6 * k, 6 * k + 3)
            inverse[at, at] = np.eye(3) / body.mass
            at = slice(6 * k + 3, 6 * k + 6)
            inverse[at, at] = np.linalg.inv(R @ body.inertia @ R.T)
        A = J @ inverse @ J.T
        return inverse @ J.T @ np.linalg.lstsq(A, wanted, rcond=1e-13)[0]

    def _moved(self, x: Array, motion: Array) -> Array:
        state = self.state(x)
        shift, turn = np.split(motion.reshape(self.n, 6), 2, axis=1)
        quat = state.quat + quaternion_rates(state.quat, turn)
        quat = quat / np.linalg.norm(quat, axis=1)[:, None]
        moved = np.concatenate([(state.p + shift).ravel(), quat.ravel()])
        return np.concatenate([moved, state.v.ravel(), state.w.ravel()])

    def _misfit(self, x: Array) -> str:
        state = self.state(x)
        worst = {
            link.joint.name: max((abs(row.g) for row in self.road.rows(link, state)), default=0.0)
            for link in self.road.links
        }
        listed = sorted(worst.items(), key=lambda item: -item[1])[:5]
        text = ", ".join(f'joint "{name}" by {value:.3g}' for name, value in listed)
        return f"{self.spec.name}: the joints do not close after {ITERATIONS} iterations: {text}"

    def _start(self) -> Array:
        """Place the bodies along the tree."""
        spec = connected(self.spec)
        forest = forest_of(spec)
        frames = choose_frames(spec, forest)
        tree = tree_of(spec, forest, frames, spec.nominal)
        v = vector_of(tuple(start_velocity(spec, forest, frames)), spec.nominal)
        at = Instant(tree, start_position(spec, forest), v.astype(float))
        parts: list[list[Array]] = [[], [], [], []]
        order = {k: i for i, k in enumerate(forest.body)}
        for i in (order[k] for k in range(self.n)):
            com = tree.p_BBcm[i]
            parts[0].append(at.placed.point_W(i, com))
            parts[1].append(at.placed.quat_WU[i])
            parts[2].append(at.point_velocity_W(i, com))
            parts[3].append(at.placed.R_WB[i] @ at.V_B[i][:3])
        return np.concatenate([np.array(part).ravel() for part in parts]).astype(float)

    def outputs(self) -> dict[str, float]:
        """Poses, velocities, reactions and energies, named as the FMU names them."""
        state = self.state(self.x)
        solution = self.road.solve(state, self.drives)
        found: dict[str, float] = {}
        kinetic = potential = 0.0
        for k, body in enumerate(self.spec.bodies):
            data = self.road.bodies[k]
            R = rotation_matrix(state.quat[k])
            origin = vector_of(body.origin, self.spec.nominal).astype(float)
            r = state.p[k] + R @ (origin - data.com)
            for key, value in (("r", r), ("com", state.p[k]), ("v", state.v[k]), ("w", state.w[k])):
                found |= {
                    f"{body.name}.{key}.{c}": float(a) for c, a in zip("xyz", value, strict=True)
                }
            found |= {
                f"{body.name}.quat.{c}": float(a)
                for c, a in zip("wxyz", state.quat[k], strict=True)
            }
            spin = R.T @ state.w[k]
            kinetic += (data.mass * state.v[k] @ state.v[k] + spin @ data.inertia @ spin) / 2
            potential -= data.mass * self.road.gravity @ state.p[k]
        for name, (force, torque) in solution.wrench.items():
            for key, value in (("force", force), ("torque", torque)):
                found |= {f"{name}.{key}.{c}": float(a) for c, a in zip("xyz", value, strict=True)}
        found |= {"energy.kinetic": float(kinetic), "energy.potential": float(potential)}
        J, _, _ = self.road.constraints(state)
        speed = np.hstack([state.v, state.w]).ravel()
        return found | {
            "constraint.position_error": float(np.abs(self.road.residuals(state)).max(initial=0)),
            "constraint.velocity_error": float(np.abs(J @ speed).max(initial=0)),
            "constraint.rank": float(np.linalg.matrix_rank(J, tol=1e-9)) if J.size else 0.0,
        }


def refuse_unavailable(spec: Spec) -> None:
    """Say what this formulation does not have, rather than leave it out."""
    problems = []
    remedy = "leave it out, or use the recursive formulation"
    for joint in spec.joints:
        keys = ("stiffness", "damping", "friction", "stop")
        found = [key for key in keys if getattr(joint, key)]
        if joint.drive == "motion":
            found.append('drive = "motion"')
        if found:
            where = f'joint "{joint.name}"'
            problems.append(Problem(where, f"{', '.join(found)}: not in this formulation", remedy))
    problems += [
        Problem(f'force "{force.name}"', "forces are not in this formulation", remedy)
        for force in spec.forces
    ]
    if spec.moving_base:
        problems.append(Problem("[base]", "a moving base is not in this formulation", remedy))
    problems += [
        Problem(f'body "{body.name}"', "has no mass or no inertia about some axis", remedy)
        for body, data in zip(spec.bodies, AbsoluteRoad(spec).bodies, strict=True)
        if not (data.mass > 0 and np.linalg.eigvalsh(data.inertia)[0] > 0)
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
    progress: Callable[[float], None] = lambda _: None,
) -> Trajectory:
    """Run a mechanism, loops and all, from 0 to ``stop``; inputs are held."""
    if settings:
        raise MbdFmuError("the absolute formulation takes no --set; write the value into the model")
    run = AbsoluteRun(spec, tolerance)
    places = {
        f"{joint.name}.{drive.name}": (joint.name, k)
        for joint in spec.joints
        if joint.drive == "torque"
        for k, drive in enumerate(JOINTS[joint.type].names.drives)
    }
    times = communication_points(0.0, stop, step)
    if inputs is not None:
        check_columns("inputs", inputs, places, "input")
    rows = []
    for point in schedule(times, inputs, interpolate=False):
        if inputs is not None and point.values is not None:
            for name, value in zip(inputs.names, point.values, strict=True):
                joint, n = places[name]
                run.drives[joint][n] = value
        if point.is_asked:
            rows.append(run.outputs())
            progress(point.time)
        if point.length is not None:
            run.step(point.length)
    return Trajectory(times, tuple(rows[0]), np.array([list(row.values()) for row in rows]))
