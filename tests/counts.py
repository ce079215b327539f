"""How much of everything: small for every day, soak for the counts that prove it."""

from __future__ import annotations

import os
import time
from pathlib import Path

SOAK = os.environ.get("GREENROOM_COUNTS", "small") == "soak"


def count(small: int, *, soak: int) -> int:
    return soak if SOAK else small


def report(line: str) -> None:
    """Tell what was measured; ``make soak`` prints it all at the end."""
    if path := os.environ.get("GREENROOM_REPORT"):
        with Path(path).open("a") as file:
            file.write(line + "\n")


#: Seconds of the processor that a hundred thousand additions take where limits were set, and so many of it that a step
#: is worth a second look.
USUAL, LONG = 0.012, 0.025


def pace() -> float:
    """How many times slower this machine is just now: others on it cost time too, and no text is to blame for it."""
    began, total = time.thread_time(), 0
    for i in range(100_000):
        total += i
    return max(1.0, (time.thread_time() - began) / USUAL)


def at_usual_pace(seconds: float) -> float:
    """What a step of so many seconds just now would take where the limits were set."""
    return seconds if seconds < LONG else seconds / pace()
