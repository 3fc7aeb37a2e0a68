"""Equalities of an MJCF model: joints that close loops, and relations between coordinates.

MuJoCo keeps them softly, by forces; here they hold exactly.

Source   MuJoCo 4.0, XML reference, equality; mjmodel.h, eq_data: of a connect the point in body 1,
         that in body 2; of a weld the point in body 2, that in body 1, body 2's turn in body 1, and
         how much of a turn counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.mjcf.bodies import place_of
from mbd_fmu.formats.mjcf.called import Called
from mbd_fmu.formats.mjcf.tendons import Terms, is_fixed, summed, tendon_terms
from mbd_fmu.formats.robots.placements import Placement, numbers
from mbd_fmu.formats.robots.robot import Coupling, Joint
from mbd_fmu.spatial import Array, times


@dataclass
class Equalities:
    """What the equalities of a model become."""

    called: Called
    account: Account
    joints: dict[str, Joint] = field(default_factory=dict)
    couplings: list[Coupling] = field(default_factory=list)

    def read(self, taken: set[str]) -> None:
        """Read all of them; the names of joints are taken."""
        called, model = self.called, self.called.compiled.model
        count = called.compiled.count("equality")
        names = called.equalities([self._ends(k) for k in range(count)], taken)
        readers = {"connect": self._connect, "weld": self._weld}
        readers |= {"joint": self._relation, "tendon": self._relation}
        for k, name in enumerate(names):
            line, kind = called.line("equality", k), self._kind(k)
            where = f'equality "{name}"'
            if not model.eq_active0[k]:
                self.account.note(where, line, "is not active, and left out")
            elif kind not in readers:
                self.account.doubt(line, where, f"{kind} is not carried", "take it out")
            else:
                readers[kind](k, name, line)

    def _kind(self, k: int) -> str:
        return self.called.compiled.word("mjtEq", self.called.compiled.model.eq_type[k])

    def _objects(self, k: int) -> tuple[str, tuple[int, int]]:
        """Return the kind of its two ends, and their numbers."""
        model = self.called.compiled.model
        kind = self.called.compiled.word("mjtObj", model.eq_objtype[k])
        return kind, (int(model.eq_obj1id[k]), int(model.eq_obj2id[k]))

    def _ends(self, k: int) -> str:
        """Return a name for one that has none."""
        kind, ids = self._objects(k)
        lists = {"body": self.called.bodies, "joint": self.called.joints}
        lists |= {"tendon": self.called.tendons}
        ends = [
            lists[kind][n] if kind in lists else self.called.compiled.name(kind, n)
            for n in ids
            if n >= 0
        ]
        return "_".join([*ends, self._kind(k)])

    def _bodies(self, k: int) -> tuple[int, int]:
        kind, (first, second) = self._objects(k)
        if kind == "body":
            return first, second
        of = self.called.compiled.model.site_bodyid
        return int(of[first]), int(of[second])

    def _site(self, k: int) -> Placement:
        model = self.called.compiled.model
        return place_of(model.site_pos[k], model.site_quat[k])

    def _in_world(self, body: int) -> Placement:
        origins, quaternions = self.called.compiled.places
        return place_of(origins[body], quaternions[body])

    def _close(self, k: int, name: str, line: int, kind: str, place: Placement, at: Array) -> None:
        first, second = (self.called.bodies[n] for n in self._bodies(k))
        self.joints[name] = Joint(
            *(name, line, kind, first, second, place),
            at=numbers(at),
            is_closing=True,
            is_driven=kind == "fixed",  # which nobody drives, and nobody need be told
        )

    def _ball(self, k: int, name: str, line: int, ends: tuple[Array, Array]) -> None:
        """Let two points meet; the turn between the bodies is counted from that at qpos0."""
        first, second = (self._in_world(n) for n in self._bodies(k))
        R = first.inverse().then(second).R
        self._close(k, name, line, "ball", Placement(R, ends[0] - times(R, ends[1])), ends[1])

    def _connect(self, k: int, name: str, line: int) -> None:
        kind, (first, second) = self._objects(k)
        data = self.called.compiled.model.eq_data[k]
        ends = (data[:3], data[3:6])
        if kind == "site":
            ends = (self._site(first).p, self._site(second).p)
        self._ball(k, name, line, ends)

    def _weld(self, k: int, name: str, line: int) -> None:
        kind, (first, second) = self._objects(k)
        data = self.called.compiled.model.eq_data[k]
        at, there = data[:3], data[3:6]
        place = place_of(there, data[6:10])
        if kind == "site":
            at, there = self._site(second).p, self._site(first).p
            place = self._site(first).then(self._site(second).inverse())
        else:
            place = Placement(place.R, there - place.turned(at))
        if data[10] == 0.0:
            self.account.note(f'equality "{name}"', line, "torquescale is 0: a ball joint")
            self._ball(k, name, line, (there, at))
        else:
            self._close(k, name, line, "fixed", place, at)

    def _relation(self, k: int, name: str, line: int) -> None:
        """y - y0 = a0 + a1 (x - x0); what leads stands first."""
        _, (first, second) = self._objects(k)
        where = f'equality "{name}"'
        a0, a1, *higher = (float(x) for x in self.called.compiled.model.eq_data[k, :5])
        if second < 0:
            a1 = 0.0
        elif any(higher):
            text = "polycoef has terms beyond the linear one, which are not carried"
            self.account.doubt(line, where, text, "leave them out")
            return
        ends = [n for n in (second, first) if n >= 0]
        if self._kind(k) == "tendon" and not all(is_fixed(self.called, n) for n in ends):
            text = "the length of a spatial tendon is not carried"
            self.account.doubt(line, where, text, "take it out")
            return
        y0, x0 = self._rest(k, first), self._rest(k, second) if a1 else 0.0
        leading = [(j, -a1 * r) for j, r in self._terms(k, second)] if a1 else []
        terms = summed([*leading, *self._terms(k, first)])
        if not terms:
            self.account.problem(line, where, "its joints cancel out", "take it out")
            return
        self.couplings.append(Coupling(name, line, terms, y0 + a0 - a1 * x0))

    def _terms(self, k: int, n: int) -> Terms:
        if self._kind(k) == "tendon":
            return tendon_terms(self.called, n)
        return ((self.called.joints[n], 1.0),)

    def _rest(self, k: int, n: int) -> float:
        """Return the coordinate or the length at qpos0."""
        model = self.called.compiled.model
        if self._kind(k) == "tendon":
            return float(model.tendon_length0[n])
        return float(model.qpos0[model.jnt_qposadr[n]])
