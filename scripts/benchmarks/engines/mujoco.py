"""MuJoCo: ``mj_forward``, called in a loop in C; loops by equality constraints.

Those are soft, and made as stiff as MuJoCo lets them be: its accelerations in loops are ours to a
few digits. Of points it counts how the rows change in time; of tendons, which keep distances here,
it does not: there accelerations are ours only at rest.
"""

import ctypes
from pathlib import Path

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.elements.places import WORLD
from mbd_fmu.spatial import Array
from scripts.benchmarks.c_loops import address, c_loops
from scripts.benchmarks.engines.engine import UnableError, refuse_long
from scripts.benchmarks.work import POINT, Link, State, Work

STIFF = [0.9999, 0.9999, 0.001, 0.5, 2.0]  # solimp: its greatest impedance, everywhere
_TYPES = {
    "revolute": mujoco.mjtJoint.mjJNT_HINGE,
    "universal": mujoco.mjtJoint.mjJNT_HINGE,
    "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
    "spherical": mujoco.mjtJoint.mjJNT_BALL,
    "free": mujoco.mjtJoint.mjJNT_FREE,
}


class Peer:
    """A mechanism in MuJoCo."""

    def __init__(self, work: Work) -> None:
        refuse_long(work)
        if kinds := {link.kind for link in work.links} - set(_TYPES):
            raise UnableError(f"no joint of type {', '.join(sorted(kinds))}")
        self.work = work
        # of loops: what the rows give way, ten times 1 - impedance
        self.tolerance = 1e-3 if work.ties else work.rounding
        self.has_moving_rows = all(tie.kind == POINT for tie in work.ties)
        self.model = _model(work)
        self.data = mujoco.MjData(self.model)
        library = ctypes.CDLL(str(_library()))
        self._forward, self._step = address(library.mj_forward), address(library.mj_step)

    def take(self, state: State) -> None:
        """Go to a state."""
        self.state = state
        for k, link in enumerate(self.work.links):
            i = self.model.jnt_qposadr[self._first(k)]
            j = self.model.jnt_dofadr[self._first(k)]
            q, v, effort = state.q[link.q], state.v[link.v], state.effort[link.v]
            if link.kind == "free":
                turn = Rotation.from_quat(q[:4], scalar_first=True)
                q = np.array([*(link.position + q[4:]), *q[:4]])
                v = np.array([*turn.apply(v[3:]), *v[:3]])
                effort = np.array([*turn.apply(effort[3:]), *effort[:3]])
            self.data.qpos[i : i + len(q)] = q
            self.data.qvel[j : j + len(v)] = v
            self.data.qfrc_applied[j : j + len(v)] = effort

    def _first(self, k: int) -> int:
        """First joint of link k; MuJoCo numbers bodies depth first."""
        return self.model.body(f"link{k}").jntadr[0]

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""
        mujoco.mj_forward(self.model, self.data)
        found = np.empty(self.work.system.forest.nv)
        for k, link in enumerate(self.work.links):
            j, n = self.model.jnt_dofadr[self._first(k)], link.v.stop - link.v.start
            a = self.data.qacc[j : j + n]
            if link.kind == "free":  # there along the world's axes, here along the body's
                turn = Rotation.from_quat(self.state.q[link.q][:4], scalar_first=True)
                v = self.state.v[link.v]
                a = np.array([*a[3:], *(turn.inv().apply(a[:3]) - np.cross(v[:3], v[3:]))])
            found[link.v] = a
        return found

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""
        self._repeat(self._forward, times)

    def _repeat(self, function: int, times: int) -> None:
        model, data = self.model._address, self.data._address  # noqa: SLF001  C wants them
        c_loops().repeat_forward(function, model, data, times)

    def run(self, seconds: float, steps: int) -> Array:
        """Return the coordinates after so many steps of RK4; of joints that are not free."""
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        self.model.opt.timestep = seconds / steps
        self._repeat(self._step, steps)
        found = np.empty(self.work.system.forest.nq)
        for k, link in enumerate(self.work.links):
            i = self.model.jnt_qposadr[self._first(k)]
            found[link.q] = self.data.qpos[i : i + link.q.stop - link.q.start]
        return found


def _library() -> Path:
    """The library that the package has loaded: the same functions."""
    folder = Path(mujoco.__file__).parent
    found = [p for p in folder.iterdir() if p.name.startswith(("libmujoco.", "mujoco.dll"))]
    return found[0]


def _model(work: Work) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    spec.option.gravity = work.gravity
    spec.compiler.degree = False
    bodies = {WORLD: spec.worldbody}
    for k, link in enumerate(work.links):
        bodies[k] = _body(bodies[link.parent], k, link)
    for k, tie in enumerate(work.ties):
        names = [f"tie{k}_{end}" for end in range(2)]
        for name, i, point in zip(names, tie.link, tie.point, strict=True):
            bodies[i].add_site(name=name, pos=point)
        if tie.kind == POINT:
            row = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, solimp=STIFF)
            row.objtype = mujoco.mjtObj.mjOBJ_SITE
            row.name1, row.name2 = names
        else:
            rod = spec.add_tendon(name=f"rod{k}")
            for name in names:
                rod.wrap_site(name)
            row = spec.add_equality(type=mujoco.mjtEq.mjEQ_TENDON, solimp=STIFF)
            row.name1 = f"rod{k}"
    return spec.compile()


def _body(carrier, k: int, link: Link):
    """Add a body with its joints, which turn about its origin one after the other."""
    xx, yy, zz = np.diag(link.inertia)
    body = carrier.add_body(
        name=f"link{k}",
        pos=link.position,
        quat=Rotation.from_matrix(link.turn).as_quat(scalar_first=True),
        mass=link.mass,
        ipos=link.com,
        fullinertia=[xx, yy, zz, *link.inertia[0, 1:], link.inertia[1, 2]],
        explicitinertial=True,
    )
    for n, axis in enumerate(link.axes or (np.array([0.0, 0.0, 1.0]),)):
        body.add_joint(name=f"joint{k}_{n}", type=_TYPES[link.kind], axis=axis, ref=link.reference)
    return body
