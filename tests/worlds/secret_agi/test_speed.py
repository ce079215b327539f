"""How fast games are kept, beside plain ``sqlite3`` inserting the same rows, 64 actions a transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path

from greenroom.bootstrap import open_house
from greenroom.entrypoints.agi import tournament
from greenroom.entrypoints.agi.tournament import Tournament
from tests.counts import count, report

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


async def kept(database: Path, games: int) -> float:
    """Seconds for a tournament in a house that has played one before."""
    async with open_house(database, work=False) as house:
        await tournament.play_share(house, Tournament(games=1, players=7, seed=99), [0], lambda *_: None)
        wanted = Tournament(games=games, players=7, seed=1)
        began = time.perf_counter()
        await tournament.play_share(house, wanted, range(games), lambda *_: None)
        return time.perf_counter() - began


def raw(source: Path, target: Path) -> tuple[float, int]:
    """Seconds to insert what a house holds into an empty file of the same form, and the actions in it."""
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
    began = time.perf_counter()
    for k in range(batches):
        there.execute("BEGIN IMMEDIATE")
        for table, found in rows.items():
            there.executemany(inserts[table], found[len(found) * k // batches : len(found) * (k + 1) // batches])
        there.execute("COMMIT")
    seconds = time.perf_counter() - began
    here.close()
    there.close()
    return seconds, actions


def test_how_fast_games_are_kept_beside_raw_inserts(tmp_path: Path) -> None:
    ours = asyncio.run(kept(tmp_path / "house.db", count(8, soak=400)))
    plain, actions = raw(tmp_path / "house.db", tmp_path / "raw.db")
    report(
        f"secret_agi: {actions / ours:.0f} actions/s kept by one process, {actions / plain:.0f} raw: "
        f"{plain / ours:.0%} of inserting the same rows"
    )
    assert plain / ours > 0.05
