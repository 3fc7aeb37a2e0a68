"""Can the mechanism be accelerated at all? Asked of numbers before code is made of it."""

from __future__ import annotations

from mbd_fmu.errors import Problem, SpecError
from mbd_fmu.model.spec import Joint
from mbd_fmu.reference.assembly import AssemblyError, nominal_start
from mbd_fmu.spatial import Array
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.start_checks import force_start_problems
from mbd_fmu.system.system import System
from mbd_fmu.system.weightless import weightless_problems


def refuse_unusable(system: System) -> None:
    """Name what cannot be assembled or moves no mass, and springs without direction."""
    plant, u = plant_of(system, system.nominal_parameters()), system.nominal_inputs()
    x = plant.start()
    if system.forest.cut and not system.rows:
        idle = [_idle_problem(system.spec.joints[k]) for k in system.forest.cut]
        raise SpecError(system.spec.name, idle)
    if system.rows:
        x = _assembled(system)
    problems = weightless_problems(plant, x, u) + force_start_problems(plant, x, u)
    if problems:
        raise SpecError(system.spec.name, problems)


def _idle_problem(joint: Joint) -> Problem:
    return Problem(
        f'joint "{joint.name}"',
        f'it is free, and "{joint.parent}" and "{joint.child}" are connected already',
        "leave it out: it restricts nothing; use a bushing for springs between them",
    )


def _assembled(system: System) -> Array:
    if not len(system.state_v):
        remedy = 'give one of the joints another drive than "motion"'
        found = "every joint follows a prescribed motion, and none is left to meet the constraints"
        raise SpecError(system.spec.name, [Problem("file", found, remedy)])
    try:
        return nominal_start(system.spec)[1].x
    except AssemblyError as error:
        remedy = "draw the mechanism closed, or let start values move that are fixed now"
        raise SpecError(system.spec.name, [Problem("start values", str(error), remedy)]) from None
