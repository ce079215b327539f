"""Who sees what: the whole secrecy of this world is in this file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import OPERATOR, EventContext, Seat
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.claims import Assertion
from greenroom.worlds.secret_agi.rules.papers import Paper, RuleSet, paper_id, side_of
from greenroom.worlds.secret_agi.rules.rules import options
from greenroom.worlds.secret_agi.rules.state import (
    NOBODY,
    OPEN,
    YES,
    Game,
    GameStatus,
    Phase,
    Poll,
    must_reveal,
    papers_left,
    place_of,
    power,
    revealed,
    speaker,
    veto_unlocked,
)

UNKNOWN = "unknown"


class Seated(msgspec.Struct, frozen=True):
    """One player as somebody sees them."""

    id: Seat
    alive: bool
    #: ``unknown`` unless the viewer may know it.
    role: str = UNKNOWN
    allegiance: str = UNKNOWN


class Held(msgspec.Struct, frozen=True):
    """A paper in the viewer's hand."""

    id: str
    capability: int
    safety: int


class Published(msgspec.Struct, frozen=True):
    """What became of a hand; the papers drawn and passed on only for whoever held them."""

    round: int
    director: Seat
    engineer: Seat | None
    #: None where the hand was vetoed.
    paper: Held | None
    capability_gained: int = 0
    safety_gained: int = 0
    drawn: tuple[Held, ...] = ()
    passed: tuple[Held, ...] = ()


class Voted(msgspec.Struct, frozen=True):
    """A completed vote."""

    vote: str
    round: int
    director: Seat
    nominee: Seat | None
    ballots: dict[Seat, bool]
    passed: bool


class Spoken(msgspec.Struct, frozen=True):
    speaker: Seat
    words: Words
    phase: str
    round: int


class ClaimMade(msgspec.Struct, frozen=True):
    """What somebody claimed, as everybody heard it."""

    speaker: Seat
    round: int
    phase: str
    claim: Assertion


class Answered(msgspec.Struct, frozen=True):
    """Somebody was asked directly whether they are the AGI."""

    asker: Seat
    target: Seat
    is_agi: bool


