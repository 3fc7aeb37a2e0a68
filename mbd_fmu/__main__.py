"""``python -m mbd_fmu``, and the command ``mbd-fmu``."""

import os
import sys


def main() -> int:
    """Run one command; Ctrl-C may come while it is still being loaded."""
    # Our matrices are small: threads of the linear algebra wait for each other more than they work,
    # and the compilers wait for them. Forty four-bars build in half the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from mbd_fmu.cli import main as command  # noqa: PLC0415

        return command()
    except KeyboardInterrupt:
        print("mbd-fmu: stopped", file=sys.stderr)  # noqa: T201
        return 130


if __name__ == "__main__":
    sys.exit(main())
