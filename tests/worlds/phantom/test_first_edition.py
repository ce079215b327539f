"""A story of the first edition, as it was exported then: it is taken in, is whole, and goes on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

import greenroom
from greenroom.kernel.codec import canonical
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.state import PLAYER

FILE = Path(__file__).parent / "histories" / "first_edition.jsonl"
#: When it was exported: two letters were written and not sent.
LEFT = datetime(2031, 3, 1, 22, 40, tzinfo=UTC)


def written(body: Any) -> list[str]:
    return [mail["ref"] for thread in body["threads"] for mail in thread["messages"] if mail["by"] != PLAYER]


async def test_a_story_of_the_first_edition_goes_on() -> None:
    async with greenroom.open(":memory:", clock=LEFT, recall="words") as house:
        await house.import_(FILE.read_bytes().splitlines(keepends=True))
        assert (await house.verify("begun")).problems == ()
        before = written((await house.view("begun", seat=PLAYER)).body)
        await house.advance(LEFT + timedelta(hours=16))
        sent = written((await house.view("begun", seat=PLAYER)).body)
        assert {"ember.7", "miro.6"} <= set(sent) - set(before), "what was written then has arrived"
        assert len(sent) == len(set(sent))
        text = Words("How many stairs is it down to your desk?")
        await house.send("begun", c.Receive(channel="email", text=text), seat=PLAYER)
        await house.advance(LEFT + timedelta(hours=36))
        answered: Any = (await house.view("begun", seat=PLAYER)).body
        assert "inety-four" in str(answered["threads"][0]["messages"][-1]["words"])
        assert (await house.verify("begun")).problems == ()


async def test_a_snapshot_of_the_first_edition_counts_no_letter_as_said_before_it_is_sent() -> None:
    async with greenroom.open(":memory:", clock=LEFT, recall="words") as house:
        await house.import_(FILE.read_bytes().splitlines(keepends=True))
        state: Any = (await house.head("begun")).state
        codec = house.codec("phantom")
    data = msgspec.json.decode(canonical(state))
    for letter in data["waiting"]:
        line = {"by": letter["agent"], "words": letter["words"], "ref": letter["key"], "at": letter["due_at"]}
        data["cast"][letter["agent"]]["recent"].append(line)
    assert len(data["waiting"]) == 2
    assert codec.read_state(canonical(data), 3, "a snapshot") == state
