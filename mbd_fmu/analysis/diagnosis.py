"""What the constraints do to a mechanism: freedoms, redundancy, and which reactions are unique.

Counting (Gruebler) says how many freedoms there should be; the rank of J says how many there are.
Rows beyond the rank are redundant: their multipliers may be anything together, and the reactions
that change when they do are not unique; they are put out with the least weighted squares.

All of it holds for the assembled start position.

Source   [002]; Wojtyra, Multibody System Dynamics 14 (2005), p. 25: reactions of redundant joints.
Checked  tests/laws/test_loops.py, tests/unit/test_diagnosis.py
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mbd_fmu.errors import SpecError
from mbd_fmu.mechanics.constrained import ConstrainedSolution
from mbd_fmu.mechanics.equations import Instant
from mbd_fmu.reference.assembly import nominal_start
from mbd_fmu.spatial import Array
from mbd_fmu.system.free_motions import leading_entry, leading_motions
from mbd_fmu.system.plant import Plant, plant_of
from mbd_fmu.system.start_checks import force_start_problems
from mbd_fmu.system.system import System
from mbd_fmu.system.variable import Variable
from mbd_fmu.system.weightless import COARSE_RANK, refuse_weightless

SAME = 1e-7  # of the largest load: below it a reaction does not change with idle multipliers
STILL = 1e-9  # of the fastest: below it a joint does not take part in a free motion


@dataclass(frozen=True)
class AdjustedStart:
    """A start value that assembly changed."""

    name: str
    given: float
    found: float


@dataclass(frozen=True)
class Diagnosis:
    """See above. Lists name elements of the model, or variables of the FMU."""

    rank: int
    freedoms: int
    condition: float  # largest over smallest singular value that counts
    redundant: dict[str, int]  # rows by joint or constraint
    motions: list[str]  # each free motion in words
    unique: list[str]  # reactions that are, of those a joint or its prescribed motion can have
    shared: list[str]  # those that are not
    adjusted: list[AdjustedStart]


def diagnose(system: System) -> Diagnosis:
    """Look at a mechanism as it is at the start."""
    return _Look(system).diagnosis


class _Look:
    def __init__(self, system: System) -> None:
        self.system = system
        self.plant: Plant = plant_of(system, system.nominal_parameters())
        self.u = system.nominal_inputs()
        given = self.plant.start()
        self.x = given
        if system.rows:
            self.x = nominal_start(system.spec)[1].x
        if problems := force_start_problems(self.plant, self.x, self.u):
            raise SpecError(system.spec.name, problems)
        refuse_weightless(self.plant, self.x, self.u)
        self.adjusted = [
            AdjustedStart(name, float(a), float(b))
            for name, a, b in zip(system.states.names, given, self.x, strict=True)
            if abs(a - b) > 1e-9 * (1.0 + abs(a))
        ]

    @property
    def diagnosis(self) -> Diagnosis:
        """Put together what is found."""
        unique, shared = self._reactions()
        names = self._velocities()
        return Diagnosis(
            rank=self.solved.rank,
            freedoms=len(self.system.state_v) - self.solved.rank,
            condition=self._condition(),
            redundant=self._redundant(),
            motions=[_in_words(motion, names) for motion in self._motions()],
            unique=unique,
            shared=shared,
            adjusted=self.adjusted,
        )

    @cached_property
    def solved(self) -> ConstrainedSolution:
        """The equations at the start, solved."""
        if self.system.rows:
            return self.plant.accelerated(self.x, self.u, tolerance=COARSE_RANK)
        n = len(self.system.state_v)
        return ConstrainedSolution(np.zeros(n), 0, np.zeros(0), np.zeros((0, 0)), 1.0, np.eye(n))

    @cached_property
    def scaled(self) -> Array:
        """J with comparable rows and velocities."""
        if not self.system.rows:
            return np.zeros((0, len(self.system.state_v)))
        eq = self.plant.equations(self.x, self.u)
        inertia = np.diag(eq.M)
        scale = 1.0 / np.sqrt(np.where(inertia > 0.0, inertia, 1.0))
        found: Array = self.system.row_weight[:, None] * eq.J * scale
        return found

    def _condition(self) -> float:
        if not self.solved.rank:
            return 1.0
        sigma = np.linalg.svd(self.scaled, compute_uv=False)
        return float(sigma[0] / sigma[self.solved.rank - 1])

    def _redundant(self) -> dict[str, int]:
        """Count the rows that add nothing to those before them."""
        kept = set(_independent(self.scaled, COARSE_RANK * _size(self.scaled)))
        left = (row.element for k, row in enumerate(self.system.rows) if k not in kept)
        return dict(Counter(left))

    def _velocities(self) -> list[tuple[str, str]]:
        """Names and units of the free velocities."""
        joints = [self.system.joint(i) for i in self.system.free_joints]
        return [
            (self.system.shown(f"{joint.name}.{c.name}"), c.unit)
            for joint in joints
            for c in joint.kind.names.velocities
        ]

    def _motions(self) -> list[Array]:
        """Free motions, each told by one joint that moves by 1 while the others so told rest."""
        if not self.system.rows:
            return list(np.eye(len(self.system.state_v)))
        J = self.plant.equations(self.x, self.u).J * self.system.row_weight[:, None]
        free = np.linalg.svd(J)[2][self.solved.rank :]
        return leading_motions(free)

    def _reactions(self) -> tuple[list[str], list[str]]:
        """Names of reactions that do not change with idle multipliers, and of those that do."""
        changed = self._idle_loads()
        largest = max(changed.values(), default=0.0)
        is_unique = {name: change <= SAME * largest for name, change in changed.items()}
        unique, shared = ([n for n in changed if is_unique[n] == told] for told in (True, False))
        return unique, shared

    def _idle_loads(self) -> dict[str, float]:
        """How large idle multipliers make reactions, and what prescribed motions take, by name.

        Torques per characteristic length. The motion of a free joint takes all that goes through.
        """
        system, forest = self.system, self.system.forest
        at = self.plant.instant(self.x, self.u)
        idle = at.exerted(self.solved.null_multipliers)
        weight = np.repeat([1.0 / system.length, 1.0], 3)
        found: dict[str, float] = {}
        for i, can in enumerate(self._carried(at)):
            joint = system.joint(i)
            is_prescribed = i < len(forest) and self.plant.tree.prescribed[i]
            wrenches = idle.reactions[i]
            if is_prescribed and not joint.kind.restricts:
                R, F_B = at.placed.R_WB[i], idle.transmitted[i]
                wrenches = np.concatenate([R @ F_B[:3], R @ F_B[3:]])
            largest = weight * _largest_of_rows(wrenches)
            for k in np.flatnonzero(can):
                found[system.shown(f"{joint.name}.{_COMPONENTS[k]}")] = float(largest[k])
            if is_prescribed and joint.kind.restricts:
                loads = _largest_of_rows(idle.driving[i])
                for drive, load in zip(joint.kind.names.drives, loads, strict=True):
                    per = weight[0] if drive.unit == "N.m" else 1.0
                    found[system.shown(f"{joint.name}.{drive.name}")] = float(per * load)
        return found

    def _carried(self, at: Instant) -> list[Array]:
        """Of each joint, which components of torque and force (world axes) it can have."""
        forest = self.system.forest
        spaces = []
        for i, S in enumerate(at.configuration.S):
            R = at.placed.R_WB[i]
            spaces.append(np.vstack([R @ S[:3], R @ S[3:]]))
        for cut in at.cuts:
            S = cut.cut.kind.motion.S(cut.since_drawn, cut.cut.constants)
            R_WM = cut.axes_W
            spaces.append(np.vstack([R_WM @ S[:3], R_WM @ S[3:]]))
        found = []
        for i, S in enumerate(spaces):
            rigid = np.linalg.svd(S)[0][:, S.shape[1] :]  # wrenches that do no work
            joint = self.system.joint(i)
            can = np.abs(rigid).max(axis=1, initial=0.0) > 1e-9
            if joint.fictitious or not joint.kind.restricts:
                # it carries what its motion takes, if any
                can = np.full(6, i < len(forest) and self.plant.tree.prescribed[i])
            found.append(can)
        return found


def _independent(A: Array, tolerance: float) -> list[int]:
    """Return the rows that add something to those before them, by singular values.

    The least of these is no larger than what a row adds, and none grows smaller when a row goes: so
    if that of all rows which add something is large enough, each of them was right. Else they are
    looked at one by one.
    """
    basis = np.zeros(A.shape)
    for one_by_one in (False, True):
        kept: list[int] = []
        for k, row in enumerate(A):
            known = basis[: len(kept)]
            rest = row - row @ known.T @ known
            rest = rest - rest @ known.T @ known  # twice is enough for all digits
            size = float(np.linalg.norm(rest))
            if size > tolerance and not (one_by_one and _falls_short(A[[*kept, k]], tolerance)):
                basis[len(kept)] = rest / size
                kept.append(k)
        if not _falls_short(A[kept], tolerance):
            break
    return kept


def _falls_short(A: Array, tolerance: float) -> bool:
    """Whether rows are not independent."""
    return bool(np.linalg.matrix_rank(A, tol=tolerance) < len(A))


_COMPONENTS = tuple(f"{kind}.{c}" for kind in ("torque", "force") for c in "xyz")


def _largest_of_rows(A: Array) -> Array:
    found: Array = np.abs(A).max(axis=1, initial=0.0)
    return found


def _size(A: Array) -> float:
    return float(np.linalg.norm(A, 2)) if A.size else 0.0


def _in_words(motion: Array, names: list[tuple[str, str]]) -> str:
    """Say which velocities, by name and unit, take part in a motion, the leading one first."""
    moving = np.flatnonzero(np.abs(motion) > STILL * np.abs(motion).max())
    leading = leading_entry(motion)
    name, unit = names[leading]
    if len(moving) == 1:
        return f"{name} alone"
    followers = ", ".join(
        f"{names[k][0]} {motion[k]:.4g} {names[k][1]}" for k in moving if k != leading
    )
    return f"with {name} 1 {unit}: {followers}"


def described(system: System, diagnosis: Diagnosis) -> System:
    """Say in the descriptions of reactions which are unique, and by which rule the others are."""
    if not system.rows:
        return system
    names = {True: set(diagnosis.unique), False: set(diagnosis.shared)}

    def annotated(variable: Variable) -> Variable:
        for is_unique, own in names.items():
            if variable.causality == "output" and variable.name in own:
                text = "; unique" if is_unique else _RULE.format(length=system.length)
                return replace(variable, description=variable.description + text)
        return variable

    variables = tuple(map(annotated, system.table.variables))
    return replace(system, table=replace(system.table, variables=variables))


_RULE = (
    "; not unique: of all possible ones, those of the least sum of squares of forces and of "
    "torques per {length:.4g} m"
)
