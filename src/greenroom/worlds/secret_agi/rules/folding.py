"""What each event changes. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from greenroom.kernel.worlds import EventContext
from greenroom.worlds.secret_agi.rules import events as e
from greenroom.worlds.secret_agi.rules.papers import paper_id
from greenroom.worlds.secret_agi.rules.state import (
    CLAIMS,
    LINES,
    NO,
    NOBODY,
    OPEN,
    VOTES,
    YES,
    Claimed,
    Game,
    Line,
    Outcome,
    Player,
    Poll,
    Record,
    place_of,
)


def evolve(game: Game, told: EventContext[e.Event]) -> Game:
    return after(game, told.event, told.at)


def after(game: Game, event: e.Event, at: datetime) -> Game:
    """The game after an event."""
    return _CHANGES[type(event)](game, event, at)


def _started(game: Game, event: e.GameStarted, at: datetime) -> Game:
    return replace(
        game,
        status="active",
        started_at=at,
        players=event.players,
        deck=event.deck,
        director=(first := next(i for i, p in enumerate(event.players) if p.id == event.director)),
        anchor=first,
        round=1,
        seed=event.seed,
        talks=event.talks,
        self_nomination=event.self_nomination,
        seconds=event.seconds,
        most_turns=event.most_turns,
        rules=event.rules,
        notes=(None,) * len(event.players),
        since=at,
    )


# actions


def _attempted(game: Game, event: e.Attempted, at: datetime) -> Game:
    if event.error:
        return game
    change = _ACTIONS.get(event.action)
    changed = {} if change is None else change(game, event)
    return replace(game, moves=game.moves + 1, since=at, **changed)


def _nominate(game: Game, event: e.Attempted) -> dict[str, Any]:
    return {"nominee": _place(game, event.target), "vote": "team", "ballots": OPEN * len(game.players)}


def _call(game: Game, _: e.Attempted) -> dict[str, Any]:
    return {"called": True, "vote": "emergency", "ballots": OPEN * len(game.players)}


def _ballot(game: Game, event: e.Attempted) -> dict[str, Any]:
    i, cast = _place(game, event.seat), game.ballots
    return {"ballots": f"{cast[:i]}{YES if event.yes else NO}{cast[i + 1 :]}"}


def _discard(game: Game, event: e.Attempted) -> dict[str, Any]:
    return {"hand": tuple(place for place in game.hand if paper_id(place) != event.paper)}


def _declare(game: Game, _: e.Attempted) -> dict[str, Any]:
    return {"veto": "pending"}


def _observe(game: Game, event: e.Attempted) -> dict[str, Any]:
    if game.talk:
        return {"said": game.said + 1}
    return {"silent": (*game.silent, _place(game, event.seat))}


def _direct(game: Game, _: e.Attempted) -> dict[str, Any]:
    return {"said": game.said + 1}


def _place(game: Game, seat: str | None) -> int:
    return NOBODY if seat is None else place_of(game, seat)


# words


def _said(game: Game, event: e.ChatMessage, at: datetime) -> Game:
    i = _place(game, event.seat)
    line = Line(i, event.words, event.talk, game.round)
    made = [Claimed(i, game.round, event.talk, one) for one in (event.claim, event.also) if one is not None]
    claims = (*game.claims, *made)[-CLAIMS:]
    return replace(game, said=game.said + 1, lines=(*game.lines, line)[-LINES:], claims=claims)


def _answered(game: Game, event: e.AnsweredDirectly, at: datetime) -> Game:
    told = _place(game, event.seat), _place(game, event.target), event.is_agi
    return replace(game, asked=(*game.asked, told))


def _noted(game: Game, event: e.NoteTaken, at: datetime) -> Game:
    i = _place(game, event.seat)
    return replace(game, notes=(*game.notes[:i], event.words, *game.notes[i + 1 :]))


def _opened(game: Game, event: e.DiscussionOpened, at: datetime) -> Game:
    return replace(game, talk=event.talk, said=0)


def _closed(game: Game, event: e.DiscussionClosed, at: datetime) -> Game:
    return replace(game, talk="", said=0)


# proposals


def _let_pass(game: Game, event: e.EmergencyLetPass, at: datetime) -> Game:
    return replace(game, silent=(*game.silent, *(_place(game, seat) for seat in event.seats)), since=at)


def _counted(game: Game, event: e.VoteCompleted, at: datetime) -> Game:
    poll = Poll(event.vote, game.round, game.director, game.nominee, game.ballots, event.passed)
    counted = {"vote": "", "ballots": "", "polls": (*game.polls, poll)[-VOTES:]}
    if event.vote == "emergency":
        return replace(game, emergency=event.passed, **counted)
    elected = {"engineer": game.nominee, "barred": game.nominee} if event.passed else {}
    return replace(game, nominee=NOBODY, failed=event.failed, **counted, **elected)


def _proposal(game: Game, event: e.ProposalBegan, at: datetime) -> Game:
    return replace(
        game,
        phase="TeamProposal",
        round=event.round,
        director=_place(game, event.director),
        anchor=_place(game, event.anchor),
        chosen=NOBODY,
        nominee=NOBODY,
        engineer=NOBODY,
        called=False,
        silent=(),
        veto="",
        since=at,
    )


# research


def _research(game: Game, event: e.ResearchBegan, at: datetime) -> Game:
    drawn = event.drawn
    return replace(game, phase="Research", hand=drawn, drawn=drawn, taken=game.taken + len(drawn), veto="")


def _returned(game: Game, event: e.PapersReturned, at: datetime) -> Game:
    return replace(game, deck=(*game.deck, *event.papers), away=())


def _put_away(game: Game, places: Iterable[int]) -> tuple[int, ...]:
    """The discards after these; in the classic rules nobody counts them."""
    return (*game.away, *places) if game.rules == "long" else ()


def _vetoed(game: Game, event: e.VetoAnswered, at: datetime) -> Game:
    if not event.agreed:
        return replace(game, veto="refused")
    away = _put_away(game, game.drawn)
    kept = Record(game.round, game.director, game.engineer, NOBODY, (0, 0), game.drawn, game.hand)
    changed = {"veto": "", "hand": (), "drawn": (), "failed": event.failed, "records": (*game.records, kept)}
    return replace(game, away=away, **changed)


def _published(game: Game, event: e.PaperPublished, at: datetime) -> Game:
    gained = event.capability - game.capability, event.safety - game.safety
    itself = event.engineer is None
    engineer = NOBODY if itself else game.engineer
    kept = Record(game.round, game.director, engineer, event.place, gained, game.drawn, game.hand)
    return replace(
        game,
        capability=event.capability,
        safety=event.safety,
        taken=max(game.taken, event.place + 1),
        away=_put_away(game, (place for place in game.drawn if place != event.place)),
        emergency=False,
        failed=0,
        hand=(),
        drawn=(),
        veto="",
        barred=NOBODY if itself else game.barred,
        powers=event.powers,
        records=(*game.records, kept),
    )


# powers


def _triggered(game: Game, event: e.PowerTriggered, at: datetime) -> Game:
    if event.director is None:
        return replace(game, powers=game.powers[1:])
    return replace(game, using=True)


def _viewed(game: Game, event: e.AllegianceViewed, at: datetime) -> Game:
    pair = _place(game, event.viewer), _place(game, event.target)
    return _used(game, seen=(*game.seen, pair))


def _chosen(game: Game, event: e.DirectorChosen, at: datetime) -> Game:
    return _used(game, chosen=_place(game, event.target))


def _eliminated(game: Game, event: e.PlayerEliminated, at: datetime) -> Game:
    return _used(game, dead=(*game.dead, _place(game, event.target)))


def _used(game: Game, **changed: Any) -> Game:
    return replace(game, powers=game.powers[1:], using=False, **changed)


# beginnings and ends


def _ended(game: Game, event: e.GameEnded, at: datetime) -> Game:
    ended = Outcome(event.winners, event.reason, event.capability, event.safety, event.turns, event.rounds)
    status = "completed" if event.winners else "failed"
    return replace(
        game, status=status, phase="GameOver", outcome=ended, powers=(), using=False, talk="", vote="", ballots=""
    )


def _paused(game: Game, event: e.GamePaused, at: datetime) -> Game:
    return replace(game, status="paused")


def _resumed(game: Game, event: e.GameResumed, at: datetime) -> Game:
    return replace(game, status="active", since=at)


def _reseated(game: Game, event: e.Reseated, at: datetime) -> Game:
    i = _place(game, event.seat)
    player = Player(event.seat, event.agent, game.players[i].role, event.config)
    return replace(game, seed=event.seed, players=(*game.players[:i], player, *game.players[i + 1 :]))


_ACTIONS: dict[str, Callable[[Game, e.Attempted], dict[str, Any]]] = {
    "nominate": _nominate,
    "vote_team": _ballot,
    "call_emergency_safety": _call,
    "vote_emergency": _ballot,
    "discard_paper": _discard,
    "declare_veto": _declare,
    "ask_directly": _direct,
    "observe": _observe,
}

_CHANGES: dict[type[Any], Callable[[Game, Any, datetime], Game]] = {
    e.GameStarted: _started,
    e.Attempted: _attempted,
    e.ChatMessage: _said,
    e.AnsweredDirectly: _answered,
    e.PapersReturned: _returned,
    e.NoteTaken: _noted,
    e.EmergencyLetPass: _let_pass,
    e.DiscussionOpened: _opened,
    e.DiscussionClosed: _closed,
    e.VoteCompleted: _counted,
    e.ProposalBegan: _proposal,
    e.ResearchBegan: _research,
    e.VetoAnswered: _vetoed,
    e.PaperPublished: _published,
    e.PowerTriggered: _triggered,
    e.AllegianceViewed: _viewed,
    e.DirectorChosen: _chosen,
    e.PlayerEliminated: _eliminated,
    e.GameEnded: _ended,
    e.GamePaused: _paused,
    e.GameResumed: _resumed,
    e.Reseated: _reseated,
}
