"""A study on its way into its file: some cases at a time, so that none need all of its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mbd_fmu.spatial import Array


@dataclass(frozen=True)
class Extent:
    """How much there will be."""

    cases: int
    times: int
    outputs: int
    has_trajectories: bool


@dataclass(frozen=True)
class Piece:
    """Cases that follow each other."""

    columns: Mapping[str, Array]
    failed: Array
    messages: Mapping[int, str]  # counted from the first of these cases
    trajectories: Array | None  # (cases, times, outputs)
