"""What becomes of an answer: it is checked against secret and canon, and repaired with the reason told, once."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.asks import Alike, AskModel, Failed, Objection, Roll
from greenroom.kernel.codec import canonical
from greenroom.worlds.lighthouse.rules.content import Content, Secret, named
from greenroom.worlds.lighthouse.rules.state import Lighthouse, Mood

#: How like the truth a line is that tells it.
TELLING = 0.62
LEAKED = "it gives away what the visitor is not to know yet; say something else"
UNTOLD = "this is the moment and you have not told it; tell in your own words what happened to the Marigold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The keeper's line, and what was said before it and rejected."""

    line: str
    mood: Mood
    #: Whether the line tells the secret.
    tells: bool = False
    rejected: tuple[Objection, ...] = ()


def spoken(content: Content, state: Lighthouse, ask: AskModel, *, tells: bool) -> Generator[Any, Any, Spoken]:
    """Ask, check, and ask once more with the reason; a stock line where nothing can be used."""
    rejected: tuple[Objection, ...] = ()
    for _ in range(2):
        answer = yield ask
        read = _read(answer)
        if read is None:
            break
        line, mood = read
        told = yield from _tells(named(content.secrets, state.secret), line)
        objection = _objection(content, state, line, told=told, tells=tells)
        if objection is None or (objection == UNTOLD and rejected):
            return Spoken(line=line, mood=mood, tells=told and tells, rejected=rejected)
        rejected = (*rejected, Objection(answer=canonical(answer).decode(), reason=objection))
        ask = replace(ask, objections=rejected)
    (i,) = yield Roll((len(content.fallbacks),))
    return Spoken(line=content.fallbacks[i], mood="plain", rejected=rejected)


def _read(answer: Any) -> tuple[str, Mood] | None:
    match answer:
        case Failed():
            return None
        case {"line": str(line), "mood": ("curt" | "plain" | "wry" | "warm") as mood} if line.strip():
            return line, mood
        case _:
            return None


def _tells(secret: Secret, line: str) -> Generator[Any, Any, bool]:
    """Whether a line tells the truth: by its phrase, or by what it means where it comes near enough to look."""
    if secret.given_away_by(line):
        return True
    if not secret.may_be_given_away_by(line):
        return False
    likes = yield Alike(text=line, others=(secret.truth,))
    return not isinstance(likes, Failed) and bool(likes) and likes[0] >= TELLING


def _objection(content: Content, state: Lighthouse, line: str, *, told: bool, tells: bool) -> str | None:
    if told and not tells and not state.told:
        return LEAKED
    if tells and not told:
        return UNTOLD
    return content.against_canon(line)
