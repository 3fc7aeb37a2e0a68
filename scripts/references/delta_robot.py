"""The Delta robot in maximal coordinates under held torques; its platform never turns."""

import numpy as np

from scripts.references._maximal import Mechanism
from scripts.references._ode import held, rows_of_time


def inputs(_):
    t = rows_of_time(0.5, 0.01)
    return held(t, **{f"motor{k}.tau": -1.6 + 0.5 * np.sin(8.0 * t + 2.0 * k) for k in (1, 2, 3)})


def reference(spec, inputs):
    keep = ["motor", "platform.com", "arm1.com", "arm2.quat", "energy"]
    found = Mechanism(spec).simulate(inputs.time, inputs, keep=[*keep, "platform.quat"])
    level = np.array([found.column(f"platform.quat.{c}") for c in "xyz"])
    assert np.abs(level).max() < 1e-10
    chosen = [k for k, n in enumerate(found.names) if not n.startswith("platform.quat")]
    return type(found)(found.time, tuple(found.names[k] for k in chosen), found.values[:, chosen])
