"""A page of frequency responses: amplitude and phase of each output to each input."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mbd_fmu.analysis.linearization import Linearization
from mbd_fmu.errors import DataError
from mbd_fmu.spatial import Array
from mbd_fmu.validate.plots import bode_plot, grid, plots_foot, plots_head
from mbd_fmu.viewer.page import page_html, write_page

POINTS = 600
BEYOND = 10.0  # times the fastest and the slowest eigenvalue


def frequencies_of(linear: Linearization) -> Array:
    """Return frequencies in Hz around the eigenvalues; near a sharp resonance many."""
    poles = [pole for pole in linear.poles.each if not pole.is_idle]
    sizes = np.array([pole.frequency for pole in poles])
    low, high = (sizes.min(), sizes.max()) if len(sizes) else (1.0, 1.0)
    even = np.geomspace(low / BEYOND, high * BEYOND, POINTS)
    peaks = [pole.value.imag / (2.0 * np.pi) for pole in poles if pole.is_pair]
    near = [peak * (1.0 + width) for peak in peaks for width in np.linspace(-0.02, 0.02, 40)]
    return np.unique([*even, *near])


def refuse_idle(linear: Linearization) -> None:
    """Refuse what has nothing to respond, or nothing to respond to."""
    if not linear.inputs or not linear.outputs:
        raise DataError(
            f"{linear.name}: a frequency response needs an input and an output; it has "
            f"{len(linear.inputs)} and {len(linear.outputs)}"
        )


def write_bode(path: Path, linear: Linearization) -> str:
    """Write the page; return what is to be said about a page that was there before."""
    refuse_idle(linear)
    frequencies = frequencies_of(linear)
    response = linear.transfer(frequencies)
    plots = [
        bode_plot(
            output.name,
            output.unit,
            frequencies,
            [(f"{i.name} in {i.unit}", response[:, k, n]) for n, i in enumerate(linear.inputs)],
        )
        for k, output in enumerate(linear.outputs)
    ]
    lead = f"{len(linear.outputs)} outputs to {len(linear.inputs)} inputs, per unit of the input"
    title = f"{linear.name}: frequency response"
    return write_page(path, page_html(title, lead, grid(plots) + plots_foot(), head=plots_head()))
