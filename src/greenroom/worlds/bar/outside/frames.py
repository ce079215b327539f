"""Which lines of a voice take up what was told, asked for or remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from greenroom.adapters.understudy import FoundMemory, framing, to_you
from greenroom.adapters.understudy.framing import capital, own_kind
from greenroom.kernel.facts import Noticed
from greenroom.text.frames import put
from greenroom.text.typed import written_out
from greenroom.worlds.bar.outside.voices import Voice
from greenroom.worlds.bar.rules.visiting import bare_place

#: Somewhere one can be off to, rather than something one is off to do.
_PLACE = re.compile(r"\b[A-Z]|\b(?:the|my|our|an?|home|sea)\b")


def answers(voice: Voice, found: FoundMemory) -> list[list[str]]:
    """Ways to say it: those of its relation first, where it was said tonight; then those that any fact has."""
    fact = msgspec.structs.replace(found.fact, text=written_out(found.fact.text))
    own, found = own_kind(fact.subject, fact.relation), replace(found, fact=fact)
    return framing.answers(voice.answers, found, own=voice.answers.get(own, ()) if own in ("name", "name_of") else ())


def acknowledged(voice: Voice, told: Sequence[Noticed]) -> Iterable[list[str]]:
    """Lines that take up a fact that was just told, the most particular first."""
    for fact in told:
        own = own_kind(fact.subject, fact.relation)
        lines = voice.heard.get(own, ())
        if lines and not (own == "going" and not _PLACE.search(fact.value)):
            value = bare_place(to_you(fact.value)) if own == "going" else to_you(fact.value)
            yield [capital(put(line, value=value, subject=fact.subject)) for line in lines]
