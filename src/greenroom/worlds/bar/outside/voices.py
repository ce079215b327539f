"""The form of what the cast says with no model behind it: topics by examples, and each one's own lines for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Annotated, Final, get_args

from pydantic import Field, model_validator

from greenroom.adapters.understudy import EXAMPLES, reacting
from greenroom.adapters.understudy.acting import Act
from greenroom.worlds.bar.rules.content import Lines, Part
from greenroom.worlds.bar.rules.state import AGENTS, Agent

#: One line of each list makes a reply.
Woven = Annotated[tuple[Lines, ...], Field(min_length=1)]
#: Answers that anybody may need.
NEEDED: Final = ("told", "earlier", "either", "not_told", "not_told_of", "not_kept", "name", "name_of", "foreign")


class Topic(Part):
    """What guests speak of, by what they say."""

    examples: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    #: A kind of thing that anybody may say to anybody; its examples are every character's.
    kind: str | None = None
    #: Who is better at it, where nobody is asked for.
    agent: Agent | None = None
    #: Whether it is asked of whoever answers.
    about: bool = False

    @cached_property
    def all_examples(self) -> tuple[str, ...]:
        return (*self.examples, *EXAMPLES.get(self.kind or "", ()))


class Topics(Part):
    topics: dict[str, Topic]


class Voice(Part):
    """All that one of the cast says."""

    answers: dict[str, Lines]
    asked: Woven
    #: What is asked of themself, and stands nowhere.
    asked_me: Lines
    #: What they say to what somebody does by saying something, by act or subject and by tone.
    reactions: dict[str, dict[str, Lines]]
    word: Woven
    #: What is told and cannot be said back.
    told: Woven
    lost: Woven
    heard: dict[str, Lines] = Field(default_factory=dict)
    topics: dict[str, Lines]
    #: JB's: what there is to say about one word.
    words: dict[str, Lines] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _answers_what_anybody_asks(self) -> Voice:
        if missing := [name for name in NEEDED if name not in self.answers]:
            raise ValueError(f"answers lack {missing[0]!r}, which any of them may need")
        return self

    def lines(self) -> Iterator[str]:
        """Every line, with its fields, woven ones whole."""
        for group in (self.answers, self.heard, self.topics, self.words):
            yield from (line for lines in group.values() for line in lines)
        yield from self.asked_me
        yield from (line for cell in self.reactions.values() for lines in cell.values() for line in lines)
        for woven in (self.asked, self.word, self.told, self.lost):
            yield from weave(woven)


class Voices(Part):
    voices: dict[Agent, Voice]

    @model_validator(mode="after")
    def _everybody_speaks(self) -> Voices:
        if missing := [agent for agent in AGENTS if agent not in self.voices]:
            raise ValueError(f"nobody speaks for {', '.join(missing)}")
        return self


def checked(voices: Voices, topics: Topics) -> tuple[Voices, Topics]:
    """Both, if they fit each other.

    Raises:
        ValueError: somebody has lines for a topic that is not there, or for what is no act.
    """
    for agent, voice in voices.voices.items():
        if unknown := sorted(set(voice.topics) - set(topics.topics)):
            raise ValueError(f"{agent} has lines for {unknown[0]!r}, which is no topic")
        reacting.checked(voice.reactions, get_args(Act))  # what has no bank is answered with what any act is
    return voices, topics


def weave(parts: Sequence[Sequence[str]]) -> list[str]:
    """One line of each list in every way there is; what follows a whole sentence begins one."""
    return [" ".join(chosen) for chosen in product(*parts)]


def examples_of(topics: Topics, voice: Voice) -> Mapping[str, tuple[str, ...]]:
    """The examples of what one of the cast has lines for."""
    return {name: topic.all_examples for name, topic in topics.topics.items() if name in voice.topics}
