"""How the parts of an MJCF model are called, also those that have no name there.

A body without a name is called body_<number>, in the order of the file, a joint <body>_<type>, an
actuator <joint or tendon>_motor, a tendon tendon_<number>, an equality <first>_<second>_<type>. A
body on several joints has a link without mass between each two of them, called <body>_<joint>
after the joint that moves it. What another one is called already gets a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from mbd_fmu.formats.mjcf.mujoco_door import Compiled
from mbd_fmu.formats.mjcf.sources import Source
from mbd_fmu.formats.robots.names import unused
from mbd_fmu.formats.xml.xml_tree import Element

WORLD = 0  # number of the body that everything stands on


class Called:
    """Names by number, and where elements stand."""

    def __init__(self, compiled: Compiled, sources: Sequence[Source]) -> None:
        self.compiled = compiled
        self._main = sources[0]
        self._at_line: dict[int, list[tuple[Source, Element]]] = defaultdict(list)
        for source in sources:
            for element in source.root.walk():
                self._at_line[element.line].append((source, element))
        self.bodies = self._all("body", lambda k: f"body_{k}")
        self.joints = self._all("joint", self._joint)
        self.tendons = self._all("tendon", lambda k: f"tendon_{k + 1}")

    def line(self, kind: str, k: int) -> int:
        """Return the line of an element in the main file, or of what brings it in there."""
        line, name = self.compiled.line(kind, k), self.compiled.name(kind, k)
        if not line and kind == "joint":  # MuJoCo does not say it of <freejoint>
            return self.line("body", int(self.compiled.model.jnt_bodyid[k]))
        for source, element in self._at_line.get(line, ()):
            # what is attached has a prefix, what is replicated a number behind it
            if element.attributes.get("name", "") in name:
                return source.at(element)[0]
        return self._main.root.line

    def _all(self, kind: str, instead: Callable[[int], str]) -> list[str]:
        given = [self.compiled.name(kind, k) for k in range(self.compiled.count(kind))]
        used = {name for name in given if name}
        for k, name in enumerate(given):
            if not name:
                given[k] = unused(instead(k), used)
                used.add(given[k])
        return given

    def _joint(self, k: int) -> str:
        model = self.compiled.model
        return f"{self.bodies[model.jnt_bodyid[k]]}_{self.joint_type(k)}"

    def joint_type(self, k: int) -> str:
        """Return hinge, slide, ball or free."""
        return self.compiled.word("mjtJoint", self.compiled.model.jnt_type[k])

    def actuators(self, targets: list[str]) -> list[str]:
        """Return the names of actuators, which act on these."""
        return self._all("actuator", lambda k: f"{targets[k]}_motor")

    def equalities(self, ends: list[str], taken: set[str]) -> list[str]:
        """Return the names of equalities between these; those of joints are taken."""
        found = self._all("equality", lambda k: ends[k])
        for k, name in enumerate(found):
            found[k] = unused(name, taken)
            taken.add(found[k])
        return found
