"""The command ``mbd-fmu``.

Exit code 0 is success, 1 something for the user to mend, 2 wrong usage; 130 and the like: ended by
a signal, which is 128 more than its number.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from mbd_fmu.build import BACKENDS
from mbd_fmu.commands.build import BESIDE, build_command
from mbd_fmu.commands.console import note
from mbd_fmu.commands.models import models_command
from mbd_fmu.commands.show import show_command
from mbd_fmu.commands.simulate import simulate_command
from mbd_fmu.commands.validate import validate_command
from mbd_fmu.commands.view import view_command
from mbd_fmu.errors import MbdFmuError, nearest, os_error_text
from mbd_fmu.export.compile import ZIG
from mbd_fmu.export.references import SOLVER_TOLERANCE
from mbd_fmu.host.stopping import Stopped, stoppable
from mbd_fmu.validate.validation import DEFAULT_TOLERANCE
from mbd_fmu.version import VERSION
from mbd_fmu.viewer.film import EXTRAS, SIZE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 1 when the user has something to mend."""
    args = _parser().parse_args(argv)
    code = 1
    try:
        with stoppable():
            code = int(args.run(args))
            sys.stdout.flush()
            return code
    except MbdFmuError as error:
        note(str(error))
    except BrokenPipeError:  # whoever read our output has enough of it
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:  # a path the user gave
        note(os_error_text(error))
    except MemoryError:
        note("there is not enough memory; give a smaller file, or fewer points")
    except Stopped as stop:
        note("stopped")
        code = int(stop.code or 0)
    return code


A_MODEL = "model file, its folder, or the name of one of our models"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mbd-fmu", description="Mechanisms to FMUs.")
    parser.add_argument("--version", action="version", version=f"mbd-fmu {VERSION}")
    subparsers = parser.add_subparsers(required=True, metavar="command")

    def command(
        name: str, text: str, run: Callable[[argparse.Namespace], int]
    ) -> argparse.ArgumentParser:
        added = subparsers.add_parser(name, help=text, description=text)
        added.set_defaults(run=run)
        return added

    _show(command("show", "structure, freedoms and variables of a model", show_command))
    _build(command("build", "model to FMU", build_command))
    _simulate(command("simulate", "run a model in NumPy, or an FMU in fmpy", simulate_command))
    _validate(
        command("validate", "check FMUs, run them, compare with references", validate_command)
    )
    _view(command("view", "a motion in 3-D: a page, a picture or a film", view_command))
    _json(command("models", "the models that come with the project", models_command))
    return parser


