"""Sentences that take up what was said: frames with a place for what was told, asked for, or remembered.

What somebody said is put into a frame and never read as one: braces in it are only braces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from greenroom.adapters.facts.noticing import in_full
from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.adapters.understudy.kinds import is_foreign
from greenroom.adapters.understudy.persons import to_you
from greenroom.adapters.understudy.remembering import FoundMemory
from greenroom.kernel.facts import SELF
from greenroom.text.frames import put
from greenroom.text.typed import written_out

_INNER = re.compile(r"(?<=[a-z:,…]) \{you\}")
#: Where a sentence that begins with a capital cannot stand.
_WITHIN_ONE = re.compile(r"[a-z,] \{you\}")
_WITHIN = re.compile(r"(?<=[.!?] )[a-z]")
#: Words of a sentence that is turned to whoever said it; a longer one, or one to the hearer, is said again as it stood.
MOST_TURNED = 14
#: What a clause leaves behind that was cut off after it.
_LEFT_OVER = re.compile(r",? (?:and|but|or|so|because)$", re.IGNORECASE)
_SPEAKS = re.compile(r"\b(?:you|your|yours)\b|[.!?…] ", re.IGNORECASE)
_LOWERED = ("you", "my", "the", "he", "she", "it")


def own_kind(subject: str, relation: str) -> str:
    """By what name the lines about a fact are kept: the name of somebody else is another thing than one's own."""
    return "name_of" if relation == "name" and subject != SELF else relation


def answers(lines: Mapping[str, Sequence[str]], found: FoundMemory, *, own: Sequence[str]) -> list[list[str]]:
    """Ways to say what somebody told: those of its relation first (``own``), where it was said in this visit; then those
    that any fact has. Where it may have been one of two things, both are said."""
    fact = found.fact
    groups: list[Sequence[str]] = [own if found.is_meant else ()]
    if found.other:
        groups.append(lines["either"])
    elif is_foreign(fact.text):
        groups.append([one if fact.relation == "said" else f"{{value}}. {one}" for one in lines["foreign"]])
    else:
        groups += [lines["earlier"] if found.day else (), lines["told"]]
    return [from_memory(frames, found) for frames in groups if frames]


def from_memory(frames: Sequence[str], found: FoundMemory) -> list[str]:
    """Lines that say a fact again: ``{value}`` is the fact alone, ``{you}`` the sentence turned to whoever said it,
    ``{quote}`` as it was said, ``{other}`` what else it may have been."""
    fact = found.fact
    text = written_out(fact.text)
    if found.is_meant:
        text = _clause(text, fact.value)
    told = _said_back(text)
    fields = {
        "value": fact.value.strip(" .!"),
        "subject": fact.subject,
        "you": capital(told),
        "quote": capital(fact.text.strip(" .")) if found.other else fact.text.strip(),
        "other": capital(found.other.strip(" .")),
        "day": found.day,
    }
    first = "" if _begins(told, found.value) else f"{capital(to_you(found.value))}. "
    alone = told[:1].isupper() or told.startswith("“")
    begins = [frame for frame in frames if not _WITHIN_ONE.search(frame)] if alone else frames
    return [first + _filled(frame, fields) for frame in begins or frames]


def _said_back(text: str) -> str:
    """What somebody told, turned to them; as they said it where it is long, or speaks to whoever heard it."""
    plain = _LEFT_OVER.sub("", text.strip(" .!;,"))
    if len(plain.split()) > MOST_TURNED or _SPEAKS.search(plain):
        return f"“{capital(plain)}”"
    return _WITHIN.sub(lambda found: found.group().upper(), to_you(in_full(text)))


def _begins(told: str, value: str) -> bool:
    """Whether what was told begins with its value, or there is none to say before it."""
    return not value or to_you(told).casefold().startswith(to_you(value).casefold())


_CLAUSES = re.compile(r", (?:and |but |so )?(?=(?:i|i'm|im|i've|my|we|he|she|they)\b)|, ?(?:and|but) ", re.IGNORECASE)


def _clause(text: str, value: str) -> str:
    """The clause of a sentence that holds what was told, where it can stand alone; the sentence where none does."""
    parts = _CLAUSES.split(text)
    held = [one for one in parts if value and value.casefold() in one.casefold()]
    return held[0] if len(parts) > 1 and held and _STANDS.match(held[0]) else text


_STANDS = re.compile(r"(?:i|i'm|im|i've|my|we|he|she|they|it)\b.* \w", re.IGNORECASE)


def of_asked(frames: Sequence[str], asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for, as ``{about}``; none where that cannot be said."""
    if asked is None:
        return []
    return [capital(put(frame, about=asked.text, About=capital(asked.text))) for frame in frames]


def _filled(frame: str, fields: Mapping[str, str]) -> str:
    """The frame with its fields; a sentence in the middle of another loses its capital."""
    you = fields["you"]
    small = you[:1].lower() + you[1:] if you.split(" ", 1)[0].casefold().startswith(_LOWERED) else you
    return capital(put(_INNER.sub(" {small}", frame), **fields, small=small))


def capital(line: str) -> str:
    return line[:1].upper() + line[1:]


__all__ = ["answers", "capital", "from_memory", "of_asked", "own_kind"]
