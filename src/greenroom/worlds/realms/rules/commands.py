"""What a person can do in a realm, and what whoever holds an agent's seat can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Range, Text
from greenroom.worlds.realms.rules.state import Autonomy, Permission, Settings

SPEECH = Text(1, 2_000)
PROBLEM = Text(1, 1_000)
AGENTS = Range(1, 5)
BUDGET = Range(0, 100_000)
#: What an agent outside may send at once.
ACTION = Text(2, 100_000)
#: Seconds that an agent outside may be given for one action.
SECONDS = Range(1, 3_600)
#: What another realm knows, as JSON.
MEMORY = Text(2, 8_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The config of a stream: a repository on this machine."""

    path: str
    name: str = ""
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explore:
    """Look at the repository anew and send the Oracle round; also how a realm is resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Take the realm off the list; its memory stays until it is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """Tell one agent what to do."""

    agent: str
    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Summon:
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismiss:
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignQuest:
    quest: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseQuest:
    quest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartProcess:
    template: str
    problem: Words
    #: How far its agents go by themselves; the realm's own setting where it is empty.
    autonomy: Autonomy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Let the agents go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inject:
    """Say something that every agent of this stage is told."""

    text: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Leave this stage now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """Give this stage another goal."""

    goal: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """Begin the process anew; what was posted stays on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSettings:
    max_agents: int
    budget_cents: int
    permission: Permission
    autonomy: Autonomy


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyEdit:
    edit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectEdit:
    edit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Walk into a room."""

    room: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """Walk back to where one came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAgent:
    """Give an agent's seat to somebody outside; a new agent, or one who is here."""

    agent: str
    name: str
    role: str
    #: How long it may take for one action.
    seconds: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver:
    """Know what another realm of the same repository knows."""

    origin: str
    #: Its vaults and its board, as JSON.
    memory: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """Let whoever plays an agent from outside do what it asked for."""

    request: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deny:
    request: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What an agent outside does in its turn: an action as JSON."""

    action: Words


Command: TypeAlias = (
    Explore
    | Remove
    | Direct
    | Summon
    | Dismiss
    | AssignQuest
    | ReleaseQuest
    | StartProcess
    | Approve
    | Inject
    | Skip
    | Redirect
    | Restart
    | UpdateSettings
    | ApplyEdit
    | RejectEdit
    | Enter
    | Back
    | SeatAgent
    | TakeOver
    | Allow
    | Deny
    | Act
)

COMMANDS: dict[str, type[Command]] = {
    "explore": Explore,
    "remove": Remove,
    "direct": Direct,
    "summon": Summon,
    "dismiss": Dismiss,
    "assign_quest": AssignQuest,
    "release_quest": ReleaseQuest,
    "start_process": StartProcess,
    "approve": Approve,
    "inject": Inject,
    "skip": Skip,
    "redirect": Redirect,
    "restart": Restart,
    "update_settings": UpdateSettings,
    "apply_edit": ApplyEdit,
    "reject_edit": RejectEdit,
    "enter": Enter,
    "back": Back,
    "seat_agent": SeatAgent,
    "take_over": TakeOver,
    "allow": Allow,
    "deny": Deny,
    "act": Act,
}
