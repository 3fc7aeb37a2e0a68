"""Mechanisms as SDF, written on purpose in a roundabout way: every pose relative to another frame.

The writer knows where all links and joints lie in the world, and the directions of axes there; into
which frames it puts the numbers is left to chance. It shares no code with the reader.
"""

from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.model.inertias import inertia_of
from mbd_fmu.quantities.expressions import value_of
from mbd_fmu.quantities.vectors import vector_of


def pose_of(xyz=(0, 0, 0), turn=None):
    """A frame in another one: 4 x 4."""
    T = np.eye(4)
    T[:3, 3] = xyz
    if turn is not None:
        T[:3, :3] = turn.as_matrix()
    return T


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


@dataclass
class Part:
    """A link: where it lies in the world; mass, mass centre and inertia in its own frame."""

    T: np.ndarray
    mass: float = 0.0
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass
class Hinge:
    """A joint: its ends, its frame and its axes in the world."""

    type: str
    parent: str  # "world" or a link
    child: str
    T: np.ndarray
    axes: tuple = ()
    inside: str = ""  # what else stands in its first <axis>
    beside: str = ""  # and in the joint


class Writer:
    """Writes one model."""

    def __init__(self, rng, links, joints, canonical):
        self.rng, self.links, self.joints = rng, links, joints
        self.canonical = canonical
        self.known = {"__model__": self.anywhere()}
        self.entries = []

    def anywhere(self):
        return pose_of(self.rng.uniform(-2, 2, 3), Rotation.random(random_state=self.rng))

    def pose(self, T, usual):
        """A <pose> relative to some frame that is known; ``usual`` is the one meant by default."""
        names = list(self.known)
        base = names[self.rng.integers(len(names))]
        if usual in self.known and self.rng.random() < 0.3:
            base, named = usual, ""
        else:
            named = f' relative_to="{base}"'
        own = np.linalg.solve(self.known[base], T)
        return f"<pose{named}{self.numbers(own)}</pose>"

    def numbers(self, own):
        turn = Rotation.from_matrix(own[:3, :3])
        kind = self.rng.integers(3) if abs(own[2, 0]) < 0.99 else 0  # upright, angles are blurred
        if kind == 0:
            return f' rotation_format="quat_xyzw">{words([*own[:3, 3], *turn.as_quat()])}'
        if kind == 1:
            return f' degrees="true">{words([*own[:3, 3], *turn.as_euler("xyz", degrees=True)])}'
        return f">{words([*own[:3, 3], *turn.as_euler('xyz')])}"

    def frame_on(self, link):
        """A frame that is attached to a link, and called for instead of it."""
        name, T = f"on_{link}_{len(self.entries)}", self.anywhere()
        pose = self.pose(T, link)
        self.known[name] = T
        self.entries.append(f'<frame name="{name}" attached_to="{link}">{pose}</frame>')
        return name

    def link(self, name, part):
        turn = Rotation.random(random_state=self.rng)
        R = turn.as_matrix()
        inertia = R.T @ part.inertia @ R
        moments = "".join(
            f"<i{'xyz'[i]}{'xyz'[j]}>{float(inertia[i, j])!r}</i{'xyz'[i]}{'xyz'[j]}>"
            for i in range(3)
            for j in range(i, 3)
        )
        pose = self.pose(part.T, "__model__")
        self.known[name] = part.T
        self.entries.append(
            f'<link name="{name}">{pose}<inertial><pose{self.numbers(pose_of(part.com, turn))}'
            f"</pose><mass>{part.mass!r}</mass><inertia>{moments}</inertia></inertial></link>"
        )

    def joint(self, name, joint):
        ends = {"parent": joint.parent, "child": joint.child}
        for key, link in ends.items():
            if link in self.known and self.rng.random() < 0.3:
                ends[key] = self.frame_on(link)
        pose = self.pose(joint.T, ends["child"])
        self.known[name] = joint.T
        axes = ""
        for tag, axis in zip(("axis", "axis2"), joint.axes, strict=False):
            base = list(self.known)[self.rng.integers(len(self.known))]
            named = f' expressed_in="{base}"'
            if self.rng.random() < 0.3:
                base, named = name, ""
            xyz = self.known[base][:3, :3].T @ axis
            inside = joint.inside if tag == "axis" else ""
            axes += f"<{tag}><xyz{named}>{words(xyz)}</xyz>{inside}</{tag}>"
        self.entries.append(
            f'<joint name="{name}" type="{joint.type}">{pose}<parent>{ends["parent"]}</parent>'
            f"<child>{ends['child']}</child>{axes}{joint.beside}</joint>"
        )

    def text(self):
        parts = [(self.link, *item) for item in self.links.items()]
        parts += [(self.joint, *item) for item in self.joints.items()]
        for k in self.rng.permutation(len(parts)):
            write, name, what = parts[k]
            write(name, what)
        placed = list(self.links)[self.rng.integers(len(self.links))]
        entries = [self.entries[k] for k in self.rng.permutation(len(self.entries))]
        return (
            f'<sdf version="1.11">\n<model name="robot" canonical_link="{self.canonical}" '
            f'placement_frame="{placed}">\n<pose{self.numbers(self.known[placed])}</pose>\n'
            + "\n".join(entries)
            + "\n</model>\n</sdf>\n"
        )


