"""JUnit XML: the form in which CI systems read verdicts, one test case per model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from mbd_fmu.host.writing import write_whole
from mbd_fmu.validate.batch import Attempt


def write_junit(path: Path, attempts: Sequence[Attempt]) -> None:
    """Write the file."""
    failed = sum(a.validation is not None and not a.passed for a in attempts)
    broken = sum(a.validation is None for a in attempts)
    numbers = {
        "tests": str(len(attempts)),
        "failures": str(failed),
        "errors": str(broken),
        "time": f"{sum(a.seconds for a in attempts):.3f}",
    }
    root = ET.Element("testsuites", {"name": "mbd-fmu validate", **numbers})
    suite = ET.SubElement(root, "testsuite", {"name": "mbd-fmu validate", **numbers})
    for a in attempts:
        _add_case(suite, a)
    ET.indent(root)
    write_whole({path: ET.tostring(root, encoding="utf-8", xml_declaration=True)})


def _add_case(suite: ET.Element, a: Attempt) -> None:
    case = ET.SubElement(
        suite, "testcase", classname="models", name=_clean(a.name), time=f"{a.seconds:.3f}"
    )
    if not a.passed:
        # "failure": judged and found wrong; "error": could not be judged
        kind = "failure" if a.validation else "error"
        outcome = ET.SubElement(case, kind, message=_clean(a.failures[0].splitlines()[0]))
        outcome.text = _clean("\n".join(a.failures))
    if a.validation:
        out = ET.SubElement(case, "system-out")
        worst = a.validation.worst
        lines = [f"{len(a.validation.signals)} signals compared"]
        if worst:
            lines.append(f"worst: {worst.name}, {worst.max_relative:.3g} of its range")
        out.text = _clean("\n".join([*lines, *map(str, a.validation.invariants)]))


def _clean(text: str) -> str:
    """Take out control characters: XML 1.0 has no way to write them."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
