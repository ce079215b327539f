"""Sentences that take up what was said: answers from what was told, and lines about what was just told or asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from greenroom.adapters.understudy import FoundMemory, is_foreign, to_you
from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.kernel.facts import SELF, Noticed
from greenroom.worlds.bar.outside.voices import Voice
from greenroom.worlds.bar.rules.content import put
from greenroom.worlds.bar.rules.visiting import bare_place


def answers(voice: Voice, found: FoundMemory) -> list[list[str]]:
    """Ways to say it: those of its relation first, where it was said tonight; then those that any fact has."""
    fact = found.fact
    told = to_you(fact.text)
    fields = {
        "value": fact.value,
        "subject": fact.subject,
        "you": capital(told),
        "quote": fact.text.strip(),
        "day": found.day,
    }
    own = "name_of" if fact.relation == "name" and fact.subject != SELF else fact.relation
    groups: list[Sequence[str]] = [voice.answers.get(own, ()) if found.is_meant and own in ("name", "name_of") else ()]
    if is_foreign(fact.text):
        groups.append([f"{{value}}. {one}" if fact.relation != "said" else one for one in voice.answers["foreign"]])
    else:
        groups += [voice.answers["earlier"] if found.day else (), voice.answers["told"]]
    return [[_filled(frame, fields) for frame in frames] for frames in groups if frames]


_INNER = re.compile(r"(?<=[a-z:,]) \{you\}")


def _filled(frame: str, fields: Mapping[str, str]) -> str:
    """The frame with its fields; a sentence in the middle of another loses its capital."""
    you = fields["you"]
    small = (
        you[:1].lower() + you[1:]
        if you.split(" ", 1)[0].casefold().startswith(("you", "my", "the", "he", "she", "it"))
        else you
    )
    return capital(put(_INNER.sub(lambda _: f" {small}", frame), **fields))


def acknowledged(voice: Voice, told: Sequence[Noticed]) -> Iterable[list[str]]:
    """Lines that take up a fact that was just told, the most particular first."""
    for fact in told:
        own = "name_of" if fact.relation == "name" and fact.subject != SELF else fact.relation
        lines = voice.heard.get(own, ())
        if lines:
            value = bare_place(to_you(fact.value)) if own == "going" else to_you(fact.value)
            yield [capital(put(line, value=value, subject=fact.subject)) for line in lines]


def echoed(lines: Sequence[str], told: str) -> list[str]:
    """Lines that say back what was told; none where there is nothing to say back."""
    return [capital(put(line, told=told, Told=capital(told))) for line in lines] if told else []


def about(lines: Sequence[str], asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for; none where that cannot be said."""
    if asked is None:
        return []
    return [capital(put(line, about=asked.text, About=capital(asked.text))) for line in lines]


def capital(line: str) -> str:
    return line[:1].upper() + line[1:]
