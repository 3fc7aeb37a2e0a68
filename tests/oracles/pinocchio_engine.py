"""A second engine: a specification rebuilt in Pinocchio, which shares no line with ours.

Only the user's numbers go over: points, axes, masses. Pinocchio's frames sit at the joint points
with the axes of the user's frames; ours do not.
"""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from mbd_fmu.elements.places import GROUND
from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.model.spec import Spec
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import quaternion_of, unit_vector_of, vector_of
from mbd_fmu.signals.trajectory import Trajectory

ENGINE_TYPES = (
    *("revolute", "prismatic", "rigid", "free", "spherical", "helical", "universal"),
    "translational",
)


@dataclass(frozen=True)
class Mapping:
    """Where a joint of ours is in Pinocchio; rigid ones are merged into their carrier."""

    joint: int  # Pinocchio's joint that carries the child
    to_joint: pin.SE3  # the child's joint frame, placed in that joint's frame


class PinocchioEngine:
    """Open trees of rigid, revolute, prismatic and free joints, listed from the ground outward."""

    def __init__(self, spec: Spec, parameters: dict[str, float] | None = None) -> None:
        self.spec = spec
        self.p = {**spec.nominal, **(parameters or {})}
        self.model = pin.Model()
        self.model.gravity = pin.Motion(vector_of(spec.gravity, self.p).astype(float), np.zeros(3))
        self.place: dict[str, Mapping] = {GROUND: Mapping(0, pin.SE3.Identity())}
        self.point = {GROUND: np.zeros(3)}  # joint point of each body in its frame U
        bodies = {body.name: body for body in spec.bodies}
        for joint in spec.joints:
            self._add(joint, bodies[joint.child])
        self.without_rotors = self.model.copy()
        self.model.armature = self._armature()
        self.data = self.model.createData()

    def _add(self, joint, body) -> None:
        axis = unit_vector_of(joint.axis, self.p).astype(float) if joint.axis else np.zeros(3)
        model = {
            "revolute": lambda: pin.JointModelRevoluteUnaligned(axis),
            "prismatic": lambda: pin.JointModelPrismaticUnaligned(axis),
            "free": pin.JointModelFreeFlyer,
            "spherical": pin.JointModelSpherical,
            "translational": pin.JointModelTranslation,
            "helical": lambda: pin.JointModelHelicalUnaligned(
                axis, float(value_of(joint.own[0], self.p)) / (2 * np.pi)
            ),
            "universal": lambda: pin.JointModelUniversal(
                axis, unit_vector_of(joint.axis2, self.p).astype(float)
            ),
            "rigid": lambda: None,
        }[joint.type]()
        w, x, y, z = quaternion_of(joint.orientation, self.p)
        R = pin.Quaternion(float(w), float(x), float(y), float(z)).toRotationMatrix()
        point_P = vector_of(joint.point, self.p).astype(float) - self.point[joint.parent]
        self.point[joint.child] = vector_of(joint.point2, self.p).astype(float)
        carrier = self.place[joint.parent]
        placement = carrier.to_joint * pin.SE3(R, point_P)
        if model is None:
            self.place[joint.child] = Mapping(carrier.joint, placement)
        else:
            number = self.model.addJoint(carrier.joint, model, placement, joint.name)
            self.place[joint.child] = Mapping(number, pin.SE3.Identity())
        here = self.place[joint.child]
        com = vector_of(body.com, self.p).astype(float) - self.point[joint.child]
        inertia = pin.Inertia(
            float(value_of(body.mass, self.p)), com, inertia_of(body, self.p).astype(float)
        )
        self.model.appendBodyToJoint(here.joint, inertia, here.to_joint)

    def _armature(self):
        """Rotor inertias in Pinocchio's order; of a free joint, what slides comes first there."""
        found = np.zeros(self.model.nv)
        for joint, _, iv, _, _ in self._joints():
            if joint.armature:
                own = vector_of(joint.armature, self.p).astype(float)
                found[iv : iv + len(own)] = np.roll(own, 3) if joint.type == "free" else own
        return found

    def _joints(self):
        """Our joints with freedoms, with their places in Pinocchio's q and v and in ours."""
        at_q = at_v = 0
        for joint in self.spec.joints:
            if joint.type == "rigid":
                continue
            n = self.place[joint.child].joint
            nq, nv = joint.kind.nq, joint.kind.nv
            yield joint, self.model.joints[n].idx_q, self.model.joints[n].idx_v, at_q, at_v
            at_q, at_v = at_q + nq, at_v + nv

    def coordinates(self, q, v):
        """Ours -> Pinocchio's; ours are in the order of the model's joints."""
        q_pin, v_pin = np.zeros(self.model.nq), np.zeros(self.model.nv)
        for joint, iq, iv, at_q, at_v in self._joints():
            if joint.type == "free":
                w, x, y, z, *r = q[at_q : at_q + 7]
                q_pin[iq : iq + 7] = [*r, x, y, z, w]
                v_pin[iv : iv + 6] = [*v[at_v + 3 : at_v + 6], *v[at_v : at_v + 3]]
            elif joint.type == "spherical":
                w, x, y, z = q[at_q : at_q + 4]
                q_pin[iq : iq + 4], v_pin[iv : iv + 3] = [x, y, z, w], v[at_v : at_v + 3]
            else:
                n = joint.kind.nq
                q_pin[iq : iq + n], v_pin[iv : iv + n] = q[at_q : at_q + n], v[at_v : at_v + n]
                q_pin[iq] -= float(value_of(joint.reference, self.p))
        return q_pin, v_pin

    def velocities_back(self, v_pin):
        """Pinocchio's -> ours, of velocities, accelerations and forces."""
        v = []
        for joint, _, iv, _, _ in self._joints():
            n = joint.kind.nv
            part = v_pin[iv : iv + n]
            v += [*part[3:], *part[:3]] if joint.type == "free" else [*part]
        return np.array(v)

    def accelerations(self, q, v, tau):
        q_pin, v_pin = self.coordinates(q, v)
        _, tau_pin = self.coordinates(q, tau)
        return self.velocities_back(pin.aba(self.model, self.data, q_pin, v_pin, tau_pin))

    def inertia(self, q):
        """Columns from its inverse dynamics: its CRBA wants joints in depth-first order."""
        zero = np.zeros(self.model.nv)
        q_pin, _ = self.coordinates(q, zero)
        rest = pin.rnea(self.model, self.data, q_pin, zero, zero).copy()
        columns = [
            pin.rnea(self.model, self.data, q_pin, zero, e).copy() - rest
            for e in np.eye(self.model.nv)
        ]
        H = np.array(columns).reshape(self.model.nv, self.model.nv)
        order = np.array(
            [int(i) for i in self.velocities_back(np.arange(self.model.nv))], dtype=int
        )
        return H[np.ix_(order, order)]

    def outputs(self, q, v, vd) -> dict[str, np.ndarray]:
        """Signals of an FMU by the names of their vectors."""
        q_pin, v_pin = self.coordinates(q, v)
        _, a_pin = self.coordinates(q, vd)
        pin.rnea(self.model, self.data, q_pin, v_pin, a_pin)
        pin.forwardKinematics(self.model, self.data, q_pin, v_pin)
        found = {}
        for body in self.spec.bodies:
            here = self.place[body.name]
            pose = self.data.oMi[here.joint] * here.to_joint
            com = vector_of(body.com, self.p).astype(float) - self.point[body.name]
            found[f"{body.name}.com"] = pose.act(com)
            origin = vector_of(body.origin, self.p).astype(float) - self.point[body.name]
            found[f"{body.name}.r"] = pose.act(origin)
            x, y, z, w = pin.Quaternion(pose.rotation).coeffs()
            found[f"{body.name}.quat"] = np.array([w, x, y, z])
        for joint, *_ in self._joints():
            n = self.place[joint.child].joint
            R, F = self.data.oMi[n].rotation, self.data.f[n]
            axis = unit_vector_of(joint.axis, self.p).astype(float) if joint.axis else np.zeros(3)
            force, torque = F.linear, F.angular
            torque, force = self._without_drive(joint, n, q_pin, axis, torque, force)
            found[f"{joint.name}.force"], found[f"{joint.name}.torque"] = R @ force, R @ torque
        # Pinocchio's kinetic energy has the rotors of some types of joints, and not of others
        of_bodies = pin.computeKineticEnergy(self.without_rotors, self.data, q_pin, v_pin)
        of_rotors = self.model.armature @ v_pin**2 / 2
        found["energy.kinetic"] = np.array([of_bodies + of_rotors])
        # Pinocchio leaves out what is welded to the ground
        fixed = sum(
            float(value_of(body.mass, self.p))
            * (self.model.gravity.linear @ found[f"{body.name}.com"])
            for body in self.spec.bodies
            if self.place[body.name].joint == 0
        )
        potential = pin.computePotentialEnergy(self.model, self.data, q_pin)
        found["energy.potential"] = np.array([potential - fixed])
        return found

    def _without_drive(self, joint, n, q_pin, axis, torque, force):
        """What does no work, by the meaning of each joint; in axes of the child."""
        if joint.type == "revolute":
            torque = torque - axis * (axis @ torque)
        elif joint.type == "prismatic":
            force = force - axis * (axis @ force)
        elif joint.type == "spherical":
            torque = np.zeros(3)
        elif joint.type == "translational":
            force = np.zeros(3)
        elif joint.type == "helical":  # the drive is what turns it against both
            lead = float(value_of(joint.own[0], self.p)) / (2 * np.pi)
            torque = torque - axis * (axis @ torque + lead * (axis @ force))
        elif joint.type == "universal":  # only about the common normal of both axes
            second = unit_vector_of(joint.axis2, self.p).astype(float)
            angle = q_pin[self.model.joints[n].idx_q + 1]
            first = pin.exp3(-second * angle) @ axis
            normal = np.cross(first, second) / np.linalg.norm(np.cross(first, second))
            torque = normal * (normal @ torque)
        return torque, force

    def simulate(self, q, v, inputs: Trajectory, damping=0.0) -> Trajectory:
        """One-freedom joints under held torques, by scipy's DOP853 at 1e-12 over each row."""
        joints = [joint for joint, *_ in self._joints()]
        drive = [f"{j.name}.{'tau' if j.type == 'revolute' else 'f'}" for j in joints]
        rows, n = [], len(joints)
        x = np.concatenate([q, v])
        for k, t in enumerate(inputs.time):
            tau = np.array([inputs.column(name)[k] if name in inputs else 0.0 for name in drive])

            def rate(_, x, tau=tau):
                return np.concatenate(
                    [x[n:], self.accelerations(x[:n], x[n:], tau - damping * x[n:])]
                )

            vd = rate(t, x)[n:]
            rows.append(self._row(joints, x[:n], x[n:], vd))
            if k + 1 < len(inputs.time):
                span = (0.0, inputs.time[k + 1] - t)
                x = solve_ivp(rate, span, x, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
        return Trajectory(inputs.time, tuple(rows[0]), np.array([list(r.values()) for r in rows]))

    def _row(self, joints, q, v, vd) -> dict[str, float]:
        row = {}
        for k, joint in enumerate(joints):
            row |= {
                f"{joint.name}.q": q[k],
                f"{joint.name}.qd": v[k],
                f"{joint.name}.qdd": vd[k],
            }
        for name, vector in self.outputs(q, v, vd).items():
            letters = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}[len(vector)]
            row |= {f"{name}{c}": float(x) for c, x in zip(letters, vector, strict=True)}
        return row
