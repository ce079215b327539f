"""One episode: how it is set up, what is true at one moment of it, and what can have happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec

from greenroom.kernel.asks import Json
from greenroom.kernel.worlds import Seat
from greenroom.worlds.arena.rules.content import ArenaAct, Side
from greenroom.worlds.arena.rules.negotiating import Goals
from greenroom.worlds.arena.rules.variables import StateMutation, Variables
from greenroom.worlds.arena.rules.words import Line

NAME = "arena_episode"

Mind: TypeAlias = Literal["parametric", "model"]
Archetype: TypeAlias = Literal["primary_actor", "disruptor_info", "disruptor_tension", "created_agent"]
Reason: TypeAlias = Literal["agreement", "abort_episode", "timeout", "corrupted", "token_limit"]

#: How many tokens all models of an episode may use together.
MOST_TOKENS = 50_000
#: How many lost turns end an episode.
MOST_LOST = 2
#: Turns that are told one by one to whoever comes next; older ones are counted.
TOLD = 10
#: After so many turns there is a headline.
NEWS_EVERY = 3


# how it is set up


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A profile as an episode is given it."""

    profile: str
    layer_2: str
    mind: Mind = "parametric"
    hyperparameters: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A created agent: speaks now and then, may never resolve or abort, and may change what it was given alone."""

    profile: str
    archetype: str
    prompt: str
    #: It speaks after every so many turns of the two.
    every: int
    paths: tuple[str, ...] = ()
    speaks: ArenaAct = "calm"
    mind: Mind = "parametric"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeConfig:
    """The config of an episode's stream. Everything that chance decides in it follows from ``seed``."""

    scenario: str
    seed: int
    a: Player
    b: Player
    guests: tuple[Guest, ...] = ()
    hypotheses: tuple[str, ...] = ()
    judge: Mind = "parametric"


# what is true


class Note(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One turn as those who come later may look back on it."""

    turn: int
    speaker: Seat
    act: str
    #: What was said aloud: a line of the content, or the words of a model.
    said: Line
    #: What was thought, for the speaker and the operator alone.
    thought: Line


def _no_offers() -> dict[Side, tuple[int, ...]]:
    return {"a": (), "b": ()}


def _none() -> dict[Side, int]:
    return {"a": 0, "b": 0}


class Episode(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One episode at one moment."""

    #: None until it was opened.
    config: EpisodeConfig | None = None
    #: The name that the episode was opened under; rows are named after it.
    episode: str = ""
    goals: dict[Side, Goals] = msgspec.field(default_factory=dict)
    #: Turns of the two that are over.
    turn_number: int = 0
    #: Whose turn it is.
    current_speaker: Side = "a"
    is_terminal: bool = False
    variables: Variables = msgspec.field(default_factory=dict)
    injections: tuple[str, ...] = ()
    scout_hypotheses: tuple[str, ...] = ()
    #: Deals put on the table, by number, oldest first.
    offers: dict[Side, tuple[int, ...]] = msgspec.field(default_factory=_no_offers)
    #: Who has signed what stands on the table.
    signed: Side | None = None
    claims: dict[Side, int] = msgspec.field(default_factory=_none)
    denied: dict[Side, int] = msgspec.field(default_factory=_none)
    lost: int = 0
    #: What was refused, by kind: a proposal or a judgement that was none, a path, what a created agent may not do.
    refusals: dict[str, int] = msgspec.field(default_factory=dict)
    tokens: int = 0
    #: The last turns; and how often each thing was done in those before.
    notes: tuple[Note, ...] = ()
    long_ago: dict[str, int] = msgspec.field(default_factory=dict)
    end: Ended | None = None


# what can have happened


class Opened(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    episode: str
    config: EpisodeConfig
    goals: dict[Side, Goals]
    variables: Variables


class TurnTaken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    turn: int
    #: ``a``, ``b``, or the profile of a created agent.
    speaker: Seat
    act: str
    thought: Line
    said: Line
    #: Changes that were made, and paths that were refused.
    mutations: tuple[StateMutation, ...] = ()
    refused: tuple[str, ...] = ()
    #: The number of the deal on the table, if this turn put one there.
    deal: int | None = None
    propose_resolution: bool = False
    abort_episode: bool = False
    #: Answers of the speaker before this one that were no proposal.
    unread: int = 0
    tokens: int = 0
    #: How hot the room is afterwards.
    tension: int = 1


class TurnLost(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Nobody could make sense of what the speaker proposed, however often it was asked."""

    turn: int
    speaker: Seat
    why: str
    unread: int = 1
    tokens: int = 0


class Injected(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A headline of the information disruptor."""

    text: str
    tension: int


class Ended(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    reason: Reason
    scores: dict[Side, int]
    #: Why each got what it got; a model's in words.
    rationale: Line
    #: Answers of the judge that could not be used.
    refused_judgements: int = 0
    tokens: int = 0


EpisodeEvent: TypeAlias = Opened | TurnTaken | TurnLost | Injected | Ended

EVENTS = {
    "opened": Opened,
    "turn_taken": TurnTaken,
    "turn_lost": TurnLost,
    "injected": Injected,
    "ended": Ended,
}


def snapshot(state: Episode) -> dict[str, Json]:
    """The ``GenericStateObject`` of the seed."""
    return {
        "turn_number": state.turn_number,
        "current_speaker_id": player_of(state, state.current_speaker).profile if state.config else "",
        "is_terminal": state.is_terminal,
        "variables": dict(state.variables),
        "scout_hypotheses": list(state.scout_hypotheses),
        "injections": list(state.injections),
    }


def player_of(state: Episode, side: Side) -> Player:
    assert state.config is not None
    return state.config.a if side == "a" else state.config.b


def other(side: Side) -> Side:
    return "b" if side == "a" else "a"


def outcome(state: Episode) -> Json | None:
    """What the run that played an episode is told."""
    end = state.end
    if end is None or state.config is None:
        return None
    return {
        "episode": state.episode,
        "scores": dict(end.scores),
        "turns": state.turn_number,
        "reason": end.reason,
        "refusals": dict(state.refusals),
        "tokens": state.tokens,
        "state": snapshot(state),
    }
