"""The table of variables: one table makes the XML, the C and the Python slave.

A value reference is an index into it. The order is: parameters, inputs, then outputs stage by
stage. A stage is what is computed together, and only when one of its variables is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.mechanics.joints import JOINTS, Component
from mbd_fmu.model.expressions import Expression, Quantity, value_of
from mbd_fmu.model.spec import GROUND, Joint, Spec
from mbd_fmu.topology.connect import BASE_BODY
from mbd_fmu.topology.forest import Forest

STAGES = ("positions", "velocities", "energies", "work", "accelerations", "reactions")
WORK = "work"  # this stage copies states: it has no formula

TOLERANCE = "solver.tolerance"
STEP = "solver.step"


@dataclass(frozen=True)
class Variable:
    """One scalar of the FMU."""

    name: str
    causality: str  # "parameter", "input" or "output"
    unit: str
    description: str
    start: float | None = None
    min: float | None = None
    max: float | None = None


@dataclass(frozen=True)
class Block:
    """Consecutive outputs that come from one formula of ``mechanics.equations``."""

    stage: str
    formula: str
    index: int  # body, joint or point, as the formula counts them
    components: tuple[Component, ...]  # names are whole


@dataclass(frozen=True)
class Motion:
    """A joint whose motion is prescribed, and where its inputs stand among all inputs."""

    joint: int  # forest index
    inputs: slice

    @property
    def signals(self) -> list[tuple[int, int, int]]:
        """Inputs that belong together as position, velocity and acceleration of one scalar."""
        first = self.inputs.start
        if self.inputs.stop - first == 3:
            return [(first, first + 1, first + 2)]
        return [(first + k, first + 7 + k, first + 13 + k) for k in range(3)]

    @property
    def turn(self) -> tuple[int, int, int] | None:
        """Where quaternion, angular velocity and angular acceleration begin, if there are any."""
        first = self.inputs.start
        return None if self.inputs.stop - first == 3 else (first + 3, first + 10, first + 16)


@dataclass(frozen=True)
class Table:
    """All variables in the order of their value references, and where they come from."""

    variables: tuple[Variable, ...]
    n_parameters: int
    n_inputs: int
    blocks: tuple[Block, ...]  # in the order of the outputs
    start: tuple[Expression | int, ...]  # of q and v: an expression, or a parameter's index
    driven: tuple[tuple[int, int], ...]  # input k acts on component n of v: (k, n)
    motions: tuple[Motion, ...]
    has_work: bool

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The parameters."""
        return self.variables[: self.n_parameters]

    @property
    def inputs(self) -> tuple[Variable, ...]:
        """The inputs."""
        return self.variables[self.n_parameters : self.n_parameters + self.n_inputs]

    @property
    def outputs(self) -> tuple[Variable, ...]:
        """The outputs."""
        return self.variables[self.n_parameters + self.n_inputs :]

    def stage_range(self, stage: str) -> range:
        """Value references of a stage."""
        first = self.n_parameters + self.n_inputs
        for name in STAGES:
            n = sum(len(b.components) for b in self.blocks if b.stage == name)
            if name == stage:
                return range(first, first + n)
            first += n
        raise ValueError(stage)


def variable_table(spec: Spec, forest: Forest, velocity: Sequence[Quantity]) -> Table:
    """Name everything that goes in and out; ``velocity`` holds the start values of v."""
    parameters = list(_declared(spec))
    start: list[Expression | int] = []
    for entry in _start_values(spec, forest, velocity):
        if isinstance(entry, Expression):
            start.append(entry)
        else:
            start.append(len(parameters))
            parameters.append(entry)
    parameters += _solver_settings(spec)
    inputs, driven, motions = _inputs(spec, forest)
    blocks = tuple(sorted(_blocks(spec, forest), key=lambda b: STAGES.index(b.stage)))
    outputs = [Variable(c.name, "output", c.unit, c.meaning) for b in blocks for c in b.components]
    variables = [*parameters, *inputs, *outputs]
    if spec.fmu.naming == "flat":
        variables = [replace(v, name=flat_name(v.name)) for v in variables]
    _refuse_twins(spec, variables)
    return Table(
        variables=tuple(variables),
        n_parameters=len(parameters),
        n_inputs=len(inputs),
        blocks=blocks,
        start=tuple(start),
        driven=driven,
        motions=motions,
        has_work="energy" in spec.groups,
    )


def flat_name(name: str) -> str:
    """Simulink makes buses of dots and brackets."""
    return name.replace(".", "_").replace("[", "_").replace("]", "")


