"""From structure to table of variables: parameters, inputs, outputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mbd_fmu.elements.names import Component
from mbd_fmu.errors import shortened
from mbd_fmu.model.bounds import parameter_limits
from mbd_fmu.model.spec import Joint, Spec
from mbd_fmu.quantities.expressions import TIME, Expression, Quantity
from mbd_fmu.quantities.time_functions import TimeFunction
from mbd_fmu.system.outputs.block import Stage
from mbd_fmu.system.outputs.groups import needs_work, output_blocks
from mbd_fmu.system.prescribed import prescribed_variables, start_name
from mbd_fmu.system.starts import Constant, FromExpression, FromParameter, StartValue
from mbd_fmu.system.variable import DERIVED, Variable
from mbd_fmu.system.variables import PrescribedMotion, Table, flat_name
from mbd_fmu.topology.forest import Forest


def variable_table(
    spec: Spec, forest: Forest, position: Sequence[Quantity], velocity: Sequence[Quantity]
) -> Table:
    """Name everything that goes in and out; start values of q, of all joints, and of v."""
    parameters = list(_declared(spec))
    start: list[StartValue] = []
    for entry in _start_values(spec, forest, position, velocity):
        if isinstance(entry, Variable):
            start.append(FromParameter(len(parameters)))
            parameters.append(entry)
        else:
            start.append(entry)
    acting, driven, motions, first_force_input = _acting(spec, forest)
    made = []
    for k, variable in enumerate(acting):
        if variable.causality not in ("input", TIME):
            has_start = variable.causality == "parameter"
            made.append((k, len(parameters) if has_start else None))
            parameters += [variable] * has_start
    tolerance = len(parameters)
    parameters += _solver_settings(spec, has_loops=bool(forest.cut or spec.constraints))
    places = {v.name: k for k, v in enumerate(parameters)}
    inputs = [variable for variable in acting if variable.causality == "input"]
    blocks = output_blocks(spec, forest, [(variable.name, variable.unit) for variable in acting])
    derived = {variable.name: variable for variable in _derived(spec)}
    computed = [
        derived.get(c.name, Variable(c.name, causality, c.unit, c.meaning))
        for block in blocks
        for causality in (DERIVED if block.stage == Stage.DERIVED else "output",)
        for c in block.components
    ]
    variables = [*parameters, *inputs, *computed]
    if spec.fmu.naming == "flat":
        variables = [replace(v, name=flat_name(v.name)) for v in variables]
    return Table(
        variables=tuple(variables),
        n_parameters=len(parameters),
        n_inputs=len(inputs),
        n_acting=len(acting),
        acting=tuple(k for k, variable in enumerate(acting) if variable.causality == "input"),
        made=tuple(made),
        blocks=blocks,
        start=tuple(start),
        driven=driven,
        torques=tuple(_torques(spec, forest)),
        motions=motions,
        first_force_input=first_force_input,
        time=len(acting) - 1 if spec.uses_time else None,
        # a mechanism without states of its own still has these two
        has_work=needs_work(blocks) or not start,
        tolerance=tolerance,
        step=places.get("solver.step"),
        gains=places.get("solver.alpha"),
    )


def _declared(spec: Spec) -> Iterator[Variable]:
    limits = parameter_limits(spec)
    for p in spec.parameters:
        text = p.description or f"parameter {p.name} of the model"
        low, high = (x if math.isfinite(x) else None for x in limits[p.name])
        yield Variable(p.name, "parameter", p.unit, text, p.value, low, high, p.tunable)


def _derived(spec: Spec) -> Iterator[Variable]:
    nominal = spec.nominal
    for made in spec.derived_parameters:
        text = made.description or f"parameter {made.name} of the model"
        yield Variable(
            made.name,
            DERIVED,
            made.unit,
            f"{text}, = {shortened(made.value.text)}",
            nominal[made.name],
            made.min,
            made.max,
            made.tunable,
        )


def _solver_settings(spec: Spec, *, has_loops: bool) -> Iterator[Variable]:
    yield Variable(
        "solver.tolerance",
        "parameter",
        "1",
        "error per internal step, relative and in SI units; the importer's tolerance replaces it",
        spec.fmu.tolerance,
        min=1e-14,
        max=1e-1,
    )
    if spec.fmu.solver == "rk4":
        yield Variable(
            "solver.step", "parameter", "s", "longest internal step of rk4", spec.fmu.step, min=1e-9
        )
    if spec.fmu.stabilization == "baumgarte" and has_loops:
        text = "of Baumgarte's phi'' + 2 alpha phi' + beta^2 phi = 0, for rows phi of constraints"
        for name, value in (("alpha", spec.fmu.alpha), ("beta", spec.fmu.beta)):
            yield Variable(f"solver.{name}", "parameter", "1/s", f"{name} {text}", value, min=0.0)


def _start_values(
    spec: Spec, forest: Forest, position: Sequence[Quantity], velocity: Sequence[Quantity]
) -> Iterator[Variable | FromExpression | Constant]:
    """Start values of q, then of v: a number becomes a parameter, an expression stays one.

    Coordinates of cut joints follow from the others; theirs say how many turns are counted.
    """
    free = [
        (i, spec.joints[k]) for i, k in enumerate(forest.joint) if spec.joints[k].drive != "motion"
    ]
    flat = spec.fmu.naming == "flat"
    for i, joint in free:
        names = joint.kind.names
        yield from _of_joint(joint, names.positions, position[forest.q[i]], flat=flat)
    for place in forest.cut_q:
        for value in position[place]:
            yield (
                FromExpression(value) if isinstance(value, Expression) else Constant(float(value))
            )
    for i, joint in free:
        names = joint.kind.names
        yield from _of_joint(joint, names.velocities, velocity[forest.v[i]], flat=flat)


def _of_joint(
    joint: Joint, components: tuple[Component, ...], values: Iterable[Quantity], *, flat: bool
) -> Iterator[Variable | FromExpression]:
    for component, value in zip(components, values, strict=True):
        if isinstance(value, Expression):
            yield FromExpression(value)
        else:
            name = start_name(component.name)
            own = f"{joint.name}.{component.name}"
            shown = flat_name(own) if flat else own
            yield Variable(
                f"{joint.name}.{name}",
                "parameter",
                component.unit,
                f"start value of {shown}: {component.meaning}",
                value,
            )


def _acting(
    spec: Spec, forest: Forest
) -> tuple[list[Variable], tuple[tuple[int, int], ...], tuple[PrescribedMotion, ...], int]:
    """Name all that acts on the equations: inputs, what is made of them, and the time."""
    acting: list[Variable] = []
    driven: list[tuple[int, int]] = []
    motions: list[PrescribedMotion] = []
    for i, k in enumerate(forest.every_joint):
        joint = spec.joints[k]
        if joint.drive == "torque" and not joint.torque:
            for n, drive in enumerate(joint.kind.names.drives):
                text = f'{drive.meaning}; "{joint.parent}" takes the opposite'
                driven.append((len(acting), forest.every_v[i].start + n))
                name = f"{joint.name}.{drive.name}"
                most = joint.effort[n] if joint.effort else None
                least = None if most is None else -most
                acting.append(Variable(name, "input", drive.unit, text, 0.0, least, most))
        if joint.drive == "motion":
            layout = joint.kind.layout
            told = PrescribedMotion(i, layout, len(acting), joint.motion, joint.name, joint.of_time)
            motions.append(told)
            if told.is_told:
                acting += prescribed_variables(joint, spec.nominal, flat=spec.fmu.naming == "flat")
    first_force_input = len(acting)
    for force in spec.forces:
        acting += [
            Variable(c.name, "input", c.unit, c.meaning, c.start, c.min, c.max)
            for c in force.inputs
        ]
    if spec.uses_time:
        acting.append(Variable(TIME, TIME, "s", "time", 0.0))
    return acting, tuple(driven), tuple(motions), first_force_input


def _torques(spec: Spec, forest: Forest) -> Iterator[tuple[int, TimeFunction]]:
    """Yield what drives joints without inputs, and which velocity it drives."""
    for i, k in enumerate(forest.every_joint):
        yield from enumerate(spec.joints[k].torque, start=forest.every_v[i].start)
