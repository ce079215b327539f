"""A bar for work that takes a while: on stderr, for a terminal only, and only after a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import TracebackType
from typing import Any

#: Shorter work shows nothing.
PATIENCE_SECONDS = 1.0


class Bar:
    """Call it with how much is done and, where known, how much there is."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._began = time.monotonic()
        self._shown: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()

    def __call__(self, done: int, total: int | None = None, what: str = "") -> None:
        if self._shown is None:
            if time.monotonic() - self._began < PATIENCE_SECONDS or not sys.stderr.isatty():
                return
            self._begin()
        self._shown.update(self._task, completed=done, total=total, description=what or self._title)

    def _begin(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._shown.start()
        self._task = self._shown.add_task(self._title, total=None)


@contextmanager
def waiting(title: str) -> Iterator[None]:
    """A bar beside work that cannot say how far it is: that something moves, and what."""
    with Bar(title) as bar:
        later = Timer(PATIENCE_SECONDS, bar, (0,))
        later.daemon = True
        later.start()
        try:
            yield
        finally:
            later.cancel()
            later.join()
