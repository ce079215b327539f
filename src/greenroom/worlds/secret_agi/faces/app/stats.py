"""What many games come to: shares with their 95 % intervals."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from math import sqrt
from typing import Any, TypeAlias

from greenroom.journal.records import Entry
from greenroom.kernel.codec import parse
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import games
from greenroom.worlds.secret_agi.faces.app.games import Row
from greenroom.worlds.secret_agi.faces.app.ratings import Contest, contest_of, ratings
from greenroom.worlds.secret_agi.outside import shipped
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.alone import end_of
from greenroom.worlds.secret_agi.rules.commands import GameConfig, SeatConfig
from greenroom.worlds.secret_agi.rules.tables import ACTION_ROWS, EVENT_ROWS

Wins: TypeAlias = dict[str, list[bool]]

Z = 1.959964
UNDERSTUDY = "understudy"
#: How long each kind of agent is tried for its speed.
TRIED_SECONDS = 0.2


def share(won: int, of: int) -> dict[str, Any]:
    """A share with Wilson's 95 % interval."""
    if not of:
        return {"won": 0, "of": 0, "share": None, "low": None, "high": None}
    p = won / of
    middle, width = p + Z * Z / (2 * of), Z * sqrt(p * (1 - p) / of + Z * Z / (4 * of * of))
    whole = 1 + Z * Z / of
    low, high = max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)
    return {"won": won, "of": of, "share": round(p, 4), "low": round(low, 4), "high": round(high, 4)}