class CardLook(msgspec.Struct, frozen=True):
    """Somebody looked at a card; what it said is theirs to tell."""

    viewer: Seat
    target: Seat


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat sees; strangers and the dead see what everybody sees."""

    seat: Seat
    status: GameStatus
    phase: Phase
    round: int
    capability: int
    safety: int
    players: tuple[Seated, ...]
    director: Seat | None
    nominee: Seat | None
    engineer: Seat | None
    #: Why somebody may not be nominated again.
    previous_engineer: Seat | None
    failed_proposals: int
    emergency_safety_active: bool
    emergency_called: bool
    agi_must_reveal: bool
    veto_unlocked: bool
    veto: str
    deck_count: int
    rules: RuleSet
    #: Discarded papers that will come back.
    discards_count: int
    #: Which vote is open, and the viewer's own ballot in it.
    vote: str
    my_vote: bool | None
    power: str | None
    discussion: str
    speaker: Seat | None
    published: tuple[Published, ...]
    votes: tuple[Voted, ...]
    chat: tuple[Spoken, ...]
    claims: tuple[ClaimMade, ...]
    #: Who was asked directly, and what they had to say.
    asked: tuple[Answered, ...]
    #: Who looked at whose card.
    card_looks: tuple[CardLook, ...]
    #: How it ended, by name.
    outcome: dict[str, Any] | None
    #: The viewer's own.
    role: str = UNKNOWN
    hand: tuple[Held, ...] = ()


class TableView(View, frozen=True, kw_only=True):
    """What the operator sees: everything."""

    deck: tuple[Held, ...]
    open_ballots: str
    notes: dict[Seat, Words]


def seats(game: Game) -> Sequence[Seat]:
    return tuple(player.id for player in game.players)


def view(game: Game, seat: Seat, now: datetime | None = None) -> View:
    """The game as this seat may see it."""
    if seat == OPERATOR:
        return _whole(game)
    i = place_of(game, seat)
    return View(**_seen(game, seat, NOBODY if i in game.dead else i))


def _whole(game: Game) -> TableView:
    notes = {p.id: words for p, words in zip(game.players, game.notes, strict=True) if words is not None}
    seen = _seen(game, OPERATOR, NOBODY) | {
        "players": tuple(Seated(p.id, i not in game.dead, p.role, side_of(p.role)) for i, p in enumerate(game.players)),
        "published": tuple(_record(game, record, None) for record in game.records),
        "hand": _held(game, game.hand),
    }
    deck = _held(game, range(game.taken, len(game.deck)))
    return TableView(**seen, deck=deck, open_ballots=game.ballots, notes=notes)


def _seen(game: Game, seat: Seat, i: int) -> dict[str, Any]:
    name, names = _namer(game), seats(game)
    mine = game.ballots[i] if game.ballots and i != NOBODY else OPEN
    return {
        "seat": seat,
        "status": game.status,
        "phase": game.phase,
        "round": game.round,
        "capability": game.capability,
        "safety": game.safety,
        "players": _seated(game, i),
        "director": name(game.director) if game.players else None,
        "nominee": name(game.nominee),
        "engineer": name(game.engineer),
        "previous_engineer": name(game.barred),
        "failed_proposals": game.failed,
        "emergency_safety_active": game.emergency,
        "emergency_called": game.called,
        "agi_must_reveal": must_reveal(game),
        "veto_unlocked": veto_unlocked(game),
        "veto": game.veto,
        "deck_count": papers_left(game),
        "rules": game.rules,
        "discards_count": len(game.away),
        "vote": game.vote,
        "my_vote": None if mine == OPEN else mine == YES,
        "power": power(game),
        "discussion": game.talk,
        "speaker": name(speaker(game)),
        "published": tuple(_record(game, record, None if game.outcome else i) for record in game.records),
        "votes": tuple([_voted(names, poll) for poll in game.polls]),
        "chat": tuple(Spoken(names[x.speaker], x.words, x.talk, x.round) for x in game.lines),
        "claims": tuple([ClaimMade(names[x.speaker], x.round, x.talk, x.claim) for x in game.claims]),
        "asked": tuple([Answered(names[asker], names[target], yes) for asker, target, yes in game.asked]),
        "card_looks": tuple([CardLook(names[viewer], names[target]) for viewer, target in game.seen]),
        "outcome": None if game.outcome is None else msgspec.structs.asdict(game.outcome),
        "role": game.players[i].role if i != NOBODY else UNKNOWN,
        "hand": _held(game, game.hand) if i != NOBODY and i == _holder(game) else (),
    }


def _namer(game: Game) -> Callable[[int], Seat | None]:
    return lambda i: None if i == NOBODY else game.players[i].id


def _holder(game: Game) -> int:
    """Who has the hand: the Director until one paper is discarded."""
    return game.director if len(game.hand) == 3 else game.engineer


def _seated(game: Game, i: int) -> tuple[Seated, ...]:
    insider = i != NOBODY and game.players[i].role != "Safety"
    cards = {target for viewer, target in game.seen if viewer == i}
    out, over = revealed(game), game.outcome is not None
    found = []
    for k, player in enumerate(game.players):
        known = over or insider or k in (i, out) or k in game.dead
        role = player.role if known else UNKNOWN
        allegiance = side_of(player.role) if known or k in cards else UNKNOWN
        found.append(Seated(player.id, k not in game.dead, role, allegiance))
    return tuple(found)


def _record(game: Game, record: Any, i: int | None) -> Published:
    """A hand as seat ``i`` knows it; None knows it whole."""
    director, engineer = i in (None, record.director), i in (None, record.engineer)
    return Published(
        round=record.round,
        director=game.players[record.director].id,
        engineer=None if record.engineer == NOBODY else game.players[record.engineer].id,
        paper=None if record.paper == NOBODY else _held(game, (record.paper,))[0],
        capability_gained=record.gained[0],
        safety_gained=record.gained[1],
        drawn=_held(game, record.drawn) if director else (),
        passed=_held(game, record.passed) if director or (engineer and record.engineer != NOBODY) else (),
    )


def _held(game: Game, places: Sequence[int]) -> tuple[Held, ...]:
    return tuple(Held(paper_id(k), *game.deck[k]) for k in places)


@lru_cache(maxsize=1024)
def _voted(names: Sequence[Seat], poll: Poll) -> Voted:
    """A vote that is over is the same for everybody, and looked at again and again."""
    cast = {name: ballot == YES for name, ballot in zip(names, poll.ballots, strict=True) if ballot != OPEN}
    nominee = None if poll.nominee == NOBODY else names[poll.nominee]
    return Voted(poll.vote, poll.round, names[poll.director], nominee, cast, poll.passed)


# events


def shows(game: Game, told: EventContext[e.Event], seat: Seat) -> Mapping[str, Any] | None:
    """An event as this seat may see it. Ballots, discards, notes and failed attempts are their owner's alone."""
    event = told.event
    kind = e.KINDS[type(event)]
    if seat == OPERATOR:
        return {"type": e.EVENT_TYPES[kind], "change": kind, **_whole_event(game, event)}
    i = place_of(game, seat)
    dead = i in game.dead and not (isinstance(event, e.PlayerEliminated) and event.target == seat)
    seen = _SHOWN.get(type(event), _openly)(game, event, "" if dead else seat)
    return None if seen is None else {"type": e.EVENT_TYPES[kind], "change": kind, **seen}


