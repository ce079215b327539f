"""What is true at one moment of a game. Seats stand here by their place at the table, papers by theirs in the deck."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

import msgspec

from greenroom.kernel.words import Words
from greenroom.kernel.worlds import Seat
from greenroom.worlds.secret_agi.rules.claims import Assertion, asks
from greenroom.worlds.secret_agi.rules.papers import POWERS, REVEAL_AT, VETO_AT, Paper, Power, Role, RuleSet, Side

GameStatus: TypeAlias = Literal["new", "active", "paused", "completed", "failed"]
Phase: TypeAlias = Literal["TeamProposal", "Research", "GameOver"]
Agent: TypeAlias = Literal[
    "HumanPlayer", "RandomPlayer", "HeuristicPlayer", "WeakPlayer", "MiddlePlayer", "StrongPlayer", "LLMPlayer"
]
Vote: TypeAlias = Literal["", "team", "emergency"]
Talk: TypeAlias = Literal["", "pre_nomination", "pre_vote"]
Veto: TypeAlias = Literal["", "pending", "refused"]

#: How many chat lines and completed votes the state remembers; older ones are in the tables.
LINES = 24
VOTES = 40
CLAIMS = 400
#: How many may speak once more, when everybody has, because they owe a person an answer; and who never gives one.
MOST_OWED = 3
_ANSWERS_NOBODY = ("HumanPlayer", "RandomPlayer", "HeuristicPlayer")
#: A ballot that has not been cast, and the two that can be.
OPEN, YES, NO = ".", "y", "n"
NOBODY = -1

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Player(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who sits where; fixed when the game starts."""

    id: Seat
    agent: Agent
    role: Role
    config: dict[str, Any] = {}


