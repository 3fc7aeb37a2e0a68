"""Three mechanisms from model file to validated FMU: a table, a page of motion and plots."""

import sys
import time
from pathlib import Path

from demo_page import Shown, write_demo_page
from rich.console import Console
from rich.table import Table

from mbd_fmu import build_fmu, read_csv, read_model, validate_fmu
from mbd_fmu.export.compile import describe_compiler
from mbd_fmu.signals.schedule import communication_points
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.validate.timing import seconds_per_step

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out"
TITLES = (
    *("model", "verdict", "signals", "max error", "energy drift"),
    *("library", "build", "per step", "real time"),
)
MODELS = ("double_pendulum", "cart_pole", "six_axis_arm")


def main() -> int:
    console = Console(width=max(Console().width, 120))
    console.print(f"compiler: {describe_compiler()}")
    table = Table(box=None, pad_edge=False)
    for title in TITLES:
        table.add_column(title, no_wrap=True, justify="left" if title == "model" else "right")
    shown, rows = zip(*(judged(name) for name in MODELS), strict=True)
    for row in rows:
        table.add_row(*row)
    console.print(table)
    print_ratios(console)
    write_demo_page(OUT / "demo.html", shown, TITLES, rows)
    console.print(f"motion and plots: {(OUT / 'demo.html').relative_to(Path.cwd())}")
    return 0 if all(entry.validation.passed for entry in shown) else 1


def judged(name: str) -> tuple[Shown, list[str]]:
    """Build and validate one; return it with its row of the table."""
    folder = ROOT / "models" / name
    spec, inputs = read_model(folder), read_csv(folder / "input.csv")
    begin = time.perf_counter()
    built = build_fmu(spec, OUT / f"{name}.fmu")
    seconds = time.perf_counter() - begin
    found = validate_fmu(built.path, reference=read_csv(folder / "reference.csv"), inputs=inputs)
    step = float(found.run.trajectory.time[1] - found.run.trajectory.time[0])
    row = [
        name,
        "pass" if found.passed else "FAIL",
        str(len(found.signals)),
        f"{found.worst.max_relative:.1e} of range",
        f"{found.energy[1]:.1e}",
        f"{sum(built.library_bytes.values()) / 1000:.0f} kB",
        f"{seconds:.1f} s",
        f"{found.run.seconds_per_step * 1e6:.0f} us",
        f"{step / found.run.seconds_per_step:,.0f} x",
    ]
    return Shown(spec, inputs, found), row


def print_ratios(console: Console) -> None:
    """The native FMU of the arm against the Python FMU of the same model, steps of 1 ms."""
    spec = read_model(ROOT / "models" / "six_axis_arm")
    python = build_fmu(spec, OUT / "six_axis_arm_python.fmu", backend="python").path
    cost = {}
    for backend, path, n in (("native", OUT / "six_axis_arm.fmu", 5000), ("python", python, 50)):
        with Fmu(path) as fmu:
            tight = seconds_per_step(fmu, 1e-3, n, {})
            times = communication_points(0.0, n * 1e-3, 1e-3)
            outputs = [f"{j.name}.q" for j in spec.joints]
            cost[backend] = tight, fmu.run(times, outputs=outputs).seconds_per_step
    (native, native_fmpy), (python_, python_fmpy) = cost["native"], cost["python"]
    console.print(
        f"six_axis_arm, steps of 1 ms at tolerance 1e-6, native against Python FMU:\n"
        f"  tight loop    {native * 1e6:8.1f} us against {python_ * 1e3:.1f} ms: "
        f"{python_ / native:,.0f} times faster\n"
        f"  through fmpy  {native_fmpy * 1e6:8.1f} us against {python_fmpy * 1e3:.1f} ms: "
        f"{python_fmpy / native_fmpy:,.0f} times faster"
    )


if __name__ == "__main__":
    sys.exit(main())