def _show(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument("model", help=A_MODEL)
    cmd.add_argument("--graph", type=Path, metavar="OUT.svg", help="draw bodies and couplings")
    _json(cmd)


def _build(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument("model", help=A_MODEL)
    cmd.add_argument("-o", "--out", type=Path, help="FMU to write [<model name>.fmu]")
    cmd.add_argument("--backend", choices=BACKENDS, default="native", help="[%(default)s]")
    cmd.add_argument(
        "--platforms", default="host", help="host, all, or a list: linux64,win64 [%(default)s]"
    )
    cmd.add_argument(
        "--compiler", default=ZIG, help="zig, or a system compiler such as gcc [%(default)s]"
    )
    cmd.add_argument(
        "--reference",
        nargs="?",
        const=BESIDE,
        metavar="REF.csv",
        help="put results to compare with, and their inputs, into the FMU and beside it "
        "[reference.csv beside the model]",
    )
    cmd.add_argument(
        "--input", type=Path, metavar="IN.csv", help="of the reference [input.csv beside the model]"
    )
    _json(cmd)


def _simulate(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument("model", metavar="MODEL|FMU", help=f"{A_MODEL}; or an FMU")
    cmd.add_argument("--stop", type=_positive, metavar="S", help="stop time in s")
    cmd.add_argument("--step", type=_positive, metavar="S", help="communication step in s")
    _inputs(cmd, "inputs over time")
    cmd.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter, or constant input",
    )
    cmd.add_argument(
        "--formulation",
        choices=("recursive", "absolute"),
        default="recursive",
        help="of a model: the fast one, or every joint as constraint rows, loops too [recursive]",
    )
    cmd.add_argument("-o", "--out", type=Path, metavar="OUT.csv", help="[<model name>.csv]")
    cmd.add_argument(
        "--plot", action="store_true", help="write a page of motion and plots beside the CSV"
    )


def _validate(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument(
        "model", metavar="FMU|MODEL|models/", help=f"{A_MODEL}; an FMU; a folder of models"
    )
    cmd.add_argument(
        "--reference", type=Path, metavar="REF.csv", help="[reference.csv beside a model]"
    )
    _inputs(cmd, "[input.csv beside a model]")
    cmd.add_argument(
        "--tolerance",
        type=_positive,
        default=DEFAULT_TOLERANCE,
        help="of a signal's range [%(default)g]",
    )
    cmd.add_argument(
        "--solver-tolerance",
        type=_positive,
        default=SOLVER_TOLERANCE,
        help="of the FMU [%(default)g]",
    )
    cmd.add_argument(
        "--jobs", type=_count, metavar="N", help="models at a time [the number of cores]"
    )
    cmd.add_argument(
        "--report", type=Path, metavar="OUT.html", help="write a page of motion, laws and plots"
    )
    cmd.add_argument("--junit", type=Path, metavar="OUT.xml", help="write verdicts for CI systems")
    _json(cmd)


def _view(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument(
        "target", metavar="MODEL|FMU|RESULT.csv", help=f"{A_MODEL}; an FMU; a table of results"
    )
    cmd.add_argument(
        "--scene", metavar="MODEL|FMU", help="of a table: what it shows [<table>.fmu beside it]"
    )
    cmd.add_argument("--input", type=Path, metavar="IN.csv", help="[input.csv beside a model]")
    cmd.add_argument("--stop", type=_positive, metavar="S", help="stop time in s")
    cmd.add_argument("--step", type=_positive, metavar="S", help="communication step in s")
    cmd.add_argument(
        "-o", "--out", type=Path, metavar="OUT.html", help="[<what is seen>_motion.html]"
    )
    cmd.add_argument("--open", action="store_true", help="open the page in a browser")
    cmd.add_argument("--png", type=_file(".png"), metavar="OUT.png", help="picture; by Chromium")
    cmd.add_argument("--at", type=float, metavar="S", help="instant of the picture [the first]")
    cmd.add_argument(
        "--gif", type=_file(".gif"), metavar="OUT.gif", help="film; by Chromium and ffmpeg"
    )
    cmd.add_argument(
        "--mp4", type=_file(".mp4"), metavar="OUT.mp4", help="film; by Chromium and ffmpeg"
    )
    size = "x".join(map(str, SIZE))
    cmd.add_argument("--size", type=_size, default=SIZE, metavar="WxH", help=f"[{size}]")
    cmd.add_argument(
        "--show",
        type=_choices,
        default=(),
        metavar="LIST",
        help=f"in pictures and films: {', '.join(EXTRAS)}",
    )


def _inputs(cmd: argparse.ArgumentParser, text: str) -> None:
    cmd.add_argument("--input", type=Path, metavar="IN.csv", help=text)
    cmd.add_argument(
        "--interpolate",
        choices=("held", "linear"),
        default="held",
        help="inputs between their rows [%(default)s]",
    )


def _json(cmd: argparse.ArgumentParser) -> None:
    cmd.add_argument("--json", action="store_true", help="for programs")


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def _file(suffix: str) -> Callable[[str], Path]:
    def path(text: str) -> Path:
        if not text.lower().endswith(suffix):
            raise argparse.ArgumentTypeError(f"{text} does not end in {suffix}")
        return Path(text)

    return path


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 16):
        raise argparse.ArgumentTypeError(f"{text} is no size in pixels, such as 1280x800")
    return int(width), int(height)


def _choices(text: str) -> tuple[str, ...]:
    chosen = tuple(text.split(","))
    for name in chosen:
        if name not in EXTRAS:
            raise argparse.ArgumentTypeError(f"nothing called {name}; {nearest(name, EXTRAS)}")
    return chosen
