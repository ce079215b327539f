"""Sentences that take up what was said: frames with a place for what was told, asked for, or remembered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.adapters.understudy.persons import to_you
from greenroom.adapters.understudy.remembering import FoundMemory

_INNER = re.compile(r"(?<=[a-z:,…]) \{you\}")
_LOWERED = ("you", "my", "the", "he", "she", "it")


def from_memory(frames: Sequence[str], found: FoundMemory) -> list[str]:
    """Ways to say what somebody told: ``{value}`` is the fact alone, ``{you}`` the sentence turned to them."""
    told = to_you(found.fact.text)
    return [_filled(frame, {"value": found.fact.value, "you": _capital(told)}) for frame in frames]


def of_asked(frames: Sequence[str], asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for, as ``{about}``; none where that cannot be said."""
    if asked is None:
        return []
    return [_capital(frame.format(about=asked.text, About=_capital(asked.text))) for frame in frames]


def echoed(frames: Sequence[str], told: str) -> list[str]:
    """Lines that say back what was told, as ``{told}``; none where there is nothing to say back."""
    return [_capital(frame.format(told=told, Told=_capital(told))) for frame in frames] if told else []


def _filled(frame: str, fields: Mapping[str, str]) -> str:
    """The frame with its fields; a sentence in the middle of another loses its capital."""
    you = fields["you"]
    small = you[:1].lower() + you[1:] if you.split(" ", 1)[0].casefold().startswith(_LOWERED) else you
    return _capital(_INNER.sub(lambda _: f" {small}", frame).format(**fields))


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]


__all__ = ["echoed", "from_memory", "of_asked"]
