"""What the sections of an ask hold, for whoever answers it without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from greenroom.adapters.facts.clauses import telling_clauses
from greenroom.adapters.facts.correcting import mended
from greenroom.adapters.facts.sentences import asks, is_greeting, sentences, to_keep
from greenroom.adapters.understudy.lines import even
from greenroom.adapters.understudy.remembering import KnownLine
from greenroom.adapters.understudy.wanting import wants
from greenroom.kernel.asks import AskModel
from greenroom.kernel.facts import SELF, Noticed, read_line
from greenroom.text.typed import written_out

#: A sentence that is less likely than this to want nothing tells nothing: "a round for everyone".
LEAST = 0.1
_DAY = re.compile(r"\((?P<day>\d+ \w+ \d+): “")
_TODAY = re.compile(r"^It is \w+, (?P<day>\d+ \w+ \d+),")


def texts_of_section(ask: AskModel, name: str) -> tuple[str, ...]:
    return next((section.texts for section in ask.sections if section.name == name), ())


def turns_of(ask: AskModel, name: str) -> tuple[tuple[bool, str], ...]:
    """The conversation, oldest first: whether a turn is the character's own, and its text."""
    talk = next((section for section in ask.sections if section.name == name), None)
    return () if talk is None or not isinstance(talk.own, tuple) else tuple(zip(talk.own, talk.texts, strict=True))


def facts_of(ask: AskModel, *, now: str) -> tuple[KnownLine, ...]:
    """What the section *person* says was told, newest first; ``now`` is the section that says what day it is."""
    today = _TODAY.match(" ".join(texts_of_section(ask, now)))
    found = []
    for text in reversed(texts_of_section(ask, "person")):
        fact, said_on = read_line(text.removeprefix("- ")), _DAY.search(text)
        if fact is not None:
            day = said_on["day"] if said_on else ""
            found.append(KnownLine(fact, "" if today and day == today["day"] else day))
    return tuple(found)


def telling_part(text: str) -> str:
    """A message without the sentences of it that ask."""
    return " ".join(one for one in sentences(text) if not asks(one))


def as_line(text: str) -> Noticed:
    """A line as it stands, as if it were a fact."""
    return Noticed(subject=SELF, relation="said", value=text, text=text)


def told_lines(texts: Sequence[str], day: str = "") -> Iterator[KnownLine]:
    """What messages tell, clause by clause; the messages newest first, each read after the one before it.

    What a later message corrects is told as it was meant.
    """
    apart = [sentences(written_out(to_keep(text) or text)) for text in reversed(texts)]
    right = iter(mended([*chain.from_iterable(apart)]))
    messages = [[*filter(None, islice(right, len(one)))] for one in apart]
    for i in reversed(range(len(messages))):
        before = " ".join(messages[i - 1]) if i else ""
        for one in telling_clauses(messages[i]):
            if is_greeting(one.text) or wants(one.sentence)["nothing"] < LEAST:
                continue
            yield KnownLine(as_line(one.quote), day, is_line=True, message=" ".join(messages[i]), before=before)


def with_around(facts: Sequence[KnownLine], lines: Sequence[KnownLine]) -> tuple[KnownLine, ...]:
    """Facts with the words they were told among, where those are at hand, and then the lines that say more."""
    found = []
    for fact in facts:
        line = next((one for one in lines if fact.fact.text in one.message), None)
        found.append(fact if line is None else replace(fact, message=line.message, before=line.before))
    same = {even(written_out(one.fact.text)) for one in facts}
    return (*found, *(one for one in lines if even(one.fact.text) not in same))


__all__ = ["as_line", "facts_of", "telling_part", "texts_of_section", "told_lines", "turns_of", "with_around"]
