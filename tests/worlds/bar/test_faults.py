"""Faults of the first edition, each by the behaviour that took its place."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from greenroom.adapters.clocks import VirtualClock
from greenroom.bootstrap import open_house
from greenroom.kernel.asks import Failed
from greenroom.kernel.times import micros
from greenroom.worlds.bar.faces.app import terminal, visits
from greenroom.worlds.bar.rules.tables import SESSIONS
from tests.worlds.bar.stage import ADA, EVENING, MINUTE, Stage, served, shipped
from tests.worlds.bar.test_contract import pass_time, say, start

CRISIS = "I want to kill myself tonight."


async def test_an_id_in_capitals_is_refused_and_uses_up_no_code() -> None:
    async with served() as (house, caller):
        (code,) = await visits.invite(house, 1)
        body = {"invite_code": code, "anonymous_id": ADA.upper()}
        assert (await caller().post("/bar/session/start", json=body)).status_code == 422
        assert (await caller().post("/bar/session/start", json=body | {"anonymous_id": ADA})).status_code == 200


async def test_a_crisis_in_a_former_session_marks_the_row_of_that_one_and_of_no_other() -> None:
    async with served() as (house, caller):
        guest = caller()
        first, second = [(await start(guest, anonymous_id=ADA))["session_id"] for _ in range(2)]
        assert (await say(guest, first, CRISIS)).json()["agent"] == "hermes"
        rows = {row["id"]: row for row in await house.rows((await visits.guest_of(house, first)).stream, SESSIONS)}
        assert rows[first]["crisis_flag_date"] == shipped().house.today(EVENING).isoformat()
        assert rows[second]["crisis_flag_date"] is None


def test_a_new_day_makes_no_line_of_the_house_come_again() -> None:
    stage, heard = Stage(), []
    for _ in range(3):
        stage.enter()
        for i in range(3):
            stage.will("router", {"agent": "bernie", "reason": ""})
            stage.will("bernie", Failed("timeout"))
            heard.append(stage.say(f"And then, {i}?")["messages"][0]["message"])
        stage.leave()
        stage.advance(timedelta(days=1))
    assert set(heard) <= set(shipped().house.cast["bernie"].fallbacks)
    assert len(set(heard)) == len(heard)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('"Irregardless" is not a word.', '"Irregardless" is not a word.'),
        ('You wrote "utilise".', 'You wrote "utilise".'),
        ('"Use" is shorter than "utilise"', '"Use" is shorter than "utilise"'),
        ('"Say it plainly."', "Say it plainly."),
    ],
)
def test_quotation_marks_in_a_line_stay_and_those_around_all_of_it_go(line: str, shown: str) -> None:
    stage = Stage()
    stage.enter()
    stage.will("router", {"agent": "jb", "reason": ""})
    stage.will("jb", line)
    assert stage.say("JB, a word?")["messages"][0]["message"] == shown


def test_a_reply_that_was_cut_ends_with_its_last_whole_sentence_or_is_asked_for_again() -> None:
    stage = Stage()
    stage.enter()
    stage.will("router", *[{"agent": "bart", "reason": ""}] * 2)
    endless = "and the ferry and the quay " * 20
    stage.will("bart", "The herring came in. Then the skipper said to the", endless, "The herring came in late.")
    assert stage.say("What happened?")["messages"][0]["message"] == "The herring came in."
    assert stage.say("And then?")["messages"][0]["message"] == "The herring came in late."


async def test_the_sixth_session_is_told_how_many_seconds_are_left_of_the_bars_day() -> None:
    async with served() as (house, caller):
        guest = caller()
        for _ in range(5):
            await start(guest)
        first = await guest.post("/bar/session/start")
        midnight = shipped().house.midnight(shipped().house.today(EVENING))
        assert first.status_code == 429
        assert int(first.headers["Retry-After"]) == (midnight - EVENING).total_seconds()
        await pass_time(house, 7)
        later = await guest.post("/bar/session/start")
        assert int(first.headers["Retry-After"]) - int(later.headers["Retry-After"]) == 7 * 60


class Waiting:
    """A keyboard that nobody touches until the door has been shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.kicked = asyncio.Event()

    async def line(self) -> str | None:
        await self.kicked.wait()
        return "/quit"

    def say(self, text: str, **_: Any) -> None:
        self.shown.append(text)
        if any(line in text for line in shipped().house.lines.kick):
            self.kicked.set()


async def test_the_terminal_shows_the_warning_and_the_kick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "LOOK_EVERY", 0.01)
    keyboard: Any = Waiting()
    async with open_house(":memory:", clock=VirtualClock(micros(EVENING))) as house:
        chat = terminal.Chat(house, keyboard, keyboard.say)
        await chat.knock(ADA, None)
        playing = asyncio.ensure_future(chat.play())
        await house.advance(EVENING + 25 * MINUTE)
        async with asyncio.timeout(60):
            await playing
    assert any(line in one for one in keyboard.shown for line in shipped().house.lines.warning)


@pytest.mark.parametrize("way", ["Bukowski, note: ", "note: ", "note "])
def test_a_note_for_a_muted_bukowski_is_kept_and_said_so(way: str) -> None:
    stage = Stage()
    stage.enter()
    assert "bukowski" in stage.state.muted
    told = stage.say(f"{way}call the harbour master about the mooring")["messages"][0]
    assert (told["agent"], told["kind"], len(stage.state.notes)) == ("blanca", "notice", 1)
    stage.mute("bukowski", muted=False)
    assert "mooring" in stage.say("show last", "bukowski")["messages"][0]["message"]


async def test_an_alarm_is_taken_back_over_http_once_and_there_must_be_one() -> None:
    async with served() as (_, caller):
        guest = caller()
        session = (await start(guest))["session_id"]
        nothing = await guest.post("/bar/session/take_back", json={"session_id": session})
        assert nothing.status_code == 422
        alarmed = (await say(guest, session, CRISIS)).json()
        assert (alarmed["agent"], alarmed["may_take_back"], alarmed["help"]) == ("hermes", True, True)
        back = (await guest.post("/bar/session/take_back", json={"session_id": session})).json()
        assert (back["agent"], back["may_take_back"], back["help"]) == ("hermes", False, True)
        after = (await say(guest, session, "Bernie, a story about the harbour?")).json()
        assert after["agent"] == "bernie"
