"""On whose behalf something is done, where that is known: whoever asks for much keeps nobody else waiting.

The server says it for each request; what a worker does by itself is done on nobody's behalf.
"""

from __future__ import annotations

from contextvars import ContextVar

#: The address that a request came from, as it is counted.
ASKING: ContextVar[str] = ContextVar("asking", default="")

__all__ = ["ASKING"]
