"""The door to CasADi: equations in symbols, their sparsity, and the operations they take.

Everything that leaves this file is plain data; no other file knows that CasADi exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from mbd_fmu.export.plant import Equations, Plant
from mbd_fmu.export.system import System
from mbd_fmu.export.variables import RATE_STAGES, STAGES
from mbd_fmu.model.spec import GROUND
from mbd_fmu.spatial import Array, array
from mbd_fmu.topology.connect import BASE_BODY

# NumPy's functions meet our symbols inside object arrays only; the notice does not concern us.
ca.GlobalOptions.setNumpyMode(-1)

_OPERATORS = {
    name.removeprefix("OP_").lower(): getattr(ca, name)
    for name in dir(ca)
    if name.startswith("OP_")
}
_OPERATION_NAME = {code: name for name, code in _OPERATORS.items()}
_BINARY = frozenset({"add", "sub", "mul", "div", "pow", "constpow", "atan2", "fmin", "fmax", "le"})


@dataclass(frozen=True)
class Operation:
    """One step of straight-line code: ``result = name(arguments)``; results are numbered."""

    name: str
    result: int
    arguments: tuple[int, ...]
    constant: float = 0.0


@dataclass(frozen=True)
class Routine:
    """Straight-line code of one function."""

    name: str
    arguments: tuple[str, ...]
    inputs: tuple[tuple[int, int, int], ...]  # result number <- argument, index
    operations: tuple[Operation, ...]
    outputs: tuple[tuple[int, int], ...]  # index in the output <- result number; others are zero
    size: int


@dataclass(frozen=True)
class Symbols:
    """The equations of a system, ready to be written in any language."""

    routines: tuple[Routine, ...]
    depends_on_input: Array  # (n outputs, n inputs), bool
    depends_initially: Array  # (n outputs, n parameters + n inputs), bool


def symbols_of(system: System) -> Symbols:
    """Run the equations on symbols."""
    n_p, n_u = system.table.n_parameters, system.table.n_inputs
    p, u, x, z = (
        ca.SX.sym(name, n)
        for name, n in (("p", n_p), ("u", n_u), ("x", system.nx), ("z", system.nz))
    )
    plant = system.plant(_entries(p))
    start = _column(plant.start())
    stage = {
        name: _column(plant.outputs(name, _entries(x), _entries(u), _entries(z)))
        for name in STAGES
        if system.table.stage_range(name)
    }
    if system.rows:
        motion, z_of = _constrained(system, plant, x, u, p)
    else:
        rate = _column(plant.derivatives(_entries(x), _entries(u)))
        motion = [_routine("derivatives", {"x": x, "u": u, "p": p}, rate)]
        if system.spec.fmu.solver == "stiff":
            du = ca.SX.sym("du", n_u)
            arguments = {"x": x, "u": u, "du": du, "p": p}
            motion.append(_routine("jacobian", arguments, _slope(rate, x, u, du)))
        z_of = {name: _pattern(rate, symbol) for name, symbol in (("x", x), ("u", u), ("p", p))}
    routines = [
        _routine("start", {"p": p}, start),
        *motion,
        *(_routine(name, {"x": x, "u": u, "z": z, "p": p}, y) for name, y in stage.items()),
    ]

    y = ca.vertcat(*stage.values())
    y_of_u = _pattern(y, u) | _pattern(y, z) @ z_of["u"]
    y_of_u &= ~_without_effect(system)
    y_of_x = _pattern(y, x) | _pattern(y, z) @ z_of["x"]
    x_of_p = _pattern(start, p)
    x_of_u = np.zeros((system.nx, n_u), dtype=bool)
    if system.rows:  # assembled from all start values, and where loops follow a motion, from that
        x_of_p[:] = x_of_p.any(axis=0)
        told = [k for motion in system.table.motions for k in range(n_u)[motion.inputs]]
        x_of_u[:, told] = True
    y_of_p = _pattern(y, p) | _pattern(y, z) @ z_of["p"] | y_of_x @ x_of_p
    return Symbols(tuple(routines), y_of_u, np.hstack([y_of_p, y_of_u | y_of_x @ x_of_u]))


def _constrained(
    system: System, plant: Plant, x: ca.SX, u: ca.SX, p: ca.SX
) -> tuple[list[Routine], dict[str, Array]]:
    """Routines of a mechanism with constraints; and on what its solution z depends."""
    n, m = len(system.state_v), len(system.rows)
    vd, lam = ca.SX.sym("vd", n), ca.SX.sym("lam", m)
    at = _entries(x), _entries(u)
    eq = plant.equations(*at)
    parts = (eq.M.ravel(), eq.f, eq.J.ravel(), eq.gamma, eq.sigma, eq.phi)
    phi, sigma, jacobian = plant.closure(*at)
    rates = _column(plant.rates(*at, _entries(vd)))
    xu = {"x": x, "u": u}
    routines = [
        _routine("equations", {**xu, "p": p}, _column(np.concatenate(parts))),
        _routine(
            "closure", {**xu, "p": p}, _column(np.concatenate([jacobian.ravel(), sigma, phi]))
        ),
        _routine("rates", {**xu, "vd": vd, "p": p}, rates),
        _routine("moved", {**xu, "d": vd, "p": p}, _column(plant.moved(*at, _entries(vd)))),
        _routine("measured", {**xu, "p": p}, _column(plant.measured(*at))),
        _routine(
            "loads",
            {**xu, "vd": vd, "lam": lam, "p": p},
            _column(plant.loads(*at, _entries(vd), _entries(lam))),
        ),
    ]

    if system.spec.fmu.solver == "stiff":
        routines.append(_slopes(system, eq, rates, (x, u, vd, lam, p)))

    # Accelerations and multipliers feel everything they are coupled with by M and J.
    coupled = np.zeros((n + m, n + m), dtype=bool)
    coupled[:n, :n], coupled[n:, :n] = _is_there(eq.M), _is_there(eq.J)
    coupled |= coupled.T | np.eye(n + m, dtype=bool)
    for _ in range(int(np.ceil(np.log2(n + m + 1)))):
        coupled = coupled @ coupled
    whole, right = _column(np.concatenate(parts)), _column(np.concatenate([eq.f, eq.gamma]))
    quality = _column(np.concatenate([sigma, phi]))
    z_of = {}
    for name, symbol in (("x", x), ("u", u), ("p", p)):
        direct = _pattern(right, symbol)
        # M and J themselves act on all that they couple
        entries = _pattern(_column(np.concatenate([eq.M.ravel(), eq.J.ravel()])), symbol)
        for k in range(n):
            direct[k] |= entries[k * n : (k + 1) * n].any(axis=0)
        for k in range(m):
            first = n * n + k * n
            direct[n + k] |= entries[first : first + n].any(axis=0)
        solved = coupled @ direct
        of_rates = _pattern(rates, symbol) | _pattern(rates, vd) @ solved[:n]
        of_quality = _pattern(quality, symbol).any(axis=0, keepdims=True)
        of_rank = _pattern(whole, symbol).any(axis=0, keepdims=True)
        rows = [of_rates, solved[n:], of_quality, of_quality, of_rank]
        z_of[name] = np.vstack(rows)
    return routines, z_of


def _slopes(
    system: System, eq: Equations, rates: ca.SX, symbols: tuple[ca.SX, ca.SX, ca.SX, ca.SX, ca.SX]
) -> Routine:
    """Derivatives of what the equations of loops leave over, accelerations and multipliers held."""
    x, u, vd, lam, p = symbols
    du = ca.SX.sym("du", u.shape[0])
    force = eq.f - eq.M @ _entries(vd) + eq.J.T @ _entries(lam)
    row = eq.gamma - eq.J @ _entries(vd)
    if system.table.gains is not None:
        alpha, beta = p[system.table.gains], p[system.table.gains + 1]
        row = row - array([2.0 * alpha * sigma for sigma in eq.sigma])
        for k, phi in enumerate(eq.phi):
            row[k] = row[k] - beta * beta * phi
    parts = [_slope(y, x, u, du) for y in (_column(force), _column(row), rates)]
    parts.append(_by_rows(ca.jacobian(rates, vd)))
    arguments = {"x": x, "u": u, "du": du, "vd": vd, "lam": lam, "p": p}
    return _routine("slopes", arguments, ca.vertcat(*parts))


def _slope(y: ca.SX, x: ca.SX, u: ca.SX, du: ca.SX) -> ca.SX:
    """Derivatives of y in x and, last column, in u along du; row by row."""
    return _by_rows(ca.horzcat(ca.jacobian(y, x), ca.jtimes(y, u, du)))


def _by_rows(matrix: ca.SX) -> ca.SX:
    return ca.vec(ca.densify(matrix).T)


def _is_there(matrix: Array) -> Array:
    """Which entries of a matrix are not structurally zero."""
    return np.array([[not ca.SX(x).is_zero() for x in row] for row in matrix], dtype=bool).reshape(
        matrix.shape
    )


def _without_effect(system: System) -> Array:
    """Which outputs do not feel which inputs although the operations mention them.

    Galilei: the velocity of a base that carries everything changes no acceleration and no force.
    """
    table = system.table
    void = np.zeros((len(table.outputs), table.n_inputs), dtype=bool)
    on_ground = [j.name for j in system.spec.joints if GROUND in (j.parent, j.child)]
    if on_ground != [BASE_BODY] or not system.spec.moving_base:
        return void
    velocity = [signal[1] for motion in table.motions[:1] for signal in motion.signals]
    first_output = table.n_parameters + table.n_inputs
    for stage in RATE_STAGES:
        rows = [vr - first_output for vr in table.stage_range(stage)]
        void[np.ix_(rows, velocity)] = True
    return void


def function_of(system: System) -> Callable[[Array, Array, Array], Array]:
    """Return (x, u, p) -> dx/dt and all outputs, computed by CasADi's own machine; for tests."""
    p, u, x = (
        ca.SX.sym(name, n)
        for name, n in (
            ("p", system.table.n_parameters),
            ("u", system.table.n_inputs),
            ("x", system.nx),
        )
    )
    plant = system.plant(_entries(p))
    rate = plant.derivatives(_entries(x), _entries(u))
    outputs = [plant.outputs(stage, _entries(x), _entries(u), rate) for stage in STAGES]
    function = ca.Function("f", [x, u, p], [_column(np.concatenate([rate, *outputs]))])
    return lambda x, u, p: np.asarray(function(x, u, p)).ravel()


