"""Houses that live in real time, and the hours at which something happens in them that no test asked for.

At these hours the keeper of the lighthouse tends her lamp, or the mail boat comes; and ten minutes after a visitor's
last word she writes down what she heard. No test begins shortly before such an hour, and what tests share is made anew
before anybody acts in it: so none depends on when it is run, or for how long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

#: Dawn, the mail boat and dusk.
HOURS = (6, 8, 18)
#: Longer than a test takes from its first visit to its last look at it.
SHORTLY = timedelta(seconds=60)
#: How long a shared house may stand: well below the time after which its visits count as idle.
STANDS = timedelta(minutes=6)


def until_next(now: datetime) -> timedelta:
    """How long it is until one of the hours strikes."""
    struck = [now.replace(hour=hour, minute=0, second=0, microsecond=0) for hour in HOURS]
    return min(at + timedelta(days=at <= now) - now for at in struck)


def wait_out() -> None:
    """Let an hour strike that is about to."""
    left = until_next(datetime.now(UTC))
    if left < SHORTLY:
        time.sleep(left.total_seconds() + 1)


class Shared:
    """A house that tests copy: made when it is first wanted, and again before it does anything by itself."""

    def __init__(self, folders: pytest.TempPathFactory, make: Callable[[Path], None]) -> None:
        self._folders, self._make = folders, make
        self._made: Path | None = None
        self._holds_until = datetime.min.replace(tzinfo=UTC)

    @property
    def home(self) -> Path:
        now = datetime.now(UTC)
        if self._made is None or now >= self._holds_until:
            self._holds_until = now + min(until_next(now), STANDS)
            self._made = self._folders.mktemp("shared") / "home"
            self._make(self._made)
            self._made.mkdir(exist_ok=True)  # a house on a server leaves nothing there
        return self._made


__all__ = ["HOURS", "SHORTLY", "STANDS", "Shared", "until_next", "wait_out"]
