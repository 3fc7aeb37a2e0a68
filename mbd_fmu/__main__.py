"""``python -m mbd_fmu``, and the command ``mbd-fmu``."""

import sys


def main() -> int:
    """Run one command; Ctrl-C may come while it is still being loaded."""
    try:
        from mbd_fmu.cli import main as command  # noqa: PLC0415

        return command()
    except KeyboardInterrupt:
        print("mbd-fmu: stopped", file=sys.stderr)  # noqa: T201
        return 130


if __name__ == "__main__":
    sys.exit(main())
