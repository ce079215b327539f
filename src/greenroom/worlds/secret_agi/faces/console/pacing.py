"""How fast a page tells what happened: all at once, or a line at a time with the table following the lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from nicegui import ui

#: Seconds between two lines, and what that is called.
PACES = {"0": "at once", "1": "a line a second", "3": "slowly"}


class Pacing:
    """What waits to be told on one page. ``held`` is called when something begins to wait."""

    def __init__(self, held: Callable[[], None]) -> None:
        self._held = held
        self._waiting: deque[tuple[Callable[[], None], bool]] = deque()
        self._seconds = 0
        self._timer = ui.timer(1.0, self._next, active=False)

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def set(self, pace: str) -> None:
        """Tell so fast from here on; at once also what waits."""
        self._seconds = int(pace) if pace in PACES else 0
        if self._seconds:
            self._timer.interval = float(self._seconds)
        else:
            self.hurry()

    def put(self, act: Callable[[], None], *, is_line: bool) -> None:
        """Do this when its time comes; after a line the next one waits."""
        if not self._seconds and not self._waiting:
            act()
            return
        if not self._waiting:
            self._held()
            self._timer.activate()
        self._waiting.append((act, is_line))

    def hurry(self) -> None:
        """Do all that waits."""
        while self._waiting:
            self._waiting.popleft()[0]()
        self._timer.deactivate()

    def _next(self) -> None:
        while self._waiting:
            act, is_line = self._waiting.popleft()
            act()
            if is_line and self._waiting:
                return
        self._timer.deactivate()
