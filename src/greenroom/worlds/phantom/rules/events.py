"""What can have happened. An event carries results, so that no edit of rules or content alters the past.

Sentences here (reasons, facts, claims) are in the third person; words that were said stand in the memory bank.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from greenroom.kernel.facts import Noted
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Category, ClaimType, Inheritance, Significance, Tone
from greenroom.worlds.phantom.rules.state import Alliance, ContactKind, Delivery, Engagement, Owed

# registration


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    player: str
    email: str
    phone: str | None
    timezone: str
    delivery: Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeIssued:
    kind: ContactKind
    code: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTried:
    kind: ContactKind
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeExpired:
    kind: ContactKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    thursday_at: datetime
    deadline_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMade:
    value: str
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerRead:
    """A trigger as the content defines it."""

    trigger: str
    condition: str
    actions: tuple[str, ...]
    once: bool
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentRead:
    """From here on the story is told with this content."""

    digest: str
    triggers: tuple[TriggerRead, ...]


# messages and letters


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReceived:
    #: How other events and tables name it.
    ref: str
    channel: str
    #: Whom it reached; None if it was for the house, or nobody reads there.
    agent: str | None
    words: Words
    provider_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    message: str
    agent: str
    #: As the seed lays it out.
    classification: Mapping[str, Any]
    topics: tuple[str, ...] = ()
    told_of_use: bool = False
    #: Other agents that it names.
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterWritten:
    key: str
    agent: str | None
    #: Where the player sees it: ``email``, ``sms``, ``email:cipher``, ``system``.
    channel: str
    #: What carries it: a channel of the house.
    carrier: str
    to: str
    subject: str
    situation: str
    words: Words
    #: When it would have gone out by itself, and when it may.
    wanted_at: datetime
    due_at: datetime
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterCancelled:
    key: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterSent:
    key: str
    agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterFailed:
    key: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterOverdue:
    """Nobody has said what became of a letter; the story goes on without waiting for it."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterShown:
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A letter will be sent at a moment. With the number of an earlier plan it takes that one's place."""

    n: int
    agent: str
    situation: str
    due_at: datetime
    day: str = ""
    owed: Owed | None = None
    trigger: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDropped:
    n: int
    reason: str
    #: Whether the trigger that wanted the letter may want it once more.
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDone:
    n: int
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptedOut:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class OptedIn:
    pass


# what agents think


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustChanged:
    agent: str
    delta: int
    trust: int
    reason: str
    message: str | None = None
    #: Whether the agent knows why.
    known: bool = True
    betrayal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """A letter was not answered for a day."""

    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLearned:
    #: Whom it was told to, and where.
    agent: str
    channel: str
    fact: str
    category: Category
    source: str
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsHeld:
    agent: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMade:
    n: int
    agent: str
    claim: str
    type: ClaimType
    is_true: bool | None
    significance: Significance
    subject: str | None
    says: bool
    message: str
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimContradicted:
    """An older claim was contradicted by a newer one."""

    n: int
    agent: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionClosed:
    agent: str
    n: int
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentKept:
    """A key moment, written down at once."""

    agent: str
    type: str
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterEntered:
    agent: str
    channel: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleMoved:
    agent: str
    was: Level
    now: Level
    reason: str
    trust: int
    probability: float
    multiplier: float
    tone: Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelInherited:
    channel: str
    agent: str
    was: str
    inheritance: Inheritance


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    n: int
    giver: str
    receiver: str
    trigger: str
    shared: tuple[str, ...]
    withheld: tuple[str, ...]
    trust_delta: int
    alliance: Alliance


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeSurfaced:
    n: int
    agent: str
    message: str


# the world


@dataclass(frozen=True, slots=True, kw_only=True)
class MilestoneReached:
    milestone: str
    agent: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureChanged:
    delta: int
    level: int
    reason: str
    #: Whether a visit to the dashboard caused it; these are capped together.
    visit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionsMet:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerFired:
    trigger: str
    because: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerRested:
    """The condition of a trigger that may come again holds no more."""

    trigger: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngagementMoved:
    now: Engagement


@dataclass(frozen=True, slots=True, kw_only=True)
class Reengaged:
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hushed:
    """A week of silence has been counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlinePassed:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUsed:
    ip_address: str
    user_agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRefused:
    """Known and used up, or not this player's."""

    known: bool
    ip_address: str
    user_agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDeleted:
    """The player says so."""

    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRead:
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Processed:
    """One message went through the twelve steps: the first of them when it came, the others when it is answered."""

    message: str
    agent: str | None
    channel: str
    steps: tuple[tuple[str, str], ...]
    intent: str = ""
    changes: tuple[str, ...] = ()
    exchanges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed:
    """The clock was looked at, and what was due then has been seen to."""


# the door


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorOpened:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Knocked:
    ip_address: str
    user_agent: str


Event: TypeAlias = Any

EVENTS: Mapping[str, type[Any]] = {
    "registered": Registered,
    "code_issued": CodeIssued,
    "code_tried": CodeTried,
    "code_expired": CodeExpired,
    "started": Started,
    "key_made": KeyMade,
    "content_read": ContentRead,
    "message_received": MessageReceived,
    "classified": Classified,
    "letter_written": LetterWritten,
    "letter_cancelled": LetterCancelled,
    "letter_sent": LetterSent,
    "letter_failed": LetterFailed,
    "letter_overdue": LetterOverdue,
    "letter_shown": LetterShown,
    "planned": Planned,
    "plan_dropped": PlanDropped,
    "plan_done": PlanDone,
    "opted_out": OptedOut,
    "opted_in": OptedIn,
    "trust_changed": TrustChanged,
    "ignored": Ignored,
    "fact_learned": FactLearned,
    "items_held": ItemsHeld,
    "claim_made": ClaimMade,
    "claim_contradicted": ClaimContradicted,
    "session_closed": SessionClosed,
    "moment_kept": MomentKept,
    "character_entered": CharacterEntered,
    "lifecycle_moved": LifecycleMoved,
    "channel_inherited": ChannelInherited,
    "exchanged": Exchanged,
    "exchange_surfaced": ExchangeSurfaced,
    "milestone_reached": MilestoneReached,
    "exposure_changed": ExposureChanged,
    "conditions_met": ConditionsMet,
    "trigger_fired": TriggerFired,
    "trigger_rested": TriggerRested,
    "engagement_moved": EngagementMoved,
    "reengaged": Reengaged,
    "hushed": Hushed,
    "deadline_passed": DeadlinePassed,
    "key_used": KeyUsed,
    "key_refused": KeyRefused,
    "key_deleted": KeyDeleted,
    "document_read": DocumentRead,
    "processed": Processed,
    "time_passed": TimePassed,
    "door_opened": DoorOpened,
    "knocked": Knocked,
    "noted": Noted,
}
