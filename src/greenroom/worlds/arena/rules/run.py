"""A run of evolution: how it is set up, what is true at one moment of it, and what can have happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from greenroom.kernel.asks import Json
from greenroom.kernel.tables import row_id
from greenroom.kernel.words import Words
from greenroom.worlds.arena.rules.acceptance import Rule
from greenroom.worlds.arena.rules.archive import Elite
from greenroom.worlds.arena.rules.content import Side, Stance
from greenroom.worlds.arena.rules.episode import Archetype, Guest, Mind, Reason
from greenroom.worlds.arena.rules.lessons import EMPTY, Lesson, Shelf

NAME = "arena"

Origin: TypeAlias = Literal["human", "mutator", "creator"]
Maker: TypeAlias = Literal["human", "parametric", "recombined", "model"]
RunStatus: TypeAlias = Literal["active", "shadow_trial", "archived"]
Survival: TypeAlias = Literal["active", "terminated", "pending_approval"]
Phase: TypeAlias = Literal["epoch", "trial", "proof", "over"]
Purpose: TypeAlias = Literal["epoch", "trial", "last_word", "held_out", "guest", "proof"]

#: Generations without progress after which an agent is designed, generations between two, and how many may be active.
STALE, COOL_DOWN, MOST_GUESTS = 5, 3, 3
#: The scout looks every so many generations.
SCOUT_EVERY = 5
#: So many similar failures make a constraint; so many constraints are kept.
RECURRING, MOST_CONSTRAINTS = 3, 4
#: The share of an epoch that the mutator looks at.
WORST = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The config of a run's stream. The same config gives the same lineage, in whatever house."""

    scenario: str
    generations: int = 30
    seed: int = 0
    islands: int = 2
    #: Every so many generations an island looks at its neighbour's champion.
    exchange: int = 6
    #: Episodes of an epoch, with fixed profiles.
    epoch: int = 10
    #: Episodes on held-out opponents, for every new champion; they decide nothing.
    held_out: int = 24
    #: Pairs of the proof at the end.
    proof: int = 120
    rule: Rule = field(default_factory=Rule)
    actors: Mind = "parametric"
    judge: Mind = "parametric"
    mutator: Mind = "parametric"
    auto_approve: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A configuration that can be given to an actor. Layer 1 follows from the scenario and is not here."""

    number: int
    generation: int
    archetype: Archetype
    layer_2: str
    parents: tuple[int, ...] = ()
    stance: Stance | None = None
    made_by: Maker = "human"
    hyperparameters: dict[str, float] = field(default_factory=dict)
    #: Mean score that it is expected to reach, from what it was taken for.
    baseline: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An episode as the run was told of it."""

    stream: str
    generation: int
    purpose: Purpose
    #: Who sat where: the number of a profile, or the name of a frozen opponent.
    a: str
    b: str
    #: Where the profile in question sat.
    side: Side
    scores: dict[Side, int]
    turns: int
    reason: Reason
    tokens: int = 0
    #: What was refused in it, by kind.
    refusals: dict[str, int] = field(default_factory=dict)
    state: Json = None
    #: When the run was told.
    at: datetime | None = None

    @property
    def score(self) -> int:
        """Of the profile in question."""
        return self.scores[self.side]

    @property
    def worst(self) -> int:
        return min(self.scores.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What became of one variant."""

    profile: int
    tactic: str
    #: Differences to the champion, pair by pair.
    differences: tuple[int, ...]
    mean: float
    p: float
    corrected: float
    verdict: Literal["accepted", "rejected", "culled", "unconfirmed"]
    #: Differences on the pool that has the last word.
    last_word: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One generation as it is remembered for good."""

    number: int
    island: int
    parent: int | None
    champion: int
    status: RunStatus = "active"
    #: Training scores of the epoch; and of the champion on held-out opponents, with the interval's half.
    training: float = 0.0
    training_error: float = 0.0
    held_out: float = 0.0
    held_out_error: float = 0.0
    tried: tuple[Tried, ...] = ()
    accepted: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedAgent:
    number: int
    generation: int
    guest: Guest
    rationale: str
    status: Survival = "pending_approval"
    approved: bool = False
    delta: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """Something the scout believes, in numbers, so that it can be scored afterwards."""

    generation: int
    text: str
    measure: Literal["agreement", "mean_score", "long_episodes"]
    low: float
    high: float
    #: Whether it came true in the epochs since; None until it was looked at.
    held: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The evolved side against the frozen baseline, both on opponents that nobody trained on."""

    champion: int
    evolved: float
    baseline: float
    margin: float
    low: float
    high: float
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run at one moment."""

    config: RunConfig | None = None
    phase: Phase = "epoch"
    #: The generation that is going on, or was last.
    number: int = 0
    #: By number.
    profiles: tuple[Profile, ...] = ()
    #: By island.
    champions: tuple[int, ...] = ()
    generations: tuple[Generation, ...] = ()
    #: Episodes of the last twenty generations.
    ledger: tuple[Played, ...] = ()
    archived_upto: int = 0
    released_upto: int = 0
    archive: dict[str, Elite] = field(default_factory=dict)
    #: Which lessons are remembered.
    shelf: Shelf = EMPTY
    constraints: tuple[str, ...] = ()
    agents: tuple[CreatedAgent, ...] = ()
    #: Generations since the last progress, and the one in which an agent was designed last.
    stale: int = 0
    designed_at: int = 0
    hypotheses: tuple[Hypothesis, ...] = ()
    #: What was refused, by kind.
    refusals: dict[str, int] = field(default_factory=dict)
    episodes: int = 0
    turns: int = 0
    proof: Proof | None = None
    #: The sum over number, parents, layers, scores and verdicts of all generations.
    lineage: str = ""


# commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Let a created agent be tried, and take part if it helps."""

    agent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """Do not let a created agent take part."""

    agent: int


Command: TypeAlias = Approve | Reject
COMMANDS = {"approve": Approve, "reject": Reject}


# events


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    config: RunConfig
    baseline: Profile
    #: Frozen opponents by name, with their layer 2.
    opponents: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochPlayed:
    """A generation has begun: its champion played ten episodes with fixed profiles."""

    generation: Generation
    played: tuple[Played, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantsMade:
    profiles: tuple[Profile, ...]
    constraints: tuple[str, ...]
    #: Proposals that were refused, and why.
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlayed:
    played: tuple[Played, ...]
    tried: tuple[Tried, ...]
    accepted: int | None
    #: Mean of each tried profile against the training pool, for the archive.
    means: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What is remembered from now on, and in the place of what."""

    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Designed:
    """The provisioner has designed an agent; it waits for a person unless the run approves by itself."""

    agent: CreatedAgent
    profile: Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignRefused:
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    agent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    agent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTried:
    agent: int
    played: tuple[Played, ...]
    delta: float
    p: float
    status: Survival


@dataclass(frozen=True, slots=True, kw_only=True)
class Scouted:
    """New hypotheses, and what became of the old ones."""

    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """Episodes that moved to the archive, and those whose streams went, logs and all."""

    moved: tuple[Played, ...]
    released: tuple[str, ...]
    archived_upto: int
    released_upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationClosed:
    lineage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunClosed:
    played: tuple[Played, ...]
    proof: Proof
    #: Words that tell the result, kept as a memory.
    words: Words | None = None


Event: TypeAlias = (
    Begun
    | EpochPlayed
    | VariantsMade
    | TrialPlayed
    | Learned
    | Designed
    | DesignRefused
    | Approved
    | Rejected
    | AgentTried
    | Scouted
    | Retained
    | GenerationClosed
    | RunClosed
)

EVENTS = {
    "begun": Begun,
    "epoch_played": EpochPlayed,
    "variants_made": VariantsMade,
    "trial_played": TrialPlayed,
    "learned": Learned,
    "designed": Designed,
    "design_refused": DesignRefused,
    "approved": Approved,
    "rejected": Rejected,
    "agent_tried": AgentTried,
    "scouted": Scouted,
    "retained": Retained,
    "generation_closed": GenerationClosed,
    "run_closed": RunClosed,
}


def profile_id(run: str, key: int | str) -> str:
    """The id of a profile's row: by its number, or by the name of a frozen opponent."""
    return row_id(run, 1, f"profile/{key}")


def generation_id(run: str, number: int) -> str:
    return row_id(run, 1, f"generation/{number}")


def episode_id(stream: str) -> str:
    """The id of an episode's row, the same for its run and for itself."""
    return row_id(stream, 1, "episode")
