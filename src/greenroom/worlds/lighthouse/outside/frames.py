"""Which lines of the keeper take up what was told, asked for or remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from greenroom.adapters.understudy import FoundMemory, framing
from greenroom.adapters.understudy.echoing import AskedFor
from greenroom.adapters.understudy.framing import capital, own_kind
from greenroom.kernel.facts import Noticed
from greenroom.worlds.lighthouse.rules.content import Content


def answers(content: Content, found: FoundMemory) -> list[list[str]]:
    """Ways to say it: those of its relation first, where it was said today; then those that any fact has."""
    own = own_kind(found.fact.subject, found.fact.relation)
    return framing.answers(content.answers, found, own=content.answers.get(own, ()))


def acknowledged(content: Content, told: Sequence[Noticed]) -> Iterable[list[str]]:
    """Lines that take up what was told, the most particular first; any of one group is as good."""
    for fact in told:
        frames = content.heard.get(own_kind(fact.subject, fact.relation), ())
        yield [capital(frame.format(value=fact.value, subject=fact.subject)) for frame in frames]


#: What a question about her is, by the form of its clause; most of these have the same answer whatever is asked.
_FORMS = (
    ("asked_rather", re.compile(r"whether I would (?:rather|sooner) |(?:what|which) I (?:would )?prefer")),
    ("asked_would", re.compile(r"(?:\w{1,16} ){1,6}?I (?:would|should|could ever) ")),
    (
        "asked_ever",
        re.compile(r"whether I (?:ever|have(?: ever| also| once)? (?!some|any)\w+(?:ed|en|een|ad|one|et|ost|un|ung)) "),
    ),
    ("asked_can", re.compile(r"whether I (?:can|could|know how) ")),
    ("asked_like", re.compile(r"whether I (?:like|love|enjoy|prefer|mind|care for) ")),
    ("asked_have", re.compile(r"whether I (?:have|own|keep) (?!to\b|some|any)")),
    ("asked_think", re.compile(r"(?:what|how) I (?:think|feel|say) (?:of|about) |what my opinion ")),
    ("asked_when", re.compile(r"(?:when|since when|how long ago|what (?:year|day|month|time)) I ")),
    ("asked_many", re.compile(r"how (?:many|much|often|long|far|big|high|heavy) .{0,80}I ")),
    ("asked_who", re.compile(r"(?:who|whom|whose) .{0,80}(?:I|me|my)\b")),
    ("asked_why", re.compile(r"why I ")),
)


def kind_of(asked: AskedFor) -> str:
    """Which answers take up a question that nothing else answers."""
    if asked.about == "visitor":
        return "not_told_of"
    forms = (kind for kind, form in _FORMS if asked.about == "keeper" and form.match(asked.text))
    return next(forms, f"asked_{asked.about}")


def about(content: Content, kind: str, asked: AskedFor | None) -> list[str]:
    """Lines that name what was asked for; none where that cannot be said."""
    if asked is not None and kind == "not_told_of" and asked.text.startswith(("whether I ", "who I ")):
        return []
    return framing.of_asked(content.answers[kind], asked)


def of_word(content: Content, word: str, *, asked: bool) -> list[str]:
    """Lines that ask back about the one word that was said."""
    frames = content.answers["one_word_asked" if asked else "one_word"]
    return [frame.format(word=word) for frame in frames] if word else []
