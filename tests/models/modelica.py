"""Examples of the Modelica library that are no plain drawing: how they are built here."""

import numpy as np

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.trajectory import Trajectory
from tests.models.drawn_world import OUTPUTS, mechanism

WHEELS = {
    "wheelSet.x": "axle.r.x",
    "wheelSet.y": "axle.r.y",
    "wheelSet.phi": "level.q[1]",
    "wheelSet.theta1": "spin_wheel1.q",
    "wheelSet.theta2": "spin_wheel2.q",
    "wheelSet.der_theta1": "spin_wheel1.qd",
    "wheelSet.der_theta2": "spin_wheel2.qd",
}


def point_gravity(case):
    """Two bodies in a point's gravity."""
    world = case["model_AWD"]
    it = Mechanism("PointGravity", gravity=[0, 0, 0])
    for name, data in world["bodies"].items():
        keys = {key: data[key] for key in ("mass", "com", "inertia")}
        it.body(name, **keys, velocity={"linear": data["v"], "angular": data["w"]})
        strength = world["gravity_point_mu"] * data["mass"]
        ends = {"point": [0, 0, 0], "point2": data["com"], "strength": strength}
        it.force(f"pull_{name}", "inverse_square", parent="ground", child=name, **ends)
    return it.output(*OUTPUTS).spec()


def joint_as_constraint(name, case, *, as_cut):
    """As a joint of the tree; or as rows on a body that a free joint carries."""
    it = mechanism(name, case["model_AWD"])
    if as_cut:
        com = case["model_AWD"]["bodies"]["body"]["com"]
        it.joint("carrier", "free", "ground", "body", point=com, drive="none")
        it._table["joint"][0]["cut"] = True
    return it.spec()


def pulled_wheel_set(case):
    """Two wheels on an axle that stays level, and the force that pulls them."""
    p = case["parameters"]
    half, r = p["track"] / 2, p["R_wheel"]
    inertia = np.diag([p["I_wheelLong"], p["I_wheelAxis"], p["I_wheelLong"]])
    it = Mechanism("wheels")
    x, y = case["initial"]["x"], case["initial"]["y"]
    it.body(
        "axle",
        mass=p["body_mass"],
        com=[x + p["body_offset_x"], y, r],
        inertia=p["body_I"] * np.eye(3),
        origin=[x, y, r],
    )
    for name, side in (("wheel1", half), ("wheel2", -half)):
        center = [x, y + side, r]
        it.body(name, mass=p["m_wheel"], com=center, inertia=inertia)
        it.joint(
            f"spin_{name}", "revolute", "axle", name, point=center, axis=[0, 1, 0], drive="none"
        )
    # the axle stays level: it is carried by a plane
    it.joint("level", "planar", "ground", "axle", point=[x, y, r], axis=[0, 0, 1], drive="none")
    it.constraint(
        "rolling",
        "wheel_set",
        bodies=["wheel1", "wheel2"],
        radius=r,
        axis=[0, 1, 0],
        center=[x, y + half, r],
        center2=[x, y - half, r],
    )
    it.force("pull", "wrench", body="axle", point=[x + p["body_offset_x"], y, r])
    force = np.array([[1, 0], [1, 0], [0, 2], [0, 2]], dtype=float)
    inputs = Trajectory(np.array([0.0, 1, 2, 3]), ("pull.force.x", "pull.force.y"), force)
    return it.output("poses", "joints").spec(), inputs
