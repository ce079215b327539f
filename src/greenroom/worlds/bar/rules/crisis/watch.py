"""The understudy's half of the crisis check. It is no model, and whoever reports its results says so.

Where the house can say what a message means, that (its ``meaning``: odds) weighs with what the local check saw; else
what that saw must do.
"""

from __future__ import annotations

from greenroom.worlds.bar.rules.crisis import Check
from greenroom.worlds.bar.rules.crisis.exchange import alarm_in


def watch(check: Check, text: str, meaning: float | None = None, before: str = "", again: float | None = None) -> bool:
    """Whether the guest may be in crisis, by the understudy's check: the message, and the exchange if there is one."""
    return alarm_in(text, before, check.examine(text), meaning, again) is not None
