"""From a model file to its specification, with every problem found on the way.

The same reader takes a TOML file, the JSON an FMU carries, and what the Python builder collects:
they are one nested table.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mbd_fmu.errors import MbdFmuError, SpecError, shortened, unknown_name
from mbd_fmu.model.bodies import read_body
from mbd_fmu.model.checks import physical_problems
from mbd_fmu.model.couplings import read_constraint, read_force
from mbd_fmu.model.joints import MOTIONS, read_joint
from mbd_fmu.model.names import name_problems, reference_problems
from mbd_fmu.model.spec import (
    DEFAULT_GROUPS,
    OUTPUT_GROUPS,
    FmuDefaults,
    OutputPoint,
    Parameter,
    Spec,
)
from mbd_fmu.model.text import text_of
from mbd_fmu.quantities.limits import MOST_LEVELS, size_problems
from mbd_fmu.quantities.table import Table, show

STABILIZATIONS = ("projection", "baumgarte", "none")
SOLVERS = ("dopri5", "rk4", "stiff")


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
    declared = table.get("parameters", {})
    names = frozenset(declared if isinstance(declared, Mapping) else ())
    root = Table("file", table, problems, names)
    parameters = _parameters(root)

    model = root.inner("[model]", root.raw("model", {}))
    name = model.text("name", example='"pendulum"')
    frame = model.text("frame", "world", choices=("world", "local"))
    description = model.text("description", "")
    gravity = model.vector("gravity", (3,), (0.0, 0.0, -9.81))
    length = model.number("characteristic_length", None, positive=True)
    model.done()

    bodies = tuple(read_body(root.element("body", data)) for data in root.tables("body"))
    joints = tuple(read_joint(root.element("joint", data), frame) for data in root.tables("joint"))
    forces = tuple(read_force(root.element("force", data)) for data in root.tables("force"))
    constraints = tuple(
        read_constraint(root.element("constraint", data), frame)
        for data in root.tables("constraint")
    )
    base_motion = _base_motion(root)
    groups, points = _outputs(root)
    fmu = _fmu_defaults(root.inner("[fmu]", root.raw("fmu", {})))
    root.done()

    spec = Spec(
        name=name,
        description=description,
        gravity=gravity,
        parameters=parameters,
        bodies=bodies,
        joints=joints,
        forces=forces,
        constraints=constraints,
        characteristic_length=length,
        moving_base=base_motion != "none",
        groups=groups,
        points=points,
        fmu=fmu,
        text="",
        base_motion=base_motion if base_motion != "none" else "full",
    )
    problems += name_problems(spec) + reference_problems(spec)
    # What is impossible is reported together with what is misspelt, but not of the same key, nor
    # of what a misspelt parameter leads to: there a stand-in was read.
    wrong = [problem.where for problem in problems]
    doubtful = frozenset(p.name for p in parameters if _is_wrong(p.name, wrong))
    problems += [
        problem
        for problem in physical_problems(spec, doubtful)
        if not any(where.startswith(problem.where) for where in wrong)
    ]
    if problems:
        raise SpecError(source, problems)
    # The order of keys is kept: it is the order of the FMU's parameters.
    return replace(spec, text=json.dumps(table, separators=(",", ":"), default=str))


def _is_wrong(parameter: str, places: list[str]) -> bool:
    own = f'parameter "{shortened(parameter)}"'
    return any(place == own or place.startswith(f"{own},") for place in places)


def _parameters(root: Table) -> tuple[Parameter, ...]:
    table = root.raw("parameters", {})
    if not isinstance(table, Mapping):
        root.problem("parameters", f"found {show(table)}", "write [parameters] with name = value")
        return ()
    return tuple(_parameter(root, name, data) for name, data in table.items())


def _parameter(root: Table, name: str, data: Any) -> Parameter:
    if not isinstance(data, Mapping):
        data = {"value": data}
    table = root.inner(f'parameter "{shortened(name)}"', data)
    parameter = Parameter(
        name,
        table.number("value"),
        table.text("unit", "1"),
        table.number("min", None),
        table.number("max", None),
        table.text("description", ""),
        table.flag("tunable", default=False),
    )
    table.done()
    if table.is_clean and not parameter.unit:
        table.problem("unit", "is empty", 'write "1" for a plain number')
    low, high = parameter.min, parameter.max
    if table.is_clean and low is not None and high is not None and low > high:
        table.problem("min", f"{low:g} is above max = {high:g}", "exchange them")
    if table.is_clean and (
        (low is not None and parameter.value < low) or (high is not None and parameter.value > high)
    ):
        table.problem(
            "value",
            f"{parameter.value:g} is outside min and max",
            f"keep it between {low if low is not None else '-inf'} and "
            f"{high if high is not None else 'inf'}",
        )
    return parameter


def _outputs(root: Table) -> tuple[tuple[str, ...], tuple[OutputPoint, ...]]:
    groups: list[str] = []
    points: list[OutputPoint] = []
    tables = root.tables("output")
    for data in tables:
        table = root.inner("[[output]]", data)
        for group in table.texts("groups", DEFAULT_GROUPS):
            if group not in OUTPUT_GROUPS:
                table.problems.append(
                    unknown_name("[[output]], groups", "group", group, OUTPUT_GROUPS)
                )
            groups.append(group)
        for point in table.tables("point"):
            entry = root.element("point", point)
            points.append(
                OutputPoint(entry.text("name"), entry.text("body"), entry.vector("point", (3,)))
            )
            entry.done()
        table.done()
    chosen = groups if tables else DEFAULT_GROUPS
    return tuple(g for g in OUTPUT_GROUPS if g in chosen), tuple(points)


def _base_motion(root: Table) -> str:
    """Return what tells the motion of the base, "none" if it stands still."""
    if not root.has("base"):
        return "none"
    table = root.inner("[base]", root.raw("base"))
    motion = table.text("motion", choices=("prescribed", "none", *MOTIONS))
    table.done()
    return "full" if motion == "prescribed" else motion


def _fmu_defaults(table: Table) -> FmuDefaults:
    solver = table.text("solver", "dopri5", choices=SOLVERS)
    stabilization = table.text("stabilization", "projection", choices=STABILIZATIONS)
    gains = {}
    if stabilization == "baumgarte":
        gains["alpha"] = table.number("alpha", FmuDefaults.alpha, least=0.0)
        gains["beta"] = table.number("beta", FmuDefaults.beta, least=0.0)
    defaults = FmuDefaults(
        solver,
        table.number("tolerance", FmuDefaults.tolerance, least=1e-14, most=1e-1),
        table.number("step", FmuDefaults.step, least=1e-9),
        table.number("stop_time", FmuDefaults.stop_time, positive=True),
        table.number("communication_step", FmuDefaults.communication_step, positive=True),
        table.text("naming", "structured", choices=("structured", "flat")),
        stabilization,
        **gains,
    )
    table.done()
    return defaults
