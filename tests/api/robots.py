"""Robots of the package example-robot-data: ours, and the same in Pinocchio's terms."""

from importlib import metadata
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import mbd_fmu
from mbd_fmu.formats.choices import Choices
from tests.formats.pinocchio_robots import Twins

try:
    SHARE = Path(str(metadata.distribution("example-robot-data").locate_file("cmeel.prefix/share")))
except metadata.PackageNotFoundError:
    pytest.skip("the robots are not installed", allow_module_level=True)

ROBOTS = [("ur5_robot.urdf", "fixed"), ("solo12.urdf", "free")]


class Robot:
    """A model of ours with a random state, and the same in Pinocchio's terms."""

    def __init__(self, file, base):
        path = next(SHARE.glob(f"example-robot-data/robots/**/{file}"))
        self.m = mbd_fmu.load(path, base=base)
        self.there = Twins(path, Choices(base=base))
        rng = np.random.default_rng(4)
        self.q, self.v = self.there.random_state(rng)
        self.a, self.tau = rng.uniform(-5, 5, (2, len(self.v)))
        self.model, self.data = self.there.model, self.there.data
        self.q_there, self.v_there, self.order = self.there.there(self.q, self.v)

    @property
    def bodies(self):
        """Links of Pinocchio's that are bodies of ours, with its frame."""
        for name in self.m.bodies:
            if self.model.existFrame(name):
                yield name, self.model.getFrameId(name, pin.FrameType.BODY)
