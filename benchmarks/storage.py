"""How many bytes a house keeps for every byte its worlds asked it to keep."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.stage import Stage, open_bench
from benchmarks.world import DICE, GUEST, TALK, Say, Throw, words
from greenroom.kernel.codec import Codec, canonical
from greenroom.kernel.tables import Change, Put, plain_row
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Turn, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What some turns weigh on the disk."""

    turns_of: str
    streams: int
    turns: int
    payload_bytes: int
    stored_bytes: int

    @property
    def per_byte(self) -> float:
        return self.stored_bytes / self.payload_bytes

    @property
    def over_per_turn(self) -> float:
        """Bytes beyond the payload."""
        return (self.stored_bytes - self.payload_bytes) / self.turns


@dataclass(slots=True)
class Scale:
    """Weighs what a world asks to keep: canonical bytes of commands, events, rows, memories, each counted once."""

    bytes: int = 0
    turns: int = 0

    def turn(self, codec: Codec[Any, Any, Any], given: CommandContext[Any], done: Done[Any]) -> None:
        said = codec.words_of(given.command)
        numbered = codec.with_words(given.command, [Words(id=f"@{i}") for i in range(len(said))])
        texts = {word.id: word.text for word in said}
        self.bytes += len(codec.command(numbered)) + sum(len(codec.events(events)) for events in done.steps)
        # Only what the world chose: not the ids, owners and moments that the runtime gives every memory.
        self.bytes += sum(len(canonical((m.agent, m.speaker, m.text or texts[m.id]))) for m in done.memories)
        self.turns += 1

    def row(self, change: Change) -> None:
        assert isinstance(change, Put)
        self.bytes += len(canonical(plain_row(change.values)))


def weighed(world: World[Any, Any, Any], scale: Scale) -> World[Any, Any, Any]:
    """The same world, with everything it asks to keep put on a scale."""
    codec = Codec(world)

    def handle(state: Any, given: CommandContext[Any]) -> Turn[Any]:
        done = yield from world.handle(state, given)
        scale.turn(codec, given, done)
        return done

    def rows(state: Any, told: EventContext[Any]) -> Iterable[Change]:
        for change in world.rows(state, told):
            scale.row(change)
            yield change

    return replace(world, handle=handle, rows=rows)


async def weigh(stage: Stage, path: Path, what: str, *, streams: int, turns: int) -> Stored:
    """Play turns and weigh the file they left. ``what`` is talk, asking or dice."""
    scale = Scale()
    world = DICE if what == "dice" else TALK
    others = (TALK if what == "dice" else DICE,)
    async with open_bench(path, (weighed(world, scale), *others)) as house:
        names = [(await house.start(world.name)).stream for _ in range(streams)]

        async def play(stream: str) -> None:
            for i in range(turns // streams):
                command = Throw() if what == "dice" else Say(words(i), what == "asking")
                await house.send(stream, command, seat=GUEST)

        await asyncio.gather(*map(play, names))
    stored = size(path) - size(stage.empty)
    return Stored(turns_of=what, streams=streams, turns=scale.turns, payload_bytes=scale.bytes, stored_bytes=stored)


def size(path: Path) -> int:
    """Bytes of the file with nothing left in its log."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
    return path.stat().st_size
