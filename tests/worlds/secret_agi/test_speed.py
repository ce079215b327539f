"""How fast games are kept, beside plain ``sqlite3`` inserting the same rows, 64 actions a transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.storage import size
from greenroom.bootstrap import open_house
from greenroom.kernel.codec import canonical
from greenroom.services.tables import every_stream
from greenroom.worlds.secret_agi.faces.app import games, tournament
from greenroom.worlds.secret_agi.faces.app.tournament import Tournament
from greenroom.worlds.secret_agi.rules import NAME
from greenroom.worlds.secret_agi.rules.tables import TABLES as TABLES_OF_THE_WORLD
from tests.counts import SOAK, count, report

ACTIONS_A_TRANSACTION = 64
TABLES = (
    "streams",
    "attempts",
    "steps",
    "snapshots",
    "agi_games",
    "agi_game_states",
    "agi_players",
    "agi_actions",
    "agi_events",
    "agi_agent_metrics",
)


class Taken(NamedTuple):
    """What something took, by the clock and of the processor."""

    seconds: float
    busy: float


async def kept(database: Path, games: int) -> Taken:
    """A tournament in a house that has played one before, by one process."""
    async with open_house(database, work=False) as house:
        await tournament.play_share(house, Tournament(games=1, players=7, seed=99), [0], lambda *_: None)
        wanted = Tournament(games=games, players=7, seed=1)
        began, busy = time.perf_counter(), time.process_time()
        await tournament.play_share(house, wanted, range(games), lambda *_: None)
        return Taken(time.perf_counter() - began, time.process_time() - busy)


def raw(source: Path, target: Path) -> tuple[Taken, int]:
    """Inserting what a house holds into an empty file of the same form, and the actions in it."""
    here = sqlite3.connect(source)
    there = sqlite3.connect(target, isolation_level=None)
    there.execute("PRAGMA journal_mode = wal")
    there.execute("PRAGMA synchronous = full")
    rows, inserts = {}, {}
    for table in TABLES:
        for (made,) in here.execute("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL", (table,)):
            there.execute(made)
        rows[table] = here.execute(f"SELECT * FROM {table}").fetchall()
        inserts[table] = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[table][0]))})"
    actions = len(rows["agi_actions"])
    batches = max(1, actions // ACTIONS_A_TRANSACTION)
    began, busy = time.perf_counter(), time.process_time()
    for k in range(batches):
        there.execute("BEGIN IMMEDIATE")
        for table, found in rows.items():
            there.executemany(inserts[table], found[len(found) * k // batches : len(found) * (k + 1) // batches])
        there.execute("COMMIT")
    taken = Taken(time.perf_counter() - began, time.process_time() - busy)
    here.close()
    there.close()
    return taken, actions


@pytest.mark.sqlite
@pytest.mark.alone
def test_how_fast_games_are_kept_beside_raw_inserts(tmp_path: Path) -> None:
    """One after the other, several times: a machine that others use too is now faster, now slower."""
    rounds = [compared(tmp_path / str(i), count(12, soak=400)) for i in range(count(1, soak=5))]
    ours, plain, share, busy = (statistics.median(figures) for figures in zip(*rounds, strict=True))
    report(
        f"secret_agi: {ours:.0f} actions/s kept by a process, {plain:.0f} raw, {share:.0%} of inserting the same rows "
        f"({', '.join(f'{one[2]:.0%}' for one in rounds)}), {busy:.0%} by processor time"
    )
    assert busy > (0.3 if SOAK else 0.1)  # a few games say little: 20 to 30 % from one run to the next


@pytest.mark.sqlite
@pytest.mark.alone
def test_how_fast_games_are_kept_by_two_processes_beside_raw_inserts(tmp_path: Path) -> None:
    """As ``agi play --processes 2`` does it: what it takes to begin and end the processes counts as well."""
    wanted = Tournament(games=count(8, soak=1000), players=7, seed=1)
    taken = asyncio.run(tournament.play(tmp_path / "house.db", wanted, processes=2, progress=lambda *_: None))
    plain, actions = raw(tmp_path / "house.db", tmp_path / "raw.db")
    report(
        f"secret_agi: {actions / taken:.0f} actions/s kept by two processes, their start included, "
        f"{plain.seconds / taken:.0%} of inserting the same rows"
    )
    assert actions >= 24 * wanted.games


def compared(folder: Path, games: int) -> tuple[float, float, float, float]:
    """Actions a second, kept and raw, and what share of the raw ones are kept, by the clock and by the processor."""
    folder.mkdir()
    ours = asyncio.run(kept(folder / "house.db", games))
    plain, actions = raw(folder / "house.db", folder / "raw.db")
    return actions / ours.seconds, actions / plain.seconds, plain.seconds / ours.seconds, plain.busy / ours.busy


async def payload(database: Path) -> int:
    """Canonical bytes of commands, events and rows, each counted once: what the world asked to keep."""
    asked = 0
    async with open_house(database, work=False) as house:
        async for stream in every_stream(house.backend, NAME):
            asked += sum(len(attempt.command) for attempt in await games.attempts(house, stream.name))
            steps = house.backend.history.steps(stream.name, 0, stream.version)
            asked += sum([len(step.events) async for step in steps])
            for table in TABLES_OF_THE_WORLD:
                for row in await house.backend.tables.rows(stream.name, table):
                    asked += len(canonical({name: value for name, value in row.items() if name != "version"}))
    return asked


async def opened(database: Path) -> None:
    async with open_house(database, work=False):
        pass


@pytest.mark.sqlite
def test_what_is_stored_is_at_most_three_times_what_was_to_be_kept(tmp_path: Path) -> None:
    asyncio.run(opened(tmp_path / "empty.db"))
    asyncio.run(kept(tmp_path / "house.db", count(8, soak=400)))
    asked = asyncio.run(payload(tmp_path / "house.db"))
    stored = size(tmp_path / "house.db") - size(tmp_path / "empty.db")
    report(f"secret_agi: {stored / asked:.2f} bytes are stored for every byte of commands, events and rows")
    assert stored <= 3 * asked
