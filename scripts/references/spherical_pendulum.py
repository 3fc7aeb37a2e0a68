"""The spherical pendulum: Lagrange's top with a spin of zero and a mass centre that hangs."""

from scripts.references._lagrange_top import columns
from scripts.references._ode import rows_of_time, table


def reference(spec, _):
    p, times = spec.nominal, rows_of_time(4.0, 0.02)
    C = 0.4 * p["mass"] * p["radius"] ** 2
    A = C + p["mass"] * p["length"] ** 2
    found = columns(
        "suspension",
        "bob",
        times,
        m=p["mass"],
        level=-p["length"],
        A=A,
        C=C,
        theta=0.8,
        w_body=spec.joints[0].velocity,
    )
    return table(times, found)
