"""Who sees what: monologues and goals are for their owner and the operator, a run is for the operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.arena.rules import episode as ep
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import SIDES, Content
from greenroom.worlds.arena.rules.retention import FAILURE

# an episode


def episode_seats(state: ep.Episode) -> Sequence[Seat]:
    return SIDES if state.config is not None else ()


def episode_view(content: Content, state: ep.Episode, seat: Seat, now: datetime) -> Mapping[str, Any]:
    """What is public, and for a side its own goals and thoughts."""
    if state.config is None:
        return {"turn": 0}
    scenario = content.scenario(state.config.scenario)
    ended = {"reason": state.end.reason, "scores": state.end.scores} if state.end else None
    return {
        "scenario": scenario.title,
        "turn": state.turn_number,
        "speaker": state.current_speaker,
        "over": state.is_terminal,
        "variables": state.variables,
        "injections": state.injections,
        "hypotheses": state.scout_hypotheses if seat in (*SIDES, OPERATOR) else (),
        "signed": state.signed,
        "notes": [_note(note, seat) for note in state.notes],
        "goals": _goals(content, state, seat),
        "end": ended,
    }


def _note(note: ep.Note, seat: Seat) -> Mapping[str, Any]:
    seen = {"turn": note.turn, "speaker": note.speaker, "said": note.said.shown}
    own = {"act": note.act, "thought": note.thought.shown}
    return {**seen, **own} if seat in (note.speaker, OPERATOR) else seen


def _goals(content: Content, state: ep.Episode, seat: Seat) -> Mapping[str, Any]:
    assert state.config is not None
    actors = content.scenario(state.config.scenario).actors
    sides = SIDES if seat == OPERATOR else tuple(side for side in SIDES if side == seat)
    return {side: {"goals": actors[side].goals, "numbers": state.goals[side]} for side in sides}


def episode_shows(
    content: Content, state: ep.Episode, told: EventContext[ep.EpisodeEvent], seat: Seat
) -> Mapping[str, Any] | None:
    event = told.event
    match event:
        case ep.Opened():
            scenario = content.scenario(event.config.scenario)
            return {"scenario": scenario.title, "opening": scenario.opening}
        case ep.TurnTaken():
            own = {"thought": event.thought.shown, "act": event.act} if seat in (event.speaker, OPERATOR) else {}
            refused = {"refused": event.refused} if event.refused and seat in (event.speaker, OPERATOR) else {}
            return {
                "turn": event.turn,
                "speaker": event.speaker,
                "name": _name(content, state, event.speaker),
                "said": event.said.shown,
                "changes": event.mutations,
                "signs": event.propose_resolution,
                "leaves": event.abort_episode,
                "tension": event.tension,
                **own,
                **refused,
            }
        case ep.TurnLost():
            name = _name(content, state, event.speaker)
            return {"turn": event.turn, "speaker": event.speaker, "name": name, "lost": event.why}
        case ep.Injected():
            return {"headline": event.text, "tension": event.tension}
        case ep.Ended():
            judged = {"rationale": event.rationale.shown} if seat == OPERATOR else {}
            return {"reason": event.reason, "scores": event.scores, **judged}


def _name(content: Content, state: ep.Episode, speaker: Seat) -> str:
    """Of a side as the scenario has it; of a created agent what it is."""
    assert state.config is not None
    if speaker in SIDES:
        return content.scenario(state.config.scenario).actors["a" if speaker == "a" else "b"].name
    return next((one.archetype.replace("_", " ") for one in state.config.guests if one.profile == speaker), speaker)


def episode_reply(
    content: Content, state: ep.Episode, events: Sequence[EventContext[ep.EpisodeEvent]], seat: Seat
) -> Mapping[str, Any]:
    ended = state.end
    return {"turns": state.turn_number, "over": state.is_terminal, "scores": ended.scores if ended else None}


# a run


def run_seats(state: r.Run) -> Sequence[Seat]:
    return ()


def run_view(content: Content, state: r.Run, seat: Seat, now: datetime) -> Mapping[str, Any]:
    """How far it is, for everybody; the rest is the operator's."""
    if state.config is None:
        return {"generation": 0}
    public = {
        "scenario": state.config.scenario,
        "generation": state.number,
        "generations": state.config.generations,
        "phase": state.phase,
        "episodes": state.episodes,
        "lineage": state.lineage,
        "proof": state.proof,
    }
    if seat != OPERATOR:
        return public
    return {
        **public,
        "config": state.config,
        "turns": state.turns,
        "champions": state.champions,
        "profiles": state.profiles,
        "history": state.generations,
        "archive": state.archive,
        "agents": state.agents,
        "constraints": state.constraints,
        "hypotheses": state.hypotheses,
        "refusals": state.refusals,
        "stale": state.stale,
        "worst": _worst(state),
        "kept": len(state.ledger),
        "archived_upto": state.archived_upto,
        "released_upto": state.released_upto,
    }


