"""Where files that a robot names may be read: the folder of the model, and those the user names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mbd_fmu.formats.choices import Choices


@dataclass(frozen=True)
class Folders:
    """The folder of the model, and those of --package-path."""

    folder: Path
    choices: Choices

    @property
    def all(self) -> list[Path]:
        """Return them in the order in which they are looked through."""
        return [self.folder, *self.choices.package_paths]

    def find(self, name: str) -> tuple[Path | None, str]:
        """Return the file that a robot means, or why there is none."""
        scheme, mark, rest = name.partition("://")
        outside = "it lies outside; only the model's folder and --package-path are read"
        if not mark:
            rest, roots = name, [self.folder]
        elif scheme in ("package", "model"):
            package, _, rest = rest.partition("/")
            roots = self._packages(package)
        elif scheme == "file":
            roots = [self.folder]
            outside = "a path of one machine; write it from the folder of the file"
        else:
            return None, f"{scheme}:// is not read; nothing is fetched"
        for root in roots:
            path = Path(os.path.normpath(root / rest))
            if not self._may_be_read(path):
                return None, outside
            if path.is_file():
                return path, ""
        return None, "there is no such file; is its folder given with --package-path?"

    def package(self, name: str) -> Path | None:
        """Return the folder of a package, if there is one that may be read."""
        found = (path for path in self._packages(name) if path.is_dir())
        return next((path for path in found if self._may_be_read(path)), None)

    def _packages(self, name: str) -> list[Path]:
        """Return where a package may be: in a folder, or it is the folder itself."""
        return [
            path
            for folder in self.all
            for path in (folder / name, *([folder] if folder.resolve().name == name else []))
        ]

    def _may_be_read(self, path: Path) -> bool:
        return any(path.resolve().is_relative_to(folder.resolve()) for folder in self.all)
