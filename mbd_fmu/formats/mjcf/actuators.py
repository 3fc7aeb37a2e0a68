"""Actuators of an MJCF model: a force gain * ctrl + bias along a length.

    F = gainprm[0] ctrl + biasprm[0] + biasprm[1] l + biasprm[2] dl/dt,   l = gear[0] (q or tendon)

Source   MuJoCo 4.0, XML reference, actuator/general; computation, actuation model.
"""

from __future__ import annotations

from collections import defaultdict

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.called import Called
from mbd_fmu.formats.mjcf.joints import HIGHER, SCALAR, Reflected
from mbd_fmu.formats.mjcf.options import off
from mbd_fmu.formats.mjcf.tendons import Terms, is_fixed, summed, tendon_terms
from mbd_fmu.formats.robots.robot import Actuator
from mbd_fmu.spatial import Array

_TARGETS = {"joint": "joint", "jointinparent": "joint", "tendon": "tendon"}
_TARGETS |= {"site": "site", "body": "body", "slidercrank": "site", "so3": "joint"}


class Actuators:
    """All actuators: what they drive, and what they add to joints and tendons."""

    def __init__(self, called: Called, account: Account) -> None:
        self.called = called
        self.account = account
        self.compiled = called.compiled
        self.model = called.compiled.model
        self.count = called.compiled.count("actuator")
        self.names = called.actuators([self._target(k) for k in range(self.count)])

    def _transmission(self, k: int) -> str:
        return self.compiled.word("mjtTrn", self.model.actuator_trntype[k])

    def _target(self, k: int) -> str:
        """Return the name of what an actuator acts on."""
        kind, at = _TARGETS.get(self._transmission(k), ""), int(self.model.actuator_trnid[k, 0])
        own = {"joint": self.called.joints, "tendon": self.called.tendons}
        own |= {"body": self.called.bodies}
        return own[kind][at] if kind in own else self.compiled.name(kind or "site", at)

    def _gear(self, k: int) -> float:
        return float(self.model.actuator_gear[self.model.actuator_outadr[k], 0])

    def _terms(self, k: int) -> Terms | None:
        """Return its length as a sum of joint coordinates; none where it is not one."""
        transmission, at = self._transmission(k), int(self.model.actuator_trnid[k, 0])
        is_joint = transmission in ("joint", "jointinparent")
        if is_joint and self.called.joint_type(at) in SCALAR:
            terms: Terms = ((self.called.joints[at], 1.0),)
        elif transmission == "tendon" and is_fixed(self.called, at):
            terms = tendon_terms(self.called, at)
        else:
            return None
        return summed((joint, self._gear(k) * ratio) for joint, ratio in terms)

    def reflected(self) -> tuple[dict[int, Reflected], dict[int, float]]:
        """Return what they add to joints, and the damping they add to tendons."""
        joints: dict[int, Reflected] = defaultdict(Reflected)
        tendons: dict[int, float] = defaultdict(float)
        for k in range(self.count):
            armature = self._gear(k) ** 2 * float(self.model.actuator_armature[k])
            damping = self._gear(k) ** 2 * float(self.model.actuator_damping[k])
            at = int(self.model.actuator_trnid[k, 0])
            is_tendon = self._transmission(k) == "tendon"
            if self.model.actuator_dampingpoly[k].any():
                self._refuse(k, f"damping {HIGHER}")
            if not (armature or damping):
                continue
            if self._terms(k) is None:
                self._refuse(k, "armature or damping along what is no hinge or slide")
            elif is_tendon and armature:
                self._refuse(k, "armature along a tendon")
            elif is_tendon:
                tendons[at] += damping
            else:
                so_far = joints[at]
                joints[at] = Reflected(so_far.armature + armature, so_far.damping + damping)
        return joints, tendons

    def read(self) -> list[Actuator]:
        """Return those that are carried; the account learns of all others."""
        return [a for k in range(self.count) if (a := self._actuator(k)) is not None]

    def _actuator(self, k: int) -> Actuator | None:
        model, line = self.model, self.called.line("actuator", k)
        where = f'actuator "{self.names[k]}"'
        if "actuation" in off(self.compiled) or self._is_disabled(k):
            self.account.note(where, line, "is switched off in the file, and left out")
            return None
        foreign = self._foreign(k)
        b0, b1, b2 = self._bias(k)
        if foreign and self._is_silent(k):
            text = f"{foreign} is not carried; it exerts nothing without a signal"
            self.account.note(where, line, text)
            return None
        if foreign:
            self._refuse(k, foreign)
            return None
        if b1 > 0.0 or b2 > 0.0:
            self._refuse(k, "biasprm that makes a negative stiffness or damping")
            return None
        terms = self._terms(k)
        if not terms:
            self.account.note(where, line, "its gear is 0: it exerts nothing, and is left out")
            return None
        if model.actuator_forcelimited[k]:
            low, high = model.actuator_forcerange[k]
            self.account.note(where, line, f"forcerange {low:g} to {high:g}: no force is clamped")
        lower, upper = self._range(k, where, line)
        gain = float(model.actuator_gainprm[k, 0])
        return Actuator(
            self.names[k],
            line,
            terms,
            gain,
            bias=b0,
            stiffness=0.0 - b1,
            damping=0.0 - b2,
            lower=lower,
            upper=upper,
        )

    def _is_disabled(self, k: int) -> bool:
        group = int(self.model.actuator_group[k])
        return 0 <= group < 31 and bool(self.model.opt.disableactuator >> group & 1)

    def _bias(self, k: int) -> tuple[float, float, float]:
        if self.compiled.word("mjtBias", self.model.actuator_biastype[k]) != "affine":
            return (0.0, 0.0, 0.0)
        b0, b1, b2 = (float(x) for x in self.model.actuator_biasprm[k, :3])
        return b0, b1, b2

    def _foreign(self, k: int) -> str:
        """Say what of an actuator is not carried; empty if all of it is."""
        model, word = self.model, self.compiled.word
        dynamics = word("mjtDyn", model.actuator_dyntype[k])
        gain = word("mjtGain", model.actuator_gaintype[k])
        bias = word("mjtBias", model.actuator_biastype[k])
        if dynamics != "none":
            return f"dyntype {dynamics}"
        if gain != "fixed" and not (gain == "affine" and not model.actuator_gainprm[k, 1:3].any()):
            return f"gaintype {gain}"
        if bias not in ("none", "affine"):
            return f"biastype {bias}"
        if self._terms(k) is None:
            kind = self._transmission(k)
            return f'transmission by {kind} "{self._target(k)}", which is no hinge or slide,'
        return "a delay" if model.actuator_delay[k] else ""

    def _is_silent(self, k: int) -> bool:
        """Tell whether an actuator that gets no signal exerts nothing."""
        model, word = self.model, self.compiled.word
        bias = word("mjtBias", model.actuator_biastype[k])
        gain = word("mjtGain", model.actuator_gaintype[k])
        dynamics = word("mjtDyn", model.actuator_dyntype[k])
        plain = bias in ("none", "affine") and gain in ("fixed", "affine")
        plain = plain and dynamics not in ("user", "dcmotor", "pid") and not any(self._bias(k))
        clamps = ((model.actuator_actlimited[k], model.actuator_actrange[k]), self._clamp(k))
        return plain and all(low <= 0.0 <= high for is_on, (low, high) in clamps if is_on)

    def _clamp(self, k: int) -> tuple[bool, Array]:
        """Return whether its signal is clamped there, and where."""
        at = int(self.model.actuator_ctrladr[k])
        return bool(self.model.actuator_ctrllimited[at]), self.model.actuator_ctrlrange[at]

    def _range(self, k: int, where: str, line: int) -> tuple[float | None, float | None]:
        is_clamped, (low, high) = self._clamp(k)
        if not is_clamped:
            return None, None
        if not low <= 0.0 <= high:
            text = f"ctrlrange {low:g} to {high:g} leaves 0 out, where inputs start: not declared"
            self.account.note(where, line, text)
            return None, None
        reason = "declared as min and max of the input; nothing is clamped"
        self.account.ignore("ctrlrange", line, reason)
        return float(low), float(high)

    def _refuse(self, k: int, found: str) -> None:
        where, line = f'actuator "{self.names[k]}"', self.called.line("actuator", k)
        self.account.doubt(line, where, f"{found} is not carried", "take it out")
