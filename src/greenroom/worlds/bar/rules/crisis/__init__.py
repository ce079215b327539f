"""The crisis check: one half here, deterministic and always run; the other is a model's. Either decides.

What it looks for is made ready with the first message: that takes a third of a second, and most programs weigh none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from greenroom.worlds.bar.rules.crisis.check import Finding


def examine(text: str) -> Finding:
    """Weigh one message."""
    from greenroom.worlds.bar.rules.crisis import check

    return check.examine(text)


def prepare() -> None:
    """Make ready now what the first message would wait for."""
    examine("")


def in_crisis(text: str) -> bool:
    """Whether the guest may be in crisis, by the local check alone."""
    return examine(text).crisis
