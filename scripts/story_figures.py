"""Figures of the story mbd_fmu/docs/lqr.md, made by following it: scripts/story_figures."""

import os
import re
import subprocess
import sys
from pathlib import Path

from mbd_fmu.cli import main
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.signals.csv_files import read_csv
from mbd_fmu.signals.trajectory import Trajectory
from mbd_fmu.validate.plots import plots_foot, plots_head, signal_grid
from mbd_fmu.viewer.film import for_root
from mbd_fmu.viewer.page import page_html

DOCS = Path(__file__).resolve().parents[1] / "mbd_fmu" / "docs"
PLOTTED = {"rail.q": "m", "hip.q": "rad", "waist.q": "rad", "rail.f": "N"}
SIZE = "1160,920"


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


def draw():
    found = read_csv("balanced.csv")
    for name, at in (("start", 0.0), ("caught", 0.35)):
        picture = DOCS / "figures" / f"lqr_{name}.png"
        words = [
            "--scene",
            "acrobat.fmu",
            "--png",
            str(picture),
            "--at",
            str(at),
            "--size",
            "480x320",
        ]
        main(["view", "balanced.csv", *words])
    result = Trajectory(
        found.time, tuple(PLOTTED), found.values[:, [found.names.index(n) for n in PLOTTED]]
    )
    body = signal_grid(result, PLOTTED, None) + plots_foot()
    Path("plot.html").write_text(
        page_html("acrobat", "balanced by the cart", body, head=plots_head()), "utf-8"
    )
    shot = f"--screenshot={DOCS / 'figures' / 'lqr_balanced.png'}"
    flags = [
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=5000",
        f"--window-size={SIZE}",
    ]
    subprocess.run(
        ["chromium", *for_root(), *flags, shot, Path("plot.html").resolve().as_uri()], check=True
    )


if __name__ == "__main__":
    with scratch_folder() as folder:
        os.chdir(folder)
        follow("lqr.md")
        draw()
