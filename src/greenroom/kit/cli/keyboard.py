"""Lines from standard input, terminal or pipe, without holding up the loop or its end."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
import threading
from collections.abc import Iterator


class Keyboard:
    """Reads on a thread of its own, which never keeps the program from ending."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.is_terminal = sys.stdin.isatty()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    async def line(self) -> str | None:
        """The next line without its end; None when there are no more."""
        return await self._lines.get()

    def _read(self) -> None:
        # The loop may be closed by the time a line comes: then nobody wants it.
        with contextlib.suppress(RuntimeError):
            for line in _typed():
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line.rstrip("\r\n"))
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)


def _typed() -> Iterator[str]:
    """Lines, read without a buffer where possible: its lock, held by a waiting thread, is fatal when Python ends."""
    try:
        number = sys.stdin.fileno()
    except io.UnsupportedOperation:  # no file behind it: somebody put text there
        yield from sys.stdin
        return
    with open(number, "rb", buffering=0, closefd=False) as raw:
        for line in raw:
            yield line.decode("utf-8", "replace")
