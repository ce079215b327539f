"""Coming in again without a ticket, and what strangers can find out by trying."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.entrypoints.phantom.stage import Player, Stage, proved, signed_up, stage, started, started_by_post

ANN = "ann@example.org"


@pytest.fixture
async def on() -> AsyncIterator[Stage]:
    async with stage() as made:
        yield made


async def ask(on: Stage, email: str) -> httpx.Response:
    return await on.caller().post("/phantom/entry", json={"email": email})


async def give(on: Stage, email: str, code: str) -> httpx.Response:
    return await on.caller().post("/phantom/entry/code", json={"email": email, "code": code})


async def codes(on: Stage, player: Player) -> list[str]:
    """The codes that were sent to come in again, oldest first."""
    letters = await on.house.backend.outbox.list(stream=player.stream)
    mine = [letter for letter in letters if letter.subject == "Your way back in"]
    texts = await on.house.backend.bank.get([letter.words for letter in mine])
    found = (re.search(r"\b\d{6}\b", texts[letter.words]) for letter in mine)
    return [one[0] for one in found if one is not None]


def other(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


async def test_whoever_reads_the_mail_of_an_address_comes_in_again_and_older_tickets_end(on: Stage) -> None:
    player = await proved(on)
    assert (await ask(on, "Ann@Example.org")).status_code == 202
    (code,) = await codes(on, player)
    told = await give(on, ANN, f" {code} ")
    assert (told.status_code, told.json()["stream"]) == (200, player.stream)
    assert told.json()["player"]["email"]["verified"]
    again = Player(on, player.stream, on.caller(told.json()["ticket"]))
    assert (await again.post("start")).status_code == 200
    assert (await again.call.get(again.at("inbox"))).status_code == 200
    assert (await player.call.get(player.at("inbox"))).status_code == 401, "whoever had the old one is out"
    assert (await give(on, ANN, code)).status_code == 422, "a code is good once"


async def test_a_story_in_the_middle_is_found_as_it_was_left(on: Stage) -> None:
    player = await started_by_post(on)
    await player.write("email", "Who are you?")
    await ask(on, ANN)
    before = await player.conversations()
    told = await give(on, ANN, (await codes(on, player))[-1])
    again = Player(on, player.stream, on.caller(told.json()["ticket"]))
    assert await again.conversations() == before


async def test_nobody_learns_whether_an_address_plays(on: Stage) -> None:
    player = await started_by_post(on)
    known, unknown = await ask(on, ANN), await ask(on, "bob@example.org")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json()) == (202, known.json())
    (code,) = await codes(on, player)
    refused = [await give(on, ANN, other(code)), await give(on, "bob@example.org", code)]
    await on.pass_time(minutes=31)
    refused.append(await give(on, ANN, code))
    bodies = {(one.status_code, one.json()["detail"]) for one in refused}
    assert bodies == {(422, "that code opens nothing; look again, or ask for a new one")}


async def test_a_code_is_tried_five_times_and_five_are_sent_a_day(on: Stage) -> None:
    player = await started_by_post(on)
    await on.pass_time(days=1)
    await ask(on, ANN)
    (code,) = await codes(on, player)
    for _ in range(5):
        assert (await give(on, ANN, other(code))).status_code == 422
    assert (await give(on, ANN, code)).status_code == 422, "now the right one comes too late"
    for _ in range(6):
        assert (await ask(on, ANN)).status_code == 202
        await on.pass_time(minutes=1)
    assert len(await codes(on, player)) == 5
    await on.pass_time(days=1)
    await ask(on, ANN)
    assert len(await codes(on, player)) == 6


async def test_a_player_who_stopped_everything_is_sent_no_code(on: Stage) -> None:
    player = await started_by_post(on)
    await player.post("opt-out")
    assert (await ask(on, ANN)).status_code == 202
    assert await codes(on, player) == []


@pytest.mark.parametrize(
    "body", [{}, {"email": "nobody"}, {"email": ANN, "code": ""}, {"email": ANN, "code": "1" * 13}]
)
async def test_what_is_no_address_or_no_code_is_refused(on: Stage, body: dict[str, str]) -> None:
    path = "/phantom/entry/code" if "code" in body else "/phantom/entry"
    assert (await on.caller().post(path, json=body)).status_code == 422


async def test_an_address_that_guesses_is_slowed_down(monkeypatch: pytest.MonkeyPatch, on: Stage) -> None:
    monkeypatch.setattr("tests.entrypoints.phantom.stage.EASY", {"rate_strangers": 3})
    async with stage() as strict:
        found = [(await give(strict, ANN, "123456")).status_code for _ in range(5)]
    assert found == [422, 422, 422, 429, 429]


async def test_a_story_on_the_page_has_no_address_that_could_open_it(on: Stage) -> None:
    player = await started(on, ANN)
    told = (await player.call.get(player.at("inbox"))).json()["player"]
    assert (told["email"], told["phone"]) == (None, None)
    assert (await ask(on, ANN)).status_code == 202
    assert await codes(on, player) == []


async def test_an_address_that_nobody_proved_opens_nothing(on: Stage) -> None:
    """Whoever signs up with the address of somebody else gets no code for it, and keeps nobody from it."""
    squatter = await signed_up(on, ANN, web_only=False)
    assert (await ask(on, ANN)).status_code == 202
    assert await codes(on, squatter) == []


async def test_trying_a_code_takes_as_long_for_an_address_that_nobody_has(on: Stage) -> None:
    await proved(on)
    for address in (ANN, "bob@example.org"):
        began = time.monotonic()
        assert (await give(on, address, "000000")).status_code == 422
        assert time.monotonic() - began >= 0.2
