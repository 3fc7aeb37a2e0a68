"""What a command is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A word after ``mbd-fmu``."""

    name: str
    text: str  # one line for the help
    arguments: Callable[[ArgumentParser], None]  # adds what it takes
    run: Callable[[Namespace], int]  # does it, and returns the exit code
