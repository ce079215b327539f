"""Loads NiceGUI without what it would load for others, which is a tenth of the time that a house takes to open."""

from __future__ import annotations

import sys
from typing import Any

#: What the socket library beneath NiceGUI takes up wherever it is installed: clients, and brokers between servers. It
#: goes without where they are missing, and the console is a server alone.
UNUSED = ("aiohttp", "redis", "requests")


def load_nicegui() -> None:
    """Import it once as if those were not installed; whoever needs them later finds them as ever."""
    modules: dict[str, Any] = sys.modules
    absent = [name for name in UNUSED if name not in modules]
    modules.update(dict.fromkeys(absent))  # None there: Python says that there is no such module
    try:
        import nicegui  # noqa: F401
    finally:
        for name in absent:
            del modules[name]


__all__ = ["load_nicegui"]
