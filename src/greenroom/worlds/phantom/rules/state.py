"""What is true at one moment of one player's story. Every collection here is bounded; the rest is in tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, Inheritance, Medium, Significance, Tone

PLAYER: Seat = "player"
#: The channel of the house's own letters.
SYSTEM = "system"

K = TypeVar("K", bound=msgspec.Struct)

#: How much of each kind the state holds for one agent; older ones are in tables and in the memory bank.
NOTES = 3
FACTS = 15
LINES = 10
CLAIMS = 10
MOMENTS = 5
TOPICS = 8
UNSURFACED = 4
UNREAD = 12
#: Messages of one burst that are answered together.
BURST = 8
#: Agents in one story.
CAST = 12
#: Codes that are sent to one address within a day.
CODES = 5

Delivery: TypeAlias = Literal["post", "page"]
ContactKind: TypeAlias = Literal["email", "phone"]
Engagement: TypeAlias = Literal["active", "casual", "dormant", "lapsed", "churned"]
Alliance: TypeAlias = Literal["allied", "transactional", "suspicious", "hostile"]
Phase: TypeAlias = Literal["prologue", "day_1", "day_2", "thursday", "post_thursday"]


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """An address of the player's, and the code that proves it."""

    address: str
    verified: bool = False
    #: Empty when none is waiting to be entered.
    code: str = ""
    expires_at: datetime | None = None
    tries: int = 0
    #: When the newest codes were sent.
    sent: tuple[datetime, ...] = ()


class Key(msgspec.Struct, frozen=True, kw_only=True):
    value: str
    limit: int
    used: int = 0
    created_at: datetime
    first_used_at: datetime | None = None
    #: When the player said that it was deleted.
    deleted_at: datetime | None = None

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    by: Seat
    words: Words
    #: The letter's key, or the number of the message, and where it was said.
    ref: str = ""
    channel: str = ""
    at: datetime | None = None


class TrustNote(msgspec.Struct, frozen=True, kw_only=True):
    delta: int
    reason: str
    #: Whether the agent knows why; what was told to another agent, it does not.
    known: bool = True


class FactNote(msgspec.Struct, frozen=True, kw_only=True):
    fact: str
    category: Category


class ClaimNote(msgspec.Struct, frozen=True, kw_only=True):
    """A claim as it is stored: third person."""

    n: int
    claim: str
    subject: str | None
    says: bool
    is_true: bool | None
    significance: Significance
    #: Where the agent's memory keeps it, and the letter it was made in.
    memory: str = ""
    letter: str = ""
    contradicted: bool = False


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation with one agent."""

    n: int
    opened_at: datetime
    last_at: datetime
    messages: int = 0
    topics: tuple[str, ...] = ()
    #: Types of its key moments.
    moments: tuple[str, ...] = ()


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """An exchange that the player has not been told of yet."""

    n: int
    source: str
    items: tuple[str, ...]
    at: datetime


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent gave another, in all their exchanges."""

    items: tuple[str, ...]
    #: Number of the newest of these exchanges.
    n: int


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """One agent in this story."""

    entered_at: datetime
    contacted: bool = False
    # trust
    trust: int = 0
    interactions: int = 0
    last_interaction_at: datetime | None = None
    notes: tuple[TrustNote, ...] = ()
    betrayed: bool = False
    # what it was told, in its own channel
    facts: tuple[FactNote, ...] = ()
    recent: tuple[Line, ...] = ()
    session: Session | None = None
    sessions: int = 0
    #: Items of knowledge it holds and could pass on.
    items: tuple[str, ...] = ()
    #: Whether the player told it that the key was used, and which other agents the player spoke of.
    told_of_use: bool = False
    heard_of: tuple[str, ...] = ()
    #: What others passed on to it, by name.
    learned: Mapping[str, Passed] = msgspec.field(default_factory=dict)
    unsurfaced: tuple[Heard, ...] = ()
    claims: tuple[ClaimNote, ...] = ()
    # lifecycle
    level: Level = "engaged"
    since: datetime | None = None
    reason: str | None = None
    probability: float = 1.0
    multiplier: float = 1.0
    tone: Tone = "normal"
    # letters
    #: How many it has written in all.
    letters: int = 0
    #: When letters were delivered that the player has not answered, and that have not been counted as ignored.
    unanswered: tuple[datetime, ...] = ()
    ignored: int = 0
    #: The last letter delivered, and letters that followed it up since the player wrote.
    delivered_at: datetime | None = None
    answered: bool = True
    follow_ups: int = 0

    @property
    def present(self) -> bool:
        """In contact with the player and not gone."""
        return self.contacted and self.level != "gone"


