"""Loops in a state that some joints lead, and the same state in absolute coordinates."""

import numpy as np

import mbd_fmu
from mbd_fmu.oracle.run import EXTRA, AbsoluteRun


def there(m, state, inputs=None):
    """All that absolute coordinates say of a state; only q and v of the tree go over."""
    run = AbsoluteRun(m.spec(), 1e-6)
    run.set(inputs or {})
    run.x = run._placed(state.q, state.v, np.zeros(EXTRA))
    run.project(run.x)  # finds the rank, and in which turn angles are
    missed = np.abs(run.moment(run.x).residuals).max()
    return run.outputs(), missed


class Twin:
    """The same state on both roads."""

    def __init__(self, name, q, v):
        self.m = mbd_fmu.load(name)
        rng = np.random.default_rng(8)
        self.tau = {n.rpartition(".")[0]: float(rng.uniform(-5, 5)) for n in self.m.inputs}
        self.state = self.m.at(q, v, self.tau)
        inputs = dict(zip(self.m.inputs, self.tau.values(), strict=True))
        self.there, self.missed = there(self.m, self.state, inputs)

    def vector(self, name):
        return np.array([self.there[f"{name}.{c}"] for c in "xyz"])
