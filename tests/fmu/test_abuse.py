"""Wrong calls: each is refused with a status and a reason, leaves no trace, and ends no process.

The table is in abuse.py; here each case goes through it in a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fmu.abuse import ABUSES
from tests.fmu.cases import CASES, Case
from tests.fmu.conftest import FmuOf
from tests.fmu.ctypes_fmu import ERROR, OK, Message

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # s; the whole table takes one or two


@pytest.fixture(scope="module")
def reports(
    case: Case, fmu_of: FmuOf, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """What each wrong call did, by its name; of the one that ended the process nothing is known."""
    name = next(key for key, value in CASES.items() if value is case)
    other = CASES["chain" if name != "chain" else "loop"]
    command = [sys.executable, "-m", "tests.fmu.abuse", name]
    files = [fmu_of(case.table), fmu_of(other.table), tmp_path_factory.mktemp("abuse")]
    try:
        done = subprocess.run(
            [*command, *map(str, files)],
            cwd=ROOT,
            capture_output=True,
            check=False,
            text=True,
            timeout=PATIENCE,
        )
        text, trouble = done.stdout, done.stderr
    except subprocess.TimeoutExpired as error:
        text, trouble = (error.stdout or b"").decode(), "it hangs"
    lines = [json.loads(line) for line in text.splitlines()]
    found = {line["name"]: line for line in lines if isinstance(line, dict)}
    begun = [line for line in lines if isinstance(line, str)]
    return found | {name: {"trouble": trouble} for name in begun if name not in found}


@pytest.mark.parametrize("calls", [1500, pytest.param(100_000, marks=pytest.mark.slow)])
def test_random_calls_crash_nothing_and_hand_out_finite_values_only(
    calls, case, fmu_of, tmp_path_factory
):
    """All functions of both kinds, in any order; each of them works now and then."""
    folder = tmp_path_factory.mktemp("fuzz")
    command = [sys.executable, "-m", "tests.fmu.fuzz", fmu_of(case.table), folder, 7, calls]
    done = subprocess.run(
        [*map(str, command)], cwd=ROOT, capture_output=True, check=False, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    worked = json.loads(done.stdout)
    assert [name for name, count in worked.items() if not count] == []


def test_there_are_many_and_their_names_are_unique():
    assert len(ABUSES) >= 100


@pytest.mark.parametrize("name", ABUSES)
def test_abuse_is_answered_with_a_status_and_a_reason_and_leaves_no_trace(name, case, reports):
    abuse, report = ABUSES[name], reports.get(name, {"trouble": "the process had ended before"})
    assert "trouble" not in report, report["trouble"]
    assert report["status"] == abuse.status, report["messages"]
    assert report["leaves_no_trace"]
    messages = [Message(*m) for m in report["messages"]]
    errors = [m for m in messages if m.status == ERROR]
    assert len(errors) == bool(abuse.words), messages
    for message in errors:
        words = [w.format(**vars(case)) if "{" in w else w for w in abuse.words]
        assert all(w in message.text for w in words), message.text
        assert message.category == "logStatusError"
        assert message.text == message.text.rstrip()
        assert message.takes_nothing
        assert len(message.text) < 1100
    if abuse.status == OK:
        assert messages == []
