"""What a player can do, what the operator can do, and the settings a game is opened with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat, Text
from greenroom.worlds.secret_agi.rules.claims import Assertion

#: The length of a message; the same limits serve ``legal`` and ``handle``.
MESSAGE = Text(1, 600)

UsedPower: TypeAlias = Literal["view_allegiance", "choose_director", "eliminate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatConfig:
    """Who plays one seat."""

    player_id: Seat
    #: RandomPlayer, HeuristicPlayer, WeakPlayer, MiddlePlayer, StrongPlayer, LLMPlayer or HumanPlayer; BySide takes
    #: one for each side from its config.
    agent_type: str = "RandomPlayer"
    #: ``role`` names the configured model of an LLMPlayer, ``tries`` how often it may answer unusably, ``seconds`` how
    #: long it may think in place of the table's ``decision_seconds``;
    #: ``safety`` and ``acceleration`` are the agents of BySide.
    agent_config: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discussion:
    """Whether players talk before nominations and votes, and how many messages each may send."""

    on: bool = False
    K: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """The config of a stream. Without seats, random players called player_1, player_2, … sit down."""

    player_count: int = 5
    seats: tuple[SeatConfig, ...] = ()
    #: What random agents draw from; rolled where none is given.
    seed: int | None = None
    discussion: Discussion = Discussion()
    self_nomination: bool = True
    #: How long a person or a model may take over one decision before chance decides; 0 for as long as they like.
    decision_seconds: int = 30
    #: A game that is longer than this failed.
    max_turns: int = 2000
    #: Whether the table waits for the operator's resume before anybody acts.
    paused: bool = False
    #: classic or long.
    rules: str = "classic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Nominate:
    target_id: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteTeam:
    vote: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEmergencySafety:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteEmergency:
    vote: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardPaper:
    paper_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareVeto:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class RespondVeto:
    agree: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPaper:
    paper_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsePower:
    target_id: Seat
    power_type: UsedPower


@dataclass(frozen=True, slots=True, kw_only=True)
class SendChatMessage:
    text: Words
    #: What it means, where its sender says so; otherwise the words are read for it.
    claim: Assertion | None = None
    #: What else it means, where it asks or answers two things.
    also: Assertion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDirectly:
    """Ask a player, in place of a message, whether they are the AGI; from Capability 10 on, once a game."""

    target_id: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Observe:
    """Look, and nothing else; for the speaker of a discussion, or where an emergency may be called: pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """An action that could not be read. It is refused, so that it stands in the record; nothing it said is kept."""

    #: The action it was to be; empty if that is none.
    action: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The operator's: nobody acts until the game is resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """The operator's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseat:
    """The operator's: other agents take these seats, usually on a branch."""

    seats: tuple[SeatConfig, ...]
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRecovery:
    """The operator's: the game was interrupted and is taken up again. An attempt and no event: it moves nothing."""

    #: incomplete_action or agent_timeout.
    cause: str
    #: The last turn that was whole, and the attempts that waited.
    turn: int
    waiting: tuple[int, ...] = ()
    #: Whether the agents' wake was given up after too many tries: then it costs a turn to wake them again.
    stalled: bool = False


Action: TypeAlias = (
    Nominate
    | VoteTeam
    | CallEmergencySafety
    | VoteEmergency
    | DiscardPaper
    | DeclareVeto
    | RespondVeto
    | PublishPaper
    | UsePower
    | SendChatMessage
    | AskDirectly
    | Observe
)
Command: TypeAlias = Action | Misread | Pause | Resume | Reseat | RecordRecovery

ACTIONS: dict[str, type[Action]] = {
    "nominate": Nominate,
    "vote_team": VoteTeam,
    "call_emergency_safety": CallEmergencySafety,
    "vote_emergency": VoteEmergency,
    "discard_paper": DiscardPaper,
    "declare_veto": DeclareVeto,
    "respond_veto": RespondVeto,
    "publish_paper": PublishPaper,
    "use_power": UsePower,
    "send_chat_message": SendChatMessage,
    "ask_directly": AskDirectly,
    "observe": Observe,
}
COMMANDS: dict[str, type[Any]] = {
    **ACTIONS,
    "misread": Misread,
    "pause": Pause,
    "resume": Resume,
    "reseat": Reseat,
    "record_recovery": RecordRecovery,
}

NAMES: dict[type[Any], str] = {kind: name for name, kind in COMMANDS.items()}


def label(command: Action) -> str:
    """One action in a few words, the same for models, people and playthroughs."""
    name = NAMES[type(command)]
    match command:
        case Nominate(target_id=target) | AskDirectly(target_id=target):
            return f"{name} {target}"
        case VoteTeam(vote=yes) | VoteEmergency(vote=yes) | RespondVeto(agree=yes):
            return f"{name} {'yes' if yes else 'no'}"
        case DiscardPaper(paper_id=paper) | PublishPaper(paper_id=paper):
            return f"{name} {paper}"
        case UsePower(target_id=target, power_type=power):
            return f"{name} {power} {target}"
        case _:
            return name
