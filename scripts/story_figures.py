"""Figures of the stories lqr.md and wishbone.md of the docs, made by following them."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np

from mbd_fmu.cli import main
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.validate.plots import curve_plot, grid, plots_foot, plots_head
from mbd_fmu.viewer.film import for_root
from mbd_fmu.viewer.page import page_html

DOCS = Path(__file__).resolve().parents[1] / "mbd_fmu" / "docs"
FIGURES = DOCS / "figures"
PLOTTED = {"rail.q": "m", "hip.q": "rad", "waist.q": "rad", "rail.f": "N"}
TRAVEL = np.linspace(-0.05, 0.05, 51)
# At once: a screenshot does not wait until plots come into view.
DRAWN = "<script>document.querySelectorAll('.plot').forEach(draw)</script>\n"


def follow(page):
    """Write the files and run the commands of a page, here."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if language in ("toml", "python"):
            Path(block.partition("\n")[0].strip("# ")).write_text(block, encoding="utf-8")
        for line in block.splitlines() if language == "sh" else ():
            program, *words = line.split()
            if program == "mbd-fmu":
                main(words)
            else:
                subprocess.run([sys.executable, *words], check=True)


def draw_lqr():
    found = read_csv("balanced.csv")
    for name, at in (("start", 0.0), ("caught", 0.35)):
        picture = str(FIGURES / f"lqr_{name}.png")
        words = ["--scene", "acrobat.fmu", "--png", picture, "--at", str(at), "--size", "480x320"]
        main(["view", "balanced.csv", *words])
    plots = (
        curve_plot(name, {name: (found.time, found.column(name))}, "time in s", unit)
        for name, unit in PLOTTED.items()
    )
    draw("lqr_balanced", plots, "balanced by the cart", "1160,920")


def draw_wishbone():
    corner = str(FIGURES / "wishbone_corner.png")
    main(["view", "wishbone.toml", "--png", corner, "--at", "0", "--size", "720x480"])
    draw("wishbone_ride", ride_plots(), "50 springs", "1160,520")
    draw("wishbone_steer", steer_plots(), "50 heights of the tie rod", "1160,520")


def ride_plots():
    ride = runpy.run_path("ride.py")
    rates, chosen = ride["rates"] / 1e3, (0, 24, 49)
    found = {"k MR²/m": "simple", "with preload": "loaded", "run": "measured"}
    frequencies = {label: (rates, ride[name]) for label, name in found.items()}
    cases = {f"{rates[k]:.0f} kN/m": ride["bumps"].case(k) for k in chosen}
    travel = {label: (case.time, 1e3 * case.column("travel")) for label, case in cases.items()}
    yield curve_plot("ride frequency", frequencies, "spring rate in kN/m", "Hz")
    yield curve_plot("wheel travel over the bump", travel, "time in s", "mm")


def steer_plots():
    steer = runpy.run_path("steer.py")
    for name in ("toe", "camber"):
        lines = {
            f"{steer['heights'][k]:.0f} mm": (1e3 * TRAVEL, steer["over_travel"](k, name)(TRAVEL))
            for k in (0, 12, 23, 36, 48)
        }
        yield curve_plot(name, lines, "wheel travel in mm", "degrees")


def draw(name, plots, lead, size):
    """Take a picture of plots below a title, the first word of the name of the figure."""
    title, body = name.partition("_")[0], grid(plots) + plots_foot() + DRAWN
    Path("plot.html").write_text(page_html(title, lead, body, head=plots_head()), "utf-8")
    flags = [
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=5000",
        f"--window-size={size}",
        f"--screenshot={FIGURES / name}.png",
    ]
    page = Path("plot.html").resolve().as_uri()
    subprocess.run(["chromium", *for_root(), *flags, page], check=True)


if __name__ == "__main__":
    for story, drawn in (("lqr.md", draw_lqr), ("wishbone.md", draw_wishbone)):
        if sys.argv[1:] in ([], [story]):
            with scratch_folder() as folder:
                os.chdir(folder)
                follow(story)
                drawn()
