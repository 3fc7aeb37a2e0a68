"""Arguments that several commands take."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mbd_fmu.errors import DataError, MbdFmuError
from mbd_fmu.formats.choices import ALL, BASES, DEFAULT, OPTIONS, Choices
from mbd_fmu.options import FIRSTS
from mbd_fmu.signals.digits import ungrouped

EXAMPLES = {
    "--set": "rod_mass=0.5",
    "--at": "elbow.q=0.3",
    "--rate": "spin.qd=10",
    "--such-that": "body.r.z=0.31",
    "--weight": "elbow.tau=2",
    "--target": "tip.r.x=0.5",
}
A_MODEL = "model file, robot (URDF, xacro, SDF, MJCF), its folder, or a name of one of our models"


def add_run(parser: ArgumentParser) -> None:
    """How long a run is, and its steps; the model says it otherwise."""
    parser.add_argument("--stop", type=positive, metavar="S", help="stop time in s")
    parser.add_argument("--step", type=positive, metavar="S", help="communication step in s")


def add_inputs(parser: ArgumentParser, text: str) -> None:
    """A table of inputs, and what they do between its rows."""
    parser.add_argument("--input", type=Path, metavar="IN.csv", help=text)
    parser.add_argument(
        "--interpolate",
        choices=("held", "linear"),
        default="held",
        help="inputs between their rows [%(default)s]",
    )


def add_first(parser: ArgumentParser) -> None:
    """What comes first on a page of plots."""
    parser.add_argument(
        "--first",
        choices=FIRSTS,
        default="",
        help="on the page: signals that come before the others [as listed]",
    )


def add_settings(parser: ArgumentParser) -> None:
    """Parameters and inputs by name."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="parameter, or constant input",
    )


def add_state(parser: ArgumentParser) -> None:
    """Where joints are, and how they move."""
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="coordinate or velocity of a joint, such as elbow.q=0.3; others follow [the start]",
    )


def add_rates(parser: ArgumentParser) -> None:
    """A steady motion."""
    parser.add_argument(
        "--rate",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of a steady motion: velocity of a joint that stays as given, such as spin.qd=10",
    )


def add_sought(parser: ArgumentParser) -> None:
    """From where an equilibrium is sought, what is given, and what is sought beside it."""
    add_state(parser)
    add_settings(parser)
    add_rates(parser)
    parser.add_argument(
        "--hold",
        action="append",
        default=[],
        metavar="NAME",
        help="coordinate that stays as it is, such as elbow.q",
    )
    parser.add_argument(
        "--solve",
        action="append",
        default=[],
        metavar="NAME",
        help="input, parameter or velocity that is sought, too",
    )
    parser.add_argument(
        "--such-that",
        action="append",
        default=[],
        metavar="OUTPUT=VALUE",
        help="what an output is to be",
    )


def sought_of(args: Namespace) -> dict[str, Any]:
    """Return what ``add_sought`` took, for ``equilibrium``."""
    return {
        "state": values_of(args.at, "--at"),
        "settings": values_of(args.set, "--set"),
        "rates": values_of(args.rate, "--rate"),
        "hold": args.hold,
        "solve": args.solve,
        "wanted": values_of(args.such_that, "--such-that"),
    }


def values_of(texts: Sequence[str], option: str) -> dict[str, float]:
    """Read what an option says by name and number; the last word counts."""
    found: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            number = float(ungrouped(value))
        except ValueError:
            why = f"{text!r} has no number after =" if equals else f"{text!r} has no ="
            raise DataError(
                f"{option} {why}; write {option} NAME=VALUE, for example "
                f"{option} {EXAMPLES[option]}"
            ) from None
        found[name.strip()] = number
    return found


def add_choices(parser: ArgumentParser) -> None:
    """How a robot of another format is read."""
    group = parser.add_argument_group("robots in URDF, SDF and MJCF")
    group.add_argument("--base", choices=BASES, default=DEFAULT.base, help="[%(default)s]")
    group.add_argument("--lenient", action="store_true", help="go on past what is unknown")
    group.add_argument("--stops", action="store_true", help="make stops of limits of joints")
    group.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="LINK",
        help=f'on a fixed joint: not merged, with pose and reaction of its own; or "{ALL}"',
    )
    group.add_argument(
        "--package-path",
        action="append",
        default=[],
        type=Path,
        metavar="FOLDER",
        help="where package:// and model:// are looked for, too",
    )
    group.add_argument(
        "--overlay",
        type=Path,
        metavar="FILE",
        help="adds to the robot what its file cannot say [ROBOT.mbd.toml beside it]",
    )
    group.add_argument(
        "--arg",
        action="append",
        default=[],
        type=_argument,
        metavar="NAME=VALUE",
        help="of robot.urdf.xacro: the value of an argument",
    )


def _argument(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not (name and mark):
        raise ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, value


def choices_of(args: Namespace, target: str) -> Choices:
    """Return how a robot is to be read; of what is no robot, nothing can be chosen."""
    choices = Choices(
        base=args.base,
        is_lenient=args.lenient,
        stops=args.stops,
        keep=tuple(args.keep),
        package_paths=tuple(args.package_path),
        arguments=tuple(args.arg),
        overlay=args.overlay,
    )
    for folder in choices.package_paths:
        if not folder.is_dir():
            raise MbdFmuError(f"--package-path {folder}: no such folder")
    if choices != DEFAULT and target.endswith((".fmu", ".csv")):
        raise MbdFmuError(f"{target}: {OPTIONS} are of robots")
    return choices


def refuse_fmu(target: str) -> None:
    """An FMU tells no equations."""
    if target.lower().endswith(".fmu"):
        raise MbdFmuError(f"{target}: an FMU is not read here; give the model it was built from")


def add_json(parser: ArgumentParser) -> None:
    """The same for programs."""
    parser.add_argument("--json", action="store_true", help="for programs")


def positive(text: str) -> float:
    """Read a number above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"{text} is not a positive number")
    return value


def count(text: str) -> int:
    """Read a whole number above 0."""
    value = int(text)
    if value < 1:
        raise ArgumentTypeError(f"{text} is not a positive number")
    return value


def file_ending_in(suffix: str) -> Callable[[str], Path]:
    """Return who reads the name of a file of a kind."""

    def path(text: str) -> Path:
        if not text.lower().endswith(suffix):
            raise ArgumentTypeError(f"{text} does not end in {suffix}")
        return Path(text)

    return path
