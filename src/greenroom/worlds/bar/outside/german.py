# ruff: noqa: E501, SIM905  a form of a sentence, or a list of words, is one line
"""What the cast says in German, to somebody who speaks it to them: by words, of the house, of themselves, and of what was told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Final

from pydantic import Field, model_validator

from greenroom.adapters.facts.sentences import sentences
from greenroom.text.frames import put
from greenroom.worlds.bar.outside.voices import Woven, weave
from greenroom.worlds.bar.rules.content import Lines, Part
from greenroom.worlds.bar.rules.state import AGENTS, Agent

#: What anybody must say truly.
NEEDED: Final = ("real", "present")
#: Letters of a word that must be there whole, and of its beginning by which it is found again.
SHORT, STEM = 3, 5
#: Words of a brief message.
FEW: Final = 4
#: Letters of a noun that is worth saying back.
NOUN: Final = 4
_WORD: Final = re.compile(r"[^\W\d_]+")
#: Words of English and of the languages nearest to German, which have some of its small words.
_OTHER: Final = frozenset(
    "the and you your is are what how do did to of in it this my me have has for i "
    "jeg ikke hva hvor hvem og på det har er jag inte och är het een niet ik van voor".split()
)
_WH = r"(?:wie|was|wo|wer|wen|wem|wann|warum|wieso|woher|wohin|welche\w*|wie ?viele?)"
_LEADS = r"^(?:(?:und|ok|so|na|aber|ach|also|sag|sagen sie|mal),? )*"
#: Whoever hears it; what is one's own; what is asked to be remembered; what is wished or asked to be advised.
_TO_YOU: Final = re.compile(
    r"\b(?:du|dich|dir|dein\w*|ihr|euch|euer|eure|sie|ihnen|bist|seid|hast|habt)\b|\w{3,}st\b", re.IGNORECASE
)
_MINE: Final = re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|uns|unser\w*)\b", re.IGNORECASE)
_KEPT: Final = re.compile(r"\b(?:weißt|wissen|erinner\w*|gemerkt|vergessen|gesagt|erzählt|erwähnt)\b", re.IGNORECASE)
_WISHED: Final = re.compile(
    r"\b(?:soll|sollen|darf|dürfen|kann|können|könnte\w*|hätte|hätten|muss|müssen|würde\w*) (?:ich|wir)\b|\bfrag ich\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    rf"\?|\bwie (?:heißt|hieß)\b|{_LEADS}(?:{_WH}|kann|kannst|könnt|könntest|hast|habt|haben|bist|seid|ist|gibt|gibts|magst|weißt|wissen|darf|soll)\b",
    re.IGNORECASE,
)
_ASKS_WHAT: Final = re.compile(rf"\b{_WH}\b", re.IGNORECASE)


class GermanTopic(Part):
    """What somebody speaks of, by beginnings of words."""

    words: tuple[str, ...]
    #: Whether it is asked of whoever answers.
    about: bool = False
    #: Whether it is spoken of by asking alone.
    asked: bool = False
    #: Whether it is a message of few words.
    brief: bool = False


class GermanSense(Part):
    """What is asked for in other words than it was told in, both by beginnings of words."""

    asked: tuple[str, ...]
    told: tuple[str, ...]
    #: Whether it counts only where a word is shared as well.
    beside: bool = False


class GermanVoice(Part):
    """All that one of the cast says in German; ``{word}`` is a noun of the guest's, ``{quote}`` what they told."""

    topics: dict[str, Lines]
    #: To what was told, and to what was asked, where no topic fits: one line of each list.
    told: Woven
    taken: Lines
    unknown: Woven
    unknown_of: Lines
    recalled: Annotated[tuple[str, ...], Field(min_length=2)]
    not_told: Annotated[tuple[str, ...], Field(min_length=2)]


