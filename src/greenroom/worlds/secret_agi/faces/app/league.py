"""A league: every agent meets every other, as either side, in tournaments that can be taken up again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from greenroom.kernel.errors import Malformed
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import tournament
from greenroom.worlds.secret_agi.faces.app.ratings import Contest, contest_of, ratings
from greenroom.worlds.secret_agi.faces.app.stats import share
from greenroom.worlds.secret_agi.faces.app.tournament import Tournament
from greenroom.worlds.secret_agi.rules.papers import roles_of


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays whom, and how often. The same league is the same games, in whatever house."""

    agents: tuple[str, ...]
    #: Games of each pairing, with either of the two as Safety.
    games: int = 10
    players: int = 5
    seed: int = 0
    talks: int = 0
    rules: str = "classic"
    #: Rounds of a Swiss league; 0 for everybody against everybody.
    swiss: int = 0

    def __post_init__(self) -> None:
        if len(set(self.agents)) < 2 or len(set(self.agents)) != len(self.agents):
            raise Malformed("a league needs two agents or more, each named once, such as strong,middle,weak")

    def match(self, safety: str, acceleration: str) -> Tournament:
        """The games in which one agent plays Safety and another Acceleration."""
        return Tournament(
            games=self.games,
            players=self.players,
            agents=f"{safety}/{acceleration}",
            seed=self.seed,
            talks=self.talks,
            rules=self.rules,
        )


class Standings:
    """What was played so far."""

    def __init__(self, league: League) -> None:
        self._league = league
        self.matches: list[dict[str, Any]] = []
        self.contests: list[Contest] = []
        self.points = dict.fromkeys(league.agents, 0)

    def add(self, safety: str, acceleration: str, outcomes: Sequence[dict[str, Any]]) -> None:
        """Count the games of one match."""
        ended = [outcome["winners"] for outcome in outcomes if outcome.get("winners")]
        won = ended.count("Safety")
        self.points[safety] += won
        self.points[acceleration] += len(ended) - won
        self.matches.append({"safety": safety, "acceleration": acceleration, "won": share(won, len(ended))})
        roles = roles_of(self._league.players)
        cast = [(safety if role == "Safety" else acceleration, str(role)) for role in roles]
        self.contests += [contest_of(winners, cast) for winners in ended]

    def told(self) -> dict[str, Any]:
        """Points, matches and ratings; the best first."""
        points = dict(sorted(self.points.items(), key=lambda item: (-item[1], item[0])))
        return {"points": points, "matches": self.matches, "ratings": ratings(self.contests)}


def pairings(league: League, standings: Standings) -> Iterator[tuple[str, str]]:
    """Who meets whom next: everybody, or in each round of a Swiss league those who stand next to each other."""
    if not league.swiss:
        yield from combinations(league.agents, 2)
        return
    met: set[frozenset[str]] = set()
    for _ in range(league.swiss):
        order = sorted(league.agents, key=lambda name: (-standings.points[name], name))
        while len(order) > 1:
            first = order.pop(0)
            other = next((name for name in order if frozenset((first, name)) not in met), order[0])
            order.remove(other)
            met.add(frozenset((first, other)))
            yield first, other


async def play(
    database: Path | str, league: League, *, processes: int, progress: Callable[[int, int], None]
) -> Standings:
    """Play what of the league has not been played, and give how it stands; twice is once."""
    import greenroom

    standings = Standings(league)
    for pair in pairings(league, standings):
        for safety, acceleration in permutations(pair, 2):
            match = league.match(safety, acceleration)
            await tournament.play(database, match, processes=processes, progress=progress)
            async with greenroom.open(database, work=False) as house:
                standings.add(safety, acceleration, await outcomes(house, match))
    return standings


async def outcomes(house: House, match: Tournament) -> list[dict[str, Any]]:
    return await tournament.results(house, match)


def lines_of(found: dict[str, Any]) -> list[str]:
    """The same for a person."""
    lines = [f"  {points:5} points  {agent}" for agent, points in found["points"].items()]
    for one in found["matches"]:
        won = one["won"]
        lines.append(f"  {one['safety']} as Safety against {one['acceleration']}: {won['won']} of {won['of']}")
    for name, one in found["ratings"].items():
        lines.append(f"  {name:34} {one['rating']:+.2f} [{one['low']:+.2f}, {one['high']:+.2f}]")
    return lines
