"""Speed as ratios measured in one run: against peers on the same work, and growth with size."""

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from mbd_fmu import Mechanism, build_fmu, read_model
from mbd_fmu.export.symbols import function_of
from mbd_fmu.model.library import library
from mbd_fmu.system.plant import plant_of
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.runner import Fmu
from mbd_fmu.validate.timing import seconds_per_step

OUT = library()["six_axis_arm"].parents[1] / "out"


def chain(n):
    """A hanging chain of n rods with crossed hinges."""
    links = Mechanism(f"chain_{n}")
    for i in range(n):
        links.body(
            f"link{i}",
            mass=1.0,
            com=[0, 0, -0.1 * (i + 0.5)],
            inertia={"shape": "box", "size": [0.02, 0.03, 0.1]},
        )
        links.joint(
            f"hinge{i}",
            "revolute",
            "ground" if i == 0 else f"link{i - 1}",
            f"link{i}",
            point=[0, 0, -0.1 * i],
            axis=[1, 0, 0] if i % 2 else [0, 1, 0],
            position=0.1,
        )
    return links.output("joints").fmu(solver="rk4", step=1e-3).spec()


def per_call(function, *arguments, seconds=0.2):
    """Mean time of a call."""
    function(*arguments)
    n, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        function(*arguments)
        n += 1
    return (time.perf_counter() - begin) / n


def growth(console):
    table = Table("bodies", "per RK4 step", "per body", "build", "library", box=None)
    for n in (1, 2, 4, 8, 16, 32):
        begin = time.perf_counter()
        built = build_fmu(chain(n), OUT / f"chain_{n}.fmu")
        seconds = time.perf_counter() - begin
        with Fmu(built.path) as fmu:
            cost = min(seconds_per_step(fmu, 1e-3, 500, {}) for _ in range(3))
        size = sum(built.library_bytes.values())
        table.add_row(
            str(n),
            f"{cost * 1e6:.2f} us",
            f"{cost / n * 1e6:.2f} us",
            f"{seconds:.1f} s",
            f"{size / 1000:.0f} kB",
        )
    console.print("growth with the number of bodies (4 evaluations per step, ctypes loop):", table)


def peers(console):
    """Forward dynamics of the six-axis arm: one evaluation."""
    spec = read_model(library()["six_axis_arm"])
    system = system_of(spec)
    p = system.nominal_parameters()
    plant, casadi = plant_of(system, p), function_of(system)
    x, u = plant.start(), np.zeros(6)
    with Fmu(build_fmu(spec, OUT / "six_axis_arm.fmu").path) as fmu:
        native = min(seconds_per_step(fmu, 1e-3, 3000, {}) for _ in range(3)) / 7
    rows = {
        "native FMU (a seventh of a dopri5 step, all included)": native,
        "CasADi's machine (derivatives and all outputs)": per_call(casadi, x, u, p),
        "NumPy road": per_call(plant.derivatives, x, u),
    }
    try:
        import pinocchio as pin

        from tests.oracles.pinocchio_engine import PinocchioEngine
    except ImportError:
        console.print("Pinocchio is not installed; scripts/environment test brings it")
    else:
        engine = PinocchioEngine(spec)
        zero = np.zeros(6)
        rows["Pinocchio's ABA, called from Python"] = per_call(
            pin.aba, engine.model, engine.data, x[:6], zero, zero
        )
    table = Table("forward dynamics, six axes", "time", "ratio", box=None)
    for name, seconds in rows.items():
        table.add_row(name, f"{seconds * 1e6:.2f} us", f"{seconds / native:,.1f}")
    console.print(table)


if __name__ == "__main__":
    out = Console(width=110)
    peers(out)
    growth(out)