def _refuse_twins(spec: Spec, variables: Iterable[Variable]) -> None:
    seen: set[str] = set()
    problems = []
    for v in variables:
        if v.name in seen:
            problems.append(
                Problem(
                    f'variable "{v.name}"',
                    "two elements of the model would both have it",
                    "rename the body, joint, point or parameter",
                )
            )
        seen.add(v.name)
    if problems:
        raise SpecError(spec.name, problems)


def _declared(spec: Spec) -> Iterator[Variable]:
    for p in spec.parameters:
        text = p.description or f"parameter {p.name} of the model"
        yield Variable(p.name, "parameter", p.unit, text, p.value, p.min, p.max)


def _solver_settings(spec: Spec) -> Iterator[Variable]:
    yield Variable(
        TOLERANCE,
        "parameter",
        "1",
        "error per internal step, relative and in SI units; the importer's tolerance replaces it",
        spec.fmu.tolerance,
        min=1e-14,
        max=1e-1,
    )
    if spec.fmu.solver == "rk4":
        yield Variable(
            STEP, "parameter", "s", "longest internal step of rk4", spec.fmu.step, min=1e-9
        )


def _start_values(
    spec: Spec, forest: Forest, velocity: Sequence[Quantity]
) -> Iterator[Variable | Expression]:
    """Start values of q, then of v: a number becomes a parameter, an expression stays one."""
    free = [
        (i, spec.joints[k]) for i, k in enumerate(forest.joint) if spec.joints[k].drive != "motion"
    ]
    for _, joint in free:
        kind = JOINTS[joint.type]
        drawn = (joint.reference,) if len(kind.neutral) == 1 else kind.neutral
        yield from _of_joint(joint, kind.positions, joint.position or drawn)
    for i, joint in free:
        yield from _of_joint(joint, JOINTS[joint.type].velocities, velocity[forest.v[i]])


def _of_joint(
    joint: Joint, components: tuple[Component, ...], values: Iterable[Quantity]
) -> Iterator[Variable | Expression]:
    for component, value in zip(components, values, strict=True):
        if isinstance(value, Expression):
            yield value
        else:
            head, dot, tail = component.name.partition(".")
            yield Variable(
                f"{joint.name}.{head}_start{dot}{tail}",
                "parameter",
                component.unit,
                f"start value of {joint.name}.{component.name}: {component.meaning}",
                value,
            )


def _inputs(
    spec: Spec, forest: Forest
) -> tuple[list[Variable], tuple[tuple[int, int], ...], tuple[Motion, ...]]:
    inputs: list[Variable] = []
    driven: list[tuple[int, int]] = []
    motions: list[Motion] = []
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.drive == "torque":
            for n, drive in enumerate(JOINTS[joint.type].drives):
                text = f'{drive.meaning}; "{joint.parent}" takes the opposite'
                driven.append((len(inputs), forest.v[i].start + n))
                name = f"{joint.name}.{drive.name}"
                inputs.append(Variable(name, "input", drive.unit, text, 0.0))
        if joint.drive == "motion":
            told = list(_motion_inputs(joint, spec.nominal))
            motions.append(Motion(i, slice(len(inputs), len(inputs) + len(told))))
            inputs += told
    return inputs, tuple(driven), tuple(motions)


def _motion_inputs(joint: Joint, nominal: Mapping[str, float]) -> Iterator[Variable]:
    """Inputs of a prescribed motion. Within a step the position follows velocity and acceleration."""
    kind = JOINTS[joint.type]
    if joint.type == "free":
        yield from _free_motion_inputs(joint)
        return
    position, velocity = (
        value_of((given or (otherwise,))[0], nominal)
        for given, otherwise in ((joint.position, joint.reference), (joint.velocity, 0.0))
    )
    for component, start in (
        (kind.positions[0], position),
        (kind.velocities[0], velocity),
        (kind.accelerations[0], 0.0),
    ):
        text = f"prescribed {component.meaning}"
        yield Variable(f"{joint.name}.{component.name}", "input", component.unit, text, start)


def _free_motion_inputs(joint: Joint) -> Iterator[Variable]:
    where = "world axes" if joint.parent == GROUND else f'axes of "{joint.parent}"'
    of = f'of "{joint.child}"'
    for name, unit, text in (
        ("r", "m", f"prescribed position {of}"),
        ("quat", "1", f"prescribed orientation {of}, unit quaternion"),
        ("v", "m/s", f"prescribed velocity {of}"),
        ("w", "rad/s", f"prescribed angular velocity {of}"),
        ("a", "m/s2", f"prescribed acceleration {of}"),
        ("alpha", "rad/s2", f"prescribed angular acceleration {of}"),
    ):
        for c in "wxyz" if name == "quat" else "xyz":
            start = 1.0 if (name, c) == ("quat", "w") else 0.0
            yield Variable(
                f"{joint.name}.{name}.{c}", "input", unit, f"{text}, {where}, {c}", start
            )


