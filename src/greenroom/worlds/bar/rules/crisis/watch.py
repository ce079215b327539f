"""The understudy's half of the crisis check. It is no model, and whoever reports its results says so.

Where the house can say what a message means, that (its ``meaning``: odds) weighs with what the local check saw; else
what that saw must do, with a threshold of its own.
"""

from __future__ import annotations

from typing import Final

from greenroom.worlds.bar.rules.crisis import examine
from greenroom.worlds.bar.rules.crisis.exchange import alarm_in

#: Odds from which a message counts as a crisis if nobody can say what it means.
SURE_BY_WORDS: Final = 1.5


def watch(text: str, meaning: float | None = None, before: str = "", again: float | None = None) -> bool:
    """Whether the guest may be in crisis, by the understudy's check: the message, and the exchange if there is one."""
    seen = examine(text)
    if before:
        return alarm_in(text, before, seen, meaning, again) is not None
    return seen.odds >= SURE_BY_WORDS if meaning is None else seen.with_meaning(meaning)
