"""Mechanisms that are written to files, and how they move at states that are given by names."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from mbd_fmu.formats.conversion import converted
from mbd_fmu.model.spec import OUTPUT_GROUPS
from mbd_fmu.spatial import rotation_matrix
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of

# numbers of size 1 to 1000, a few operations on each in some ten bodies
ROUNDING = 1e-12


class Moving:
    """A mechanism with the declared values of its parameters."""

    def __init__(self, spec):
        self.spec = replace(spec, groups=OUTPUT_GROUPS)
        self.system = system_of(self.spec)
        self.plant = plant_of(self.system, self.system.nominal_parameters())

    def state(self, rng):
        """A state, of gears as they must be, and drives of all joints that have one coordinate."""
        states = self.system.states
        x = dict(zip(states.names, rng.uniform(-1.0, 1.0, self.system.nx), strict=True))
        for k in states.quaternions:
            names = states.names[k : k + 4]
            length = np.linalg.norm([x[name] for name in names])
            x |= {name: x[name] / length for name in names}
        for _ in self.spec.constraints:  # chains of followers are as long at most
            for gear in self.spec.constraints:
                a, b = gear.joints
                x[f"{b}.q"] = float(gear.ratio) * x[f"{a}.q"] + float(gear.offset)
                x[f"{b}.qd"] = float(gear.ratio) * x[f"{a}.qd"]
        drives = [
            f"{j.name}.{kind}" for j in self.spec.joints if j.kind.nv == 1 for kind in ("tau", "f")
        ]
        own = {v.name for v in self.system.table.inputs}
        return x, {name: rng.uniform(-10.0, 10.0) for name in drives if name in own}

    def arrays(self, x, u):
        given = np.array([x[name] for name in self.system.states.names])
        return given, np.array([u.get(v.name, 0.0) for v in self.system.table.inputs])

    def rates(self, x, u):
        """Velocities and accelerations by the names of coordinates and velocities."""
        rates = self.plant.derivatives(*self.arrays(x, u))
        found = dict(zip(self.system.states.names, rates, strict=True))
        return {name: rate for name, rate in found.items() if not name.startswith("energy")}

    def mass_matrix(self, x, u):
        """Its entries by the names of velocities, which follow the coordinates."""
        n = self.system.forest.nq
        names = self.system.states.names[n : n + self.system.forest.nv]
        M = self.plant.inertia(*self.arrays(x, u))
        return {(a, b): M[i, j] for i, a in enumerate(names) for j, b in enumerate(names)}

    def outputs(self, x, u):
        values = self.plant.all_outputs(*self.arrays(x, u))
        return dict(zip((v.name for v in self.system.table.outputs), values, strict=True))

    def places(self, x, u):
        """Mass centres of all bodies that have one, and axes of all, by their names."""
        out = self.outputs(x, u)
        names = [body.name for body in self.spec.bodies]
        centres = {
            f"{body.name}.com.{c}": out[f"{body.name}.com.{c}"]
            for body in self.spec.bodies
            if body.mass != 0.0
            for c in "xyz"
        }
        axes = {}
        for name in names:
            R = rotation_matrix(np.array([out[f"{name}.quat.{c}"] for c in "wxyz"]))
            axes |= {(name, index): entry for index, entry in np.ndenumerate(R)}
        return centres, axes


def difference(one, other):
    """Largest difference of two tables, as a share of the largest number."""
    assert one.keys() == other.keys()
    size = max(map(abs, one.values()), default=0.0)
    return max((abs(one[k] - other[k]) for k in one), default=0.0) / (size or 1.0)


def written(spec, path):
    """The file that a mechanism becomes."""
    path.write_text(converted(spec, Path("model.toml"), path).text, encoding="utf-8")
    return path


def assert_moves_alike(one, other, *, turned=(), states=2):
    """Rates, mass matrix and places of all bodies; axes of those in ``turned`` are others."""
    first, second = Moving(one), Moving(other)
    rng = np.random.default_rng(5)
    for _ in range(states):
        x, u = first.state(rng)
        assert difference(first.rates(x, u), second.rates(x, u)) < ROUNDING
        assert difference(first.mass_matrix(x, u), second.mass_matrix(x, u)) < ROUNDING
        (centres, axes), (theirs, their_axes) = first.places(x, u), second.places(x, u)
        assert difference(centres, theirs) < ROUNDING
        still = [key for key in axes if key[0] not in turned]
        assert all(abs(axes[key] - their_axes[key]) < ROUNDING for key in still)
