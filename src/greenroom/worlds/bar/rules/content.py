"""The form of the bar's content files; the texts themselves are in ``content/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from greenroom.kernel.chance import Chance
from greenroom.kernel.errors import Malformed
from greenroom.worlds.bar.rules.care import held_back
from greenroom.worlds.bar.rules.crisis import Check
from greenroom.worlds.bar.rules.state import AGENTS, Agent

#: Characters of a persona.
MOST_PERSONA: Final = 3000
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Lines = Annotated[tuple[Prose, ...], Field(min_length=1)]
Persona = Annotated[str, StringConstraints(strip_whitespace=True, min_length=200, max_length=MOST_PERSONA)]


class Part(BaseModel):
    """Any part of the content: read once, never changed, no field that the rules do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sky(Part):
    """One kind of weather in words."""

    #: As in "a … Tuesday".
    adjective: Prose
    #: As a clause: "the rain is coming in sideways".
    now: Prose


class Member(Part):
    """One of the cast."""

    name: Prose
    #: One line for the portrait.
    title: Prose
    persona: Persona
    #: What this one knows to be true, by name, for whoever speaks for them.
    canon: Annotated[dict[str, Prose], Field(min_length=5)]
    #: Lines of their own, as examples of how they sound.
    voice: Lines
    #: What is said when no model gives anything usable.
    fallbacks: Lines
    #: The same in the days after a crisis.
    gentle: Lines

    @cached_property
    def told(self) -> str:
        """Who they are, as it stands in a prompt, byte for byte."""
        known = "\n".join(f"- {one}" for one in self.canon.values())
        voice = "\n".join(f"- {one}" for one in self.voice)
        return (
            f"{self.persona}\n\nWhat you know to be true of yourself:\n{known}\n\n"
            f"How you sound (examples, not to be said again):\n{voice}"
        )


class GentleLines(Part):
    """The house's lines in the days after a crisis: a variant of every one that could hurt."""

    warning: Lines
    last_call: Lines
    closing: Lines
    #: After an hour of silence.
    quiet: Lines
    farewell: Lines
    quieter: Lines
    abuse: Lines
    welcome_again: Lines
    muted: Lines
    unmuted: Lines
    #: Somebody took an alarm back.
    taken_back: Lines


class HouseLines(Part):
    """What the house itself says: no model is asked for these."""

    welcome: Lines
    #: With {weekday}, {weather} and {quote} of a stored session.
    welcome_back: Lines
    #: For a guest who said nothing last time; with {weekday} and {weather}.
    welcome_quiet: Lines
    #: After a hard session; with {weekday} and {weather}, and no word of it.
    welcome_gentle: Lines
    #: A second session on the same day.
    welcome_again: Lines
    check_in: Lines
    warning: Lines
    last_call: Lines
    closing: Lines
    kick: Lines
    farewell: Lines
    shouting: Lines
    abuse: Lines
    #: From the fourth insult on, and with the sixth.
    last_warning: Lines
    shown_out: Lines
    #: With {number}: a note for somebody who is muted.
    noted_muted: Lines
    gentle: GentleLines
    #: Greetings from what the guest told, by relation, with {value} and {subject}, {when} and {weekday}.
    welcome_known: Annotated[dict[str, Lines], Field(min_length=1)]
    #: With {name}.
    muted: Lines
    unmuted: Lines
    not_mutable: Lines


class LedgerLines(Part):
    """Bukowski's forms."""

    help: Prose
    #: With {number} and {text}.
    noted: Lines
    shown: Lines
    deleted: Lines
    empty: Lines
    #: With {count}, {first}, {last} and {balance}.
    summary: Lines
    balances: Lines


class Counsel(Part):
    """Hermes, when it matters."""

    openings: Lines
    #: Before the list of places.
    leads: Lines
    #: Hand the choice back.
    closings: Lines
    #: Past a limit: Hermes stays, with no model behind him.
    company: tuple[Prose, ...] = ()
    #: Before a text that is not in the guest's language.
    only_english: str = ""


