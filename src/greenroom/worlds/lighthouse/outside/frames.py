"""Sentences that take up what was said: answers from what was told, and lines about what was just told or asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from greenroom.adapters.facts.patterns import is_somebody
from greenroom.adapters.understudy import FoundMemory, is_foreign, to_you
from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.adapters.understudy.feeling import Feeling
from greenroom.kernel.facts import SELF, Noticed
from greenroom.worlds.lighthouse.rules.content import Content


def answers(content: Content, found: FoundMemory) -> list[list[str]]:
    """Ways to say it: those of its relation first, where it was said today; then those that any fact has."""
    fact = found.fact
    foreign = is_foreign(fact.text)
    told = to_you(fact.text)
    fields = {
        "value": fact.value,
        "subject": fact.subject,
        "you": told[:1].upper() + told[1:],
        "quote": fact.text.strip(),
        "day": found.day,
    }
    own = "name_of" if fact.relation == "name" and fact.subject != SELF else fact.relation
    groups: list[Sequence[str]] = [content.answers.get(own, ()) if found.is_meant else ()]
    if foreign:
        groups.append([f"{{value}}. {one}" if fact.relation != "said" else one for one in content.answers["foreign"]])
    else:
        groups += [content.answers["earlier"] if found.day else (), content.answers["told"]]
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
    frame = _INNER.sub(lambda _: f" {small}", frame)
    line = frame.format(**fields)
    return line[:1].upper() + line[1:]


def acknowledged(content: Content, told: Sequence[Noticed], echo: str, feeling: Feeling) -> Iterable[list[str]]:
    """Lines that take up what was told, the most particular first; any of one group is as good."""
    for fact in told:
        own = "name_of" if fact.relation == "name" and fact.subject != SELF else fact.relation
        if own == "told" or (own == "does" and echo and (feeling != "plain" or not is_somebody(fact.subject))):
            continue
        yield [_capital(frame.format(value=fact.value, subject=fact.subject)) for frame in content.heard.get(own, ())]
    yield echoed(content, echo, feeling)
    yield list(content.heard["told"])


def echoed(content: Content, echo: str, feeling: Feeling) -> list[str]:
    """Lines that say back what was told, as good news, bad news or neither; none where there is nothing to say back."""
    frames = content.heard[f"echo_{feeling}"] if echo else ()
    return [_capital(frame.format(told=echo, Told=_capital(echo))) for frame in frames]


def about(content: Content, kind: str, asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for; none where that cannot be said."""
    if asked is None or (kind == "not_told_of" and asked.text.startswith(("whether I ", "who I "))):
        return []
    return [_capital(frame.format(about=asked.text, About=_capital(asked.text))) for frame in content.answers[kind]]


def of_word(content: Content, word: str, *, asked: bool) -> list[str]:
    """Lines that ask back about the one word that was said."""
    frames = content.answers["one_word_asked" if asked else "one_word"]
    return [frame.format(word=word) for frame in frames] if word else []


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]
