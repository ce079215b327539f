"""The form of this world's content file; the texts themselves are in ``content/lighthouse.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from greenroom.kernel.errors import Malformed
from greenroom.worlds.lighthouse.rules.state import Lamp, Mood

T = TypeVar("T")

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
Lines = Annotated[tuple[Prose, ...], Field(min_length=1)]
Bank = Annotated[dict[Mood, Lines], Field(min_length=1)]
Texts = Annotated[dict[str, Prose], Field(min_length=1)]
Hour = Annotated[int, Field(ge=0, le=23)]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Keeper(Part):
    name: Prose
    persona: Prose


class Hours(Part):
    """The hours of the rock, in UTC."""

    dusk: Hour
    dawn: Hour
    mail: Hour
    #: Hours of silence after which the keeper goes to bed.
    quiet: Annotated[int, Field(ge=1, le=24)]

    @model_validator(mode="after")
    def _night_has_a_length(self) -> Hours:
        if self.dusk == self.dawn:
            raise ValueError("dusk and dawn are the same hour; one of them must move")
        return self

    def lamp(self, at: datetime) -> Lamp:
        """How the lamp should be at this moment."""
        return "lit" if (at.hour - self.dusk) % 24 < (self.dawn - self.dusk) % 24 else "out"

    def lamp_change(self, after: datetime, lamp: Lamp) -> datetime:
        """When a lamp that has been like this since ``after`` is next to be changed."""
        return upcoming(self.dawn if lamp == "lit" else self.dusk, after)

    def mail_boat(self, after: datetime) -> datetime:
        return upcoming(self.mail, after)


class Trust(Part):
    start: Annotated[int, Field(ge=0)]
    most: Annotated[int, Field(ge=1)]
    tells_at: Annotated[int, Field(ge=1)]
    moved_by: dict[Mood, int]

    @model_validator(mode="after")
    def _can_be_won(self) -> Trust:
        if not self.start < self.tells_at <= self.most:
            raise ValueError("trust must begin below tells_at, and tells_at be within reach of most")
        return self

    def moved(self, trust: int, mood: Mood) -> int:
        """Trust after a line said in this mood, never outside its bounds."""
        return min(self.most, max(0, trust + self.moved_by.get(mood, 0)))


class Secret(Part):
    #: The few words that give it away; they stand in the truth and in no hint.
    phrase: Prose
    truth: Prose
    hints: Lines

    @model_validator(mode="after")
    def _only_the_truth_gives_it_away(self) -> Secret:
        if not self.given_away_by(self.truth):
            raise ValueError("the truth must contain the phrase, word for word")
        if any(map(self.given_away_by, self.hints)):
            raise ValueError("a hint contains the phrase and gives the secret away")
        return self

    def given_away_by(self, text: str) -> bool:
        return self.phrase.casefold() in " ".join(text.casefold().split())


class Topic(Part):
    keywords: Lines
    lines: Bank

    @cached_property
    def one_word(self) -> frozenset[str]:
        return frozenset(keyword.casefold() for keyword in self.keywords if " " not in keyword)

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """Keywords of several words, with the spaces that stand around them."""
        return tuple(f" {keyword.casefold()} " for keyword in self.keywords if " " in keyword)


class Content(Part):
    keeper: Keeper
    hours: Hours
    trust: Trust
    letter_subject: Prose
    weather: Texts
    sights: Texts
    hindrances: Texts
    secrets: Annotated[dict[str, Secret], Field(min_length=1)]
    topics: dict[str, Topic]
    told: Bank
    unknown: Bank
    fallbacks: Lines
    goodnights: Lines


def upcoming(hour: int, after: datetime) -> datetime:
    """The first moment after ``after`` at which this hour strikes."""
    today = after.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today > after else today + timedelta(days=1)


def named(texts: Mapping[str, T], key: str) -> T:
    """What the content has under a key that a running visit holds.

    Raises:
        Malformed: the key is gone from the content.
    """
    try:
        return texts[key]
    except KeyError:
        raise Malformed(f"the content lost {key!r}, which a running visit holds; put it back") from None