class BarHouse(Part):
    name: Prose
    town: Prose
    zone: Prose
    #: Which country's places Hermes names.
    country: Prose
    lore: Prose
    #: Who is in the room, as everybody there knows it.
    room: dict[Agent, Prose]
    #: What everybody in the house knows of it.
    known: Lines
    #: How one speaks here.
    manner: Prose
    skies: Annotated[dict[str, Sky], Field(min_length=1)]
    cast: dict[Agent, Member]
    lines: HouseLines
    ledger: LedgerLines
    counsel: Counsel
    #: The same where nothing was said outright: he names places, and asks.
    doubt: Counsel

    @field_validator("zone")
    @classmethod
    def _a_zone(cls, zone: str) -> str:
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"there is no time zone {zone!r}; give one such as Europe/Oslo") from None
        return zone

    @model_validator(mode="after")
    def _everybody_is_here(self) -> BarHouse:
        if missing := [agent for agent in AGENTS if agent not in self.cast or agent not in self.room]:
            raise ValueError(f"the cast lacks {', '.join(missing)}")
        if not self.counsel.company:
            raise ValueError("Hermes needs lines for company: somebody may be past every limit")
        return self

    @model_validator(mode="after")
    def _nothing_hurts_in_the_days_after_a_crisis(self) -> BarHouse:
        for line in self.gentle_lines():
            if (what := held_back(line)) is not None:
                raise ValueError(f"a line for the days after a crisis speaks of {what}: {line}")
        return self

    def gentle_lines(self) -> Iterator[str]:
        """Every line of the house that can be said in the days after a crisis."""
        for name in GentleLines.model_fields:
            yield from getattr(self.lines.gentle, name)
        yield from (*self.lines.check_in, *self.lines.welcome_gentle, *self.lines.not_mutable, *self.lines.noted_muted)
        yield from (line for member in self.cast.values() for line in member.gentle)
        for said in (self.counsel, self.doubt):
            yield from (*said.openings, *said.leads, *said.closings, *said.company)
        yield from (self.ledger.help, *self.ledger.empty)

    @cached_property
    def told_to_all(self) -> str:
        """What stands first in every prompt of the cast, byte for byte the same for all of them."""
        room = "\n".join(f"- {self.room[agent]}" for agent in AGENTS)
        known = "\n".join(f"- {one}" for one in self.known)
        return f"{self.lore}\n\nWho is in the room:\n{room}\n\nWhat everybody here knows:\n{known}\n\n{self.manner}"

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def placed(self, **given: str) -> BarHouse:
        """The same house in another town, zone or country.

        Raises:
            Malformed: there is no such time zone.
        """
        try:
            return BarHouse.model_validate({**self.model_dump(), **given})
        except ValidationError as error:
            raise Malformed(f"the bar: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from None

    def local(self, at: datetime) -> datetime:
        """A moment on the bar's own clock."""
        return at.astimezone(self._zone)

    def today(self, at: datetime) -> date:
        return self.local(at).date()

    def midnight(self, after: date) -> datetime:
        """When a calendar day of the bar is over."""
        return datetime.combine(after + timedelta(days=1), time(), self._zone)

    def name_of(self, agent: str) -> str:
        return self.cast[agent].name if agent in self.cast else "guest"


class Resource(Part):
    """Somebody real to turn to."""

    name: Prose
    contact: Prose
    note: str = ""


class Resources(Part):
    """Where help is, by country; ``international`` is given wherever a country has no entry of its own."""

    countries: dict[str, Annotated[tuple[Resource, ...], Field(min_length=1)]]
    #: What Hermes says in other languages, by their two letters.
    texts: dict[str, Counsel] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _a_default(self) -> Resources:
        if "international" not in self.countries:
            raise ValueError("the country 'international' is missing: it is the default")
        return self

    def of(self, country: str) -> tuple[Resource, ...]:
        return self.countries.get(country) or self.countries["international"]


class Content(Part):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    house: BarHouse
    resources: Resources
    #: Who looks for guests in danger, with what was learned for it.
    check: Check = Field(repr=False)


def mark(text: str) -> str:
    """A short sign of a line, to know it again by."""
    return blake2b(" ".join(text.casefold().split()).encode(), digest_size=4).hexdigest()


def fresh(lines: Sequence[str], used: Sequence[str], *place: int | str) -> str:
    """One of the lines, the same at the same place; one that was not used lately if there is any."""
    mixed = Chance(*place).shuffled(lines)
    seen = {sign: i for i, sign in enumerate(used)}
    return min(mixed, key=lambda line: seen.get(mark(line), -1))


def weekday(day: date) -> str:
    return WEEKDAYS[day.weekday()]


def sky(skies: Mapping[str, Sky], kind: str | None) -> Sky | None:
    return None if kind is None else skies.get(kind)
