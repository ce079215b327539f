"""What Acceleration could reach at most: insiders who see every card and role, and search the game to its end.

Against the heuristic player a game holds no chance once it is dealt, so whether any play of the insiders wins it can be
searched. ``python -m tests.worlds.secret_agi.clairvoyant 60`` prints the share of such games for each table. Insiders
nominate themselves, one another or the next Director, and vote as it serves them; whoever could do still better by
naming somebody else is not counted. Games too large to be searched count as won.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.worlds.secret_agi.rules import agents
from greenroom.worlds.secret_agi.rules import commands as c
from greenroom.worlds.secret_agi.rules.alone import NOON
from greenroom.worlds.secret_agi.rules.odds import rank
from greenroom.worlds.secret_agi.rules.papers import AGI_WINS_AT, paper_id
from greenroom.worlds.secret_agi.rules.rules import CALL, Scene, act, choices, waited_for
from greenroom.worlds.secret_agi.rules.state import YES, Game, living, next_living, place_of
from greenroom.worlds.secret_agi.rules.views import view
from greenroom.worlds.secret_agi.rules.waiting import undecided
from tests.worlds.secret_agi.stage import CONTENT, game_of, seats

#: Decisions of insiders that are looked at in one game.
MOST = 6000


def winnable(players: int, rules: str, seed: int) -> bool:
    """Whether insiders who know everything can win this game against heuristic players."""
    config = c.GameConfig(player_count=players, seats=seats(*["HumanPlayer"] * players), seed=seed, rules=rules)
    game = next(iter(game_of(config, seed=seed)))[0]
    search = Search()
    return search.wins(game) or search.looked > MOST


class Search:
    """One game's."""

    def __init__(self) -> None:
        self.looked = 0
        self.seen: set[Any] = set()

    def wins(self, game: Game) -> bool:
        game = _to_insiders(game)
        if game.outcome is not None:
            return game.outcome.winners == "Acceleration"
        self.looked += 1
        if self.looked > MOST or self._known(game):
            return False
        return any(self.wins(after) for after in _ways(game))

    def _known(self, game: Game) -> bool:
        """Whether a proposal with the same meters, papers and suspicions was looked at before."""
        if game.phase != "TeamProposal" or game.vote or game.using:
            return False
        doubts = tuple(
            tuple(sorted((seat, round(doubt, 2)) for seat, doubt in _suspicions(game, i).items()))
            for i in living(game)
            if not _insider(game, i)
        )
        met = (game.director, game.capability, game.safety, game.taken, game.failed, game.barred, game.emergency)
        found = (met, game.chosen, game.dead, doubts)
        known = found in self.seen
        self.seen.add(found)
        return known


def _suspicions(game: Game, i: int) -> dict[str, float]:
    return agents.think(view(game, game.players[i].id), Chance(0)).suspicion


def _insider(game: Game, i: int) -> bool:
    return game.players[i].role != "Safety"


def _done(game: Game, i: int, action: c.Action) -> Game:
    scene = Scene(game, NOON, game.moves)
    act(scene, i, action)
    return scene.game


def _to_insiders(game: Game) -> Game:
    """The game once everybody else has done what the heuristic player does; honest ballots come first."""
    while game.outcome is None:
        honest = [i for i in living(game) if not _insider(game, i)]
        if undecided(game) and honest:
            game = _done(game, honest[0], CALL)
            continue
        able = [i for i in waited_for(game) if i in honest]
        if not able:
            return game
        i = able[0]
        seen = view(game, game.players[i].id)
        game = _done(
            game, i, agents.heuristic_action(CONTENT.voices, seen, choices(game, i), Chance(game.seed, game.moves, i))
        )
    return game


def _ways(game: Game) -> Iterator[Game]:
    """What the insiders may do now, the most promising first."""
    if game.vote:
        yield from _ballots(game)
        return
    (i,) = waited_for(game)
    able = [action for action in choices(game, i) if action != CALL]
    if isinstance(able[0], c.Nominate):
        able = _nominees(game, i, able)
    elif isinstance(able[0], c.DiscardPaper | c.PublishPaper):
        able = _papers(game, able)
    for action in able:
        yield _done(game, i, action)


def _ballots(game: Game) -> Iterator[Game]:
    """Where they decide nothing, as it looks best; else with as few as are needed, or none."""
    waiting = sorted(waited_for(game), key=lambda i: game.players[i].role == "AGI")
    needed = len(living(game)) // 2 + 1 - game.ballots.count(YES)
    if game.vote == "emergency":
        yield _cast(game, waiting, lambda k: not 0 < needed <= len(waiting))
    elif not 0 < needed <= len(waiting):
        yield _cast(game, waiting, lambda k: needed <= 0 and not _insider(game, game.director))
    else:
        yield _cast(game, waiting, lambda k: k < needed)
        yield _cast(game, waiting, lambda k: False)


def _cast(game: Game, waiting: list[int], yes: Callable[[int], bool]) -> Game:
    kind = c.VoteTeam if game.vote == "team" else c.VoteEmergency
    for k, i in enumerate(waiting):
        game = _done(game, i, kind(vote=yes(k)))
    return game


def _nominees(game: Game, i: int, able: list[c.Action]) -> list[c.Action]:
    def order(action: c.Action) -> int:
        k = place_of(game, getattr(action, "target_id", ""))
        if game.players[k].role == "AGI" and game.capability >= AGI_WINS_AT:
            return 0
        return 1 if k == i else 2 if _insider(game, k) else 3 if k == next_living(game, game.anchor) else 9

    return sorted((action for action in able if order(action) < 9), key=order)


def _papers(game: Game, able: list[c.Action]) -> list[c.Action]:
    """One action for each kind of paper: the least harmful is discarded first, the most harmful published."""
    by_id = {paper_id(place): rank(game.deck[place]) for place in game.hand}
    kinds = {by_id[action.paper_id]: action for action in able if isinstance(action, c.DiscardPaper | c.PublishPaper)}
    ranked = sorted(kinds, reverse=isinstance(able[0], c.PublishPaper))
    return [*(kinds[k] for k in ranked), *(action for action in able if isinstance(action, c.DeclareVeto))]


def main() -> None:
    games = int(sys.argv[1])
    for players in (5, 7):
        won = sum(winnable(players, "classic", seed) for seed in range(games))
        print(f"{players} players, classic: {won} of {games} games could be won against the heuristic", flush=True)


if __name__ == "__main__":
    main()
