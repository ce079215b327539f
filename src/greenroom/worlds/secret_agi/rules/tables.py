"""The seed's tables, written from events: games, states, players, actions, events, chat, metrics.

A turn number is the version less one: the beginning is turn 0 and every action, valid or not, has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias, get_args

import msgspec

from greenroom.kernel.codec import canonical, once
from greenroom.kernel.tables import Change, Column, Patch, Put, Table, plain, row_id
from greenroom.kernel.worlds import EventContext
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.commands import ACTIONS, Discussion
from greenroom.worlds.secret_agi.rules.papers import Role, Side, side_of
from greenroom.worlds.secret_agi.rules.state import Agent, Game, Player, all_voted, place_of

#: A whole state is kept at the beginning, at the end, and every so many turns; the others have their checksum.
STATE_EVERY = 64

_ID = Column(name="id")
_GAME = Column(name="game_id")
_TURN = Column(name="turn_number", kind="integer")
#: Strictly increasing within a game: the timeline is a union ordered by (turn_number, sequence).
_SEQUENCE = Column(name="sequence", kind="integer")
_PLAYER = Column(name="player_id")
_CREATED = Column(name="created_at", kind="moment")

GAMES = Table(
    name="agi_games",
    key=(),  # the stream alone names the row
    columns=(
        _ID,
        _CREATED,
        Column(name="updated_at", kind="moment"),
        Column(name="status", among=("active", "completed", "failed", "paused")),
        Column(name="config", kind="json"),
        Column(name="current_turn", kind="integer"),
        Column(name="final_outcome", kind="json", optional=True),
        Column(name="metadata", kind="json"),
    ),
    indexes=(("status",),),
)
STATES = Table(
    name="agi_game_states",
    key=("turn_number",),
    log=True,
    columns=(
        _ID,
        _GAME,
        _TURN,
        Column(name="state_data", kind="json", optional=True),
        _CREATED,
        Column(name="checksum"),
    ),
    indexes=(("game_id", "turn_number"),),
)
PLAYERS = Table(
    name="agi_players",
    key=("player_id",),
    columns=(
        _ID,
        _GAME,
        _PLAYER,
        Column(name="agent_type", among=get_args(Agent)),
        Column(name="agent_config", kind="json"),
        Column(name="role", among=get_args(Role)),
        Column(name="allegiance", among=get_args(Side)),
        Column(name="alive", kind="boolean"),
    ),
    indexes=(("game_id", "player_id"),),
)
ACTION_ROWS = Table(
    name="agi_actions",
    key=("turn_number",),
    log=True,
    columns=(
        _ID,
        _GAME,
        _TURN,
        _SEQUENCE,
        _PLAYER,
        Column(name="action_type", among=tuple(ACTIONS)),
        Column(name="action_data", kind="json"),
        Column(name="is_valid", kind="boolean", optional=True),
        Column(name="error_message", optional=True),
        Column(name="processing_time_ms", kind="integer", optional=True),
        _CREATED,
    ),
    indexes=(("game_id", "turn_number"), ("game_id", "player_id"), ("game_id", "is_valid")),
)
EVENT_ROWS = Table(
    name="agi_events",
    key=("sequence",),
    log=True,
    columns=(
        _ID,
        _GAME,
        _TURN,
        _SEQUENCE,
        Column(name="event_type", among=tuple(sorted(set(e.EVENT_TYPES.values())))),
        Column(name="player_id", optional=True),
        Column(name="event_data", kind="json"),
        _CREATED,
    ),
    indexes=(("game_id", "turn_number"), ("game_id", "event_type")),
)
CHAT = Table(
    name="agi_chat_messages",
    key=("sequence",),
    log=True,
    columns=(
        _ID,
        _GAME,
        _TURN,
        _SEQUENCE,
        Column(name="speaker_id"),
        Column(name="message", kind="words"),
        Column(name="phase", among=("pre_nomination", "pre_vote")),
        _CREATED,
    ),
    indexes=(("game_id", "turn_number"),),
)
METRICS = Table(
    name="agi_agent_metrics",
    key=("turn_number",),
    log=True,
    columns=(
        _ID,
        _GAME,
        _PLAYER,
        _TURN,
        Column(name="tokens_used", kind="integer", optional=True),
        Column(name="response_time_ms", kind="integer", optional=True),
        Column(name="invalid_attempts", kind="integer"),
        Column(name="internal_state_size", kind="integer", optional=True),
        Column(name="memory_usage_mb", kind="real", optional=True),
        _CREATED,
    ),
    indexes=(("game_id", "player_id"),),
)
TABLES = (GAMES, STATES, PLAYERS, ACTION_ROWS, EVENT_ROWS, CHAT, METRICS)

#: What the rows of one event share.
Place: TypeAlias = dict[str, Any]

#: Events after which the game's row is written whole, so that a branch has one of its own.
_WHOLE = (e.GameStarted, e.ProposalBegan, e.GameEnded, e.GamePaused, e.GameResumed, e.Reseated)
#: Actions and other events after which a step always goes on.
_FOLLOWED = (e.PaperPublished, e.AllegianceViewed, e.DirectorChosen, e.PlayerEliminated)
_GO_ON = ("publish_paper", "respond_veto", "use_power", "send_chat_message")


def rows(game: Game, told: EventContext[e.Event]) -> Iterable[Change]:
    """The same id serves the rows of one event in every table, where it stands once."""
    event = told.event
    place = {
        "id": row_id(told.stream, told.version, f"{told.ordinal}/"),
        "game_id": told.stream,
        "turn_number": told.version - 1,
        "created_at": plain(told.at),
    }
    if type(event) is e.Attempted:
        found = _action(place, sequence(told), event)
    else:
        found = [_event(place, told), *_others(game, place, told)]
        if isinstance(event, _WHOLE):
            found.append(_game(game, told))
    if not _goes_on(game, event):
        found.append(_state(game, place, isinstance(event, e.GameEnded)))
    return found


def sequence(told: EventContext[Any]) -> int:
    return told.version * 100 + told.ordinal


def _event(place: Place, told: EventContext[e.Event]) -> Change:
    event = told.event
    kind = e.KINDS[type(event)]
    named = e.EVENT_TYPES[kind]
    values = {
        "sequence": sequence(told),
        "event_type": named,
        "player_id": getattr(event, "seat", None),
        "event_data": _json(event) if named == kind else _json({"change": kind, **msgspec.structs.asdict(event)}),
    }
    return Put("agi_events", {**place, **values})


def _json(value: Any) -> msgspec.Raw:
    return msgspec.Raw(canonical(value))


#: What an action was, on whom, with which paper or power, the ballot or answer, and whether chance decided.
Deed: TypeAlias = tuple[str, str | None, str | None, str | None, bool | None, bool]


@lru_cache(maxsize=1024)
def _told_action(deed: Deed) -> tuple[msgspec.Raw, msgspec.Raw]:
    """An action and its parameters as JSON, under the names its command has; there are few, told again and again."""
    action, target, paper, power, yes, fallback = deed
    ballot = "agree" if action == "respond_veto" else "vote"
    given = {"target_id": target, "paper_id": paper, "power_type": power, ballot: yes, "fallback": fallback or None}
    data = {name: value for name, value in given.items() if value is not None}
    return _json({"action": action, **data}), _json(data)


def _data(event: e.Attempted) -> tuple[msgspec.Raw, msgspec.Raw]:
    """What the event's row and the action's row hold of an action."""
    if event.words is None:
        return _told_action((event.action, event.target, event.paper, event.power, event.yes, event.fallback))
    said = {"message": event.words.id} | ({"fallback": True} if event.fallback else {})
    return _json({"action": event.action, **said}), _json(said)


def _action(place: Place, at: int, event: e.Attempted) -> list[Change]:
    """Whole rows: most rows are of actions, and one that lacks no column is filled fastest."""
    noted, data = _data(event)
    seat, error = event.seat, event.error
    noted_row = {**place, "sequence": at, "event_type": "action_attempted", "player_id": seat, "event_data": noted}
    acted = {
        **place,
        "sequence": at,
        "player_id": seat,
        "action_type": event.action,
        "action_data": data,
        "is_valid": not error,
        "error_message": error or None,
        "processing_time_ms": None,
    }
    moved = {"updated_at": place["created_at"], "current_turn": place["turn_number"]}
    found: list[Change] = [Put("agi_events", noted_row), Put("agi_actions", acted), Patch("agi_games", {}, moved)]
    if not error:
        decided = {**place, **_UNMEASURED, "player_id": seat, "invalid_attempts": event.tries}
        found.append(Put("agi_agent_metrics", decided))
    return found


#: What the ledger knows of a decision and rules do not.
_UNMEASURED = dict.fromkeys(("tokens_used", "response_time_ms", "internal_state_size", "memory_usage_mb"))


def _others(game: Game, place: Place, told: EventContext[e.Event]) -> Iterator[Change]:
    match told.event:
        case e.ChatMessage() as said:
            values = {"speaker_id": said.seat, "message": said.words, "phase": said.talk}
            yield Put(CHAT.name, {**place, "sequence": sequence(told), **values})
        case e.GameStarted():
            for i in range(len(game.players)):
                yield _player(game, told, i)
        case e.PlayerEliminated(target=seat) | e.Reseated(seat=seat):
            yield _player(game, told, place_of(game, seat))
        case _:
            pass


def _player(game: Game, told: EventContext[e.Event], i: int) -> Change:
    player: Player = game.players[i]
    values = {
        "id": told.row_id(f"player {i}"),
        "game_id": told.stream,
        "player_id": player.id,
        "agent_type": player.agent,
        "agent_config": _json(player.config),
        "role": player.role,
        "allegiance": side_of(player.role),
        "alive": i not in game.dead,
    }
    return Put(PLAYERS.name, values)


def _game(game: Game, told: EventContext[e.Event]) -> Change:
    values = {
        "id": told.stream,
        "created_at": game.started_at,
        "updated_at": told.at,
        "status": game.status,
        "config": _json(config_of(game)),
        "current_turn": told.version - 1,
        "final_outcome": None if game.outcome is None else msgspec.structs.asdict(game.outcome),
        "metadata": {},
    }
    return Put(GAMES.name, values)


def config_of(game: Game) -> dict[str, Any]:
    """The game's settings as they stand: whoever was reseated is who plays now."""
    return {
        "player_count": len(game.players),
        "seats": [{"player_id": p.id, "agent_type": p.agent, "agent_config": p.config} for p in game.players],
        "seed": game.seed,
        "discussion": {"on": game.talks > 0, "K": game.talks or Discussion().K},
        "self_nomination": game.self_nomination,
        "decision_seconds": game.seconds,
        "max_turns": game.most_turns,
        "rules": game.rules,
    }


def _goes_on(game: Game, event: e.Event) -> bool:
    """Whether more is told in the same step for certain: the state is written once, after it."""
    match event:
        case e.Attempted(error=""):
            return event.action in _GO_ON or (bool(game.vote) and all_voted(game))
        case e.VoteCompleted():
            return event.vote == "team"
        case e.PowerTriggered():
            return event.director is None
        case e.VetoAnswered():
            return event.agreed
        case e.ProposalBegan():
            return game.talks > 0
        case _:
            return isinstance(event, _FOLLOWED)


def _state(game: Game, place: Place, ended: bool) -> Change:  # noqa: FBT001
    data = once(game)
    whole = ended or place["turn_number"] % STATE_EVERY == 0
    values = {"state_data": msgspec.Raw(data) if whole else None, "checksum": sha256(data).hexdigest()}
    return Put(STATES.name, {**place, **values})