def _blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    if "joints" in spec.groups:
        yield from _joint_blocks(spec, forest)
    for i, k in enumerate(forest.body):
        body = spec.bodies[k].name
        if spec.moving_base and body == BASE_BODY:
            continue  # its pose is an input
        if "poses" in spec.groups:
            origin = f'origin of body "{body}" (as drawn) in the world'
            yield Block("positions", "origin", i, _xyz(f"{body}.r", "m", origin))
            yield Block("positions", "orientation", i, _quaternion(body))
            centre = f'mass centre of body "{body}" in the world'
            yield Block("positions", "mass centre", i, _xyz(f"{body}.com", "m", centre))
        if "velocities" in spec.groups:
            rate = f'velocity of the mass centre of body "{body}", world axes'
            yield Block("velocities", "velocity", i, _xyz(f"{body}.v", "m/s", rate))
            spin = f'angular velocity of body "{body}", world axes'
            yield Block("velocities", "angular velocity", i, _xyz(f"{body}.w", "rad/s", spin))
    for k, point in enumerate(spec.points):
        where = f'point "{point.name}" of body "{point.body}"'
        yield Block("positions", "point", k, _xyz(f"{point.name}.r", "m", f"{where} in the world"))
        yield Block(
            "velocities",
            "point velocity",
            k,
            _xyz(f"{point.name}.v", "m/s", f"velocity of {where}, world axes"),
        )
    if "energy" in spec.groups:
        yield from _energy_blocks()
    if "reactions" in spec.groups:
        yield from _reaction_blocks(spec, forest)
    yield from _motion_blocks(spec, forest)


def _joint_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        kind = JOINTS[joint.type]
        if joint.drive == "motion":
            continue  # these are inputs
        for stage, formula, components in (
            ("positions", "joint position", kind.positions),
            ("velocities", "joint velocity", kind.velocities),
            ("accelerations", "joint acceleration", kind.accelerations),
        ):
            if components:
                where = f'joint "{joint.name}" from "{joint.parent}" to "{joint.child}"'
                named = tuple(
                    Component(f"{joint.name}.{c.name}", c.unit, f"{c.meaning}; {where}")
                    for c in components
                )
                yield Block(stage, formula, i, named)


def _reaction_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.type == "free":
            continue  # carries nothing
        text = (
            f'exerted by joint "{joint.name}" on "{joint.child}", at the joint point carried by '
            f'"{joint.child}", world axes, without drive and spring'
        )
        for key, unit in (("force", "N"), ("torque", "N.m")):
            named = _xyz(f"{joint.name}.{key}", unit, f"constraint {key} {text}")
            yield Block("reactions", f"reaction {key}", i, named)


def _motion_blocks(spec: Spec, forest: Forest) -> Iterator[Block]:
    """What a prescribed motion takes; put out whatever groups are chosen."""
    for i, k in enumerate(forest.joint):
        joint = spec.joints[k]
        if joint.drive != "motion":
            continue
        if joint.type != "free":
            (drive,) = JOINTS[joint.type].drives
            text = f"{drive.meaning} that the prescribed motion takes"
            named = Component(f"{joint.name}.{drive.name}", drive.unit, text)
            yield Block("reactions", "drive", i, (named,))
            continue
        text = (
            f'that must act on "{joint.child}" at its origin for the prescribed motion, world axes'
        )
        for key, unit in (("force", "N"), ("torque", "N.m")):
            named_xyz = _xyz(f"{joint.name}.{key}", unit, f"{key} {text}")
            yield Block("reactions", f"transmitted {key}", i, named_xyz)


def _energy_blocks() -> Iterator[Block]:
    for name, stage, text in (
        ("kinetic", "energies", "kinetic energy of all bodies"),
        (
            "potential",
            "energies",
            "energy in gravity, from the world's origin, and in joint springs",
        ),
        ("input_work", WORK, "work of the drives since the start"),
        ("dissipated", WORK, "energy taken out by dampers since the start"),
    ):
        yield Block(stage, name, 0, (Component(f"energy.{name}", "J", text),))


def _xyz(name: str, unit: str, text: str) -> tuple[Component, ...]:
    return tuple(Component(f"{name}.{x}", unit, f"{text}, {x}") for x in "xyz")


def _quaternion(body: str) -> tuple[Component, ...]:
    text = f'orientation of body "{body}" in the world, unit quaternion'
    return tuple(Component(f"{body}.quat.{c}", "1", f"{text}, {c}") for c in "wxyz")
