"""A real worker killed with SIGKILL in the middle of players' messages, forked from a parent that imported everything.

Run as ``python -m tests.worlds.phantom.killing FOLDER KILLS SEED``; prints one JSON object with what was found.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.times import micros
from greenroom.kernel.words import Words
from greenroom.ports import Asked, Outgoing
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from greenroom.worlds.phantom.outside import answer
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.state import PLAYER
from tests.crash.zygote import Log, finish, fork, kill, read, read_asks, stored, wait_ready, warm
from tests.worlds.phantom.stage import START
from tests.worlds.phantom.trial import CONTENT

#: How long a model or a channel takes: the kill falls into it.
THINKING = 0.03
#: Longer than a lease of the dead, which is short here so that nobody waits for it.
PATIENCE = 30.0
engine.LEASE_SECONDS = 2.0
#: A message whose worker has died five times is given up, which is not what is tried here: after so many deaths one
#: worker may finish what is open.
ROUND = 3
#: When the players write, and when the answers have fallen due.
SOON, LATER = START + timedelta(minutes=5), START + timedelta(hours=1)

MESSAGE = c.Receive(channel="email", text=Words("Who are you, and what is this key?"), provider_id="1")


class Pigeonhole:
    """A channel that honours keys, whoever sends: one file for each letter. It logs every letter it is handed."""

    costs = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "letters"
        self._folder.mkdir(exist_ok=True)
        self._handed = Log(folder / "handed.log")

    async def send(self, letter: Outgoing) -> None:
        self._handed.write(letter.id)
        await asyncio.sleep(THINKING)
        (self._folder / letter.id.replace("/", "_")).write_text(letter.text)


def models(folder: Path) -> ScriptedModels:
    asks = Log(folder / "asks.log")

    async def speak(ask: AskModel, asked: Asked) -> Json:
        asks.write(asked.stream, asked.n, asked.i)
        await asyncio.sleep(THINKING)
        return answer(CONTENT, ask)

    return ScriptedModels(speak)


def house(folder: Path, at: datetime, *, work: bool) -> Any:
    hole = Pigeonhole(folder)
    return open_house(
        folder / "house.db", models=models(folder), channels={"inbox": hole, "phone": hole}, clock=at, work=work
    )


def worker(folder: Path, at: datetime) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        async with house(folder, at, work=True):
            os.write(tell, b"r")
            await asyncio.sleep(600)

    return run


def client(folder: Path, players: int) -> Callable[[int], Awaitable[None]]:
    """Signs players up and starts their stories, with nobody at work."""

    async def run(tell: int) -> None:
        async with house(folder, START, work=False) as open_:
            for i in range(players):
                config = c.Register(email=f"player{i}@example.org", delivery="page")
                await open_.start("phantom", config, name=f"tale-{i}", owner=f"player:{i}", seed=i)
                await open_.send(f"tale-{i}", c.Start(), seat=PLAYER, key="start")
        os.write(tell, b"r")

    return run


def writer(folder: Path, i: int) -> Callable[[int], Awaitable[None]]:
    """A player writes: recorded and acknowledged by one process, to be answered by another."""

    async def run(tell: int) -> None:
        async with house(folder, SOON, work=False) as open_:
            receipt = await open_.record(f"tale-{i}", MESSAGE, seat=PLAYER, key="in/1")
            Log(folder / "acks.log").write(f"tale-{i}", receipt.attempt.n)
        os.write(tell, b"r")

    return run


def done(run: Callable[[int], Awaitable[None]]) -> None:
    pid, ready = fork(run)
    wait_ready(ready)
    assert os.waitpid(pid, 0)[1] == 0


def storm(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Each player writes one message; workers die while it is read, answered and sent."""
    tally, chance = Tally(folder), random.Random(seed)
    warm(house(folder, START, work=False))
    done(client(folder, kills))
    for i in range(kills):
        done(writer(folder, i))
        asks = len(read_asks(folder)) + 1
        tally.life(SOON, partial(_in_the_middle, folder / "asks.log", asks, chance))
        if i % ROUND == ROUND - 1 or i == kills - 1:
            tally.life(SOON, lambda: finish(folder))
    # The answers are due: workers die in the middle of writing them; then one while it hands them in.
    for i in range(min(ROUND, 2 * kills)):
        asks = len(read_asks(folder)) + 1 + i % 2
        tally.life(LATER, partial(_in_the_middle, folder / "asks.log", asks, chance))
    handed = len(read(folder / "handed.log")) + 1
    tally.life(LATER, partial(_in_the_middle, folder / "handed.log", handed, chance))
    tally.life(LATER, lambda: posted(folder))
    return verdict(folder, kills, tally)