def _entries(symbol: ca.SX) -> Array:
    """Return a column of symbols as an object array, the form in which mechanics takes them."""
    entries = np.empty(symbol.shape[0], dtype=object)
    for i in range(symbol.shape[0]):
        entries[i] = symbol[i]
    return entries


def _column(values: Array) -> ca.SX:
    return ca.vertcat(ca.SX(0, 1), *values)


def _pattern(y: ca.SX, x: ca.SX) -> Array:
    """Return which entries of y depend on which of x, as booleans."""
    rows, columns = ca.jacobian_sparsity(y, x).get_triplet()
    found = np.zeros((y.shape[0], x.shape[0]), dtype=bool)
    found[rows, columns] = True
    return found


def _routine(name: str, arguments: dict[str, ca.SX], result: ca.SX) -> Routine:
    """List the operations of an expression; each result gets a number of its own."""
    function = ca.Function(name, list(arguments.values()), [ca.cse(ca.densify(result))])
    inputs: list[tuple[int, int, int]] = []
    operations: list[Operation] = []
    outputs: list[tuple[int, int]] = []
    register: dict[int, int] = {}  # CasADi reuses registers; we do not
    for k in range(function.n_instructions()):
        operation = _OPERATION_NAME[function.instruction_id(k)]
        source, target = function.instruction_input(k), function.instruction_output(k)
        if operation == "output":
            outputs.append((target[1], register[source[0]]))
            continue
        number = len(inputs) + len(operations)
        if operation == "input":
            inputs.append((number, source[0], source[1]))
        elif operation == "const":
            value = float(function.instruction_constant(k))
            operations.append(Operation("const", number, (), value))
        else:
            arity = 2 if operation in _BINARY else 1
            operands = tuple(register[r] for r in source[:arity])
            operations.append(Operation(operation, number, operands))
        register[target[0]] = number
    return Routine(
        name, tuple(arguments), tuple(inputs), tuple(operations), tuple(outputs), result.shape[0]
    )


def operation_count(routines: Sequence[Routine]) -> dict[str, int]:
    """Return the number of operations of each routine."""
    return {routine.name: len(routine.operations) for routine in routines}
