# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""What the cast says in German, to somebody who speaks it to them: by words, without memory."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from pydantic import model_validator

from greenroom.worlds.bar.rules.content import Lines, Part
from greenroom.worlds.bar.rules.state import AGENTS, Agent

#: What anybody needs: what is true, and what is said where no topic fits.
NEEDED: Final = ("real", "told", "unknown")
#: Letters of a word that must be there whole.
SHORT: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+")
#: Words of English and of the languages nearest to German, which have some of its small words.
_OTHER: Final = frozenset(
    "the and you your is are what how do did to of in it this my me have has for i "
    "jeg ikke hva hvor hvem og på det har er jag inte och är het een niet ik van voor".split()
)
#: Whoever hears it; whoever says it, where something told is asked for; and what asks.
_TO_YOU: Final = re.compile(
    r"\b(?:du|dich|dir|dein\w*|ihr|euch|euer|eure|sie|ihnen|bist|seid|hast|habt)\b|\w{3,}st\b", re.IGNORECASE
)
_OF_ME: Final = re.compile(
    r"^(?:(?:und|ok|so|na) )*(?:wie|was|wo|wer|wann|woher|wohin|welche\w*|warum|weißt du)\b.*\b(?:ich|mein\w*|mir|mich)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\?|^(?:(?:und|ok|so|na|aber) )*(?:wie|was|wo|wer|wen|wem|wann|warum|wieso|woher|wohin|welche\w*|kann|kannst|könnt|könntest|hast|habt|"
    r"bist|seid|ist|gibt|gibts|magst|weißt|darf|soll)\b",
    re.IGNORECASE,
)  # fmt: skip


class GermanTopic(Part):
    """What somebody speaks of, by beginnings of words."""

    words: tuple[str, ...]
    #: Whether it is asked of whoever answers.
    about: bool = False


class German(Part):
    words: str
    topics: dict[str, GermanTopic]
    voices: dict[Agent, dict[str, Lines]]

    @model_validator(mode="after")
    def _everybody_answers(self) -> German:
        for agent in AGENTS:
            if missing := [name for name in NEEDED if name not in self.voices.get(agent, {})]:
                raise ValueError(f"{agent} lacks {missing[0]!r} in German")
        known = {*self.topics, *NEEDED}
        if unknown := sorted({name for voice in self.voices.values() for name in voice} - known):
            raise ValueError(f"there are German lines for {unknown[0]!r}, which is no topic")
        return self

    @cached_property
    def _small(self) -> frozenset[str]:
        return frozenset(self.words.split())

    def is_spoken(self, said: str) -> bool:
        """Whether a message is German: small words of it, or of nothing else the words of a topic, and no other's."""
        words = [word.lower() for word in _WORD.findall(said)]
        own, other = sum(word in self._small for word in words), sum(word in _OTHER for word in words)
        return own > other and own * 5 >= len(words)

    def asks_of_told(self, said: str) -> bool:
        """Whether somebody asks for something of their own: *wie heiße ich*."""
        return _OF_ME.search(said) is not None

    def lines(self, agent: Agent, said: str) -> list[Lines]:
        """Groups of lines to a message, the most fitting first."""
        voice = self.voices[agent]
        topic = self._topic(said)
        found = [voice[topic]] if topic in voice else []
        return [*found, voice["unknown" if _ASKS.search(said) else "told"]]

    def _topic(self, said: str) -> str:
        text = f" {' '.join(_WORD.findall(said.lower()))} "
        to_you, asked = _TO_YOU.search(said) is not None, _ASKS.search(said) is not None
        hits = {
            name: sum(len(word.split()) for word in topic.words if f" {word}{' ' * (len(word) <= SHORT)}" in text)
            for name, topic in self.topics.items()
            if to_you or not topic.about or (name == "real" and asked)
        }
        best = max(hits, key=lambda name: hits[name])
        return best if hits[best] else ""
