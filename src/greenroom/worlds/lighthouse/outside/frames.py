"""Which lines of the keeper take up what was told, asked for or remembered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from greenroom.adapters.facts.patterns import is_somebody
from greenroom.adapters.understudy import FoundMemory, framing
from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.adapters.understudy.feeling import Feeling
from greenroom.adapters.understudy.framing import capital, own_kind
from greenroom.kernel.facts import Noticed
from greenroom.worlds.lighthouse.rules.content import Content


def answers(content: Content, found: FoundMemory) -> list[list[str]]:
    """Ways to say it: those of its relation first, where it was said today; then those that any fact has."""
    own = own_kind(found.fact.subject, found.fact.relation)
    return framing.answers(content.answers, found, own=content.answers.get(own, ()))


def acknowledged(content: Content, told: Sequence[Noticed], echo: str, feeling: Feeling) -> Iterable[list[str]]:
    """Lines that take up what was told, the most particular first; any of one group is as good."""
    for fact in told:
        own = own_kind(fact.subject, fact.relation)
        if own == "told" or (own == "does" and echo and (feeling != "plain" or not is_somebody(fact.subject))):
            continue
        yield [capital(frame.format(value=fact.value, subject=fact.subject)) for frame in content.heard.get(own, ())]
    yield echoed(content, echo, feeling)
    yield list(content.heard["told"])


def echoed(content: Content, echo: str, feeling: Feeling) -> list[str]:
    """Lines that say back what was told, as good news, bad news or neither; none where there is nothing to say back."""
    return framing.echoed(content.heard[f"echo_{feeling}"], echo)


def about(content: Content, kind: str, asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for; none where that cannot be said."""
    if asked is not None and kind == "not_told_of" and asked.text.startswith(("whether I ", "who I ")):
        return []
    return framing.of_asked(content.answers[kind], asked)


def of_word(content: Content, word: str, *, asked: bool) -> list[str]:
    """Lines that ask back about the one word that was said."""
    frames = content.answers["one_word_asked" if asked else "one_word"]
    return [frame.format(word=word) for frame in frames] if word else []
