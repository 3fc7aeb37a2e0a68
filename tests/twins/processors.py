"""Write the FMUs of mechanisms without their libraries; by itself, for another process.

How NumPy's linear algebra rounds is settled when a process begins (``OPENBLAS_CORETYPE``).
"""

import json
import sys
from pathlib import Path

from mbd_fmu import build, read_model
from mbd_fmu.model.library import library
from mbd_fmu.model.reader import spec_of_table


def write_without_libraries(models, tables, folder):
    """Write all of an FMU but what a compiler makes of its sources."""
    build.compile_library = lambda *_: b""
    specs = {name: read_model(library()[name]) for name in models}
    specs |= {name: spec_of_table(table, name) for name, table in tables.items()}
    for name, spec in specs.items():
        build.build_fmu(spec, folder / f"{name}.fmu")


if __name__ == "__main__":
    models, tables, folder = sys.argv[1:]
    write_without_libraries(json.loads(models), json.loads(tables), Path(folder))
