"""The form of this world's content file; the texts themselves are in ``content/lighthouse.yaml``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from greenroom.kernel.errors import Malformed
from greenroom.text.stems import STOP, stem, telling, words
from greenroom.worlds.lighthouse.rules.state import Lamp, Mood

T = TypeVar("T")

#: Telling words that a line may share with a secret's truth before its meaning is looked at.
SUSPECT = 4
#: Items of the canon that stand in a prompt because the words just said come near them.
MOST_NEAR = 6
#: How much of a question that an item answers the words must hold, and how rare the words must be: one of ten items.
NEAR, RARE = 0.5, 0.1
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
#: Names by the words that point to them.
Means = dict[Annotated[str, StringConstraints(pattern="^(he|she|they|it|you two)$")], Prose]
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


def _telling(text: str) -> tuple[str, ...]:
    """The terms of a text that say what it is about, each once and always in one order; none if none does."""
    return tuple(sorted({stem(word) for word in words(text) if word not in STOP}))


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
    #: It stands in a prompt only where the words just said come near it.
    aside: bool = False
    #: It is so only until she has told the secret that she holds.
    until_told: bool = False
    figure: Figure | None = None
    #: Questions that it alone answers, and her answers; and whom a question that follows may mean (see ``Topic``).
    asked: tuple[Prose, ...] = ()
    lines: tuple[Prose, ...] = ()
    means: Means = {}

    @model_validator(mode="after")
    def _what_is_asked_is_answered(self) -> Known:
        if bool(self.asked) != bool(self.lines):
            raise ValueError("what is asked needs lines that answer it, and lines need questions")
        return self


class Topic(Part):
    """What a visitor may speak of, by examples and keywords, and the keeper's lines for it."""

    keywords: tuple[Prose, ...] = ()
    examples: tuple[Prose, ...] = ()
    #: A kind of thing that anybody may say to anybody; its examples are every character's.
    kind: str | None = None
    #: What of the canon a model needs to answer the same.
    canon: tuple[str, ...] = ()
    #: Whom *he*, *she*, *they*, *it* or *you two* mean in a question that follows, as one asks her for them.
    means: Means = {}
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
    #: What she says to what was told and not asked, by act or subject and by tone.
    reactions: Annotated[dict[str, dict[str, Lines]], Field(min_length=1)]
    hours: Hours
    trust: Trust
    letter_subject: Prose
    weather: Texts
    sights: Texts
    hindrances: Texts
    secrets: Annotated[dict[str, Secret], Field(min_length=1)]
    #: What she goes on with when more is asked of what she has just told, by topic and by what is asked.
    more: dict[str, dict[str, Lines]] = Field(default_factory=dict)
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
        if unknown := sorted(set(self.more) - set(self.topics)):
            raise ValueError(f"there is more to {unknown[0]!r}, which is no topic")
        for name in ("told", "not_told", "earlier", "either"):
            if name not in self.answers:
                raise ValueError(f"answers lack {name!r}, which any of them may need")
        return self

    @cached_property
    def subjects(self) -> Mapping[str, Topic]:
        """All that a visitor may speak of: the topics, and items of the canon that are asked for by themselves."""
        alone = {
            name: Topic(examples=known.asked, canon=(name,), lines={"plain": known.lines}, means=known.means)
            for name, known in self.canon.items()
            if known.asked
        }
        return {**self.topics, **alone}

    @cached_property
    def spoken_of(self) -> Mapping[str, Means]:
        """Whom a question may point to that follows one of her lines."""
        return {
            line: topic.means
            for topic in self.subjects.values()
            if topic.means
            for lines in topic.lines.values()
            for line in lines
        }

    @model_validator(mode="after")
    def _a_name_means_one_thing(self) -> Content:
        if both := [name for name in self.topics if name in self.canon and self.canon[name].asked]:
            raise ValueError(f"{both[0]!r} is a topic and an item of the canon with questions of its own; join them")
        return self

    @model_validator(mode="after")
    def _no_line_is_against_the_canon(self) -> Content:
        for name, topic in self.subjects.items():
            for line in (line for lines in topic.lines.values() for line in lines):
                if wrong := self.against_canon(line):
                    raise ValueError(f"topic {name} has a line against the canon: {wrong}")
        return self

    def near(self, *said: str, told: bool = False) -> tuple[str, ...]:
        """What she knows that words come near, of what does not stand in every prompt.

        They come near where they hold most of a question that it answers. The newest words come first; those before
        them count half. ``told`` when she has told the secret that she holds.
        """
        scores: dict[str, float] = {}
        for i, text in enumerate(said):
            for name, share in self._shares(text):
                scores[name] = max(scores.get(name, 0.0), share / (1 + i))
        best = sorted((one for one in scores if scores[one] >= NEAR), key=lambda name: -scores[name])[:MOST_NEAR]
        return tuple(
            known.text for name, known in self.canon.items() if name in best and not (told and known.until_told)
        )

    def _shares(self, text: str) -> Iterator[tuple[str, float]]:
        """How much of each question a text holds, rare words counting more, by the item that answers it."""
        held: dict[int, float] = {}
        for term in _telling(text):
            for number in self._places.get(term, ()):
                held[number] = held.get(number, 0.0) + self._weights[term]
        for number, weight in held.items():
            if weight >= RARE:
                name, terms = self._questions[number]
                yield name, weight / sum(self._weights[term] for term in terms)

    @cached_property
    def _questions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The telling words of what each item that stands aside says, and of the questions that it answers."""
        asked = [(name, known.text) for name, known in self.canon.items() if known.aside]
        for topic in self.subjects.values():
            for name in (one for one in topic.canon if self.canon[one].aside):
                asked += [(name, question) for question in (*topic.examples, *topic.keywords)]
        return tuple((name, _telling(text)) for name, text in asked)

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """Which questions have a word."""
        places: dict[str, list[int]] = {}
        for number, (_, terms) in enumerate(self._questions):
            for term in terms:
                places.setdefault(term, []).append(number)
        return places

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """A word weighs the less the more items have it."""
        counted = Counter(term for _, term in {(name, term) for name, terms in self._questions for term in terms})
        return {term: 1 / count for term, count in counted.items()}

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
