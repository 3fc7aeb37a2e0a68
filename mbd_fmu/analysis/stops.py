"""Which joints hang on a stop: there an equilibrium is the stop's, not the springs'."""

from __future__ import annotations

from collections.abc import Iterator

from mbd_fmu.analysis.operating_point import OperatingPoint


def stops_reached(at: OperatingPoint) -> Iterator[str]:
    """Say of each joint at a stop which one it is."""
    system, q = at.system, at.plant.coordinates(at.x, at.u)[0]
    for passive in at.plant.tree.passive:
        for sign, where in passive.stops:
            beyond, width = sign * float(q[passive.q] - where), float(passive.stop[2])
            if beyond > -width:  # there it sets in
                i = next(i for i, v in enumerate(system.forest.every_v) if v.stop > passive.v)
                joint = system.joint(i)
                k = passive.v - system.forest.every_v[i].start
                own = joint.kind.names.positions[k]
                name, side = (
                    system.shown(f"{joint.name}.{own.name}"),
                    "upper" if sign > 0 else "lower",
                )
                yield f"{name} hangs on its {side} stop at {float(where):.6g} {own.unit}"
