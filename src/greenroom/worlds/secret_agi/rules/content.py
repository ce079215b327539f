"""The form of what players say and of what tells what people ask them; both are in ``content/``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import exp, log
from typing import Annotated, NamedTuple, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field

from greenroom.worlds.secret_agi.rules.claims import Topic

#: Texts without any word, which only an encoder finds alike at all, though now and then one of them not.
WORDLESS = ("(?)", ";-)")

Sayings: TypeAlias = Annotated[tuple[str, ...], Field(min_length=1)]
SayingsByName: TypeAlias = dict[str, Sayings]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sense(NamedTuple):
    """What a message may be after: a topic, and which rule if it is about one."""

    topic: Topic
    rule: str = ""


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


class Weights(Part):
    """In hundredths: what each sense has from the outset, and from each run of words or topic that patterns find."""

    always: tuple[int, ...] = ()
    #: Of each what speaks for which sense, as pairs of an index and a weight.
    runs: dict[str, tuple[int, ...]] = {}


class Senses(Part):
    """What a message may be after, and a table learned from labelled messages that tells which (``tools.talk``)."""

    #: Topics, and rules as *rules:name*.
    senses: tuple[str, ...] = ()
    #: What messages are compared with, and what likeness to each says of each sense.
    likened: tuple[str, ...] = ()
    likeness: tuple[tuple[int, ...], ...] = ()
    #: Beside likeness, and where there is no encoder to tell it.
    alike: Weights = Weights()
    alone: Weights = Weights()

    @cached_property
    def known(self) -> tuple[Sense, ...]:
        apart = (name.partition(":") for name in self.senses)
        return tuple(Sense(cast(Topic, topic), rule) for topic, _, rule in apart)

    @cached_property
    def compared(self) -> tuple[str, ...]:
        """All that is compared, and at the end what tells whether there is an encoder."""
        return (*self.likened, *WORDLESS)

    def weighed(self, found: Iterable[str], likes: Sequence[float]) -> dict[Sense, float]:
        """How likely each sense is, as a logarithm; by its words alone where there is no encoder."""
        encoder = any(likes[-len(WORDLESS) :])
        weights = self.alike if encoder else self.alone
        total = [float(one) for one in weights.always]
        for pairs in filter(None, map(weights.runs.get, found)):
            for i, weight in zip(pairs[::2], pairs[1::2], strict=True):
                total[i] += weight
        for like, row in zip(likes if encoder else (), self.likeness, strict=False):
            total = [one + like * weight for one, weight in zip(total, row, strict=True)]
        high = max(total)
        whole = high / 100 + log(sum(exp((one - high) / 100) for one in total))
        return {sense: one / 100 - whole for sense, one in zip(self.known, total, strict=True)}


class Content(Part):
    voices: Voices = Voices()
    senses: Senses = Senses()


#: For tables at which nobody talks.
SILENT = Content()
