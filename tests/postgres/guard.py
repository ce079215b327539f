"""A program that waits beside a local server and takes it away when whoever started both is gone without a word.

Run by its path, with the number of that process and the server's folder; it imports nothing of Greenroom, so that it is
there at once. It watches who its parent is: unlike a look at the number, that also tells when a dead process has not
been buried yet, or when its number was given to another.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path

#: Seconds between two looks, and those in which a server that has just been started must have left its number.
_LOOK, _LATEST = 0.5, 5.0


def watch(parent: int, folder: Path) -> None:
    """Return when the parent is gone and nothing of the server is left."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    deadline = time.monotonic() + _LATEST
    while folder.exists() and time.monotonic() < deadline:
        _stop(folder / "data" / "postmaster.pid")
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.1)


def _stop(note: Path) -> None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        os.kill(int(note.read_text().split()[0]), signal.SIGQUIT)


if __name__ == "__main__":
    watch(int(sys.argv[1]), Path(sys.argv[2]))
