"""What can have happened. An event carries results, so that no edit of the rules alters the past.

Kinds are stable and finer than the seed's EventTypes; ``EVENT_TYPES`` says which of those each one is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import Assertion
from greenroom.worlds.secret_agi.rules.papers import Paper, Power, Role, RuleSet, Side
from greenroom.worlds.secret_agi.rules.state import Agent, Player, Talk, Vote


class GameStarted(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    players: tuple[Player, ...]
    deck: tuple[Paper, ...]
    director: Seat
    seed: int
    talks: int
    self_nomination: bool
    seconds: int
    most_turns: int
    rules: RuleSet = "classic"


class Attempted(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """An action, valid or not; an invalid one changes nothing."""

    seat: Seat
    action: str
    target: Seat | None = None
    #: A ballot, or the answer to a veto.
    yes: bool | None = None
    paper: str | None = None
    power: Power | None = None
    words: Words | None = None
    #: Why it is not valid; empty if it is.
    error: str = ""
    #: Unusable answers before this one.
    tries: int = 0
    #: Chance decided, since the seat did not.
    fallback: bool = False


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    seat: Seat
    words: Words
    talk: Talk
    #: What it means, where that is known.
    claim: Assertion | None = None
    #: What else it means: a second question in the same message, or the answer to one.
    also: Assertion | None = None
    #: Whether the claim contradicts what its speaker knows; nobody at the table is shown this.
    lie: bool = False


class AnsweredDirectly(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A player was asked directly whether they are the AGI. The answer is true, whoever gives it."""

    seat: Seat
    target: Seat
    is_agi: bool


class PapersReturned(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The discarded papers were shuffled and put under the deck, where they have places of their own."""

    papers: tuple[Paper, ...]


class NoteTaken(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a model wants to remember; nobody else sees it."""

    seat: Seat
    words: Words


class EmergencyLetPass(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """These seats do not call an emergency in this proposal."""

    seats: tuple[Seat, ...]


class DiscussionOpened(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    talk: Talk


class DiscussionClosed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    talk: Talk


class VoteCompleted(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    vote: Vote
    ballots: dict[Seat, bool]
    passed: bool
    nominee: Seat | None
    #: Failed proposals in a row after it.
    failed: int


class ResearchBegan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    director: Seat
    engineer: Seat
    #: Places in the deck of the papers drawn.
    drawn: tuple[int, ...]


class ProposalBegan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    round: int
    director: Seat
    #: The seat that rotation goes on from.
    anchor: Seat


class VetoAnswered(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    agreed: bool
    failed: int


class PaperPublished(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    #: Its place in the deck.
    place: int
    paper: Paper
    capability: int
    safety: int
    #: None where the paper published itself after three failures.
    engineer: Seat | None
    #: Whether an emergency took one Capability off.
    reduced: bool
    #: Thresholds crossed.
    powers: tuple[int, ...]


class PowerTriggered(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    threshold: int
    power: Power
    #: Who has to use it; None for a power that acts by itself.
    director: Seat | None


class AllegianceViewed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    viewer: Seat
    target: Seat
    allegiance: Side


class DirectorChosen(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    target: Seat


class PlayerEliminated(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    target: Seat
    role: Role


class GameEnded(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    #: None for a game that failed.
    winners: Side | None
    reason: str
    capability: int
    safety: int
    turns: int
    rounds: int


class GamePaused(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    pass


class GameResumed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    pass


class Reseated(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    seat: Seat
    agent: Agent
    config: dict[str, Any]
    seed: int


Event: TypeAlias = (
    GameStarted
    | Attempted
    | ChatMessage
    | AnsweredDirectly
    | PapersReturned
    | NoteTaken
    | EmergencyLetPass
    | DiscussionOpened
    | DiscussionClosed
    | VoteCompleted
    | ResearchBegan
    | ProposalBegan
    | VetoAnswered
    | PaperPublished
    | PowerTriggered
    | AllegianceViewed
    | DirectorChosen
    | PlayerEliminated
    | GameEnded
    | GamePaused
    | GameResumed
    | Reseated
)

EVENTS: dict[str, type[Any]] = {
    "game_started": GameStarted,
    "action_attempted": Attempted,
    "chat_message": ChatMessage,
    "answered_directly": AnsweredDirectly,
    "papers_returned": PapersReturned,
    "note_taken": NoteTaken,
    "emergency_let_pass": EmergencyLetPass,
    "discussion_opened": DiscussionOpened,
    "discussion_closed": DiscussionClosed,
    "vote_completed": VoteCompleted,
    "research_began": ResearchBegan,
    "proposal_began": ProposalBegan,
    "veto_answered": VetoAnswered,
    "paper_published": PaperPublished,
    "power_triggered": PowerTriggered,
    "allegiance_viewed": AllegianceViewed,
    "director_chosen": DirectorChosen,
    "player_eliminated": PlayerEliminated,
    "game_ended": GameEnded,
    "game_paused": GamePaused,
    "game_resumed": GameResumed,
    "reseated": Reseated,
}
KINDS: dict[type[Any], str] = {kind: name for name, kind in EVENTS.items()}

_SAME = ("action_attempted", "chat_message", "vote_completed", "paper_published", "power_triggered", "game_ended")
_PHASES = ("discussion_opened", "discussion_closed", "research_began", "proposal_began")
#: The seed's EventType of each kind; whatever is none of the others changed the state.
EVENT_TYPES: dict[str, str] = {
    name: name if name in _SAME else "phase_transition" if name in _PHASES else "state_changed" for name in EVENTS
}
