"""The plane slider-crank by its closed-form kinematics and the one equation that remains.

With the crank at theta from upright towards x: pin r (sin, cos), slope of the rod psi with
sin(psi) = r cos(theta) / L, piston x = r sin(theta) + L cos(psi). See _jets.py for the equation.
"""

import numpy as np

from scripts.references._jets import Jet, acceleration, atan2, cos, one_freedom, sin, sqrt
from scripts.references._ode import held, rows_of_time, states, table

G = 9.81


def inputs(_):
    t = rows_of_time(1.0, 0.01)
    return held(t, **{"bearing.tau": 0.8 * np.sin(6.0 * t) + 0.3})


def geometry(p):
    def at(theta):
        pin = p["r"] * sin(theta), p["r"] * cos(theta)
        reach = sqrt(p["L"] ** 2 - pin[1] * pin[1])
        psi = atan2(pin[1], reach)
        rod = pin[0] + 0.5 * reach, 0.5 * pin[1]
        return pin, rod, psi, pin[0] + reach

    return at


def equation(p):
    at = geometry(p)
    J = p["rod_mass"] * (3 * 0.01**2 + p["L"] ** 2) / 12

    def parts(theta):
        pin, rod, psi, x = at(theta)
        return [
            (p["flywheel"], theta),
            (p["crank_mass"], 0.5 * pin[0]),
            (p["crank_mass"], 0.5 * pin[1]),
            (p["rod_mass"], rod[0]),
            (p["rod_mass"], rod[1]),
            (J, psi),
            (p["piston_mass"], x),
        ]

    def potential(theta):
        pin, rod, _, _ = at(theta)
        return G * (p["crank_mass"] * 0.5 * pin[1] + p["rod_mass"] * rod[1])

    return one_freedom(parts, potential), potential


def motion(spec, inputs):
    p, tau = spec.nominal, inputs.column("bearing.tau")
    f, potential = equation(p)

    def rate(_, x, k):
        return np.array([x[1], acceleration(f, *x, tau[k])])

    q, qd = states(rate, [0.0, float(spec.joints[0].velocity[0])], inputs.time).T
    qdd = np.array([acceleration(f, *x, u) for *x, u in zip(q, qd, tau, strict=True)])
    return q, qd, qdd, f, potential


def reference(spec, inputs):
    q, qd, qdd, f, potential = motion(spec, inputs)
    at = geometry(spec.nominal)
    found = [at(Jet(x, 1.0)) for x in q]
    reach = found[0][3].x
    psi = np.array([g[2].x for g in found])
    columns = {
        "bearing.q": q,
        "bearing.qd": qd,
        "bearing.qdd": qdd,
        "crank_pin.q": psi - psi[0] - q,
        "bore.q": np.array([g[3].x for g in found]) - reach,
        "bore.qd": np.array([g[3].d for g in found]) * qd,
        "rod.com.x": np.array([g[1][0].x for g in found]),
        "rod.com.z": np.array([g[1][1].x for g in found]),
        "energy.kinetic": np.array([f(x)[0] * v * v / 2 for x, v in zip(q, qd, strict=True)]),
        "energy.potential": np.array([potential(Jet(x)).x for x in q]),
    }
    return table(inputs.time, columns)
