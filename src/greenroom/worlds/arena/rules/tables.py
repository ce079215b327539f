"""The tables of the seed, filled from events: nothing here is ever read by a rule.

A run writes generations, profiles, episodes, scores and created agents; an episode writes its own action logs, which go
with its stream. Archiving moves rows: an event of the run says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from greenroom.kernel.tables import Change, Column, Drop, Patch, Put, Table, row_id
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.arena.rules import run as r
from greenroom.worlds.arena.rules.content import SIDES, Content
from greenroom.worlds.arena.rules.episode import (
    Archetype,
    Episode,
    EpisodeEvent,
    Reason,
    TurnLost,
    TurnTaken,
    player_of,
)
from greenroom.worlds.arena.rules.prompts import layer_1

GENERATIONS = Table(
    name="arena_generations",
    key=("id",),
    columns=(
        Column(name="id"),
        Column(name="number", kind="integer"),
        Column(name="island", kind="integer"),
        Column(name="created_at", kind="moment"),
        Column(name="status", among=get_args(r.RunStatus)),
        Column(name="parent_generation_id", optional=True),
        Column(name="training_mean", kind="real", optional=True),
        Column(name="held_out_mean", kind="real", optional=True),
    ),
    indexes=(("status",),),
)
PROFILES = Table(
    name="arena_agent_profiles",
    key=("id",),
    columns=(
        Column(name="id"),
        Column(name="number", kind="integer", optional=True),
        Column(name="name", optional=True),
        Column(name="generation_id", optional=True),
        Column(name="archetype", among=get_args(Archetype)),
        Column(name="system_prompt"),
        Column(name="layer_1"),
        Column(name="layer_2"),
        Column(name="parents", kind="json"),
        Column(name="stance", optional=True),
        Column(name="hyperparameters", kind="json"),
        Column(name="expected_performance_baseline", kind="real"),
        Column(name="created_by", among=get_args(r.Origin)),
    ),
    indexes=(("generation_id",),),
)
_EPISODE_COLUMNS = (
    Column(name="id"),
    Column(name="episode"),
    Column(name="generation_id"),
    Column(name="agent_a_profile_id"),
    Column(name="agent_b_profile_id"),
    Column(name="agent_a_score", kind="integer", between=(-5, 5)),
    Column(name="agent_b_score", kind="integer", between=(-5, 5)),
    Column(name="total_turns", kind="integer"),
    Column(name="termination_reason", among=get_args(Reason)),
    Column(name="final_state_snapshot", kind="json", optional=True),
    Column(name="is_shadow_trial", kind="boolean"),
    Column(name="purpose", among=get_args(r.Purpose)),
    Column(name="scout_hypotheses", kind="json", optional=True),
    Column(name="created_at", kind="moment"),
)
EPISODES = Table(
    name="arena_episodes",
    key=("id",),
    columns=_EPISODE_COLUMNS,
    indexes=(("generation_id", "agent_a_score"), ("is_shadow_trial",)),
)
EPISODES_ARCHIVE = Table(name="arena_episodes_archive", key=("id",), columns=_EPISODE_COLUMNS)
SCORES = Table(
    name="arena_episode_scores",
    key=("episode_id", "actor"),
    columns=(
        Column(name="episode_id"),
        Column(name="actor"),
        Column(name="profile_id"),
        Column(name="score", kind="integer", between=(-5, 5)),
    ),
)
CREATED = Table(
    name="arena_created_agents",
    key=("id",),
    columns=(
        Column(name="id"),
        Column(name="number", kind="integer"),
        Column(name="creator_trigger_generation_id"),
        Column(name="agent_profile_id"),
        Column(name="archetype_designed"),
        Column(name="design_rationale"),
        Column(name="shadow_trial_score_delta", kind="real", optional=True),
        Column(name="status", among=get_args(r.Survival)),
        Column(name="created_at", kind="moment"),
    ),
    indexes=(("status",),),
)
ACTION_LOGS = Table(
    name="arena_action_logs",
    key=("id",),
    log=True,
    columns=(
        Column(name="id"),
        Column(name="episode_id"),
        Column(name="turn_number", kind="integer"),
        Column(name="speaker_id"),
        # What a negotiator without a model thought and said; a model's words stand apart, as words do.
        Column(name="internal_monologue", optional=True),
        Column(name="public_dialogue", optional=True),
        Column(name="monologue_words", kind="words", optional=True),
        Column(name="dialogue_words", kind="words", optional=True),
        Column(name="state_mutations", kind="json"),
        Column(name="refused", kind="json", optional=True),
        Column(name="propose_resolution", kind="boolean"),
        Column(name="abort_episode", kind="boolean"),
        Column(name="token_usage", kind="integer"),
    ),
    indexes=(("episode_id", "turn_number"),),
)
TABLES = (GENERATIONS, PROFILES, EPISODES, EPISODES_ARCHIVE, SCORES, CREATED)
EPISODE_TABLES = (ACTION_LOGS,)

#: Who made a profile, as the seed has it.
_ORIGINS: Mapping[str, r.Origin] = {
    "human": "human",
    "parametric": "mutator",
    "recombined": "mutator",
    "model": "mutator",
}


# a run's


def rows(content: Content, state: r.Run, told: EventContext[r.Event]) -> Iterable[Change]:
    """What an event of a run changes in its tables."""
    event = told.event
    match event:
        case r.Begun():
            yield _profile(content, state, told.stream, event.baseline)
            for name, layer_2 in event.opponents.items():
                yield _opponent(told.stream, name, layer_2)
        case r.EpochPlayed():
            if len(state.generations) > 1:
                before = r.generation_id(told.stream, state.generations[-2].number)
                yield Patch(GENERATIONS.name, {"id": before}, {"status": "archived"})
            yield _generation(told, state.generations[-1])
            yield from _episodes(told, state, event.played)
        case r.VariantsMade():
            for profile in event.profiles:
                yield _profile(content, state, told.stream, profile)
        case r.TrialPlayed():
            yield _generation(told, state.generations[-1])
            yield from _episodes(told, state, event.played)
        case _:
            yield from _later(content, state, told)


def _later(content: Content, state: r.Run, told: EventContext[r.Event]) -> Iterable[Change]:
    event = told.event
    match event:
        case r.Designed():
            yield _profile(content, state, told.stream, event.profile)
            yield _created(told, event.agent)
        case r.AgentTried(agent=agent):
            yield from _episodes(told, state, event.played)
            yield _created(told, state.agents[agent - 1])
        case r.Approved(agent=agent) | r.Rejected(agent=agent):
            yield _created(told, state.agents[agent - 1])
        case r.Retained():
            for played in event.moved:
                values = _episode(told.stream, played)
                yield Drop(EPISODES.name, {"id": values["id"]})
                yield Put(EPISODES_ARCHIVE.name, values)
        case r.RunClosed():
            yield from _episodes(told, state, event.played)
        case _:
            pass


def _generation(told: EventContext[r.Event], one: r.Generation) -> Change:
    return Put(
        GENERATIONS.name,
        {
            "id": r.generation_id(told.stream, one.number),
            "number": one.number,
            "island": one.island,
            "created_at": told.at,
            "status": one.status,
            "parent_generation_id": None if one.parent is None else r.generation_id(told.stream, one.parent),
            "training_mean": one.training,
            "held_out_mean": one.held_out,
        },
    )


def _profile(content: Content, state: r.Run, run: str, one: r.Profile) -> Change:
    assert state.config is not None
    guest = one.archetype == "created_agent"
    first = "" if guest else layer_1(content.scenario(state.config.scenario), "a")
    return Put(
        PROFILES.name,
        {
            "id": r.profile_id(run, one.number),
            "number": one.number,
            "generation_id": r.generation_id(run, one.generation) if one.generation else None,
            "archetype": one.archetype,
            "system_prompt": f"{first}\n\n{one.layer_2}".strip(),
            "layer_1": first,
            "layer_2": one.layer_2,
            "parents": list(one.parents),
            "stance": one.stance,
            "hyperparameters": one.hyperparameters,
            "expected_performance_baseline": one.baseline,
            "created_by": "creator" if guest else _ORIGINS[one.made_by],
        },
    )


def _opponent(run: str, name: str, layer_2: str) -> Change:
    return Put(
        PROFILES.name,
        {
            "id": r.profile_id(run, name),
            "name": name,
            "archetype": "primary_actor",
            "system_prompt": layer_2,
            "layer_1": "",
            "layer_2": layer_2,
            "parents": [],
            "hyperparameters": {},
            "expected_performance_baseline": 0.0,
            "created_by": "human",
        },
    )


def _episodes(told: EventContext[r.Event], state: r.Run, played: Iterable[r.Played]) -> Iterable[Change]:
    for one in played:
        values = _episode(told.stream, one)
        yield Put(EPISODES.name, values)
        for side in SIDES:
            yield Put(
                SCORES.name,
                {
                    "episode_id": values["id"],
                    "actor": side,
                    "profile_id": values[f"agent_{side}_profile_id"],
                    "score": one.scores[side],
                },
            )


def _episode(run: str, one: r.Played) -> dict[str, Any]:
    state = one.state if isinstance(one.state, dict) else {}
    return {
        "id": r.episode_id(one.stream),
        "episode": one.stream,
        "generation_id": r.generation_id(run, one.generation),
        "agent_a_profile_id": r.profile_id(run, _key(one.a)),
        "agent_b_profile_id": r.profile_id(run, _key(one.b)),
        "agent_a_score": one.scores["a"],
        "agent_b_score": one.scores["b"],
        "total_turns": one.turns,
        "termination_reason": one.reason,
        "final_state_snapshot": one.state,
        "is_shadow_trial": one.purpose != "epoch",
        "purpose": one.purpose,
        "scout_hypotheses": state.get("scout_hypotheses"),
        "created_at": one.at,
    }


def _key(who: str) -> int | str:
    return int(who) if who.isdigit() else who


def _created(told: EventContext[r.Event], one: r.CreatedAgent) -> Change:
    return Put(
        CREATED.name,
        {
            "id": row_id(told.stream, 1, f"agent/{one.number}"),
            "number": one.number,
            "creator_trigger_generation_id": r.generation_id(told.stream, one.generation),
            "agent_profile_id": one.guest.profile,
            "archetype_designed": one.guest.archetype,
            "design_rationale": one.rationale,
            "shadow_trial_score_delta": one.delta,
            "status": one.status,
            "created_at": told.at,
        },
    )


# an episode's


def episode_rows(state: Episode, told: EventContext[EpisodeEvent]) -> Iterable[Change]:
    """One log for every turn, and one for a turn that was lost."""
    event = told.event
    if isinstance(event, TurnTaken):
        yield Put(
            ACTION_LOGS.name,
            {
                "id": told.row_id(),
                "episode_id": r.episode_id(state.episode),
                "turn_number": event.turn,
                "speaker_id": _speaker(state, event.speaker),
                "internal_monologue": event.thought.text,
                "public_dialogue": event.said.text,
                "monologue_words": event.thought.words,
                "dialogue_words": event.said.words,
                "state_mutations": [
                    {"action": one.action, "path": one.path, "value": one.value} for one in event.mutations
                ],
                "refused": list(event.refused) or None,
                "propose_resolution": event.propose_resolution,
                "abort_episode": event.abort_episode,
                "token_usage": event.tokens,
            },
        )
    elif isinstance(event, TurnLost):
        yield Put(
            ACTION_LOGS.name,
            {
                "id": told.row_id(),
                "episode_id": r.episode_id(state.episode),
                "turn_number": event.turn,
                "speaker_id": _speaker(state, event.speaker),
                "state_mutations": [],
                "refused": [event.why],
                "propose_resolution": False,
                "abort_episode": False,
                "token_usage": event.tokens,
            },
        )


def _speaker(state: Episode, speaker: str) -> str:
    return player_of(state, "a" if speaker == "a" else "b").profile if speaker in SIDES else speaker
