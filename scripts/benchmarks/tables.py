"""What was measured, in words: the same tables for the terminal, the page and the docs."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.benchmarks.results import Compared, Curve, Measured, Results

ENGINES = {"pinocchio": "Pinocchio", "mujoco": "MuJoCo", "exudyn": "Exudyn"}


@dataclass(frozen=True)
class Table:
    """Cells with a title and a line below."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(results: Results) -> list[Table]:
    """Return all of them."""
    trees = [m for m in results.measured if not m.rows]
    loops = [m for m in results.measured if m.rows]
    found = [
        _evaluations("Forward dynamics of trees, one evaluation", trees),
        _evaluations("Forward dynamics of loops, one evaluation", loops),
        _ours(results.measured),
        *(
            _precision(name, results.curves)
            for name in dict.fromkeys(c.mechanism for c in results.curves)
        ),
    ]
    return [table for table in found if table.rows]


def _evaluations(title: str, measured: list[Measured]) -> Table:
    head = ("mechanism", "bodies", "rows", "mbd_fmu", *(f"{n}: ratio" for n in ENGINES.values()))
    rows = [
        (
            m.name,
            str(m.bodies),
            str(m.rows),
            f"{micro(m.seconds)} (x{m.spread:.2f})",
            *(_against(m, engine) for engine in ENGINES),
        )
        for m in measured
    ]
    reasons = {
        f"{m.name}, {ENGINES[engine]}: {why}"
        for m in measured
        for engine, why in m.left_out.items()
    }
    apart = _largest_differences(measured)
    note = "Accelerations differ at most by " + ", ".join(
        f"{apart[engine]:.0e} ({ENGINES[engine]})" for engine in apart
    )
    left_out = f" Left out: {'; '.join(sorted(reasons))}." if reasons else ""
    return Table(title, head, tuple(rows), f"{note} of the largest.{left_out}" if apart else "")


def _largest_differences(measured: list[Measured]) -> dict[str, float]:
    found: dict[str, float] = {}
    for peer in (peer for m in measured for peer in m.peers):
        found[peer.engine] = max(found.get(peer.engine, 0.0), peer.difference)
    return found


def _against(measured: Measured, engine: str) -> str:
    found: Compared | None = next((p for p in measured.peers if p.engine == engine), None)
    if found is None:
        return "-"
    span = f"{found.ratio_low:.2g} to {found.ratio_high:.2g}"
    return f"{micro(found.seconds)}: {found.ratio:.2g} ({span})"


def _ours(measured: Iterable[Measured]) -> Table:
    head = ("mechanism", "step of 1 ms", "start-up", "export", "its CPU", "peak", "library")
    rows = tuple(
        (
            m.name,
            f"{micro(m.step_seconds)} (x{m.step_spread:.2f})",
            f"{m.startup_seconds * 1e3:.1f} ms",
            f"{m.export.seconds:.1f} s",
            f"{m.export.cpu_seconds:.1f} s",
            f"{m.export.peak_bytes / 1e6:.0f} MB",
            f"{m.export.library_bytes / 1e3:.0f} kB",
        )
        for m in measured
    )
    return Table("Our FMU: a step in co-simulation, start-up, export", head, rows)


def _precision(mechanism: str, curves: Iterable[Curve]) -> Table:
    rows = tuple(
        (curve.method, f"{p.setting:g}", f"{p.error:.1e}", f"{p.seconds * 1e3:.3g} ms")
        for curve in curves
        if curve.mechanism == mechanism
        for p in curve.points
    )
    head = ("method", "tolerance or steps", "error at the end", "time")
    return Table(f"Work and precision: {mechanism}", head, rows)


def micro(seconds: float) -> str:
    """Return a time in microseconds, with three digits."""
    return f"{seconds * 1e6:.3g} µs"
