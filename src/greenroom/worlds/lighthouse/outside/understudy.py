"""The keeper with no model behind her: picks her lines from the content by what the visitor says."""

from __future__ import annotations

import re

from greenroom.kernel.asks import AskModel
from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import fingerprint
from greenroom.worlds.lighthouse.rules.content import Bank, Content, Topic
from greenroom.worlds.lighthouse.rules.state import Mood

#: Topics under which the keeper may also drop a hint at the secret she holds.
TELLING = ("marigold", "secret")


def answer(content: Content, ask: AskModel) -> dict[str, str]:
    """A line and a mood that fit the ask's schema; the same ask always gets the same."""
    lines, recent = _lines(content, ask), _section(ask, "recent")
    fresh = [(line, mood) for line, mood in lines if line not in recent]
    line, mood = Chance(fingerprint(ask).hex()).choose(fresh or lines)
    return {"line": line, "mood": mood}


def _lines(content: Content, ask: AskModel) -> list[tuple[str, Mood]]:
    topic = _topic(content, _section(ask, "said"))
    if topic is None:
        return _spread(content.unknown)
    if topic not in TELLING:
        return _spread(content.topics[topic].lines)
    if _section(ask, "shared"):
        return _spread(content.told)
    return _spread(content.topics[topic].lines) + _hints(content, _section(ask, "secret"))


def _spread(bank: Bank) -> list[tuple[str, Mood]]:
    return [(line, mood) for mood, lines in bank.items() for line in lines]


def _hints(content: Content, known: str) -> list[tuple[str, Mood]]:
    held = (secret for secret in content.secrets.values() if secret.given_away_by(known))
    return [(hint, "wry") for secret in held for hint in secret.hints]


def _section(ask: AskModel, name: str) -> str:
    return "\n".join(text for section in ask.sections if section.name == name for text in section.texts)


def _topic(content: Content, said: str) -> str | None:
    """The topic with the most keywords in the visitor's words; of equals, the first in the content."""
    words = re.findall(r"\w+", said.casefold())
    apart, together = frozenset(words), " ".join(("", *words, ""))

    def hits(topic: Topic) -> int:
        return len(topic.one_word & apart) + sum(phrase in together for phrase in topic.phrases)

    best = max(content.topics, key=lambda name: hits(content.topics[name]), default=None)
    return best if best is not None and hits(content.topics[best]) else None
