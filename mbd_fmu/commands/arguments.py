"""Arguments that several commands take."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

A_MODEL = "model file, its folder, or the name of one of our models"


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
