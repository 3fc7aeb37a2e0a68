"""Figures of the story about pin loads: curves, and the machine where its arm pin carries most."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from mbd_fmu import read_model
from mbd_fmu.analysis.kinematics import kinematic_path
from mbd_fmu.analysis.pin_loads import pins_of, run_loads
from mbd_fmu.drawing.scene import scene_table
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.system.system import system_of
from mbd_fmu.validate.plots import curve_plot, grid, plots_foot, plots_head
from mbd_fmu.viewer.film import for_root, write_picture
from mbd_fmu.viewer.motion import motion_of
from mbd_fmu.viewer.page import page_html

DOCS = Path(__file__).parents[1] / "mbd_fmu" / "docs"
FIGURES = DOCS / "figures"
SIZE = (1240, 905)
TIME = "time in s"


def main():
    FIGURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        followed(folder)
        spec, result = read_model(folder / "digger.toml"), read_csv(folder / "dug.csv")
        draw_curves(folder / "curves.html", spec, result)
        scene = scene_table(spec)
        loads = run_loads(pins_of(spec), result)
        at = result.time[np.argmax(loads.of("arm_pin").magnitude("force"))]
        write_picture(
            *(FIGURES / "excavator_peak.png", scene, motion_of(scene, result)),
            at=float(at),
            size=(900, 520),
            shows=("reactions",),
        )


def followed(folder):
    """Write the page's files and run its commands, but for those that are refused."""
    text = (DOCS / "excavator_loads.md").read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if language in ("toml", "python"):
            (folder / block.partition("\n")[0].strip("# ")).write_text(block, encoding="utf-8")
            continue
        for line in block.splitlines():
            program, *words = line.split()
            own = ["-m", "mbd_fmu"] if program == "mbd-fmu" else []
            subprocess.run([sys.executable, *own, *words], cwd=folder, check=False)


def draw_curves(page, spec, result):
    loads = run_loads(pins_of(spec), result)
    cylinders = {
        name: (result.time, result.column(f"{name}_cylinder.f") / 1000)
        for name in ("boom", "arm", "bucket")
    }
    pins = {
        name: (result.time, loads.of(name).magnitude("force") / 1000)
        for name in ("boom_pin", "arm_pin", "bucket_pin")
    }
    around = loads.of("boom_pin").wrench["joint"][:, :2].T / 1000
    stroke = np.linspace(-0.3, 0.45, 76)
    angles = {"transmission": ("rocker_pin", "bar_pin", "bar_end")}
    path = kinematic_path(system_of(spec), "bucket_cylinder", stroke, angles=angles)
    angle = {"rocker to bar": (stroke, np.degrees(path.derived["transmission"]))}
    plots = (
        curve_plot("angle of the bucket's linkage", angle, "bucket_cylinder.q in m", "degrees"),
        curve_plot("forces of the cylinders", cylinders, TIME, "kN"),
        curve_plot("forces of pins", pins, TIME, "kN"),
        curve_plot(
            "round the boom's pin", {"force": tuple(around)}, "x in kN", "y in kN", square=True
        ),
    )
    title, lead = "A stroke through the soil", "excavator_loads.md"
    page.write_text(
        page_html(title, lead, grid(plots) + plots_foot(), head=plots_head()), encoding="utf-8"
    )
    subprocess.run(
        [
            *(shutil.which("chromium") or "chromium", "--headless", "--disable-gpu", *for_root()),
            *("--hide-scrollbars", "--virtual-time-budget=8000"),
            *(f"--window-size={SIZE[0]},{SIZE[1]}", page.as_uri()),
            f"--screenshot={FIGURES / 'excavator_forces.png'}",
        ],
        check=True,
        capture_output=True,
    )


if __name__ == "__main__":
    main()
