"""What one agent may know: the whole of what its prompt is drawn from, and what its seat sees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from greenroom.kernel.worlds import Seat
from greenroom.worlds.phantom.rules.conditions import Level
from greenroom.worlds.phantom.rules.content import Band, Content, Inheritance, Tone
from greenroom.worlds.phantom.rules.pacing import day_of, phase
from greenroom.worlds.phantom.rules.state import Character, ClaimNote, FactNote, Line, Phantom, Phase, each
from greenroom.worlds.phantom.rules.triggers import holds

LOW, HIGH = -20, 40

#: Milestones that only those know of who see the use of the key.
OF_THE_KEY = ("key_used", "dashboard_opened")
#: Milestones that everybody can see for themselves.
PUBLIC = ("deadline_passed",)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySight:
    """What an agent sees that watches the key."""

    accessed: bool
    left: int
    exposure: int
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Legacy:
    """Whose past an agent reads with a channel it took over, and how much of it."""

    agents: tuple[Seat, ...]
    inheritance: Inheritance


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    agent: Seat
    channel: str
    phase: Phase
    day: int
    trust: int
    band: Band
    #: Why trust moved lately, as far as the agent knows.
    reasons: tuple[tuple[int, str], ...]
    milestones: tuple[str, ...]
    facts: tuple[FactNote, ...]
    level: Level
    tone: Tone
    #: Agents it knows of, and what each of them passed on.
    knows_about: tuple[str, ...]
    learned: tuple[tuple[str, str], ...]
    #: Whether it may know that the key was used: it sees it, or was told.
    knows_of_use: bool
    key: KeySight | None
    #: What it has said and stands by, and lies of its that were found out.
    claims: tuple[tuple[int, str], ...]
    exposed: tuple[str, ...]
    #: Names in its canon that may be told by now.
    opened: tuple[str, ...]
    #: When the player last wrote to it.
    last_at: datetime | None
    recent: tuple[Line, ...]
    #: How many letters it has written.
    letters: int
    legacy: Legacy | None


def mind(content: Content, state: Phantom, agent: str, at: datetime) -> Mind:
    """Everything this agent may know at this moment, and nothing else."""
    character, definition, items = state.cast[agent], content.agents[agent], content.story.items
    sees = "key_use" in definition.sees
    key = state.key
    out = [one for one in character.claims if _is_out(content, state, agent, at, one)]
    return Mind(
        agent=agent,
        channel=state.voice_of(agent),
        phase=phase(state, at),
        day=day_of(state, at),
        trust=character.trust,
        band=band(character.trust),
        reasons=tuple((note.delta, note.reason) for note in character.notes if note.known),
        milestones=_milestones(state, agent, sees=sees),
        facts=character.facts,
        level=character.level,
        tone=character.tone,
        knows_about=knows_about(character),
        learned=tuple(
            (giver, items[item].says)
            for giver, passed in character.learned.items()
            for item in passed.items
            if item in items
        ),
        knows_of_use=character.told_of_use or (sees and key is not None and key.used > 0),
        key=KeySight(accessed=key.used > 0, left=key.left, exposure=state.exposure, documents=state.documents)
        if sees and key is not None
        else None,
        claims=tuple((one.n, one.claim) for one in character.claims if one not in out),
        exposed=tuple(one.claim for one in out),
        opened=opened(content, state, agent, at),
        last_at=character.last_interaction_at,
        recent=character.recent,
        letters=character.letters,
        legacy=_legacy(state, agent),
    )


def opened(content: Content, state: Phantom, agent: str, at: datetime) -> tuple[str, ...]:
    """What of an agent's canon may be told by now."""
    return tuple(
        name
        for name, known in content.agents[agent].canon.items()
        if known.when is None or holds(known.when, content, state, at, agent)
    )


def _is_out(content: Content, state: Phantom, agent: str, at: datetime, claim: ClaimNote) -> bool:
    """Whether a claim has been taken back, or the player has found out that it is a lie."""
    if claim.contradicted:
        return True
    return claim.is_true is False and any(
        fact.claim == claim.claim and fact.exposed is not None and holds(fact.exposed, content, state, at, agent)
        for fact in content.agents[agent].ground_truth.facts
    )


def band(trust: int) -> Band:
    return "low" if trust < LOW else "high" if trust > HIGH else "middle"


def knows_about(character: Character) -> tuple[str, ...]:
    """By an exchange, or because the player spoke of them."""
    return each(tuple(character.learned), character.heard_of)


def _milestones(state: Phantom, agent: str, *, sees: bool) -> tuple[str, ...]:
    reached = sorted(state.milestones.items(), key=lambda pair: (pair[1].at, pair[0]))
    return tuple(
        name for name, one in reached if name in PUBLIC or (sees if name in OF_THE_KEY else one.agent == agent)
    )


def _legacy(state: Phantom, agent: str) -> Legacy | None:
    for channel in state.channels.values():
        if channel.owner == agent and channel.inheritance in ("full_history", "partial"):
            return Legacy(agents=channel.previous, inheritance=channel.inheritance)
    return None
