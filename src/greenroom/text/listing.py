"""Lists of words and phrases, written with commas between them, as parts of regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable


def barred(listed: str) -> str:
    """The listed words, each a small form of its own, with bars between them."""
    return "|".join(one.strip() for one in " ".join(listed.split()).split(","))


def any_of(listed: str) -> str:
    """Any of the listed words; where two fit, the one listed first does."""
    return f"(?:{barred(listed)})"


def forms(*every: str) -> tuple[re.Pattern[str], ...]:
    """Forms in which capitals say nothing."""
    return tuple(re.compile(one, re.IGNORECASE) for one in every)


def finds(every: Iterable[re.Pattern[str]], text: str) -> bool:
    """Whether a text holds any of some forms."""
    return any(one.search(text) for one in every)


__all__ = ["any_of", "barred", "finds", "forms"]
