"""The command ``mbd-fmu``.

Exit code 0 is success, 1 something for the user to mend, 2 wrong usage; 130 and the like: ended by
a signal, which is 128 more than its number.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from mbd_fmu.commands.build import BUILD
from mbd_fmu.commands.console import note
from mbd_fmu.commands.convert import CONVERT
from mbd_fmu.commands.equilibrium import EQUILIBRIUM
from mbd_fmu.commands.inverse import INVERSE
from mbd_fmu.commands.kinematics import KINEMATICS
from mbd_fmu.commands.linearize import LINEARIZE
from mbd_fmu.commands.loads import LOADS
from mbd_fmu.commands.models import MODELS
from mbd_fmu.commands.modes import MODES
from mbd_fmu.commands.plot import PLOT
from mbd_fmu.commands.schema import SCHEMA
from mbd_fmu.commands.show import SHOW
from mbd_fmu.commands.simulate import SIMULATE
from mbd_fmu.commands.sweep import SWEEP
from mbd_fmu.commands.validate import VALIDATE
from mbd_fmu.commands.view import VIEW
from mbd_fmu.errors import MbdFmuError, os_error_text
from mbd_fmu.host.stopping import Stopped, stoppable
from mbd_fmu.version import VERSION

COMMANDS = (
    *(SHOW, BUILD, SIMULATE, SWEEP, VALIDATE, VIEW, PLOT, CONVERT),
    *(LINEARIZE, EQUILIBRIUM, MODES, INVERSE, KINEMATICS, LOADS),
    *(MODELS, SCHEMA),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 1 when the user has something to mend."""
    args = _parser().parse_args(argv)
    code = 1
    try:
        with stoppable():
            code = int(args.run(args))
            sys.stdout.flush()
            return code
    except MbdFmuError as error:
        note(str(error))
    except BrokenPipeError:  # whoever read our output has enough of it
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:  # a path the user gave
        note(os_error_text(error))
    except MemoryError:
        note("there is not enough memory; give a smaller file, or fewer points")
    except Stopped as stop:
        note("stopped")
        code = int(stop.code or 0)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mbd-fmu", description="Mechanisms to FMUs.")
    parser.add_argument("--version", action="version", version=f"mbd-fmu {VERSION}")
    subparsers = parser.add_subparsers(required=True, metavar="command")
    for command in COMMANDS:
        added = subparsers.add_parser(command.name, help=command.text, description=command.text)
        command.arguments(added)
        added.set_defaults(run=command.run)
    return parser
