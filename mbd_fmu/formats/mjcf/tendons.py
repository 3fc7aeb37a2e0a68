"""Tendons of an MJCF model: fixed ones are sums of joint coordinates, and may hold a spring.

Source   MuJoCo 4.0, XML reference, tendon/fixed; computation, passive forces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.called import Called
from mbd_fmu.formats.mjcf.joints import HIGHER, YIELDS, refuse_all
from mbd_fmu.formats.robots.names import unused
from mbd_fmu.formats.robots.robot import Actuator

Terms = tuple[tuple[str, float], ...]


def is_fixed(called: Called, k: int) -> bool:
    """Tell whether the length of a tendon is a sum of joint coordinates."""
    compiled = called.compiled
    return compiled.word("mjtTendon", compiled.model.tendon_type[k]) == "fixed"


def tendon_terms(called: Called, k: int) -> Terms:
    """Return joints and coefficients of a fixed tendon."""
    model = called.compiled.model
    first, count = model.tendon_adr[k], model.tendon_num[k]
    return summed(
        (called.joints[model.wrap_objid[n]], float(model.wrap_prm[n]))
        for n in range(first, first + count)
    )


def summed(terms: Iterable[tuple[str, float]]) -> Terms:
    """Return each joint once, and none that cancels out."""
    found: dict[str, float] = defaultdict(float)
    for joint, ratio in terms:
        found[joint] += ratio
    return tuple((joint, ratio) for joint, ratio in found.items() if ratio)


def read_tendons(
    called: Called, reflected: Mapping[int, float], taken: set[str], account: Account
) -> list[Actuator]:
    """Return the springs and dampers of tendons; what actuators damp is added."""
    found = []
    for k in range(called.compiled.count("tendon")):
        model, line = called.compiled.model, called.line("tendon", k)
        where = f'tendon "{called.tendons[k]}"'
        stiffness = float(model.tendon_stiffness[k])
        damping = float(model.tendon_damping[k]) + reflected.get(k, 0.0)
        _refuse_foreign(called, k, account)
        if not is_fixed(called, k):
            if stiffness or damping:
                text = "a spatial tendon with stiffness or damping is not carried"
                account.doubt(line, where, text, "set both to 0")
            else:
                account.ignore("<spatial>", line, "a tendon along sites, without a force")
            continue
        low, high = (float(x) for x in model.tendon_lengthspring[k])
        if stiffness and low != high:
            text = f"springlength {low:g} to {high:g}: a spring with play is not carried"
            account.doubt(line, where, text, "give one length")
            stiffness = 0.0
        terms = tendon_terms(called, k)
        if not terms or not (stiffness or damping):
            account.take(where, line, f"{_sum(terms)}; it holds no spring")
            continue
        found.append(
            Actuator(
                unused(called.tendons[k], taken),  # an actuator may be called so, too
                line,
                terms,
                gain=0.0,
                stiffness=stiffness,
                rest=low if stiffness else 0.0,
                damping=damping,
            )
        )
    return found


def _sum(terms: Terms) -> str:
    return " + ".join(f"{ratio:g} {joint}" for joint, ratio in terms) or "nothing"


def _refuse_foreign(called: Called, k: int, account: Account) -> None:
    """Name all forces of a tendon that are not carried."""
    model, line = called.compiled.model, called.line("tendon", k)
    where = f'tendon "{called.tendons[k]}"'
    found = {
        f"stiffness {HIGHER}": model.tendon_stiffnesspoly[k].any(),
        f"damping {HIGHER}": model.tendon_dampingpoly[k].any(),
        f"springyield, {YIELDS},": model.tendon_springyield[k] > 0.0,
        "armature of a tendon": model.tendon_armature[k] != 0.0,
        "frictionloss of a tendon": model.tendon_frictionloss[k] != 0.0,
    }
    refuse_all(found, where, line, account)
    if model.tendon_limited[k]:
        low, high = model.tendon_range[k]
        account.note(where, line, f"range {low:g} to {high:g}: limits of tendons are no stops")
    if model.tendon_actfrclimited[k]:
        low, high = model.tendon_actfrcrange[k]
        account.note(where, line, f"actuatorfrcrange {low:g} to {high:g}: no force is clamped")
