"""Stops asking a provider that keeps failing. Runs on the machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Breaker:
    """Closed while asks succeed; opens after so many failed ones in a row; then lets one through now and then."""

    #: Failed asks in a row that open it.
    after: int = 3
    #: Seconds until one ask is let through again.
    seconds: float = 30.0
    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _open_until: float | None = None

    @property
    def open(self) -> bool:
        return self._open_until is not None and self.clock() < self._open_until

    def admit(self) -> bool:
        """Whether an ask may be made now. Of those that come when the pause is over, only the first."""
        if self._open_until is None:
            return True
        if self.open:
            return False
        self._open_until = self.clock() + self.seconds  # the one let through decides; the others wait for it
        return True

    def worked(self) -> None:
        self._failed = 0
        self._open_until = None

    def failed(self) -> None:
        self._failed += 1
        if self._failed >= self.after:
            self._open_until = self.clock() + self.seconds
