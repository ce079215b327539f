"""Many games: seeded, the same for any number of processes, taken up again where they were left."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import BackendError, Malformed
from greenroom.services.house import House
from greenroom.worlds.secret_agi.faces.app import recovery
from greenroom.worlds.secret_agi.outside import shipped
from greenroom.worlds.secret_agi.rules import NAME, GameConfig
from greenroom.worlds.secret_agi.rules.alone import end_of
from greenroom.worlds.secret_agi.rules.commands import Discussion, SeatConfig
from greenroom.worlds.secret_agi.rules.opening import AGENTS, ALIASES, BY_SIDE
from greenroom.worlds.secret_agi.rules.papers import FEWEST, MOST, RULE_SETS
from greenroom.worlds.secret_agi.rules.waiting import outcome_of

#: Games that one process has under way at once: they share commits.
AT_ONCE = 64
#: How long the games played without a house may take, to print their speed beside.
PURE_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """What is to be played. The same tournament is the same games, in whatever house."""

    games: int
    players: int = 5
    #: One agent for all seats, ``safety/acceleration`` for one a side, or a list that is dealt round the table.
    agents: str = "random"
    seed: int = 0
    talks: int = 0
    max_turns: int = 2000
    rules: str = "classic"

    def __post_init__(self) -> None:
        if not FEWEST <= self.players <= MOST:
            raise Malformed(f"a table has {FEWEST} to {MOST} players, not {self.players}")
        if self.rules not in RULE_SETS:
            raise Malformed(f"rules are {' or '.join(RULE_SETS)}, not {self.rules!r}")
        self.seats()

    def seats(self) -> tuple[SeatConfig, ...]:
        """Who sits down.

        Raises:
            Malformed: an agent of that name cannot play by itself.
        """
        safety, slash, acceleration = self.agents.partition("/")
        if slash:
            config = {"safety": _agent(safety), "acceleration": _agent(acceleration)}
            return tuple(_seat(i, BY_SIDE, config) for i in range(self.players))
        cast = [name.strip() for name in self.agents.split(",")]
        return tuple(_seat(i, *_with_role(cast[i % len(cast)])) for i in range(self.players))

    def config(self, index: int) -> GameConfig:
        return GameConfig(
            player_count=self.players,
            seats=self.seats(),
            seed=self.seed_of(index),
            discussion=Discussion(on=self.talks > 0, K=max(1, self.talks)),
            max_turns=self.max_turns,
            rules=self.rules,
        )

    def seed_of(self, index: int) -> int:
        return Chance("secret_agi", self.seed, index).below(1 << 53)

    def name(self, index: int) -> str:
        talk = f"-talk{self.talks}" if self.talks else ""
        long = f"-max{self.max_turns}" if self.max_turns != 2000 else ""
        rules = f"-{self.rules}" if self.rules != "classic" else ""
        return f"agi-{self.seed}-{self.players}p-{self.agents}{talk}{long}{rules}-{index + 1:05}"

    @property
    def pure(self) -> bool:
        """Whether it can be played without a house: nobody has to be asked."""
        return not any("LLMPlayer" in repr(seat) for seat in self.seats())


def _seat(i: int, agent: str, config: dict[str, Any]) -> SeatConfig:
    return SeatConfig(player_id=f"player_{i + 1}", agent_type=agent, agent_config=config)


def _with_role(name: str) -> tuple[str, dict[str, Any]]:
    """``model:cheap`` is a model under the role ``cheap``."""
    agent, colon, role = name.partition(":")
    return _agent(agent), {"role": role} if colon else {}


def _agent(name: str) -> str:
    found = ALIASES.get(name, name)
    if found not in AGENTS or found == "HumanPlayer":
        raise Malformed(
            f"{name!r} cannot play by itself; use random, heuristic, weak, middle, strong, model or "
            "model:ROLE, or two with a /"
        )
    return found


# playing

Progress = Callable[[int, int], None]


async def play_share(house: House, tournament: Tournament, share: Sequence[int], progress: Progress) -> None:
    """Play these games of a tournament to their end; those that ended before stay as they are."""
    await _note_interruptions(house, {tournament.name(index) for index in share})
    with _collecting_between():
        for start in range(0, len(share), AT_ONCE):
            part = share[start : start + AT_ONCE]
            await asyncio.gather(*(_begin(house, tournament, index) for index in part))
            await _to_the_end(house, tournament, part)
            gc.collect()
            progress(start + len(part), len(share))


@contextmanager
def _collecting_between() -> Iterator[None]:
    """Look for cycles only where asked: games make many short-lived records, and none that hold each other."""
    thaws = not gc.get_freeze_count()  # somebody else may keep what is loaded
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        if thaws:
            gc.unfreeze()


async def _note_interruptions(house: House, names: Set[str]) -> None:
    found = [name for name in await recovery.find_interrupted(house) if name in names]
    await asyncio.gather(*(recovery.recover(house, name) for name in found))


async def _begin(house: House, tournament: Tournament, index: int) -> None:
    config, seed = tournament.config(index), tournament.seed_of(index)
    await house.start(NAME, config, name=tournament.name(index), seed=seed, owner="tournament")


async def _to_the_end(house: House, tournament: Tournament, part: Sequence[int]) -> None:
    rung, waiting = -1, [tournament.name(index) for index in part]
    while True:
        await house.quiet()
        waiting = [name for name in waiting if (await house.stream(name)).outcome is None]
        if not waiting:
            return
        for name in waiting:
            if await recovery.stalled(house, await house.stream(name)):
                await recovery.recover(house, name)  # its agents' wake was given up; nobody else would wake them
        rung = await house.changed(0.2, rung)  # another process drives it, or a model is to be asked later


async def play(database: Path | str, tournament: Tournament, *, processes: int, progress: Progress) -> float:
    """Play a tournament with so many processes on one house; returns the seconds it took."""
    import greenroom

    began = time.perf_counter()
    shares = [range(k, tournament.games, processes) for k in range(processes)]
    if processes == 1:
        async with greenroom.open(database, work=False) as house:
            began = time.perf_counter()
            await play_share(house, tournament, shares[0], progress)
            return time.perf_counter() - began
    async with greenroom.open(database, work=False):
        pass  # made, and brought to this form, by one process
    await asyncio.to_thread(_in_processes, database, tournament, shares, progress)
    return time.perf_counter() - began


def _in_processes(database: Path | str, tournament: Tournament, shares: Sequence[range], progress: Progress) -> None:
    context = multiprocessing.get_context("spawn")
    done = [context.Value("i", 0) for _ in shares]
    running = [
        context.Process(target=_one_process, args=(database, tournament, share, count), daemon=True)
        for share, count in zip(shares, done, strict=True)
    ]
    for process in running:
        process.start()
    while any(process.is_alive() for process in running):
        progress(sum(count.value for count in done), tournament.games)
        time.sleep(0.1)
    if failed := [process.exitcode for process in running if process.exitcode]:
        raise BackendError(f"{len(failed)} of {len(running)} processes ended early; the same command goes on")


def _one_process(database: Path | str, tournament: Tournament, share: range, count: Any) -> None:
    asyncio.run(_played(database, tournament, share, count))


async def _played(database: Path | str, tournament: Tournament, share: range, count: Any) -> None:
    import greenroom

    def told(done: int, _: int) -> None:
        count.value = done

    async with greenroom.open(database, work=False) as house:
        await play_share(house, tournament, share, told)


# results


async def results(house: House, tournament: Tournament) -> list[dict[str, Any]]:
    """The outcome of every game, in order."""
    found = []
    for index in range(tournament.games):
        name = tournament.name(index)
        stream = await house.stream(name)
        ended = {} if stream.outcome is None else parse(stream.outcome)
        found.append({"game": name, "seed": tournament.seed_of(index), **ended})
    return found


def pure_speed(tournament: Tournament, outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Games a second by rules alone, for a moment; each must end as the stored one did."""
    began, played = time.perf_counter(), 0
    for index, stored in enumerate(outcomes):
        ended = end_of(shipped(), tournament.config(index), seed=tournament.seed_of(index))
        told = {name: value for name, value in stored.items() if name not in ("game", "seed")}
        if canonical(outcome_of(ended)) != canonical(told):
            raise BackendError(f"{stored['game']} ended otherwise than its rules say; run 'greenroom db check'")
        played += 1
        if time.perf_counter() - began > PURE_SECONDS:
            break
    seconds = time.perf_counter() - began
    return {"games": played, "games_per_second": round(played / seconds, 1)}
