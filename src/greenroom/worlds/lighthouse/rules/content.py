"""The form of this world's content file; the texts themselves are in ``content/lighthouse.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from greenroom.kernel.errors import Malformed
from greenroom.text.stems import telling
from greenroom.worlds.lighthouse.rules.state import Lamp, Mood

T = TypeVar("T")

#: Telling words that a line may share with a secret's truth before its meaning is looked at.
SUSPECT = 4
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
#: A number as people write it.
NUMBER = (
    rf"\d[\d,]*|(?:(?:{_ONES}|a) )?hundred(?: and (?:(?:{_TENS})(?:-(?:{_ONES}))?|{_ONES}|ten|eleven|twelve))?|"
    rf"(?:{_TENS})(?:-(?:{_ONES}))?|{_ONES}|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
)

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

    def may_be_given_away_by(self, text: str) -> bool:
        """Whether a line shares so many telling words with the truth that its meaning has to be looked at."""
        return len(self._telling.intersection(telling(text))) >= SUSPECT

    @cached_property
    def _telling(self) -> frozenset[str]:
        return frozenset(telling(self.truth))


def _number(text: str) -> str:
    return text.casefold().removeprefix("a ").replace(" ", "-").replace(",", "")


class Figure(Part):
    """A number that a line must get right where it speaks of the thing."""

    before: Lines
    numbers: Lines

    def wrong_in(self, text: str) -> str | None:
        """The wrong number that stands before one of the words; None if there is none."""
        if self._thing.search(text) is None:  # most lines speak of something else
            return None
        for match in self._form.finditer(text):
            if _number(match["number"]) not in map(_number, self.numbers):
                return match.group()
        return None

    @cached_property
    def _thing(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self.before)), re.IGNORECASE)

    @cached_property
    def _form(self) -> re.Pattern[str]:
        words = "|".join(map(re.escape, self.before))
        return re.compile(rf"(?P<number>{NUMBER})\s+(?:{words})\b", re.IGNORECASE)


class Known(Part):
    """Something the keeper knows to be true, for whoever speaks for her."""

    text: Prose
    #: It is known to her prompt only from this trust on.
    trust: Annotated[int, Field(ge=0)] = 0
    figure: Figure | None = None


class Topic(Part):
    """What a visitor may speak of, by examples and keywords, and the keeper's lines for it."""

    keywords: tuple[Prose, ...] = ()
    examples: tuple[Prose, ...] = ()
    #: A kind of thing that anybody may say to anybody; its examples are every character's.
    kind: str | None = None
    #: What of the canon a model needs to answer the same.
    canon: tuple[str, ...] = ()
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
    canon: Annotated[dict[str, Known], Field(min_length=1)]
    moods: dict[Mood, Prose]
    voice: Lines
    answers: Annotated[dict[str, Lines], Field(min_length=1)]
    heard: Annotated[dict[str, Lines], Field(min_length=1)]
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

    @model_validator(mode="after")
    def _whoever_is_asked_knows(self) -> Content:
        """A question that the understudy can answer is one that a model must be able to answer too."""
        for name, topic in self.topics.items():
            if missing := sorted(set(topic.canon) - set(self.canon)):
                raise ValueError(f"topic {name} needs {missing[0]!r} of the canon, which is not there; write it")
            if not (topic.examples or topic.keywords or topic.kind):
                raise ValueError(
                    f"topic {name} has neither examples nor keywords nor a kind; nobody would ever get to it"
                )
        for name in ("told", "not_told", "earlier"):
            if name not in self.answers:
                raise ValueError(f"answers lack {name!r}, which any of them may need")
        if "told" not in self.heard:
            raise ValueError("heard lacks 'told', which any of them may need")
        return self

    @model_validator(mode="after")
    def _no_line_is_against_the_canon(self) -> Content:
        for name, topic in self.topics.items():
            for line in (line for lines in topic.lines.values() for line in lines):
                if wrong := self.against_canon(line):
                    raise ValueError(f"topic {name} has a line against the canon: {wrong}")
        return self

    def against_canon(self, line: str) -> str | None:
        """What a line gets wrong of what is known; None if nothing."""
        for known in self.canon.values():
            if known.figure is not None and (wrong := known.figure.wrong_in(line)) is not None:
                return f"“{wrong}” is not so; what is known: {known.text}"
        return None

    @model_validator(mode="after")
    def _the_canon_keeps_the_secrets(self) -> Content:
        for name, known in self.canon.items():
            if any(secret.given_away_by(known.text) for secret in self.secrets.values()):
                raise ValueError(f"canon {name} gives a secret away; it stands in every prompt")
        return self


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
