"""What each event of an episode changes."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.arena.rules.content import SIDES, Side
from greenroom.worlds.arena.rules.episode import (
    TOLD,
    Ended,
    Episode,
    EpisodeEvent,
    Injected,
    Note,
    Opened,
    TurnLost,
    TurnTaken,
    other,
)
from greenroom.worlds.arena.rules.variables import changed, with_tension


def evolve(state: Episode, told: EventContext[EpisodeEvent]) -> Episode:
    return fold(state, told.event)


def fold(state: Episode, event: EpisodeEvent) -> Episode:
    """The state after an event."""
    match event:
        case Opened():
            return replace(
                state,
                config=event.config,
                episode=event.episode,
                goals=event.goals,
                variables=event.variables,
                scout_hypotheses=event.config.hypotheses,
            )
        case TurnTaken():
            return _by_a_side(state, event) if event.speaker in SIDES else _spoken(state, event)
        case TurnLost():
            return _lost(_refused(state, proposal=event.unread), event)
        case Injected():
            return replace(
                state,
                injections=(*state.injections, event.text),
                variables=with_tension(state.variables, event.tension),
            )
        case Ended():
            after = _refused(state, judgement=event.refused_judgements)
            return replace(after, is_terminal=True, end=event, tokens=state.tokens + event.tokens)
        case _:
            assert_never(event)


def _refused(state: Episode, **kinds: int) -> Episode:
    """With so many more refusals of each kind."""
    found = {kind: count for kind, count in kinds.items() if count}
    if not found:
        return state
    return replace(
        state, refusals={**state.refusals, **{kind: state.refusals.get(kind, 0) + n for kind, n in found.items()}}
    )


def _lost(state: Episode, event: TurnLost) -> Episode:
    """A side that could not be understood loses its turn; a created agent had none to lose."""
    after = replace(state, tokens=state.tokens + event.tokens)
    if event.speaker not in SIDES:
        return after
    return _next(replace(after, lost=state.lost + 1, signed=None), _side(event.speaker), event.turn)


def _side(speaker: str) -> Side:
    return "a" if speaker == "a" else "b"


def _next(state: Episode, side: Side, turn: int) -> Episode:
    return replace(state, turn_number=turn, current_speaker=other(side))


def _spoken(state: Episode, event: TurnTaken) -> Episode:
    """What anybody's turn changes: variables, the room, what can be looked back on."""
    variables = state.variables
    for mutation in event.mutations:
        after = changed(variables, mutation)
        variables = variables if after is None else after
    guest = event.speaker not in SIDES
    state = _refused(
        state,
        proposal=event.unread,
        path=0 if guest else event.refused.count("denied"),
        created_agent=len(event.refused) if guest else 0,
    )
    note = Note(turn=event.turn, speaker=event.speaker, act=event.act, said=event.said, thought=event.thought)
    notes = (*state.notes, note)
    return replace(
        state,
        variables=with_tension(variables, event.tension),
        tokens=state.tokens + event.tokens,
        notes=notes[-TOLD:],
        long_ago=_counted(state.long_ago, notes[:-TOLD]),
    )


def _counted(long_ago: dict[str, int], notes: tuple[Note, ...]) -> dict[str, int]:
    for note in notes:
        long_ago = {**long_ago, note.act: long_ago.get(note.act, 0) + 1}
    return long_ago


def _by_a_side(state: Episode, event: TurnTaken) -> Episode:
    side = _side(event.speaker)
    offers, claims, denied = state.offers, state.claims, state.denied
    if event.deal is not None:
        offers = {**offers, side: (*offers[side], event.deal)}
    if event.act == "bluff":
        claims = {**claims, side: claims[side] + 1}
    if reached := event.refused.count("denied"):
        denied = {**denied, side: denied[side] + reached}
    after = replace(
        _spoken(state, event),
        offers=offers,
        claims=claims,
        denied=denied,
        signed=side if event.propose_resolution else None,
    )
    return _next(after, side, event.turn)
