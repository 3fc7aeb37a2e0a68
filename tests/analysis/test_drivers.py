"""What can be told: gradients, rates and drifts are the derivatives they claim to be."""

import numpy as np
import pytest

from mbd_fmu.analysis.driven import Driven
from mbd_fmu.analysis.drivers import drivers_of
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from tests.conftest import random_state
from tests.random_trees import random_tree

STEP = 1e-5  # differences of second order: rounding over it, and its square, are near 1e-10
SEEDS = range(3)


@pytest.fixture(params=SEEDS)
def moving(request):
    """A random tree of all joint types, in a random state that accelerates."""
    system = system_of(random_tree(9, request.param))
    plant = plant_of(system, system.nominal_parameters())
    rng = np.random.default_rng(request.param)
    x, u = random_state(system, rng)
    return Driven(plant, drivers_of(system)), x, u, rng


def shifted(driven, x, u, vd, t):
    """The state a little later, to second order, on the joints' own way."""
    n, m = driven.n_q, driven.n_v
    v = x[n : n + m]
    later = driven.plant.retract(x, u, t * v + t * t / 2 * vd)
    later[n : n + m] = v + t * vd
    return later


def test_column_rates_are_the_derivatives_of_the_columns(moving):
    driven, x, u, _ = moving
    vd = np.zeros(driven.n_v)
    before, after = (driven.now(shifted(driven, x, u, vd, s * STEP), u) for s in (-1, 1))
    for driver in driven.drivers:
        found = (driver.place(after) - driver.place(before)) / (2 * STEP)
        expected = driver.column_rates(driven.now(x, u))
        assert np.abs(found - expected).max() <= 1e-7 * (1 + np.abs(expected).max())


def test_jacobian_and_drift_make_the_rate_and_its_derivative(moving):
    driven, x, u, rng = moving
    vd = rng.normal(size=driven.n_v)
    now = driven.now(x, u)
    rate = np.concatenate([driver.jet(now).rate for driver in driven.drivers])
    G = driven.jacobian(now)
    v = x[driven.n_q : driven.n_q + driven.n_v]
    assert np.abs(G @ v - rate).max() <= 1e-12 * (1 + np.abs(rate).max())
    rates = [
        np.concatenate(
            [d.jet(driven.now(shifted(driven, x, u, vd, s * STEP), u)).rate for d in driven.drivers]
        )
        for s in (-1, 1)
    ]
    drift = np.concatenate([driver.jet(now).drift for driver in driven.drivers])
    found = (rates[1] - rates[0]) / (2 * STEP)
    assert np.abs(found - (G @ vd + drift)).max() <= 1e-6 * (1 + np.abs(found).max())


def test_misses_fall_as_their_slopes_say_and_vanish_at_what_is_told(moving):
    driven, x, u, rng = moving
    now = driven.now(x, u)
    other, _ = random_state(driven.system, rng)
    told = driven.places(other, u)
    d = rng.normal(size=driven.n_v)
    misses = [driven._rows(driven.plant.retract(x, u, s * STEP * d), u, told) for s in (-1, 1)]
    found = (misses[1].miss - misses[0].miss) / (2 * STEP)
    expected = -driven._rows(x, u, told).G @ d
    assert np.abs(found - expected).max() <= 1e-7 * (1 + np.abs(expected).max())
    here = [driver.miss(now, place)[0] for driver, place in
            zip(driven.drivers, driven.places(x, u), strict=True)]  # fmt: skip
    assert max(np.abs(miss).max() for miss in here) <= 1e-14
