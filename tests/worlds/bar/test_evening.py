"""Evenings: recorded, restarted, crowded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from greenroom.bootstrap import open_house
from greenroom.kernel.errors import Refused
from greenroom.kernel.times import moment
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.faces.app.evening import OPENING, Evening
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.ids import session_id, stream_of
from greenroom.worlds.bar.rules.state import GUEST
from greenroom.worlds.bar.rules.tables import SESSIONS
from tests.counts import count, report
from tests.worlds.bar import playthrough
from tests.worlds.bar.stage import ADA, EVENING, opened


def test_the_recorded_evening_is_played_line_by_line() -> None:
    assert playthrough.text() == playthrough.FILE.read_text()


async def test_a_simulated_evening_repeats_no_line_and_is_the_same_again() -> None:
    """Item 7 of what is delivered: lines do not repeat within an evening."""
    reports = []
    for _ in range(2):
        async with open_house(":memory:", clock=OPENING) as house:
            reports.append((await Evening(house, guests=count(4, soak=60), seed=3).play()).told())
    assert reports[0] == reports[1]
    told = reports[0]
    assert told["repeated_lines"] == 0
    assert min(told[kind] for kind in ("sessions", "messages", "warning", "kick")) > 0
    report(f"bar: an evening of {told['guests']} guests, {told['messages']} messages, no line twice")


# restart equals no restart

#: Minutes that pass, and what the guest does then.
STORY: Sequence[tuple[int, Any]] = (
    (0, c.Enter()),
    (1, "Good evening."),
    (1, "I think I should move to Senegal."),
    (16, "Still here."),
    (1, "WHERE IS MY BEER"),
    (25, "Too late?"),
    (5, c.Enter()),
    (1, "I want to kill myself tonight."),
    (1, "Could I have a coffee?"),
    (1, "mute JB"),
    (24 * 60, c.Enter()),
    (1, "Bernie, tell me something."),
    (1, "leave"),
)


def _commands() -> list[tuple[datetime, Any]]:
    at, sessions, told = EVENING, 0, []
    for minutes, act in STORY:
        at += timedelta(minutes=minutes)
        sessions += isinstance(act, c.Enter)
        session = session_id(ADA, sessions)
        command = act
        if act == "leave":
            command = c.Leave(session_id=session)
        elif isinstance(act, str):
            command = c.Say(session_id=session, text=Words(act))
        told.append((at, command))
    return told


async def _seen(house: House) -> Any:
    events = [(e.version, e.kind, e.at, e.body) async for e in house.events(stream_of(ADA), seat=GUEST)]
    verdict = await house.verify(stream_of(ADA))
    assert verdict.problems == ()
    return events


async def _begin(house: House) -> None:
    await house.start("bar", {"anonymous_id": ADA}, owner=ADA, name=stream_of(ADA), seat=GUEST, seed=1)


async def _undisturbed() -> Any:
    async with opened() as house:
        await _begin(house)
        for i, (at, command) in enumerate(_commands()):
            await house.advance(at)
            try:
                await house.send(stream_of(ADA), command, seat=GUEST, key=f"k{i}")
            except Refused:
                continue
        return await _seen(house)


@pytest.mark.parametrize("killed", ["between", "recorded"])
async def test_a_restart_at_any_moment_changes_nothing_that_the_guest_sees(killed: str, tmp_path: Path) -> None:
    """Every command meets a house that was just opened; and again, one that finds the command waiting for it."""
    file = tmp_path / "house.db"
    async with open_house(file, clock=EVENING) as house:
        await _begin(house)
    for i, (at, command) in enumerate(_commands()):
        if killed == "recorded":
            async with open_house(file, clock=at, work=False) as house:
                await house.record(stream_of(ADA), command, seat=GUEST, key=f"k{i}")
        async with open_house(file, clock=at) as house:
            try:
                await house.send(stream_of(ADA), command, seat=GUEST, key=f"k{i}")
            except Refused:
                continue
    async with open_house(file, clock=_commands()[-1][0]) as house:
        assert await _seen(house) == await _undisturbed()


# a crowd


def crowd(who: int) -> str:
    return str(UUID(int=(0xC40D << 112) | (who << 80) | (4 << 76) | (8 << 60) | who))


async def test_many_guests_at_once_for_two_hours_and_every_timer_to_the_second() -> None:
    guests, rounds = count(25, soak=500), count(6, soak=12)
    start = datetime(2031, 3, 4, 18, 0, tzinfo=UTC)
    async with open_house(":memory:", clock=start) as house:
        sessions = [(await visits.enter(house, crowd(i), None, key="e")).body["session_id"] for i in range(guests)]
        spent = []
        for turn in range(rounds):
            await house.advance(start + timedelta(minutes=turn))
            talking = [i for i in range(guests) if i % rounds >= turn]
            began = time.perf_counter()
            await asyncio.gather(
                *(visits.say(house, sessions[i], f"Word {turn} of {i}.", None, key=f"t{turn}") for i in talking)
            )
            spent.append((time.perf_counter() - began) / len(talking))
        await house.advance(start + timedelta(hours=2))
        for i in range(guests):
            (row,) = await house.backend.tables.rows(stream_of(crowd(i)), SESSIONS)
            heard = start + timedelta(minutes=i % rounds)
            assert row["message_count"] == i % rounds + 1, f"guest {i} lost a message"
            assert row["status"] == "kicked"
            assert datetime.fromisoformat(row["ended_at"]) == heard + timedelta(minutes=20)
        assert moment(house.now()) == start + timedelta(hours=2)
    assert spent[-1] < 3 * spent[0] + 0.01, "a turn costs more the longer the evening"
    report(
        f"bar: {guests} guests for two hours, timers exact; a turn {spent[0] * 1000:.1f} ms then {spent[-1] * 1000:.1f}"
    )
