"""The form of what players say and of what people ask them; the texts themselves are in ``content/``."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from greenroom.worlds.secret_agi.rules.claims import Topic
from greenroom.worlds.secret_agi.rules.forms import compared

#: Texts without any word, which only an encoder finds alike at all, though now and then one of them not.
WORDLESS = ("(?)", ";-)")

Sayings: TypeAlias = Annotated[tuple[str, ...], Field(min_length=1)]
SayingsByName: TypeAlias = dict[str, Sayings]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Voices(Part):
    """How players without a model say things."""

    #: Each manner, and how it says each kind of claim.
    manners: dict[str, SayingsByName] = {}
    #: Reasons, by what speaks for them.
    against: SayingsByName = {}
    in_favour: SayingsByName = {}
    in_defence: SayingsByName = {}
    #: Questions and answers, by their topic.
    questions: SayingsByName = {}
    answers: SayingsByName = {}
    table: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    #: What players say who mean nothing by it, and those who go by rules of thumb.
    small_talk: tuple[str, ...] = ()
    remarks: SayingsByName = {}
    #: The rules, by name.
    rules: dict[str, str] = {}


class Sense(NamedTuple):
    """What a message may be after: a topic, which rule if it is about one, and whether it can be about somebody."""

    topic: Topic
    rule: str = ""
    of_somebody: bool = True


class Examples(Part):
    """What people ask, by topic and by rule."""

    topics: dict[Topic, Sayings] = {}
    rules: SayingsByName = {}

    @cached_property
    def known(self) -> dict[Sense, tuple[str, ...]]:
        """The examples of each sense, in the words that texts are compared in."""
        found = {Sense(topic): tuple(map(compared, texts)) for topic, texts in self.topics.items()}
        for rule, texts in self.rules.items():
            plain = tuple(map(compared, texts))
            found[Sense("rules", rule, any("they" in text.split() for text in plain))] = plain
        return found

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """All of them, and at the end what tells whether there is an encoder."""
        return (*chain.from_iterable(self.known.values()), *WORDLESS)


class Content(Part):
    voices: Voices = Voices()
    examples: Examples = Examples()


#: For tables at which nobody talks.
SILENT = Content()
