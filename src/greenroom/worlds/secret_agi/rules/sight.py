"""What a player without a model thinks from: what its seat may know, and nothing else."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.papers import Paper, Power, Role, RuleSet, Side, side_of
from greenroom.worlds.secret_agi.rules.state import (
    NOBODY,
    Claimed,
    Game,
    Poll,
    living,
    may_ask,
    next_living,
    power,
    revealed,
    speaker,
    supply,
    veto_unlocked,
)


class Shown(NamedTuple):
    """A paper that was published, or a hand that was vetoed, as everybody saw it."""

    round: int
    director: int
    engineer: int
    paper: Paper | None


#: Papers drawn and passed on; an Engineer knows only the second.
OwnHand: TypeAlias = tuple[tuple[Paper, ...], tuple[Paper, ...]]


class Sight(NamedTuple):
    """One seat's knowledge. Players stand here by their place at the table."""

    me: int
    role: Role
    names: tuple[Seat, ...]
    alive: tuple[int, ...]
    rules: RuleSet
    capability: int
    safety: int
    #: Papers that can still be drawn.
    left: int
    round: int
    director: int
    #: Who is Director after this one.
    next_director: int
    nominee: int
    engineer: int
    #: Who was elected last and may not be nominated again.
    barred: int
    failed: int
    emergency: bool
    veto_unlocked: bool
    power: Power | None
    talk: str
    speaks: bool
    may_ask: bool
    hand: tuple[Paper, ...]
    polls: tuple[Poll, ...]
    shown: tuple[Shown, ...]
    claims: tuple[Claimed, ...]
    asked: tuple[tuple[int, int, bool], ...]
    #: Who looked at whose card.
    viewed: tuple[tuple[int, int], ...]
    #: Roles that this seat knows, its own included; cards that it saw; hands that it held, by round.
    known: dict[int, Role]
    cards: dict[int, Side]
    held: dict[int, OwnHand]

    @property
    def insider(self) -> bool:
        return self.role != "Safety"


def sight(game: Game, i: int) -> Sight:
    """What the living player at this place knows."""
    return Sight(
        me=i,
        role=game.players[i].role,
        names=tuple([player.id for player in game.players]),
        alive=living(game),
        rules=game.rules,
        capability=game.capability,
        safety=game.safety,
        left=supply(game),
        round=game.round,
        director=game.director,
        next_director=_next(game),
        nominee=game.nominee,
        engineer=game.engineer,
        barred=game.barred,
        failed=game.failed,
        emergency=game.emergency,
        veto_unlocked=veto_unlocked(game),
        power=power(game),
        talk=game.talk,
        speaks=speaker(game) == i,
        may_ask=may_ask(game, i),
        hand=_hand(game, i),
        polls=game.polls,
        shown=tuple([_shown(game, k) for k in range(len(game.records))]),
        claims=game.claims,
        asked=game.asked,
        viewed=game.seen,
        known=_known(game, i),
        cards={target: side_of(game.players[target].role) for viewer, target in game.seen if viewer == i},
        held=_held(game, i),
    )


def _next(game: Game) -> int:
    return game.chosen if game.chosen not in (NOBODY, *game.dead) else next_living(game, game.anchor)


def _shown(game: Game, k: int) -> Shown:
    record = game.records[k]
    paper = None if record.paper == NOBODY else game.deck[record.paper]
    return Shown(record.round, record.director, record.engineer, paper)


def _hand(game: Game, i: int) -> tuple[Paper, ...]:
    holder = game.director if len(game.hand) == 3 else game.engineer
    seen = game.hand if i == holder else ()
    return tuple([game.deck[place] for place in seen])


def _known(game: Game, i: int) -> dict[int, Role]:
    out = (*game.dead, revealed(game))
    insider = game.players[i].role != "Safety"
    return {k: player.role for k, player in enumerate(game.players) if insider or k == i or k in out}


def _held(game: Game, i: int) -> dict[int, OwnHand]:
    found: dict[int, OwnHand] = {}
    for record in game.records:
        if record.drawn and i in (record.director, record.engineer):
            drawn = record.drawn if i == record.director else ()
            found[record.round] = tuple([game.deck[k] for k in drawn]), tuple([game.deck[k] for k in record.passed])
    if game.drawn and i == game.director:
        found[game.round] = tuple([game.deck[k] for k in game.drawn]), tuple([game.deck[k] for k in game.hand])
    return found
