"""Exudyn: its kinematic tree, whose accelerations the explicit solver finds once per step.

It is called from Python; the price of a call, that for a system without coordinates, is taken off.
The explicit solver takes no loops, and the tree hinges and slides only. Its variant without checks
of ranges is chosen, which is faster.
"""

import io
import sys
from contextlib import redirect_stdout

import numpy as np
from scipy.spatial.transform import Rotation

from mbd_fmu.spatial import Array
from scripts.benchmarks.engines.engine import UnableError, refuse_long
from scripts.benchmarks.work import Link, State, Work

sys.exudynFast = True  # read when it is loaded, which it tells
with redirect_stdout(io.StringIO()):
    import exudyn
    from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree

_TYPES = {"revolute": exudyn.JointType.RevoluteZ, "prismatic": exudyn.JointType.PrismaticZ}


class Peer:
    """A mechanism in Exudyn."""

    has_moving_rows = False

    def __init__(self, work: Work) -> None:
        refuse_long(work)
        if work.ties:
            raise UnableError("its explicit solver takes no loops")
        if kinds := {link.kind for link in work.links} - set(_TYPES):
            raise UnableError(f"its kinematic tree has no joint of type {', '.join(sorted(kinds))}")
        self.work = work
        self.tolerance = work.rounding
        self._container = exudyn.SystemContainer()  # keeps the system alive
        self._empty_container = exudyn.SystemContainer()
        self._nothing = _Call(self._empty_container.AddSystem())

    def take(self, state: State) -> None:
        """Go to a state: a new system starts there."""
        self._container.Reset()
        system = self._container.AddSystem()
        offset = np.array([link.reference for link in self.work.links])
        n = len(offset)
        node = system.AddNode(
            NodeGenericODE2(
                referenceCoordinates=np.zeros(n),
                initialCoordinates=state.q - offset,
                initialCoordinates_t=state.v,
                numberOfODE2Coordinates=n,
            )
        )
        tree = _tree(self.work.links, self.work.gravity, state.effort)
        system.AddObject(ObjectKinematicTree(nodeNumber=node, **tree))
        self._call = _Call(system)

    def accelerations(self) -> Array:
        """Return those of the tree's joints there, in our order."""
        self._call.repeat(1)
        return np.array(self._call.system.systemData.GetODE2Coordinates_tt())

    def repeat(self, times: int) -> None:
        """Evaluate the motion there, so many times."""
        self._call.repeat(times)

    def repeat_nothing(self, times: int) -> None:
        """Do the same for a system without coordinates."""
        self._nothing.repeat(times)


class _Call:
    """Steps of the explicit Euler method of length zero: accelerations, and nothing moves."""

    def __init__(self, system) -> None:
        system.Assemble()
        self.system = system
        self.settings = settings = exudyn.SimulationSettings()
        settings.timeIntegration.solverType = exudyn.DynamicSolverType.ExplicitEuler
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
        settings.timeIntegration.reuseConstantMassMatrix = False
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        self.solver = exudyn.MainSolverExplicit()
        self.solver.InitializeSolver(system, settings)

    def repeat(self, times: int) -> None:
        step, system, settings = self.solver.DiscontinuousIteration, self.system, self.settings
        for _ in range(times):
            step(system, settings)


def _tree(links: tuple[Link, ...], gravity: Array, effort: Array) -> dict:
    """Its joints turn about and slide along z: frames are turned so that axes lie there."""
    turned = [_to_z(link.axes[0]) for link in links]
    carrier = [np.eye(3) if link.parent < 0 else turned[link.parent] for link in links]
    pairs = list(zip(links, turned, carrier, strict=True))
    return {
        "jointTypes": [_TYPES[link.kind] for link in links],
        "linkParents": [link.parent for link in links],
        "jointTransformations": exudyn.Matrix3DList([C.T @ li.turn @ T for li, T, C in pairs]),
        "jointOffsets": exudyn.Vector3DList([C.T @ link.position for link, _, C in pairs]),
        "linkInertiasCOM": exudyn.Matrix3DList([T.T @ li.inertia @ T for li, T, _ in pairs]),
        "linkCOMs": exudyn.Vector3DList([T.T @ link.com for link, T, _ in pairs]),
        "linkMasses": [link.mass for link in links],
        "jointForceVector": effort,
        "gravity": gravity,
        "baseOffset": np.zeros(3),
    }


def _to_z(axis: Array) -> Array:
    """A rotation whose z axis is the given one."""
    return Rotation.align_vectors([axis], [[0.0, 0.0, 1.0]])[0].as_matrix()
