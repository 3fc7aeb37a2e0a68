"""A study as a user writes it with fmpy: one instance that is reset, and the same summaries.

Each case is set and run, all outputs are read at each step, and what `mbd-fmu sweep` keeps of them
is worked out by NumPy; the table is written to one file.
"""

import argparse
from pathlib import Path

import numpy as np

from mbd_fmu.spatial import Array
from scripts.benchmarks.fmpy_runs import ByFmpy


def summarised(time: Array, values: Array) -> Array:
    """Least, greatest and last value, root of the mean square, time of the peak; by output."""
    return np.stack(
        [
            values.min(axis=0),
            values.max(axis=0),
            values[-1],
            np.sqrt(np.trapezoid(values**2, time, axis=0) / time[-1]),
            time[np.argmax(np.abs(values), axis=0)],
        ],
        axis=1,
    )


def main() -> None:
    """Run a study of one input."""
    parser = argparse.ArgumentParser()
    parser.add_argument("fmu", type=Path)
    parser.add_argument("folder", type=Path, help="where it is unpacked, and writes")
    parser.add_argument("input")
    parser.add_argument("cases", type=int)
    parser.add_argument("stop", type=float)
    parser.add_argument("step", type=float)
    asked = parser.parse_args()
    time = np.arange(round(asked.stop / asked.step) + 1) * asked.step
    fmu = ByFmpy(asked.fmu, asked.folder / "unpacked")
    table = np.array(
        [
            summarised(time, fmu.run({asked.input: value}, time))
            for value in np.linspace(-1.0, 1.0, asked.cases).tolist()
        ]
    )
    fmu.close()
    np.save(asked.folder / "study.npy", table)


if __name__ == "__main__":
    main()