@dataclass(slots=True)
class Tally:
    """What is counted over the lives of all workers."""

    folder: Path
    deaths: int = 0
    asked_again: int = 0
    #: Asks begun and not stored when a worker died, summed over all deaths.
    in_flight: int = 0

    def life(self, at: datetime, lived: Callable[[], None]) -> None:
        """A worker that is killed once ``lived`` has returned; no ask whose answer is stored may come again."""
        held, before = stored(self.folder), len(read_asks(self.folder))
        pid, ready = fork(worker(self.folder, at))
        wait_ready(ready)
        lived()
        kill(pid)
        self.deaths += 1
        asks = read_asks(self.folder)
        self.asked_again += sum(place in held for place in asks[before:])
        self.in_flight += len(set(asks) - stored(self.folder))


def _in_the_middle(log: Path, lines: int, chance: random.Random) -> None:
    """Wait until something more was begun, and some moments longer."""
    deadline = time.monotonic() + PATIENCE
    while len(read(log)) < lines and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(chance.uniform(0, THINKING))


def posted(folder: Path) -> None:
    """Wait until no letter is due any more."""
    deadline = time.monotonic() + PATIENCE
    while due(folder) and time.monotonic() < deadline:
        time.sleep(0.1)


def due(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "house.db", timeout=30)) as connection:
        query = "SELECT count(*) FROM letters WHERE status = 'due' AND due_at <= ?"
        (left,) = connection.execute(query, (micros(LATER),)).fetchone()
    return int(left)


def verdict(folder: Path, kills: int, tally: Tally) -> dict[str, Any]:
    acks = read(folder / "acks.log")
    with closing(sqlite3.connect(folder / "house.db", timeout=30)) as connection:
        names = dict(connection.execute("SELECT sid, name FROM streams"))
        status = {(names[sid], n): s for sid, n, s in connection.execute("SELECT sid, n, status FROM attempts")}
        turns = Counter((names[sid], n) for sid, n in connection.execute("SELECT sid, n FROM steps"))
        letters = [row[0] for row in connection.execute("SELECT key FROM letters WHERE status = 'sent'")]
    asks = Counter(read_asks(folder))
    handed = Counter(id for (id,) in read(folder / "handed.log"))
    return {
        "kills": tally.deaths,
        "acknowledged": len(acks),
        "settled": sum(status[name, n] == "settled" for name, n in acks),
        "settled_twice": sum(count > 1 for count in turns.values()),
        "failed": sum(s == "failed" for s in status.values()),
        "asks": len(asks),
        "asked_again": tally.asked_again,
        "repeats": sum(count - 1 for count in asks.values()),
        "in_flight": tally.in_flight,
        "letters": len(letters),
        "letters_left": due(folder),
        "delivered": len(list((folder / "letters").iterdir())),
        "handed_twice": sum(count - 1 for count in handed.values()),
        "problems": asyncio.run(problems(folder)),
    }


async def problems(folder: Path) -> list[str]:
    async with house(folder, LATER, work=False) as open_:
        return list((await check_house(open_.backend, open_.codecs)).problems)


if __name__ == "__main__":
    where, how_many, luck = sys.argv[1:]
    print(json.dumps(storm(Path(where), int(how_many), int(luck))))
