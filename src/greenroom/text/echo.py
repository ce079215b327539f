"""Whether a text repeats another, however it is dressed up: spaced out, backwards, with unseen letters between."""

from __future__ import annotations

import unicodedata

#: So many letters and digits in a row are no accident.
RUN = 32


def bare(text: str) -> str:
    """Letters and digits alone, as plain as they can be written."""
    plain = unicodedata.normalize("NFKC", text)[: 4 * len(text)].casefold()
    return "".join(char for char in plain if char.isalnum())


def holds(said: str, secret: str) -> bool:
    """Whether a text holds a secret, forwards or backwards; one that is too short to tell apart is not looked for."""
    inner, outer = bare(secret), bare(said)
    return len(inner) >= 8 and (inner in outer or inner[::-1] in outer)


def echoes(said: str, source: str, run: int = RUN) -> bool:
    """Whether a text repeats a stretch of its source, forwards or backwards."""
    inner, outer = bare(source), bare(said)
    backwards = inner[::-1]
    windows = (outer[i : i + run] for i in range(len(outer) - run + 1))
    return any(window in inner or window in backwards for window in windows)


__all__ = ["RUN", "bare", "echoes", "holds"]
