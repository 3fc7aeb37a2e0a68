"""A study on its way: chunks that are done, in a folder beside the file that will hold all.

Each is written whole. Whoever asks for the same study again goes on where it was. One process is
at work in the folder at a time. What a power cut has damaged counts for nothing.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mbd_fmu.errors import MbdFmuError
from mbd_fmu.host.locks import held_alone
from mbd_fmu.host.writing import write_whole
from mbd_fmu.study.targets import Outcome

_HEAD, _LOCK = "study.json", "lock"
_OURS = re.compile(rf"{_HEAD}|{_LOCK}|\d{{7,}}\.npz|\.mbd_fmu_\w+")


class BusyError(MbdFmuError):
    """Another process is at work on the study."""


@dataclass(frozen=True)
class Parts:
    """The chunks of one study."""

    folder: Path
    chunks: tuple[range, ...]
    head: str  # tells this study from others

    @classmethod
    def of(cls, out: Path, digest: str, n: int, most: int) -> Parts:
        """Find the folder of a study, which may not be there yet; refuse that of another study."""
        folder = out.with_name(f"{out.name}.parts")
        chunks = tuple(range(k, min(k + most, n)) for k in range(0, n, most))
        parts = cls(folder, chunks, json.dumps({"study": digest, "cases": n, "chunk": most}))
        parts._refuse_others()
        return parts

    def _refuse_others(self) -> None:
        if not self.folder.exists():
            return
        if not all(_OURS.fullmatch(path.name) for path in self.folder.iterdir()):
            raise MbdFmuError(f"{self.folder}: is no folder of a study; name another file by -o")
        if self._written not in (None, json.loads(self.head)):
            raise MbdFmuError(
                f"{self.folder}: holds another study that was not finished; finish that by its "
                "own command, remove the folder, or name another file by -o"
            )

    @property
    def _written(self) -> object:
        """The head in the folder; None: there is none, or what is left of it."""
        try:
            return json.loads((self.folder / _HEAD).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes away from the folder; if nothing is done in it, it is removed."""
        with held_alone(self.folder / _LOCK) as is_ours:
            if not is_ours:
                raise BusyError(
                    f"{self.folder}: another process is at work on this study; "
                    "wait for its end, or name another file by -o"
                )
            self._refuse_others()  # what another process has begun meanwhile
            if self._written is None:
                for chunk in self.chunks:  # nobody knows of what study
                    self._path(chunk).unlink(missing_ok=True)
                write_whole({self.folder / _HEAD: self.head.encode()})
            try:
                yield
            finally:
                if len(self.missing) == len(self.chunks):
                    self.remove()

    @property
    def missing(self) -> tuple[range, ...]:
        """Chunks that are not done; of those that were cut short the end is not there."""
        return tuple(chunk for chunk in self.chunks if not zipfile.is_zipfile(self._path(chunk)))

    @property
    def scratch(self) -> Path:
        """A place for what is needed on the way to the file."""
        return self.folder / ".mbd_fmu_table"

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
        path = self._path(chunk)
        try:
            with np.load(path) as file:
                return Outcome(
                    file["summaries"],
                    file["trajectories"] if trajectories else None,
                    file["failed"],
                    {int(k): text for k, text in json.loads(str(file["messages"])).items()},
                )
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError):
            path.unlink()
            raise MbdFmuError(
                f"{path}: was damaged and is removed; the same command runs its cases again"
            ) from None

    def remove(self) -> None:
        """All is in the file now."""
        shutil.rmtree(self.folder, ignore_errors=True)