class MessageChannel(msgspec.Struct, frozen=True, kw_only=True):
    owner: str
    previous: tuple[str, ...] = ()
    inherited_at: datetime | None = None
    inheritance: Inheritance | None = None


class Owed(msgspec.Struct, frozen=True, kw_only=True):
    """What a letter answers: the messages of one burst, and what they came to."""

    #: The messages, oldest first: how events name them, and where their words are.
    refs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    #: What the player may have done in them: the letter asks back.
    doubts: tuple[str, ...] = ()
    #: Puzzles that they solve, and puzzles that they come near to.
    solved: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    #: The mail that is answered, as its provider names it.
    provider_id: str = ""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that is written and not sent yet."""

    key: str
    #: None for letters of the house.
    agent: str | None
    channel: str
    situation: str
    words: Words
    due_at: datetime
    #: The local day it is due on; "" for letters of the house, which do not count.
    day: str = ""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A letter that is to be sent at a moment, and written shortly before it."""

    n: int
    agent: str
    situation: str
    due_at: datetime
    #: The local day it is due on, where it has its place among the letters of that day.
    day: str = ""
    #: None where the agent writes of its own accord.
    owed: Owed | None = None
    #: The trigger that wanted it.
    trigger: str = ""


class Presence(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the player is still with us."""

    level: Engagement = "active"
    #: Since when the player has been silent; pressing Start counts as writing.
    last_player_at: datetime | None = None
    last_agent_at: datetime | None = None
    #: Attempts in this level, attempts since the player last wrote, and the newest.
    tries: int = 0
    attempts: int = 0
    attempted_at: datetime | None = None
    #: Whether this silence has lowered exposure already.
    hushed: bool = False


class Milestone(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    #: Who knows of it by itself: the agent it happened with.
    agent: str | None = None


class Fired(msgspec.Struct, frozen=True, kw_only=True):
    count: int
    at: datetime
    #: Whether its condition still held when it was last looked at.
    holds: bool = True
    #: Whether the letter that it wanted was not written.
    unwritten: bool = False


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the newest message, step by step. Ids and names, no words."""

    message: str = ""
    agent: str | None = None
    channel: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    intent: str = ""
    changes: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    received: int = 0
    letters: int = 0
    plans: int = 0
    claims: int = 0
    exchanges: int = 0


class Phantom(msgspec.Struct, frozen=True, kw_only=True):
    """One player's story; or the door, which has no player."""

    #: The moment of the newest event.
    now: datetime | None = None
    door: bool = False
    knocks: int = 0
    # the player
    player: str = ""
    email: Contact | None = None
    phone: Contact | None = None
    timezone: str = "UTC"
    delivery: Delivery = "post"
    registered_at: datetime | None = None
    started_at: datetime | None = None
    opted_out: bool = False
    # time
    thursday_at: datetime | None = None
    deadline_at: datetime | None = None
    thursday_passed: bool = False
    # the key
    key: Key | None = None
    documents: tuple[str, ...] = ()
    # the cast
    cast: Mapping[str, Character] = msgspec.field(default_factory=dict)
    channels: Mapping[str, MessageChannel] = msgspec.field(default_factory=dict)
    # the world
    exposure: int = 0
    #: How much visits to the dashboard have added.
    visits_exposure: int = 0
    milestones: Mapping[str, Milestone] = msgspec.field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    fired: Mapping[str, Fired] = msgspec.field(default_factory=dict)
    #: Digest of the content that the newest turn was played with.
    content: str = ""
    # letters
    #: The mail that began it all: it stays in the player's reach whatever has come since.
    key_mail: Line | None = None
    waiting: tuple[Waiting, ...] = ()
    plans: tuple[Plan, ...] = ()
    #: Keys of the newest letters that were sent and not shown on the page.
    unread: tuple[str, ...] = ()
    #: Agents' letters by local day, planned and waiting ones included; days that are over are dropped.
    days: Mapping[str, int] = msgspec.field(default_factory=dict)
    presence: Presence = Presence()
    counts: Counts = Counts()
    trace: Trace = Trace()

    @property
    def running(self) -> bool:
        """Whether the game has begun and letters may be sent."""
        return self.started_at is not None and not self.opted_out

    @property
    def sending(self) -> bool:
        return self.running and self.presence.level != "churned"

    def present(self) -> tuple[str, ...]:
        """Agents in contact with the player and not gone, in the order they entered."""
        present = [name for name, character in self.cast.items() if character.present]
        return tuple(sorted(present, key=lambda name: (self.cast[name].entered_at, name)))

    def closest(self, among: tuple[str, ...] = ()) -> str | None:
        """The agent in contact that trusts the player most; of equals, who entered first."""
        there = [name for name in self.present() if not among or name in among]
        warm = [name for name in there if self.cast[name].level in ("engaged", "cooling")]
        return max(warm or (there if among else ()), key=lambda name: self.cast[name].trust, default=None)

    def contact(self, kind: ContactKind) -> Contact | None:
        return self.email if kind == "email" else self.phone

    def voice_of(self, agent: str) -> str:
        """The channel an agent writes on: the one it inherited last, else its own, else the one that was its own."""
        owned = [name for name, channel in self.channels.items() if channel.owner == agent]
        lost = [name for name, channel in self.channels.items() if agent in channel.previous]
        return next((name for name in owned if self.channels[name].inherited_at is not None), (*owned, *lost)[0])

    def reachable(self) -> tuple[str, ...]:
        """Where the player can write: by mail, by SMS, and to who has written from an address of their own."""
        owners = {name: channel.owner for name, channel in self.channels.items()}
        return tuple(name for name, owner in owners.items() if ":" not in name or self.cast[owner].contacted)

    def route(self, channel: str, answers: str = "") -> tuple[str, str]:
        """What carries a letter on a channel, and to whom: the house's channel and the address.

        With page delivery, and where there is no verified number, letters stay on the page.
        """
        kind = medium(channel)
        contact = self.email if kind == "email" else self.phone
        if contact is None or self.delivery == "page" or not contact.verified:
            return ("inbox" if kind == "email" else "phone"), self.player
        if kind == "email" and answers:
            return channel, f"mailto:{_escaped(contact.address)}?In-Reply-To={_escaped(answers)}"
        return channel, contact.address

    def with_agent(self, agent: str, **changes: Any) -> Phantom:
        return replace(self, cast=put(self.cast, agent, replace(self.cast[agent], **changes)))

    def with_presence(self, **changes: Any) -> Phantom:
        return replace(self, presence=replace(self.presence, **changes))

    def counted(self, **more: int) -> Phantom:
        counts = {name: getattr(self.counts, name) + n for name, n in more.items()}
        return replace(self, counts=replace(self.counts, **counts))


def medium(channel: str) -> Medium:
    return "sms" if channel.partition(":")[0] == "sms" else "email"


def _escaped(text: str) -> str:
    """As it may stand in a mailto address."""
    plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~@"
    return "".join(char if char in plain else "".join(f"%{byte:02X}" for byte in char.encode()) for char in text)


def put(mapping: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """One more entry, in the order in which stored states are read again: by name."""
    return dict(sorted({**mapping, name: value}.items()))


def each(*groups: tuple[Any, ...]) -> tuple[Any, ...]:
    """All that some groups hold, each once, in the order in which it came."""
    return tuple(dict.fromkeys(one for group in groups for one in group))


def noted(kind: type[K], event: Any, **more: Any) -> K:
    """One thing from another that has fields of the same names, and more that is worked out."""
    return kind(**{name: getattr(event, name) for name in kind.__struct_fields__ if hasattr(event, name)} | more)


def upcast(shape: int, data: Any) -> Any:
    """A snapshot of an older shape as one of today's: what was added since has its defaults, what went is left out.

    Until shape 4 a letter counted as said when it was written; now it does when it is sent.
    """
    if shape < 4 and isinstance(data, dict):
        waiting = {letter["key"] for letter in data.get("waiting", ())}
        cast = {
            name: {**one, "recent": [line for line in one.get("recent", ()) if line.get("ref") not in waiting]}
            for name, one in data.get("cast", {}).items()
        }
        data = {**data, "cast": cast}
    return data
