"""Nothing from outside acts: momentum and angular momentum stay, over 10 s, in the native FMU."""

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.model.builder import Mechanism
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.validate.runner import Fmu

HULL = np.array([[60.0, 2.0, -5.0], [2.0, 300.0, 1.0], [-5.0, 1.0, 280.0]])
MASS = {"hull": 200.0, "rotor": 20.0, "tail_rotor": 3.0, "load": 15.0}
COM = {
    "hull": [0, 0, 0],
    "rotor": [0.1, 0, 1.2],
    "tail_rotor": [-4, 0.3, 0.8],
    "load": [0, 0.1, -2],
}
SIZE = {"rotor": [5.0, 0.2, 0.05], "tail_rotor": [0.8, 0.05, 0.1], "load": [0.6, 0.5, 0.4]}


def helicopter():
    """A hull with two rotors and a swinging load, joined to nothing."""
    it = Mechanism("helicopter", gravity=[0, 0, 0])
    start = {"linear": [3.0, -1.0, 0.5], "angular": [0.1, -0.2, 0.3]}
    it.body("hull", mass=MASS["hull"], com=COM["hull"], inertia=HULL, velocity=start)
    for name, size in SIZE.items():
        it.body(name, mass=MASS[name], com=COM[name], inertia={"shape": "box", "size": size})
    it.joint(
        "mast", "revolute", "hull", "rotor", point=COM["rotor"], axis=[0.05, 0, 1], velocity=8.0
    )
    it.joint(
        "tail",
        "revolute",
        "hull",
        "tail_rotor",
        point=COM["tail_rotor"],
        axis=[0, 1, 0],
        velocity=-15.0,
    )
    it.joint("hook", "revolute", "hull", "load", point=[0, 0, -0.5], axis=[1, 0.2, 0], position=0.4)
    return it.output("poses", "velocities", "energy").spec()


def inertias():
    found = {"hull": HULL}
    for name, (a, b, c) in SIZE.items():
        found[name] = MASS[name] / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    return found


def momenta(result):
    """Linear momentum, and angular momentum about the world's origin, from the FMU's outputs."""
    linear, angular = np.zeros((len(result.time), 3)), np.zeros((len(result.time), 3))
    for name, inertia in inertias().items():
        r, v, w = (
            np.stack([result.column(f"{name}.{key}.{c}") for c in "xyz"], axis=1)
            for key in ("com", "v", "w")
        )
        quat = np.stack([result.column(f"{name}.quat.{c}") for c in "xyzw"], axis=1)
        R = Rotation.from_quat(quat).as_matrix()
        spin = np.einsum("nij,jk,nlk,nl->ni", R, inertia, R, w)
        linear += MASS[name] * v
        angular += spin + np.cross(r, MASS[name] * v)
    return linear, angular


def test_a_helicopter_in_empty_space_keeps_its_momenta_and_its_energy(fmu_of):
    with Fmu(fmu_of(helicopter())) as fmu:
        assert fmu.names("input") == ["mast.tau", "tail.tau", "hook.tau"]
        result = fmu.run(communication_points(0, 10, 0.02), tolerance=1e-12).trajectory
    linear, angular = momenta(result)
    # the target: 1e-10 over 10 s, relative to what there is of each
    for found in (linear, angular):
        size = np.abs(found[0]).max()
        assert size > 100
        assert np.abs(found - found[0]).max() < 1e-10 * size
    energy = result.column("energy.kinetic")
    assert np.ptp(energy) < 1e-10 * energy[0]


def test_the_mass_centre_of_what_flies_goes_straight(fmu_of):
    with Fmu(fmu_of(helicopter())) as fmu:
        result = fmu.run(communication_points(0, 10, 0.02), tolerance=1e-12).trajectory
    total = sum(MASS.values())
    centre = sum(
        MASS[name] * np.stack([result.column(f"{name}.com.{c}") for c in "xyz"], axis=1)
        for name in MASS
    )
    linear, _ = momenta(result)
    straight = centre[0] / total + np.outer(result.time, linear[0] / total)
    # 30 m are flown; 1e-12 per internal step
    assert np.abs(centre / total - straight).max() < 1e-9
