"""The program where no file grows beyond so many bytes: ``python -m tests.hardening.full BYTES COMMAND …``."""

from __future__ import annotations

import resource
import sys

from greenroom.entrypoints.cli import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
    main()
