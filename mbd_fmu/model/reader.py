"""From a model file to its specification, with every problem found on the way.

The same reader takes a TOML file, the JSON an FMU carries, and what the Python builder collects:
they are one nested table.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mbd_fmu.elements.joints import JOINTS
from mbd_fmu.elements.motion_of_time import BY_TIME, MotionOfTime, is_formula, read_motion_of_time
from mbd_fmu.elements.places import GROUND
from mbd_fmu.errors import MbdFmuError, Problem, SpecError, shortened
from mbd_fmu.model.bodies import read_body
from mbd_fmu.model.checks import physical_problems
from mbd_fmu.model.couplings import read_constraint, read_force
from mbd_fmu.model.declarations import read_declarations
from mbd_fmu.model.joints import MOTIONS, read_joint
from mbd_fmu.model.names import name_problems, reference_problems
from mbd_fmu.model.outputs import read_outputs
from mbd_fmu.model.spec import Derived, FmuDefaults, Spec
from mbd_fmu.model.text import text_of
from mbd_fmu.quantities.limits import MOST_LEVELS, size_problems
from mbd_fmu.quantities.scope import Scope
from mbd_fmu.quantities.table import Table

BAUMGARTE = "baumgarte"
STABILIZATIONS = ("projection", BAUMGARTE, "none")
SOLVERS = ("dopri5", "rk4", "stiff")
TOLERANCES = (1e-14, 1e-1)  # least and most
LEAST_STEP, LEAST_GAIN = 1e-9, 0.0


def read_model(path: str | Path) -> Spec:
    """Read ``model.toml``, or the ``model.toml`` in a folder."""
    path = Path(path)
    if path.is_dir():
        path = path / "model.toml"
    return replace(spec_of_table(read_table(path), source=str(path)), folder=path.parent)


def read_table(path: Path) -> dict[str, Any]:
    """Return the nested table of a TOML file."""
    try:
        return tomllib.loads(text_of(path))
    except FileNotFoundError:
        raise MbdFmuError(f"{path}: no such model file; `mbd-fmu models` lists ours") from None
    except OSError as error:
        raise MbdFmuError(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise MbdFmuError(f"{path}: not TOML: {shortened(str(error))}") from None
    except RecursionError:
        found = f"lists or tables are nested too deeply; {MOST_LEVELS} levels are the most"
        raise MbdFmuError(f"{path}: {found}") from None
    except ValueError:  # of Python, about integers of thousands of digits
        found = "a whole number has too many digits; write it as 1e9"
        raise MbdFmuError(f"{path}: {found}") from None


def spec_of_text(text: str) -> Spec:
    """Read the JSON that a specification carries."""
    return spec_of_table(json.loads(text), source="model")


def spec_of_table(table: Mapping[str, Any], source: str) -> Spec:
    """Check a nested table and return the specification; raise ``SpecError`` with all problems."""
    problems = size_problems(table)
    if problems:
        raise SpecError(source, problems)
    spec = _read(Table("file", table, problems, Scope()))
    problems += name_problems(spec) + reference_problems(spec)
    problems += _impossible(spec, [problem.where for problem in problems])
    if problems:
        raise SpecError(source, problems)
    # The order of keys is kept: it is the order of the FMU's parameters.
    return replace(spec, text=json.dumps(table, separators=(",", ":"), default=str))


def _read(root: Table) -> Spec:
    """Read all there is; what cannot be read is among the problems then, and a stand-in here."""
    model = root.inner("[model]", root.raw("model", {}))
    frame = model.text("frame", "world", choices=("world", "local"))
    root.scope.is_local = frame == "local"
    declared = read_declarations(root)
    name = model.text("name", example='"pendulum"')
    description = model.text("description", "")
    gravity = model.place("gravity", GROUND, (0.0, 0.0, -9.81))
    drive = model.text("drive", "torque", choices=("torque", "none"))
    length = model.number("characteristic_length", None, positive=True)
    model.done()

    bodies = tuple(map(read_body, _each(root, "body")))
    joints = tuple(read_joint(table, frame, drive) for table in _each(root, "joint"))
    forces = tuple(map(read_force, _each(root, "force")))
    constraints = tuple(read_constraint(table, frame) for table in _each(root, "constraint"))
    base_motion, base_of_time = _base_motion(root)
    outputs = read_outputs(root)
    fmu = _fmu_defaults(root.inner("[fmu]", root.raw("fmu", {})))
    root.done()
    return Spec(
        name=name,
        description=description,
        gravity=gravity,
        parameters=declared.parameters,
        bodies=bodies,
        joints=joints,
        forces=forces,
        constraints=constraints,
        characteristic_length=length,
        moving_base=base_motion != "none",
        groups=outputs.groups,
        points=outputs.points,
        outputs=outputs.named,
        fmu=fmu,
        text="",
        base_motion=base_motion if base_motion != "none" else "full",
        derived=declared.derived,
        named_points=declared.points,
        base_of_time=base_of_time,
    )


def _each(root: Table, kind: str) -> Iterator[Table]:
    """Yield the readers of the elements of a kind."""
    return (root.element(kind, data) for data in root.tables(kind))


def _impossible(spec: Spec, wrong: list[str]) -> list[Problem]:
    """List what no mechanism can be, besides what is wrong in some places.

    Both are told together, but not of one key, nor of what a misspelt parameter leads to: there
    a stand-in was read.
    """
    doubtful = frozenset(_doubtful(spec, wrong))
    return [
        problem
        for problem in physical_problems(spec, doubtful)
        if not any(where.startswith(problem.where) for where in wrong)
    ]


def _doubtful(spec: Spec, places: list[str]) -> set[str]:
    """Return what was misspelt where it is declared, and all that follows from it."""
    found: set[str] = set()
    for part in spec.declared:
        kind = "parameter" if part.is_parameter else "point"
        own = f'{kind} "{shortened(part.declared_as)}"'
        is_wrong = any(place == own or place.startswith(f"{own},") for place in places)
        if is_wrong or (isinstance(part, Derived) and part.value.names & found):
            found.add(part.name)
    return found


def _base_motion(root: Table) -> tuple[str, MotionOfTime | None]:
    """Return what tells the motion of the base, "none" if it stands still; and its functions."""
    if not root.has("base"):
        return "none", None
    table = root.inner("[base]", root.raw("base"))
    if table.has("motion") and isinstance(table.raw("motion"), Mapping):
        of_time = read_motion_of_time(table, "motion", JOINTS["free"])
        table.done()
        return BY_TIME, of_time
    if is_formula(table, "motion", JOINTS["free"]):
        return "full", None
    motion = table.text("motion", choices=("prescribed", "none", *MOTIONS))
    table.done()
    return "full" if motion == "prescribed" else motion, None


def _fmu_defaults(table: Table) -> FmuDefaults:
    solver = table.text("solver", "dopri5", choices=SOLVERS)
    stabilization = table.text("stabilization", "projection", choices=STABILIZATIONS)
    gains = {}
    if stabilization == BAUMGARTE:
        gains["alpha"] = table.number("alpha", FmuDefaults.alpha, least=LEAST_GAIN)
        gains["beta"] = table.number("beta", FmuDefaults.beta, least=LEAST_GAIN)
    defaults = FmuDefaults(
        solver,
        table.number("tolerance", FmuDefaults.tolerance, least=TOLERANCES[0], most=TOLERANCES[1]),
        table.number("step", FmuDefaults.step, least=LEAST_STEP),
        table.number("stop_time", FmuDefaults.stop_time, positive=True),
        table.number("communication_step", FmuDefaults.communication_step, positive=True),
        table.text("naming", "structured", choices=("structured", "flat")),
        stabilization,
        **gains,
    )
    table.done()
    return defaults
