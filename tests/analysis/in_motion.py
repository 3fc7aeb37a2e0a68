"""Mechanisms in some motion that their constraints allow."""

from mbd_fmu.analysis.following import started
from mbd_fmu.analysis.inverse import InverseDynamics, drives_of
from mbd_fmu.reference.assembly import Assembly
from mbd_fmu.reference.manifold import Manifold
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of


def in_motion(spec, rng):
    """A plant in some consistent motion under random drives: x, u and the rank."""
    system = system_of(spec)
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    start = started(plant, u)
    n, m = len(system.state_q), len(system.state_v)
    x = start.x.copy()
    x[n : n + m] += rng.normal(size=m) * 0.3
    if system.rows:
        rank = Assembly(plant, u)._generic_rank(start.x)
        x = Manifold(plant, u).project(x, rank)
    inverse = InverseDynamics(plant, drives_of(system))
    u[inverse.places] = rng.normal(size=len(inverse.places)) * 10
    return inverse, x, u, start.generic_rank