#: Failed episodes that an operator is offered to read.
_OFFERED = 8


def _worst(state: r.Run) -> Sequence[Mapping[str, Any]]:
    """The newest episodes of epochs that went badly, as long as they can be read."""
    lost = [one for one in state.ledger if one.purpose == "epoch" and one.score < 0]
    return [
        {name: getattr(one, name) for name in ("stream", "generation", "a", "b", "scores", "reason", "turns")}
        for one in reversed(lost)
        if one.worst <= FAILURE or one.generation > state.released_upto
    ][:_OFFERED]


def run_shows(content: Content, state: r.Run, told: EventContext[r.Event], seat: Seat) -> Mapping[str, Any] | None:
    event = told.event
    if isinstance(event, r.RunClosed):
        return {"proof": event.proof, "lineage": state.lineage}
    if isinstance(event, r.EpochPlayed):
        seen = {"generation": event.generation.number, "training": event.generation.training}
        return {**seen, **_epoch(event)} if seat == OPERATOR else seen
    if seat != OPERATOR:
        return None
    return _operators(state, event)


def _epoch(event: r.EpochPlayed) -> Mapping[str, Any]:
    """Who sat in the chair, and the talk worth reading: the worst if one was lost, else the best."""
    talks = [one for one in event.played if one.purpose == "epoch" and one.stream]
    seen: dict[str, Any] = {"champion": event.generation.champion, "held_out": event.generation.held_out}
    if not talks:
        return seen
    lost = min(talks, key=lambda one: (one.score, one.stream))
    best = max(talks, key=lambda one: (one.score, one.stream))
    how, chosen = ("worst", lost) if lost.score < 0 else ("best", best)
    scene = {name: getattr(chosen, name) for name in ("stream", "a", "b", "turns", "reason", "scores")}
    return {**seen, "scene": {"how": how, **scene}}


def _operators(state: r.Run, event: r.Event) -> Mapping[str, Any] | None:
    match event:
        case r.Begun():
            return {"scenario": event.config.scenario, "generations": event.config.generations}
        case r.VariantsMade():
            made = [{"profile": one.number, "stance": one.stance, "by": one.made_by} for one in event.profiles]
            return {"variants": made, "constraints": event.constraints, "refused": event.refused}
        case r.TrialPlayed():
            return {"episodes": len(event.played), "tried": event.tried, "accepted": event.accepted}
        case r.GenerationClosed():
            return {"generation": state.number, "lineage": event.lineage}
        case r.Scouted():
            return {"hypotheses": event.hypotheses}
        case r.Learned():
            return {"lessons": len(event.lessons), "failures": sum(one.failed for one in event.lessons)}
        case r.Retained():
            return {"archived": len(event.moved), "released": len(event.released)}
        case _:
            return _about_agents(event)


def _about_agents(event: r.Event) -> Mapping[str, Any] | None:
    match event:
        case r.Designed():
            return {"agent": event.agent.number, "archetype": event.agent.guest.archetype, "why": event.agent.rationale}
        case r.AgentTried():
            return {"agent": event.agent, "delta": event.delta, "p": event.p, "status": event.status}
        case r.DesignRefused():
            return {"refused": event.why}
        case r.Approved(agent=agent) | r.Rejected(agent=agent):
            return {"agent": agent}
        case _:
            return None


def run_reply(content: Content, state: r.Run, events: Sequence[EventContext[r.Event]], seat: Seat) -> Mapping[str, Any]:
    return {"generation": state.number, "phase": state.phase}
