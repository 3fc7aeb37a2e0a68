"""Outputs as vectors and turns, and where points lie by them."""

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.quantities.vectors import vector_of


class Seen:
    """Outputs by name, and vectors and turns of bodies among them."""

    def __init__(self, values, spec):
        self.values, self.spec = values, spec

    def __getitem__(self, name):
        return self.values[name]

    def vector(self, name):
        return np.array([self.values[f"{name}.{c}"] for c in "xyz"])

    def quat(self, name):
        return np.array([self.values[f"{name}.quat.{c}"] for c in "wxyz"])

    def turn(self, body):
        if body == "ground":
            return Rotation.identity()
        return Rotation.from_quat(self.quat(body), scalar_first=True)

    def point(self, body, point):
        """Where a point lies that was drawn with its body."""
        point = vector_of(tuple(point), self.spec.nominal).astype(float)
        if body == "ground":
            return point
        body_spec = next(b for b in self.spec.bodies if b.name == body)
        origin = vector_of(body_spec.origin, self.spec.nominal).astype(float)
        return self.vector(f"{body}.r") + self.turn(body).apply(point - origin)
