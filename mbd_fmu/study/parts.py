"""A study on its way: chunks that are done, in a folder beside the file that will hold all.

Each is written whole. Whoever asks for the same study again goes on where it was.
"""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.writing import write_whole
from mbd_fmu.study.targets import Outcome

_HEAD = "study.json"


@dataclass(frozen=True)
class Parts:
    """The chunks of one study."""

    folder: Path
    chunks: tuple[range, ...]

    @classmethod
    def of(cls, out: Path, digest: str, n: int, most: int) -> Parts:
        """Open the folder of a study, or make it; refuse that of another study."""
        folder = out.with_name(f"{out.name}.parts")
        chunks = tuple(range(k, min(k + most, n)) for k in range(0, n, most))
        head = {"study": digest, "cases": n, "chunk": most}
        path = folder / _HEAD
        if not path.exists():
            if folder.exists() and any(folder.iterdir()):
                raise MbdFmuError(f"{folder}: is no folder of a study; name another file by -o")
            write_whole({path: json.dumps(head).encode()})
        elif _json(path) != head:
            raise MbdFmuError(
                f"{folder}: holds another study that was not finished; finish that by its own "
                "command, remove the folder, or name another file by -o"
            )
        return cls(folder, chunks)

    @property
    def missing(self) -> tuple[range, ...]:
        """Chunks that are not done."""
        return tuple(chunk for chunk in self.chunks if not self._path(chunk).exists())

    def _path(self, chunk: range) -> Path:
        return self.folder / f"{chunk.start:07d}.npz"

    def write(self, chunk: range, outcome: Outcome) -> None:
        """Keep a chunk."""
        stream = io.BytesIO()
        messages = json.dumps({str(k): text for k, text in outcome.messages.items()})
        arrays: dict[str, Any] = {
            "summaries": outcome.summaries,
            "failed": outcome.failed,
            "messages": np.array(messages),
        }
        if outcome.trajectories is not None:
            arrays["trajectories"] = outcome.trajectories
        np.savez(stream, **arrays)
        write_whole({self._path(chunk): stream.getvalue()})

    def read(self, chunk: range, *, trajectories: bool = False) -> Outcome:
        """Return a chunk; without its trajectories, if they are not asked for."""
        with np.load(self._path(chunk)) as file:
            return Outcome(
                file["summaries"],
                file["trajectories"] if trajectories else None,
                file["failed"],
                {int(k): text for k, text in json.loads(str(file["messages"])).items()},
            )

    def remove(self) -> None:
        """All is in the file now."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
