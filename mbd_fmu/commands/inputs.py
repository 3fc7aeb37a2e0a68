"""The inputs a user names for a run."""

from __future__ import annotations

import argparse

from mbd_fmu.signals.trajectory import Trajectory, read_csv


def inputs_of(args: argparse.Namespace) -> Trajectory | None:
    """Read the table of ``--input``, if there is one."""
    if not args.input:
        return None
    return read_csv(args.input, repeats="held" if args.interpolate == "held" else "refused")