class German(Part):
    words: str
    topics: dict[str, GermanTopic]
    senses: dict[str, GermanSense]
    voices: dict[Agent, GermanVoice]

    @model_validator(mode="after")
    def _everybody_answers(self) -> German:
        for agent in AGENTS:
            if missing := [
                name for name in NEEDED if agent not in self.voices or name not in self.voices[agent].topics
            ]:
                raise ValueError(f"{agent} lacks {missing[0]!r} in German")
        if unknown := sorted({name for voice in self.voices.values() for name in voice.topics} - {*self.topics}):
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

    def lines(self, agent: Agent, said: str, told: Sequence[str] = (), *, called: bool = False) -> list[list[str]]:
        """Groups of lines to a message, the most fitting first; ``called`` if it calls for whoever answers."""
        voice, topic, asked = self.voices[agent], self._topic(said), _ASKS.search(said) is not None
        fitting = list(voice.topics.get(topic, ()))
        found = self._recalled(said, told) if asked else ""
        recalled = [put(one, quote=found.strip(" .")) for one in voice.recalled] if found else []
        if topic != "real" and self.asks_of_told(said):
            return [recalled or list(voice.not_told), weave(voice.unknown)]
        if called and not fitting:
            fitting = list(voice.topics["present"])
        word = self._noun(said)
        named = [put(one, word=word) for one in (voice.unknown_of if asked else voice.taken)] if word else []
        if not fitting and recalled and _ASKS_WHAT.search(said):
            named = recalled
        return [fitting, named, weave(voice.unknown if asked else voice.told)]

    def asks_of_told(self, said: str) -> bool:
        """Whether somebody asks for something of their own, or that was said: *wie heiße ich*."""
        asked = " ".join(one for one in sentences(said) if _ASKS.search(one))
        of_own = _MINE.search(asked) is not None and not _WISHED.search(asked)
        return of_own and (_KEPT.search(asked) is not None or _ASKS_WHAT.search(asked) is not None)

    def _recalled(self, said: str, told: Iterable[str]) -> str:
        """What was told and shares the rarest words with a question, or its sense; of equals, what stands first."""
        lines = [one for one in told if not _ASKS.search(one)]
        own = self._telling(said)
        senses = [one for one in self.senses.values() if _begins(said, one.asked)]
        has = [{word for word in own if _has(word, self._telling(one))} for one in lines]
        scored = [
            sum(1 / sum(word in other for other in has) for word in words)
            + sum(_begins(line, sense.told) > 0 for sense in senses if words or not sense.beside) / 2
            for line, words in zip(lines, has, strict=True)
        ]
        best = max(range(len(lines)), key=lambda i: scored[i], default=0)
        return lines[best] if lines and scored[best] else ""

    def _telling(self, text: str) -> frozenset[str]:
        words = (word.lower() for word in _WORD.findall(text))
        return frozenset(word for word in words if len(word) > SHORT and word not in self._small)

    def _noun(self, said: str) -> str:
        """The longest noun of a message: German writes them large wherever they stand."""
        inner = (word for one in sentences(said) for word in _WORD.findall(one)[1:])
        nouns = [word for word in inner if word[:1].isupper() and len(word) >= NOUN and word.lower() not in self._small]
        return max(nouns, key=len, default="")

    def _topic(self, said: str) -> str:
        """The topic with the most words of a message; what is asked of whoever answers needs somebody spoken to."""
        to_you, asked = _TO_YOU.search(said) is not None, _ASKS.search(said) is not None
        hits: Mapping[str, int] = {
            name: _begins(said, topic.words)
            for name, topic in self.topics.items()
            if not (topic.brief and len(said.split()) > FEW)
            and (not topic.about or (to_you and asked) or (name == "real" and asked))
            and (asked or not topic.asked)
        }
        best = max(hits, key=lambda name: hits[name])
        return best if hits[best] else ""


def _begins(said: str, words: Iterable[str]) -> int:
    """How many words of a message are such, or begin so; short ones are there whole."""
    text = f" {' '.join(_WORD.findall(said.lower()))} "
    return sum(len(word.split()) for word in words if f" {word}{' ' * (len(word) <= SHORT)}" in text)


def _has(word: str, words: Iterable[str]) -> bool:
    """Whether a word is among others, in another form or at the end of one: *Boot* in *Segelboot*."""
    return any(other.startswith(word[:STEM]) or other.endswith(word) for other in words)
