"""What a user may choose when a robot of another format is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROBOTS = (".urdf", ".sdf", ".world", ".xml", ".mjcf", ".xacro")  # endings of their files
BASES = ("fixed", "free")
ALL = "all"  # links that are kept
OVERLAY = ".mbd.toml"  # ending of the file beside a robot that adds to it
OPTIONS = "--base, --lenient, --stops, --keep, --package-path, --arg and --overlay"


@dataclass(frozen=True)
class Choices:
    """See docs/robots.md; the defaults are those of the commands."""

    base: str = "fixed"  # how the root link is joined to the ground
    is_lenient: bool = False  # what is unknown is told, and not refused
    stops: bool = False  # lower and upper limits become stops
    package_paths: tuple[Path, ...] = ()  # where package:// is looked for, too
    arguments: tuple[tuple[str, str], ...] = ()  # of xacro: names and values
    overlay: Path | None = None  # the file that adds to the robot's; None: the one beside it
    keep: tuple[str, ...] = ()  # links on fixed joints that stay bodies of their own


DEFAULT = Choices()