def sdf_of_urdf(path, rng):
    """The same robot in SDF; a massless root called world is the world."""
    robot = ET.parse(path).getroot()
    joints = {joint.get("name"): joint for joint in robot.findall("joint")}
    carrier = {joint.find("child").get("link"): joint for joint in joints.values()}
    (root,) = [e.get("name") for e in robot.findall("link") if e.get("name") not in carrier]
    T = {}

    def placed(link):
        if link == root:
            return np.eye(4)
        if link not in T:
            T[link] = placed(carrier[link].find("parent").get("link")) @ _origin(carrier[link])
        return T[link]

    links = {e.get("name"): _part(e, placed(e.get("name"))) for e in robot.findall("link")}
    links.pop("world", None)
    hinges = {
        name: _hinge(e, placed(e.find("child").get("link")), rng) for name, e in joints.items()
    }
    canonical = root if root in links else next(iter(links))
    return Writer(rng, links, hinges, canonical).text()


def _numbers(element, key, usual):
    text = element.get(key) if element is not None else None
    return np.array(usual if text is None else [float(x) for x in text.split()])


def _origin(element):
    origin = element.find("origin")
    turn = Rotation.from_euler("xyz", _numbers(origin, "rpy", (0, 0, 0)))
    return pose_of(_numbers(origin, "xyz", (0, 0, 0)), turn)


def _part(element, T):
    inertial = element.find("inertial")
    if inertial is None:
        return Part(T)
    own, moments = _origin(inertial), inertial.find("inertia")
    inertia = np.array(
        [[float(moments.get(f"i{''.join(sorted(a + b))}")) for b in "xyz"] for a in "xyz"]
    )
    R = own[:3, :3]
    return Part(T, float(inertial.find("mass").get("value")), own[:3, 3], R @ inertia @ R.T)


def _hinge(element, T, rng):
    """Its frame may lie anywhere on its axis, turned as one likes."""
    kind = element.get("type")
    axis = T[:3, :3] @ _numbers(element.find("axis"), "xyz", (1, 0, 0))
    own = T @ pose_of(turn=Rotation.random(random_state=rng))
    own[:3, 3] += rng.uniform(-1, 1) * axis
    dynamics, mimic = element.find("dynamics"), element.find("mimic")
    inside = ""
    if dynamics is not None:
        values = {key: dynamics.get(key, "0") for key in ("damping", "friction")}
        inside += f"<dynamics>{''.join(f'<{k}>{v}</{k}>' for k, v in values.items())}</dynamics>"
    if mimic is not None:
        ratio, offset = float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0"))
        reference = rng.uniform(-1, 1)
        inside += (
            f'<mimic joint="{mimic.get("joint")}"><multiplier>{ratio!r}</multiplier>'
            f"<offset>{offset + ratio * reference!r}</offset><reference>{reference!r}</reference>"
            "</mimic>"
        )
    ends = (element.find("parent").get("link"), element.find("child").get("link"))
    return Hinge(kind, *ends, own, () if kind == "fixed" else (axis,), inside)


TYPES = {
    "revolute": "revolute",
    "prismatic": "prismatic",
    "spherical": "ball",
    "universal": "universal",
    "helical": "screw",
    "rigid": "fixed",
}


def sdf_of_model(spec, rng):
    """One of our models, drawn in world axes, in SDF: what it says of bodies and joints."""
    values = spec.nominal
    links, joints = {}, {}
    for body in spec.bodies:
        T = pose_of(rng.uniform(-1, 1, 3), Rotation.random(random_state=rng))
        R = T[:3, :3]
        com = R.T @ (vector_of(body.com, values) - T[:3, 3])
        mass = float(value_of(body.mass, values))
        links[body.name] = Part(T, mass, com, R.T @ inertia_of(body, values) @ R)
    for joint in spec.joints:
        turn = Rotation.random(random_state=rng)
        axes = [vector_of(axis, values) for axis in (joint.axis, joint.axis2) if axis]
        beside = ""
        if joint.type == "helical":
            pitch = float(value_of(joint.own[0], values))
            beside = f"<screw_thread_pitch>{pitch!r}</screw_thread_pitch>"
        parent = "world" if joint.parent == "ground" else joint.parent
        at = pose_of(vector_of(joint.point, values), turn)
        joints[joint.name] = Hinge(
            TYPES[joint.type], parent, joint.child, at, tuple(axes), beside=beside
        )
    return Writer(rng, links, joints, spec.bodies[0].name).text()
