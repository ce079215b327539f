"""How much of everything: small for every day, soak for the counts that prove it."""

from __future__ import annotations

import os
from pathlib import Path

SOAK = os.environ.get("GREENROOM_COUNTS", "small") == "soak"


def count(small: int, *, soak: int) -> int:
    return soak if SOAK else small


def report(line: str) -> None:
    """Tell what was measured; ``make soak`` prints it all at the end."""
    if path := os.environ.get("GREENROOM_REPORT"):
        with Path(path).open("a") as file:
            file.write(line + "\n")
