"""Houses that live in real time, and the hours at which something happens in them that no test asked for.

At these hours the keeper of the lighthouse tends her lamp, or the mail boat comes. No test begins shortly before one,
and what tests share is made anew after it: so none depends on when it is run.
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
    """A house that tests copy: made when it is first wanted, and again after an hour has struck."""

    def __init__(self, folders: pytest.TempPathFactory, make: Callable[[Path], None]) -> None:
        self._folders, self._make = folders, make
        self._made: Path | None = None
        self._holds_until = datetime.min.replace(tzinfo=UTC)

    @property
    def home(self) -> Path:
        now = datetime.now(UTC)
        if self._made is None or now >= self._holds_until:
            self._holds_until = now + until_next(now)
            self._made = self._folders.mktemp("shared") / "home"
            self._make(self._made)
            self._made.mkdir(exist_ok=True)  # a house on a server leaves nothing there
        return self._made


__all__ = ["HOURS", "SHORTLY", "Shared", "until_next", "wait_out"]
