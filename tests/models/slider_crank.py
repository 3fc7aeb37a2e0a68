"""The slider-crank of SUNDIALS' example for IDA: built here, and as its equations say.

Its rod has a moment but no mass, its force acts one rod's length beyond the slider.
"""

import numpy as np
from scipy.integrate import solve_ivp

from mbd_fmu.model.builder import Mechanism


def drawn(case):
    """A model of it; ``push.force.x`` is the force."""
    p, start = case["parameters"], case["initial"]
    pin = p["a"] * np.array([np.cos(start["q"]), np.sin(start["q"]), 0])
    wrist = np.array([start["x"], 0, 0])
    rod = wrist - pin
    it = Mechanism("slider_crank", gravity=[0, 0, 0])
    it.body("crank", mass=1, com=[0, 0, 0], inertia=p["J1"] * np.eye(3))
    it.body("rod", mass=0, com=pin + rod / 2, inertia=p["J2"] * np.eye(3))
    it.body("slider", mass=p["m2"], com=wrist, inertia=np.eye(3))
    hinge = {"axis": [0, 0, 1], "drive": "none"}
    it.joint("bearing", "revolute", "ground", "crank", point=[0, 0, 0], **hinge)
    it.joint("crank_pin", "revolute", "crank", "rod", point=pin, **hinge)
    it.joint("guide", "prismatic", "ground", "slider", point=wrist, axis=[1, 0, 0], drive="none")
    it.joint("wrist_pin", "revolute", "slider", "rod", point=wrist, **hinge)
    ends = {"point": pin / 2, "point2": pin + rod / 2}
    law = {"stiffness": p["k"], "damping": p["c"], "length": p["l0"]}
    it.spring("spring", "crank", "rod", **ends, **law)
    it.force("push", "wrench", body="rod", point=wrist + rod)
    return it.output("joints", "energy").spec()


def angles(case, ours):
    """Our joints in the coordinates of the example."""
    start = case["initial"]
    return {
        "crank_angle": start["q"] + ours.column("bearing.q"),
        "slider_x": start["x"] + ours.column("guide.q"),
        "rod_angle": start["p"] + ours.column("bearing.q") + ours.column("crank_pin.q"),
    }


def solved(case, times):
    """The example's own equations, with its constraints solved for the crank's angle q.

    With y = (q, x, p), y' = k q' and the masses M = diag(J1, m2, J2): k.M k q'' = k.(Q - M k' q').
    """
    data = case["parameters"]
    a, F = data["a"], data["F"]
    M = np.array([data["J1"], data["m2"], data["J2"]])

    def placed(q):
        p = -np.arcsin(a * np.sin(q))
        return np.cos(p) + a * np.cos(q), p

    def rate(_, state):
        q, qd = state
        x, p = placed(q)
        s, c = np.sin(q), np.cos(q)
        pd = -a * c / np.cos(p)
        k = np.array([1.0, -np.sin(p) * pd - a * s, pd])
        pdd = (a * s + np.sin(p) * pd**2) / np.cos(p)
        kd = np.array([0.0, -np.cos(p) * pd**2 - np.sin(p) * pdd - a * c, pdd]) * qd
        # the spring joins the middles of crank and rod: half as long as the triangle's third side
        pull = data["k"] * (x / 2 - data["l0"]) + data["c"] * k[1] / 2 * qd
        Q = -pull * k[1] / 2 + F * (k[1] - np.sin(p) * pd)
        return [qd, (Q - k @ (M * kd) * qd) / (k @ (M * k))]

    keys = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
    start = [case["initial"]["q"], 0.0]
    q = solve_ivp(rate, (times[0], times[-1]), start, t_eval=times, **keys).y[0]
    x, p = placed(q)
    return {"crank_angle": q, "slider_x": x, "rod_angle": p}
