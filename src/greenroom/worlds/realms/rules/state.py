"""What is true of a realm at one moment. Everything in it is bounded; texts stand here by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat

PLAYER: Seat = "player"
ORACLE = "oracle"

Severity: TypeAlias = Literal["low", "medium", "high"]
QuestStatus: TypeAlias = Literal["open", "assigned", "in_progress", "done"]
Permission: TypeAlias = Literal["read-only", "write-with-approval"]
Autonomy: TypeAlias = Literal["manual", "supervised", "autonomous"]
Reason: TypeAlias = Literal["explore", "command", "help", "quest", "stage"]
ProcessStatus: TypeAlias = Literal["running", "waiting", "completed"]

#: How much is kept at hand; what is older stays in the journal.
BOARD = 1_000
IN_PROMPT = 15
INSIGHTS = 100
INSIGHTS_IN_PROMPT = 10
FILES = 300
TASKS = 100
EDITS = 50
CALLS = 8
#: Whoever plays from outside reads through the same calls, and needs more of them.
CALLS_OUTSIDE = 40
REQUESTS = 20
#: Turns after which a stage that waits for a signal ends without one.
PATIENCE = 4
MOST_AGENTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person sets for one realm."""

    max_agents: int = MOST_AGENTS
    #: Cents that models may cost here.
    budget_cents: int = 200
    permission: Permission = "read-only"
    autonomy: Autonomy = "supervised"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Somebody who explores the realm; who has left is remembered by the vault only."""

    id: str
    name: str
    role: str
    #: The folder where it was last seen.
    room: str = ""
    #: Played from outside, by whoever holds its seat.
    outside: bool = False
    #: Seconds that whoever plays it from outside has for one action.
    seconds: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A note on the board."""

    id: str
    #: Its place on the board, from 0.
    ordinal: int
    agent_id: str
    agent_name: str
    words: Words
    severity: Severity
    #: As it stands in the files: ISO 8601.
    timestamp: str
    path: str = ""
    line: int = 0
    #: The stage and the round of a process in which it was posted; -1 outside of one.
    stage: int = -1
    round: int = 0
    #: Fields of an imported file that are not ours, as JSON.
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Something that an agent has done."""

    task: str
    outcome: Words
    timestamp: str
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """What one agent knows, over all its visits."""

    agent_id: str
    agent_name: str
    role: str
    expertise: Mapping[str, int] = field(default_factory=dict)
    realm_knowledge: Mapping[str, int] = field(default_factory=dict)
    insights: tuple[Words, ...] = ()
    tasks: tuple[Task, ...] = ()
    files: tuple[str, ...] = ()
    #: What an imported file called the realm, and fields of it that are not ours, as JSON.
    realm: str = ""
    extra: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quest:
    """Something to be done in the repository."""

    id: str
    title: str
    priority: Severity
    files: tuple[str, ...] = ()
    line: int = 0
    origin: str = ""
    status: QuestStatus = "open"
    agent: str = ""
    outcome: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A turn that an agent is to have."""

    agent: str
    reason: Reason
    #: What it is asked to do, in somebody's words.
    task: Words | None = None
    #: Who asked.
    by: str = ""
    #: The quest it is about.
    quest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a tool was asked in this turn, and what it said."""

    tool: str
    #: What it was given, as JSON.
    input: Words
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """The turn that is going on."""

    errand: Errand
    calls: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    #: What the tool was given that has not answered yet.
    input: Words | None = None
    #: Since when somebody outside is asked; None while it is nobody's turn outside.
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    stage: str
    name: str
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process with everything that a crash must not lose."""

    template: str
    problem: Words
    autonomy: Autonomy
    #: How many findings were on the board when it began: those after it may be its own.
    since: int = 0
    stage: int = 0
    status: ProcessStatus = "running"
    #: Turns that each agent of this stage has had; a mapping has no order once it is stored.
    counts: Mapping[str, int] = field(default_factory=dict)
    #: Turns that each agent had in the whole process.
    turns: Mapping[str, int] = field(default_factory=dict)
    artifacts: tuple[Artifact, ...] = ()
    #: What a person said meanwhile, for this stage.
    injected: tuple[Words, ...] = ()
    #: What this stage is to do now, if a person said so.
    goal: Words | None = None
    #: Whether an agent gave the signal that this stage is done.
    signalled: bool = False
    #: Stages that were left, one after another.
    passed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change to a file that an agent proposes and a person decides about."""

    id: str
    agent: str
    path: str
    diff: Words
    before: Words
    after: Words
    status: Literal["proposed", "applied", "rejected"] = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """Something that whoever plays an agent from outside wants to do with its own hands, and a person decides about."""

    id: str
    agent: str
    title: Words
    kind: str
    status: Literal["asked", "allowed", "denied", "gone"] = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Realm:
    """One repository as a place."""

    id: str = ""
    path: str = ""
    name: str = ""
    #: The first commit of the repository: a moved copy is known by it.
    root: str = ""
    head: str = ""
    digest: str = ""
    linked_at: datetime | None = None
    visited_at: datetime | None = None
    #: The moment of the last step.
    at: datetime | None = None
    visits: int = 0
    is_removed: bool = False
    files: int = 0
    rules: Mapping[str, int] = field(default_factory=dict)
    #: Files with the gravest findings, by area.
    gravest: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The map, the survey, and what changed since the visit before, as JSON.
    map: Words | None = None
    survey: Words | None = None
    news: Words | None = None
    settings: Settings = Settings()
    #: Micro-dollars that models have cost here.
    spent: int = 0
    #: Other realms whose memory was taken over.
    inherited: tuple[str, ...] = ()
    agents: tuple[Agent, ...] = ()
    vaults: Mapping[str, Vault] = field(default_factory=dict)
    board: tuple[Finding, ...] = ()
    posted: int = 0
    quests: tuple[Quest, ...] = ()
    agenda: tuple[Errand, ...] = ()
    acting: Acting | None = None
    #: Whether agents wait for a person's approval before the next thing they do.
    is_held: bool = False
    process: Process | None = None
    edits: tuple[Edit, ...] = ()
    requests: tuple[PermissionRequest, ...] = ()
    #: Where the player is, room by room.
    where: tuple[str, ...] = ()

    @property
    def budget(self) -> int:
        """Micro-dollars that models may cost here."""
        return self.settings.budget_cents * 10_000

    @property
    def request(self) -> PermissionRequest | None:
        """What whoever acts now is waiting to be allowed."""
        acting = self.acting
        agent = None if acting is None else acting.errand.agent
        return next((one for one in self.requests if one.agent == agent and one.status == "asked"), None)

    def seat(self, id: str) -> Literal["gone", "waiting", "asked"]:
        """How it stands with whoever plays an agent from outside: has no seat here, waits, or is asked to act."""
        agent, acting = self.agent(id), self.acting
        if agent is None or not agent.outside or self.is_removed:
            return "gone"
        asked = acting is not None and acting.errand.agent == id and acting.asked_at is not None
        return "asked" if asked else "waiting"

    def agent(self, id: str) -> Agent | None:
        return next((agent for agent in self.agents if agent.id == id), None)

    def quest(self, id: str) -> Quest | None:
        return next((quest for quest in self.quests if quest.id == id), None)

    def edit(self, id: str) -> Edit | None:
        return next((edit for edit in self.edits if edit.id == id), None)
