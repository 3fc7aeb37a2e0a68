"""Robots by Pinocchio: its own reader of URDF and its own algorithms, integrated at 1e-12.

Joints that mimic are eliminated: with v = G s the motion is G^T M G s' = G^T (tau - D v - h).
"""

from xml.etree import ElementTree as ET

import numpy as np
import pinocchio as pin

from scripts.references._ode import states, table


class UrdfRobot:
    """A file; what its overlay adds is given: rotors by joint, point masses by link."""

    def __init__(self, path, *, armature=None, points=None):
        self.model = pin.buildModelFromUrdf(str(path))
        self.joints = ET.parse(path).findall("joint")
        for link, mass in (points or {}).items():
            frame = self.model.frames[self.model.getFrameId(link)]
            body = pin.Inertia(mass, np.zeros(3), np.zeros((3, 3)))
            self.model.appendBodyToJoint(frame.parentJoint, body, frame.placement)
        self.data = self.model.createData()
        for name, rotor in (armature or {}).items():
            self.model.armature[self.number(name)] = rotor
        self.damping = np.zeros(self.model.nv)
        for joint in self.joints:
            dynamics = joint.find("dynamics")
            if dynamics is not None and joint.get("type") != "fixed":
                self.damping[self.number(joint.get("name"))] = float(dynamics.get("damping", "0"))
        self.G = self._leading()

    def number(self, name):
        """Where a joint's velocity stands."""
        return self.model.joints[self.model.getJointId(name)].idx_v

    def _leading(self):
        """G: all velocities of those that lead. Offsets of mimics are not looked at."""
        G = np.eye(self.model.nv)
        followers = []
        for joint in self.joints:
            mimic = joint.find("mimic")
            if mimic is not None:
                own, leader = self.number(joint.get("name")), self.number(mimic.get("joint"))
                assert float(mimic.get("offset", "0")) == 0.0
                G[own] = 0.0
                G[own, leader] = float(mimic.get("multiplier", "1"))
                followers.append(own)
        return np.delete(G, followers, axis=1)

    def drives(self, inputs):
        """Columns of inputs by the places of the joints they drive."""
        found = np.zeros((len(inputs.time), self.model.nv))
        for name in inputs.names:
            found[:, self.number(name.rsplit(".", 1)[0])] = inputs.column(name)
        return found

    def accelerations(self, q, v, tau):
        M = pin.crba(self.model, self.data, q)
        M = np.triu(M) + np.triu(M, 1).T  # with the rotors on its diagonal
        h = pin.nonLinearEffects(self.model, self.data, q, v)
        G = self.G
        return G @ np.linalg.solve(G.T @ M @ G, G.T @ (tau - self.damping * v - h))

    def simulate(self, times, start, rate, tau):
        """Rows of q, v, a; ``start`` and ``rate`` by joints, ``tau[k]`` holds from row k on."""
        model, q, v = self.model, pin.neutral(self.model), np.zeros(self.model.nv)
        for name, value in start.items():
            joint = model.joints[model.getJointId(name)]
            q[joint.idx_q : joint.idx_q + joint.nq] = value
        for name, value in rate.items():
            joint = model.joints[model.getJointId(name)]
            v[joint.idx_v : joint.idx_v + joint.nv] = value
        nv = model.nv
        lead = np.linalg.pinv(self.G)

        # coordinates are increments from the row's start, on the manifold of the configurations
        rows, s = [], lead @ v
        for k in range(len(times)):
            v = self.G @ s
            rows.append((q, v, self.accelerations(q, v, tau[k])))
            if k + 1 == len(times):
                break

            def slope(_, x, j, q=q, k=k):
                del j
                step, v = x[:nv], self.G @ x[nv:]
                here = pin.integrate(model, q, step)
                back = np.linalg.inv(pin.dIntegrate(model, q, step, pin.ARG1))
                return np.concatenate([back @ v, lead @ self.accelerations(here, v, tau[k])])

            x = states(slope, np.concatenate([np.zeros(nv), s]), times[k : k + 2])[-1]
            q, s = pin.integrate(model, q, x[:nv]), x[nv:]
        return rows

    def signals(self, times, rows, links):
        """Coordinates and reactions of joints that turn or slide, poses of links."""
        found = {}
        for q, v, a in rows:
            model, data = self.model, self.data
            pin.forwardKinematics(model, data, q)
            pin.rnea(model, data, q, v, a)
            pin.updateFramePlacements(model, data)
            row = {}
            for joint in self.joints:
                name = joint.get("name")
                if joint.get("type") in ("fixed", "floating"):
                    continue
                i = model.getJointId(name)
                place, n = model.joints[i].idx_q, self.number(name)
                row |= {f"{name}.q": q[place], f"{name}.qd": v[n], f"{name}.qdd": a[n]}
                R, (force, torque) = data.oMi[i].rotation, (data.f[i].linear, data.f[i].angular)
                axis = np.array([float(x) for x in joint.find("axis").get("xyz").split()])
                axis /= np.linalg.norm(axis)
                if joint.get("type") == "prismatic":
                    force = force - axis * (axis @ force)
                else:
                    torque = torque - axis * (axis @ torque)
                row |= {f"{name}.force": R @ force, f"{name}.torque": R @ torque}
            for link in links:
                at = data.oMf[model.getFrameId(link)]
                x, y, z, w = pin.Quaternion(at.rotation).coeffs()
                row |= {f"{link}.r": at.translation.copy(), f"{link}.quat": np.array([w, x, y, z])}
            for name, value in row.items():
                found.setdefault(name, []).append(value)
        for link in links:  # signs of quaternions run on
            quats = found[f"{link}.quat"]
            for k in range(1, len(quats)):
                quats[k] = quats[k] * (1.0 if quats[k] @ quats[k - 1] >= 0.0 else -1.0)
        return table(times, {name: np.array(values) for name, values in found.items()})
