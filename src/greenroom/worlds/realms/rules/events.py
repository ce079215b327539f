"""What can have happened in a realm. An event carries results, so that no later change of rules alters the past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from greenroom.kernel.words import Words
from greenroom.worlds.realms.rules.state import (
    Artifact,
    Autonomy,
    Edit,
    Errand,
    Finding,
    PermissionRequest,
    Quest,
    QuestStatus,
    Settings,
    Vault,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    id: str
    path: str
    name: str
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """The repository was looked at."""

    digest: str
    root: str
    head: str
    files: int
    rules: Mapping[str, int]
    gravest: Mapping[str, tuple[str, ...]]
    map: Words
    survey: Words
    #: What changed since the visit before; None on the first.
    news: Words | None
    quests: tuple[Quest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultImported:
    """What an agent knew before it came here, from a file that was found."""

    vault: Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTaken:
    """What another realm of the same repository knew is known here from now on."""

    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeNoticed:
    """A sentence for the player: what could not be read, what was set aside, who got no answer."""

    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmRemoved:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentJoined:
    agent: str
    name: str
    role: str
    by: str = ""
    outside: bool = False
    #: Seconds that whoever plays it from outside has for one action.
    seconds: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLeft:
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrandGiven:
    errand: Errand


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    errand: Errand
    outside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    """What an agent said to itself about what it does."""

    agent: str
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed:
    agent: str
    tool: str
    #: What it was given, as JSON.
    input: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswered:
    agent: str
    tool: str
    words: Words
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    agent: str
    path: str
    #: Its top two folders.
    area: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPosted:
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightLearned:
    agent: str
    area: str
    #: What the expertise has come to, not by how much it grew.
    expertise: int
    words: Words | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestMoved:
    quest: str
    status: QuestStatus
    agent: str = ""
    outcome: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpAsked:
    agent: str
    to: str
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class EditProposed:
    edit: Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSettled:
    edit: str
    status: Literal["applied", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionAsked:
    request: PermissionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionSettled:
    request: str
    status: Literal["allowed", "denied"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneySpent:
    """What a model's answer cost, in micro-dollars."""

    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    agent: str
    why: Literal["done", "calls", "silence", "no answer", "dismissed", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The agents wait for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessStarted:
    template: str
    problem: Words
    autonomy: Autonomy


@dataclass(frozen=True, slots=True, kw_only=True)
class StageBegan:
    stage: int
    name: str
    #: Its agents, in the order of their turns.
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSignalled:
    agent: str
    artifacts: tuple[Artifact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReady:
    """A stage has done its work, and a person is asked whether to go on."""

    stage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnded:
    stage: int
    name: str
    artifacts: tuple[Artifact, ...]
    skipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessCompleted:
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    where: tuple[str, ...]


#: Of the place itself, and of the player in it.
OfRealm: TypeAlias = (
    Linked
    | Surveyed
    | VaultImported
    | MemoryTaken
    | ChangeNoticed
    | RealmRemoved
    | SettingsChanged
    | MoneySpent
    | Walked
)
#: Of the agents and their turns.
OfAgents: TypeAlias = (
    AgentJoined | AgentLeft | ErrandGiven | TurnBegan | Spoke | ToolUsed | ToolAnswered | TurnEnded | Held | Approved
)
#: Of what a person decides about.
OfConsent: TypeAlias = EditProposed | EditSettled | PermissionAsked | PermissionSettled
#: Of what they find, learn and do.
OfWork: TypeAlias = FileRead | FindingPosted | InsightLearned | QuestMoved | HelpAsked | OfConsent
OfProcess: TypeAlias = (
    ProcessStarted
    | StageBegan
    | StageSignalled
    | StageReady
    | StageEnded
    | ProcessCompleted
    | Injected
    | Redirected
    | Restarted
)
Event: TypeAlias = OfRealm | OfAgents | OfWork | OfProcess

EVENTS: dict[str, type[Event]] = {
    "linked": Linked,
    "surveyed": Surveyed,
    "vault_imported": VaultImported,
    "memory_taken": MemoryTaken,
    "noticed": ChangeNoticed,
    "removed": RealmRemoved,
    "settings_changed": SettingsChanged,
    "money_spent": MoneySpent,
    "walked": Walked,
    "agent_joined": AgentJoined,
    "agent_left": AgentLeft,
    "errand_given": ErrandGiven,
    "turn_began": TurnBegan,
    "spoke": Spoke,
    "tool_used": ToolUsed,
    "tool_answered": ToolAnswered,
    "turn_ended": TurnEnded,
    "held": Held,
    "approved": Approved,
    "file_read": FileRead,
    "finding_posted": FindingPosted,
    "insight_learned": InsightLearned,
    "quest_moved": QuestMoved,
    "help_asked": HelpAsked,
    "edit_proposed": EditProposed,
    "edit_settled": EditSettled,
    "permission_asked": PermissionAsked,
    "permission_settled": PermissionSettled,
    "process_started": ProcessStarted,
    "stage_began": StageBegan,
    "stage_signalled": StageSignalled,
    "stage_ready": StageReady,
    "stage_ended": StageEnded,
    "process_completed": ProcessCompleted,
    "injected": Injected,
    "redirected": Redirected,
    "restarted": Restarted,
}
