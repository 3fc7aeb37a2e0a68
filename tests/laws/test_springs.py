"""Springs between points: small oscillations by hand, and the two systems of Fig. 5.34 [003]."""

import numpy as np
import pytest

from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.model.builder import Mechanism
from mbd_fmu.model.reader import spec_of_text
from mbd_fmu.reference.run import Run
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of

MASS, STIFFNESS, LENGTH = (1.0, 2.0, 1.5), (30.0, 20.0, 50.0), (1.0, 0.8, 0.6)
# Which two vertices each spring joins (0 is the wall): all that differs between the systems.
STRUCTURES = {
    "a chain": ((0, 1), (1, 2), (2, 3)),
    "wired differently": ((0, 1), (1, 2), (1, 3)),
}


def three_masses(structure):
    """Three sliders on one line and three springs between them; rest position as drawn."""
    system = Mechanism("three_masses", gravity=[0, 0, 0])
    place = [0.0] * 4
    for (a, b), length in zip(structure, LENGTH, strict=True):
        place[b] = place[a] + length
    names = ["ground", "m1", "m2", "m3"]
    for k in (1, 2, 3):
        system.body(names[k], mass=MASS[k - 1], com=[place[k], 0, 0], inertia={"shape": "point"})
        keys = {"point": [place[k], 0, 0], "axis": [1, 0, 0], "drive": "none"}
        system.joint(f"x{k}", "prismatic", "ground", names[k], **keys)
    for n, (a, b) in enumerate(structure):
        keys = {"point": [place[a], 0, 0], "point2": [place[b], 0, 0]}
        keys |= {"stiffness": STIFFNESS[n], "length": LENGTH[n]}
        system.spring(f"k{n + 1}", names[a], names[b], **keys)
    return system.spec()


def frequencies_by_hand(structure, mass=MASS, stiffness=STIFFNESS):
    """Eigenvalues of M^-1 K, with K put together spring by spring: K = S k S^T."""
    S = np.zeros((4, 3))
    for n, (a, b) in enumerate(structure):
        S[a, n], S[b, n] = 1.0, -1.0
    K = (S @ np.diag(stiffness) @ S.T)[1:, 1:]
    return np.sort(np.sqrt(np.linalg.eigvals(np.diag(1 / np.array(mass)) @ K).real))


@pytest.mark.parametrize("name", STRUCTURES)
def test_systems_that_differ_in_structure_alone_have_the_frequencies_found_by_hand(name):
    structure = STRUCTURES[name]
    system = system_of(three_masses(structure))
    plant = plant_of(system, system.nominal_parameters())
    x, u = plant.start(), np.zeros(0)
    h = 1e-6
    columns = []
    for e in np.eye(system.nx)[:3]:
        rate = plant.derivatives(x + h * e, u) - plant.derivatives(x - h * e, u)
        columns.append(rate[3:6] / (2 * h))
    found = np.sort(np.sqrt(np.linalg.eigvals(-np.array(columns).T).real))
    # linear springs on one line: the difference quotient is exact but for rounding over h
    assert found == pytest.approx(frequencies_by_hand(structure), rel=1e-9)


def test_hand_computed_eigenvalues_of_equal_masses_and_springs():
    """Unit chain fixed at one end: omega_k = 2 sin((2k - 1) pi / 14), a textbook result."""
    found = frequencies_by_hand(STRUCTURES["a chain"], (1.0,) * 3, (1.0,) * 3)
    assert found == pytest.approx([2 * np.sin((2 * k - 1) * np.pi / 14) for k in (1, 2, 3)])


def two_parts(*, bound_to_each_other):
    """Two free bodies and a damped spring; the second placed from the ground or from the first."""
    pair = Mechanism("pair", gravity=[0, 0, -9.81])
    inertia = [[0.5, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.3]]
    motion = {"linear": [0.1, -0.3, 0.2], "angular": [0.4, 1.0, -0.7]}
    other = {"linear": [0.0, 0.5, 0.1], "angular": [-1.0, 0.2, 0.3]}
    pair.body("one", mass=2.0, com=[0, 0, 0], inertia=inertia, velocity=motion)
    pair.body("two", mass=1.0, com=[1, 0.2, 0], inertia=inertia, velocity=other)
    if bound_to_each_other:
        keys = {"point": [0.5, 0, 0], "drive": "none"}
        pair.joint("flight", "free", "one", "two", **keys)
    keys = {"point": [0.2, 0.1, 0], "point2": [0.9, 0.1, 0.3]}
    pair.spring("spring", "one", "two", stiffness=40.0, damping=0.5, length=0.6, **keys)
    return pair.output("poses", "velocities", "energy").spec()


def test_two_parts_bound_by_a_spring_move_alike_however_they_are_described():
    runs = []
    for flag in (False, True):
        spec = two_parts(bound_to_each_other=flag)
        system = system_of(spec_of_text(spec.text))
        run = Run(system, {"solver.tolerance": 1e-11})
        names = [v.name for v in system.table.outputs]
        for _ in range(10):
            run.step(0.05)
        runs.append(dict(zip(names, run.outputs(), strict=True)))
    one, other = runs
    for name, value in one.items():
        if name.startswith(("one.", "two.")):
            assert other[name] == pytest.approx(value, abs=1e-9), name
    assert one["energy.dissipated"] > 0


def test_a_spring_pulls_its_two_points_together_with_opposite_forces():
    system = system_of(two_parts(bound_to_each_other=False))
    plant = plant_of(system, system.nominal_parameters())
    x, u = plant.start(), np.zeros(0)
    q, v, _ = plant.coordinates(x, u)
    at = Instant(plant.tree, q, v)
    total_force, total_moment = np.zeros(3), np.zeros(3)
    for i, F in enumerate(at.applied):
        R, p = at.placed.R_WB[i], at.placed.p_WB[i]
        total_force += R @ F[3:]
        total_moment += R @ F[:3] + np.cross(p, R @ F[3:])
    assert np.abs(at.applied[0]).max() > 1
    assert np.abs(total_force).max() < 1e-14
    assert np.abs(total_moment).max() < 1e-14
