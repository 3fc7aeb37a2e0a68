"""The .fmu archive: a zip with fixed order, dates and permissions."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping

# The earliest date a zip can hold. When it was made says nothing about what is in it.
_DATE = (1980, 1, 1, 0, 0, 0)


def content_guid(parts: Iterable[bytes]) -> str:
    """Return a GUID that is the same for the same content, and for no other."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    h = digest.hexdigest()
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}"


def archive_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the archive of some files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # unix, also when made on Windows
            executable = name.startswith("binaries/")
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, files[name], compresslevel=9)
    return stream.getvalue()
