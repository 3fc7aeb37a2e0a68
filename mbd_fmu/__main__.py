"""``python -m mbd_fmu``."""

import sys

from mbd_fmu.cli import main

if __name__ == "__main__":
    sys.exit(main())
