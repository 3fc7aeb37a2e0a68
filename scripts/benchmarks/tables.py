"""What was measured, in words: the same tables for the terminal, the page and the docs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scripts.benchmarks.results import Batch, Compared, Curve, Measured, Results, StudyTimes

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
        _batches(results.batches),
        _studies(results.studies),
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
    return Table(title, head, tuple(rows), " ".join([*_apart(measured), *_left_out(measured)]))


def _apart(measured: list[Measured]) -> Iterator[str]:
    """Tell how far accelerations are apart."""
    largest = _largest_differences(measured)
    if largest:
        said = ", ".join(f"{apart:.0e} ({ENGINES[engine]})" for engine, apart in largest.items())
        yield f"Accelerations differ at most by {said} of the largest."


def _left_out(measured: list[Measured]) -> Iterator[str]:
    """Tell who computes what not, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    for m in measured:
        for engine, why in m.left_out.items():
            found.setdefault((engine, why), []).append(m.name)
    for (engine, why), names in found.items():
        yield f"{ENGINES[engine]} is left out of {', '.join(names)}: {why}."


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


def _batches(batches: Iterable[Batch]) -> Table:
    head = (
        *("mechanism", "lanes", "runs/s per core", "one by one: runs/s", "gain by lanes"),
        *("fmpy: runs/s", "batch against fmpy"),
    )
    rows = tuple(
        (
            b.mechanism,
            str(b.width) if b.width > 1 else "-",
            f"{1 / b.seconds:,.0f}",
            f"{1 / b.alone_seconds:,.0f}",
            f"{b.ratio:.2f} ({b.ratio_low:.2f} to {b.ratio_high:.2f})" if b.width > 1 else "-",
            f"{1 / b.fmpy_seconds:,.0f}",
            f"{b.fmpy_seconds / b.seconds:.0f}",
        )
        for b in batches
    )
    note = (
        "A run: 1 s in steps of 10 ms, q and qd of all joints read at each; the same bits in all."
    )
    return Table("Batch: many runs of one mechanism", head, rows, note)


def _studies(studies: Iterable[StudyTimes]) -> Table:
    head = ("mechanism", "runs", "", "fmpy: s", "model: s", "times", "FMU: s", "times")
    rows = []
    for s in studies:
        wall = (s.loop_seconds, s.model_seconds, s.fmu_seconds)
        cpu = (s.loop_cpu_seconds, s.model_cpu_seconds, s.fmu_cpu_seconds)
        for what, (loop, *ours) in ((f"wall, {s.processors} CPUs", wall), ("CPU", cpu)):
            gains = (text for t in ours for text in (f"{t:.2f}", f"{loop / t:.1f}"))
            rows.append((s.mechanism, f"{s.cases:,}", what, f"{loop:.2f}", *gains))
    note = (
        "From the command to the file, all outputs, 100 steps each; the library cached. fmpy: a "
        "script in one process, one instance that is reset, the same summaries. The least of turns."
    )
    return Table("Studies: mbd-fmu sweep", head, tuple(rows), note)


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
