"""A model built once, to be run any number of times: FMUs kept by their content.

The key is all that an FMU is made of: the mechanism, this package, and what it builds with. Looks
are left out: they change no motion, and meshes take time. An FMU that is kept is whole or not
there, and the newest are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mbd_fmu.build import build_fmu
from mbd_fmu.errors import FmuError
from mbd_fmu.export.compile import host_platform
from mbd_fmu.export.compiler_cache import keep_object, kept_object
from mbd_fmu.export.identity import identity
from mbd_fmu.host.scratch import scratch_folder
from mbd_fmu.model.spec import Spec

ROOM, MOST = "fmus", 200  # where they are kept, and how many: some 50 MB


@contextmanager
def runnable_fmu(spec: Spec, progress: Callable[[str], None]) -> Iterator[Path]:
    """Give the FMU of a mechanism for a run; what goes wrong is said of the mechanism."""
    bare = replace(spec, bodies=tuple(replace(body, visual=()) for body in spec.bodies))
    key = identity(bare, host_platform().name.encode())
    with scratch_folder() as folder:
        path = folder / f"{spec.name}.fmu"
        made = kept_object(key, ROOM)
        if made is None:
            build_fmu(bare, path, progress=progress)
            keep_object(key, path.read_bytes(), ROOM, MOST)
        else:
            path.write_bytes(made)
        try:
            yield path
        except FmuError as error:
            raise FmuError(str(error).replace(str(path), spec.name)) from None