def _whole_event(game: Game, event: e.Event) -> dict[str, Any]:
    seen = msgspec.structs.asdict(event)
    match event:
        case e.ResearchBegan():
            return {**seen, "drawn": _held(game, event.drawn)}
        case e.PaperPublished():
            return _published(game, event, OPERATOR)
        case e.GameEnded():
            return _ended(game, event, OPERATOR)
        case _:
            return seen


def _openly(game: Game, event: Any, seat: Seat) -> dict[str, Any] | None:
    return msgspec.structs.asdict(event)


def _started(game: Game, event: e.GameStarted, seat: Seat) -> dict[str, Any]:
    players = [{"id": p.id, "role": p.role, "allegiance": p.allegiance} for p in _seated(game, place_of(game, seat))]
    return {"players": players, "director": event.director, "deck_count": len(event.deck)}


_OPEN_ACTIONS = ("nominate", "ask_directly", "call_emergency_safety", "declare_veto", "respond_veto", "use_power")


def _attempted(game: Game, event: e.Attempted, seat: Seat) -> dict[str, Any] | None:
    if event.seat == seat:
        return {k: v for k, v in msgspec.structs.asdict(event).items() if v not in (None, "", False) or k == "yes"}
    if event.error or event.action not in (*_OPEN_ACTIONS, "discard_paper", "publish_paper", "send_chat_message"):
        return None
    seen: dict[str, Any] = {"seat": event.seat, "action": event.action}
    if event.action in _OPEN_ACTIONS:
        seen |= {"target": event.target, "yes": event.yes, "power": event.power}
    return {name: value for name, value in seen.items() if value is not None}


def _research(game: Game, event: e.ResearchBegan, seat: Seat) -> dict[str, Any]:
    seen: dict[str, Any] = {"director": event.director, "engineer": event.engineer}
    if seat == event.director:
        seen["drawn"] = _held(game, event.drawn)
    return seen


def _published(game: Game, event: e.PaperPublished, seat: Seat) -> dict[str, Any]:
    paper: Paper = event.paper
    seen = msgspec.structs.asdict(event)
    del seen["place"]
    return {**seen, "paper": Held(paper_id(event.place), *paper)}


def _said(game: Game, event: e.ChatMessage, seat: Seat) -> dict[str, Any]:
    seen = msgspec.structs.asdict(event)
    del seen["lie"]
    return seen


def _returned(game: Game, event: e.PapersReturned, seat: Seat) -> dict[str, Any]:
    return {"count": len(event.papers)}


def _ended(game: Game, event: e.GameEnded, seat: Seat) -> dict[str, Any]:
    """The end, with everybody's role: from here on there is nothing to hide."""
    return {**msgspec.structs.asdict(event), "roles": {player.id: player.role for player in game.players}}


def _viewed(game: Game, event: e.AllegianceViewed, seat: Seat) -> dict[str, Any]:
    seen = {"viewer": event.viewer, "target": event.target}
    return {**seen, "allegiance": event.allegiance} if seat == event.viewer else seen


def _own(game: Game, event: Any, seat: Seat) -> dict[str, Any] | None:
    return msgspec.structs.asdict(event) if event.seat == seat else None


def _hidden(game: Game, event: Any, seat: Seat) -> None:
    return None


_SHOWN: dict[type[Any], Callable[[Game, Any, Seat], dict[str, Any] | None]] = {
    e.GameStarted: _started,
    e.Attempted: _attempted,
    e.ChatMessage: _said,
    e.PapersReturned: _returned,
    e.GameEnded: _ended,
    e.NoteTaken: _own,
    e.EmergencyLetPass: _hidden,
    e.ResearchBegan: _research,
    e.PaperPublished: _published,
    e.AllegianceViewed: _viewed,
    e.Reseated: _hidden,
}


# replies


def reply(game: Game, events: Sequence[EventContext[e.Event]], seat: Seat) -> Mapping[str, Any]:
    """What every call answers with; a refused one is answered by the runtime, with the reason."""
    i = place_of(game, seat)
    shown = [body for told in events if (body := shows(game, told, seat)) is not None]
    seen = view(game, seat)
    return {
        "success": True,
        "error": None,
        "events": shown,
        "state": seen,
        "legal": [_label(option) for option in options(game, i)] if i != NOBODY else [],
        "chat": [line for line in seen.chat if line.round == game.round],
    }


def _label(option: Any) -> str:
    return c.label(option.example if hasattr(option, "example") else option)
