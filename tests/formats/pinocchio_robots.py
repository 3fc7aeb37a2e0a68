"""A URDF in Pinocchio, which has its own reader of it, in terms of our model of the same file."""

import numpy as np
import pinocchio as pin

from mbd_fmu.formats.choices import DEFAULT
from mbd_fmu.formats.model_files import open_model
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.formats.link_places import LinkPlaces, relative


class Twins:
    """The same robot on both roads; states are ours, in the order of our forest.

    ``ours`` is the same robot in another format, which Pinocchio does not read.
    """

    def __init__(self, path, choices=DEFAULT, ours=None):
        self.opened = open_model(ours or path, choices)
        self.spec = self.opened.spec
        self.system = system_of(self.spec)
        self.plant = plant_of(self.system, self.system.nominal_parameters())
        self.joints = [self.spec.joints[k] for k in self.system.forest.joint]
        flies = choices.base == "free"
        root = (pin.JointModelFreeFlyer(),) if flies else ()
        try:
            self.model = pin.buildModelFromUrdf(str(path), *root, mimic=True)
            self.knows_mimics = True
        except ValueError:  # of a joint that follows one it reads later: without mimics then
            self.model = pin.buildModelFromUrdf(str(path), *root)
            self.knows_mimics = False
        self.data = self.model.createData()
        names = {e.text.split('"')[1]: e.what.split('"')[1] for e in self.opened.report.renamed}
        self.theirs = {}
        for joint in self.joints:
            if joint.kind.nv and joint.parent == "ground" and flies and joint.type == "free":
                self.theirs[joint.name] = 1
            elif joint.kind.nv:
                self.theirs[joint.name] = self.model.getJointId(names.get(joint.name, joint.name))

    def random_state(self, rng):
        """Coordinates and velocities, of gears as they must be."""
        forest = self.system.forest
        q, v = rng.uniform(-1.5, 1.5, forest.nq), rng.uniform(-1, 1, forest.nv)
        for i, joint in enumerate(self.joints):
            if joint.kind.quaternion:
                at = forest.q[i].start
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
        shift = {  # from places in v to those in q, which a quaternion makes longer
            n: forest.q[i].start - forest.v[i].start
            for i in range(len(self.joints))
            for n in range(forest.v[i].start, forest.v[i].stop)
        }
        for n, (leader, ratio, offset) in self._gears().items():
            q[n + shift[n]] = ratio * q[leader + shift[leader]] + offset
            v[n] = ratio * v[leader]
        return q, v

    def _gears(self):
        """Follower -> leader, ratio, offset, by their places in v."""
        forest = self.system.forest
        place = {joint.name: i for i, joint in enumerate(self.joints)}
        found = {}
        for gear in self.spec.constraints:
            a, b = (forest.v[place[name]].start for name in gear.joints)
            found[b] = (a, float(gear.ratio), float(gear.offset))
        return found

    def independent(self):
        """G: all our velocities of those that lead; columns in the order of our forest."""
        nv = self.system.forest.nv
        gears = self._gears()
        leaders = [n for n in range(nv) if n not in gears]
        G = np.zeros((nv, len(leaders)))
        for column, n in enumerate(leaders):
            G[n, column] = 1.0
        for n, (leader, ratio, _) in gears.items():
            G[n, leaders.index(leader)] = ratio
        return G

    def passive(self, v):
        """What damping and friction add, by their meaning."""
        force = np.zeros_like(v)
        for i, joint in enumerate(self.joints):
            for n, k in enumerate(
                range(self.system.forest.v[i].start, self.system.forest.v[i].stop)
            ):
                if joint.damping:
                    force[k] -= joint.damping[n] * v[k]
                if joint.friction:
                    force[k] -= joint.friction[n] * np.tanh(v[k] / joint.friction_speed)
        return force

    def there(self, q, v):
        """Pinocchio's coordinates and velocities; and which of ours each of its velocities is."""
        forest = self.system.forest
        q_there, v_there = pin.neutral(self.model), np.zeros(self.model.nv)
        order = np.full(self.model.nv, -1)
        led = self._gears() if self.knows_mimics else {}
        for i, joint in enumerate(self.joints):
            if joint.name not in self.theirs or forest.v[i].start in led:
                continue
            other = self.model.joints[self.theirs[joint.name]]
            iq, iv, nq = other.idx_q, other.idx_v, other.nq
            mine, dof = q[forest.q[i]], np.arange(forest.v[i].start, forest.v[i].stop)
            if joint.type == "free":
                w, x, y, z, *r = mine
                q_there[iq : iq + 7] = [*r, x, y, z, w]
                order[iv : iv + 6] = [*dof[3:], *dof[:3]]
            elif joint.type == "planar":
                q_there[iq : iq + 4] = [mine[1], mine[2], np.cos(mine[0]), np.sin(mine[0])]
                order[iv : iv + 3] = [dof[1], dof[2], dof[0]]
            else:
                q_there[iq : iq + nq] = [np.cos(mine[0]), np.sin(mine[0])] if nq == 2 else mine
                order[iv] = dof[0]
        assert (order >= 0).all()
        v_there[:] = v[order]
        return q_there, v_there, order

    def worst(self, rng):
        """Largest relative differences of accelerations, mass matrix and places of all links."""
        system, forest = self.system, self.system.forest
        q, v = self.random_state(rng)
        tau = rng.uniform(-10, 10, forest.nv)
        driven = np.zeros(forest.nv)
        u = np.zeros(system.table.n_inputs)
        for k, n in system.table.driven:
            u[k] = driven[n] = tau[n]
        x = np.concatenate([q, v, np.zeros(system.nx - len(q) - len(v))])
        found = self.plant.derivatives(x, u)[len(q) : len(q) + len(v)]
        G = self.independent()
        leaders = [n for n in range(forest.nv) if n not in self._gears()]

        q_there, v_there, order = self.there(q, v)
        P = G[order]  # their velocities of those that lead
        M = pin.crba(self.model, self.data, q_there, pin.Convention.WORLD)
        M = P.T @ (np.triu(M) + np.triu(M, 1).T) @ P
        force = driven + self.passive(v)
        if self._gears():
            nle = P.T @ pin.nonLinearEffects(self.model, self.data, q_there, v_there)
            expected = np.linalg.solve(M, G.T @ force - nle)
        else:  # more digits where links weigh next to nothing
            expected = P.T @ pin.aba(self.model, self.data, q_there, v_there, force[order])
        return {
            "accelerations": relative(found[leaders], expected),
            "mass matrix": relative(G.T @ self.plant.inertia(x, u) @ G, M),
            "places": self._places(x, u, q_there),
        }

    def _places(self, x, u, q_there):
        pin.framesForwardKinematics(self.model, self.data, q_there)
        lies = LinkPlaces(self.opened, self.system, self.plant, x, u)
        worst = 0.0
        for frame in self.model.frames:
            if frame.type != pin.FrameType.BODY or frame.name == "universe":
                continue
            r, R = lies.of(frame.name)
            pose = self.data.oMf[self.model.getFrameId(frame.name, pin.FrameType.BODY)]
            worst = max(worst, relative(r, pose.translation), np.abs(R - pose.rotation).max())
        return worst
