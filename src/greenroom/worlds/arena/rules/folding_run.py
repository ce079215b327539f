"""What each event of a run changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.archive import kept
from greenroom.worlds.arena.rules.lessons import shelved
from greenroom.worlds.arena.rules.strategy import read


def evolve(state: r.Run, told: EventContext[r.Event]) -> r.Run:
    return fold(state, told.event)


def fold(state: r.Run, event: r.Event) -> r.Run:
    """The state after an event."""
    match event:
        case r.Begun() | r.EpochPlayed() | r.VariantsMade() | r.TrialPlayed() | r.RunClosed():
            return _evolved(state, event)
        case r.Designed() | r.DesignRefused() | r.Approved() | r.Rejected() | r.AgentTried():
            return _about_agents(state, event)
        case r.Scouted():
            return replace(state, hypotheses=event.hypotheses)
        case r.Learned():
            return replace(state, shelf=shelved(state.shelf, event.lessons)[0])
        case r.Retained():
            gone = frozenset(one.stream for one in event.moved)
            return replace(
                state,
                ledger=tuple(one for one in state.ledger if one.stream not in gone),
                archived_upto=event.archived_upto,
                released_upto=event.released_upto,
            )
        case r.GenerationClosed():
            assert state.config is not None
            over = state.number >= state.config.generations
            return replace(state, lineage=event.lineage, phase="proof" if over else "epoch")
        case _:
            assert_never(event)


def _evolved(state: r.Run, event: r.Begun | r.EpochPlayed | r.VariantsMade | r.TrialPlayed | r.RunClosed) -> r.Run:
    match event:
        case r.Begun():
            return replace(
                state, config=event.config, profiles=(event.baseline,), champions=(0,) * event.config.islands
            )
        case r.EpochPlayed():
            before = tuple(replace(one, status="archived") for one in state.generations)
            begun = replace(event.generation, status="shadow_trial")
            return replace(
                _counted(state, event.played),
                phase="trial",
                number=event.generation.number,
                generations=(*before, begun),
            )
        case r.VariantsMade():
            after = replace(state, profiles=(*state.profiles, *event.profiles), constraints=event.constraints)
            return _refused(after, "mutation", len(event.refused))
        case r.TrialPlayed():
            return _tried(_counted(state, event.played), event)
        case r.RunClosed():
            return replace(_counted(state, event.played), phase="over", proof=event.proof)
        case _:
            assert_never(event)


def _counted(state: r.Run, played: Sequence[r.Played]) -> r.Run:
    after = replace(
        state,
        ledger=(*state.ledger, *played),
        episodes=state.episodes + len(played),
        turns=state.turns + sum(one.turns for one in played),
    )
    for one in played:
        for kind, count in one.refusals.items():
            after = _refused(after, kind, count)
    return after


def _refused(state: r.Run, kind: str, count: int) -> r.Run:
    if not count:
        return state
    return replace(state, refusals={**state.refusals, kind: state.refusals.get(kind, 0) + count})


def _tried(state: r.Run, event: r.TrialPlayed) -> r.Run:
    last = state.generations[-1]
    closed = replace(last, tried=event.tried, accepted=event.accepted, status="active")
    champions = state.champions
    if event.accepted is not None:
        champions = tuple(event.accepted if i == last.island else one for i, one in enumerate(champions))
    archive = state.archive
    for number, mean in event.means:
        archive = kept(archive, read(state.profiles[number].layer_2), number, mean)
    return replace(
        state,
        generations=(*state.generations[:-1], closed),
        champions=champions,
        archive=archive,
        stale=0 if event.accepted is not None else state.stale + 1,
    )


def _about_agents(state: r.Run, event: r.Designed | r.DesignRefused | r.Approved | r.Rejected | r.AgentTried) -> r.Run:
    match event:
        case r.Designed():
            return replace(
                state,
                agents=(*state.agents, event.agent),
                profiles=(*state.profiles, event.profile),
                designed_at=state.number,
            )
        case r.DesignRefused():
            return replace(_refused(state, "design", 1), designed_at=state.number)
        case r.Approved(agent=agent):
            return _agent(state, agent, approved=True)
        case r.Rejected(agent=agent):
            return _agent(state, agent, status="terminated")
        case r.AgentTried(agent=agent, delta=delta, status=status):
            return _agent(_counted(state, event.played), agent, delta=delta, status=status)
        case _:
            assert_never(event)


def _agent(state: r.Run, number: int, **changes: object) -> r.Run:
    return replace(
        state,
        agents=tuple(replace(one, **changes) if one.number == number else one for one in state.agents),  # type: ignore[arg-type]
    )
