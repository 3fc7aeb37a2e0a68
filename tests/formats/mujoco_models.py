"""An MJCF model in MuJoCo itself, in terms of our model of the same file.

Accelerations there: of a tree those of mj_forward, with contacts, limits, friction and clamps
switched off. Equalities are soft in MuJoCo; so with them M a = Q + J^T lambda, J a = -dJ/dt v is
solved here, by MuJoCo's mass matrix, forces, Jacobians and their rates (mj_jacDot).
"""

import dataclasses
import re
import warnings

import mujoco
import numpy as np

from mbd_fmu.formats.choices import DEFAULT
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.formats.link_places import LinkPlaces, relative

OFF = mujoco.mjtDisableBit
LEFT_OUT = re.compile("not carried|left out")
FREE = mujoco.mjtJoint.mjJNT_FREE
CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq


class Twins:
    """The same model on both roads; random states are MuJoCo's."""

    def __init__(self, path, choices=DEFAULT):
        self.opened = open_model(path, choices)
        spec = self.opened.spec
        joints = tuple(dataclasses.replace(joint, friction=()) for joint in spec.joints)
        self.spec = dataclasses.replace(spec, joints=joints)
        self.system = system_of(self.spec)
        self.plant = plant_of(self.system, self.system.nominal_parameters())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what will be deprecated
            self.model = model = mujoco.MjSpec.from_file(str(path)).compile()
        for bit in (OFF.mjDSBL_CONTACT, OFF.mjDSBL_LIMIT, OFF.mjDSBL_CLAMPCTRL):
            model.opt.disableflags |= int(bit)
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        model.dof_frictionloss[:] = 0
        model.actuator_forcelimited[:] = 0
        model.jnt_actfrclimited[:] = 0
        self.data = mujoco.MjData(model)
        self.theirs = self._pairs()
        left_out = [e.what for e in self.opened.report.noted if LEFT_OUT.search(e.text)]
        names = [f'actuator "{model.actuator(k).name}"' for k in range(model.nactuator)]
        self.carried = [k for k, name in enumerate(names) if name not in left_out]

    def _pairs(self):
        """Our joints, in the order of the forest, with the numbers MuJoCo gives them."""
        of_tree = [joint for joint in self.spec.joints if joint.kind.nv][: self.model.njnt]
        number = {joint.name: k for k, joint in enumerate(of_tree)}
        forest = self.system.forest
        joints = [self.spec.joints[k] for k in forest.joint]
        return [(i, number[j.name]) for i, j in enumerate(joints) if j.kind.nv]

    def random(self, rng):
        """Draw a state that meets all equalities, forces and signals."""
        m, d = self.model, self.data
        d.qpos[:] = m.qpos0
        mujoco.mj_integratePos(m, d.qpos, rng.uniform(-0.7, 0.7, m.nv), 1.0)
        d.qvel[:] = rng.uniform(-1, 1, m.nv)
        d.qfrc_applied[:] = 0
        d.ctrl[self.carried] = rng.uniform(-1, 1, len(self.carried))
        for _ in range(30 if m.neq else 0):
            mujoco.mj_forward(m, d)
            J = d.efc_J.reshape(-1, m.nv)
            mujoco.mj_integratePos(m, d.qpos, -np.linalg.lstsq(J, d.efc_pos)[0], 1.0)
        if m.neq:
            mujoco.mj_forward(m, d)
            assert np.abs(d.efc_pos).max(initial=0.0) < 1e-12
            J = d.efc_J.reshape(-1, m.nv)
            d.qvel[:] -= np.linalg.lstsq(J, J @ d.qvel)[0]

    def here(self):
        """Return our state and inputs of MuJoCo's."""
        m, d, forest, system = self.model, self.data, self.system.forest, self.system
        x, u = np.array(self.plant.start(), float), np.zeros(system.table.n_inputs)
        for i, k in self.theirs:
            q, v = m.jnt_qposadr[k], m.jnt_dofadr[k]
            at, rate = forest.q[i], self.rate(i)
            if m.jnt_type[k] == FREE:
                R = rotation_matrix(d.qpos[q + 3 : q + 7])
                x[at] = [*d.qpos[q + 3 : q + 7], *d.qpos[q : q + 3]]
                x[rate] = [*d.qvel[v + 3 : v + 6], *(R.T @ d.qvel[v : v + 3])]
            else:
                x[at] = d.qpos[q : q + at.stop - at.start]
                x[rate] = d.qvel[v : v + rate.stop - rate.start]
        order = self.order()
        for k, n in system.table.driven:
            if n < forest.nv:
                u[k] = d.qfrc_applied[order[n]]
        signals = [k for k, v in enumerate(system.table.inputs) if v.name.endswith(".ctrl")]
        u[signals] = d.ctrl[self.carried]
        return self.plant.cut_coordinates(x, u) if system.rows else x, u

    def rate(self, i):
        """Return where the velocities of a joint are among our states."""
        n, own = len(self.system.state_q), self.system.forest.v[i]
        return slice(n + own.start, n + own.stop)

    def order(self):
        """Return for each of our velocities the one of MuJoCo; of free joints, turns first."""
        found = np.zeros(self.system.forest.nv, int)
        for i, k in self.theirs:
            v, own = self.model.jnt_dofadr[k], self.system.forest.v[i]
            is_free = self.model.jnt_type[k] == FREE
            turned = (3, 4, 5, 0, 1, 2) if is_free else range(own.stop - own.start)
            found[own] = [v + n for n in turned]
        return found

    def worst(self, rng):
        """Largest relative differences of accelerations and places of all bodies."""
        m, d, system = self.model, self.data, self.system
        self.random(rng)
        order = self.order()
        for _, n in system.table.driven:
            if n < system.forest.nv:
                d.qfrc_applied[order[n]] = rng.uniform(-10, 10)
        mujoco.mj_forward(m, d)
        x, u = self.here()
        n = len(system.state_q)
        found = np.zeros(m.nv)
        found[order] = self.plant.derivatives(x, u)[n : n + system.forest.nv]
        for i, k in self.theirs:
            if m.jnt_type[k] == FREE:  # its velocity is in axes of the world there
                linear = slice(m.jnt_dofadr[k], m.jnt_dofadr[k] + 3)
                w, v = x[self.rate(i)].reshape(2, 3)
                R = rotation_matrix(x[system.forest.q[i]][:4])
                found[linear] = R @ (found[linear] + np.cross(w, v))
        return {
            "accelerations": relative(found, self.accelerations()),
            "places": self.places(x, u),
        }

    def accelerations(self):
        """Return qacc, of loops as if MuJoCo's equalities were rigid."""
        m, d = self.model, self.data
        if not m.neq:
            return d.qacc
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        J, drift = self.rows()
        n = len(J)
        K = np.block([[M, J.T], [J, np.zeros((n, n))]])
        # rows may say the same twice: the shortest solution has the right accelerations
        return np.linalg.lstsq(K, np.concatenate([d.qfrc_smooth, -drift]))[0][: m.nv]

    def rows(self):
        """Return the Jacobian of all equalities, and its rate times the velocities."""
        m, d = self.model, self.data
        J, drift = [], []
        for e in np.flatnonzero(d.eq_active):
            if m.eq_type[e] in (CONNECT, WELD):
                pair = [self._jacobians(b, p) for b, p in self._ends(e)]
                first, second = pair
                n = 3 if m.eq_type[e] == CONNECT or m.eq_data[e, 10] == 0 else 6
                J += list((first[0] - second[0])[:n])
                drift += list(((first[1] - second[1]) @ d.qvel)[:n])
            else:
                J.append(self._relation(e))
                drift.append(0.0)
        return np.array(J), np.array(drift)

    def _relation(self, e):
        m = self.model
        ids = (m.eq_obj1id[e], m.eq_obj2id[e])
        rows = np.zeros((2, m.nv))
        for row, k in zip(rows, ids, strict=True):
            if k < 0:
                continue
            if m.eq_type[e] == JOINT:
                row[m.jnt_dofadr[k]] = 1.0
            else:
                for n in range(m.tendon_adr[k], m.tendon_adr[k] + m.tendon_num[k]):
                    row[m.jnt_dofadr[m.wrap_objid[n]]] += m.wrap_prm[n]
        return rows[0] - m.eq_data[e, 1] * rows[1]

    def _ends(self, e):
        """Return both bodies of an equality, and its point in the world."""
        m, d = self.model, self.data
        ids = (m.eq_obj1id[e], m.eq_obj2id[e])
        if m.eq_objtype[e] == mujoco.mjtObj.mjOBJ_SITE:
            return [(m.site_bodyid[k], d.site_xpos[k]) for k in ids]
        points = m.eq_data[e, :6].reshape(2, 3)[:: 1 if m.eq_type[e] == CONNECT else -1]
        return [
            (b, d.xpos[b] + d.xmat[b].reshape(3, 3) @ p) for b, p in zip(ids, points, strict=True)
        ]

    def _jacobians(self, body, point):
        m, d = self.model, self.data
        J, rate = np.zeros((6, m.nv)), np.zeros((6, m.nv))
        mujoco.mj_jac(m, d, J[:3], J[3:], point, body)
        mujoco.mj_jacDot(m, d, rate[:3], rate[3:], point, body)
        return J, rate

    def places(self, x, u):
        """Compare frames of all bodies, merged ones too."""
        m, d = self.model, self.data
        lies = LinkPlaces(self.opened, self.system, self.plant, x, u)
        worst = 0.0
        for b in range(1, m.nbody):
            r, R = lies.of(m.body(b).name or f"body_{b}")
            worst = max(worst, relative(r, d.xpos[b]), np.abs(R - d.xmat[b].reshape(3, 3)).max())
        return worst