def summary(outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of the outcomes of some games."""
    ended = [outcome for outcome in outcomes if outcome.get("winners")]
    won = Counter(outcome["winners"] for outcome in ended)
    return {
        "games": len(outcomes),
        "completed": len(ended),
        "failed": sum(1 for outcome in outcomes if "winners" in outcome and outcome["winners"] is None),
        "safety": share(won["Safety"], len(ended)),
        "acceleration": share(won["Acceleration"], len(ended)),
        "reasons": dict(sorted(Counter(outcome["reason"] for outcome in ended).items())),
        "turns": _mean(outcome["turns"] for outcome in ended),
        "rounds": _mean(outcome["rounds"] for outcome in ended),
    }


def _mean(numbers: Iterable[int]) -> float | None:
    found = list(numbers)
    return round(sum(found) / len(found), 2) if found else None


class StatsTally:
    """What is counted over many games."""

    def __init__(self) -> None:
        self.games = 0
        self.sizes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        #: For each role, agent, and agent in a role: whether each who played it won.
        self.roles: Wins = defaultdict(list)
        self.agents: Wins = defaultdict(list)
        self.both: Wins = defaultdict(list)
        self.attempts: Counter[str] = Counter()
        self.invalid: Counter[str] = Counter()
        self.tokens = self.cost = self.milliseconds = 0
        #: What happened: endings, powers, votes and nominations.
        self.happened: Counter[str] = Counter()
        self.endings: Counter[str] = Counter()
        self.powers: Counter[str] = Counter()
        self.contests: list[Contest] = []

    def watch(self, events: Iterable[Row]) -> None:
        """Count what the events of a game tell of powers, votes and nominations."""
        for row in events:
            data = row["event_data"]
            if row["event_type"] == "power_triggered":
                self.powers[data["power"]] += 1
            elif row["event_type"] == "vote_completed" and data["vote"] == "team":
                self.happened["votes"] += 1
                self.happened["unanimous"] += len(set(data["ballots"].values())) == 1
            elif row["event_type"] == "action_attempted" and data["action"] == "nominate":
                self.happened["nominations"] += 1
                self.happened["alone"] += data.get("target_id") == row["player_id"]

    def add(
        self, outcome: dict[str, Any], players: Sequence[Row], actions: Sequence[Row], refused: Sequence[Seat] = ()
    ) -> None:
        """Count one game that ended: the actions of its steps, and whose commands were refused."""
        self.games += 1
        self.sizes[str(len(players))].append(outcome)
        self.endings[outcome["reason"]] += 1
        agents = {row["player_id"]: row["agent_type"] for row in players}
        self.contests.append(contest_of(outcome["winners"], [(r["agent_type"], r["role"]) for r in players]))
        for row in players if outcome["winners"] is not None else ():
            won, agent, role = row["allegiance"] == outcome["winners"], row["agent_type"], row["role"]
            for wins, name in ((self.roles, role), (self.agents, agent), (self.both, f"{agent} as {role}")):
                wins[name].append(won)
        for row in actions:
            self.attempts[agents[row["player_id"]]] += 1
            self.invalid[agents[row["player_id"]]] += row["is_valid"] is False
        for seat in refused:
            if seat in agents:
                self.attempts[agents[seat]] += 1
                self.invalid[agents[seat]] += 1

    def spend(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.tokens += entry.input_tokens + entry.output_tokens
            self.cost += entry.cost
            self.milliseconds += entry.milliseconds

    def told(self) -> dict[str, Any]:
        attempts, invalid = self.attempts.total(), self.invalid.total()
        return {
            "games": self.games,
            "by_size": {size: summary(found) for size, found in sorted(self.sizes.items(), key=lambda i: int(i[0]))},
            "by_role": _shares(self.roles),
            "by_agent": _shares(self.agents),
            "by_agent_and_role": _shares(self.both),
            "endings": dict(sorted(self.endings.items())),
            "powers": dict(sorted(self.powers.items())),
            "nominations_of_oneself": share(self.happened["alone"], self.happened["nominations"]),
            "unanimous_votes": share(self.happened["unanimous"], self.happened["votes"]),
            "ratings": ratings(self.contests),
            "actions": attempts,
            "invalid_action_rate": round(invalid / attempts, 5) if attempts else None,
            "invalid_by_agent": {agent: share(self.invalid[agent], n) for agent, n in sorted(self.attempts.items())},
            "decisions_per_second": {agent: self._speed(agent) for agent in sorted(self.attempts)},
            "tokens_per_game": round(self.tokens / self.games, 1) if self.games else None,
            "dollars_per_game": round(self.cost / self.games / 1_000_000, 6) if self.games else None,
        }

    def _speed(self, agent: str) -> float | None:
        """Models by the ledger; agents that need no answer by trying them now; people are not timed."""
        if agent.startswith("LLMPlayer") or agent == UNDERSTUDY:
            return round(self.attempts[agent] * 1000 / self.milliseconds, 1) if self.milliseconds else None
        return None if agent == "HumanPlayer" else speed_of(agent)


def _shares(wins: Wins) -> dict[str, Any]:
    return {name: share(sum(won), len(won)) for name, won in sorted(wins.items())}


def speed_of(agent: str) -> float:
    """Decisions a second of an agent that needs no answer, rules included, tried for a moment."""
    began, decisions, seed = time.perf_counter(), 0, 0
    seats = tuple(SeatConfig(player_id=f"player_{i + 1}", agent_type=agent) for i in range(7))
    while time.perf_counter() - began < TRIED_SECONDS:
        seed += 1
        decisions += end_of(shipped(), GameConfig(player_count=7, seats=seats, seed=seed), seed=seed).moves
    return round(decisions / (time.perf_counter() - began), 1)


async def of_house(house: House) -> dict[str, Any]:
    """Win rates by table size, role and agent; invalid actions, decisions a second, and what models used."""
    tally = StatsTally()
    async for stream in house.every_stream(NAME):
        if stream.outcome is not None:
            entries = await house.ledger(stream.name)
            players = named(await games.players(house, stream.name), [entry for _, entry in entries])
            actions = await house.rows(stream.name, ACTION_ROWS)
            people = any(row["agent_type"] == "HumanPlayer" for row in players)
            refused = await games.refused(house, stream.name) if people else ()
            tally.add(parse(stream.outcome), players, actions, refused)
            tally.watch(await house.rows(stream.name, EVENT_ROWS))
            tally.spend(entry for _, entry in entries)
    return tally.told()


def named(players: Sequence[Row], entries: Sequence[Entry]) -> list[Row]:
    """Who played, by name: a model by its own, and a seat that no model answered for as an understudy."""
    used: dict[Seat, set[str]] = defaultdict(set)
    for entry in entries:
        used[parse(entry.account).get("seat", "")].add(entry.model)
    return [
        {**row, "agent_type": model_of(used[row["player_id"]])} if row["agent_type"] == "LLMPlayer" else row
        for row in players
    ]


def model_of(models: Set[str]) -> str:
    """What a seat for a model is counted as."""
    answered = sorted(models - {UNDERSTUDY, ""})
    return f"LLMPlayer {answered[0]}" if len(answered) == 1 and models == set(answered) else UNDERSTUDY


def lines_of(found: dict[str, Any]) -> list[str]:
    """The same for a person, with bars."""
    lines = [f"{found['games']} games"]
    for size, one in found["by_size"].items():
        lines.append(f"  {size + ' players, Safety':34} {told(one['safety'])}  {bar(one['safety'])}")
    for part in ("by_role", "by_agent", "by_agent_and_role"):
        lines += [f"  {name:34} {told(one)}  {bar(one)}" for name, one in found[part].items()]
    lines += [f"  {count:6}  {reason}" for reason, count in found["endings"].items()]
    lines += [f"  {count:6}  {power.replace('_', ' ')}" for power, count in found["powers"].items()]
    lines.append(f"  {'of themselves nominated':34} {told(found['nominations_of_oneself'])}")
    lines.append(f"  {'unanimous votes':34} {told(found['unanimous_votes'])}")
    lines += [
        f"  {name:34} {one['rating']:+.2f} [{one['low']:+.2f}, {one['high']:+.2f}]"
        for name, one in found["ratings"].items()
    ]
    lines.append(f"  {found['actions']} actions, invalid {found['invalid_action_rate'] or 0:.2%}")
    speeds = [f"{agent} {speed:.0f}" for agent, speed in found["decisions_per_second"].items() if speed is not None]
    if speeds:
        lines.append(f"  decisions/s: {', '.join(speeds)}")
    if found["games"]:
        lines.append(f"  {found['tokens_per_game']:.0f} tokens and ${found['dollars_per_game']:.4f} a game")
    return lines


def bar(found: dict[str, Any], width: int = 40) -> str:
    """A share as a line of text: # up to the share, = over its interval."""
    if found["share"] is None:
        return ""
    low, at, high = (round(found[name] * width) for name in ("low", "share", "high"))
    marks = ["." for _ in range(width + 1)]
    marks[:at] = ["#"] * at
    for i in range(low, high + 1):
        marks[i] = "="
    return "".join(marks)


def told(found: dict[str, Any]) -> str:
    if found["share"] is None:
        return "none"
    return f"{found['share']:6.1%}  [{found['low']:6.1%}, {found['high']:6.1%}] of {found['of']}"
