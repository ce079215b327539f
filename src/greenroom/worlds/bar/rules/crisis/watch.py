"""The understudy's half of the crisis check. It is no model, and whoever reports its results says so.

Where the house can say what a message means, that (its ``meaning``: odds) weighs with what the local check saw; else
what that saw must do, with a threshold of its own.
"""

from __future__ import annotations

from typing import Final

from greenroom.worlds.bar.rules.crisis import examine

#: Odds from which a message counts as a crisis if nobody can say what it means.
SURE_BY_WORDS: Final = 1.5


def watch(text: str, meaning: float | None = None) -> bool:
    """Whether the guest may be in crisis, by the understudy's check."""
    seen = examine(text)
    return seen.odds >= SURE_BY_WORDS if meaning is None else seen.with_meaning(meaning)