class Line(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One message of a discussion."""

    speaker: int
    words: Words
    talk: Talk
    round: int


class Claimed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A claim in its place."""

    speaker: int
    round: int
    talk: Talk
    claim: Assertion


class Record(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What became of one hand, or of a paper published without one."""

    round: int
    director: int
    #: ``NOBODY`` where the paper published itself.
    engineer: int
    #: ``NOBODY`` where the hand was vetoed.
    paper: int
    #: What it gave in the end, the emergency modifier included.
    gained: tuple[int, int] = (0, 0)
    #: What the Director drew and what the Engineer received; theirs to know alone.
    drawn: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()


class Poll(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A completed vote."""

    vote: Vote
    round: int
    director: int
    nominee: int
    #: One character a seat: y, n, or . for the dead.
    ballots: str
    passed: bool


class Outcome(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How the game ended; nobody wins a game that failed."""

    winners: Side | None
    reason: str
    capability: int
    safety: int
    turns: int
    rounds: int


class Game(msgspec.Struct, frozen=True, gc=False):
    """One game. The turn number is the journal's and not here: an invalid action leaves this as it was."""

    status: GameStatus = "new"
    phase: Phase = "TeamProposal"
    players: tuple[Player, ...] = ()
    started_at: datetime = EPOCH
    #: Settings.
    seed: int = 0
    talks: int = 0
    self_nomination: bool = True
    seconds: int = 0
    most_turns: int = 2000
    rules: RuleSet = "classic"
    #: The whole deck in its one order, and how many papers have left it.
    deck: tuple[Paper, ...] = ()
    taken: int = 0
    capability: int = 0
    safety: int = 0
    round: int = 0
    director: int = 0
    #: The seat that rotation goes on from; not the Director while one was chosen for a round.
    anchor: int = 0
    chosen: int = NOBODY
    #: Failed proposals in a row.
    failed: int = 0
    nominee: int = NOBODY
    engineer: int = NOBODY
    #: The previous elected Engineer.
    barred: int = NOBODY
    dead: tuple[int, ...] = ()
    #: Whether the next paper gives less Capability; whether a call was made in this proposal, and who let it pass.
    emergency: bool = False
    called: bool = False
    silent: tuple[int, ...] = ()
    vote: Vote = ""
    ballots: str = ""
    #: Papers that were discarded and will come back; none in the classic rules.
    away: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    veto: Veto = ""
    #: Thresholds whose power is still to come, ascending; the first is in use if ``using``.
    powers: tuple[int, ...] = ()
    using: bool = False
    talk: Talk = ""
    #: Messages of this discussion so far, passes included.
    said: int = 0
    lines: tuple[Line, ...] = ()
    #: What was claimed so far, and who was asked directly: asker, target, whether it is the AGI.
    claims: tuple[Claimed, ...] = ()
    asked: tuple[tuple[int, int, bool], ...] = ()
    #: The newest private note of each seat a model plays.
    notes: tuple[Words | None, ...] = ()
    #: Allegiance cards seen: viewer, target.
    seen: tuple[tuple[int, int], ...] = ()
    records: tuple[Record, ...] = ()
    polls: tuple[Poll, ...] = ()
    #: Valid actions so far: what random agents count their dice by.
    moves: int = 0
    #: When the table last moved: a person's time to decide runs from here.
    since: datetime = EPOCH
    outcome: Outcome | None = None


# questions that the rules, the views and the agents ask of a game


def living(game: Game) -> tuple[int, ...]:
    if not game.dead:
        return tuple(range(len(game.players)))
    return tuple(i for i in range(len(game.players)) if i not in game.dead)


def place_of(game: Game, seat: Seat) -> int:
    """Where a seat sits; ``NOBODY`` for whoever does not play."""
    for i, player in enumerate(game.players):
        if player.id == seat:
            return i
    return NOBODY


def next_living(game: Game, after: int) -> int:
    """The next living player in seat order."""
    count = len(game.players)
    return next(i for step in range(1, count + 1) if (i := (after + step) % count) not in game.dead)


def from_director(game: Game) -> tuple[int, ...]:
    """The living in the order in which they speak."""
    count = len(game.players)
    return tuple(i for step in range(count) if (i := (game.director + step) % count) not in game.dead)


def speaker(game: Game) -> int:
    """Whose turn it is to speak; ``NOBODY`` outside a discussion."""
    if not game.talk:
        return NOBODY
    order = from_director(game)
    last = owing(game) if game.said >= game.talks * len(order) else ()
    return last[0] if last else order[game.said % len(order)]


def owing(game: Game) -> tuple[int, ...]:
    """Who has not answered yet what a person asked in this discussion, in the order in which it was asked."""
    here = [made for made in game.claims if (made.round, made.talk) == (game.round, game.talk)]
    found = []
    for k, made in enumerate(here):
        asker, claim = game.players[made.speaker], made.claim
        if asker.agent != "HumanPlayer" or not asks(claim):
            continue
        later = [one for one in here[k + 1 :] if one.claim.of == asker.id and one.claim.about == claim.about]
        answered = {game.players[one.speaker].id for one in later}
        if claim.target in answered or (claim.target is None and answered):
            continue
        whom = [i for i in from_director(game) if i != made.speaker and game.players[i].agent not in _ANSWERS_NOBODY]
        names = (claim.target,) if claim.target else {game.players[i].id for i in whom} - {claim.of, claim.other}
        found += [i for i in whom if game.players[i].id in names][:1]
    return tuple(found)


def is_over(game: Game) -> bool:
    """Whether everybody has had their messages, and whoever owes a person an answer has had one more."""
    more = game.said - game.talks * len(from_director(game))
    return more >= 0 and (more >= MOST_OWED or not owing(game))


def window(game: Game) -> bool:
    """Whether an emergency may be called now."""
    return (
        game.phase == "TeamProposal"
        and 4 <= game.capability - game.safety <= 5
        and not (game.talk or game.vote or game.called or game.emergency or game.using)
        and game.nominee == NOBODY
    )


def candidates(game: Game) -> tuple[int, ...]:
    """Whom the Director may nominate."""
    able = [i for i in living(game) if game.self_nomination or i != game.director]
    return tuple([i for i in able if i != game.barred] or able)


def yet_to_vote(game: Game) -> tuple[int, ...]:
    return tuple([i for i, ballot in enumerate(game.ballots) if ballot == OPEN and i not in game.dead])


def all_voted(game: Game) -> bool:
    """Whether nobody is left to vote; the dead have no ballot."""
    return game.ballots.count(OPEN) == len(game.dead)


def power(game: Game) -> Power | None:
    """The power that its Director has to use now."""
    return POWERS[game.powers[0]] if game.using else None


def targets(game: Game) -> tuple[int, ...]:
    """Whom the pending power may be used on."""
    return living(game) if power(game) == "choose_director" else tuple(i for i in living(game) if i != game.director)


def must_reveal(game: Game) -> bool:
    return game.capability >= REVEAL_AT


def veto_unlocked(game: Game) -> bool:
    return game.capability >= VETO_AT


def papers_left(game: Game) -> int:
    return len(game.deck) - game.taken


def supply(game: Game) -> int:
    """Papers that can still be drawn, those that will come back included."""
    return papers_left(game) + len(game.away)


def may_ask(game: Game, i: int) -> bool:
    """Whether a player may still ask somebody directly."""
    return must_reveal(game) and all(asker != i for asker, _, _ in game.asked)


def revealed(game: Game) -> int:
    """Who had to say that they are the AGI; ``NOBODY`` while nobody had."""
    return next((target for _, target, is_agi in game.asked if is_agi), NOBODY)
