"""Drives that leave the limits of their inputs, in words: limits are told, nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mbd_fmu.system.variable import Variable


def beyond_limits(
    inputs: Iterable[Variable], ranges: Mapping[str, tuple[float, float]]
) -> Iterator[str]:
    """Say of each input whose least or largest value is beyond its limits."""
    for v in inputs:
        if v.name not in ranges:
            continue
        least, most = ranges[v.name]
        if v.min is not None and least < v.min:
            yield f"{v.name} goes down to {least:.6g} {v.unit}; its limit is {v.min:g}"
        if v.max is not None and most > v.max:
            yield f"{v.name} goes up to {most:.6g} {v.unit}; its limit is {v.max:g}"
