"""A house that the bar's first edition wrote: two guests, one of them in the middle of an evening, states of shape 1.

``histories/first_edition.db.gz`` was written by that edition itself: Ruben came twice and had said on the first evening
that he wants to die; Aino came twice, and the second evening has lasted for six messages.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from greenroom.bootstrap import open_house
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.worlds.bar.rules import commands as c
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.state import upcast

pytestmark = pytest.mark.sqlite

HISTORY = Path(__file__).parent / "histories/first_edition.db.gz"
AINO, RUBEN = "6f1d2c3b-4a59-4e68-8877-a6b5c4d3e2f1", "0c9b8a7d-6e5f-4c3b-9a29-1f0e1d2c3b4a"
#: A quarter of an hour after Aino came in for the second time.
LATER = datetime(2031, 3, 3, 17, 20, tzinfo=UTC)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    file = tmp_path / "greenroom.db"
    file.write_bytes(gzip.decompress(HISTORY.read_bytes()))
    with closing(sqlite3.connect(file)) as stored:
        shapes = {shape for (shape,) in stored.execute("SELECT shape FROM snapshots")}
    assert shapes == {1}  # or nothing below is brought up to date
    async with open_house(file, clock=LATER, recall="words", work=False) as opened:
        yield opened


async def said(house: House, guest: str, text: str) -> str:
    """What the newest session answers."""
    seen = (await house.view(stream_of(guest), seat="operator")).body
    fields = {"session_id": seen["session"]["session_id"], "text": text}
    reply = await house.send(stream_of(guest), house.codec("bar").command_from("say", fields), seat="guest")
    await house.advance(moment(house.now()) + timedelta(seconds=40))
    return " ".join(line["message"] for line in reply.body["messages"])


async def test_an_evening_of_the_first_edition_goes_on_and_bart_knows_what_he_was_told(house: House) -> None:
    assert "Juhani" in await said(house, AINO, "What is my father's name?")
    assert "Senegal" in await said(house, AINO, "Where am I going?")
    seen = (await house.view(stream_of(AINO), seat="operator")).body["session"]
    assert (seen["session_status"], seen["message_count"], len(seen["lines"])) == ("active", 8, 13)
    await house.advance(moment(house.now()) + timedelta(days=1))
    await house.send(stream_of(AINO), c.Enter(), seat="guest")
    assert "Helmi" in await said(house, AINO, "What's my sister called?")
    assert "ninth" in await said(house, AINO, "When is the ticket for?")
    assert "sails" in await said(house, AINO, "What do I do for a living?")


async def test_nothing_of_a_hard_evening_of_the_first_edition_is_said_back(house: House) -> None:
    entered = await house.send(stream_of(RUBEN), c.Enter(), seat="guest")
    assert entered.body["messages"][0]["kind"] == "check_in"
    lines = [await said(house, RUBEN, text) for text in ("What was my dog called?", "What happened to my dog Salt?")]
    assert not [line for line in lines if "Monday" in line or "die" in line], lines


def test_the_hard_evenings_of_an_older_snapshot_stay_hushed(tmp_path: Path) -> None:
    file = tmp_path / "greenroom.db"
    file.write_bytes(gzip.decompress(HISTORY.read_bytes()))
    with closing(sqlite3.connect(file)) as stored:
        states = [json.loads(state) for (state,) in stored.execute("SELECT state FROM snapshots ORDER BY sid, version")]
    ruben, *aino = [upcast(1, state) for state in states]
    assert ruben["hushed"] == [{"since": "2031-03-01T17:00:00Z", "until": "2031-03-01T17:21:20Z"}]
    assert ruben["last_at"] == "2031-03-01T17:01:20Z"
    assert [state["hushed"] for state in aino] == [[], []]


async def test_what_the_first_edition_wrote_still_agrees_with_itself(house: House) -> None:
    await said(house, AINO, "Still here.")
    for guest in (AINO, RUBEN):
        verdict = await house.verify(stream_of(guest))
        assert not verdict.problems, verdict
