"""What somebody may have meant who wrote a name that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

#: How alike two names are, from 0 to 1, before one is taken for a misspelling of the other.
ALIKE = 0.7


def meant(given: str, known: Iterable[str]) -> str | None:
    """The known name that is most like the given one; None where none is like it."""
    plain = {name.casefold(): name for name in known}
    found = get_close_matches(given.casefold(), plain, n=1, cutoff=ALIKE)
    return plain[found[0]] if found else None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a sentence that refuses a name: a question, or the names there are."""
    names = sorted(known)
    close = meant(given, names)
    if close is not None:
        return f"did you mean {close}?"
    return f"there is {', '.join(names)}" if names else "there is none"
