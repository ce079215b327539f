"""Moments, money and amounts in words that people read."""

from __future__ import annotations

from datetime import UTC, datetime

from greenroom.text.counting import plural


def _as_moment(given: datetime | str) -> datetime:
    moment = datetime.fromisoformat(given) if isinstance(given, str) else given
    return moment.astimezone(UTC)


def clock(given: datetime | str) -> str:
    return f"{_as_moment(given):%H:%M}"


def day_and_clock(given: datetime | str | None) -> str:
    """``Monday 16 Nov, 08:00 UTC``; a dash for none."""
    return "–" if given is None else f"{_as_moment(given):%A %d %b, %H:%M} UTC".replace(" 0", " ")


def full(given: datetime | str | None) -> str:
    """``2026-11-16 08:00:07 UTC``; a dash for none."""
    return "–" if given is None else f"{_as_moment(given):%Y-%m-%d %H:%M:%S} UTC"


def ago(given: datetime, now: datetime) -> str:
    """How long ago, or in how long, roughly."""
    seconds = (now - given).total_seconds()
    amount = _amount(abs(seconds))
    if amount is None:
        return "just now" if seconds >= 0 else "in a moment"
    return f"{amount} ago" if seconds >= 0 else f"in {amount}"


def _amount(seconds: float) -> str | None:
    for length, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= length:
            return plural(int(seconds // length), name)
    return plural(int(seconds), "second") if seconds >= 10 else None


def dollars(micros: int) -> str:
    """Cents where there are any, more places for less than one."""
    amount = micros / 1_000_000
    if micros == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.01 else f"${amount:.6f}".rstrip("0")


def cost(micros: int, tokens: int) -> str:
    """What asks cost; where tokens were used and nothing was counted, nobody knows their price."""
    return "unknown" if tokens and not micros else dollars(micros)


def person(owner: str) -> str:
    """Whose a stream is; who plays at the machine itself has no name but ``local``."""
    return "whoever plays at this machine" if owner == "local" else owner


def sentence(words: object) -> str:
    """An error's text as a sentence of its own; names at its beginning stay as they are written."""
    told = str(words).strip()
    first = told.split(maxsplit=1)[0] if told else ""
    begun = told[:1].upper() + told[1:] if first.isalpha() and first.islower() else told
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."
