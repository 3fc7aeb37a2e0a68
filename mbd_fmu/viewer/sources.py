"""What the script of pages is made of, told by one number.

The build of a wheel loads this file by its path, where neither the package nor NumPy is
installed: it imports nothing but the standard library.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parent
PACKAGES = ("package.json", "package-lock.json")
BUNDLE = "bundle"  # beside the sources; not in the repository
NOT_OURS = (BUNDLE, "node_modules")
NOT_MADE = "not_made.txt"  # in it: why it could not be made, in one line
FIRST_LINE = "// made of "  # and the fingerprint: how a bundle begins


def fingerprint(folder: Path = FOLDER) -> str:
    """Return the SHA-256 of our scripts, of the packages they use, and of how they are bundled."""
    total = hashlib.sha256()
    inner = (p for p in folder.iterdir() if p.is_dir() and p.name not in NOT_OURS)
    ours = [*folder.glob("*.js"), *(script for sub in inner for script in sub.rglob("*.js"))]
    for path in (*sorted(ours), *(folder / name for name in PACKAGES)):
        data = path.read_bytes()
        total.update(f"{path.relative_to(folder).as_posix()} {len(data)}\n".encode())
        total.update(data)
    return total.hexdigest()


def stands_for(script: str) -> str:
    """Return the fingerprint of the sources a bundle was made of; nothing of another file."""
    line = script.partition("\n")[0]
    return line.removeprefix(FIRST_LINE) if line.startswith(FIRST_LINE) else ""
