"""Which versions of the format mean what is read here."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mbd_fmu.errors import shortened
from mbd_fmu.formats.accounting import Account
from mbd_fmu.formats.sdf.grammar import NEWEST, OLDEST
from mbd_fmu.formats.xml.xml_tree import Element

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})\Z", re.ASCII)


def version_of(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Return the version that an element states; (0, 0) where it states none."""
    found = _VERSION.match(attributes.get("version", "").strip())
    return (int(found[1]), int(found[2])) if found else (0, 0)


def check_version(root: Element, account: Account) -> None:
    """Write down that a file may mean something else than is read."""
    version = version_of(root.attributes)
    known = f"{_text(OLDEST)} to {_text(NEWEST)} are read"
    shown = f'version="{shortened(root.attributes.get("version", ""))}"'
    if "version" not in root.attributes or OLDEST <= version <= NEWEST:
        return
    if (0, 0) < version < OLDEST:
        remedy = f"{known}; gz sdf -p old.sdf > new.sdf brings it up to date"
        account.doubt(root.line, "sdf", f"{shown}: poses and axes meant other frames then", remedy)
    else:
        account.doubt(root.line, "sdf", f"{shown} is not known", known)


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
