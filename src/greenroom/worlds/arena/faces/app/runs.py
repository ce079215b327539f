"""Runs of evolution: begun, gone on with, driven by any number of processes to the same end."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from greenroom.journal.records import Stream
from greenroom.kernel.codec import canonical
from greenroom.kernel.errors import Malformed, Unknown
from greenroom.services.house import House
from greenroom.worlds.arena.rules import NAME, lessons, retention
from greenroom.worlds.arena.rules.acceptance import SEED_RULE, Rule
from greenroom.worlds.arena.rules.content import Content
from greenroom.worlds.arena.rules.run import Run, RunConfig

OWNER = "arena"
#: How long a process waits for news before it looks again.
LOOK_SECONDS = 0.2
RULES = {"paired": Rule(), "seed": SEED_RULE}

Progress = Callable[[int, int], None]


def named(config: RunConfig) -> str:
    """The name of a run: the same config is the same run, and goes on where it was left."""
    plain = RunConfig(scenario=config.scenario, generations=config.generations, seed=config.seed)
    base = f"arena-{config.scenario}-{config.generations}g-{config.seed}"
    if config == plain:
        return base
    from hashlib import sha256

    return f"{base}-{sha256(canonical(config)).hexdigest()[:6]}"


def rule_named(name: str) -> Rule:
    """How to accept, by name.

    Raises:
        Malformed: there is no such rule.
    """
    if name not in RULES:
        raise Malformed(f"a run accepts by one of {', '.join(RULES)}, not by {name}")
    return RULES[name]


async def find(house: House, name: str | None) -> Stream:
    """A run by name, or the one that was begun last.

    Raises:
        Unknown: there is none.
    """
    if name is not None:
        stream = await house.stream(name)
        if stream.world != NAME:
            raise Unknown(f"{name} is no run of the arena")
        return stream
    newest: Stream | None = None
    async for stream in house.every_stream(NAME):
        if newest is None or stream.born_at > newest.born_at:
            newest = stream
    if newest is None:
        raise Unknown("there is no run yet; begin one with 'greenroom arena evolve'")
    return newest


async def begin(house: House, config: RunConfig) -> str:
    """Begin a run and leave it to the house's workers; the same one again is the one that is there."""
    name = named(config)
    await house.record_start(NAME, config, owner=OWNER, name=name, seed=config.seed)
    return name


async def state_of(house: House, name: str) -> Run:
    """A run as it stands; for those who may see everything."""
    head = await house.head(name)
    state: Run = head.state
    return state


def content_of(house: House) -> Content:
    return house.content(NAME, Content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """How a run was brought to its end."""

    name: str
    seconds: float
    #: Episodes and turns that were played meanwhile.
    episodes: int
    turns: int


async def evolve(
    place: Path | str, config: RunConfig, *, workers: int, progress: Progress, name: str | None = None
) -> Driven:
    """Begin a run, or go on with it, with so many processes."""
    import greenroom

    wanted = named(config) if name is None else name
    async with greenroom.open(place, work=False) as house:
        await house.start(NAME, config, name=wanted, seed=config.seed, owner=OWNER)
        before = await state_of(house, wanted)
        began = time.perf_counter()
        helpers = _helpers(place, wanted, workers - 1)
        try:
            await drive(house, wanted, progress)
        finally:
            for process in helpers:
                process.join()
        after = await state_of(house, wanted)
    return Driven(
        name=wanted,
        seconds=time.perf_counter() - began,
        episodes=after.episodes - before.episodes,
        turns=after.turns - before.turns,
    )


def _helpers(place: Path | str, name: str, count: int) -> list[Any]:
    """Processes that play the same run; each ends by itself when the run does."""
    context = multiprocessing.get_context("spawn")
    made = [context.Process(target=_help, args=(place, name), daemon=True) for _ in range(count)]
    for process in made:
        process.start()
    return made


def _help(place: Path | str, name: str) -> None:
    asyncio.run(_helped(place, name))


async def _helped(place: Path | str, name: str) -> None:
    import greenroom

    async with greenroom.open(place, work=False) as house:
        await drive(house, name, lambda *_: None)


async def drive(house: House, name: str, progress: Progress) -> None:
    """Play whatever is due until a run is over; others may do the same."""
    watching = asyncio.create_task(_watch(house, name, progress))
    rung = -1
    try:
        while (await house.stream(name)).outcome is None:
            await house.quiet()
            if (await house.stream(name)).outcome is None:
                rung = await house.changed(LOOK_SECONDS, rung)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    await tidy(house, name)


async def _watch(house: House, name: str, progress: Progress) -> None:
    while True:
        state = await state_of(house, name)
        if state.config is not None:
            progress(state.number, state.config.generations)
        await asyncio.sleep(LOOK_SECONDS)


async def would_go(house: House, name: str) -> dict[str, Any]:
    """A dry run of retention: what would go if one more generation had ended."""
    state = await state_of(house, name)
    found = retention.verdict(
        state.ledger, state.number + 1, archived_upto=state.archived_upto, released_upto=state.released_upto
    )
    removed = await house.releasable(name, found.released)
    return {"archived": len(found.archived), "released": len(found.released), "rows": to_builtins(removed)}


async def tidy(house: House, name: str) -> int:
    """Remove lessons whose place others have taken from the bank; how many went."""
    stream = await house.stream(name)
    return await house.prune_memories(lessons.scope(NAME, stream.owner, name), lessons.MOST, kinds=(lessons.KIND,))
