"""Help and refusals come at once: nothing heavy is loaded for them."""

import subprocess
import sys

import pytest

from mbd_fmu.cli import COMMANDS

HEAVY = ("numpy", "casadi", "fmpy", "lxml", "plotly", "pythonfmu", "rich", "scipy")
SCRIPT = f"""
import sys
from mbd_fmu.__main__ import main
try:
    main()
except SystemExit as end:
    print(end.code, *(name for name in {HEAVY} if name in sys.modules))
"""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["--version"], 0),
        *(([command.name, "--help"], 0) for command in COMMANDS),
        (["build"], 2),
        (["view", "pendulum", "--size", "big"], 2),
    ],
    ids=str,
)
def test_what_is_said_about_commands_needs_nothing_heavy(words, code):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == str(code)


def test_runs_of_models_load_no_scipy():
    """It takes longer than all else, and only nonlinear springs of the oracle need it."""
    script = "import sys, mbd_fmu.runs; print('scipy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_every_command_says_what_it_is_for():
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    assert all(command.text for command in COMMANDS)
